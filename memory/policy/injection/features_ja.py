"""Extracts what a Japanese sentence shows of being an instruction: characters, kinds of things, and its ending."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from itertools import combinations
from pathlib import Path

_CLASSES = Path(__file__).parent / "classes_ja.toml"
_MOST_CHARACTERS = 240
_SHAPES = {
    "*asks": r"(?:て|で)(?:ください|下さい|ほしい|もらえ|いただけ|くれ|頂け)",
    "*orders": r"(?:ろ|せよ|なさい|こと|べし|るな|え|け|せ|れ|めよ)[。！!]?$",
    "*bare": r"(?:て|で)[。！!]?$",
    "*states": r"(?:です|ます|ません|でした|ました)(?:[。、ね]|$)",
    "*wonders": r"(?:か|の)[？?。]?$|[?？]",
    "*kana": r"^[ぁ-ヺー、。 ]+$",
    "*noun": r"[一-龠ァ-ヺー][。]?$",
    "*tag": r"[<\[【＜{].{1,20}[>\]】＞}:]|:",
    "*quoted": r"[「『\"'].+[」』\"']",
}
_KATAKANA_TO_HIRAGANA = -0x60
_RUN = re.compile(r"[ぁ-ゖァ-ヺー一-龠々a-z0]+")


@cache
def _classes() -> tuple[tuple[str, tuple[str, ...]], ...]:
    table: dict[str, str] = tomllib.loads(_CLASSES.read_text(encoding="utf-8"))
    return tuple((kind, tuple(members.split())) for kind, members in table.items())


def features(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the character n-grams of `text` (1 to 4) and its structural features (prefixed `*`).

    A text in katakana alone is read as hiragana.
    """
    lowered = _as_hiragana(re.sub(r"\d+", "0", re.sub(r"\s+", "", text.lower()))[:_MOST_CHARACTERS])
    grams: set[str] = set()
    for run in _RUN.findall(lowered):
        for size in (1, 2, 3, 4):
            grams.update(run[at : at + size] for at in range(len(run) - size + 1))
    present = [kind for kind, members in _classes() if any(member in lowered for member in members)]
    found = {f"*{kind}" for kind in present} | {f"*{one}&{two}" for one, two in combinations(present, 2)}
    found.update(name for name, shape in _SHAPES.items() if re.search(shape, lowered))
    body = lowered.rstrip("。！!")
    found.update(f"*${body[-size:]}" for size in (2, 3, 4))
    found.add(f"*^{body[:2]}")
    return frozenset(grams), frozenset(found)


def _as_hiragana(text: str) -> str:
    if re.search(r"[ぁ-ゖ一-龠]", text):
        return text
    return re.sub(r"[ァ-ヶ]", lambda match: chr(ord(match.group()) + _KATAKANA_TO_HIRAGANA), text)
