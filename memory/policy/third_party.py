"""Whose fact is it? Notes are about the user and those who travel with them, nobody else (S4.2 `third_party`)."""

from __future__ import annotations

from collections.abc import Sequence

from memory.policy.rule import compiled
from text import normalise

_OTHERS = (
    r"boss|manager|supervisor|employer|colleagues?|co-?workers?|neighbou?rs?|landlord|landlady|teacher|doctor|"
    r"dentist|lawyer|client|customer|"
    r"ex(?:-(?:wife|husband|partner|girlfriend|boyfriend))?|former (?:boss|colleague|wife|husband)|roommate|"
    r"flatmate|housemate|acquaintance|"
    r"(?:best |old |good )?friends?|buddy|mate|cousins?|uncle|aunt(?:ie)?|nephew|niece|in-laws|brother-in-law|"
    r"sister-in-law|assistant|secretary|intern|"
    r"classmate|teammate|hairdresser|barber|therapist|coach|president|prime minister|celebrity"
)
_SUBJECT = (
    rf"^(?:(?:fyi|note|well|so|also|and|but|btw|actually|remember that|the user says|user's)[,:]? )*(?:my |our |"
    rf"the user's |the traveller's |user's )?(?:\w+ )?(?:{_OTHERS})\b(?:'s? \w+| named \w+|,? \w+,)? "
)
_VERB = (
    r"(?:really |always |never |usually |only |also |absolutely )*(?!and i\b|and me\b)(?:is|are|was|has|have|had|"
    r"hates?|loves?|likes?|prefers?|wants?|needs?|can't|cannot|won't|doesn't|don't|refuses?|flies|fly|travels?|"
    r"books?|enjoys?|dislikes?|avoids?|suffers?|uses?|eats?|drinks?|lives?|works?|always|never|went|got|owns?|"
    r"stays?|collects?|allergic)\b"
)
_TOGETHER = (
    r"\b(?:we|us|me|i|with me)\b|\b(?:together|both of us|join(?:s|ing)? me|travel(?:s|l?ing)? with|com(?:es?|"
    r"ing) (?:along|with)|accompan)"
)
_NAMED = (
    r"^([A-Z][a-z]+) (?:really |always |never |usually )?(?:hates|loves|likes|prefers|wants|needs|refuses|enjoys|"
    r"dislikes|avoids|is allergic|is vegetarian|is vegan|can't|cannot|doesn't)\b"
)
_NOT_NAMES_LIST = """
    user traveller traveler customer client guest family party everyone nobody anything always never also
"""
_NOT_NAMES = frozenset(_NOT_NAMES_LIST.split())
_COMPANION = (
    r"wife|husband|spouse|partner|girlfriend|boyfriend|fianc\w+|daughters?|sons?|child|children|kids?|baby|"
    r"toddler|infant|mother|father|mum|mom|dad|"
    r"parents?|grand\w+|sister|brother|twins?|family|travel companion|wheelchair"
)
_JA_OTHERS = (
    r"^(?:(?:私|僕|うち|弊社)の)?(?:会社の|昔の|隣の)?(?:上司|同僚|部下|友人|友達|隣人|知人|先輩|後輩|社長|部長|"
    r"課長|クライアント|取引先|元妻|元夫|いとこ|叔父|叔母|先生)(?:の\w{1,6})?(?:は|が|も)"
)
_JA_TOGETHER = r"一緒|同行|連れ|私(?:も|は|が|と)|二人|同伴"


def is_about_others(text: str, user_words: Sequence[str] = ()) -> bool:
    """True when `text` states a fact about somebody who does not travel with the user.

    Close family counts as company; friends and colleagues only when the text or the user says they come along.
    """
    plain = normalise(text)
    lowered = plain.casefold()
    said = " ".join(normalise(words) for words in user_words).casefold()
    if compiled(_JA_OTHERS).search(plain):
        return not compiled(_JA_TOGETHER).search(plain)
    if compiled(_SUBJECT + _VERB).search(lowered):
        return not (compiled(_TOGETHER).search(lowered) or _comes_along(lowered, said))
    return _names_a_stranger(plain, said)


def _comes_along(statement: str, said: str) -> bool:
    who = compiled(rf"\b(?:{_OTHERS})\b").search(statement)
    if not who:
        return False
    with_me = (
        rf"(?:travel|fly|go|trip|holiday|vacation|com)\w* (?:\w+ ){{0,4}}with (?:my |our )?(?:\w+ )?{who.group()}|"
        rf"{who.group()} (?:\w+ ){{0,3}}(?:is |are |will )?(?:com|join|travel|fly)\w* (?:\w+ ){{0,2}}(?:with me|"
        rf"along|too|us|me)|{who.group()} and i\b"
    )
    return bool(compiled(with_me).search(said))


def _names_a_stranger(statement: str, said: str) -> bool:
    named = compiled("(?-i:" + _NAMED + ")").search(statement)
    if not named or named.group(1).lower() in _NOT_NAMES or compiled(_COMPANION).fullmatch(named.group(1)):
        return False
    name = named.group(1).lower()
    introduced = (
        rf"(?:i'm|i am|my name is|call me|this is) {name}\b|(?:{_COMPANION}),? {name}\b|{name},? (?:my|"
        rf"our) (?:\w+ )?(?:{_COMPANION})\b|with {name}\b|{name} and (?:i|me)\b"
    )
    return not compiled(introduced).search(said)
