"""`python -m memory.schema FILE`: write the schema that ships as Markdown into a document, behind what it explains."""

import sys
from pathlib import Path

from memory.schema.schema import Attribute, Schema, load_schema

_HEADING = "## The schema"


def markdown(schema: Schema) -> str:
    """Render a schema as one table a topic, with the questions that bring the topic up."""
    parts = [f"{_HEADING} `{schema.name}`", "", _conditions(schema)]
    for name, topic in schema.topics.items():
        hard = " A note of this topic that makes no claim is a hard constraint." if topic.hard else ""
        parts += ["", f"### {name}", "", f"{topic.about}{hard} Ask: {' '.join(topic.ask)}", ""]
        parts += ["| attribute | takes | several | hard | profile | offers |", "|---|---|---|---|---|---|"]
        parts += [_row(key, attribute) for key, attribute in topic.attributes.items()]
    return "\n".join(parts) + "\n"


def _conditions(schema: Schema) -> str:
    keys = [f"`{key}` ({', '.join(one.values) or one.name})" for key, one in schema.when.items()]
    return f"Conditions: {'; '.join(keys)}; anything else in free words under `other`."


def _row(key: str, attribute: Attribute) -> str:
    taken = ", ".join(attribute.values) or attribute.number or attribute.name
    offers = ", ".join(f"`{offer}`" for offer in attribute.offer)
    marks = ("yes" if attribute.many else "", "yes" if attribute.hard else "", attribute.profile)
    return f"| `{key}` | {taken} | {' | '.join(marks)} | {offers} |"


def main() -> None:
    """Replace the part of a document that shows the schema."""
    document = Path(sys.argv[1])
    explained = document.read_text(encoding="utf-8").partition(_HEADING)[0]
    document.write_text(explained + markdown(load_schema()), encoding="utf-8")


if __name__ == "__main__":
    main()
