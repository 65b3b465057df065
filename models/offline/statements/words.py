"""English words for comparing: tokens with their numbers read, and a base form that keeps different words apart."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from text import normalise
from text.numbers import MONTHS
from text.spelled import NUMBER_WORDS

_TOKEN = re.compile(
    r"(?P<time>\b\d{1,2}(?:[:.]\d\d)?\s?[ap]\.?m\b\.?|\b\d{1,2}:\d\d\b)"
    r"|(?P<number>\d+(?:,\d{3})*(?:\.\d+)?(?:st|nd|rd|th)?)"
    r"|(?P<word>[^\W\d_]+(?:'[^\W\d_]+)*)"
    r"|(?P<mark>[$€£¥%,.;:!?()/&+>]|-+(?=\s)|->)"
)


_ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"]


def _ordinal(found: re.Match[str]) -> str:
    return str(_ORDINALS.index(found[1].casefold()) + 1)


_TELLER = r"(?:(?:the |our |this )?(?:user|travell?er|guest|client|customer|passenger)|they|he|she)"
_TOLD = (
    r"(?:indicate[sd]?|mention(?:s|ed)?|state[sd]?|sa(?:ys|id)|note[sd]?|report(?:s|ed)?|confirm(?:s|ed)?|explain(?:s|ed)?|"
    r"specif(?:y|ies|ied)|share[sd]?|(?:told|informed) (?:us|me)|let (?:us|me) know|made (?:it )?clear)"
)
_CONTRACTIONS: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), written)
    for pattern, written in (
        # "The user has stated that they are vegan" says of them no more than "vegan" does.
        (rf"^(?:{_TELLER} )?(?:has |have |had )?(?:also )?{_TOLD} (?:that(?: {_TELLER})?|{_TELLER})\b ?", ""),
        (rf"^(?:{_TELLER} )?(?:has |have )?(?:expressed|stated|indicated) (?=an? )", ""),
        (r"\bNew (?=York|Orleans|Zealand|Delhi|Jersey|Mexico|Hampshire|England|Caledonia)", "New"),
        (r"\bcan't\b|\bcannot\b|\bcant\b", "can not"),
        (r"\bwon't\b", "will not"),
        (r"n't\b", " not"),
        (r"\b(do|does|did|is|are|was|have|has|had|would|should|could)nt\b", r"\1 not"),
        (r"'(?:m|re|s) used to\b", " accustomed to"),
        (r"'(?:m|re|ve|ll|d|s)\b", ""),
        (r"(?<=s)'(?=\s|$)", ""),
        (r"\b(?:12 )?(?:noon|midday)\b(?! flight)", "12:00"),
        (r"\b(?:12 )?midnight\b", "0:00"),
        (r"\bany (?:more|longer)\b(?! than)", "anymore"),
        (r"\bb ?(?:&|and) ?bs?\b", "guesthouse"),
        (r"\be-mail", "email"),
        (r"\bwi-fi\b", "wifi"),
        (r"(?<=\d)k\b", "000"),
        (r"\b(?:an|one|1) hour and (?:a half|30 minutes)\b|\bone and a half hours?\b", "90 minutes"),
        (r"\bhalf an hour\b|\bhalf hour\b", "30 minutes"),
        (r"\ban hour\b", "1 hour"),
        (r"\ba single(?= (?:checked|bag|suitcase|piece|carry|cabin bag|hand))", "1"),
        (r"\ba single(?= \d)", "a"),
        (r"\b(?:a|per|each) head\b", "per person"),
        (r"\bkilo(?:gram(?:me)?)?s?\b", "kg"),
        (r",? any (?:day|time)(?: of the week)?(?=\W*$)", " always"),
        (r"\bany(?: \w+|one|body|thing|where) but\b", "anything but"),
        (r"\bif it (?:is )?not (.+?),? (?:i do not want it|forget it|do not book it)", r"must be \1"),
        (r"\b(?:company|corporate|business)(?= (?:amex|american express|visa|mastercard)\b)", "corporate card"),
        (r"\b(third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)(?= floor)", _ordinal),
        (
            r"\bcheck(?:s|ed|ing)? (?:in )?(?:just |only |exactly )?(one|1|two|2|three|3) (?:bag|suitcase|piece)s?\b",
            r"\1 checked bag",
        ),
        (r"(?:\b(?:a|per|each|every)|/) ?trip\b(?!.(?:to|with|for|when|that))", " per trip"),
        (r"(?<=\d)\s?(?:mins?|min\.)(?=\W|$)", " minutes"),
        (r"(?:\b(?:a|per|each|every)|/) ?night\b(?!.(?:flight|train|owl|bus|market|in\b|at\b(?! most)))", " nightly"),
        (r"(?:\b(?:a|per|each|every)|/) ?day\b(?!.(?:trip|flight|off|tour|pass|bag))", " daily"),
        (
            r"\bone(?= (?:checked|carry|bag|suitcase|piece|hour|room|child|night|week|drink|glass|activit|meal|cit|"
            r"sight|museum|place|stop|country|region))",
            "1",
        ),
    )
)
_DATE = re.compile(
    r"\b(?P<year>\d{4})[-/.](?P<month>0?[1-9]|1[0-2])[-/.](?P<day>\d{1,2})\b"
    r"|(?:(?<=\d )|(?<=(?:st|nd|rd|th) )|\b(?=[a-z]{3,4}\.? \d))"
    r"(?P<name>jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b\.?",
    re.IGNORECASE,
)
"""A date in numbers, and the short name of a month beside one."""
_IRREGULAR = {
    "ate": "eat", "eaten": "eat", "flew": "fly", "flown": "fly", "slept": "sleep", "drove": "drive", "driven": "drive",
    "went": "go", "gone": "go", "children": "child", "kids": "child", "kid": "child", "people": "person",
    "feet": "foot", "knees": "knee", "paid": "pay", "spent": "spend", "took": "take", "taken": "take",
    "brought": "bring", "sat": "sit", "stood": "stand", "wives": "wife", "knives": "knife", "bought": "buy",
    "chose": "choose", "chosen": "choose", "kept": "keep", "felt": "feel", "knew": "know",
    "made": "make", "thought": "think", "told": "tell", "said": "say", "got": "get", "gotten": "get", "had": "have",
    "woke": "wake", "drank": "drink", "rode": "ride", "swam": "swim", "ran": "run", "grew": "grow", "gave": "give",
    "given": "give", "lost": "lose", "found": "find", "stuck": "stick", "done": "do", "does": "do", "did": "do",
    "has": "have", "is": "be", "are": "be", "am": "be", "was": "be", "were": "be", "been": "be", "dying": "die",
    "drunk": "drink",
    "women": "woman", "men": "man", "teeth": "tooth", "axes": "axe", "buses": "bus", "busses": "bus", "us": "us",
    "centre": "center", "centres": "center", "favourite": "favorite", "favourites": "favorite", "colour": "color",
    "theatre": "theater", "theatres": "theater", "traveller": "traveler", "travellers": "traveler",
    "travelling": "travel", "traveling": "travel", "travelled": "travel", "traveled": "travel",
    "neighbourhood": "neighborhood", "neighbourhoods": "neighborhood", "harbour": "harbor", "snorkelling": "snorkel",
    "programme": "program", "cancelled": "cancel", "cancelling": "cancel", "organised": "organized",
    "jewellery": "jewelry", "flavour": "flavor", "flavours": "flavor", "grey": "gray", "yoghurt": "yogurt",
    "aeroplane": "airplane", "aeroplanes": "airplane", "metre": "meter", "metres": "meter", "litre": "liter",
    "litres": "liter", "tyre": "tire", "odour": "odor", "odours": "odor", "mum": "mom", "mums": "mom",
    "evening": "evening", "morning": "morning", "mornings": "morning", "evenings": "evening", "wedding": "wedding",
    "building": "building", "ceiling": "ceiling", "something": "something", "anything": "anything",
    "everything": "everything", "nothing": "nothing", "during": "during", "spring": "spring", "string": "string",
    "skis": "ski", "skiing": "ski", "opening": "open", "listening": "listen", "visited": "visit", "limited": "limit",
    "visiting": "visit", "limiting": "limit", "hundred": "hundred", "need": "need", "speed": "speed", "red": "red",
    "besides": "besides", "outing": "outing", "outings": "outing", "seeing": "see", "twins": "twins",
    "parking": "parking",
    "taxis": "taxi", "safaris": "safari", "bikinis": "bikini",
    "bed": "bed", "feed": "feed", "seed": "seed", "news": "news", "always": "always", "sometimes": "sometimes",
    "him": "me", "them": "me",
    "this": "this", "goes": "go", "going": "go", "doing": "do", "being": "be", "using": "use",
    "tying": "tie", "lying": "lie", "met": "meet", "slow": "slow", "left": "left", "worn": "wear", "wore": "wear",
    "potatoes": "potato", "tomatoes": "tomato", "mangoes": "mango", "missing": "missing",
    "its": "its", "plus": "plus", "gas": "gas", "yes": "yes", "as": "as", "christmas": "christmas",
    "wellness": "wellness", "fitness": "fitness", "business": "business", "access": "access", "express": "express",
    "celsius": "celsius", "asparagus": "asparagus", "citrus": "citrus", "campus": "campus", "bonus": "bonus",
    "diabetes": "diabetes", "overseas": "overseas", "paris": "paris", "texas": "texas", "emirates": "emirates",
    "fries": "fries", "caving": "caving", "gaming": "gaming", "sweets": "sweets", "xmas": "christmas",
    "emojis": "emoji", "kiwis": "kiwi", "paninis": "panini", "jacuzzis": "jacuzzi", "zucchinis": "zucchini",
    "martinis": "martini", "glasses": "glasses", "plays": "plays", "licence": "license",
    "airways": "airways", "airlines": "airline", "united": "united", "qatar": "qatar", "netherlands": "netherlands",
}  # fmt: skip
_IN_IE_WORDS = """
    auntie birdie brownie budgie calorie cookie cutie foodie freebie goalie goodie groupie hippie hoodie indie junkie
    laddie magpie menagerie movie newbie nightie oldie patisserie pixie prairie quickie roadie rookie rotisserie selfie
    smoothie softie sortie sweetie talkie townie trekkie zombie
"""
_IN_IE = frozenset(_IN_IE_WORDS.split())
"""Words whose plural in "-ies" is none of a word in "-y"."""
_MUTE = ("ang", "rs", "ns", "as", "ows", "rg", "dg", "inat")
"""Ends of verbs whose "e" went before "-ing": changing, browsing."""
_PLAIN = re.compile(r"(?!.*\b(?:an?|per|each|every|one|half|cannot|cant|hour)\b)[a-z]+(?: [a-z]+)*")
"""Phrases in which nothing has to be written out."""
_VOWEL = re.compile(r"[aeiouy]")
_BRITISH = (
    ("ising", "izing"), ("ised", "ized"), ("ises", "izes"), ("ise", "ize"), ("isation", "ization"), ("yse", "yze"),
    ("ours", "ors"), ("our", "or"), ("oured", "ored"), ("ouring", "oring"), ("tres", "ters"), ("tre", "ter"),
    ("logue", "log"), ("logues", "logs"), ("elling", "eling"), ("elled", "eled"), ("eller", "eler"),
)  # fmt: skip
"""Endings that are spelt in two ways; a word that has none of these meanings is spelt the same on both sides."""


@dataclass(frozen=True, slots=True)
class Token:
    """One token: its base form, and whether it was written as a name."""

    base: str
    kind: str
    name: bool = False
    raw: str = ""


def tokens(text: str) -> list[Token]:
    """The tokens of `text` in order; number words are numbers, times and thousands are in one spelling."""
    plain = normalise(text).replace("\u3000", " ")
    if _PLAIN.fullmatch(plain):
        return [_word(raw, True) for raw in plain.split()]
    for pattern, written in _CONTRACTIONS:
        plain = pattern.sub(written, plain)
    plain = _DATE.sub(_in_words, plain)
    found: list[Token] = []
    shouted = plain.isupper()
    for match in _TOKEN.finditer(plain):
        kind, raw = str(match.lastgroup), match[0]
        starts = not found or found[-1].base in {".", "!", "?"}
        starts = starts and not (raw.isupper() and len(raw) > 2 and not shouted)  # "JFK connections are …"
        if kind == "time":
            found.append(Token(_clock(raw), "number"))
        elif kind == "number":
            found.append(Token("#" + re.sub(r"(?:st|nd|rd|th)$|,", "", raw), "number"))
        elif kind == "mark":
            found.append(Token(raw[0] if raw[0] != "-" else ",", "mark"))
        else:
            found.append(_word(raw, starts))
    return _clocked(found)


def _in_words(found: re.Match[str]) -> str:
    """A date with its month in words: "2031-04-09" is "9 april 2031"."""
    if found["name"]:
        return next(one for one in MONTHS if one.startswith(found["name"].casefold()[:3]))
    return f"{int(found['day'])} {MONTHS[int(found['month']) - 1]} {found['year']}"


def _clocked(found: list[Token]) -> list[Token]:
    """The tokens with "nine in the morning" as a time."""
    words = [one.base for one in found]
    for part, more in (("morning", 0), ("afternoon", 12), ("evening", 12)):
        for at in _runs(words, ["in", "the", part]):
            hour, _, minutes = words[at - 1][1:].partition(":")
            if words[at - 1][0] == "#" and hour.isdigit():
                later = more if int(hour) < more else 0
                time = Token(f"#{int(hour) + later}:{minutes or '00'}", "number")
                return [*found[: at - 1], time, *_clocked(found[at + 3 :])]
    return found


def _runs(words: list[str], run: list[str]) -> Iterator[int]:
    return (at for at in range(1, len(words)) if words[at : at + len(run)] == run)


def _word(raw: str, starts: bool) -> Token:
    lowered = raw.casefold()
    if lowered in NUMBER_WORDS and lowered != "one":
        return Token(f"#{NUMBER_WORDS[lowered]}", "number")
    name = raw[0].isupper() and not starts and lowered != "i"
    return Token(base(lowered), "word", name, lowered)


def _clock(raw: str) -> str:
    found = re.match(r"(\d{1,2})(?:[:.](\d\d))?\s?([ap])?", raw)
    assert found is not None
    hour = int(found[1])
    if found[3]:
        hour = hour % 12 + (12 if found[3] == "p" else 0)
    return f"#{hour}:{found[2] or '00'}"


@lru_cache(maxsize=16384)
def base(word: str) -> str:
    """The base form of a lower-case word: "hiking" and "hikes" are "hike", while "car" and "care" stay apart."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    for british, american in _BRITISH:
        if word.endswith(british) and len(word) > len(british) + 2:
            return base(word.removesuffix(british) + american)
    if word.endswith("ies") and len(word) > 4:
        return word[:-1] if word[:-1] in _IN_IE else word[:-3] + "y"
    if word.endswith("ied") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith("ings") and len(word) > 6:
        return base(word[:-1])  # "paintings" are what "painting" is
    if word.endswith(("sses", "shes", "ches", "xes", "zzes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
        return word[:-1]
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and _VOWEL.search(word[: -len(ending)]):
            return _verb(word[: -len(ending)])
    return word


def _verb(trunk: str) -> str:
    if trunk[-1] == trunk[-2] and trunk[-1] not in "lszeo":
        return trunk[:-1]
    syllables = len(re.findall(r"[aeiouy]+", trunk))
    if trunk[-1] in "vcu" or (trunk[-1] in "gz" and trunk[-2] in "aeiou") or trunk.endswith(_MUTE):
        return trunk + "e"
    closed = re.search(r"[^aeiou][aeiou][^aeiouwxy]$", " " + trunk)
    return trunk + "e" if closed and syllables == 1 else trunk
