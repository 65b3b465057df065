"""Reads the memory schema from a TOML file: what may be remembered in a domain."""

import re
import tomllib
from collections.abc import Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, StrictBool, ValidationError, model_validator

from config.errors import SettingsError
from memory.records.profile import FIELDS_OF_CLAIMS
from text.words import fold

TRAVEL = Path(__file__).with_name("travel_schema.toml")
"""The default schema."""

_LONGEST_NAME = 40
"""The most characters in the name of a topic or attribute; a note has room for no more."""
_OFFER = re.compile(r"(flight|hotel|car|activity):\S.*")
_MESSAGES = {
    "tuple_type": "a list is wanted, as in ['clay']",
    "model_type": "a table is wanted, as in { name = 'plant' }",
}
"""What is wrong with a value of the wrong kind, in the words of TOML."""
_SMALL = 3000
"""The most characters of a full outline that is short enough for every prompt, about 750 tokens."""
_SHORT_LIST = 7
"""The longest list of values that a brief outline spells out."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Condition(_Part):
    """A key of `when`: a closed list of `values`, or free text that `name` describes."""

    values: tuple[str, ...] = ()
    name: str = ""


class Attribute(_Part):
    """One thing a note can claim: exactly one of `values`, a `number` (its unit) and a free `name` (what it names)."""

    values: tuple[str, ...] = ()
    number: str = ""
    name: str = ""
    many: StrictBool = False
    hard: StrictBool = False
    described: StrictBool = False
    profile: str = ""
    offer: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _check_values(self) -> Self:
        if sum(map(bool, (self.values, self.number, self.name))) != 1:
            raise ValueError("give exactly one of values, number and name")
        plain = [fold(value.strip()) for value in self.values]
        if repeated := next((value for at, value in enumerate(plain) if value in plain[:at]), None):
            raise ValueError(f"the value {repeated} is listed twice, apart from case; list each value once")
        return self

    @model_validator(mode="after")
    def _check_targets(self) -> Self:
        if self.profile and self.profile not in FIELDS_OF_CLAIMS:
            names = ", ".join(FIELDS_OF_CLAIMS)
            raise ValueError(f"there is no profile field {self.profile} that a claim can fill; there are {names}")
        if wrong := next((code for code in self.offer if not _OFFER.fullmatch(code)), None):
            raise ValueError(
                f"{wrong} is no part of an offer; write flight, hotel, car or activity, as in flight:side:*"
            )
        return self


class Topic(_Part):
    """A topic: a line that tells a model what belongs there, questions that bring it up, and its attributes.

    A note without claims is a constraint if its topic is `hard`.
    """

    about: str = Field(min_length=1, max_length=500)
    ask: tuple[str, ...] = ()
    hard: StrictBool = False
    attributes: Mapping[str, Attribute] = Field(default_factory=dict)


class Schema(_Part):
    """What may be remembered: topics with their attributes, and the keys of the conditions that notes can have."""

    name: str = Field(min_length=1)
    when: Mapping[str, Condition] = Field(default_factory=dict)
    topics: Mapping[str, Topic] = Field(min_length=1)

    __hash__ = object.__hash__
    __eq__ = object.__eq__

    @model_validator(mode="after")
    def _names_each_attribute_once(self) -> Self:
        names = [name for topic, it in self.topics.items() for name in (topic, *it.attributes)]
        if long := next((name for name in names if len(name) > _LONGEST_NAME), None):
            raise ValueError(f"the name {long} has {len(long)} characters, and {_LONGEST_NAME} are allowed")
        first: dict[str, str] = {}
        for name, topic in self.topics.items():
            if repeated := next((key for key in topic.attributes if key in first), None):
                raise ValueError(f"attribute {repeated} is listed under {first[repeated]} and {name}; list it once")
            first |= dict.fromkeys(topic.attributes, name)
        plain: dict[str, str] = {}
        for name in self.topics:
            if (other := plain.setdefault(fold(name), name)) != name:
                raise ValueError(f"topics {other} and {name} differ only in case; rename one")
        if "other" not in self.topics:
            raise ValueError("a topic `other` is needed for what fits nowhere else")
        return self

    @cached_property
    def attributes(self) -> dict[str, Attribute]:
        """Return every attribute by name, in the order of the file."""
        return {name: attribute for topic in self.topics.values() for name, attribute in topic.attributes.items()}

    def outline(self, *, brief: bool = False) -> str:
        """Return one line per topic for a model: its description, then its attributes with the values they take.

        A `brief` outline of a large schema leaves out descriptions, what names and numbers mean, and long lists of
        values; code checks those values anyway.
        """
        full = "\n".join(_line(name, topic, brief=False) for name, topic in self.topics.items())
        if not brief or len(full) <= _SMALL:
            return full
        return "\n".join(_line(name, topic, brief=True) for name, topic in self.topics.items())


def _line(name: str, topic: Topic, *, brief: bool) -> str:
    attributes = topic.attributes.items()
    if brief:
        return f"{name}: {', '.join(key + _brief_values(attribute) for key, attribute in attributes)}"
    described = (f"{key} {'|'.join(it.values) or f'({it.number or it.name})'}" for key, it in attributes)
    return f"- {name}: {topic.about} {'; '.join(described)}".rstrip()


def _brief_values(attribute: Attribute) -> str:
    if attribute.values:
        return f"={'|'.join(attribute.values)}" if len(attribute.values) <= _SHORT_LIST else ""
    return "=N" if attribute.number else ""


@cache
def load_schema(path: Path = TRAVEL) -> Schema:
    """Read a schema file.

    Raises:
        SettingsError: the file is missing or malformed; the message names the line and the fields allowed there.
    """
    try:
        text = path.read_text(encoding="utf-8")
        return Schema.model_validate(tomllib.loads(text))
    except OSError as error:
        raise SettingsError(f"The memory schema {path} can't be read: {error.strerror}.") from None
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"The memory schema {path} is not TOML: {error}.") from None
    except ValidationError as error:
        first = error.errors()[0]
        where = [str(part) for part in first["loc"]]
        present = where[:-1] if first["type"] == "missing" else where
        place = f"line {_line_of(text, present)}: " if present else ""
        raise SettingsError(f"The memory schema {path} has a fault, {place}{_fault(first, where)}") from None


def _fault(first: Any, where: list[str]) -> str:
    message = _MESSAGES.get(first["type"]) or str(first["msg"]).removeprefix("Value error, ")
    hint = f" Allowed here: {', '.join(_part(where).model_fields)}." if first["type"] == "extra_forbidden" else ""
    return f"{'.'.join(where)}: {message}.{hint}" if where else f"{message}."


def _part(where: list[str]) -> type[_Part]:
    if "attributes" in where[:-1]:
        return Attribute
    if where[0] == "topics":
        return Topic
    return Condition if where[0] == "when" and len(where) > 1 else Schema


def _line_of(text: str, where: list[str]) -> int:
    """Return the line number of the field at the path `where`: each part is searched from the line of its parent."""
    lines = text.splitlines()
    at = 0
    for part in where:
        pattern = re.compile(rf"(^|[\s.\[{{,\"'])({re.escape(part)})([\s.\]=\"']|$)")
        matches = (
            n for n in range(at, len(lines)) if pattern.search(lines[n]) and not lines[n].lstrip().startswith("#")
        )
        at = next(matches, at)
    return at + 1
