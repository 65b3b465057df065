"""Phone numbers, street addresses, and mailboxes by `mailboxes`."""

from __future__ import annotations

import re

from memory.policy.rule import compiled
from memory.policy.sensitive.addresses import is_written_address
from memory.policy.sensitive.dates import mask
from memory.policy.sensitive.explained import without_memberships
from memory.policy.sensitive.labels import Label, digits
from memory.policy.sensitive.mailboxes import has_mailbox

_PHONE_WORDS = (
    r"phone|\bmobile\b|\bcell(?:phone)?\b|\btel\b|telephone|whats ?app|\bsms\b|\btext me\b|\bcall me\b|\bring me\b|"
    r"\breach me\b|contact (?:me|number)|\bline\b|\bviber\b|\bfax\b|my number|\bnumber is\b|電話|携帯|ケータイ|"
    r"連絡先|でんわ|番号は"
)
_PHONE = Label(
    "phone",
    "phone|mobile|cell|tel|whats|sms|text me|call me|ring me|reach me|contact|line|viber|fax|number|電話|携帯|"
    "ケータイ|連絡先|でんわ|番号は",
    _PHONE_WORDS,
    rf"\+?\(?{digits(6, 15)}|\+?\(?\d{{1,4}}\)?[\s.\-]?\(?\d{{1,4}}\)?[\s.\-]?\d{{2,4}}[\s.\-]?\d{{2,5}}",
    digits(7, 15),
)
_PHONE_SHAPES = (
    r"(?<![\w+])\+\s?\(?\d{1,3}\)?(?:[\s.\-()/]{0,3}\d){6,13}(?!\d)|(?<!\d)00\d{2}(?:[\s.\-()]{0,2}\d){7,12}(?!\d)|"
    r"(?<![\d\-/])\(?[2-9]\d\d\)?[\s.\-]{1,2}[2-9]?\d\d[\s.\-]\d{4}(?!\d)|"
    r"(?<![\d\-/.,])\(?0\d{1,4}\)?[\s.\-]?\d{1,4}[\s.\-]\d{3,4}(?:[\s.\-]\d{1,4})?(?![\d])|"
    r"(?<![\d\-/.,])0\d{1,2}(?:[\s.\-]\d{2}){4}(?!\d)|(?<![\d\-/.,])0\d{9,10}(?!\d)"
)

_STREET = (
    r"street|avenue|ave|road|lane|boulevard|blvd|terrace|crescent|parkway|pkwy|highway|hwy|alley|mews|grove|circle|"
    r"\brd|\bst|\bln|\bpde|\btce|\bcres|\bcct|esplanade|wynd|\bbrae|straße|strasse"
)
_SIGHT = (
    r"(?! (?:museum|station|market|shops?|area|photo|tours?|walks?|selfie|hotel|restaurant|bar|cafe|store|show|"
    r"from outside|is (?:a|an|the) (?:dream|must|sight|hotel|restaurant))\b)"
)
_STREET_IF_NAMED = (
    r"drive|dr|court|ct|place|pl|way|square|sq|close|row|croft|vale|parade|circuit|strand|chase|hollow|ridge|"
    r"bend|mount|gardens|hill|walk|quay|green|park|view|rise|trail|loop|"
    r"path"
)
_NOT_NAME = (
    r"(?:near|from|to|on|of|in|at|the|a|an|and|or|min|mins|minutes?|minute's|hours?|hour's|days?|nights?|"
    r"weeks?|months?|years?|stars?|km|kms|miles?|m|blocks?|adults?|"
    r"kids?|people|persons?|hotels?|rooms?|beds?|floors?|bags?|trips?|times?|off|by|along|down|per|flights?|"
    r"seats?|tickets?|guests?|eur|usd|for|with|stops?|one|two|way|am|pm|walks?|drives?|steps?|meters?|metres?|"
    r"pieces?|is|was|i|my|we|until|before|after|around)"
)
_HOUSE = (
    r"(?<![\d.,:/\-$])\d{1,5}(?:[-/]\d{1,4})?\s?[a-d]?(?:,)?\s(?:(?:apt|apartment|unit|"
    r"flat)\.? ?\w+,? )?(?:[nsew]\.? |north |south |east |west )?"
)
_NAMES = rf"(?:(?!{_NOT_NAME}\b)[a-z0-9][\w'.\-]*\s){{1,4}}?"
_NUMBER_WORDS = (
    r"(?:(?:one|two|three|four|five|six|seven|eight|nine) hundred(?: and)?\s(?:(?:one|two|three|four|"
    r"five|six|seven|eight|nine)\s)?)?(?:ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|"
    r"seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|"
    r"sixty|seventy|eighty|ninety)(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?\s"
)
_ADDRESS = (
    rf"{_HOUSE}{_NAMES}(?:{_STREET})\b{_SIGHT}",
    rf"\b{_NUMBER_WORDS}{_NAMES}(?:{_STREET})\b",
    r"\bp\.? ?o\.? ?box \d+",
    r"\b[a-z]+(?:strasse|straße|str\.|gasse|platz|allee|weg|damm|ufer|promenade|straat|laan|gade|"
    r"gatan)\s\d{1,4}\s?[a-z]?\b",
    r"(?<!\d)\d{1,4},?\s(?:bis |ter )?(?:rue|avenue|boulevard|chemin|impasse|quai|allee|place(?= d)|calle|rua|"
    r"avenida|piazza|plaza|viale)\s(?:de |du |des |la |le |l'|del |della |d')*[a-z]+",
    rf"\b(?:rue|calle|rua|avenida|viale|piazza)\s(?:(?!{_NOT_NAME}\b)[\w']+\s){{1,4}}(?:n[ro.]* ?)?\d{{1,4}}\b",
)
_NAMED_ADDRESS = (
    rf"(?<![\d.,:/\-$])\d{{1,5}}[A-Da-d]?,? (?:[NSEW]\.? "
    rf")?(?!Hotel)(?:[A-Z][\w'.\-]*\s){{1,3}}(?:{_STREET_IF_NAMED.title()})\b{_SIGHT}",
    r"(?<![\d.,:/\-$])\d{1,4} (?:[A-Z][\w'.\-]* ){1,4},? ?[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}\b",
    r"\bVia (?:[A-Z]\w+ ){1,3}\d{1,4}(?! ?(?:times|hours?|hrs?|nights|days|stops|min|km|eur|usd|am\b|pm\b))\b",
    r"\d{1,5} [\w .']{3,40}, ?[A-Z][\w ]+, ?[A-Z]{2},? \d{5}\b",
)
_LIVES = (
    r"(?:\b(?:i|we) (?:live|reside|stay|am living)\b|\b(?:home|mailing|billing|street|postal|delivery|"
    r"residential|my|our|shipping)\s?address|\baddress(?: is|:)|\bmy (?:house|home|flat|apartment)(?: is|:)|"
    r"\bresid(?:ing|ence)(?: is|:))[\s:,]*(?:(?:is|at|in|on|number|no\.?|flat|apt|apartment|unit|suite|"
    r"house)\W{0,2}){0,4}"
)
_LABELLED_ADDRESS = (
    rf"{_LIVES}(?:\w{{1,8}},? ){{0,3}}?(?:\d{{1,5}}[a-d]?(?:[-/]\d+){{0,2}},? (?!{_NOT_NAME}\b)[a-z]|"
    rf"{_NUMBER_WORDS}[a-z])|(?:i|we) live [^.]{{0,30}}\b[A-Z]{{1,2}}\d[A-Z\d]? ?\d[A-Z]{{2}}\b|"
    rf"address[^.]{{0,60}}\b\d{{5}}(?:-\d{{4}})?\b|\blive at (?:number )?\d{{1,5}}[a-d]?,? the [a-z]|"
    rf"\baddress(?: is|:)\s*[a-z][\w.' \-]{{2,40}} \d{{1,5}}[a-z]?(?!\w)|"
    rf"(?<![\d:])\d{{1,5}}[a-z]?(?:[-/]\d+){{0,2}},?(?: [a-z][\w' ,]{{0,30}})? is (?:my (?:home |"
    rf"own )?(?:address|home|house|place|flat|apartment)\b|(?:our )?home\b|where (?:i|we) (?:live|am))"
)
_NEAR = (
    r"\b((?:near|around|close to|next (?:to|door to)|opposite|behind|off|round the corner from|like|"
    r"(?:ate|eat|dinner|lunch|table|drinks|brunch) at) "
    r")\d{1,4}[a-d]?(?= [a-z])"
)
"""A house number that is only a landmark."""
_JA_NUMBER = r"[\d一二三四五六七八九十百]+"
_JA_ADDRESS = (
    rf"(?:[都道府県市区町村郡]|[^\x00-\x7f]{{2,8}}){_JA_NUMBER}\s?丁目\s?(?:の?\s?{_JA_NUMBER}|\d)|"
    rf"{_JA_NUMBER}\s?番地|{_JA_NUMBER}\s?番\s?(?:の)?{_JA_NUMBER}\s?号|"
    rf"[都道府県市区町村郡][^\s、。\d]{{0,14}}\s?\d{{1,4}}[-の]\d{{1,4}}[-の]\d{{1,4}}|"
    rf"[^\x00-\x7f]{{2,10}}\d{{1,2}}-\d{{1,3}}-\d{{1,3}}(?![-\d])|"
    r"(?:荷物|送り先|届け先|迎え|集荷|配達|"
    r"宅配)[^\d。]{0,10}[都道府県市区町村郡][^\d。]{0,15}\d{1,4}(?:[-の]\d{1,4})+(?!泊|日|人|名|時|月|年|分)|"
    r"〒\s?\d{3}-?\d{4}|郵便番号\D{0,6}\d{3}-?\d{4}|(?:住所|自宅|実家|住まい|"
    r"住んで)[^\d。]{0,25}\d{1,4}(?:[-の]\d{1,4})+(?!泊|日|人|名|時|月|年|分)"
)


def contact_kind(text: str) -> str | None:
    """`email`, `phone` or `street_address` when `text` holds one, else None."""
    if has_mailbox(text):
        return "email"
    if not re.search(r"\d", text):
        return "street_address" if _has_address(text) or compiled(_JA_ADDRESS).search(text) else None
    masked = compiled(_NEAR).sub(r"\1", mask(text))
    if _has_address(masked) or compiled(_JA_ADDRESS).search(text) or is_written_address(text):
        return "street_address"
    return "phone" if _has_phone(without_memberships(masked)) else None


def _has_phone(text: str) -> bool:
    if len(re.findall(r"\d", text)) < 6:
        return False
    return _PHONE.hits(text) or compiled(_PHONE_SHAPES).search(text) is not None


def _has_address(text: str) -> bool:
    if any(compiled(pattern).search(text.lower()) for pattern in (*_ADDRESS, _LABELLED_ADDRESS)):
        return True
    return any(compiled(f"(?-i:{pattern})").search(text) for pattern in _NAMED_ADDRESS)
