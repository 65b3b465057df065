"""The memory schema: an invalid file is rejected with its line and the allowed values; a valid one defines the rest."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest
from pydantic import ValidationError

from config.errors import SettingsError
from memory.records.profile import Profile
from memory.schema import TRAVEL, Attribute, Schema, load_schema
from models.schemas import Remark
from prompts import Language
from tests.memory.schema.gardener import GARDENER

TRAVEL_WORDS = re.compile("travel|trip|hotel|flight|旅|ホテル|便")
HEAD = 'name = "x"\n[topics.other]\nabout = "Anything."\n'


def _fault(folder: Path, text: str) -> str:
    path = folder / "schema.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SettingsError) as caught:
        load_schema(path)
    assert str(path) in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("name = x", ["not TOML", "line 1"]),
        (HEAD + "[topics.other.attributes]\nsoil = { value = ['clay'] }\n", ["line 5", "soil", "values", "number"]),
        (HEAD + "[topics.other.attributes]\nsoil = { values = ['clay'], name = 'soil' }\n", ["line 5", "exactly one"]),
        (HEAD + "[topics.other.attributes]\nsoil = { many = true }\n", ["line 5", "exactly one"]),
        (HEAD + "[topics.other.attributes]\nsoil = { values = ['clay', 'clay'] }\n", ["line 5", "clay is listed"]),
        (HEAD + "[topics.other.attributes]\nsoil = { values = 'clay' }\n", ["line 5", "values", "['clay']"]),
        (HEAD + "[topics.other.attributes]\nsoil = { values = ['Clay', 'clay '] }\n", ["line 5", "clay", "is listed"]),
        (
            HEAD + "[topics.other.attributes]\nph = { number = 'pH', profile = 'ph' }\n",
            ["line 5", "no profile field ph", "home_city"],
        ),
        (
            HEAD + "[topics.other.attributes]\nid = { name = 'id', profile = 'loyalty_ids' }\n",
            ["line 5", "no profile field loyalty_ids"],
        ),
        (
            HEAD + "[topics.other.attributes]\nsoil = { name = 'soil', offer = ['bogus:code'] }\n",
            ["line 5", "bogus:code", "flight, hotel, car or activity"],
        ),
        (HEAD + "[topics.other.attributes]\nsoil = { name = 'soil', offer = ['flight'] }\n", ["line 5", "flight:"]),
        (HEAD + "[topics.other.attributes]\nsoil = 'clay'\n", ["line 5", "soil", "a table"]),
        (HEAD + f"[topics.other.attributes]\n{'x' * 41} = {{ name = 'x' }}\n", ["xxx", "40 are allowed"]),
        (HEAD + "[topics.Beds]\nabout = 'x'\n[topics.beds]\nabout = 'y'\n", ["Beds and beds"]),
        (HEAD + "colour = 'red'\n", ["line 4", "colour", "about", "attributes"]),
        (HEAD + "[topics.pests]\nask = ['Slugs?']\n", ["line 4", "about"]),
        ('name = "x"\n[topics.pests]\nabout = "Slugs."\n', ["`other` is needed"]),
        ('name = "x"\n', ["topics"]),
        (HEAD.replace('name = "x"', 'name = ""'), ["name"]),
        (HEAD + "hard = 'yes'\n", ["line 4", "hard", "boolean"]),
        (HEAD + "[topics.other.attributes]\nsoil = { name = 'soil', many = 1 }\n", ["line 5", "many", "boolean"]),
        (HEAD.replace("Anything.", "x" * 501), ["line 3", "about", "500 characters"]),
        ('profile = ["goal"]\n' + HEAD, ["line 1", "profile", "no attribute says profile = 'goal'", "home_city"]),
        (HEAD + "[topics.other.attributes]\nid = { name = 'id', profile = 'json' }\n", ["json can't be the name"]),
        (HEAD + "[topics.other.attributes]\nid = { name = 'id', profile = 'topics' }\n", ["topics can't be the name"]),
        (HEAD + "[summary]\nplan = { about = 'What is planned.', en = 'Plan' }\n", ["line 5", "plan.ja", "required"]),
        (
            HEAD + "[summary]\nplan = { about = 'x', en = 'x', ja = 'x', fr = 'x' }\n",
            ["line 5", "plan.fr", "about, en, ja"],
        ),
        (HEAD + "[summary]\n", ["line 4", "summary", "at least 1 item"]),
        (HEAD + "[summary]\ncopy = { about = 'x', en = 'x', ja = 'x' }\n", ["copy can't be the name"]),
        (HEAD + "[domain]\nonce = 'user'\n", ["line 5", "once", "another scope"]),
        (HEAD + "[domain]\nspeaker = 'gym user'\n", ["line 5", "speaker", "match pattern"]),
        (HEAD + "[domain]\nfr = {}\n", ["line 5", "fr", "speaker, once, en, ja"]),
        (HEAD + "[domain.en]\nusr = 'athlete'\n", ["line 5", "domain.en.usr", "there are role, work, assistant, user"]),
        (HEAD + "[domain.en]\nuser = 1\n", ["line 5", "domain.en.user", "string"]),
        (HEAD + "[domain.en]\nexamples = '--- user'\n", ["line 5", "examples", "--- assistant"]),
        *(
            (HEAD + f"[domain]\nspeaker = '{word}'\n", ["line 5", "speaker", f"{word} has another meaning"])
            for word in (*get_args(Remark.model_fields["kind"].annotation), "asked")
        ),
        (
            HEAD + '[domain.en]\nexamples = "--- user\\n{speaker} {word}\\n--- assistant\\nx"\n',
            ["line 5", "domain.en.examples", "nothing fills {word}", "{speaker} and {once}"],
        ),
        (HEAD + "[domain.ja]\ncompanions = '{friend}'\n", ["line 5", "companions", "nothing fills {friend}"]),
        (
            "profile = ['goal']\n" + HEAD + "[topics.other.attributes]\n"
            "a = { name = 'a', profile = 'goal' }\nb = { name = 'b', profile = 'goal' }\n",
            ["line 7", "topics.other.attributes.b", "the attribute a fills goal already"],
        ),
        (
            HEAD + "[topics.other.attributes]\nseat = { values = ['window'], profile = 'seat_preference' }\n",
            ["line 5", "seat_preference", "[domain] and [summary]", "travel_schema.toml"],
        ),
        (HEAD + f"[topics.other.attributes]\na = {{ name = 'a', profile = '{'x' * 41}' }}\n", ["40 letters"]),
        (HEAD + "[whem]\nseason = { name = 'season' }\n", ["line 4", "whem", "name, when, topics"]),
        (HEAD + "[when]\nseason = { nam = 'season' }\n", ["line 5", "nam", "values, name"]),
    ],
)
def test_fault_names_the_line_and_the_allowed_values(tmp_path: Path, text: str, says: list[str]) -> None:
    error = _fault(tmp_path, text)
    assert [word for word in says if word not in error] == [], error


def test_attribute_belongs_to_one_topic(tmp_path: Path) -> None:
    twice = HEAD + "[topics.other.attributes]\nsoil = { name = 'soil' }\n"
    twice += "[topics.beds]\nabout = 'Beds.'\n[topics.beds.attributes]\nsoil = { name = 'soil' }\n"
    error = _fault(tmp_path, twice)
    assert "soil" in error
    assert "other" in error
    assert "beds" in error


def test_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"nowhere\.toml"):
        load_schema(tmp_path / "nowhere.toml")


def test_travel_schema_maps_to_existing_profile_fields() -> None:
    fields = {attribute.profile for attribute in load_schema(TRAVEL).attributes.values() if attribute.profile}
    assert fields
    assert fields <= set(Profile.model_fields)


def test_hard_attributes_are_marked_in_the_travel_schema() -> None:
    schema = load_schema()
    hard = {name for name, attribute in schema.attributes.items() if attribute.hard}
    assert {"allergy", "diet", "mobility", "visa", "passport"} <= hard
    assert not {"seat_side", "hotel_brand", "food"} & hard


def test_another_domain_is_another_file() -> None:
    schema = load_schema(GARDENER)
    assert tuple(schema.topics) == ("beds", "pests", "other")
    assert schema.attributes["poison"].hard
    assert (schema.attributes["soil"].number, schema.attributes["watering"].values) == ("", ())
    assert "poison" in schema.topics["pests"].attributes


def test_outline_names_every_topic_and_attribute() -> None:
    schema = load_schema()
    for brief in (True, False):
        lines = schema.outline(brief=brief).splitlines()
        assert len(lines) == len(schema.topics)
        assert all(name in line for name, line in zip(schema.topics, lines, strict=True))
        assert all(attribute in "\n".join(lines) for attribute in schema.attributes)


def test_schema_without_words_has_those_of_no_domain() -> None:
    travel, garden = load_schema(), load_schema(GARDENER)
    for language in get_args(Language):
        assert travel.domain.words(language).keys() == garden.domain.words(language).keys()
        assert not TRAVEL_WORDS.search(str((garden.domain, garden.summary)))
    partly = Schema.model_validate({**garden.model_dump(), "domain": {"en": {"user": "gardener"}}})
    assert partly.domain.words("en") == {**garden.domain.words("en"), "user": "gardener"}
    assert partly.domain.ja == garden.domain.ja


def test_schemas_in_the_document_are_valid(tmp_path: Path) -> None:
    page = Path(__file__).parents[3] / "docs" / "schema.md"
    blocks = re.findall(r"```toml\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    for number, block in enumerate(blocks):
        (tmp_path / f"{number}.toml").write_text(block, encoding="utf-8")
        assert load_schema(tmp_path / f"{number}.toml").topics
    assert len(blocks) == 2


def test_small_schema_is_described_in_full_in_every_prompt() -> None:
    schema = load_schema(GARDENER)
    assert schema.outline(brief=True) == schema.outline()
    for words in ("Soil, beds and how they are watered.", "watering (litres a day)", "crop (plant)"):
        assert words in schema.outline(brief=True)
    assert len(load_schema().outline(brief=True)) < len(load_schema().outline())


def test_attribute_has_one_type_of_value() -> None:
    assert Attribute(number="litres").number == "litres"
    with pytest.raises(ValidationError):
        Attribute(number="litres", name="what")
