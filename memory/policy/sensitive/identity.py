"""National ids, passports and birth dates."""

from __future__ import annotations

import re

from memory.policy.rule import compiled
from memory.policy.sensitive.dates import FULL_DATE, SHORT_DATE, full_years, mask
from memory.policy.sensitive.explained import without_memberships
from memory.policy.sensitive.labels import Label, digits, mixed

_PASSPORT = Label(
    "passport",
    "passport|pass port|ppt|パスポート|旅券",
    r"pass? ?p(?:or|ro)t|\bppt\b|パスポート|旅券",
    mixed(6, 10),
    digits(7, 9),
)
_NATIONAL_WORDS = (
    r"\bssn\b|\b(?:my|his|her) social\b|social security|soc\.? sec|emirates id|\bcnic\b|medical card|\binsee\b|"
    r"social insurance|\bsin\b|national (?:id|"
    r"identity|identification|insurance)|\bnino\b|(?:identity|id|residence|resident) (?:card|number|no\b)|"
    r"\bid is\b|\bni (?:no\b|num)|"
    r"\bmy id\b|\bi\.?d\.? ?(?:#|no\b|num)|tax(?:payer)? (?:id|number|file|code|reference)|\btfn\b|\bitin\b|"
    r"\btin\b|aadha+r|\bpan (?:card|number|is)|\bcpf\b|\bcnpj\b|\bdni\b|\bnie\b|\bnif\b|codice fiscale|"
    r"\bnir\b|numero de securite|steuer-?(?:id|identifikationsnummer|nummer)|personalausweis|\bbsn\b|"
    r"burgerservicenummer|personnummer|personal (?:number|code|identification)|"
    r"fodselsnummer|\bcpr\b|pesel|\brrn\b|resident registration|\bnric\b|\bhkid\b|\bcurp\b|\bcedula\b|"
    r"my number card|nhs number|medicare|medicaid|health (?:card|insurance) (?:number|no|id)|"
    r"insurance (?:number|policy number)|driv(?:er'?s?|ing) licen[cs]e|driving permit|known travell?er|\bktn\b|"
    r"redress|tsa (?:pre-?check|number)|precheck|global entry|visa (?:number|no\b)|"
    r"green card|residence permit|military id|voter id|マイナンバー|個人番号|免許(?:証)?(?:の?番号)?|保険証|"
    r"基礎年金|年金番号|在留カード|住民票コード|身分証|身份证"
)
_NATIONAL = Label(
    "national_id",
    "ssn|soc|ni |cnic|emirates|insee|sin|nation|nino|identity|id|resident|residence|tax|tfn|tin|aadha|pan|cpf|"
    "cnpj|dni|nie|"
    "nif|codice|nir|securite|steuer|ausweis|bsn|burger|person|fodsels|cpr|pesel|rrn|nric|curp|cedula|number|"
    "nhs|medic|insurance|licen|permit|known|ktn|redress|tsa|precheck|entry|visa|green card|マイナン|個人番号|"
    "免許|保険|年金|在留|住民|身",
    _NATIONAL_WORDS,
    rf"{digits(5, 18)}|{mixed(6, 18)}",
    digits(6, 18),
)
_BORN_THEN = (
    r"\bborn\b|birth ?date|\bbirth\b|\bd[. ]?o[. ]?b\b|on (?:this|the) (?:planet|earth)|this world|the world on|"
    r"(?:been )?alive since|years? old on|"
    r"came (?:along|into)|\b(?:twins?|son|daughter|baby|boy|girl|kid|bub) arrived|first (?:breath|cry)|entered "
    r"(?:the|this) world|light of day|life began|blew out|"
    r"\bnee? le\b|nacid[oa]|nascid[oa]|\bnat[oa] il|\bfodd\b|\bgeb\b|(?<=\d)生(?![まき活産])|うまれ|産まれ|"
    r"geburtsdatum|geboren|nacimiento|naissance|nascita|生年月日|生まれ(?!変)|生誕|誕生(?!日)|出生|"
    r"日生(?!まれ変|活|産)"
)
_BORN = (
    rf"{_BORN_THEN}|birth ?day|\bb-?day\b|誕生日|バースデー|還暦|古希|喜寿|傘寿|米寿|"
    r"\b(?:turn(?:ed|s|ing)?|hit|reached) (?:\d{1,2}|[a-z]+ty)\b|\d{1,3}歳に(?:な[っり])"
)

_DATE = re.sub(r"\?P<y\d>", "?:", FULL_DATE)
_LAST_BIRTHDAY_YEAR = 2024
"""A birthday with a later year is a trip on that day; a date of birth is caught by "born" whatever its year."""
_COMING = r"(?<!\d)(?:2[5-9]|3[0-6])年|(?<!\d)\d{1,2}[-/.]\d{1,2}[-/.](?:2[5-9]|3[0-6])(?!\d)"
_LAST_ADULT_YEAR = 2012
_PAST_EVENT = (
    r"anniversar|marri|wedding|since|stay|visit|trip|travel(?!l?er)|fl(?:y|ew|ight)|open|member|built|"
    r"depart|arriv|book|"
    r"tour|exhibit|museum|concert|histor|battle|\bwar\b|landing|festival|d-day|\bwere\b|founded|戦|"
    r"開業|創業|開館|コンサート|"
    r"expir|valid|renew|issued|return|bought|記念|結婚|泊|旅行"
)

_PERSON = (
    r"\b(?:b\.|male|female|sex|gender|nationality|citizen|passengers?|apis|adult|senior|mrs?\b|ms\b|age "
    r"(?:proof|check)|"
    r"candles|name)|[:\-] ?me\b|"
    r"\b(?:husband|wife|partner|son|daughter|mother|father|mum|mom|dad|brother|sister|kid|child|baby|boss|"
    r"friend|nan)s?\b"
    r"(?: is|'s)?\W{0,3}(?=\d)|氏名|男性|女性|名前|大人|本人"
)
"""Words of a form about a person, next to which an old date is the one of their birth."""
_CARD_OF_TWO = r"記号\D{0,3}\d{2,8}\D{0,4}番号\D{0,3}\d{3,8}"
"""A Japanese insurance card: a sign and a number."""
_SHAPED = (
    r"(?<![A-Z0-9])(?:[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d\d ?\d\d ?\d\d ?[A-D]|[STFGM]\d{7}[A-Z]|"
    r"[A-Z]{1,2}\d{6}\([0-9A]\)|[A-Z]{2}\d{8}[A-Z]{2})(?![A-Z0-9])"
)
_PASSPORT_SHAPE = (
    r"\bP<[A-Z]{3}[A-Z<]{5}|(?<![A-Z0-9])(?:[A-Z]{2} ?\d{7}|[A-Z] ?\d{8}|\d{2}[A-Z]{2}\d{5}|"
    r"[CFGHJK][0-9CFGHJKLMNPRTVWXYZ]{8}(?<=\d))(?![A-Z0-9])"
)


def identity_kind(text: str) -> str | None:
    """`birth_date`, `passport` or `national_id` when `text` holds one, else None."""
    if _is_birth_date(text):
        return "birth_date"
    if len(re.findall(r"\d", text)) < 3 and "<<" not in text:
        return None
    masked = without_memberships(mask(text))
    if _PASSPORT.hits(masked):
        return "passport"
    if _NATIONAL.hits(masked) or any(compiled(shape).search(masked) for shape in (_SHAPED, _CARD_OF_TWO)):
        return "national_id"
    return "passport" if compiled(f"(?-i:{_PASSPORT_SHAPE})").search(masked) else None


def _is_birth_date(text: str) -> bool:
    lowered = text.lower()
    if not re.search(r"[\d一二三四五六七八九十]", text):
        return False
    years = full_years(text)
    if compiled(_BORN).search(lowered):
        if years and compiled(_near_birth(_DATE)).search(lowered):
            return compiled(_BORN_THEN).search(lowered) is not None or min(years) <= _LAST_BIRTHDAY_YEAR
        coming = compiled(_COMING).search(lowered) is not None and not compiled(_BORN_THEN).search(lowered)
        return compiled(_near_birth(SHORT_DATE)).search(lowered) is not None and not coming
    old = any(year and year <= _LAST_ADULT_YEAR for year in years)
    return old and not compiled(_PAST_EVENT).search(lowered) and _is_of_person(lowered)


def _is_of_person(lowered: str) -> bool:
    """True when an old date stands in a form about somebody, or next to hardly more than a name."""
    others = re.findall(r"[^\W\d_]{2,}", compiled(_DATE).sub(" ", lowered))
    return (lowered.isascii() and len(others) <= 2 and "on" not in others) or compiled(_PERSON).search(
        lowered
    ) is not None


def _near_birth(date: str) -> str:
    return rf"(?:{_BORN})[^\d]{{0,40}}?(?:{date})|(?:{date})[^\d]{{0,25}}?(?:{_BORN})"
