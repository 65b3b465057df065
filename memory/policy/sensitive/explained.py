"""Numbers that a traveller means as what they are: seats, flights, rooms, distances, memberships.

Taken out of a text, what is left is a number or a code that needs another explanation.
"""

from __future__ import annotations

from memory.policy.rule import compiled
from memory.policy.sensitive.dates import mask

_UNITS = (
    r"(?:st|nd|rd|th|kms?|m|cm|mm|kgs?|g|lbs?|pounds|l|lit(?:re|er)s?|ml|mg|mi|miles?|mph|kmh|km/h|"
    r"min(?:ute)?s?|h|hrs?|"
    r"hours?|days?|nights?|weeks?|months?|years?|yrs?|y/?o|adults?|kids?|child(?:ren)?|people|persons?|pax|guests?|"
    r"travell?ers?|passengers?|rooms?|bed(?:room)?s?|bath(?:room)?s?|bags?|pieces?|stars?|percent|degrees?|[cf]|"
    r"[gmt]b|"
    r"mbps|k?wh?|hz|mah|v|volts?|steps?|points?|pts|tickets?|seats?|rows?|stops?|flights?|trips?|"
    r"floors?|stor(?:ey|ie)s|"
    r"times|sqm|m2|sq|inch(?:es)?|ft|feet|foot|pages?|photos?|reviews?|dives?|met(?:er|re)s?|blocks?|cities|"
    r"countries|books?|airlines|entries|legs?|segments?|nm|k|m|bn|million|mile|star|night|day|hour|minute|year|"
    r"month|week|person|seater|course|way)"
)
_JA_UNITS = (
    r"(?:泊|日|人|名(?!義|前)|歳|才|時|分|秒|月|年|円|万|千|階|号室|号車|番線|番バス|番ゲート|番目|便|"
    r"回|個|台|枚|本|冊|軒|杯|"
    r"キロ|メートル|センチ|度|時間|週間|ヶ月|か月|カ月|部屋|室|席|列|つ|ページ|リットル|インチ|倍|割|周年|世紀|"
    r"両|機|艘|隻|点|件|通|問|曲|話|%|(?:km|m|kg)(?![A-Za-z\d]))"
)
_PLACES = (
    r"(?:flights?|rooms?|suites?|cabins?|seats?|rows?|gates?|terminals?|platforms?|tracks?|bus(?:es)?|trams?|lines?|"
    r"trains?|tables?|decks?|coach|carriages?|cars?|wagons?|halls?|zones?|sections?|blocks?|berths?|bunks?|routes?|"
    r"highways?|motorways?|exits?|piers?|docks?|pages?|floors?|levels?|stages?|stands?|lockers?|belts?|carousels?|"
    r"chapters?|episodes?|boeing|airbus|embraer|class|group|lane|locker|villa|bungalow|chalet|camp ?site|pitch|"
    r"chrome|version|eu|regulation|nozomi|hikari|ice|tgv|ave|ic|re|rer|のぞみ|ひかり|こだま|はやぶさ)"
)
_AMOUNT = r"\d{1,9}(?:[.,]\d{1,3}){0,3}"
_TRAVEL = (
    rf"\b{_PLACES}(?:'s)?,? ?(?:is |was |are |number |numbers |no\.? ?|nr\.? ?|# ?|"
    rf": ?){{0,3}}[A-Z]{{0,2}}\d{{1,4}}[A-Z]?\b"
    r"(?:(?:, or|,| or| and|/|-| to) ?[A-Z]?\d{1,4}[A-Z]?\b){0,8}(?![\d.\-]*\d{3})",
    rf"(?<![A-Za-z\d.\-]){_AMOUNT}(?:[\-–/x ]{{1,3}}{_AMOUNT})?[\s\-]?(?:%|°|\"|'|{_UNITS}\b|{_JA_UNITS})",
    r"(?<![A-Za-z\d.\-])\d{1,3}(?:[.,]\d)?(?: ?[x×*] ?\d{1,3}(?:[.,]\d)?){1,2}(?!\d)",
    r"\b(?:at|dep(?:arture|arts?|art)?|arr(?:ival|ives?|ive)?|by|before|after|from|till?|until|around|"
    r"for|alarm|leaves?)\W{1,3}(?:[01]\d|2[0-3])[0-5]\d(?![\w\-.])",
    r"(?<![\w.\-の])(?<!\d )(?:19\d\d|20[0-4]\d)(?:s|-\d\d)?(?![\w\-の]|[. ]\d)",
    r"(?<![\w])#\d{1,2}(?!\d)|(?<!\w)(?:no|nr)\.? ?\d{1,2}(?!\d)",
    r"\b(?:utc|gmt|spf|fl|gr|rn|rt|km|eu|lat|lon)\s?[+\-]?\d{1,3}(?:\.\d+)?(?!\d)",
)
_FLIGHT = (
    r"(?<![A-Za-z0-9\-])(?:[A-Z]{2}|[A-Z]\d|\d[A-Z])[ \-]?\d{1,4}(?![A-Za-z0-9\-])(?!\.?\d| ?\d)",
    r"(?<![A-Za-z0-9])[ABEK]\d{3}(?:-\d{3,4}\w{0,3}|neo|ceo|[a-z]{1,3})?(?![A-Za-z0-9]|-\d)",
    r"(?<![\d])7[0-9]7(?:[- ]?(?:\d{1,3}\w{0,2}|max ?\d*))?(?!\d| \d{3}(?!\d))",
)
_MEMBER = (
    r"(?:frequent[ \-]?fl[iy]er|\bffp?\b|loyalty(?! app)|membership|\bmember\b|"
    r"(?<![\d,.k] )(?<![\d,.k])\bmiles(?: ?(?:&|and|\+) ?more)?|"
    r"skywards|limitless|hertz gold|\bhhonors|mileage|bonvoy|honou?rs|avios|rewards?|(?:sky|one)pass|"
    r"flying blue|executive club|mileage ?plus|skymiles|"
    r"aadvantage|krisflyer|maharaja|world of hyatt|\bihg\b|accor|genius|miles ?club|マイレージ|マイル|"
    r"会員|お得意様|ポイントカード)"
)
_MEMBER_VALUE = r"(?=(?:[A-Z \-]*\d){4})[A-Z]{0,3}[ \-]?\d(?:[ \-]?\d){3,15}[A-Z]?(?![\w])"
_OTHER_LABEL = (
    r"phone|mobile|call|text|passport|ssn|social|\bpin\b|passw|code|card (?:no|num)|account|iban|"
    r"\bid\b|booking|pnr|born|電話|携帯|"
    r"パスポート|暗証|パスワード|口座|予約|登録|番号は、"
)
_MEMBER_FORWARD = rf"{_MEMBER}(?:(?!{_OTHER_LABEL})[^\d.;!?]){{0,40}}?(?<![A-Za-z0-9]){_MEMBER_VALUE}"
_MEMBER_BEHIND = (
    rf"(?<!\w){_MEMBER_VALUE}\W{{0,3}}(?:is|as|が|は)?\W{{0,2}}(?:my |our |the |"
    rf"私の)?(?:(?!{_OTHER_LABEL})\w+ ){{0,2}}{_MEMBER}(?!登録)"
)
_GONE = " \u2205 "


def without_memberships(text: str) -> str:
    """`text` without the numbers of loyalty programmes, which travellers may have remembered."""
    for pattern in (_MEMBER_FORWARD, _MEMBER_BEHIND):
        text = compiled(pattern).sub(_GONE, text)
    return text


def unexplained(text: str) -> str:
    """`text` with every number taken out that travel talk explains; what is left should be an identifier or a secret.

    Takes out dates, times, amounts, memberships, quantities with their units, flights, aircraft, rooms and seats.
    """
    text = without_memberships(mask(text))
    for pattern in _FLIGHT:
        text = compiled(f"(?-i:{pattern})").sub(_GONE, text)
    for pattern in _TRAVEL:
        text = compiled(pattern).sub(_GONE, text)
    return text
