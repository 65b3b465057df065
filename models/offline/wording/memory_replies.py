"""What is said after a memory tool has answered, and of what is known."""

from __future__ import annotations

from typing import Any

from models.offline import notes
from models.offline.dialogue.briefing import Memory
from models.offline.dialogue.conflicts import noted
from models.offline.dialogue.memory import earlier_statements, settled_memories, wish_of
from models.offline.dialogue.relevance import Known, concerns_named
from models.offline.dialogue.transcript import Outcome
from models.offline.dialogue.turn import Dialogue
from models.offline.trips.offers import TOOLS

_KEPT = frozenset({"kept", "kept_already"})
_SECRETS = frozenset({
    "payment_card", "iban", "passport", "national_id", "phone", "email", "password", "otp", "api_key", "birth_date",
    "address", "booking_reference",
})  # fmt: skip
_BLOCKED = {
    "instruction": "instruction", "paused": "paused", "third_party": "third_party", "consent_denied": "consent",
    "topic_denied": "topic", "scope_denied": "topic", "ungrounded": "ungrounded",
}  # fmt: skip
_LABELLED = (
    "name", "home_city", "currency", "passport_country", "passport_expiry", "loyalty_status", "seat_preference",
    "tone", "active_visas", "tight_connections", "insurance", "insurance/car_rental", "insurance/travel_medical",
    "insurance/level",
)  # fmt: skip
_FIELDS = {
    "seat_preference": {"flight"}, "loyalty_status": {"flight", "hotel"}, "tight_connections": {"flight"},
    "insurance": {"insurance", "car"}, "passport_country": {"visa"}, "passport_expiry": {"visa"},
    "active_visas": {"visa"}, "currency": {"money"},
}  # fmt: skip
"""The kinds of requests that a field of the profile matters for."""
_FAMILIES = {
    "flight": ("seat", "cabin", "airline", "layover", "baggage", "booking"),
    "stay": ("hotel", "room", "neighborhood"),
    "food": ("meal",),
    "ground": ("transport", "car", "activity", "pace"),
}
_FEW, _MOST_SOURCED = 3, 5


def memory_told(dialogue: Dialogue) -> list[str]:
    """Return sentences about each memory tool's answer in the running turn: kept notes together, then the others."""
    saved = [each for each in dialogue.now.outcomes if each.tool == "save_memory_note"]
    others = [each for each in dialogue.now.outcomes if each.tool != "save_memory_note" and each.tool not in TOOLS]
    return [*_saved(dialogue, saved), *(_other(dialogue, each) for each in others)]


def _saved(dialogue: Dialogue, outcomes: list[Outcome]) -> list[str]:
    groups: dict[str, list[str]] = {}
    for each in outcomes:
        status = str(each.answer.get("status"))
        if status in _KEPT:
            trip = each.given.get("scope") == "trip" and status == "kept"
            key = "conflict_settled" if settled_memories(dialogue) else "kept_trip" if trip else status
            text = str(each.answer.get("text") or each.given.get("text", "")).rstrip(".。 ")
            groups.setdefault(key, []).append(text)
    told = [dialogue.say(key, texts=dialogue.say("and").join(texts)) for key, texts in groups.items()]
    refused = [_refused(dialogue, each) for each in outcomes if each.answer.get("status") not in _KEPT]
    return [*told, *dict.fromkeys(refused)]


def _refused(dialogue: Dialogue, outcome: Outcome) -> str:
    say, code = dialogue.say, str(outcome.answer.get("code", ""))
    if outcome.answer.get("status") != "blocked":
        return say("failed")
    if code.startswith("sensitive"):
        kind = code.partition(":")[2]
        return say("blocked_sensitive", what=say(f"sensitive_{kind if kind in _SECRETS else 'other'}"))
    if code == "consent_denied" and outcome.answer.get("because") == "forgotten":
        return say("blocked_forgotten")
    plain = _BLOCKED.get(code)
    return say(f"blocked_{plain}") if plain else say("blocked_other", code=code.replace("_", " "))


def _other(dialogue: Dialogue, outcome: Outcome) -> str:
    if outcome.answer.get("status") == "error":
        return dialogue.say("failed")
    match outcome.tool:
        case "list_memories":
            wish, found = wish_of(dialogue), _items(outcome.answer, "notes")
            if wish and wish.kind == "source":
                return sources(dialogue, found)
            return known(dialogue, [*found, *_unsaved(dialogue, found)])
        case "remember_conversation":
            return _conversation(dialogue, outcome)
        case "forget_memory":
            return _forgotten(dialogue, outcome)
        case "recall_memory":
            return _recalled(dialogue, _items(outcome.answer, "results"))
    return dialogue.say("failed")


def _items(answer: dict[str, Any], key: str) -> list[dict[str, Any]]:
    found = answer.get(key, [])
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def _forgotten(dialogue: Dialogue, outcome: Outcome) -> str:
    say, answer = dialogue.say, outcome.answer
    match answer.get("status"):
        case "forgotten" if "mentions" in answer:
            return say("forgotten_mentions", count=answer["mentions"])
        case "mentions":
            return say("forget_mentions", count=answer.get("count", 0))
        case "forgotten":
            text = str(answer.get("text") or "").rstrip(".。 ")
            return say("forgotten", text=text) if text else say("forgotten_plain")
        case "which_one":
            listed = _items(answer, "matches")
            lines = [noted(dialogue.words, str(each.get("text", "")), each.get("condition")) for each in listed]
            return say("which_one", lines="\n".join(f"{at}. {line}" for at, line in enumerate(lines, 1)))
        case "none":
            return say("forget_none")
    return say("failed")


def _conversation(dialogue: Dialogue, outcome: Outcome) -> str:
    """Return what became of this conversation, as the tool said it."""
    say, answer = dialogue.say, outcome.answer
    if answer.get("status") == "remembering":
        return say("conversation_kept")
    dropped, earlier = answer.get("dropped") or 0, answer.get("kept_from_earlier_sessions") or 0
    told = [say("conversation_private")]
    told += [say("conversation_dropped", count=dropped)] if dropped else []
    told += [say("conversation_earlier", count=earlier)] if earlier else []
    return " ".join(told)


def _recalled(dialogue: Dialogue, results: list[dict[str, Any]]) -> str:
    words = notes.content_words(dialogue.now.said)
    trips = [trip for trip in dialogue.briefing.trips if notes.content_words(trip) & words]
    lines = [_recalled_line(dialogue, each) for each in results]
    lines += [dialogue.say("known_trips", value=trip) for trip in trips]
    return dialogue.say("recalled", lines="\n".join(lines)) if lines else dialogue.say("recalled_none")


def _recalled_line(dialogue: Dialogue, found: dict[str, Any]) -> str:
    """Return one thing found: who said it, its words on one line, and its date."""
    speakers = {"note": "you", "user": "you", "assistant": "me"}
    said = speakers.get(str(found.get("speaker") or found.get("kind", "")), "both")
    when, text = str(found.get("when") or ""), " ".join(str(found.get("text", "")).split())
    tail = dialogue.say("recalled_when", when=when) if when else ""
    return dialogue.say(f"recalled_{said}", text=text) + tail


def known(dialogue: Dialogue, found: list[dict[str, Any]]) -> str:
    """Return profile, past trips and notes, one line each; only what was asked for, and an invitation for none."""
    say, wish = dialogue.say, wish_of(dialogue)
    everything = wish is None or not (wish.about or wish.topics or wish.attribute)
    if wish and not everything:
        shown = [Memory("", str(each.get("topic")), str(each.get("text")), "", None, False, False) for each in found]
        about = {each.text for each in notes.listed(shown, wish)}
        found = [each for each in found if each.get("text") in about]
    lines = _profile(dialogue, None if everything else concerns_named(wish.about if wish else ""))
    lines += [say("known_trips", value=trip) for trip in dialogue.briefing.trips if everything]
    lines += [_listed_note(dialogue, note) for note in found]
    if everything:
        return say("known", lines="\n".join(lines)) if lines else say("known_none")
    return say("known_about", lines="\n".join(lines)) if lines else say("known_none_about")


def known_without_tool(dialogue: Dialogue) -> str:
    """Return what is known where no tool lists it: the memories shown, and what was said in this conversation."""
    found: list[dict[str, Any]] = [
        {"text": each.text, "topic": each.topic, "condition": each.condition, "where": "here" if each.session else ""}
        for each in dialogue.briefing.memories
    ]
    said = earlier_statements(dialogue.transcript.before)
    found += [{"text": each.text, "topic": each.topic, "where": "here"} for each in said]
    return known(dialogue, found) if found or dialogue.briefing.profile else dialogue.say("known_off")


def _unsaved(dialogue: Dialogue, listed: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return what this conversation goes by without its being saved."""
    told = {notes.content_words(str(note.get("text", ""))) for note in listed}
    said = earlier_statements(dialogue.transcript.before)
    return [
        {"text": each.text, "topic": each.topic, "where": "unsaved"}
        for each in said
        if notes.content_words(each.text) not in told
    ]


def sources(dialogue: Dialogue, found: list[dict[str, Any]]) -> str:
    """Return where notes come from: those that the question names, else those of the last answer."""
    wish = wish_of(dialogue)
    asked = notes.content_words(wish.about) if wish else frozenset[str]()
    last = notes.content_words(dialogue.transcript.before[-1].reply) if dialogue.transcript.before else frozenset()
    words = [(note, notes.content_words(str(note.get("text", "")))) for note in found]
    most = max((len(own & asked) for _, own in words), default=0)
    chosen = [note for note, own in words if (len(own & asked) == most if most else not asked and own and own <= last)]
    if not chosen:
        return dialogue.say("known_source_none")
    return dialogue.say("known_source", lines="\n".join(_source(dialogue, note) for note in chosen[:_MOST_SOURCED]))


def _source(dialogue: Dialogue, note: dict[str, Any]) -> str:
    known_as = {"text": note.get("text", ""), "date": note.get("date", "")}
    said = str(note.get("said") or "")
    return dialogue.say("source_quoted", said=said, **known_as) if said else dialogue.say("source_unquoted", **known_as)


def _listed_note(dialogue: Dialogue, note: dict[str, Any]) -> str:
    say, text = dialogue.say, str(note.get("text", ""))
    condition = noted(dialogue.words, text, note.get("condition")).removeprefix(text)
    if note.get("where") == "unsaved":
        where = say("known_unsaved")
    elif str(note.get("where", "")) not in {"", "long-term"}:
        where = say("known_trip" if note.get("scope") == "trip" else "known_here")
    else:
        where = say("known_when", date=note["date"]) if note.get("date") else ""
    return say("known_note", text=text, condition=condition, where=where)


def _profile(dialogue: Dialogue, kinds: frozenset[str] | None) -> list[str]:
    """Return one line for each field of the profile that matters for requests of `kinds`; of every field for None."""
    return [
        dialogue.say("known_profile", label=_label(dialogue, name), value=value)
        for name, value in dialogue.briefing.profile.items()
        if kinds is None or kinds & _FIELDS.get(name.partition("/")[0], set())
    ]


def _label(dialogue: Dialogue, name: str) -> str:
    """Return the field's name in words; a loyalty programme keeps the letters it is written in."""
    if name in _LABELLED:
        return dialogue.say(f"profile_{name.replace('/', '_')}")
    parent, _, own = name.rpartition("/")
    return own if parent == "loyalty_status" else own.replace("_", " ").capitalize()


def applied(dialogue: Dialogue, chosen: list[Known]) -> str:
    """Return what notes are taken into account, in words; many by what they are about."""
    say = dialogue.say
    if not chosen:
        return ""
    texts = {each: noted(dialogue.words, each.text.rstrip(".。 "), each.condition) for each in chosen}
    if len(chosen) <= _FEW:
        return say("apply", items=say("and").join(texts.values()))
    groups: dict[str, list[str]] = {}
    for each, text in texts.items():
        family = next((name for name, topics in _FAMILIES.items() if each.topic in topics), "rest")
        groups.setdefault(family, []).append(text)
    names = [name for name in (*_FAMILIES, "rest") if name in groups]
    told = [say("apply_group", name=say(f"group_{name}"), items=say("and").join(groups[name])) for name in names]
    return " ".join((say("apply_many"), *told))
