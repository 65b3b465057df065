"""Runs `concierge settings`, which shows every setting and writes `.env.example`, and `concierge graph`."""

from textwrap import wrap
from typing import Annotated, Any, Literal, get_args, get_origin

import typer
from pydantic import SecretStr
from pydantic.fields import FieldInfo

from app.cli.screen import Output, Screen
from app.cli.wording import read_settings, say
from config.redact import HIDDEN, redact
from config.settings import Settings, load_settings

_HEADER = """\
# Copy this file to .env and remove the # from the settings that you change.
# Environment variables take precedence over this file.
"""


def rows(settings: Settings | None = None) -> list[dict[str, str]]:
    """Return every setting as text, with defaults if `settings` is None; `allowed` is empty if any text is allowed."""
    return [
        {
            "name": field.validation_alias if isinstance(field.validation_alias, str) else f"CONCIERGE_{name.upper()}",
            "value": _shown(getattr(settings, name) if settings else field.default),
            "default": _shown(field.default),
            "allowed": _allowed(field),
            "meaning": field.description or "",
        }
        for name, field in Settings.model_fields.items()
    ]


def env_example() -> str:
    """Return a `.env` file in which every setting is explained and commented out."""
    parts = [_HEADER]
    for row in rows():
        meaning = f"{row['meaning']} Allowed: {row['allowed']}." if row["allowed"] else row["meaning"]
        comment = "\n".join(f"# {line}" for line in wrap(meaning, 110))
        parts.append(f"{comment}\n#{row['name']}={row['default']}\n")
    return "\n".join(parts)


def show_settings(env: Annotated[bool, typer.Option("--env", help="Print a commented .env file.")] = False) -> Output:
    """List each setting with its value, its default and its meaning."""
    settings = rows(read_settings())

    def write(screen: Screen) -> None:
        for row in settings:
            changed = row["value"] != row["default"]
            screen.line(f"{row['name']}={row['value']}", style="bold" if changed else "")
            default = say("setting_default", value=row["default"] or say("empty")) if changed else ""
            allowed = say("setting_allowed", value=row["allowed"]) if row["allowed"] else ""
            screen.line(f"    {row['meaning']}{allowed}{default}", style="dim")

    return Output(settings, (lambda _: print(env_example(), end="")) if env else write)


def _shown(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    if isinstance(value, SecretStr):
        return HIDDEN if value.get_secret_value() else ""
    return str(value).lower() if isinstance(value, bool) else redact(str(value))


def _allowed(field: FieldInfo) -> str:
    annotation: Any = field.annotation
    if type(None) in get_args(annotation):
        annotation = get_args(annotation)[0]
    if get_origin(annotation) is Literal:
        return ", ".join(map(str, get_args(annotation)))
    if annotation is bool:
        return "true, false"
    limits = [
        f"{words} {value}"
        for name, words in (("ge", "at least"), ("gt", "more than"), ("le", "at most"), ("lt", "less than"))
        for value in (getattr(limit, name, None) for limit in field.metadata)
        if value is not None
    ]
    return " and ".join(limits)


def drawing() -> str:
    """Return the nodes and edges of the graph as a Mermaid flowchart, ending in a newline."""
    from graph.builder import build_graph

    # Use default settings, so that the drawing does not depend on the environment.
    settings = load_settings(_env_file=None, model_provider="offline")
    drawn = build_graph(settings).get_graph().draw_mermaid(with_styles=False)
    return drawn.strip() + "\n"


def show_graph() -> None:
    """Print the drawing of the graph as Mermaid."""
    print(drawing(), end="")
