"""Masks the input of a run, an answer to an interrupt, and updates of the state."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from langgraph.types import Command

from memory.policy import verdict_key
from memory.policy.redact import Masking

_INTERRUPT_ID = re.compile("[0-9a-f]{32}")


def masked_input(given: Any, question: str = "") -> tuple[Any, bool]:
    """Return `given` masked, and whether a text in it may answer a `question` that was not passed.

    This blocks: the first call reads files, and a long text takes a while.
    """
    verdict_key("")
    masking = Masking(question)
    if isinstance(given, Command):
        return replace(given, resume=_masked_answer(masking, given.resume)), masking.is_open
    return masking.masked(given), masking.is_open


def _masked_answer(masking: Masking, answer: Any) -> Any:
    """Return the answer to an interrupt, or answers by the id of each, masked. A single word may decide an approval."""
    if isinstance(answer, Mapping) and all(map(_INTERRUPT_ID.fullmatch, map(str, answer))):
        return {key: _masked_answer(masking, one) for key, one in answer.items()}
    return masking.masked(answer, said=isinstance(answer, str) and answer not in ("approve", "reject"))
