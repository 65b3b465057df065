"""The schemas of the tools that a model sees."""

from __future__ import annotations

import json

from benchmarks.prompt import tools
from nodes.capture import vocabulary


def test_closed_lists_of_a_note_are_enums() -> None:
    sent, services = tools()
    fields = next(tool["function"] for tool in sent if tool["function"]["name"] == "save_memory_note")
    asked = fields["parameters"]["properties"]
    claim = asked["claims"]["items"]["properties"]
    words = vocabulary(services.gate.schema)
    assert asked["topic"]["enum"] == list(words.topics)
    assert asked["scope"]["enum"] == list(words.scopes)
    assert claim["attribute"]["enum"] == list(words.attributes)
    assert claim["stance"]["enum"] == list(words.stances)


def test_all_tools_together_stay_under_2600_tokens_of_four_characters() -> None:
    sent, _ = tools()
    assert sum(len(json.dumps(tool, ensure_ascii=False, separators=(",", ":"))) for tool in sent) < 2600 * 4
