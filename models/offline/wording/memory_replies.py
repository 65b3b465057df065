"""Writes the texts on memory: the outcomes of its tools, the notes that are known, and wishes that were not met."""

from collections.abc import Mapping, Sequence
from typing import Any

from models.offline import notes
from models.offline.dialogue.conflicts import left_open, noted, options_asked
from models.offline.dialogue.forgetting import is_meant
from models.offline.dialogue.memory import memories_kept, settled_memories, wish_of
from models.offline.dialogue.relevance import concerns_named, has_effect
from models.offline.dialogue.transcript import HELD, Memory, Outcome
from models.offline.dialogue.turn import Dialogue
from models.offline.notes.wishes import says_more
from models.offline.trips.offers import TOOLS
from models.offline.trips.wishes import TOPICS
from models.offline.wording.sentences import numbered

_CONTROL_TOOLS = frozenset({"forget_memory", "list_memories", "recall_memory", "remember_conversation"})
_MOST_LISTED, _MOST_SOURCES = 3, 5
Note = Mapping[str, Any]
"""A note as `list_memories` returns it."""


def memory_texts(dialogue: Dialogue) -> list[str]:
    """Return the texts on memory: on each tool's outcome, on wishes that no tool met, and on an undecided conflict."""
    saved = [each for each in dialogue.now.outcomes if each.tool == "save_memory_note"]
    others = [each for each in dialogue.now.outcomes if each.tool != "save_memory_note" and each.tool not in TOOLS]
    texts = [*_saved(dialogue, saved), *(_other(dialogue, each) for each in others)]
    return list(dict.fromkeys([*texts, *_unmet(dialogue), *_left_open(dialogue)]))


def _saved(dialogue: Dialogue, outcomes: Sequence[Outcome]) -> list[str]:
    """Return one sentence for all notes stored with the same status, and each refusal once."""
    groups: dict[str, list[str]] = {}
    for each in outcomes:
        if (key := str(each.answer.get("status"))) in HELD:
            key = "kept_trip" if key == "kept" and each.given.get("scope") == "trip" else key
            key = "conflict_settled" if settled_memories(dialogue) else key
            text = str(each.answer.get("text") or each.given.get("text", ""))
            groups.setdefault(key, []).append(text.rstrip(".。 "))
    refused = [_refused(dialogue, each) for each in outcomes if each.answer.get("status") not in HELD]
    return [*(dialogue.say(key, texts=texts) for key, texts in groups.items()), *dict.fromkeys(refused)]


def _refused(dialogue: Dialogue, outcome: Outcome) -> str:
    code, _, kind = str(outcome.answer.get("code", "")).partition(":")
    if outcome.answer.get("status") != "blocked":
        return dialogue.say("failed")
    if code == "consent_denied" and outcome.answer.get("because") == "forgotten":
        code = "forgotten"
    key = code if dialogue.words.knows(f"blocked.{code}") else "other"
    return dialogue.say(f"blocked.{key}", what=kind, code=code.replace("_", " "))


def _other(dialogue: Dialogue, outcome: Outcome) -> str:
    say, answer, wish = dialogue.say, outcome.answer, wish_of(dialogue)
    status, listed = answer.get("status"), outcome.listed("notes")
    match outcome.tool:
        case _ if status == "error":
            return say("failed")
        case "list_memories":
            if wish and wish.kind == "forget_all":
                lines = [_note_line(dialogue, note) for note in listed]
                return f"{say('forget_some', lines=lines)} {say('ask_forget_all')}" if lines else say("forget_none")
            if wish and wish.kind == "source":
                return _sources(dialogue, listed)
            return _known(dialogue, [*listed, *_unsaved(dialogue, listed)])
        case "remember_conversation":
            if status == "withheld":
                return say("kept_back")
            key, earlier = "kept" if status == "remembering" else "private", answer.get("kept_from_earlier_sessions")
            return say(f"conversation_{key}", dropped=answer.get("dropped") or None, earlier=earlier or None)
        case "recall_memory":
            return _recalled(dialogue, outcome.listed("results"))
        case "forget_memory":
            return _forgotten(dialogue, outcome)
    return say("failed")


def _forgotten(dialogue: Dialogue, outcome: Outcome) -> str:
    say, answer = dialogue.say, outcome.answer
    status = "mentioned" if "mentions" in answer else str(answer.get("status"))
    if status == "which_one":
        matches = outcome.listed("matches")
        lines = (noted(dialogue.words, str(each.get("text", "")), each.get("condition")) for each in matches)
        return say("which_one", lines=numbered(lines))
    keys = {
        "forgotten": "forgotten", "mentioned": "forgotten_mentions", "mentions": "forget_mentions",
        "none": "forget_none",
    }  # fmt: skip
    count, text = answer.get("mentions", answer.get("count", 0)), str(answer.get("text") or "").rstrip(".。 ")
    sentence = say(keys.get(status, "failed"), count=count, text=text)
    return f"{sentence} {say('forget_words')}" if status == "none" else sentence


def _recalled(dialogue: Dialogue, results: Sequence[Note]) -> str:
    """Return the passages of earlier conversations, each with its speaker and date, and the past trips that match."""
    words, speakers = notes.content_words(dialogue.now.said), {"note": "you", "user": "you", "assistant": "me"}
    lines = []
    for each in results:
        speaker = speakers.get(str(each.get("speaker") or each.get("kind", "")), "both")
        text = " ".join(str(each.get("text", "")).split())
        lines.append(dialogue.say(f"said_by.{speaker}", text=text, when=each.get("when")))
    trips = (trip for trip in dialogue.briefing.trips if notes.content_words(trip) & words)
    lines += [dialogue.say("known_trips", value=trip) for trip in trips]
    return dialogue.say("recalled", lines=lines) if lines else dialogue.say("recalled_none")


def _known(dialogue: Dialogue, notes_known: Sequence[Note]) -> str:
    """Return profile, past trips and notes, one line each; for a question about a topic, only those that match it."""
    say, wish = dialogue.say, wish_of(dialogue)
    about = wish if wish and (wish.about or wish.topics or wish.attribute) else None
    if about:
        memories = [(each, Memory("", str(each.get("topic")), str(each.get("text")))) for each in notes_known]
        notes_known = [each for each, memory in memories if is_meant(memory, about, dialogue.companions)]
    kinds = concerns_named(about.about) if about else None
    lines = [
        say("known_profile", label=_label(dialogue, name), value=value)
        for name, value in dialogue.briefing.profile.items()
        if kinds is None or kinds.intersection(TOPICS["profile"].get(name.partition("/")[0], ()))
    ]
    lines += [say("known_trips", value=trip) for trip in dialogue.briefing.trips if not about]
    lines += [_note_line(dialogue, note) for note in notes_known]
    key = "known_about" if about else "known"
    return say(key, lines=lines) if lines else say("known_none_about" if about else "known_none")


def _known_without_tool(dialogue: Dialogue) -> str:
    """Return the known facts if no tool lists them: the memories in the prompt, and those of this conversation."""
    notes_known: list[Note] = [
        {"text": each.text, "topic": each.topic, "condition": each.condition, "where": "here" if each.session else ""}
        for each in dialogue.briefing.memories
    ]
    notes_known += [{**each, "where": "here"} for each in _unsaved(dialogue, ())]
    return _known(dialogue, notes_known) if notes_known or dialogue.briefing.profile else dialogue.say("known_off")


def _unsaved(dialogue: Dialogue, listed: Sequence[Note]) -> list[Note]:
    """Return the statements of this conversation that are neither listed nor stored."""
    before = dialogue.transcript.before
    saved = [each.given for turn in before for each in turn.outcomes if each.answer.get("status") in HELD]
    stored = {notes.content_words(str(note.get("text", ""))) for note in (*listed, *saved)}
    unsaved = (each for each in dialogue.earlier_statements if notes.content_words(each.text) not in stored)
    return [{"text": each.text, "topic": each.topic, "where": "unsaved"} for each in unsaved]


def _sources(dialogue: Dialogue, listed: Sequence[Note]) -> str:
    """Return the sources of the notes that best match the question, else of those that the last reply contains."""
    wish, before = wish_of(dialogue), dialogue.transcript.before
    asked = notes.content_words(wish.about) if wish else frozenset[str]()
    last = notes.content_words(before[-1].reply) if before else frozenset[str]()
    pairs = [(note, notes.content_words(str(note.get("text", "")))) for note in listed]
    most = max((len(words & asked) for _, words in pairs), default=0)
    if most:
        chosen = [note for note, words in pairs if len(words & asked) == most]
    else:
        chosen = [note for note, words in pairs if not asked and words and words <= last]
    lines = [dialogue.say("source_line", **{"text": "", "date": "", "said": "", **note}) for note in chosen]
    return dialogue.say("known_source", lines=lines[:_MOST_SOURCES]) if lines else dialogue.say("known_source_none")


def _note_line(dialogue: Dialogue, note: Note) -> str:
    text, where = noted(dialogue.words, str(note.get("text", "")), note.get("condition")), str(note.get("where", ""))
    if where in ("", "long-term"):
        return dialogue.say("known_note", text=text, date=note.get("date"))
    place = "unsaved" if where == "unsaved" else "trip" if note.get("scope") == "trip" else "here"
    return dialogue.say("known_note", text=text, where=place)


def _label(dialogue: Dialogue, name: str) -> str:
    """Return the label of a profile field; the name of a loyalty programme is kept as it is written."""
    key, (parent, _, field) = f"profile.{name.replace('/', '_')}", name.rpartition("/")
    if dialogue.words.knows(key):
        return dialogue.say(key)
    return field if parent == "loyalty_status" else field.replace("_", " ").capitalize()


def applied(dialogue: Dialogue, chosen: Sequence[Memory]) -> str:
    """Return the text on the notes that are taken into account; more than a few are grouped by topic."""
    say, groups = dialogue.say, dict[str, list[str]]()
    texts = [noted(dialogue.words, each.text.rstrip(".。 "), each.condition) for each in chosen]
    if len(chosen) <= _MOST_LISTED:
        split = {key: [text for text, each in zip(texts, chosen, strict=True) if has_effect(each) == (key == "apply")]
                 for key in ("apply", "apply_not")}  # fmt: skip
        return " ".join(say(key, items=items) for key, items in split.items() if items)
    for each, text in zip(chosen, texts, strict=True):
        family = next((name for name, topics in TOPICS["families"].items() if each.topic in topics), "rest")
        groups.setdefault(family, []).append(text)
    names = (name for name in (*TOPICS["families"], "rest") if name in groups)
    return " ".join((say("apply_many"), *(say("apply_group", name=name, items=groups[name]) for name in names)))


def _unmet(dialogue: Dialogue) -> list[str]:
    """Return the response to a memory wish that no tool answered; empty if there is none."""
    wish = wish_of(dialogue)
    if wish is None:
        return _unmet_saving(dialogue)
    if _CONTROL_TOOLS & {each.tool for each in dialogue.now.outcomes}:
        return []
    match wish.kind:
        case "forget" | "forget_all":
            more = [each.text.rstrip(".。 ") for each in memories_kept(dialogue) if says_more(each.text, wish.about)]
            key = "forget_part" if more else "forget_what"
            return [dialogue.say(key if "forget_memory" in dialogue.tools else "forget_off", text="; ".join(more))]
        case "withhold":
            return [dialogue.say("withhold" if wish.topics else "withhold_other", topics=sorted(wish.topics))]
        case "list" | "source":
            return [_known_without_tool(dialogue)]
    return [dialogue.say("recalled_none" if wish.kind == "recall" else "known_off")]


def _unmet_saving(dialogue: Dialogue) -> list[str]:
    """Return why statements of the message are not saved, or that there is nothing to save; empty otherwise."""
    said = dialogue.now.said
    stated = list(notes.statements(said))
    unwanted = notes.withheld(turn.said for turn in dialogue.transcript.before)
    if any(each.topic in unwanted for each in stated) and not dialogue.now.calls:
        return [dialogue.say("kept_back")]
    if notes.not_to_remember(said, [said]) or dialogue.transcript.to_be_private:
        return [dialogue.say("kept_back")] if stated else []
    asked = notes.asks_to_remember(said)
    if "save_memory_note" not in dialogue.tools:
        return [dialogue.say("not_remembering")] if asked or stated else []
    saved = any(call["name"] == "save_memory_note" for call in dialogue.now.calls)
    return [dialogue.say("nothing_to_keep")] if asked and not saved else []


def _left_open(dialogue: Dialogue) -> list[str]:
    """Return the response to an answer that picks neither of two contradicting memories; empty if there was none."""
    before = dialogue.transcript.before
    if not before or not options_asked(before[-1]) or settled_memories(dialogue) or dialogue.now.outcomes:
        return []
    undecided = left_open(before[-1], dialogue.now.said)
    if undecided == "both":
        return [dialogue.words.say("conflict_depends", lines=numbered(options_asked(before[-1])))]
    no_order = {clause.act for clause in dialogue.step.said.clauses} <= {"chat", "confirm", "reject", "drop", "tell"}
    return [dialogue.say("conflict_left")] if no_order or undecided else []
