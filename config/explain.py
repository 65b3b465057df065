"""Explain what is wrong with settings, without repeating a secret."""

import os
from collections.abc import Collection, Iterable
from difflib import get_close_matches

from dotenv import dotenv_values
from pydantic import ValidationError
from pydantic_settings import BaseSettings

from config.errors import SettingsError
from config.redact import HIDDEN

_SECRET = ("key", "store_url")


def did_you_mean(name: str, known: Iterable[str], *, prefix: str = "") -> str:
    """Return the sentence that suggests the known name nearest to `name`; empty where none is near.

    Names are compared without `prefix`, which would make any two of them look alike.
    """
    names = {one.removeprefix(prefix): one for one in known}
    near = get_close_matches(name.removeprefix(prefix), names, n=1)
    return f" Did you mean {names[near[0]]}?" if near else ""


def explain(error: ValidationError) -> str:
    """Return one sentence with each wrong setting, its value unless it is secret, and what is allowed."""
    lines = []
    for fault in error.errors():
        if not fault["loc"]:
            lines.append(str(fault["msg"]).removeprefix("Value error, "))
            continue
        field = str(fault["loc"][0])
        name = field if field.startswith("OPENAI_") else f"CONCIERGE_{field.upper()}"
        # What is no URL can't be redacted as one.
        is_secret = field.lower().endswith(_SECRET) or "@" in str(fault["input"])
        shown = HIDDEN if is_secret else repr(fault["input"])
        told = str(fault["msg"]).removeprefix("Value error, ").replace("items after validation", "characters")
        lines.append(f"{name} is {shown}: {told}")
    return "Wrong settings. " + "; ".join(lines) + "."


def check_names(model: type[BaseSettings], overrides: Iterable[str], *, prefix: str, besides: Collection[str]) -> None:
    """Refuse variables and arguments that look like settings and are none: a mistyped one would do nothing.

    Args:
        model: The settings.
        overrides: Names of arguments.
        prefix: What a variable of ours begins with.
        besides: Variables with the prefix that are no settings.

    Raises:
        SettingsError: naming each, and the nearest name that exists.
    """
    fields = model.model_fields
    variables = [str(field.validation_alias or prefix + name.upper()) for name, field in fields.items()]
    file = str(model.model_config.get("env_file"))
    given = [name.upper() for name in (*os.environ, *dotenv_values(file)) if name.upper().startswith(prefix)]
    unknown = [name for name in dict.fromkeys(given) if name not in (*variables, *besides)]
    told = [(name, did_you_mean(name, variables, prefix=prefix)) for name in unknown]
    told += [
        (name, did_you_mean(name, fields)) for name in overrides if name not in (*fields, *variables) and name[0] != "_"
    ]
    if told:
        raise SettingsError(" ".join(f"There is no setting {name}.{suggestion}" for name, suggestion in told))
