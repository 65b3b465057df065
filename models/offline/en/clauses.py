"""Cuts a message into sentences and clauses, each an exact piece of the user's words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from models.offline.en.wording import clean, plain, table
from models.offline.tables import alternatives

_ABBREVIATION = re.compile(r"\b(?:a\.m|p\.m|e\.g|i\.e|u\.s|u\.k|st|mr|mrs|ms|dr|vs|approx|min|no)\.$", re.IGNORECASE)
_SENTENCE = re.compile(r"[.!?;…]+[\"')\]]*(?=\s|$)|\n+|\s-\s")
_STARTERS = (
    r"(?:i|we|my|our|the kids|both of us|all of us|no|nothing|never|always|only|please|prefer|avoid|don't|do "
    r"not|can't|cannot|"
    r"can you|could you|would you|will you|book|find|hate|love|if|also|when|whenever|for|on|it|that|this|you|"
    r"she|he|they|there|"
    r"what|how|which|where|allergic|remember|note|get|any|let|vegetarian|vegan|not|tight|aisle|window|ideally|"
    r"preferably|budget|everything|everywhere|anything|anywhere|hotels|flights|rooms|seats|she|he)"
)
_CLAUSE = re.compile(
    r"(?P<link>,?\s+(?:and also|and|but|so|because|since|as|though|although|yet|while|whereas|hence|therefore|"
    rf"then)\s+)(?={_STARTERS}(?:'\w+|\b))"
    r"|(?P<then>,\s+(?:and|but)\s+)(?=(?:[\w'&-]+\s+){3,}[\w'])(?=[^,]*\b(?:is|are|i|we|my|me|us|i'm|i've|"
    r"don't|can't|never|always|isn't|aren't|makes?|does|doesn't)\b)"
    r"|(?P<comma>,\s+)(?!(?:(?:always|never|only|please|if possible|if available|i think|i guess|no "
    rf"exceptions|no matter what|no thanks|that's all)\W*)+$)(?=(?:and |but |so )?{_STARTERS}(?:'\w+|\b))|"
    r"(?P<colon>:\s+)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Clause:
    """A piece of a message: the user's letters, its link to the piece before, whether a question mark ends it."""

    text: str
    link: str
    asked: bool
    sentence: int

    @property
    def explains(self) -> bool:
        """True when it gives the reason for, or the consequence of, the clause before it."""
        return self.link in {"because", "since", "as", "so", ",", "hence", "therefore", ":"}


def sentences(text: str) -> list[tuple[str, bool]]:
    """The sentences of `text`, each with whether a question mark ended it."""
    found: list[tuple[str, bool]] = []
    start = 0
    for match in _SENTENCE.finditer(text):
        if _ABBREVIATION.search(text[: match.start() + 1]) and match[0] == ".":
            continue
        piece = clean(text[start : match.start()])
        if piece:
            found.append((piece, "?" in match[0]))
        start = match.end()
    rest = clean(text[start:])
    return [*found, (rest, False)] if rest else found


def clauses(text: str) -> list[Clause]:
    """The clauses of `text` in order."""
    found: list[Clause] = []
    for number, (sentence, asked) in enumerate(sentences(text)):
        start, link = 0, ""
        for match in _CLAUSE.finditer(sentence):
            head = sentence[start : match.start()].strip()
            if not head or _paired(head, match):
                continue
            found.append(Clause(sentence[start : match.start()].strip(), link, False, number))
            link = re.sub(r"[\s,]", "", match[0]).lower() or ","
            start = match.end()
        found.append(Clause(sentence[start:].strip(), link, asked, number))
    return [clause for clause in found if clause.text]


def _paired(head: str, match: re.Match[str]) -> bool:
    """True for a joined subject ("seafood and I don't mix"), which is no clause of its own."""
    return (
        len(head.split()) <= 2
        and match[0].strip().lower() == "and"
        and not re.match(r"(?:i|we|i'm|we're|no|not|hate|love|my)\b", head, re.IGNORECASE)
    )


def trimmed(text: str) -> str:
    """`text` without what is said in passing at its head and tail, with a capital letter."""
    before = None
    while before != text:
        before = text
        text = _leads().sub("", text).strip(" ,;:-.!\"'")
        text = _tails().sub("", text).strip(' ,;:-.!"')
    return text[:1].upper() + text[1:]


@cache
def _leads() -> re.Pattern[str]:
    words = [re.escape(word.lower()) for word in table("grammar")["leads"]]
    closed = alternatives([*words, *(re.escape(word) for word in table("grammar")["leads_before_comma"])])
    return re.compile(
        rf"^(?:{closed}\s*[,:;!.-]+\s*|{alternatives(words)}\s+(?!(?:of|for|with|to|is|are)\b))", re.IGNORECASE
    )


@cache
def _tails() -> re.Pattern[str]:
    words = [re.escape(word) for word in table("grammar")["tails"]]
    return re.compile(rf"(?:\s*[,;-]\s*|\s+){alternatives(words)}[.!)]*$", re.IGNORECASE)


_QUESTION = re.compile(
    r"^(?:and |but |so |or |also |hi |hey |hello |please |okay |well |sorry )*(?:"
    r"(?:what|which|who|whom|whose|when|where|why|how)\b(?! (?:i|we|my) (?:travel|fly|stay|love|need|hate|"
    r"prefer|drive|rent|am)\b)(?!ever)|"
    r"(?:do|does|did|is|are|am|was|were|can|could|would|should|will|shall|may|might|have|has|had) "
    r"(?:i|you|we|they|he|she|it|the|there|this|that|these|those|any|my|your|our|anyone|someone|people|hotels|"
    r"flights|airlines|trains|vegetarians|vegans|all|both)\b|"
    r"(?:is|are|does|do|did|has|have|will|can|would) (?:not )?\w+|any (?:idea|chance|good|tips|suggestions|"
    r"recommendations|thoughts|ideas)|tell me|show me|"
    r"i (?:was|am) wondering|i wonder|i would like to know|i want to know|let me know|do not you|curious|"
    r"wondering|explain|give me (?:an? )?(?:list|idea|options|some|example|quote)|"
    r"suggest|recommend|find|search|look up|compare|list|check|"
    r"(?:choose|pick|select|plan|sort out) (?:(?:me|us) )?(?:an?|our|my|some|one)"
    r"(?!.*\b(?:always|whenever|every|wherever)))\b"
)
_NOT_ASKED = re.compile(
    r"^(?:(?:please|and|but|so|also|just) )*(?:do not|does not|did not|can not|cannot|will not|would not|have not|"
    r"has not|is not for|are not for|may not)\b|^(?:may|might) not\b|^have (?:always|never|to|had)\b|^will "
    r"(?:always|never|only)\b|^can only\b|^would rather\b|^would never\b"
)


def is_question(clause: Clause) -> bool:
    """True when the clause asks or requests, with or without a question mark."""
    text = plain(clause.text)
    if _NOT_ASKED.match(text):
        return clause.asked
    return clause.asked or bool(_QUESTION.match(text))
