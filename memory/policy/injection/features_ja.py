"""What a Japanese sentence shows of being an order: its characters, the things it names, and how it ends."""

from __future__ import annotations

import re
from functools import cache
from itertools import combinations
from pathlib import Path

_CLASSES = Path(__file__).parent / "words" / "classes_ja.txt"
_ENDINGS = {
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
_TO_HIRAGANA = 0x60
_GRAM = re.compile(r"[ぁ-ゖァ-ヺー一-龠々a-z0]+")


@cache
def _kinds() -> tuple[tuple[str, tuple[str, ...]], ...]:
    lines = _CLASSES.read_text(encoding="utf-8").splitlines()
    return tuple((kind, tuple(members.split())) for kind, _, members in (line.partition("\t") for line in lines))


def signs(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """The signs of `text`: runs of one to four characters, and what is found beside (`*`: kinds of things, endings).

    What is written in katakana alone is read as hiragana.
    """
    lowered = _plain_kana(re.sub(r"\d+", "0", re.sub(r"\s+", "", text.lower()))[:240])
    grams: set[str] = set()
    for run in _GRAM.findall(lowered):
        for size in (1, 2, 3, 4):
            grams.update(run[at : at + size] for at in range(len(run) - size + 1))
    present = [kind for kind, members in _kinds() if any(member in lowered for member in members)]
    found = {f"*{kind}" for kind in present} | {f"*{one}&{two}" for one, two in combinations(present, 2)}
    found.update(name for name, shape in _ENDINGS.items() if re.search(shape, lowered))
    said = lowered.rstrip("。！!")
    found.update(f"*${said[-size:]}" for size in (2, 3, 4))
    found.add(f"*^{said[:2]}")
    return frozenset(grams), frozenset(found)


def _plain_kana(text: str) -> str:
    if re.search(r"[ぁ-ゖ一-龠]", text):
        return text
    return re.sub(r"[ァ-ヶ]", lambda match: chr(ord(match.group()) - _TO_HIRAGANA), text)
