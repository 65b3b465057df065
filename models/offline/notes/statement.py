"""What a message says of its author that is worth keeping, and what it wants done with what is kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

WishKind = Literal["forget", "forget_all", "list", "recall", "source", "private", "public"]
"""`list`: what do you know (of X); `recall`: earlier conversations; `source`: how do you know; `private`, `public`:
learn nothing of this conversation, or learn again."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing that the user said of themselves, or of those who travel along.

    `text` and `quote` are whole sentences of the user's, less a request to remember and words said in passing at the
    head. `trip_only` says that it holds for one trip. `until` and claims are read in `proposals`.
    """

    text: str
    quote: str
    topic: str
    trip_only: bool = False
    confidence: float = 0.9


@dataclass(frozen=True, slots=True)
class MemoryWish:
    """What a message wants done with memory.

    Attributes:
        kind: What is wanted.
        about: The user's words for what it is about, without those of the asking; empty for "that", or for everything.
        topics: The topics of the memory schema that `about` names in everyday words ("food": `meal`); may be empty.
        attribute: The attribute that it names, where it names one ("my allergies": `allergy`); else empty.
        every: True for all that fits ("everything about my allergies"), False for one thing.
        except_for: Words for what is to stay ("but keep the boutique hotels one").
    """

    kind: WishKind
    about: str = ""
    topics: frozenset[str] = frozenset()
    attribute: str = ""
    every: bool = False
    except_for: str = ""
