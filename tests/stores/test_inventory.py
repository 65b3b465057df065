from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from config.errors import SoldOutError
from stores.inventory import Inventory, Need
from tests.conftest import Clock


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.sampled_from("rcxh"), st.integers(0, 4), st.integers(1, 3)), max_size=25))
def test_inventory_of_vectors_is_right_after_any_operations(
    tmp_path_factory: pytest.TempPathFactory, events: list[tuple[str, int, int]]
) -> None:
    clock = Clock()
    inventory = Inventory(tmp_path_factory.mktemp("tally") / "inventory.db", clock=clock)
    expected: dict[str, int] = {}
    held: set[str] = set()
    used: set[str] = set()
    for act, number, count in events:
        key = str(number)
        need = Need("thing", count, 5, "The thing")
        if act in "rh" and key not in used:
            until = clock() + timedelta(minutes=5) if act == "h" else None
            if sum(expected.values()) + count <= 5:
                inventory.reserve(key, "offer", [need], held_until=until)
                used.add(key)
                expected[key] = count
                held |= {key} if act == "h" else set()
            else:
                with pytest.raises(SoldOutError):
                    inventory.reserve(key, "offer", [need], held_until=until)
        elif act == "c" and key in expected:
            inventory.release(key)
            del expected[key]
        elif act == "x":
            clock.move(minutes=5)
            expected = {name: taken for name, taken in expected.items() if name not in held}
            held.clear()
        assert inventory.taken(["thing"]).get("thing", 0) == sum(expected.values())
    inventory.close()
