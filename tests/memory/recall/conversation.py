"""A short conversation, and its documents."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from memory.recall import Document

START = datetime(2026, 3, 2, 18, tzinfo=UTC)
TURNS = (
    ("Ben", "Hi Ana, how was the holiday?"),
    ("Ana", "Amazing! A green parrot sat on our balcony every single morning."),
    ("Ben", "Did you take pictures?"),
    ("Ana", "Hundreds of them. The humidity nearly killed my camera."),
    ("Ben", "What did you order in the evenings?"),
    ("Ana", "Rice with beans, over and over, and I never got tired."),
    ("Ben", "I bought a second-hand cello on Tuesday, my neighbours hate me."),
    ("Ana", "You always wanted one! Who is your teacher?"),
    ("Ben", "A retired sailor called Otto, he lives above the bakery."),
    ("Ana", "My sister moved to Lisbon and works as a dentist now."),
    ("Ben", "Does she enjoy it?"),
    ("Ana", "She does, apart from the drilling."),
)


def turn(number: int, *, thread: str = "t", days: int = 0) -> Document:
    speaker, text = TURNS[number]
    at = START + timedelta(days=days, minutes=number)
    return Document(f"{thread}/{number:02}", "turn", text, speaker, at, thread, number)


def conversation() -> list[Document]:
    return [turn(number) for number in range(len(TURNS))]


def note(known: str, text: str, at: datetime | None = None) -> Document:
    return Document(known, "note", text, at=at)
