"""What to say after a memory tool has answered."""

from __future__ import annotations

from typing import Any

from models.offline.dialogue.note_lines import listed, sourced, unsaved
from models.offline.dialogue.transcript import Outcome
from models.offline.dialogue.turn_context import Talk
from models.offline.language import Tongue
from models.offline.languages import tongue_of
from models.offline.travel.offers import TOOLS as TRAVEL

_SECRETS = frozenset(
    [
        "payment_card",
        "iban",
        "passport",
        "national_id",
        "phone",
        "email",
        "password",
        "otp",
        "api_key",
        "birth_date",
        "address",
        "booking_reference",
    ]
)


def recounted(talk: Talk) -> list[str]:
    """Sentences about each tool outcome of the running turn: kept notes together, then the others in order."""
    saved = [each for each in talk.now.outcomes if each.tool == "save_memory_note"]
    others = [each for each in talk.now.outcomes if each.tool != "save_memory_note" and each.tool not in TRAVEL]
    return [*_saved(talk, saved), *(_other(talk, each) for each in others)]


def _saved(talk: Talk, outcomes: list[Outcome]) -> list[str]:
    groups: dict[str, list[str]] = {}
    for each in outcomes:
        status = each.answer.get("status")
        if status in {"kept", "kept_already"}:
            key = (
                "clash_settled"
                if talk.settled
                else "kept_already"
                if status == "kept_already"
                else "kept_trip"
                if each.given.get("scope") == "trip"
                else "kept"
            )
            condition = each.given.get("condition")
            tail = talk.speech.say("condition", condition=condition) if condition else ""
            groups.setdefault(key, []).append(talk.speech.told_back(str(each.given.get("text", ""))) + tail)
    told = [talk.speech.say(key, texts="; ".join(texts)) for key, texts in groups.items()]
    refused = [_refused(talk, each) for each in outcomes if each.answer.get("status") not in {"kept", "kept_already"}]
    return [*told, *dict.fromkeys(refused)]


def _refused(talk: Talk, outcome: Outcome) -> str:
    speech = talk.speech
    if outcome.answer.get("status") != "blocked":
        return _failed(speech, outcome)
    code = str(outcome.answer.get("code", ""))
    if code.startswith("sensitive"):
        return speech.say("blocked_sensitive", what=secret_named(speech, code.partition(":")[2]))
    if code == "consent_denied" and outcome.answer.get("because") == "forgotten":
        return speech.say("blocked_forgotten")
    plain = {
        "instruction": "instruction",
        "paused": "paused",
        "third_party": "third_party",
        "consent_denied": "consent",
        "topic_denied": "topic",
        "scope_denied": "topic",
        "ungrounded": "ungrounded",
    }.get(code)
    return speech.say(f"blocked_{plain}") if plain else speech.say("blocked_other", code=code.replace("_", " "))


def secret_named(speech: Tongue, kind: str) -> str:
    """The plain name of a kind of secret."""
    return speech.say(f"sensitive_{kind}") if kind in _SECRETS else speech.say("sensitive_other")


def _failed(speech: Tongue, outcome: Outcome) -> str:
    return speech.say(
        "tool_error",
        message=str(outcome.answer.get("message") or outcome.answer.get("error") or outcome.answer.get("status")),
    )


def _other(talk: Talk, outcome: Outcome) -> str:
    if outcome.answer.get("status") == "error":
        return _failed(talk.speech, outcome)
    match outcome.tool:
        case "list_memories" if talk.request.intent == "source":
            return sourced(talk, _items(outcome.answer, "notes"))
        case "remember_conversation":
            return _conversation(talk.speech, outcome)
        case "list_memories":
            return listed(talk, [*_items(outcome.answer, "notes"), *unsaved(talk, _items(outcome.answer, "notes"))])
        case "forget_memory":
            return _forgotten(talk.speech, outcome)
        case "recall_memory":
            return _recalled(talk, _items(outcome.answer, "results"))
    return _failed(talk.speech, outcome)


def _items(answer: dict[str, Any], key: str) -> list[dict[str, Any]]:
    found = answer.get(key, [])
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def match_named(speech: Tongue, match: dict[str, Any]) -> str:
    """A note as it stands among those that may be meant: its text and when it holds."""
    condition = speech.say("condition", condition=match["condition"]) if match.get("condition") else ""
    return f"{match.get('text', '')}{condition}"


def _forgotten(speech: Tongue, outcome: Outcome) -> str:
    match outcome.answer.get("status"):
        case "forgotten" if "mentions" in outcome.answer:
            return speech.say("forgotten_mentions", count=outcome.answer["mentions"])
        case "mentions":
            return speech.say("forget_mentions", count=outcome.answer.get("count", 0))
        case "forgotten":
            text = str(outcome.answer.get("text") or "")
            return speech.say("forgotten", text=speech.told_back(text)) if text else speech.say("forgotten_plain")
        case "which_one":
            matches = _items(outcome.answer, "matches")
            return speech.say(
                "which_one", lines="\n".join(f"{at}. {match_named(speech, each)}" for at, each in enumerate(matches, 1))
            )
        case "none":
            return speech.say("forget_none")
    return _failed(speech, outcome)


def _conversation(speech: Tongue, outcome: Outcome) -> str:
    """What became of this conversation, as the tool said it."""
    match outcome.answer.get("status"):
        case "remembering":
            return speech.say("conversation_kept")
        case "not_remembering":
            dropped = outcome.answer.get("dropped") or 0
            earlier = outcome.answer.get("kept_from_earlier_sessions") or 0
            told = [speech.say("conversation_private")]
            told += [speech.say("conversation_dropped", count=dropped)] if dropped else []
            told += [speech.say("conversation_earlier", count=earlier)] if earlier else []
            return " ".join(told)
    return _failed(speech, outcome)


def _recalled(talk: Talk, results: list[dict[str, Any]]) -> str:
    say, words = talk.speech.say, talk.speech.content_words(talk.now.said)
    whole = talk.speech.concern(talk.now.said, ()).everything
    trips = [trip for trip in talk.briefing.trips if whole or talk.speech.content_words(trip) & words]
    lines = [_recalled_line(talk.speech, each) for each in results if not _is_courtesy(str(each.get("text", "")))]
    lines += [say("known_trips", value=trip) for trip in trips]
    return say("recalled", lines="\n".join(lines)) if lines else say("recalled_none")


def _is_courtesy(text: str) -> bool:
    """True for thanks, greetings and the like, which answer no question about earlier conversations."""
    speech = tongue_of(text)
    own = {speech.say(key) for key in ("thanks", "accept", "decline", "restart", "unknown", "smalltalk")}
    return text in own or speech.request(text).intent in {"thanks", "greeting", "goodbye", "accept", "decline"}


def _recalled_line(speech: Tongue, found: dict[str, Any]) -> str:
    """One thing found: who said it, its words on one line, and its date."""
    said = {"note": "you", "user": "you", "assistant": "me"}.get(
        str(found.get("speaker") or found.get("kind", "")), "both"
    )
    when = str(found.get("when") or "")
    text = " ".join(str(found.get("text", "")).split())
    return speech.say(f"recalled_{said}", text=text) + (speech.say("recalled_when", when=when) if when else "")
