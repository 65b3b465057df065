"""What to say after a memory tool has answered."""

from __future__ import annotations

from typing import Any

from models.offline.dialogue.conditions import tail
from models.offline.dialogue.render_notes import render_notes, render_sources, unsaved_notes
from models.offline.dialogue.transcript import Outcome
from models.offline.dialogue.turn_context import TurnContext
from models.offline.language import Language
from models.offline.languages import language_of
from models.offline.travel.offers import TOOLS as TRAVEL

_KEPT = frozenset({"kept", "kept_already"})
_SECRETS = frozenset({
    "payment_card", "iban", "passport", "national_id", "phone", "email", "password", "otp", "api_key", "birth_date",
    "address", "booking_reference",
})  # fmt: skip


def render_memory_outcomes(context: TurnContext) -> list[str]:
    """Sentences about each tool outcome of the running turn: kept notes together, then the others in order."""
    saved = [each for each in context.now.outcomes if each.tool == "save_memory_note"]
    others = [each for each in context.now.outcomes if each.tool != "save_memory_note" and each.tool not in TRAVEL]
    return [*_saved(context, saved), *(_other(context, each) for each in others)]


def _saved(context: TurnContext, outcomes: list[Outcome]) -> list[str]:
    groups: dict[str, list[str]] = {}
    for each in outcomes:
        status = each.answer.get("status")
        if status in _KEPT:
            key = (
                "conflict_settled"
                if context.settled
                else "kept_already"
                if status == "kept_already"
                else "kept_trip"
                if each.given.get("scope") == "trip"
                else "kept"
            )
            text = str(each.answer.get("text") or each.given.get("text", ""))
            condition = ", ".join(item["value"] for item in each.given.get("when") or ())
            groups.setdefault(key, []).append(context.language.restate(text) + tail(context.language, text, condition))
    told = [context.say(key, texts="; ".join(texts)) for key, texts in groups.items()]
    refused = [_refused(context, each) for each in outcomes if each.answer.get("status") not in _KEPT]
    return [*told, *dict.fromkeys(refused)]


def _refused(context: TurnContext, outcome: Outcome) -> str:
    language = context.language
    if outcome.answer.get("status") != "blocked":
        return _failed(language, outcome)
    code = str(outcome.answer.get("code", ""))
    if code.startswith("sensitive"):
        return language.say("blocked_sensitive", what=_sensitive_name(language, code.partition(":")[2]))
    if code == "consent_denied" and outcome.answer.get("because") == "forgotten":
        return language.say("blocked_forgotten")
    plain = {
        "instruction": "instruction",
        "paused": "paused",
        "third_party": "third_party",
        "consent_denied": "consent",
        "topic_denied": "topic",
        "scope_denied": "topic",
        "ungrounded": "ungrounded",
    }.get(code)
    return language.say(f"blocked_{plain}") if plain else language.say("blocked_other", code=code.replace("_", " "))


def _sensitive_name(language: Language, kind: str) -> str:
    """The plain name of a kind of secret."""
    return language.say(f"sensitive_{kind}") if kind in _SECRETS else language.say("sensitive_other")


def _failed(language: Language, outcome: Outcome) -> str:
    return language.say(
        "tool_error",
        message=str(outcome.answer.get("message") or outcome.answer.get("error") or outcome.answer.get("status")),
    )


def _other(context: TurnContext, outcome: Outcome) -> str:
    if outcome.answer.get("status") == "error":
        return _failed(context.language, outcome)
    match outcome.tool:
        case "list_memories" if context.request.intent == "source":
            return render_sources(context, _items(outcome.answer, "notes"))
        case "remember_conversation":
            return _conversation(context.language, outcome)
        case "list_memories":
            return render_notes(
                context, [*_items(outcome.answer, "notes"), *unsaved_notes(context, _items(outcome.answer, "notes"))]
            )
        case "forget_memory":
            return _forgotten(context.language, outcome)
        case "recall_memory":
            return _recalled(context, _items(outcome.answer, "results"))
    return _failed(context.language, outcome)


def _items(answer: dict[str, Any], key: str) -> list[dict[str, Any]]:
    found = answer.get(key, [])
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def match_named(language: Language, match: dict[str, Any]) -> str:
    """A note as it stands among those that may be meant: its text and when it holds."""
    text = str(match.get("text", ""))
    return text + tail(language, text, match.get("condition"))


def _forgotten(language: Language, outcome: Outcome) -> str:
    match outcome.answer.get("status"):
        case "forgotten" if "mentions" in outcome.answer:
            return language.say("forgotten_mentions", count=outcome.answer["mentions"])
        case "mentions":
            return language.say("forget_mentions", count=outcome.answer.get("count", 0))
        case "forgotten":
            text = str(outcome.answer.get("text") or "")
            return language.say("forgotten", text=language.restate(text)) if text else language.say("forgotten_plain")
        case "which_one":
            matches = _items(outcome.answer, "matches")
            return language.say(
                "which_one",
                lines="\n".join(f"{at}. {match_named(language, each)}" for at, each in enumerate(matches, 1)),
            )
        case "none":
            return language.say("forget_none")
    return _failed(language, outcome)


def _conversation(language: Language, outcome: Outcome) -> str:
    """What became of this conversation, as the tool said it."""
    match outcome.answer.get("status"):
        case "remembering":
            return language.say("conversation_kept")
        case "not_remembering":
            dropped = outcome.answer.get("dropped") or 0
            earlier = outcome.answer.get("kept_from_earlier_sessions") or 0
            told = [language.say("conversation_private")]
            told += [language.say("conversation_dropped", count=dropped)] if dropped else []
            told += [language.say("conversation_earlier", count=earlier)] if earlier else []
            return " ".join(told)
    return _failed(language, outcome)


def _recalled(context: TurnContext, results: list[dict[str, Any]]) -> str:
    say, words = context.say, context.language.content_words(context.now.said)
    whole = context.language.concern(context.now.said, ()).everything
    trips = [trip for trip in context.briefing.trips if whole or context.language.content_words(trip) & words]
    lines = [_recalled_line(context.language, each) for each in results if not _is_courtesy(str(each.get("text", "")))]
    lines += [say("known_trips", value=trip) for trip in trips]
    return say("recalled", lines="\n".join(lines)) if lines else say("recalled_none")


def _is_courtesy(text: str) -> bool:
    """True for thanks, greetings and the like, which answer no question about earlier conversations."""
    language = language_of(text)
    own = {language.say(key) for key in ("thanks", "accept", "decline", "restart", "unknown", "smalltalk")}
    return text in own or language.request(text).intent in {"thanks", "greeting", "goodbye", "accept", "decline"}


def _recalled_line(language: Language, found: dict[str, Any]) -> str:
    """One thing found: who said it, its words on one line, and its date."""
    said = {"note": "you", "user": "you", "assistant": "me"}.get(
        str(found.get("speaker") or found.get("kind", "")), "both"
    )
    when = str(found.get("when") or "")
    text = " ".join(str(found.get("text", "")).split())
    return language.say(f"recalled_{said}", text=text) + (language.say("recalled_when", when=when) if when else "")
