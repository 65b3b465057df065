"""Trains the weights of the acts of English clauses: `python -m evals.training.acts`.

Writes `models/offline/en/words/acts.npz` from `acts.jsonl` and the sentences that `acts_templates.toml` makes. Prints
the share of right acts on the held-out rows, by plain rules and with the weights. Deterministic.
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import get_args

import numpy as np

from evals.training.fit import Bag, Floats, bag, fit, scales, tabulate
from models.offline.en.reader import READER
from models.offline.reading.form import HUNDREDTHS, judged, weights_at
from models.offline.reading.understanding import Act, ReadingContext, Slot

_FOLDER = Path(__file__).parent
ACTS: tuple[Act, ...] = get_args(Act)
_PER_ACT = 420
"""Sentences made of an act at most, so that no act outweighs the others."""
_FEWEST_ROWS, _RULE_SCALE, _PENALTY, _ROUNDS, _NEGLIGIBLE = 2, 0.35, 0.3, 250, 0.05
_TODAY = date(2026, 11, 22)


@dataclass(frozen=True, slots=True)
class Row:
    """A clause and its act."""

    text: str
    act: Act

    @property
    def context(self) -> ReadingContext:
        """What the clause is read against: offers are on the table, and often the concierge has asked for a yes."""
        often = hashlib.sha256(self.text.encode()).digest()[0] % 2
        asked: Slot | None = "confirm" if often or self.act in {"confirm", "reject"} else None
        return ReadingContext(_TODAY, asked=asked, offers_shown=True, trip_open=True)


def main() -> None:
    """Train on the written and the made sentences, write the weights, and print the rates."""
    assert READER.weights
    rows = [*read("train"), *made()]
    write(READER.weights, train(rows))
    weights_at.cache_clear()
    print(f"trained on {len(set(rows))} rows")
    for split in ("train", "held"):
        by_rule, learned = right(found := read(split))
        print(f"{split}: by rule {by_rule / len(found):.3f}, learned {learned / len(found):.3f} of {len(found)}")
    print(hashlib.sha256(READER.weights.read_bytes()).hexdigest())


def train(rows: Sequence[Row]) -> dict[str, Floats]:
    """Return the weights of each sign, one of each act; the empty name is the base."""
    ordered = sorted(set(rows), key=lambda row: hashlib.sha256(repr(row).encode()).digest())
    bags = [features(row) for row in ordered]
    wanted = np.array([[float(row.act == act) for act in ACTS] for row in ordered])
    scale = scales(bags, _FEWEST_ROWS, _RULE_SCALE)
    fitted, bases = fit(tabulate(bags, scale), wanted, _PENALTY, _ROUNDS)
    return {"": bases, **{name: fitted[at] * scale[name] for at, name in enumerate(scale)}}


def read(split: str) -> list[Row]:
    """Return the written rows of a split (`train` or `held`)."""
    records = map(json.loads, (_FOLDER / "acts.jsonl").read_text(encoding="utf-8").splitlines())
    return [Row(record["text"], record["act"]) for record in records if record["split"] == split]


def made() -> list[Row]:
    """Return the sentences that the templates make, up to `_PER_ACT` of each act, chosen by their hash."""
    table = tomllib.loads((_FOLDER / "acts_templates.toml").read_text(encoding="utf-8"))
    rows: list[Row] = []
    for act, templates in table["templates"].items():
        said = {text for template in templates for text in _few(list(_written(template, table["lists"])), 40)}
        moods = table["moods"]
        tails = moods["asks"] if act == "ask" else moods["after"]
        plain = act in {"greet", "thanks", "bye", "chat", "restart", "help", "complain"}
        every = {
            text if plain else f"{before}{text}{after}"
            for text in said
            for before in moods["before"]
            for after in tails
        }
        rows += [Row(text, act) for text in _few(sorted({*every, *said}), _PER_ACT)]
    return rows


def _few(texts: Sequence[str], most: int) -> list[str]:
    return sorted(texts, key=lambda text: hashlib.sha256(text.encode()).digest())[:most]


def _written(template: str, lists: dict[str, list[str]]) -> Iterator[str]:
    """Yield every sentence of a template."""
    if choice := re.search(r"\(([^()]*)\)", template):
        for option in choice[1].split("|"):
            yield from _written(template[: choice.start()] + option + template[choice.end() :], lists)
    elif slot := re.search(r"\{(\w+)\}", template):
        for option in lists[slot[1]]:
            yield from _written(template[: slot.start()] + option + template[slot.end() :], lists)
    else:
        yield " ".join(template.split())


def features(row: Row) -> Bag:
    """Return the features of a clause: its words weigh one together, whatever was found in it one each."""
    pieces = READER.pieces(row.text)
    piece = max(pieces, key=lambda each: len(each.text))
    signs = READER.signs(piece, READER.draft(piece, row.context))
    found = frozenset(sign for sign in signs if sign.startswith("*"))
    return bag(signs - found, found)


def write(path: Path, weights: dict[str, Floats]) -> None:
    """Write the weights, rounded and without negligible ones, as an uncompressed `.npz` whose bytes they decide."""
    names = sorted(name for name, each in weights.items() if not name or np.abs(each).max() >= _NEGLIGIBLE)
    rows = np.round(np.array([weights[name] for name in names]) * HUNDREDTHS).astype(np.int16)
    packed = [np.frombuffer("\n".join(each).encode(), np.uint8) for each in (names, ACTS)]
    np.savez(path, allow_pickle=False, signs=packed[0], acts=packed[1], weights=rows)


def right(rows: Sequence[Row]) -> tuple[int, int]:
    """Return how many rows have a clause with their act: by the rules alone, and with the weights."""
    by_rule = learned = 0
    for row in rows:
        drafts = [(piece, READER.draft(piece, row.context)) for piece in READER.pieces(row.text)]
        by_rule += row.act in {draft.act for _, draft in drafts}
        learned += row.act in {judged(READER, piece, draft).act for piece, draft in drafts}
    return by_rule, learned


if __name__ == "__main__":
    main()
