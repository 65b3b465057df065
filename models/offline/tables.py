"""The word tables that the offline model reads with and writes from, by package."""

from pathlib import Path

from text.numbers import COUNT
from text.tables import Words

_HERE = Path(__file__).parent

NOTES = Words(_HERE / "notes" / "words", basics={"count": COUNT})
LEXICON = Words(_HERE / "notes" / "meaning" / "lexicon")
DIALOGUE = Words(_HERE / "dialogue" / "words")
READING = Words(_HERE / "reading" / "words")
WORDING = Words(_HERE / "wording")
