"""Street addresses as countries write them, and places where somebody is to be met or sent something."""

from __future__ import annotations

from memory.policy.rule import compiled
from memory.policy.sensitive.explained import unexplained

_NUMBER = r"\d{1,4}(?: ?[a-zA-Z](?![a-zA-Z]))?(?:[/\-] ?(?:\d{1,4}|[IVX]{1,4})[a-z]?)?"
_ENDS = (
    r"(?=\s*(?:[,.;:)!?\-–]|$|[^\x00-\x7f]|\d{4,6}\b|(?:and|is|in|by|at|please|zip|apt|m\.? ?\d+|lok|lgh|flat|"
    r"floor|as|for|"
    r"so|now|where)\b|[A-Z]))"
)
_NAME = (
    r"(?:[A-Z][\w'.\-\u00c0-\u024f]*|de|da|do|dos|das|del|della|di|la|las|los|le|les|l'|d'|van|von|der|"
    r"den|am|an|zum|zur)"
)
_BEFORE = (
    r"(?:[Uu]l\.?|[Uu]lica|[Aa]l\.|[Aa]leja|[Aa]v\.?|[Aa]vda\.?|[Aa]ve\.?|[Aa]v\.? da|[Aa]venida|C/|"
    r"[Cc]alle|[Cc]arrer|[Cc]arrera|[Cc]ra\.?|[Jj]alan|"
    r"[Jj]l[n]?\.?|[Ll]orong|[Tt]hanon|[Vv]ia|[Vv]iale|[Cc]orso|[Vv]icolo|[Ll]argo|[Pp]raca|[Rr]ua|[Tt]ravessa|"
    r"[Ee]strada|[Aa]lameda|[Bb]d\.?|[Bb]oulevard|[Qq]uai|[Ss]trada|[Ss]tr\.|[Bb]ulevardul|[Oo]dos|"
    r"[Tt]rg|[Pp]aseo|[Pp]asseig|[Pp]laza|"
    r"[Rr]onda|[Cc]amino|[Pp]iazza|[Pp]iazzale|[Rr]ue|[Cc]hemin|[Ii]mpasse|[Cc]hauss[e]e|[Nn]ab\.|"
    r"[Oo]bala|[Bb]ulvar|[Cc]adde)"
)
_SUFFIXED = (
    r"[A-Z][a-z\u00c0-\u024f]{2,}(?:gracht|kade|plein|singel|dijk|straat|steeg|laan|gade|vej|veien|"
    r"vegen|vagen|gata|gaten|gatan|torg|"
    r"stigen|intie|antie|ontie|katu|kuja|polku|utca|strasse|strase|str\.|gasse|platz|allee|damm|ufer|"
    r"steig|zeile|chaussee|weg|"
    r"sokak|sokagi|caddesi)"
)
_WRITTEN = (
    rf"(?<!\w){_BEFORE} (?:{_NAME} ){{0,4}}?[A-Z][\w'.\-\u00c0-\u024f]*,? (?:n[.o°]* ?|nr\.? ?|# ?)?{_NUMBER}{_ENDS}",
    rf"(?<!\w){_SUFFIXED},? (?:nr\.? ?)?{_NUMBER}(?![\w:]| (?:nights?|days?|stars?|hours?|times|min))",
    r"(?<![\w,.$€£])(?:\d{1,3}[a-z]?/\d{1,4}|[A-Z]-?\d{1,4}),? (?:[A-Z][\w'.]* ){1,3}(?:Street|St|"
    r"Avenue|Ave|Road|Rd|Lane|Ln|Drive|Dr|Court|Ct|"
    r"Crescent|Cres|Place|Pl|Parade|Pde|Esplanade|Cct|Terrace|Tce|Way|Close|Boulevard|Blvd|Parkway|Grove|"
    r"Circuit|Sector|Nagar|Marg)\b",
    r"(?<![\d\-/])\d{1,2}-\d{1,2}-\d{1,3},? (?:[A-Z][a-z]+[,\- ]+){1,4}(?:[Kk]u\b|[Cc]ho\b|[Mm]achi\b|"
    r"[Ss]hi\b|Tokyo|Osaka|Kyoto|Japan)",
    r"(?i:\bhouse (?:no\.? |number )?\d{1,4}\w?,? (?:street|st|road|rd|lane|block|sector) (?:no\.? )?\w{1,3}\b)",
    r"(?<![\w,.$€£])\d{1,4}(?:/\d{1,4})? [A-Z][a-z]+ (?:Soi|Lane|Alley|Cross) \d{1,3}\b",
    r"\b(?i:apt|apartment|flat|unit)\.? ?#?\w{1,4},? \d{1,4} [A-Z]",
    r"(?i:\b(?:apt|apartment|flat|unit))\.? ?#?\d\w{0,4},? (?:[Tt]he )?(?:[A-Z][a-z]+ ?){1,3},",
    r"(?i:\b(?:house|home|flat|door|place)\b(?: is)?(?: at)? (?:number|no\.?|nr\.?)) ?\d{1,4}[a-zA-Z]?,? "
    r"(?:(?:on|in|at|of) )?"
    r"(?:the )?[A-Z]",
    r"(?i:\b(?:haus(?:nummer|nr\.?)|house (?:no|number|nr)|door no|plot no|flat no|h\.? ?no|"
    r"apartment no))\.?:? ?#?\d{1,4}[a-zA-Z]?\b,? "
    r"(?:in |on |at |of )?(?:der |the )?(?:[A-Z]|\d{1,2}(?:st|nd|rd|th) )",
    r"(?<!\w)[A-Z][\w'.\-\u00c0-\u024f]+,? (?:n[.o°]* ?)?\d{1,4} ?[a-zA-Z]?(?:[/\-]\w{1,4})?,? (?:[A-Z"
    r"]{1,2}-)?\d{4,6},? [A-Z][a-z]{2,}",
    r"(?<![\w,.$€£])\d{4} ?[A-Z]{2},? [A-Z][a-z]{3,}",
    r"(?<!\w)\d{1,4}[A-Za-z]?,? [A-Z][\w' ,.\-\u00c0-\u024f]{4,50}[ ,][A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}(?!\w)",
    r"(?<!\w)[A-Z][a-z]{3,}[ \-,]{1,3}[1-9]\d{2} ?\d{3}(?![\w\-.]|,\d| \d)",
)
_MET = (
    r"\b(?:liv(?:e|es|ing)|resid(?:e|ing|ence)|address|home|house|flat|apartment|(?:my|our) place|"
    r"pick(?:ed|s)? (?:me|us|him|her|them) up|pick-?ups?|collect|"
    r"deliver(?:y|ed)?|send|ship(?:ped|ping)?|drop(?:ped|s)? (?:me|us|off)|taxi|cab|uber|driver|"
    r"office|goes? to|parcel|rent at|courier|mail(?:ed)?|post(?:ed)?|"
    r"luggage|moved|based|fetch|come (?:to|by)|door(?:step)?)\b"
)
_NOT_STREET = (
    r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*|(?:Mon|Tues?|Wednes|Thurs?|Fri|Satur|"
    r"Sun)(?:day)?|Spring|Summer|Autumn|Winter|"
    r"Terminal|Gate|Platform|Pier|Hotel|Room|Floor|Route|Highway|Flight|Airport|Level|Door|Exit|Hall|Line|Track|Zone|"
    r"Stage|District|Area|Apollo|Formula|Expo|Olympics|Seat|Row|Option|Day|Week|Studio|Motel|Top|Number|About|Around|"
    r"Arrivals|Departures|Entrance|Only|Max|Maximum|Over|Under|Dock|Section|Bus|Tram|Metro|Train|"
    r"Version|Windows|Phone|Premium|Adults|Business|"
    r"Heathrow|Gatwick|Schiphol|Orly|Budget|Parking|Carousel|Deck|Cabin|Class|Group|Lounge|Station|Stop"
)
_MET_AT = (
    rf"(?i:{_MET})[^.;!?]{{0,60}}?(?<!\w)(?!(?:{_NOT_STREET})\b)[A-Z][a-z\u00c0-\u024f]{{3,}} {_NUMBER}{_ENDS}",
    rf"(?<!\w)(?!(?:{_NOT_STREET})\b)[A-Z][a-z\u00c0-\u024f]{{3,}} {_NUMBER}{_ENDS}[^.;!?]{{0,40}}(?i:{_MET})",
)
_NUMBER_MET = (
    rf"(?<![\w,.$€£])\d{{1,4}}[a-zA-Z]?,? (?!(?:{_NOT_STREET})\b)[A-Z][a-z]{{2,}}(?: [A-Z][a-z]+)?, "
    rf"[A-Z][a-z]{{2,}}[^;!?]{{0,30}}"
    rf"(?i:\bis where\b[^.;!?]{{0,30}}{_MET}|\bis (?:home|my (?:home|address)))"
)
_MET_BY_NUMBER = (
    rf"(?i:\b(?:(?:my|our) (?:place|home|house|flat|door)(?: is|:)|home(?: is|:)|(?:i'?m|we'?re) (?:at|in)|"
    rf"pick(?:s|ed)? (?:me|us|him|her|them) up (?:at|from)|(?:neighbou?r|parents|mum|mom|dad|gran)s?(?:'s)?(?: "
    rf"is| are)? at|(?:cab|taxi|uber|driver|courier|parcel|luggage|bags?|"
    rf"shuttle|"
    rf"suitcases?|car|package)\b[^.;!?\d]{{0,25}}\b(?:from|to|at)|collect(?: me| us)? (?:at|from)))"
    rf" (?i:no\.? |number )?\d{{1,4}}[a-zA-Z]?,? (?:[Tt]he )?(?!(?:{_NOT_STREET}|AM|PM|Stars?|H|Uhr|"
    rf"Seasons)\b)[A-Z][a-z]{{2,}}"
    rf"(?:,| [A-Z]|$|\.)"
)
"""A house number and a name, told by somebody who is to be found there."""
_JA = (
    r"(?:住所|自宅|実家|住まい|我が家|家は|うちは|"
    r"住んで)[^。]{0,25}[市区町村郡][^\d、。]{0,12}\d{1,4}(?![\d年月日泊円時分階人名])|"
    r"\d{1,2}条(?:[東西南北]\s?)?\d{1,2}\s?丁目|(?:住んで|住ま|住所|自宅|実家|我が家|家は|うちは|送|"
    r"届け|迎え|お迎え|引っ越)[^。]{0,25}?[\d一二三四五六七八九十]{1,3}\s?丁目(?!あたり|付近|周辺|"
    r"の?(?:ホテル|店|カフェ|宿))|"
    r"丁目[^。]{0,12}(?:住んで|住まい|が自宅|が実家|に送|に届|へ送|まで迎え)"
)


def is_written_address(text: str) -> bool:
    """True when `text` holds a street address in the manner of some country, or a place to be met or sent to."""
    rest = unexplained(text)
    if any(compiled(f"(?-i:{pattern})").search(text) for pattern in _WRITTEN[:10]):
        return True
    if any(
        compiled(f"(?-i:{pattern})").search(rest) for pattern in (*_WRITTEN[10:], *_MET_AT, _MET_BY_NUMBER, _NUMBER_MET)
    ):
        return True
    return not text.isascii() and compiled(_JA).search(text) is not None
