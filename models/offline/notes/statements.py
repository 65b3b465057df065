"""Finds what a message says of its author that is worth keeping, as whole sentences in their own words.

The judge decides on each sentence. Only what stands beside a statement with a subject of its own, and merely asks for
something, is left out of it; a condition, a reason or a reservation never is.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby

from models.offline.notes import judge
from models.offline.notes.claims import USER, meaning_of
from models.offline.notes.forms import capitalised, form, is_passing, language_of, trimmed
from models.offline.notes.judge import Part, cues, parts, sentences, signs, topic_of, topics_in
from models.offline.notes.people import Companions, aliased
from models.offline.notes.values import listed
from models.offline.notes.wishes import asked_of_oneself, asks_to_remember, memory_wish, people_in, without_request
from models.offline.reading import is_dreamt
from models.offline.reading.form import language_of as detected
from models.offline.reading.understanding import Clause, Understanding, Wishes
from models.offline.tables import NOTES
from text.words import is_japanese

LONGEST_NOTE = 240
"""Characters of a note, as the save tool asks."""
_MOST, _LONGEST_MESSAGE = 6, 4000
_LEAST = 0.36
"""Log-odds from which a sentence is taken for lasting."""
_LEAST_CLAIMED = -0.85
"""Log-odds from which a sentence is that claims something, as "my wife loves spas" does."""
_OWN = frozenset({"of us", "begins never", "begins always", "begins only"})
"""Signs of a whole English sentence of the user's: "window" alone states nothing."""
_SURE = 3.0
_MOSTLY = 0.8
_TOLD = 4
"""Sentences from which a message may be a story."""
_LIMITS, _OF_A_TRIP, _UNCLAIMED = (listed("words")[name] for name in ("limits", "of_a_trip", "unclaimed"))
_DETAILS, _ERRANDS = listed("words")["details"], listed("words")["errands"]
_STANCE = re.compile(r"-(?:hard|strong|mild|wish|fragment)$")


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing that the user said of themselves, or of those who travel along.

    `text` and `quote` are whole sentences of the user's, less a request to remember and words said in passing at the
    head. `trip_only` says that it holds for one trip. `until` and claims are read in `proposals`.
    """

    text: str
    quote: str
    topic: str
    trip_only: bool = False
    confidence: float = 0.9


@lru_cache(maxsize=1024)
def statements(said: str, names: Companions = ()) -> tuple[Statement, ...]:
    """Return the statements worth keeping in a message, at most six, in their order; empty for most messages.

    Args:
        said: What the user wrote.
        names: Those who travel along; what is said of them is said as of a husband or a child.
    """
    heard = aliased(said[:_LONGEST_MESSAGE], names)
    found, at = list[Statement](), 0
    for each in _statements(heard.text):  # in their order: of two kids the same may be said
        found.append(replace(each, text=heard.original(each.text, at), quote=heard.original(each.quote, at)))
        at = heard.end_of(each.quote, at)
    return tuple(found)


def _statements(said: str) -> tuple[Statement, ...]:
    if detected(said) not in ("en", "ja"):
        return ()
    read = [
        part
        for part in sentences(_own_words(said))
        if not (is_passing(part.text) or _is_foreign(part) or memory_wish(part.text))
    ]
    told = [bool(cues(part.text) & {"past", "past_end", "others"}) or "of nobody" in signs(part.text) for part in read]
    if len(read) >= _TOLD and sum(told) > len(read) / 2:
        read = [part for part in read if asks_to_remember(part.text)]
    found = [each for sentence in _with_requests(read, said) for each in _of_sentence(sentence, said)]
    return tuple(found[:_MOST])


def _own_words(said: str) -> str:
    """Return a message with what is pasted and what keeps it off the record blanked; every letter keeps its place."""
    spoken = NOTES.patterns(f"{language_of(said)}_speech")
    own = spoken["pasted"].sub(lambda match: "\n" * len(match[0]), said)
    return spoken["unsaved"].sub(lambda match: " " * len(match[0]), own)


def _is_foreign(part: Part) -> bool:
    """Return whether a sentence is not the user's own: code, a mail, an exam paper, somebody quoted."""
    shown = NOTES.patterns(f"{language_of(part.text)}_speech")
    if shown["not_own"].search(part.text):
        return True
    return "quote" in signs(part.text) or ("others" in cues(part.text) and bool(shown["quoted"].search(part.text)))


def _with_requests(read: Sequence[Part], said: str) -> list[Part]:
    """Return the sentences, a bare request to remember joined with what it follows or opens."""
    found: list[Part] = []
    for part in read:
        if found and _is_reason(part.text) and _lasts(found[-1].text):
            continue
        if found and any(asks_to_remember(each.text) and not without_request(each.text) for each in (part, found[-1])):
            found[-1] = found[-1].joined(part, said)
        else:
            found.append(part)
    return found


def _is_reason(text: str) -> bool:
    """Return whether a text only says why something is to be remembered ("it's always a hassle, so remember it")."""
    rest = without_request(text) if asks_to_remember(text) else ""
    why = NOTES.patterns(f"{language_of(text)}_speech")["why_remember"].match(text.partition(rest)[2] if rest else "")
    return bool(why) and not (topics_in(rest)[:1] not in ((), ("other",)) or meaning_of(rest, "other").claims)


def _of_sentence(sentence: Part, said: str) -> list[Statement]:
    """Return what a sentence states; "remember that …, and that …" states two things, each for itself."""
    known = NOTES.patterns(f"{language_of(sentence.text)}_speech")
    if value := reset(sentence.text):
        return [Statement(value, sentence.text, topic_of(value))]
    asked = asks_to_remember(sentence.text)
    beside = list(known["and_that"].finditer(sentence.text)) if asked and "and_that" in known else []
    edges = [sentence.start, *(sentence.start + at for match in beside for at in match.span()), sentence.end]
    pieces = [sentence.cut(start, end, said) for start, end in zip(edges[::2], edges[1::2], strict=True)]
    # Whether what is to rule from now on may be kept is the tool's to say.
    asked = asked or bool(known["from_now_on"].search(sentence.text) and not sentence.asked)
    halves = [half for piece in pieces for half in judge.once_and_else(piece, said)]
    if len(halves) > 1:
        found = [_statement(half, asked=asked, cut=False, lasts=False, half=True) for half in halves]
        if all(found):
            return [each for each in found if each]
    return [each for piece in pieces for each in _of_piece(piece, said, asked=asked)]


def _of_piece(sentence: Part, said: str, *, asked: bool) -> list[Statement]:
    every = spoken = parts(sentence, said)
    errands = cues(sentence.text) & _ERRANDS
    why = -1 if without_request(spoken[-1].text) else -2  # the request may be a part of its own
    if spoken[:why] and _is_reason(spoken[why].joined(spoken[-1], said).text) and _lasts(spoken[why - 1].text):
        every, sentence = spoken[:why], spoken[0].joined(spoken[why - 1], said)
    apart = any(_lasts(part.text) for part in every) or bool(errands - _DETAILS)
    whole = asked or (_lasts(sentence.text) and not ((errands or sentence.asked) and apart))
    told = every if whole else [part for part in every if _lasts(part.text) or not _is_detail(part)]
    lasts = whole or any(_lasts(part.text) for part in told)
    runs, end = _runs(told, said), spoken[-1].end if len(told) == len(spoken) else -1
    found = (_statement(run, asked=asked, cut=run.end != end, lasts=lasts) for run in runs)
    return [each for each in found if each]


def _is_detail(part: Part) -> bool:
    """Return whether a part asks or orders something, or says a detail of a trip."""
    shown, bare_sum = cues(part.text), {"about budget", "unsaid", "of nobody"} <= signs(part.text)
    asks = part.asked or ("question" in shown and "not_asked" not in shown)
    return asks or bare_sum or bool(shown & {"command", "requested", *_DETAILS})


def _runs(told: Sequence[Part], said: str) -> list[Part]:
    """Return what is judged together: a whole sentence, or each of its parts where all last and differ in topic."""
    topics = [topic_of(part.text) for part in told]
    if len(told) > 1 and all(_lasts(part.text) for part in told) and len(set(topics)) > 1:
        grouped = groupby(zip(topics, told, strict=True), key=lambda pair: pair[0])
        groups = [[part for _, part in pairs] for _, pairs in grouped]
        return [group[0].joined(group[-1], said) for group in groups]
    return [told[0].joined(told[-1], said)] if told else []


def _statement(run: Part, *, asked: bool, cut: bool, lasts: bool, half: bool = False) -> Statement | None:
    text = without_request(run.text) if asked else run.text
    if cut and language_of(text) == "ja":  # 「ビーガンなのですが」 without what it led to is 「ビーガン」
        text = NOTES.patterns("ja_speech")["link"].sub("", text.rstrip("、。 "))
    text = trimmed(text)
    once = bool(cues(text) & {"one_trip"})
    spoken = NOTES.patterns(f"{language_of(text)}_speech")
    asks = run.asked or spoken["polar"].search(text) or spoken["at_hand"].search(form(text))
    if not text or len(text) > LONGEST_NOTE or (not asked and (asks or about_others(text) or is_dreamt(text))):
        return None
    if asked:
        once = once or (bool(cues(text) & {"dated", "past", "past_end"}) and not _lasts(text))
    elif not (
        (half and meaning_of(text, topic_of(text)).claims) or (_is_wish(text) if once else lasts or _lasts(text))
    ):
        return None
    topic = topic_of(text)
    meaning = meaning_of(text, topic)
    explains = spoken["explains"].search(text) or "joins" in cues(text)
    ended = topic in _LIMITS and NOTES.patterns("claims")["ended"].search(text)
    if not meaning.claims and (ended or (explains and not asked)):
        return None  # the end of a limit that no claim names would be taken for a limit
    if not asked and (echoes(text) or meaning.stranger):
        return None
    return Statement(text, run.text, topic, once, 0.95 if asked or judge.lasting(text) >= _SURE else 0.85)


def _lasts(text: str) -> bool:
    odds, shown = judge.lasting(text), cues(text)
    if NOTES.patterns("claims")["born"].search(text) and people_in(text) and not shown & {"others", "hypothetical"}:
        return True  # one more of the family
    if odds >= _LEAST or odds < _LEAST_CLAIMED or shown & _UNCLAIMED or judge.merely_wishes(text):
        return odds >= _LEAST and "one_trip" not in shown
    if "dated" in shown and not NOTES.patterns("claims")["until"].search(text):
        return False  # it is said of a trip
    meaning = meaning_of(text, topic_of(text))
    own = meaning.about != USER if language_of(text) == "ja" else signs(text) & _OWN
    return bool(meaning.claims and own) and not meaning.stranger


def _is_wish(text: str) -> bool:
    """Return whether a text for one trip wishes something of it, and does not merely ask for the thing."""
    shown = cues(text)
    plain = not shown & {"question", "past", "past_end", "requested", "command", "others", "hypothetical"}
    return plain and bool(_OF_A_TRIP & set(topics_in(text))) and any(_STANCE.search(sign) for sign in signs(text))


def reset(text: str) -> str:
    """Return what a text orders to be known instead ("change my seat preference to window"); empty for nothing."""
    found = NOTES.patterns(f"{language_of(text)}_speech")["resets"].search(text.strip("。 "))
    colon = "：" if language_of(text) == "ja" else ": "
    said = capitalised(f"{found['what']}{colon}{found['value']}") if found else ""
    return said if said and meaning_of(said, topic_of(said)).claims else ""


def echoes(text: str) -> bool:
    """Return whether a text only says of one more person what was said before ("my son is too")."""
    return bool(NOTES.patterns(f"{language_of(text)}_speech")["echo"].search(form(text) if is_japanese(text) else text))


def about_others(text: str) -> bool:
    """Return whether a text says something of somebody who does not travel along, and nothing of the user."""
    return bool(cues(text) & {"others", "presented"}) and not cues(text) & {"kin_with_need", "along"}


def said_of_trip(text: str, said: Understanding, names: Companions, *, begun: bool) -> Understanding:
    """Return what is said, less what is asked of memory, is to be remembered, or lasts where no trip was `begun`."""
    said, wish = _without_dwellings(said), memory_wish(text)
    if wish and wish.kind == "recall":
        return replace(said, clauses=tuple(replace(c, dates=None, party=None, wishes=Wishes()) for c in said.clauses))
    if wish and wish.kind in ("forget", "forget_all"):
        return replace(
            said, clauses=tuple(Clause(c.text, "chat") if _forgets(c, wish.kind) else c for c in said.clauses)
        )
    asks = not (begun or any(each.places or each.dates for each in said.clauses)) and asked_of_oneself(text)
    if asks or reset(text):
        return replace(said, clauses=(Clause(text, "ask" if asks else "tell"),))
    trips = [clause for clause in said.clauses if clause.act != "chat"]
    begins = begun or any(clause.places or (clause.dates and clause.dates.start) for clause in trips)
    if begins and not (asks_to_remember(text) or any(c.wishes.overnight is not None for c in said.clauses)):
        return said
    lasting = [each.quote for each in statements(text, names) if not each.trip_only]
    told = [each for each in said.clauses if not (each.places or (each.dates and (begins or each.dates.start)))]
    habits = [clause for clause in told if _is_stated(clause.text, lasting)]
    return replace(said, clauses=tuple(replace(c, act="tell") if c in habits else c for c in said.clauses))


def _forgets(clause: Clause, kind: str) -> bool:
    """Return whether a clause asks that notes be forgotten, and so neither begins a trip nor tells of one."""
    wish = memory_wish(clause.text) if clause.act == "inform" and not (clause.places or clause.dates) else None
    return (kind, clause.act) == ("forget_all", "restart") or (wish is not None and wish.kind == kind)


def _is_stated(text: str, quotes: Sequence[str]) -> bool:
    """Return whether a text is part of one of the `quotes` of statements, or little more than they are together."""
    within = sum(len(quote) for quote in quotes if quote in text)
    return any(text in quote for quote in quotes) or within > _MOSTLY * len(text)


def _without_dwellings(said: Understanding) -> Understanding:
    """Return what is said without where others live ("my parents have a house in Nice"), where no journey is asked."""
    told = [each for each in said.clauses if each.places and not (each.kinds or each.dates) and _dwells(each.text)]
    others = [each for each in said.clauses if each not in told]
    leans = any(each.kinds or each.dates for each in others) and not any(each.places for each in others)
    if not told or leans:
        return said
    return replace(said, clauses=tuple(Clause(c.text, "tell") if c in told else c for c in said.clauses))


def _dwells(text: str) -> bool:
    """Return whether a text says where somebody else lives, is from, works or owns a house."""
    named = is_japanese(text) or people_in(text)
    return bool(named and NOTES.patterns(f"{language_of(text)}_speech")["dwells"].search(text.strip("。 ")))
