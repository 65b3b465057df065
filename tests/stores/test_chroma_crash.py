"""kill -9 at random during writes: exactly what was acknowledged is found."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from stores.chroma import ChromaStore
from tests.stores.crash import INDEX, steps, text_of
from tests.stores.letters import cosine
from tests.warm import start

pytestmark = pytest.mark.slow


def state_after(seed: int, batches: int, start: dict[str, int]) -> dict[str, int]:
    """Return the versions by key after `count` batches."""
    state = dict(start)
    for _, batch in zip(range(batches), steps(seed), strict=False):
        for key, version in batch:
            if version is None:
                state.pop(key, None)
            else:
                state[key] = version
    return state


def write_until_killed(folder: Path, seed: int) -> tuple[int, int]:
    """Return the batches that were sent and those that were acknowledged."""
    chance = random.Random(f"kill {seed}")
    lines = chance.randrange(1, 400)
    process, printed = start(
        "import sys; from tests.stores.crash import main; main(*sys.argv[1:])", str(folder), str(seed)
    )
    with printed:
        printed_lines = [line for _, line in zip(range(lines), printed, strict=False)]
        process.kill()
        process.join()
        printed_lines += list(printed)
    whole = [line for line in printed_lines if line.endswith(b"\n")]
    return sum(line.startswith(b"sent") for line in whole), sum(line.startswith(b"kept") for line in whole)


def check(folder: Path, allowed: list[dict[str, int]]) -> dict[str, int]:
    """Check that get, list and search by meaning return one of the allowed states."""
    with ChromaStore.from_path(folder, index=INDEX) as store:
        listed = {item.key: int(item.value["v"]) for item in store.search(("crash",), limit=1000)}
        assert listed in allowed
        hits = store.search(("crash",), query="abcde", limit=1000)
        assert {item.key: item.value["v"] for item in hits} == listed
        for item in hits:
            assert item.score == pytest.approx(cosine("abcde", text_of(item.key, item.value["v"])), abs=1e-4)
        for key, version in listed.items():
            item = store.get(("crash",), key)  # type: ignore[assignment]  # an Item serves as well
            assert item is not None
            assert item.value["v"] == version
    return listed


def rounds(folder: Path, count: int) -> None:
    state: dict[str, int] = {}
    for seed in range(count):
        sent, kept = write_until_killed(folder, seed)
        assert kept >= sent - 1
        allowed = [state_after(seed, batches, state) for batches in range(kept, sent + 2)]
        state = check(folder, allowed)


def test_a_few_kills_lose_nothing(tmp_path: Path) -> None:
    rounds(tmp_path, 4)


@pytest.mark.soak
def test_two_hundred_kills_lose_nothing(tmp_path: Path) -> None:
    rounds(tmp_path, 200)
