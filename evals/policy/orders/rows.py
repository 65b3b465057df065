"""The labelled sentences that the tables of orders are trained on and measured with."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from pathlib import Path

from text.deobfuscate import readings

_HERE = Path(__file__).parent
_ROOT = _HERE.parents[2]
_CASES = _ROOT / "tests" / "stores" / "policy" / "cases"
_DISGUISES = frozenset(
    {"base64", "disguise", "encoded", "hex", "homoglyph", "leet", "rot13", "spaced", "url_encoded", "zero_width"}
)


@dataclass(frozen=True, slots=True)
class Row:
    """A sentence, and whether it gives the machine orders."""

    text: str
    order: bool

    @property
    def japanese(self) -> bool:
        """True when the sentence is written in kana or kanji."""
        return re.search(r"[\u3041-\u30ff\u4e00-\u9fff]", self.text) is not None


def trained() -> list[Row]:
    """Everything that the tables are trained on, in an order that tells nothing."""
    rows = [*_lines("orders_*.txt", True), *_lines("plain_*.txt", False), *_tune(), *_cases(), *_talk("train", "tuned")]
    unique = {row.text: row for row in rows}
    return sorted(unique.values(), key=lambda row: hashlib.sha256(row.text.encode()).digest())


def held() -> list[Row]:
    """Sentences in another style, and travel talk, that no table is trained on.

    The wishes among them that were once mistaken have likenesses in `plain_en_13.txt` and `plain_ja_8.txt` by now.
    """
    return [*_lines("held_orders_*.txt", True), *_lines("held_plain_*.txt", False), *_talk("held")]


def _lines(pattern: str, order: bool) -> list[Row]:
    texts = (path.read_text(encoding="utf-8").splitlines() for path in sorted(_HERE.glob(pattern)))
    return [Row(readings(line)[0], order) for lines in texts for line in lines if line and not line.startswith("## ")]


def _tune() -> list[Row]:
    folder = _HERE.parent / "tune"
    records = [
        json.loads(line)
        for name in ("instruction", "near_miss", "talk")
        for line in (folder / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    plain = [record for record in records if record["kind"] not in _DISGUISES]
    return [Row(readings(record["text"])[0], record["set"] == "instruction") for record in plain]


def _cases() -> list[Row]:
    names = {"instructions_en": True, "instructions_ja": True, "more_instructions": True}
    names |= {"ordinary_en": False, "ordinary_ja": False, "more_ordinary": False, "told_ordinary": False}
    return [
        Row(readings(line)[0], order)
        for name, order in names.items()
        for line in (_CASES / f"{name}.txt").read_text(encoding="utf-8").splitlines()
        if line
    ]


def _talk(*names: str) -> list[Row]:
    folder = _HERE.parents[1] / "capture"
    lines = [line for name in names for line in (folder / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]
    return [Row(readings(json.loads(line)["text"])[0], False) for line in lines]
