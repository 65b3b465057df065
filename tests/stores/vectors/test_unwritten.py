from __future__ import annotations

from pathlib import Path

from stores.chroma import ChromaStore
from stores.vectors.backends import blank_unwritten
from tests.stores.crash import INDEX


def _files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.rglob("*.bin")}


def test_new_and_reopened_small_index_contains_no_uninitialised_memory(tmp_path: Path) -> None:
    for _ in range(3):
        with ChromaStore.from_path(tmp_path, index=INDEX) as store:
            store.put(("a",), "k", {"text": "parrot"})
            assert [item.key for item in store.search((), query="parrot")] == ["k"]
            store.flush()
            files = _files(tmp_path)
            assert not any(files["data_level0.bin"].strip(b"\0") + files["length.bin"].strip(b"\0"))
        files = _files(tmp_path)
        assert not any(files["data_level0.bin"].strip(b"\0") + files["length.bin"].strip(b"\0"))


def test_saved_index_is_unchanged(tmp_path: Path) -> None:
    with ChromaStore.from_path(tmp_path, index=INDEX) as store:
        for start in range(0, 1500, 500):
            for number in range(start, start + 500):
                store.put(("a",), str(number), {"text": f"parrot {number}"})
            store.flush()
        assert len(store.search((), query="parrot", limit=10)) == 10
    before = _files(tmp_path)
    assert before["data_level0.bin"].strip(b"\0")
    blank_unwritten(tmp_path / "vectors")
    assert _files(tmp_path) == before


def test_file_of_an_unknown_kind_is_unchanged(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "header.bin").write_bytes(b"short")
    (tmp_path / "one" / "length.bin").write_bytes(b"kept")
    blank_unwritten(tmp_path)
    assert (tmp_path / "one" / "length.bin").read_bytes() == b"kept"
