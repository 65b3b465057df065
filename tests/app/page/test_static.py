"""The static files: complete texts in both languages, and no way to turn text into markup."""

from __future__ import annotations

import json
import re
from pathlib import Path

import app.page
from memory.schema import TRAVEL, load_schema

STATIC = Path(str(app.page.__file__)).with_name("static")
SCRIPTS = {path: path.read_text(encoding="utf8") for path in STATIC.rglob("*.js")}


def words(language: str) -> dict[str, str]:
    table: dict[str, str] = json.loads((STATIC / "words" / f"{language}.json").read_text(encoding="utf8"))
    return table


def test_both_languages_have_the_same_texts_with_the_same_values() -> None:
    def gaps(text: str) -> set[str]:
        return set(re.findall(r"\{\w+\}", text))

    english, japanese = words("en"), words("ja")
    assert english.keys() == japanese.keys()
    assert [key for key in english if gaps(english[key]) != gaps(japanese[key])] == []
    assert [key for table in (english, japanese) for key, text in table.items() if not text.strip()] == []


def test_field_that_an_import_leaves_out_is_explained() -> None:
    assert "field" in words("en")["blocked.no_field"]


def test_files_that_the_page_loads_exist() -> None:
    loaded = re.findall(r'(?:href|src)="/app/static/([^"#]+)', (STATIC / "index.html").read_text(encoding="utf8"))
    imported = [path.parent / name for path, text in SCRIPTS.items() for name in re.findall(r'from "(\.[^"]+)"', text)]
    assert len(loaded) > 5
    assert len(imported) > 50
    assert [file for file in (*(STATIC / name for name in loaded), *imported) if not file.is_file()] == []
    styles = {path.relative_to(STATIC).as_posix() for path in STATIC.glob("styles/*.css")}
    assert styles <= set(loaded)


def test_texts_used_in_scripts_exist() -> None:
    table, source = words("en"), "\n".join([*SCRIPTS.values(), (STATIC / "index.html").read_text(encoding="utf8")])
    used = set(re.findall(r"""\bt\(\s*"([\w.]+)\"""", source)) | set(re.findall(r'data-t(?:-\w+)?="([\w.]+)"', source))
    used |= {f"{key}_{form}" for key in re.findall(r'\bcounted\("(\w+)"', source) for form in ("one", "many")}
    assert len(used) > 100
    assert sorted(used - table.keys()) == []


def test_every_topic_attribute_and_value_of_the_schema_has_a_text() -> None:
    table, schema = words("ja"), load_schema(TRAVEL)
    attributes = {name: one for topic in schema.topics.values() for name, one in topic.attributes.items()}
    needed = {f"topic.{name}" for name in schema.topics} | {f"attribute.{name}" for name in attributes}
    values = {value for one in attributes.values() for value in one.values}
    proper = {"Star Alliance", "oneworld", "SkyTeam"}
    needed |= {f"value.{value}" for value in values - proper}
    assert sorted(needed - table.keys()) == []


def test_scripts_create_no_markup_from_text_and_use_no_other_server() -> None:
    dangerous = re.compile(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|srcdoc")
    assert [path.name for path, source in SCRIPTS.items() if dangerous.search(source)] == []
    page = (STATIC / "index.html").read_text(encoding="utf8")
    assert re.findall(r"<script(?![^>]* src=)|<style| style=| on\w+=|https?://", page) == []
    assert [path.name for path, source in SCRIPTS.items() if len(source.splitlines()) > 300] == []
