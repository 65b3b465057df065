"""Reads the memory schema from a TOML file: what may be remembered in a domain."""

import re
import tomllib
from collections.abc import Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Field, StrictBool, StringConstraints, ValidationError, create_model, model_validator

from config.errors import SettingsError
from memory.domain import ANY_DOMAIN, Domain, FaultAtError, Heading, Part
from memory.records.notes import SCOPES, Scope
from memory.records.profile import FIELD_NAME, FIELDS_OF_CLAIMS, EnteredProfile, Profile
from text.words import fold

TRAVEL = Path(__file__).with_name("travel_schema.toml")
"""The default schema."""

_PLAIN = rf"(?!({'|'.join(dir(Profile))})$){FIELD_NAME}"
"""The names that a field of a model can have."""
_LONGEST_NAME = 40
"""The most characters in the name of a topic or attribute; a note has room for no more."""
_HOW_TO_LIST = (
    "List it in `profile` at the top of the file. If the file was made from the travel schema of an earlier release, "
    "copy `profile`, [domain] and [summary] from memory/travel_schema.toml"
)
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


class Condition(Part):
    """A key of `when`: a closed list of `values`, or free text that `name` describes."""

    values: tuple[str, ...] = ()
    name: str = ""


class Attribute(Part):
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
        if wrong := next((code for code in self.offer if not _OFFER.fullmatch(code)), None):
            raise ValueError(
                f"{wrong} is no part of an offer; write flight, hotel, car or activity, as in flight:side:*"
            )
        return self


class Topic(Part):
    """A topic: a line that tells a model what belongs there, questions that bring it up, and its attributes.

    A note without claims is a constraint if its topic is `hard`.
    """

    about: str = Field(min_length=1, max_length=500)
    ask: tuple[str, ...] = ()
    hard: StrictBool = False
    attributes: Mapping[str, Attribute] = Field(default_factory=dict)


class Schema(Part):
    """What may be remembered: topics with their attributes, and the keys of the conditions that notes can have.

    It also has the words of prompts, the headings of a summary, and the names of the fields of the profile.
    """

    name: str = Field(min_length=1)
    when: Mapping[str, Condition] = Field(default_factory=dict)
    topics: Mapping[str, Topic] = Field(min_length=1)
    domain: Domain
    summary: Mapping[str, Heading] = Field(min_length=1)
    profile: tuple[str, ...]

    __hash__ = object.__hash__
    __eq__ = object.__eq__

    @model_validator(mode="before")
    @classmethod
    def _complete(cls, given: Any) -> Any:
        """Add what the schema does not have: tables, and words of its domain."""
        return _laid_over(ANY_DOMAIN, given, ("domain", "en", "ja")) if isinstance(given, Mapping) else given

    @model_validator(mode="after")
    def _check_fields(self) -> Self:
        own = {one.profile for one in self.attributes.values() if one.profile} - Profile.model_fields.keys()
        if taken := next((name for name in (*self.summary, *own) if not re.fullmatch(_PLAIN, name)), None):
            raise ValueError(
                f"{taken} can't be the name of a field or a heading; write another word of at most 40 letters a-z or _"
            )
        if unknown := next((name for name in self.profile if name not in {*Profile.model_fields, *own}), None):
            names = ", ".join(Profile.model_fields)
            message = f"no attribute says profile = '{unknown}', and only {names} are fields without one"
            raise FaultAtError("profile", message=message)
        fields = [name for name in self.profile if name in (*FIELDS_OF_CLAIMS, *own)]
        first: dict[str, str] = {}
        for topic, key, one in self._filling:
            where = ("topics", topic, "attributes", key)
            if one.profile not in fields:
                message = f"there is no profile field {one.profile} that a claim can fill; there are "
                raise FaultAtError(*where, message=f"{message}{', '.join(fields)}. {_HOW_TO_LIST}")
            if first.setdefault(one.profile, key) != key and one.profile in own:
                message = f"the attribute {first[one.profile]} fills {one.profile} already; name another field"
                raise FaultAtError(*where, message=message)
        return self

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

    @property
    def _filling(self) -> list[tuple[str, str, Attribute]]:
        """Return the attributes that fill a field of the profile, each with its topic and name."""
        topics = self.topics.items()
        return [(name, key, one) for name, topic in topics for key, one in topic.attributes.items() if one.profile]

    @cached_property
    def profile_type(self) -> type[Profile]:
        """Return the profile with the fields of this schema's own, each of the type of the attribute that fills it."""
        own: dict[str, Any] = {}
        for _, _, one in self._filling:
            if one.profile not in Profile.model_fields:
                kind: Any = Literal[one.values] if one.values else Annotated[str, StringConstraints(max_length=80)]
                own[one.profile] = (tuple[kind, ...], ()) if one.many else (kind | None, None)
        model = create_model("Profile", __base__=EnteredProfile, **own)
        model.topics = {**Profile.topics, **{one.profile: topic for topic, _, one in self._filling}}
        return model

    def facts(self, profile: Profile) -> Profile:
        """Return the fields that this schema has of a stored profile; values that no longer fit are left out."""
        given = {name: value for name, value in profile.dump().items() if name in self.profile}
        try:
            return self.profile_type.model_validate(given)
        except ValidationError as error:
            wrong = {fault["loc"][0] for fault in error.errors()}
            return self.profile_type.model_validate({name: given[name] for name in given if name not in wrong})

    def with_fields(self, profile: Profile, fields: Mapping[str, Any]) -> Profile:
        """Return a stored profile with `fields` set. Raises ValidationError if one is not of its type."""
        facts = self.profile_type.model_validate(dict(fields)).dump()
        return Profile.of({**profile.dump(), **{name: facts[name] for name in fields}})

    def scope(self, name: str) -> Scope | None:
        """Return the scope that a model, or a record, calls `name`; None if there is none."""
        given = fold(name.strip())
        return "trip" if given == self.domain.once else next((scope for scope in SCOPES if scope == given), None)

    def scope_name(self, scope: Scope) -> str:
        """Return what a model calls a scope."""
        return self.domain.once if scope == "trip" else scope

    def outline(self, *, brief: bool = False) -> str:
        """Return one line per topic for a model: its description, then its attributes with the values they take.

        A `brief` outline of a large schema leaves out descriptions, what names and numbers mean, and long lists of
        values; code checks those values anyway.
        """
        full = "\n".join(_line(name, topic, brief=False) for name, topic in self.topics.items())
        if not brief or len(full) <= _SMALL:
            return full
        return "\n".join(_line(name, topic, brief=True) for name, topic in self.topics.items())


def _laid_over(base: Mapping[str, Any], given: Mapping[str, Any], deep: tuple[str, ...]) -> dict[str, Any]:
    """Return what `given` has, and what only `base` has; tables named in `deep` are completed inside too."""
    inside = {name: _laid_over(base[name], given[name], deep) for name in deep if isinstance(given.get(name), Mapping)}
    return {**base, **given, **inside}


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
        where = [str(part) for part in getattr(first.get("ctx", {}).get("error"), "where", first["loc"])]
        present = where[:-1] if first["type"] == "missing" else where
        place = f"line {_line_of(text, present)}: " if present else ""
        raise SettingsError(f"The memory schema {path} has a fault, {place}{_fault(first, where)}") from None


def _fault(first: Any, where: list[str]) -> str:
    message = _MESSAGES.get(first["type"]) or str(first["msg"]).removeprefix("Value error, ")
    hint = f" Allowed here: {', '.join(_part(where).model_fields)}." if first["type"] == "extra_forbidden" else ""
    return f"{'.'.join(where)}: {message}.{hint}" if where else f"{message}."


def _part(where: list[str]) -> type[Part]:
    if "attributes" in where[:-1]:
        return Attribute
    if where[0] == "topics":
        return Topic
    parts: dict[str, type[Part]] = {"when": Condition, "domain": Domain, "summary": Heading}
    return parts.get(where[0], Schema) if len(where) > 1 else Schema


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
