"""Texts of the command line in the user's language, from `words/<language>.toml`."""

import json
import tomllib
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Literal

from app.logs import configure_logs
from config.settings import Settings, load_settings
from text.words import is_japanese

Language = Literal["en", "ja"]

_language: ContextVar[Language | None] = ContextVar("spoken", default=None)
_is_chosen: ContextVar[bool] = ContextVar("is_chosen", default=False)
"""Whether `--lang` named the language."""


def set_language(language: Language | None) -> None:
    """Set the language of all texts; None changes nothing."""
    if language:
        _language.set(language)


def read_settings() -> Settings:
    """Read the settings and set their language, unless `--lang` has set one. Raises SettingsError."""
    language = _language.get()
    _is_chosen.set(language is not None)
    settings = load_settings(language=language) if language else load_settings()
    configure_logs(settings)
    set_language(settings.language)
    return settings


def follow_language(message: str) -> None:
    """Set the language of all texts to that of a Japanese message, unless `--lang` has named one."""
    if is_japanese(message) and not _is_chosen.get():
        set_language("ja")


def current_language() -> Language:
    """Return the language of the texts."""
    return _language.get() or "en"


def say(name: str, /, **values: object) -> str:
    """Return the text `name`, filled with `values`. Raises KeyError for an unknown name or a missing value."""
    return words(current_language())[name].format(**values)


def counted(count: int, thing: str) -> str:
    """Return a count with its noun, as in `1 note` and `3 notes`; `thing` is the noun's name in the word files."""
    return say(f"{thing}_one" if count == 1 else f"{thing}_many", count=count)


def command_help() -> dict[str, str]:
    """Return the help text of each slash command."""
    return _file(current_language())["commands"]


def topic_name(topic: str) -> str:
    """Return the name of a topic in the current language; the names in the schema are English."""
    return topic if current_language() == "en" else _page_words(current_language()).get(f"topic.{topic}", topic)


def doing(step: str) -> str:
    """Return the progress text of a step: `thinking`, or the name of a tool."""
    name = f"doing_{step}"
    return say(name if name in words(current_language()) else "doing_other")


def words(language: Language) -> dict[str, str]:
    """Return all texts of a language by name."""
    return _file(language)["words"]


@cache
def _page_words(language: str) -> dict[str, str]:
    path = Path(__file__).parents[1] / "page" / "static" / "words" / f"{language}.json"
    texts: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return texts


@cache
def _file(language: str) -> dict[str, dict[str, str]]:
    path = Path(__file__).with_name("words") / f"{language}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))
