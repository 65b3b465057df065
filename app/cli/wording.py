"""Says what the command line has to say in the language of who reads it; the words are in `words/<language>.toml`."""

import json
import tomllib
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Literal

from app.logs import configure_logs
from config.settings import Settings, load_settings

Language = Literal["en", "ja"]

_language: ContextVar[Language | None] = ContextVar("spoken", default=None)


def set_language(language: Language | None) -> None:
    """Take this language, from `--lang`, whatever the settings say; None changes nothing."""
    if language:
        _language.set(language)


def read_settings() -> Settings:
    """Read the settings, and speak their language from now on. Raises SettingsError."""
    asked = _language.get()
    settings = load_settings(language=asked) if asked else load_settings()
    configure_logs(settings)
    set_language(settings.language)
    return settings


def current_language() -> Language:
    """Return the language that is spoken."""
    return _language.get() or "en"


def say(name: str, /, **values: object) -> str:
    """Return the words of this name, filled. Raises KeyError for a name that does not exist or a missing value."""
    return words(current_language())[name].format(**values)


def counted(count: int, thing: str) -> str:
    """Return so many things, as in `1 note` and `3 notes`; `thing` names them in the word files."""
    return say(f"{thing}_one" if count == 1 else f"{thing}_many", count=count)


def command_help() -> dict[str, str]:
    """Return each slash command, as it is typed, with its meaning."""
    found: dict[str, str] = _file(current_language())["commands"]
    return found


def topic_name(topic: str) -> str:
    """Return a topic as it is called in the language spoken; the schema's own names are English."""
    return topic if current_language() == "en" else _page_words(current_language()).get(f"topic.{topic}", topic)


def doing(step: str) -> str:
    """Return what is being done in a step: `thinking`, or a tool by its name."""
    name = f"doing_{step}"
    return say(name if name in words(current_language()) else "doing_other")


def words(language: Language) -> dict[str, str]:
    """Return all words of a language by name."""
    found: dict[str, str] = _file(language)["words"]
    return found


@cache
def _page_words(language: str) -> dict[str, str]:
    path = Path(__file__).parents[1] / "page" / "static" / "words" / f"{language}.json"
    found: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return found


@cache
def _file(language: str) -> dict[str, dict[str, str]]:
    path = Path(__file__).with_name("words") / f"{language}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))
