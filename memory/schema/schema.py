"""Reads the memory schema from a TOML file: what may be remembered in a domain."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from config.errors import SettingsError

TRAVEL = Path(__file__).with_name("travel.toml")
"""The schema that ships."""

Takes = Literal["values", "number", "name"]
_SHORT_LIST = 7
"""Values that a brief outline names."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Condition(_Part):
    """A key of `when`: a closed list of values, or a free name."""

    values: tuple[str, ...] = ()
    name: str = ""


class Attribute(_Part):
    """One thing that can be claimed, with exactly one of `values`, `number` (its unit) and `name` (what is named)."""

    values: tuple[str, ...] = ()
    number: str = ""
    name: str = ""
    many: bool = False
    hard: bool = False
    described: bool = False
    profile: str = ""
    offer: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _takes_one_kind(self) -> Self:
        if sum(map(bool, (self.values, self.number, self.name))) != 1:
            raise ValueError("give exactly one of values, number and name")
        return self

    @property
    def takes(self) -> Takes:
        """Return the kind of value it takes."""
        return "values" if self.values else "number" if self.number else "name"


class Topic(_Part):
    """A topic: the line that tells a model what belongs there, questions that bring it up, and its attributes.

    A note of a `hard` topic that makes no claim is a constraint.
    """

    about: str = Field(min_length=1)
    ask: tuple[str, ...] = ()
    hard: bool = False
    attributes: Mapping[str, Attribute] = Field(default_factory=dict)


class Schema(_Part):
    """What may be remembered: topics with their attributes, and the keys of the conditions that notes hold under."""

    name: str = Field(min_length=1)
    when: Mapping[str, Condition] = Field(default_factory=dict)
    topics: Mapping[str, Topic] = Field(min_length=1)

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other

    @model_validator(mode="after")
    def _names_each_attribute_once(self) -> Self:
        seen: dict[str, str] = {}
        for topic, name in self._attribute_names():
            if name in seen:
                raise ValueError(f"attribute {name} stands under {seen[name]} and {topic}; name each attribute once")
            seen[name] = topic
        if "other" not in self.topics:
            raise ValueError("a topic `other` is needed for what fits nowhere else")
        return self

    def _attribute_names(self) -> Iterator[tuple[str, str]]:
        return ((topic, name) for topic, held in self.topics.items() for name in held.attributes)

    @cached_property
    def attributes(self) -> dict[str, Attribute]:
        """Return every attribute by name, in the order of the file."""
        return {name: attribute for held in self.topics.values() for name, attribute in held.attributes.items()}

    @cached_property
    def topic_names(self) -> tuple[str, ...]:
        """Return the topics in the order of the file."""
        return tuple(self.topics)

    @cached_property
    def topic_of(self) -> dict[str, str]:
        """Return the topic of each attribute."""
        return {name: topic for topic, name in self._attribute_names()}

    def outline(self, *, brief: bool = False) -> str:
        """Return one line a topic for a model: what belongs there, then its attributes with what they take.

        A `brief` one leaves out what belongs there, and longer lists, whose values code checks all the same.
        """
        return "\n".join(_line(topic, held, brief=brief) for topic, held in self.topics.items())


def _line(name: str, topic: Topic, *, brief: bool) -> str:
    if not brief:
        taken = "; ".join(f"{key} {_taken(attribute)}" for key, attribute in topic.attributes.items())
        return f"- {name}: {topic.about} {taken}".rstrip()
    short = [f"{key}{_briefly(attribute)}" for key, attribute in topic.attributes.items()]
    return f"{name}: {', '.join(short)}"


def _briefly(attribute: Attribute) -> str:
    if attribute.values:
        return f"={'|'.join(attribute.values)}" if len(attribute.values) <= _SHORT_LIST else ""
    return "=N" if attribute.number else ""


def _taken(attribute: Attribute) -> str:
    return "|".join(attribute.values) or f"({attribute.number or attribute.name})"


@cache
def load_schema(path: Path = TRAVEL) -> Schema:
    """Read a schema file.

    Raises:
        SettingsError: the file is missing or malformed; the message names the line and what is allowed there.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise SettingsError(f"The memory schema {path} can't be read: {error.strerror}.") from None
    try:
        return Schema.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"The memory schema {path} is not TOML: {error}.") from None
    except ValidationError as error:
        first = error.errors()[0]
        where = [str(part) for part in first["loc"]]
        named = where[:-1] if first["type"] == "missing" else where
        place = f"line {_line_of(text, named)}: " if named else ""
        raise SettingsError(f"The memory schema {path} has a fault, {place}{_fault(first, where)}") from None


def _fault(first: Any, where: list[str]) -> str:
    message = str(first["msg"]).removeprefix("Value error, ")
    hint = f" Allowed here: {', '.join(_part(where).model_fields)}." if first["type"] == "extra_forbidden" else ""
    return f"{'.'.join(where)}: {message}.{hint}" if where else f"{message}."


def _part(where: list[str]) -> type[_Part]:
    """Return the part of the schema in which the last name of `where` stands."""
    if "attributes" in where[:-1]:
        return Attribute
    if where[0] == "topics":
        return Topic
    return Condition if where[0] == "when" and len(where) > 1 else Schema


def _line_of(text: str, where: list[str]) -> int:
    """Return the number of the line on which the last of the named parts stands that is there, 1 where none is found.

    Each part is looked for from the line of the one before it.
    """
    lines = text.splitlines()
    at = 0
    for part in where:
        pattern = re.compile(rf"(^|[\s.\[{{,\"'])({re.escape(part)})([\s.\]=\"']|$)")
        found = (n for n in range(at, len(lines)) if not lines[n].lstrip().startswith("#") and pattern.search(lines[n]))
        at = next(found, at)
    return at + 1
