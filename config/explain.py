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
    """Return a sentence that suggests the most similar of the `known` names; empty if none is similar.

    Names are compared without `prefix`, which would make all of them similar.
    """
    names = {each.removeprefix(prefix): each for each in known}
    similar = get_close_matches(name.removeprefix(prefix), names, n=1)
    return f" Did you mean {names[similar[0]]}?" if similar else ""


def explain(error: ValidationError) -> str:
    """Return a message with each wrong setting, its value unless it is secret, and what is allowed."""
    lines = []
    for detail in error.errors():
        if not detail["loc"]:
            lines.append(str(detail["msg"]).removeprefix("Value error, "))
            continue
        field = str(detail["loc"][0])
        name = field if field.startswith("OPENAI_") else f"CONCIERGE_{field.upper()}"
        # A value with "@" may be a malformed URL with a password, which `redact` would not recognise.
        is_secret = field.lower().endswith(_SECRET) or "@" in str(detail["input"])
        shown = HIDDEN if is_secret else repr(detail["input"])
        problem = str(detail["msg"]).removeprefix("Value error, ").replace("items after validation", "characters")
        lines.append(f"{name} is {shown}: {problem}")
    return "Wrong settings. " + "; ".join(lines) + "."


def check_names(model: type[BaseSettings], overrides: Iterable[str], *, prefix: str, ignored: Collection[str]) -> None:
    """Reject environment variables and arguments that name no setting, since a mistyped one would have no effect.

    Args:
        model: The settings class.
        overrides: Names of arguments.
        prefix: Prefix of our environment variables.
        ignored: Variables with the prefix that are not settings.

    Raises:
        SettingsError: for unknown names; the message suggests similar ones.
    """
    fields = model.model_fields
    variables = [str(field.validation_alias or prefix + name.upper()) for name, field in fields.items()]
    file = str(model.model_config.get("env_file"))
    try:
        named = dotenv_values(file)
    except (OSError, ValueError) as error:
        raise SettingsError(
            f"The file {file} can't be read: {error}. Save it as UTF-8 text, or move it away."
        ) from None
    present = [name.upper() for name in (*os.environ, *named) if name.upper().startswith(prefix)]
    wrong = [name for name in dict.fromkeys(present) if name not in (*variables, *ignored)]
    unknown = [(name, did_you_mean(name, variables, prefix=prefix)) for name in wrong]
    unknown += [
        (name, did_you_mean(name, fields)) for name in overrides if name not in (*fields, *variables) and name[0] != "_"
    ]
    if unknown:
        raise SettingsError(" ".join(f"There is no setting {name}.{suggestion}" for name, suggestion in unknown))
