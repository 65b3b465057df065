"""Carries out the slash commands that show and change memory from within a conversation."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from app.cli.memory.cards import write_card, write_profile
from app.cli.memory.changes import write_forgotten
from app.cli.memory.consent import write_consent
from app.cli.memory.history import write_undone
from app.cli.memory.resolve import meant_entry, meant_notes, of_any_status
from app.cli.screen import described
from app.cli.wording import say
from config.errors import InvalidInputError, NotFoundError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.api.user_memory import OwnMemory
    from app.cli.chat.conversation import Conversation
    from memory.records.notes import Note


class MemoryCommands:
    """What a person may do with their memory while they talk. Notes are named by number, id or words."""

    def __init__(self, talk: Conversation) -> None:
        self._talk = talk
        self._listed: list[Note] = []

    @property
    def _own(self) -> OwnMemory:
        return self._talk.concierge.memory(self._talk.user_id)

    def memory(self, _: str) -> None:
        """List what is remembered, and what was noted in this conversation."""
        staged, long_term = self._staged(), self._long_term()
        screen, latest = self._talk.screen, self._talk.latest
        screen.aside(say("long_term"))
        screen.notes(long_term, none=say("nothing_remembered"))
        write_profile(screen, self._talk.wait(self._own.profile()), self._talk.wait(self._own.consent()))
        if staged:
            screen.aside(say("noted_here"))
            screen.notes(staged, none="", first=len(long_term) + 1)
        if latest and (latest.used or latest.written or latest.blocked):
            screen.aside(say("in_last_answer"))
            screen.account_whole(latest)
        self._listed = [*long_term, *staged]

    def show(self, what: str) -> None:
        """Show everything about one note."""
        note = self._one(what, [*self._staged(), *self._talk.wait(of_any_status(self._own))])
        if note is None:
            return
        try:
            versions = self._talk.wait(self._own.history(note.id))
        except NotFoundError:  # it is noted in this conversation, and not kept yet
            versions = []
        consent = self._talk.wait(self._own.consent())
        write_card(self._talk.screen, note, consent=consent, versions=versions, now=datetime.now(UTC))

    def edit(self, given: str) -> None:
        """Change what a note says."""
        what, equals, text = (part.strip() for part in given.partition("="))
        if not (what and equals and text):
            raise InvalidInputError("Say which note and what it says from now on: /edit 1 = I prefer window seats")
        note = self._one(what, [*self._staged(), *self._long_term()])
        if note is None:
            return
        if note.id in {one.id for one in self._staged()}:
            raise InvalidInputError("That is noted and not kept yet. Forget it, and say it as it should be.")
        edited = self._talk.wait(self._own.edit(note.id, text=text))
        self._talk.screen.aside(say("says_now", what=described(edited)))
        self._listed = []

    def forget(self, what: str) -> None:
        """Forget a note for good."""
        note = self._one(what, [*self._staged(), *self._long_term()])
        if note is None:
            return
        write_forgotten(self._talk.screen, self._talk.wait(self._own.forget_note(note)), note)
        self._listed = []

    def undo(self, what: str) -> None:
        """Take back the latest change, or the one that is named."""
        wanted = meant_entry(what, self._talk.wait(self._own.journal())).id if what else None
        entry = self._talk.wait(self._own.undo(wanted))
        write_undone(self._talk.screen, entry, self._talk.wait(self._own.journal()), again="/undo")
        self._listed = []

    def restore(self, what: str) -> None:
        """Put a note back in use."""
        live = {note.id for note in self._long_term()}
        every = self._talk.wait(of_any_status(self._own))
        note = self._one(what, [one for one in every if one.id not in live] or every)
        if note is not None:
            restored = self._talk.wait(self._own.restore(note.id))
            self._talk.screen.aside(say("in_use_again", what=described(restored)))
            self._listed = []

    def pause(self, _: str) -> None:
        """Learn nothing, in any conversation."""
        self._talk.wait(self._own.pause())
        self._talk.screen.aside(say("paused_until", paused=say("paused")))

    def resume(self, _: str) -> None:
        """Learn again."""
        self._talk.wait(self._own.resume())
        self._talk.mode = "on"
        self._talk.screen.aside(say("resumed"))

    def consent(self, given: str) -> None:
        """Show or change what may be remembered, by topic."""
        verb, *topics = given.split() or [""]
        if verb == "deny" and topics:
            self._talk.wait(self._own.deny(*topics))
        elif verb == "allow" and topics:
            self._talk.wait(self._own.allow(*topics))
        elif verb:
            raise InvalidInputError("Say /consent, /consent deny TOPIC, or /consent allow TOPIC.")
        consent = self._talk.wait(self._own.consent())
        write_consent(self._talk.screen, consent, Counter(note.topic for note in self._long_term()))

    def private(self, given: str) -> None:
        """Learn nothing from this conversation, or learn from it again."""
        if given not in ("", "on", "off"):
            raise InvalidInputError("Say /private, or /private off.")
        talk = self._talk
        setting = talk.concierge.set_remembered(given == "off", user_id=talk.user_id, thread_id=talk.thread_id)
        told = talk.wait(setting)
        talk.screen.aside(say("not_private" if told.remembered else "private"))
        if told.dropped:
            talk.screen.aside(say("dropped", count=told.dropped))
        if told.kept and not told.remembered:
            talk.screen.aside(say("kept_from_before"))
            talk.screen.notes(told.kept, none="")
            self._listed = list(told.kept)

    def _one(self, what: str, notes: Sequence[Note]) -> Note | None:
        """Return the note that is meant; None when several may be, which are then listed."""
        if what.isdecimal() and 1 <= int(what) <= len(self._listed):
            return self._listed[int(what) - 1]
        meant = meant_notes(what, notes)
        if len(meant) == 1:
            return meant[0]
        self._listed = meant
        self._talk.screen.notes(meant, none="")
        self._talk.screen.aside(say("which_number"))
        return None

    def _staged(self) -> list[Note]:
        talk = self._talk
        try:
            return talk.wait(talk.concierge.staged_notes(user_id=talk.user_id, thread_id=talk.thread_id))
        except NotFoundError:
            return []

    def _long_term(self) -> list[Note]:
        return self._talk.wait(self._own.notes())
