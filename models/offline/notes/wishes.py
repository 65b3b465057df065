"""Reads requests about memory: to forget, list, recall, name the source, or not to remember something."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal, get_args

from models.offline.notes.claims import meaning_of
from models.offline.notes.forms import language_of, shares, spoken, topics_named, trimmed, without_names, words_meant
from models.offline.notes.judge import sentences, topic_of, topic_of_note, topics_in
from models.offline.notes.meaning.items import items_of
from models.offline.notes.meaning.reading import CONTENT
from models.offline.notes.people import concerns_user, is_name
from models.offline.notes.values import written_as
from models.offline.tables import NOTES
from text.words import in_lines

WishKind = Literal["forget", "forget_all", "list", "recall", "source", "private", "public", "withhold"]
"""`list`: what do you know (about X); `recall`: earlier conversations; `source`: how do you know; `withhold`: never
remember X; `private`, `public`: stop or resume learning from this conversation."""


@dataclass(frozen=True, slots=True)
class MemoryWish:
    """A request about memory.

    Attributes:
        kind: What is requested.
        about: The user's words for the object of the request; empty for "that", or for everything.
        topics: The topics of the memory schema that `about` names in everyday words ("food": `meal`); may be empty.
        attribute: The attribute that `about` names ("my allergies": `allergy`); else empty.
        every: True for all notes that fit ("everything about my allergies"), False for one note.
        except_for: Words for the notes to keep ("but keep the boutique hotels one").
    """

    kind: WishKind
    about: str = ""
    topics: frozenset[str] = frozenset()
    attribute: str = ""
    every: bool = False
    except_for: str = ""


_LONGEST_REQUEST = 240
"""The most characters of a sentence in which a request to forget may stand behind other words."""
_COPULA = re.compile(r"(?<=[一-鿿ァ-ヴー])(?:である|だ)$")
_LAST = frozenset({"", "it", "that", "this", "that one", "それ", "これ", "今の", "さっきの"})


@lru_cache(maxsize=512)
def memory_wish(said: str) -> MemoryWish | None:
    """Return the request about memory in a message, or None."""
    said = in_lines(said)
    kinds: tuple[WishKind, ...] = get_args(WishKind)
    known = NOTES.table(f"{language_of(said)}_wishes")
    asked = [(each.text, spoken(each.text) + "?" * each.asked) for each in sentences(said)]
    short = (text for text, _ in asked if len(text) <= _LONGEST_REQUEST)
    tails = [text[match.end() :] for text in short for match in NOTES.patterns("cutting")["pause"].finditer(text)]
    for kind in (kind for kind in known if kind in kinds):  # a request to forget may stand behind other words
        for text, sentence in (*asked, *((each, spoken(each)) for each in tails if kind == "forget")):
            if match := re.search(known[kind], sentence):
                groups = match.groupdict()  # "the spicy one is wrong, delete that" names it before the verb
                wish = _wish(kind, text, groups.get("about") or groups.get("named") or "", said)
                every = kind == "forget" and re.search(known["every"], match[0])
                return replace(wish, every=True) if every and wish.about else wish
    unsaved = NOTES.patterns(f"{language_of(said)}_speech")["unsaved"]
    rest = unsaved.sub(" ", said)
    return MemoryWish("forget") if rest != said and not words_meant(rest) else None


def _found(name: str, text: str) -> re.Match[str] | None:
    return NOTES.patterns(f"{language_of(text)}_wishes")[name].search(spoken(text))


def _wish(kind: WishKind, text: str, rest: str, said: str) -> MemoryWish:
    known = NOTES.table(f"{language_of(said)}_wishes")
    if kind == "forget":
        keeping = _found("keeping", said)
        about = re.sub(known["frame"], "", re.sub(known["reason"], "", rest).strip(" ,.!?、。")).strip()
        kept = next((each for each in keeping.groups() if each), "") if keeping else ""
        return _about(kind, about if about not in _LAST and _narrows(about) else "", kept)
    if kind == "withhold":
        whole = topics_named(rest) or language_of(said) == "en" or re.search(known["whole_topic"], text)
        return _about(kind, rest) if whole else _wish("forget", text, rest, said)  # one note: 「卵の話は覚えないで」
    if kind == "list" and (whose := re.match(known["of_whom"], spoken(text))):
        return _about(kind, whose["who"])
    if kind in ("list", "recall"):
        text = "" if kind == "list" and _found("everybody", text) else text
        return _about(kind, text if kind == "recall" or _narrows(text) else "")
    if kind == "source":
        about = re.sub(known["source"], " ", spoken(text)).strip(" ?,.、。")
        return MemoryWish(kind, "" if about in _LAST else about)
    return MemoryWish(kind)


def asked_of_oneself(said: str, *, beside_offers: bool = False) -> MemoryWish | None:
    """Return a question about the user's own habits, beside offers only about tastes, as a request to list notes."""
    match = _found("of_oneself", said)
    asks = match and (match.groupdict().get("taste") or not beside_offers) and _narrows(said)
    return _about("list", said) if asks else None


def asked_of_person(said: str, kept: Sequence[str]) -> MemoryWish | None:
    """Return a question about a relative, or about somebody whom a note begins with, as a request to list notes.

    Such as "what does Priya eat?" or 「娘は何歳だっけ」.
    """
    subjects = {text.partition(" ")[0] for text in kept}
    asked = any(each.asked for each in sentences(said))
    names = [name for name in re.findall(r"\b[A-Z][\w-]+", said) if asked and name in subjects and is_name(name)]
    names += [written_as(each, said, "") or "" for each in people_in(said) if _found("of_relative", said)]
    return MemoryWish("list", names[0]) if names else None


def _narrows(text: str) -> bool:
    """Return whether the words of a request name a topic or have content words."""
    return bool(topics_named(text) or words_meant(text))


def _about(kind: WishKind, about: str, kept: str = "") -> MemoryWish:
    named = topics_named(about)
    attribute = next((name.partition("/")[2] for name in named if "/" in name), "")
    topics = frozenset(name.partition("/")[0] for name in named)
    return MemoryWish(kind, about, topics, attribute, bool(_found("every", about)), kept)


def listed(notes: Iterable[Any], wish: MemoryWish) -> list[Any]:
    """Return the `notes`, which have `text` and `topic`, that a request is about; all if it names nothing.

    A word for a topic ("my food") selects all notes of the topic, a content word ("peanut") the notes that contain it.
    """
    matches = [note for note in notes if not wish.about or _fits(wish, str(note.text), str(note.topic))]
    spared = words_meant(wish.except_for)
    return [note for note in matches if not (spared and all(shares(word, str(note.text)) for word in spared))]


def spelled_out(note: str, said: str) -> bool:
    """Return whether a request to forget has all content words of a note, or else the sentence before a bare one."""
    texts = [each.text for each in sentences(said)]
    for at, text in enumerate(texts):
        wish = memory_wish(text)
        if wish and wish.kind == "forget" and (words := words_meant(note)):
            meant = text if wish.about else " ".join(texts[max(0, at - 1) : at + 1])
            return all(shares(word, meant) for word in words)
    return False


def outdated(text: str) -> MemoryWish | None:
    """Return a request to forget what a sentence says is outdated ("I don't need a lift any more"), or None."""
    match = _found("outdated", text)
    about = next(filter(None, match.groups())) if match else ""
    return _about("forget", about) if words_meant(without_names(about)) else None


def reminds(text: str, topic: str, known: Iterable[tuple[str, str]]) -> bool:
    """Return whether a text is only a reminder of a known note ("you know I don't drink")."""
    return bool(_found("reminding", text)) and any(topic_of_note(*each) == topic for each in known)


def withheld(said: Iterable[str]) -> frozenset[str]:
    """Return the topics about which messages ask to remember nothing any more."""
    wishes = ((each, memory_wish(each)) for each in said)
    return frozenset(topic for each, wish in wishes if wish and _keeps_out(each, wish) for topic in wish.topics)


def _keeps_out(said: str, wish: MemoryWish) -> bool:
    return wish.kind == "withhold" or (wish.kind == "forget" and bool(_found("kept_no_more", said)))


def kept_out(said: str, wish: MemoryWish) -> MemoryWish:
    """Return a request to forget topics as `withhold` if it also asks not to remember them in future."""
    return replace(wish, kind="withhold") if wish.topics and _keeps_out(said, wish) else wish


def people_in(text: str) -> set[str]:
    """Return the people that `text` names by their relation to the user."""
    return {item.name for each in sentences(text) for item in items_of(each.text) if item.role == "person"}


def _fits(wish: MemoryWish, text: str, topic: str) -> bool:
    people, named = people_in(wish.about), people_in(text)
    of_them = bool(people & named or ("family" in people and named))
    about = without_names(wish.about)
    for phrase in (written_as(each, about, "") for each in people):
        about = about.replace(phrase or " ", " ")
    if own := words_meant(about):
        return (of_them or not people) and all(shares(word, text) for word in own)
    attributes = NOTES.table(f"{language_of(text)}_wishes")["attribute"]
    if wish.attribute in attributes:
        meant = of_them if people else not _found("of_user", wish.about) or concerns_user(text, topic)
        return meant and bool(re.search(attributes[wish.attribute], spoken(text)))
    if of_them:
        return True  # notes about a person have many topics
    if not (wish.topics or people):
        return spoken(wish.about) in spoken(text)
    return topic_of_note(text, topic) in wish.topics


def asks_to_remember(text: str) -> bool:
    """Return whether `text` asks explicitly to be remembered."""
    table = NOTES.patterns(f"{language_of(text)}_speech")
    if language_of(text) == "ja":
        return bool(table["remember_mention"].search(spoken(text))) and not table["remember_not"].search(spoken(text))
    said = [each.text for each in sentences(text)]
    return any(map(table["remember"].match, said)) or any(map(table["remember_tail"].search, said[-1:]))


def without_request(text: str) -> str:
    """Return `text` without the request to remember it, or the last sentence if that only requests it."""
    table = NOTES.patterns(f"{language_of(text)}_speech")
    told = [each.text for each in sentences(text)]
    if len(told) > 1 and asks_to_remember(told[-1]) and adds_nothing(without_request(told[-1]), told[-2]):
        return text[: text.rindex(told[-1])].strip(" ?!.、,。！？")
    rest = table["remember"].sub("", text.strip(), count=1)
    kept = table["remember_tail"].sub("", rest)
    kept = (_COPULA.sub("", kept) if kept != rest else kept).strip(" ?!.、,。！？")
    return "" if table["courtesy"].fullmatch(kept) else kept


def adds_nothing(text: str, before: str) -> bool:
    """Return whether a text names nothing ("on any journey"), or nothing but what the sentence `before` names."""
    if meaning_of(text, topic_of(text)).claims:
        return False
    named = any(item.role in CONTENT for item in items_of(text)) or topics_in(text)[:1] not in ((), ("other",))
    return not named or (bool(before) and all(shares(word, before) for word in words_meant(text)))


def is_revision(said: str) -> bool:
    """Return whether a message is a single sentence that explains what was meant ("window is what I meant")."""
    explains = NOTES.patterns(f"{language_of(said)}_speech")["explains"]
    return len(sentences(said)) == 1 and bool(explains.search(said))


def not_to_remember(said: str, earlier: list[str]) -> list[str]:
    """Return the texts not to remember: the rest of the sentence that asks so, else of the message, else `earlier`."""
    order = NOTES.patterns(f"{language_of(said)}_speech")["unsaved"]
    every = [order.split(each.text) for each in sentences(said)]
    asking = [parts for parts in every if len(parts) > 1]
    told = [[text for one in read for part in one if words_meant(text := trimmed(part))] for read in (asking, every)]
    return (told[0] or told[1] or earlier) if asking else []


def says_more(text: str, about: str) -> bool:
    """Return whether a text is about `about` and about another topic as well."""
    between = NOTES.patterns(f"{language_of(text)}_speech")["between_things"]
    parts = [part for clause in NOTES.patterns("claims")["break"].split(text) for part in between.split(clause)]
    meant = [any(shares(word, part) for word in words_meant(about)) for part in parts if topics_in(part)]
    return any(meant) and not all(meant)
