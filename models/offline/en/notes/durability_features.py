"""What the trained judgement looks at: the words of a sentence, and what the rules found in it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from models.offline.en.clauses import is_question, trimmed
from models.offline.en.notes import scope_cues
from models.offline.en.notes.judge_clause import Judged
from models.offline.en.notes.topics import hits, telling, topic_of
from models.offline.en.wording import plain, reduce
from models.offline.tables import find_stances

_TOKEN = re.compile(r"[a-z']+|\d+")
_NAME = re.compile(r"[A-Z][a-z]{2,}")
_QUOTED = re.compile(r'["“”]')
VERDICTS = ("*keep", "*trip", "*none", "*sure")
"""How the traits begin that say what the rules decided."""
_MOST_HITS, _MOST_LENGTH, _STEP = 3, 5, 4


def words_of(form: str) -> tuple[str, ...]:
    """The words of `plain` text; every number is `#`."""
    return tuple("#" if word.isdigit() else word for word in _TOKEN.findall(form))


def ngrams(form: str) -> frozenset[str]:
    """Single words and pairs of neighbours in `plain` text; `<` and `>` stand for its ends."""
    words = words_of(form)
    ends = ("<", *words, ">")
    return frozenset(words) | {f"{one} {other}" for one, other in pairwise(ends)}


def rule_features(sentence: str, judged: Sequence[Judged]) -> frozenset[str]:
    """What the rules say of `sentence` and of its clauses, each as a word that begins with `*`."""
    found = _verdicts(judged) | _shape(sentence)
    for item in judged:
        found |= _manner(item)
    return frozenset(f"*{each}" for each in found)


def topic_features(sentence: str) -> frozenset[str]:
    """The topics of the travel words of `sentence`, and the one with most weight behind it."""
    found = hits(plain(sentence))
    chosen = topic_of(found)
    return frozenset({f"*about {hit.topic}" for hit in found} | ({f"*topic {chosen}"} if chosen else set()))


def _verdicts(judged: Sequence[Judged]) -> set[str]:
    kept = [item for item in judged if item.keep]
    found = {"trip" if item.trip_only else "keep" for item in kept} or {"none"}
    return found | {f"sure {item.confidence:.2f}" for item in kept}


def _shape(sentence: str) -> set[str]:
    form = plain(sentence)
    words, travel = sentence.split(), hits(form)
    found = {f"about {hit.topic}" for hit in travel}
    found |= {f"places {min(_MOST_HITS, len(travel))}", f"length {min(_MOST_LENGTH, len(words) // _STEP)}"}
    found |= {"telling"} if telling(travel) else set()
    found |= {"name"} if any(_NAME.match(word) for word in words[1:]) else set()
    return found | ({"quote"} if _QUOTED.search(sentence) else set())


def _manner(item: Judged) -> set[str]:
    form = plain(trimmed(item.clause.text))
    reduced = reduce(form)
    found = {f"stance {stance.name}" for stance in find_stances("en", reduced)}
    found |= {f"level {stance.level}" for stance in find_stances("en", reduced)}
    tests = {
        "past": scope_cues.past,
        "hypothetical": scope_cues.hypothetical,
        "others": scope_cues.others,
        "request": scope_cues.request_for_one,
        "command": scope_cues.command,
        "route": scope_cues.route,
        "definite subject": scope_cues.definite_subject,
        "definite mention": scope_cues.definite_mention,
    }
    found |= {name for name, holds in tests.items() if holds(reduced)}
    found |= {"dated"} if scope_cues.dated(form) else set()
    found |= {"one trip"} if scope_cues.one_trip(form) else set()
    return found | ({"question"} if is_question(item.clause) else set())
