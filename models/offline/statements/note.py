"""The parts of a note that comparing statements needs, whoever keeps the note."""

from __future__ import annotations

from datetime import date
from typing import Protocol


class Source(Protocol):
    """Where a note comes from."""

    @property
    def workspace(self) -> str:
        """The workspace that shares the note; empty for none."""


class StatedNote(Protocol):
    """A note as the comparisons read it."""

    @property
    def id(self) -> str:
        """The id of the note."""

    @property
    def text(self) -> str:
        """What the note says."""

    @property
    def topic(self) -> str:
        """The topic that the note is filed under."""

    @property
    def scope(self) -> str:
        """`user`, `workspace` or `trip`."""

    @property
    def condition(self) -> str | None:
        """When the note holds; None for always."""

    @property
    def hard(self) -> bool:
        """Whether the note is a hard constraint."""

    @property
    def single_valued(self) -> bool:
        """Whether its topic holds one value at a time."""

    @property
    def source(self) -> Source:
        """Where the note comes from."""

    @property
    def last_update_date(self) -> date:
        """The day on which it was said last."""

    @property
    def confirmations(self) -> int:
        """How many sessions said it."""
