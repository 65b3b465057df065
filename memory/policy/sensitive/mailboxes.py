"""E-mail addresses, written, said or veiled."""

from __future__ import annotations

import re

from memory.policy.rule import compiled

_BRACKETS = str.maketrans("【〔「《〈『】〕」》〉』", "[[[[[[]]]]]]")
_TLD = (
    r"com|net|org|edu|gov|io|co|jp|uk|de|fr|es|it|ch|eu|info|me|us|ca|au|in|br|mx|nl|se|no|dk|fi|pl|pt|at|be|ie|nz|"
    r"sg|kr|cn|example|test|dev|app|ai|mail|biz|xyz|コム|こむ|ネット|ジェーピー|ドットジェーピー|オルグ"
)
_DOT = (
    r"(?:\.|\s*[\[({<]\s*(?:dot|d0t|punkt|punto|point|\.)\s*[\])}>]\s*|[\s\-_]+(?:dot|point|punkt|"
    r"punto)[\s\-_]+|\s*[\[({<]?\s*(?:ドット|どっと)\s*[\])}>]?\s*)"
)
_MARK = (
    r"(?:@{1,2}\s*|\s@{1,2}\s|\s*[\[({<]\s*(?:at(?:[\s\-]?(?:sign|mark|symbol))?|@|a)\s*[\])}>]\s*|[\s\-_]+(?:at[ "
    r"\-]sign|arobase|arroba|chiocciola|klammeraffe|"
    r"at symbol|atmark|"
    r"at the rate(?: of)?)[\s\-_]+|-at-|_at_|\s*[\[({<]?\s*(?:アット|"
    r"あっと)(?:マーク|まーく)?\s*[\])}>]?\s*)"
)
_PART = r"[a-z0-9_%+\-]+"
_LOCAL = rf"{_PART}(?:(?:{_DOT}|\s+(?:underscore|dash|hyphen|plus)\s+){_PART}){{0,4}}"
_DOMAIN = rf"{_PART}(?:{_DOT}{_PART}){{0,3}}{_DOT}(?:(?:{_TLD})(?![a-z])|[a-z]{{2,24}}\b)"
_EMAIL = (
    rf"[^\s@]{{1,64}}(?:@\s?|\s@\s)[^\s@]{{1,64}}?\s?\.\s?[^\s@.]{{2,}}|"
    rf"[^\s@]{{1,64}}\s@[^\s@]{{1,64}}\.(?:{_TLD})(?!\w)|"
    r"(?<![\w.])[a-z0-9._%+\-]{2,64}\s*(?:アット|あっと)(?:マーク|"
    r"まーく)?\s*[ぁ-んァ-ヶーa-z0-9\-]{2,30}?\s*(?:ドット|どっと|\.)|"
    rf"(?:[^\s@<>()\[\]:,;]{{1,64}}|"
    rf"{_LOCAL}){_MARK}{_DOMAIN}|"
    rf"[\w.+\-]+\s?[\[({{<]\s?at\s?[\])}}>]\s?[\w\-]+\s?\.\s?[a-z]{{2,}}"
)
_ODD_EMAIL = r"(?<![\w.])[a-z][\w.+\-]{1,40}@[a-z][a-z0-9]{2,20}[_\-,/][a-z]{2,12}(?![\w@])"
"""An address with another sign for the dot, as in "kim@example_org"."""

_STARRED_EMAIL = (
    r"(?<![a-z0-9._%+\-])[a-z0-9._%+\-]{1,64}\s?[☆★◎●◆■※#*!$]\s?[a-z0-9\-]{1,64}(?:\.[a-z0-9\-]{1,64}){0,4}"
    rf"\.(?:{_TLD})\b"
)
"""An address with another sign for the at sign, as in "ken☆example.jp"."""

_AT_SIGN = (
    r"@|at the rate|-at-|_at_|[\[({]\s*a\s*[\])}]|アット|あっと|[\[({<]\s*at\s*[\])}>]|"
    r"at[ \-]?sign|at[ \-]?mark|arobase|arroba|chiocciola|klammeraffe"
)
_SAID_EMAIL = (
    rf"\b(?P<local>{_LOCAL})\s+at\s+(?P<domain>{_PART}(?:{_DOT}{_PART}){{0,2}}{_DOT}(?:{_TLD})\b|"
    rf"{_PART}(?:{_DOT}{_PART}){{0,2}}\s+dot\s+[a-z]{{2,12}}\b|(?:gmail|hotmail|outlook|icloud|protonmail|yahoo)\b)"
)
_ON_A_SITE = r"\bmail\b.{0,20}?\b[a-z0-9_\-]+[._][a-z0-9._\-]+ on (?:gmail|outlook|hotmail|yahoo|icloud|proton)"
_HANDLE = (
    r"(?:(?<![\w.@])(?:gmail|icloud|outlook|hotmail|yahoo|proton(?:mail)?|gmx|fastmail)(?![\w.])|gメール|ジーメール|"
    r"ヤフーメール|アイクラウド)[^\w@]{0,3}(?:(?:is|it's|as|name|user|account|address|handle|under|my)\W{1,3}|"
    r"は|で|の|アカウント){0,3}"
    rf"(?<![\w.])(?![\w.\-]+\.(?:{_TLD})(?!\w))[a-z][a-z0-9]*(?:[._\-]?[a-z0-9]+)*(?:(?<=\d\d)|"
    rf"[._][a-z0-9]+)(?![\w.@])"
)
"""The name of a mailbox at a provider that is named, without any at sign."""

_MAIL_WORDS = r"e-?mail|\bmail\b|\breach me\b|contact me|write (?:to )?me|メール|アドレス"
_VISITS_LIST = """
    book booked booking bookings buy bought search searched searching look looking looked shop shopping check
    checking checked reserve reserved reservation reservations hotel hotels flight flights found find prices
    price deals deal account profile stay stayed meet arrive arriving compare compared tickets ticket rooms room
    cars car rates rate offers points read saw seen review reviews it them this that always usually cheap best
    me only everything things trips travel login register registered signed sign available sold here cheaper
    cheapest insurance
"""
_VISITS = frozenset(_VISITS_LIST.split())


def has_mailbox(text: str) -> bool:
    """True when `text` holds an e-mail address, or a mailbox of a known provider."""
    lowered = re.sub(r" ?\u00b7 ?", "", text.lower()).translate(_BRACKETS)
    if compiled(_AT_SIGN).search(lowered) and compiled(_EMAIL).search(lowered):
        return True
    shapes = (_STARRED_EMAIL, _ODD_EMAIL, _HANDLE, _ON_A_SITE)
    if any(compiled(shape).search(lowered) for shape in shapes):
        return True
    if " at " not in lowered:
        return False
    about_mail = compiled(_MAIL_WORDS).search(lowered) is not None
    return any(about_mail or _is_mailbox(match) for match in compiled(_SAID_EMAIL).finditer(lowered))


def _is_mailbox(said: re.Match[str]) -> bool:
    local = said["local"].split()
    return local[-1] not in _VISITS if len(local) == 1 else True
