"""A text with its forms, each worked out once, when it is first asked for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from text.deobfuscate import decode, join_letters
from text.normalise import normalise
from text.spelled import fold_numbers


@dataclass(frozen=True)
class Text:
    """A text as it was written (`raw`) and as it can be read."""

    raw: str

    @cached_property
    def normalised(self) -> str:
        """The text on one line with look-alikes folded, case kept."""
        return normalise(self.raw)

    @cached_property
    def decoded(self) -> str:
        """The normalised text without URL, HTML, escape, base64 and hexadecimal encodings."""
        return normalise(decode(self.raw))

    @cached_property
    def readings(self) -> tuple[str, ...]:
        """Plain ways to read the text, each normalised, without repeats; the first is `normalised`.

        They cover encodings, words spelled letter by letter, and digits in words.
        """
        found = [self.normalised, normalise(decode(self.normalised)), self.decoded]
        found += [join_letters(reading) for reading in found[:2]]
        found += [fold_numbers(reading) for reading in found]
        return tuple(dict.fromkeys(found))
