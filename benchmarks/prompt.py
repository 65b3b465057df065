"""Estimates the tokens of the first call of a conversation, at four characters each: `python -m benchmarks.prompt`."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from typing import Any, get_args

from config.settings import Settings
from graph.builder import build_graph, open_toolbox
from memory.records.notes import Evidence, Note
from memory.records.profile import Profile
from models.calls import tool_schema
from nodes.messages.system_prompt import Memories, render
from nodes.services import Services
from prompts import Language

_PER_TOKEN = 4
_NOW = datetime(2026, 11, 22, tzinfo=UTC)
_TEXTS = (
    "Always wants an aisle seat.", "Travels with carry-on only.", "Allergic to peanuts.", "Prefers nonstop flights.",
    "Wants a quiet room on a high floor.", "Spends up to 150 euros a night.", "Collects Miles & More, Senator.",
    "Likes museums and jazz.", "Needs an automatic car.", "Prefers e-mail to phone calls.",
)  # fmt: skip


def tools() -> tuple[list[dict[str, Any]], Services]:
    """Return the schemas of all tools as they are sent to a model, and the services of the tools."""
    services = build_graph(Settings(model_provider="offline"), clock=lambda: _NOW).services
    return [tool_schema(tool) for tool in open_toolbox(services).tools], services


def main() -> None:
    """Print the tokens of the tools, of the system prompt with ten notes, and of both."""
    schemas, services = tools()
    size = sum(len(json.dumps(tool, ensure_ascii=False, separators=(",", ":"))) for tool in schemas)
    schema = services.gate.schema
    for language in get_args(Language):
        memories = Memories(Profile(home_city="Berlin", currency="EUR"), (), [_note(text) for text in _TEXTS], ())
        words = schema.domain.words(language)
        outline = schema.outline(brief=True)
        prompt = render(memories, today=_NOW.date(), language=language, schema=outline, words=words)
        system = len(prompt["system"])
        print(
            f"{language}: {len(schemas)} tools {size // _PER_TOKEN}, system prompt with ten notes "
            f"{system // _PER_TOKEN}, together {(size + system) // _PER_TOKEN} tokens"
        )


def _note(text: str) -> Note:
    return Note(
        id=f"{len(text):032x}",
        text=text,
        topic="seat",
        evidence=(Evidence(quote=text),),
        created_at=_NOW,
        last_update_date=date(2026, 11, 1),
    )


if __name__ == "__main__":
    main()
