"""Describes the tables of a schema that say what prompts call things, and which headings a summary has."""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from memory.records.notes import SCOPES
from prompts import Language, placeholders, substituted

ANY_DOMAIN = tomllib.loads(Path(__file__).with_name("any_domain.toml").read_text(encoding="utf-8"))
"""The tables of a schema that does not have them."""
_TAKEN = ("someone_else", "question", "order", "small_talk", "asked")
"""What extraction calls other statements, and the question before one."""
_EXAMPLES = re.compile(r"(--- user\n.+\n--- assistant\n.+(\n|$))+")


class Part(BaseModel):
    """Base of the tables of a schema."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class FaultAtError(ValueError):
    """A fault of the field whose path is `where`; it may be found while another table is checked."""

    def __init__(self, *where: str, message: str) -> None:
        super().__init__(message)
        self.where = where


class Heading(Part):
    """A part of the summary of a long conversation: what belongs there, and its heading in each language."""

    about: str = Field(min_length=1)
    en: str = Field(min_length=1)
    ja: str = Field(min_length=1)


class Domain(Part):
    """What prompts and replies call things, by language; `any_domain.toml` has every word.

    `speaker` is the kind of a statement of the user's, `once` the scope of a note that holds this time only.
    """

    speaker: Annotated[str, StringConstraints(pattern="^[a-z_]+$")]
    once: Annotated[str, StringConstraints(pattern="^[a-z_]+$")]
    en: Mapping[str, str]
    ja: Mapping[str, str]

    @model_validator(mode="after")
    def _check_words(self) -> Self:
        for language, words in (("en", self.en), ("ja", self.ja)):
            if unknown := next((name for name in words if name not in ANY_DOMAIN["domain"][language]), None):
                known = ", ".join(ANY_DOMAIN["domain"][language])
                message = f"there is no such word; there are {known}"
                raise FaultAtError("domain", language, unknown, message=message)
            if not _EXAMPLES.fullmatch(words["examples"]):
                message = "after each line `--- user` or `--- assistant`, in turn, one line with its message is wanted"
                raise FaultAtError("domain", language, "examples", message=message)
            for name, word in words.items():
                filled = {"speaker", "once"} if name == "examples" else set()
                if wrong := sorted(placeholders(word) - filled):
                    message = f"nothing fills {{{wrong[0]}}}; only `examples` can have places: {{speaker}} and {{once}}"
                    raise FaultAtError("domain", language, name, message=message)
        if self.speaker in _TAKEN:
            message = f"{self.speaker} has another meaning in extraction; choose another word"
            raise FaultAtError("domain", "speaker", message=message)
        if self.once in SCOPES[:-1]:
            message = f"{self.once} is the name of another scope; choose another word"
            raise FaultAtError("domain", "once", message=message)
        return self

    def words(self, language: Language) -> dict[str, str]:
        """Return the values of the placeholders of prompts and replies in a language."""
        words, names = getattr(self, language), {"speaker": self.speaker, "once": self.once}
        return {**words, "examples": substituted(words["examples"], names), **names}
