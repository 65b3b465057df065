"""Carries out the slash commands of an interactive conversation."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.chat.memory_commands import MemoryCommands
from app.cli.files import write_private
from app.cli.screen import counted
from app.cli.sessions import show_entry
from app.cli.trips.show import overview, shown_booking
from app.cli.trips.tickets import write_overview, write_shown
from config.errors import SetupError

if TYPE_CHECKING:
    from app.cli.chat.conversation import Conversation

_HELP = {
    "/memory": "what is remembered, and what was noted in this conversation",
    "/show <note>": "where a note came from, when it was used, until when it holds",
    "/edit <note> = <text>": "change what a note says",
    "/forget <note>": "forget a note for good, every copy of it",
    "/undo": "take back the latest change; what was forgotten stays so",
    "/restore <note>": "put a note back in use that is no longer",
    "/pause": "learn nothing from any conversation until /resume",
    "/resume": "learn again",
    "/consent": "what may be remembered; /consent deny meal, /consent allow meal",
    "/trips": "what is booked; /trips <booking> shows one whole, /trips export writes a calendar file",
    "/decide": "decide on what waits for your approval",
    "/private": "learn nothing from this conversation; /private off learns again",
    "/history": "everything said in this conversation",
    "/end": "end the session now: what it learnt becomes long-term memory",
    "/quit": "end the session and leave (Ctrl-D does the same)",
}
_NAMING = "a <note> is its number in the last list, its id, or words that occur in it"


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
            self._talk.screen.aside(f"there is no command {name}; /help lists them")
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
                found = talk.wait(overview(talk.concierge, talk.user_id))
                write_overview(talk.screen, found.bookings, found.trips, found.now)
        except SetupError as error:  # travel may be switched off, and the conversation goes on
            talk.screen.aside(str(error))

    def _export(self, named: str) -> None:
        """What is booked as an .ics file; a name is not asked for."""
        from travel.booking.calendar import calendar

        talk, file = self._talk, Path(named or "trips.ics")
        bookings = talk.wait(talk.concierge.bookings(talk.user_id).all())
        if not bookings:
            talk.screen.aside("nothing is booked, so there is no calendar to write")
            return
        write_private(file, calendar(bookings))
        talk.screen.aside(f"exported to {file.resolve()}: {counted(len(bookings), 'booking')}")

    def _decide(self, _: str) -> None:
        if not self._talk.decide_what_waits():
            self._talk.screen.aside("nothing waits for your decision")

    def _end(self, _: str) -> None:
        ended = self._talk.end()
        if ended:
            self._talk.screen.ended(ended)
        else:
            self._talk.screen.aside("nothing was said since the last session ended")

    def _help(self, _: str) -> None:
        for name, meaning in _HELP.items():
            self._talk.screen.line(f"  {name:<22} {meaning}")
        self._talk.screen.aside(_NAMING)

    def _quit(self, _: str) -> None:
        self._talk.leaving = True
