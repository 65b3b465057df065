"""The slash commands of an interactive conversation."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from app.memory import meant_notes
from app.screen import described
from app.sessions import show_entry
from graph.errors import NotFoundError

if TYPE_CHECKING:
    from app.conversation import Conversation
    from stores.notes import Note

_HELP = {
    "/memory": "what is remembered, and what was noted in this conversation",
    "/forget <words>": "forget a note; or its number in the last list",
    "/pause": "keep reading memory, note nothing",
    "/resume": "note again",
    "/history": "everything said in this conversation",
    "/end": "end the session now: what it learnt becomes long-term memory",
    "/quit": "end the session and leave (Ctrl-D does the same)",
}


class Commands:
    """What can be typed with a slash in front, for one conversation."""

    def __init__(self, talk: Conversation) -> None:
        self._talk = talk
        self._listed: list[Note] = []
        self._known: dict[str, Callable[[str], None]] = {
            "/memory": self._memory,
            "/forget": self._forget,
            "/pause": self._pause,
            "/resume": self._resume,
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

    def _memory(self, _: str) -> None:
        staged, long_term = self._staged(), self._long_term()
        screen = self._talk.screen
        screen.aside("long-term memory:")
        screen.notes(long_term, none="nothing is remembered yet")
        if staged:
            screen.aside("noted in this conversation:")
            screen.notes(staged, none="", first=len(long_term) + 1)
        self._listed = [*long_term, *staged]

    def _forget(self, what: str) -> None:
        staged, long_term = self._staged(), self._long_term()
        if what.isdecimal() and 1 <= int(what) <= len(self._listed):
            meant = [self._listed[int(what) - 1]]
        else:
            meant = meant_notes(what, [*staged, *long_term])
        if len(meant) > 1:
            self._listed = meant
            self._talk.screen.notes(meant, none="")
            self._talk.screen.aside("several notes match; say which one: /forget <number>")
            return
        self._talk.wait(self._talk.concierge.memory(self._talk.user_id).forget_note(meant[0]))
        self._talk.screen.aside(f"forgotten: {described(meant[0])}")
        self._listed = []

    def _pause(self, _: str) -> None:
        self._talk.mode = "paused"
        self._talk.screen.aside("memory is paused: it is read, and nothing is noted")

    def _resume(self, _: str) -> None:
        self._talk.mode = "on"
        self._talk.screen.aside("memory is on")

    def _history(self, _: str) -> None:
        talk = self._talk
        for entry in talk.wait(talk.concierge.full_history(thread_id=talk.thread_id, user_id=talk.user_id)):
            show_entry(entry, talk.screen)

    def _end(self, _: str) -> None:
        ended = self._talk.end()
        if ended:
            self._talk.screen.ended(ended)
        else:
            self._talk.screen.aside("nothing was said since the last session ended")

    def _help(self, _: str) -> None:
        for name, meaning in _HELP.items():
            self._talk.screen.line(f"  {name:<16} {meaning}")

    def _quit(self, _: str) -> None:
        self._talk.leaving = True

    def _staged(self) -> list[Note]:
        talk = self._talk
        try:
            return talk.wait(talk.concierge.staged_notes(user_id=talk.user_id, thread_id=talk.thread_id))
        except NotFoundError:
            return []

    def _long_term(self) -> list[Note]:
        return self._talk.wait(self._talk.concierge.memory(self._talk.user_id).notes())
