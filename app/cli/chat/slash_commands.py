"""Carries out the slash commands of an interactive conversation."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.chat.memory_commands import MemoryCommands
from app.cli.sessions import show_entry
from app.cli.trips.show import overview, shown_booking, write_overview, write_shown
from app.cli.wording import command_help, counted, say
from config.errors import SetupError
from stores.private_files import write_private

if TYPE_CHECKING:
    from app.cli.chat.conversation import Conversation


class Commands(MemoryCommands):
    """What can be typed with a slash in front, for one conversation."""

    def __init__(self, talk: Conversation) -> None:
        super().__init__(talk)
        self._known: dict[str, Callable[[str], None]] = {
            "/memory": self.memory,
            "/show": self.show,
            "/edit": self.edit,
            "/forget": self.forget,
            "/undo": self.undo,
            "/restore": self.restore,
            "/pause": self.pause,
            "/resume": self.resume,
            "/consent": self.consent,
            "/private": self.private,
            "/trips": self._trips,
            "/decide": self._decide,
            "/history": self._history,
            "/end": self._end,
            "/help": self._help,
            "/quit": self._quit,
            "/exit": self._quit,
        }

    def run(self, line: str) -> None:
        """Carry out one line. Raises RequestError when it can't be."""
        name, _, rest = line.partition(" ")
        command = self._known.get(name.lower())
        if command is None:
            self._talk.screen.aside(say("no_such_command", name=name))
        else:
            command(rest.strip())

    def _history(self, _: str) -> None:
        talk = self._talk
        for entry in talk.wait(talk.concierge.full_history(thread_id=talk.thread_id, user_id=talk.user_id)):
            show_entry(entry, talk.screen)

    def _trips(self, what: str) -> None:
        talk = self._talk
        try:
            if what == "export" or what.startswith("export "):
                self._export(what.removeprefix("export").strip())
            elif what:
                write_shown(talk.screen, talk.wait(shown_booking(talk.concierge, talk.user_id, what)))
            else:
                write_overview(talk.screen, talk.wait(overview(talk.concierge, talk.user_id)))
        except SetupError as error:  # travel may be switched off, and the conversation goes on
            talk.screen.aside(str(error))

    def _export(self, named: str) -> None:
        """What is booked as an .ics file; a name is not asked for."""
        from travel.booking.calendar import calendar

        talk, file = self._talk, Path(named or "trips.ics")
        bookings = talk.wait(talk.concierge.bookings(talk.user_id).all())
        if not bookings:
            talk.screen.aside(say("nothing_for_calendar"))
            return
        write_private(file, calendar(bookings))
        talk.screen.aside(say("exported", file=file.resolve(), what=counted(len(bookings), "booking")))

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
