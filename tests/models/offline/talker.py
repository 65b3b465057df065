"""A traveller's side of a conversation with the offline concierge: tools that keep, list, find and forget in a list."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.tools import StructuredTool

from memory.policy import screen
from models.offline import OfflineConcierge
from nodes.tools.memory.tools import save_arguments
from tests.samples import VOCABULARY

SYSTEM = "You are a travel concierge.\n\n<today>2026-11-20 (Friday)</today>"
PROFILE = "\n\n<user_profile>\n---\nname: Ana Sousa\nhome_city: Lisbon\n---\n</user_profile>"


def memories(*lines: str, session: tuple[str, ...] = ()) -> str:
    """A memories block with the given GLOBAL and SESSION lines."""
    parts = [
        *(("GLOBAL (by topic, newest first)", *lines) if lines else ()),
        *(("SESSION (newest first)", *session) if session else ()),
    ]
    return "\n\n<memories>\n" + "\n".join(parts or ["(none)"]) + "\n</memories>"


def _save(**given: Any) -> str:
    """Save a note."""
    return str(given)


def _list(topic: str | None = None) -> str:
    """List notes."""
    return ""


def _forget(query: str, mentions: bool = False) -> str:
    """Forget a note."""
    return f"{query}{mentions}"


def _remember(remember: bool, words: str = "") -> str:
    """Learn from this conversation, or not these words of it."""
    return f"{remember}{words}"


def _recall(query: str, limit: int) -> str:
    """Search notes."""
    return f"{query}{limit}"


TOOLS = [
    StructuredTool.from_function(_save, name="save_memory_note", args_schema=save_arguments(VOCABULARY)),
    StructuredTool.from_function(_list, name="list_memories"),
    StructuredTool.from_function(_forget, name="forget_memory"),
    StructuredTool.from_function(_recall, name="recall_memory"),
    StructuredTool.from_function(_remember, name="remember_conversation"),
]


@dataclass
class Talker:
    """One conversation; `answers` overrides what a tool answers, by its name."""

    system: str = SYSTEM
    tools: bool = True
    answers: dict[str, dict[str, Any]] = field(default_factory=dict)
    messages: list[AnyMessage] = field(default_factory=list)
    calls: list[dict[str, Any]] = field(default_factory=list)

    def say(self, text: str) -> str:
        """Send `text`; tool calls are answered until a reply comes. `calls` then holds those of this turn."""
        model = OfflineConcierge().bind_tools(TOOLS) if self.tools else OfflineConcierge()
        self.messages.append(HumanMessage(text, id=f"human-{len(self.messages)}"))
        self.calls = []
        while True:
            answer = model.invoke([SystemMessage(self.system), *self.messages])
            assert isinstance(answer, AIMessage)
            self.messages.append(answer)
            if not answer.tool_calls:
                return str(answer.text)
            for call in answer.tool_calls:
                self.calls.append({"name": call["name"], **call["args"]})
                self.messages.append(
                    ToolMessage(
                        json.dumps(self._answer(call["name"], call["args"])),
                        tool_call_id=call["id"] or "",
                        name=call["name"],
                    )
                )

    def _answer(self, name: str, given: dict[str, Any]) -> dict[str, Any]:
        code = screen(f"{given.get('text', '')}\n{given.get('quote', '')}")
        kept = {"status": "kept", "id": "n1", "text": given.get("text")}
        learning = "remembering" if given.get("remember") else "not_remembering"
        usual: dict[str, dict[str, Any]] = {
            "save_memory_note": {"status": "blocked", "code": code} if code else kept,
            "list_memories": {"notes": []},
            "forget_memory": {"status": "forgotten", "text": given.get("query")},
            "recall_memory": {"results": []},
            "remember_conversation": {"status": "withheld" if given.get("words") else learning},
        }
        return self.answers.get(name, usual[name])

    @property
    def saved(self) -> list[dict[str, Any]]:
        """What was saved in the latest turn: proposed, and passed by the policy."""
        proposed = [call for call in self.calls if call["name"] == "save_memory_note"]
        return [call for call in proposed if not screen(f"{call['text']}\n{call['quote']}")]
