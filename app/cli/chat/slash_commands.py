"""Carries out the slash commands of an interactive conversation, those on memory first."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from app.cli.memory.changes import resume, show_consent, write_forgotten
from app.cli.memory.history import undone
from app.cli.memory.resolve import meant_notes, of_any_status
from app.cli.memory.show import write_card, write_profile
from app.cli.opening import Speaking
from app.cli.screen import Told, described
from app.cli.sessions import show_entry
from app.cli.trips.changes import export_trips
from app.cli.trips.show import list_trips, show_trip
from app.cli.wording import command_help, say
from config.errors import InvalidInputError, NotFoundError, SetupError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.api.user_memory import OwnMemory
    from app.cli.chat.conversation import Conversation
    from graph.context import MemoryMode
    from memory.records.notes import Note


_ALONE = frozenset({"/pause", "/resume", "/decide", "/history", "/end", "/help", "/quit", "/exit"})
"""Commands that nothing may follow."""


class Commands:
    """What can be typed with a slash in front, for one conversation. Notes are named by number, id or words."""

    def __init__(self, talk: Conversation) -> None:
        self._talk = talk
        self._listed: list[Note] = []
        self._known: dict[str, Callable[[str], None]] = {
            "/memory": self._memory,
            "/show": self._show,
            "/edit": self._edit,
            "/forget": self._forget,
            "/undo": self._undo,
            "/restore": self._restore,
            "/pause": self._pause,
            "/resume": self._resume,
            "/consent": self._consent,
            "/private": self._private,
            "/trips": self._trips,
            "/decide": self._decide,
            "/history": self._history,
            "/end": self._end,
            "/help": self._help,
            "/quit": self._quit,
            "/exit": self._quit,
        }

    @property
    def _speaking(self) -> Speaking:
        return Speaking(self._talk.concierge, self._talk.user_id)

    @property
    def _own(self) -> OwnMemory:
        return self._speaking.memory

    def _tell(self, act: Coroutine[Any, Any, Told]) -> None:
        """Do what a command of `concierge` does, and write what it has to say."""
        self._talk.wait(act).write(self._talk.screen)

    def _memory(self, given: str) -> None:
        """List what is remembered, and what was noted in this conversation; or set what memory may do in it."""
        if given in ("on", "paused", "off"):
            self._talk.mode = cast("MemoryMode", given)
            self._talk.screen.aside(say(f"memory_{given}"))
            return
        if given:
            raise InvalidInputError(say("say_memory"))
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

    def _show(self, what: str) -> None:
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

    def _edit(self, given: str) -> None:
        """Change what a note says."""
        what, equals, text = (part.strip() for part in given.partition("="))
        if not (what and equals and text):
            raise InvalidInputError(say("say_edit"))
        note = self._one(what, [*self._staged(), *self._long_term()])
        if note is None:
            return
        if note.id in {one.id for one in self._staged()}:
            raise InvalidInputError(say("not_kept_yet"))
        edited = self._talk.wait(self._own.edit(note.id, text=text))
        self._talk.screen.aside(say("says_now", what=described(edited)))
        self._listed = []

    def _forget(self, what: str) -> None:
        """Forget a note for good."""
        note = self._one(what, [*self._staged(), *self._long_term()])
        if note is None:
            return
        write_forgotten(self._talk.screen, self._talk.wait(self._own.forget_note(note)), note)
        self._listed = []

    def _undo(self, what: str) -> None:
        """Take back the latest change, or the one that is named."""
        self._tell(undone(self._speaking, what or None, again="/undo"))
        self._listed = []

    def _restore(self, what: str) -> None:
        """Put a note back in use."""
        live = {note.id for note in self._long_term()}
        every = self._talk.wait(of_any_status(self._own))
        note = self._one(what, [one for one in every if one.id not in live] or every)
        if note is not None:
            restored = self._talk.wait(self._own.restore(note.id))
            self._talk.screen.aside(say("in_use_again", what=described(restored)))
            self._listed = []

    def _pause(self, _: str) -> None:
        """Learn nothing, in any conversation."""
        self._talk.wait(self._own.pause())
        self._talk.screen.aside(say("paused_until", paused=say("paused")))

    def _resume(self, _: str) -> None:
        """Learn again."""
        self._tell(resume(self._speaking))
        self._talk.mode = "on"

    def _consent(self, given: str) -> None:
        """Show or change what may be remembered, by topic."""
        verb, *topics = given.split() or [""]
        if verb not in ("", "deny", "allow") or bool(verb) != bool(topics):
            raise InvalidInputError(say("say_consent"))
        self._tell(show_consent(self._speaking, **({verb: topics} if verb else {})))

    def _private(self, given: str) -> None:
        """Learn nothing from this conversation, or learn from it again."""
        if given not in ("", "on", "off"):
            raise InvalidInputError(say("say_private"))
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

    def run(self, line: str) -> None:
        """Carry out one line. Raises RequestError when it can't be."""
        name, _, rest = line.partition(" ")
        command = self._known.get(name.lower())
        if command is None:
            self._talk.screen.aside(say("no_such_command", name=name))
        elif rest.strip() and name.lower() in _ALONE:
            raise InvalidInputError(say("stands_alone", name=name))
        else:
            command(rest.strip())

    def _history(self, _: str) -> None:
        talk = self._talk
        for entry in talk.wait(talk.concierge.full_history(thread_id=talk.thread_id, user_id=talk.user_id)):
            show_entry(entry, talk.screen)

    def _trips(self, what: str) -> None:
        verb, _, named = what.partition(" ")
        if verb == "export":
            told = export_trips(self._speaking, Path(named.strip() or "trips.ics"))
        else:
            told = show_trip(self._speaking, what) if what else list_trips(self._speaking)
        try:
            self._tell(told)
        except SetupError as error:  # travel may be switched off, and the conversation goes on
            self._talk.screen.aside(str(error))

    def _decide(self, _: str) -> None:
        if not self._talk.show_what_waits():
            self._talk.screen.aside(say("nothing_to_decide"))

    def _end(self, _: str) -> None:
        ended = self._talk.end()
        if ended:
            self._talk.screen.ended(ended)
        else:
            self._talk.screen.aside(say("nothing_since"))

    def _help(self, _: str) -> None:
        screen = self._talk.screen
        screen.line(say("help_talk"), style="bold")
        for example in say("help_examples").splitlines():
            screen.line(f"  {example}")
        screen.line(say("help_decide"))
        screen.line(say("help_stop"))
        screen.line(say("help_commands"), style="bold")
        for name, meaning in command_help().items():
            screen.row(name, meaning, width=22)
        screen.aside(say("naming_notes"))
        screen.line(say("help_memory"), style="bold")
        for mode in ("paused", "off"):
            screen.row(f"--memory {mode}", say(f"memory_{mode}"), width=22)

    def _quit(self, _: str) -> None:
        self._talk.leaving = True
