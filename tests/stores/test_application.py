"""Two applications on one store see only their own items, in every operation."""

from __future__ import annotations

from langgraph.store.memory import InMemoryStore

from stores.application import of_application


def test_applications_on_one_store_are_isolated() -> None:
    whole = InMemoryStore()
    one, other = of_application(whole, "travel"), of_application(whole, "garden")
    one.put(("users", "ana", "notes"), "a", {"text": "aisle"})
    one.put(("sessions",), "s", {"n": 1})
    other.put(("users", "ana", "notes"), "a", {"text": "roses"})
    stored = one.get(("users", "ana", "notes"), "a")
    assert stored is not None
    assert (stored.namespace, stored.value) == (("users", "ana", "notes"), {"text": "aisle"})
    for prefix in (("users",), (), ("users", "ana", "notes")):
        assert [item.value["text"] for item in other.search(prefix)] == ["roses"]
        assert {item.namespace for item in other.search(prefix)} == {("users", "ana", "notes")}
    assert one.list_namespaces() == [("sessions",), ("users", "ana", "notes")]
    assert one.list_namespaces(prefix=("users",), max_depth=2) == [("users", "ana")]
    assert one.list_namespaces(suffix=("notes",)) == [("users", "ana", "notes")]
    assert other.list_namespaces(prefix=("sessions",)) == []
    other.delete(("users", "ana", "notes"), "a")
    assert len(one.search(())) == 2
    assert of_application(one, "travel") is one
    assert of_application(whole, "") is whole
