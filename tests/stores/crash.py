"""A process that writes until it is killed, and prints what was acknowledged. Run with a folder and a seed."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from pathlib import Path

from langgraph.store.base import IndexConfig, PutOp

from stores.chroma import ChromaStore
from tests.stores.letters import DIMS, letters

INDEX: IndexConfig = {"dims": DIMS, "embed": letters, "fields": ["text"]}


def text_of(key: str, version: int) -> str:
    """Return the text of the item `key` in its write number `version`; each is different."""
    return f"{key} {'abcdefghijklmnopqrstuvwxyz'[version % 26] * (version % 7 + 1)} {version}"


def steps(seed: int) -> Iterator[list[tuple[str, int | None]]]:
    """Yield batches without end: keys with the number of the write, or None for a delete. The seed determines them."""
    chance = random.Random(seed)
    version = 0
    while True:
        batch: list[tuple[str, int | None]] = []
        for key in chance.sample([f"k{n}" for n in range(40)], chance.choice((1, 1, 1, 5))):
            version += 1
            batch.append((key, None if chance.random() < 0.2 else version))
        yield batch


def main(folder: str, seed: str) -> None:
    """Write, and sometimes search and flush; print the number of each batch before it is sent and once it is stored."""
    with ChromaStore.from_path(Path(folder), index=INDEX) as store:
        for number, batch in enumerate(steps(int(seed))):
            _say(f"sent {number}")
            store.batch(
                [
                    PutOp(("crash",), key, None if version is None else {"text": text_of(key, version), "v": version})
                    for key, version in batch
                ]
            )
            _say(f"kept {number}")
            if number % 4 == 3:
                store.search(("crash",), query="abc")
            if number % 9 == 5:
                store.flush()


def _say(words: str) -> None:
    sys.stdout.write(words + "\n")
    sys.stdout.flush()
