"""The route that describes the signed-in user, the installation, and the schema of notes and profile."""

from collections.abc import Mapping
from typing import Any

from app.json_records import Record
from app.page.routes.routing import RequestContext, route
from memory.records.notes import SCOPES, STANCES

_KINDS = {"string": "text", "boolean": "flag", "array": "list", "object": "map"}


@route("GET", "/me")
async def me(ctx: RequestContext) -> Record:
    """Return the user id, settings of this installation, consent, and the schema of notes and of the profile."""
    settings, schema = ctx.concierge.graph.services.settings, ctx.memory.schema
    described = schema.profile_type.model_json_schema()
    fields = {name: described["properties"][name] for name in schema.profile}
    return {
        "user_id": ctx.user_id,
        "is_offline": settings.is_offline,
        "is_sample": settings.travel == "sample",
        "languages": ["en", "ja"],
        "language": settings.language,
        **(await ctx.memory.consent()).dump(),
        "topics": {
            name: topic.model_dump(include={"about", "hard", "attributes"}) for name, topic in schema.topics.items()
        },
        "scopes": [scope for scope in SCOPES if scope != "workspace"],
        "stances": STANCES,
        "conditions": {name: condition.model_dump() for name, condition in schema.when.items()},
        "profile_fields": _fields(fields, described["$defs"]),
    }


def _fields(properties: Mapping[str, Any], defined: Mapping[str, Any]) -> list[Record]:
    """Return the fields of a JSON schema as descriptions of form fields."""
    return [{"name": name, **_field(_type(schema, defined), defined)} for name, schema in properties.items()]


def _type(schema: Mapping[str, Any], defined: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of a field without `null`, with its reference resolved."""
    value = next((option for option in schema.get("anyOf", ()) if option.get("type") != "null"), schema)
    referenced = defined[value["$ref"].rpartition("/")[2]] if "$ref" in value else {}
    return {**schema, **value, **referenced}


def _field(schema: Mapping[str, Any], defined: Mapping[str, Any]) -> Record:
    hidden = schema.get("model_sees") is False
    if "properties" in schema:
        return {"kind": "group", "fields": _fields(schema["properties"], defined), "hidden": hidden}
    if "enum" in schema:
        return {"kind": "choice", "values": schema["enum"], "hidden": hidden}
    return {"kind": "date" if schema.get("format") == "date" else _KINDS[schema["type"]], "hidden": hidden}
