"""Finds the statements in a message that are worth remembering about its author, as whole sentences in their own words.

The judge decides on each sentence. Only a part with a subject of its own that merely asks for something is cut from a
statement; a condition, a reason or a reservation never is.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby

from models.offline.notes import judge
from models.offline.notes.claims import USER, meaning_of
from models.offline.notes.forms import capitalised, form, is_passing, language_of, trimmed
from models.offline.notes.judge import SURE, Part, cues, parts, sentences, signs, topic_of, topics_in
from models.offline.notes.lasting import is_lasting, is_reason, with_requests
from models.offline.notes.meaning.items import items_of
from models.offline.notes.people import Companions, aliased, gives_name_only, subject_of
from models.offline.notes.values import listed
from models.offline.notes.wishes import (
    asked_of_oneself,
    asks_to_remember,
    memory_wish,
    people_in,
    without_request,
)
from models.offline.reading import is_dreamt
from models.offline.reading.form import language_of as detected
from models.offline.reading.understanding import Clause, Understanding, Wishes
from models.offline.tables import NOTES
from text.words import in_lines, is_japanese

LONGEST_NOTE = 240
"""The most characters in a note, as the save tool requires."""
_MOST, _LONGEST_MESSAGE = 6, 4000
_MOSTLY = 0.8
_STORY_LENGTH = 4
"""The fewest sentences of a message that may be a story."""
_LIMITS, _OF_A_TRIP = (listed("words")[name] for name in ("limits", "of_a_trip"))
_DETAILS, _ERRANDS = listed("words")["details"], listed("words")["errands"]
_STANCE = re.compile(r"-(?:hard|strong|mild|wish|fragment)$")


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing that the user said about themselves or their companions.

    `text` and `quote` are whole sentences of the user; `text` omits a request to remember and filler at either end.
    `trip_only` is True if it holds for one trip. Its claims and last day are read in `proposals`.
    """

    text: str
    quote: str
    topic: str
    trip_only: bool = False
    confidence: float = 0.9


@lru_cache(maxsize=1024)
def statements(said: str, names: Companions = ()) -> tuple[Statement, ...]:
    """Return the statements worth keeping in a message, at most six, in order; empty for most messages.

    Args:
        said: The message.
        names: The user's companions; statements about them are kept like those about "my husband" or "my son".
    """
    message = aliased(in_lines(said[:_LONGEST_MESSAGE]), names)
    found, at = list[Statement](), 0
    for each in _statements(message.text):  # search on from the last one: two kids may share one statement
        found.append(replace(each, text=message.original(each.text, at), quote=message.original(each.quote, at)))
        at = message.end_of(each.quote, at)
    return tuple(found)


def _statements(said: str) -> tuple[Statement, ...]:
    if detected(said) not in ("en", "ja"):
        return ()
    own = [part for part in sentences(_own_words(said)) if not (is_passing(part.text) or _is_foreign(part))]
    kept = [part for part in own if not memory_wish(part.text)]
    short = [part.text for part in kept if len(part.text) <= LONGEST_NOTE]
    told = [text for text in short if cues(text) & {"past", "past_end", "others"} or "of nobody" in signs(text)]
    if len(kept) >= _STORY_LENGTH and len(told) > len(kept) / 2:
        kept = [part for part in kept if asks_to_remember(part.text)]
    found = [each for sentence in with_requests(kept, said) for each in _of_sentence(sentence, said)]
    return tuple(found[:_MOST])


def _own_words(said: str) -> str:
    """Return a message with pasted text and requests not to save anything blanked out; offsets do not change."""
    spoken = NOTES.patterns(f"{language_of(said)}_speech")
    own = spoken["pasted"].sub(lambda match: "\n" * len(match[0]), said)
    return spoken["unsaved"].sub(lambda match: " " * len(match[0]), own)


def _is_foreign(part: Part) -> bool:
    """Return whether a sentence is not by the user: code, an e-mail, an exam paper, a quotation."""
    patterns = NOTES.patterns(f"{language_of(part.text)}_speech")
    if patterns["not_own"].search(part.text):
        return True
    return "quote" in signs(part.text) or ("others" in cues(part.text) and bool(patterns["quoted"].search(part.text)))


def _of_sentence(sentence: Part, said: str) -> list[Statement]:
    """Return the statements of a sentence; "remember that …, and that …" makes two."""
    patterns = NOTES.patterns(f"{language_of(sentence.text)}_speech")
    if value := reset(sentence.text):
        return [Statement(value, sentence.text, topic_of(value))]
    asked = asks_to_remember(sentence.text)
    separators = list(patterns["and_that"].finditer(sentence.text)) if asked and "and_that" in patterns else []
    edges = [sentence.start, *(sentence.start + at for match in separators for at in match.span()), sentence.end]
    pieces = [sentence.cut(start, end, said) for start, end in zip(edges[::2], edges[1::2], strict=True)]
    # "From now on …" may be an instruction that must not be kept; the save tool decides.
    asked = asked or bool(patterns["from_now_on"].search(sentence.text) and not sentence.asked)
    halves = [half for piece in pieces for half in judge.once_and_else(piece, said)]
    if len(halves) > 1:
        found = [_statement(half, asked=asked, cut=False, lasts=False, half=True) for half in halves]
        if all(found):
            return [each for each in found if each]
    return [each for piece in pieces for each in _of_piece(piece, said, asked=asked)]


def _of_piece(sentence: Part, said: str, *, asked: bool) -> list[Statement]:
    every = pieces = parts(sentence, said)
    errands = cues(sentence.text) & _ERRANDS
    last = -1 if without_request(pieces[-1].text) else -2  # the request may be a part of its own
    if pieces[:last] and is_reason(pieces[last].joined(pieces[-1], said).text) and is_lasting(pieces[last - 1].text):
        every, sentence = pieces[:last], pieces[0].joined(pieces[last - 1], said)
    apart = any(is_lasting(part.text) for part in every) or bool(errands - _DETAILS)
    whole = asked or (is_lasting(sentence.text) and not ((errands or sentence.asked) and apart))
    kept = every if whole else [part for part in every if is_lasting(part.text) or not _is_detail(part)]
    kept = [part for part in kept if asked or not gives_name_only(part.text) or is_lasting(part.text)]
    lasts = whole or any(is_lasting(part.text) for part in kept)
    runs, end = _runs(kept, said), pieces[-1].end if len(kept) == len(pieces) else -1
    found = (_statement(run, asked=asked, cut=run.end != end, lasts=lasts) for run in runs)
    return [each for each in found if each]


def _is_detail(part: Part) -> bool:
    """Return whether a part is a question, an order or a detail of a trip."""
    part_cues, bare_sum = cues(part.text), {"about budget", "unsaid", "of nobody"} <= signs(part.text)
    asks = part.asked or ("question" in part_cues and "not_asked" not in part_cues)
    return asks or bare_sum or bool(part_cues & {"command", "requested", *_DETAILS})


def _runs(kept: Sequence[Part], said: str) -> list[Part]:
    """Return the parts as one statement, or as one for each run of a topic if all are lasting and topics differ."""
    topics = [topic_of(part.text) for part in kept]
    if len(kept) > 1 and all(is_lasting(part.text) for part in kept) and len(set(topics)) > 1:
        grouped = groupby(zip(topics, kept, strict=True), key=lambda pair: pair[0])
        runs = list[Part]()
        for group in ([part for _, part in pairs] for _, pairs in grouped):
            leans = runs and _continues(group[0].text, runs[-1].text)
            runs.append((runs.pop() if leans else group[0]).joined(group[-1], said))
        return runs
    return [kept[0].joined(kept[-1], said)] if kept else []


def _continues(text: str, before: str) -> bool:
    """Return whether a Japanese text names no subject of its own, so that it may have the companion of `before`."""
    about = meaning_of(before, topic_of(before)).about
    return language_of(text) == "ja" and about != USER and subject_of(items_of(text)) is None


def _statement(run: Part, *, asked: bool, cut: bool, lasts: bool, half: bool = False) -> Statement | None:
    text = without_request(run.text) if asked else run.text
    if cut and language_of(text) == "ja":  # 「ビーガンなのですが」, once its main clause is cut, is 「ビーガン」
        text = NOTES.patterns("ja_speech")["link"].sub("", text.rstrip("、。 "))
    text = trimmed(text)
    once = bool(cues(text) & {"one_trip"})
    patterns = NOTES.patterns(f"{language_of(text)}_speech")
    asks = run.asked or patterns["polar"].search(text) or patterns["at_hand"].search(form(text))
    if not text or len(text) > LONGEST_NOTE or (not asked and (asks or about_others(text) or is_dreamt(text))):
        return None
    if asked:
        passing = bool(cues(text) & {"dated", "past", "past_end"}) and not is_lasting(text)
        once = once or (passing and not patterns["yearly"].search(text))
    elif not (
        (half and meaning_of(text, topic_of(text)).claims) or (_is_wish(text) if once else lasts or is_lasting(text))
    ):
        return None
    topic = topic_of(text)
    meaning = meaning_of(text, topic)
    explains = patterns["explains"].search(text) or "joins" in cues(text)
    ended = topic in _LIMITS and NOTES.patterns("claims")["ended"].search(text)
    if not meaning.claims and (ended or (explains and not asked)):
        return None  # without a claim, a note that a limit has ended would be taken for a limit
    if not asked and (echoes(text) or meaning.stranger):
        return None
    return Statement(text, run.text, topic, once, 0.95 if asked or judge.lasting(text) >= SURE else 0.85)


def _is_wish(text: str) -> bool:
    """Return whether a text about one trip states a wish for it, rather than a search request."""
    text_cues = cues(text)
    plain = not text_cues & {"question", "past", "past_end", "requested", "command", "others", "hypothetical"}
    return plain and bool(_OF_A_TRIP & set(topics_in(text))) and any(_STANCE.search(sign) for sign in signs(text))


def reset(text: str) -> str:
    """Return the new note that a text orders ("change my seat preference to window"); empty if it orders none."""
    match = NOTES.patterns(f"{language_of(text)}_speech")["resets"].search(text.strip("。 "))
    colon = "：" if language_of(text) == "ja" else ": "
    note = capitalised(f"{match['what']}{colon}{match['value']}") if match else ""
    return note if note and meaning_of(note, topic_of(note)).claims else ""


def echoes(text: str) -> bool:
    """Return whether a text only applies the sentence before it to another person ("my son is too")."""
    return bool(NOTES.patterns(f"{language_of(text)}_speech")["echo"].search(form(text) if is_japanese(text) else text))


def about_others(text: str) -> bool:
    """Return whether a text is about somebody who is not a companion, and not about the user."""
    return bool(cues(text) & {"others", "presented"}) and not cues(text) & {"kin_with_need", "along"}


def said_of_trip(text: str, said: Understanding, names: Companions, *, begun: bool) -> Understanding:
    """Return a reading without requests about memory and notes to remember, nor habits if no trip is `begun`."""
    said, wish = _without_dwellings(said), memory_wish(text)
    if wish and wish.kind == "recall":
        return replace(said, clauses=tuple(replace(c, dates=None, party=None, wishes=Wishes()) for c in said.clauses))
    if wish and wish.kind in ("forget", "forget_all"):
        clauses = tuple(Clause(c.text, "chat") if _forgets(c, wish.kind) else c for c in said.clauses)
        return replace(said, clauses=clauses)
    asks = asked_of_oneself(text, beside_offers=begun or any(each.places or each.dates for each in said.clauses))
    if asks or reset(text):
        return replace(said, clauses=(Clause(text, "ask" if asks else "tell"),))
    trips = [clause for clause in said.clauses if clause.act != "chat"]
    begins = begun or any(clause.places or (clause.dates and clause.dates.start) for clause in trips)
    if begins and not (asks_to_remember(text) or any(c.wishes.overnight is not None for c in said.clauses)):
        return said
    lasting = [each.quote for each in statements(text, names) if not each.trip_only]
    candidates = [each for each in said.clauses if not (each.places or (each.dates and (begins or each.dates.start)))]
    habits = [clause for clause in candidates if _is_stated(clause.text, lasting)]
    return replace(said, clauses=tuple(replace(c, act="tell") if c in habits else c for c in said.clauses))


def _forgets(clause: Clause, kind: str) -> bool:
    """Return whether a clause asks to forget notes, and so is not about a trip."""
    wish = memory_wish(clause.text) if clause.act == "inform" and not (clause.places or clause.dates) else None
    return (kind, clause.act) == ("forget_all", "restart") or (wish is not None and wish.kind == kind)


def _is_stated(text: str, quotes: Sequence[str]) -> bool:
    """Return whether a text is part of one of the `quotes` of statements, or consists mostly of them."""
    within = sum(len(quote) for quote in quotes if quote in text)
    return any(text in quote for quote in quotes) or within > _MOSTLY * len(text)


def _without_dwellings(said: Understanding) -> Understanding:
    """Return a reading without the homes of others ("my parents have a house in Nice"), if no trip needs them."""
    dwellings = [each for each in said.clauses if each.places and not (each.kinds or each.dates) and _dwells(each.text)]
    others = [each for each in said.clauses if each not in dwellings]
    leans = any(each.kinds or each.dates for each in others) and not any(each.places for each in others)
    if not dwellings or leans:
        return said
    return replace(said, clauses=tuple(Clause(c.text, "tell") if c in dwellings else c for c in said.clauses))


def _dwells(text: str) -> bool:
    """Return whether a text says where somebody else lives, is from, works or owns a house."""
    named = is_japanese(text) or people_in(text)
    return bool(named and NOTES.patterns(f"{language_of(text)}_speech")["dwells"].search(text.strip("。 ")))
