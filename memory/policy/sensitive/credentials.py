"""Passwords, one-time codes, API keys and booking references."""

from __future__ import annotations

import math
import re
from collections import Counter

from memory.policy.rule import Rule, compiled, has_any
from memory.policy.sensitive.labels import digits
from memory.policy.sensitive.lock_codes import has_lock_number
from memory.policy.sensitive.word_secrets import has_word_secret
from text.deobfuscate import decode

_KEY_SHAPES = (
    r"(?:\bsk|\bpk|\brk)[-_](?:live|test|proj|ant|or)?[-_]?[a-z0-9_\-]{12,}|\b(?:akia|asia)[a-z0-9]{16}\b|"
    r"\bgh[pousr]_[a-z0-9]{20,}|github_pat_\w{20,}|\bxox[abprs]-[\w\-]{10,}|"
    r"\baiza[\w\-]{30,}|\bey[a-z0-9_\-]{8,}\.ey[a-z0-9_\-]{8,}|\bglpat-[\w\-]{16,}|\bhf_[a-z0-9]{20,}|"
    r"\bya29\.[\w\-]{20,}|\bsg\.[\w\-]{16,}\.[\w\-]{16,}|\bnpm_[a-z0-9]{30,}|"
    r"hooks\.slack\.com/\S{10}|://[^/\s:@]+:[^/\s@]{4,}@|[?&](?:api_?key|token|key|secret|"
    r"access_token|sig|auth)=[^\s&]{6}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|"
    r"-----begin [a-z ]*private key|"
    r"\blsv2_\w{10,}|\btvly-\w{10,}|\bdop_v1_\w{20,}|\bpypi-\w{20,}"
)
_KEY_LABELLED = (
    r"(?:api|secret|access|private|auth(?:entication|orization)?|bearer|encryption|client|session|aws|openai|"
    r"stripe|github|refresh)[\s_\-]?(?:key|token|secret)s?\b|\bbearer\b|\btoken\b|"
    r"api ?キー|アクセスキー|秘密鍵|シークレット|トークン"
)
_KEY_VALUE = r"(?:\W|\b(?:is|was|for|the|my|of|to|は|が)\b){0,8}(?<![\w\-])(?=[\w\-.+/=]*\d)[a-z0-9_\-.+/=]{8,}"
_KEY_TRIGGERS = "key|token|secret|bearer|キー|秘密鍵|シークレット|トークン"

_PASSWORD_WORDS = (
    r"pass-?words?|pass-?phrase|pass[- ]?code|wi-?fi pass\b|\bpass\b(?=\s*[:=])|maiden name|passwort|kennwort|"
    r"contrasena|mot de passe|senha|palavra-passe|"
    r"\bpasswd\b|\bpwd\b|\bpw\b(?=\s*[:=])|pass code|(?<![a-z])pin(?:[\s-]?(?:code|number))?(?![a-z])|"
    r"log-?in (?:is|details|credentials)|security (?:answer|question|word)|"
    r"secret question(?: answer)?|\bpas+[ -]?w[ord]{1,4}\b|[ぱパ]す(?:わーど|ワード)|[ぱパ][すス]わーど|secret "
    r"(?:word|code|answer)|"
    r"パスワード|パスコード|パスフレーズ|暗証番号|暗証|合言葉|合い言葉|秘密の質問|ピンコード"
)
_PASSWORD_TRIGGERS = (
    "code|pas|ぱす|#|*|combination|maiden|pass|kennwort|contrasena|senha|palavra|pwd|pw|pin|login|"
    "log-in|log in|security|"
    "secret|パス|"
    "暗証|合言葉|合い言葉|秘密|ピン"
)
_NOT_SECRET = (
    r"(?:too|so|not|never|always|often|usually|hard|easy|long|short|weak|strong|safe|secure|saved|stored|"
    r"required|needed|necessary|required|annoying|wrong|lost|forgotten|complicated|expired|reset|"
    r"changed|the|a|an|my|in|on|at|for|to|and|or|very|really|something|kept|managed|protected|private|secret|"
    r"enough|important|fine|ok|good|bad|free|different|same|confusing|available|given|printed|provided|"
    r"valid|only|no|posted|at|from|with|by|when|because|if|that|which|broken|slow|it|i|we|unique)\b"
)
_JA_SECRET = (
    r"(?!忘|必要|不要|別|後|まだ|同じ|秘密|複雑|紙|メール|部屋|フロント|いつ|どこ|なに|何|教え|聞|変|"
    r"長|短|毎|難|簡単|なし|無|ない|要|いり|"
    r"大事|大切|安全|強|弱|あり|管理|面倒|苦手|定期|自分|家族|妻|夫|海外|[ぁ-んァ-ヶ一-龠]{0,9}(?:ほし|欲し|"
    r"たい)|のんびり|ゆっくり|静か|楽し|笑顔|自由|"
    r"[ぁ-ん一-龠]{0,9}[困届来使覚])[ぁ-ヶ一-龠ー]{2,10}"
)
_PASSWORD = (
    r"(?<![a-z])pin(?![a-z]) (?:\w+ ){0,4}?(?:is|was|:) ?" + digits(4, 8),
    r"\b(?:code|combination) (?:for|of|to) (?:my|the|our) (?:\w+ ){1,3}?(?:is |was |: ?)?" + digits(3, 8),
    rf"(?:{_PASSWORD_WORDS})(?:\s(?:for|to|of|on|at)\s(?:\S+\s){{1,5}}?)?(?:\s(?:manager|number|code|"
    rf"hint))?\s*(?:is ?:|is|was|'s(?= )|=|:|->|=>|は|が|の答えは|should be|will be|"
    rf"equals)\s*[\"'「『(]*(?!{_NOT_SECRET})(?!\d{{1,2}}\b)[!-~][^\s\"'」,.]{{2,}}",
    r"(?:パスワード|暗証番号|合言葉|合い言葉|秘密の質問)[^。「『]{0,15}[「『][^」』]{2,}[」』](?!の|に[^し]|"
    r"で[^すし])",
    r"(?<![\d.,])\d{4,8}[#*](?!\d)",
    r"\b(?:security|secret|safe) ?word\W{1,3}[\"'][^\"']{3,}",
    r"(?<![^\s,])[^\s,]{1,64},? (?:and )?(?:that's|that is|this is) (?:my |the )?(?:security answer|secret (?:answer|"
    r"word|code)|password|passphrase|passcode|pin)\b",
    r"\bwi-?fi (?:key|pw|pass\w*(?= is|\W? ?[:=])|code)\W{0,3}(?:is |: ?)?(?!is\b|and\b|at\b|in\b|"
    r"on\b|for\b|please\b|to\b|from\b|needs?\b)[!-~]{6,}",
    r"(?:パスワード|パス|pw)(?:は|が|:|、|\s)\s*[!-~]{5,}|(?!google|facebook|apple|e?-?mail|line|"
    r"yahoo|amazon|twitter)(?<![!-~])[!-~]{6,}でログイン",
    rf"(?:{_PASSWORD_WORDS})(?:の答え|の番号)?\s*(?:は|が|:|=)\s*(?:[「『(\"](?![^」』]{{0,40}}[」』](?:の|"
    rf"に[^し]))[^\s]{{2,}}|"
    rf"{_JA_SECRET}(?:です|だよ?|。|$))",
    rf"(?:{_PASSWORD_WORDS})(?:\W|\b(?:is|was|for|to|the|my|of|it|use|always|be|set|remains?|still|to)\b|"
    rf"\b(?!\w*\d)\w+\s){{0,8}}?(?<![\w])(?=[\S]*\d)(?=\S*[a-z])[^\s,\"']{{5,}}",
    r"(?:pass[- ]?code|(?<![a-z])pin(?:[\s-]?(?:code|number))?(?![a-z])|暗証番号|暗証|パスワード|パスコード|"
    r"(?:door|gate|safe|locker|access|entry|alarm|lock|key ?box|lockbox) (?:code|combination)|"
    r"combination)(?:\W|\b(?:is|s|will|be|should|has|been|set|was|for|my|the|to|code|number|card|phone|of|and|"
    r"it's|safe|bank|は|が|の)\b|[はがの]){0,8}" + digits(3, 8),
    r"(?<!\d)\d{4,8}(?:\W|\b(?:is|as|was)\b|[はが]){1,4}(?:my|the|our|私の)?\s*(?:\w+ ){0,2}(?:pass-?code|"
    r"pin(?![a-z])|password|暗証番号|パスワード|door code|safe code|access code)",
    rf"\buse\w* (?!{_NOT_SECRET})\S{{3,}} (?:as|for) (?:my|the|our) (?:\w+ ){{0,2}}(?:{_PASSWORD_WORDS})",
    rf"(?<!\w)(?:pw|pwd|passwd|password|passwort|kennwort|senha|mot de passe|contrasena|"
    rf"wachtwoord) (?!{_NOT_SECRET}|managers?|hints?|"
    r"resets?|help|please|recovery|app|apps|rules?|policy|rotation|changes?|fields?|problems?|issues?|"
    r"sharing|books?|wallet|twice|everywhere|again|anywhere|online|daily|fatigue|prompts?|jokes?)"
    r"[!-~]{5,}(?=[\s,;.]*$|,| and | for )",
    r"\b(?:log-?in|log in with|credentials|username|user name|user|account)\b(?:\s?(?:is|are|:|=|"
    r"for \w+(?: \w+)?:?))* ?[\w.@\-]{2,} ?(?:/|:|\||, ?pw|, ?pass\w*:?) ?"
    r"(?!(?:or|and|out|phone|sms|email|google|apple|facebook)\b)(?![\d/]+\b)\S{5,}",
    rf"(?<!\S)(?=\S{{0,63}}[\d!#$%^&*])\S{{1,64}}\s(?:is|as)\s(?:my|the|our)\s(?:\w+ ){{0,3}}(?:{_PASSWORD_WORDS})",
)
_CODE_WORDS = (
    r"\botp\b|\b2fa\b|\bmfa\b|\btan\b(?= )|one[- ]time(?: \w+)?|(?:verification|authentication|authenticator|"
    r"auth|confirmation sms|login|log-in|sign-in|security|sms|text|two-factor|2-factor|activation|recovery|"
    r"backup|unlock|"
    r"validation|temporary|passkey|one-time)(?: \w+)? code|verification (?:number|pin)|ワンタイム|認証コード|"
    r"認証番号|確認コード|セキュリティコード|二段階認証|2段階認証|検証コード"
)
_CODE = (
    r"\b(?:otp|one[- ]time \w+)\b(?: \w+){0,4}?(?: is| was|:) ?" + digits(4, 8) + r"(?! ?(?:eur|usd|am|pm))",
    r"authenticator(?: app)?\D{0,20}" + digits(6, 8),
    rf"(?:{_CODE_WORDS})(?:\W|\b(?:is|was|for|the|my|it|token|you|sent|me|just|code|they|says|pin|password|"
    rf"from|to|bank|number|got|received|today)\b|[はがのをでパスワード]){{0,12}}(?:[a-z]{{0,2}}-?)?" + digits(4, 10),
    rf"(?<!\d)\d(?:[\s\-]?\d){{3,9}}\W{{0,3}}(?:that |this |it |which )?(?:is|was|が|は|as)\s*(?:my|the|"
    rf"your)?\s*(?:\w+ ){{0,2}}(?:{_CODE_WORDS})",
)
_BARE_CODE = (
    r"(?<!zip )(?<!country )(?<!area )(?<!dress )\bcode (?:to|for) (?:\w+ ?){1,4}(?: is| was|:) ?" + digits(4, 8),
    r"(?<!国)(?<!空港)(?<!郵便)(?<!プロモ)(?<!割引)(?<!ドレス)コード(?:は|が|:|の番号は)?\s*" + digits(4, 8),
    r"(?<!zip )(?<!post )(?<!postal )(?<!area )(?<!country )(?<!airport )(?<!dress )(?<!dial )(?<!promo "
    r")(?<!discount )(?<!booking )(?<!fare )(?<!rate )\bcode\s*(?:is|was|:|=)?\s*:?\s*" + digits(4, 8),
    r"(?<!\d)\d{4,8} is (?:the|my|your) (?:\w+ )?code\b",
    r"\bcode (?:\w+ ){0,4}(?:texted|sent|e-?mailed|received|messaged|got)(?: \w+){0,4}? (?:is|was|:) ?" + digits(4, 8),
)
_BOOKING_WORDS = (
    r"\blocalizador\b|buchungs?(?:nummer|code)|numero de reserva(?:tion)?|codice (?:di )?prenotazione|"
    r"\bres\.? (?:no|num|nr|#)|"
    r"\bpnr\b|record locator|\blocator\b|(?:booking|reservation|confirmation|itinerary|e-?ticket|ticket|"
    r"airline|check-?in|order|voucher|flight(?= (?:ref|conf)))s?[\s,\-]*(?:reference|ref|number|code|no\b|num|id|#|"
    r"confirmation)|\bconf\b\.?\s?(?:#|no\b|num\w*|code)|"
    r"\bconfirmation\b|\be-?tickets?\b|\bbooking ref\b|"
    r"予約(?:番号|コード|記号|確認番号)|確認番号|予約|e-?チケット(?:番号)?|航空券番号|受付番号"
)
_BOOKING_TRIGGERS = (
    "ref|under|localiz|buchung|reserva|prenot|res |res.|pnr|conf|locator|booking|booked|reservation|confirmation|"
    "itinerary|ticket|check|order|voucher|airline|"
    "flight|予約|"
    "確認番号|チケット|航空券|受付番号"
)
_FLIGHT = r"(?![A-Z]{2}\s?\d{1,4}\b)(?![ABE]\d{3}\w{0,4}\b)"
_REFERENCE = (
    rf"(?<![A-Za-z0-9]){_FLIGHT}(?=[A-Za-z]*\d|[A-Z]{{5,8}}(?![A-Za-z]))(?=\d*[A-Za-z]|"
    rf"\d{{6}})[A-Za-z0-9]{{5,13}}(?![A-Za-z0-9])"
)
_SPACED_REFERENCE = (
    r"(?<![A-Za-z0-9])[A-Z0-9](?:[ \-][A-Z0-9]){4,7}(?![A-Za-z0-9])|(?<!\d)\d{3}[- ]\d{10}(?!\d)|"
    r"(?<![A-Za-z0-9])(?=[A-Z\- ]*\d)[A-Z0-9]{2,4}(?:-[A-Z0-9]{2,4}){1,3}(?![A-Za-z0-9])|"
    r"(?<![A-Za-z0-9])(?=[A-Z ]*\d)[A-Z0-9]{3} [A-Z0-9]{3}(?![A-Za-z0-9])"
)
_TO_REFERENCE = (
    r"(?:\W|\b(?:is|was|for|the|my|our|it|number|code|reference|ref|no|with|under|id|of|to|as|airline|hotel|flight|"
    r"booking|reservation)\b|[はがのですを]|番号|コード){0,9}"
)
_INTERLEAVED = (
    r"(?<![A-Za-z0-9])(?![A-Z]{2}\d{1,4}(?![A-Z0-9]))(?![ABE]\d{3})(?=[A-Z0-9]*[A-Z][A-Z0-9]*[A-Z])(?=[A-Z]*\d)[A-Z"
    r"0-9]{6}(?![A-Za-z0-9])"
)
_BOOKED = Rule(
    _BOOKING_TRIGGERS, (r"book|reserv|confirm|pnr|locator|itinerary|ticket|check[- ]?in|予約|確認|チケット|航空券")
)


def credential_kind(text: str) -> str | None:
    """`api_key`, `one_time_code`, `booking_reference` or `password` when `text` holds one, else None."""
    lowered = text.lower()
    if _has_key(text, lowered):
        return "api_key"
    if re.search(r"\d", text) and any(compiled(pattern).search(lowered) for pattern in _CODE):
        return "one_time_code"
    if has_any(_PASSWORD_TRIGGERS, lowered) and any(compiled(pattern).search(lowered) for pattern in _PASSWORD):
        return "password"
    if ("code" in lowered or "コード" in text) and any(compiled(pattern).search(lowered) for pattern in _BARE_CODE):
        return "one_time_code"
    if _has_reference(text, lowered):
        return "booking_reference"
    return "password" if has_lock_number(text) or has_word_secret(text) else None


def _has_key(text: str, lowered: str) -> bool:
    if len(text) < 12 or not re.search(r"[\w\-]{8}", text):
        return False
    if compiled(_KEY_SHAPES).search(lowered):
        return True
    if has_any(_KEY_TRIGGERS, lowered) and compiled(rf"(?:{_KEY_LABELLED}){_KEY_VALUE}").search(lowered):
        return True
    tokens = re.findall(r"(?a:(?<![\w\-/.])[A-Za-z0-9_\-]{20,}(?![\w\-/.]))", text)
    return any(_looks_random(token) and decode(token) == token for token in tokens)


def _looks_random(token: str) -> bool:
    kinds = (any(c.islower() for c in token), any(c.isupper() for c in token), sum(c.isdigit() for c in token) >= 3)
    is_hex = len(token) >= 32 and re.fullmatch(r"[0-9a-fA-F]+", token) is not None
    counts = Counter(token)
    entropy = -sum(n / len(token) * math.log2(n / len(token)) for n in counts.values())
    mixed = any(kinds[:2]) and len(re.findall(r"[a-z][A-Z]|[A-Za-z]\d|\d[A-Za-z]", token)) >= len(token) / 4
    return is_hex or (all(kinds) and entropy > 3.5) or (mixed and len(token) >= 20)


_NUMBERED = (
    r"(?i:\b(?:res(?:ervation)?|booking|confirmation|record|voucher|pnr)\.? (?:no|number|nr|num|code|ref|"
    r"#)\.?(?:\W|is ){1,4})"
    r"(?=[A-Z]*\d)[A-Z]{2}\d{3,6}(?!\w)"
)
"""What would be a flight number, were it not for the word before it."""
_LETTERS_REFERENCE = (
    r"\b(?i:locator|pnr|ref(?:erence)?|confirmation|under)\b(?i:\W|\b(?:is|was|code|number|no|for|my|our|the)\b){1,6}"
    r"[A-Z]{3}[\- ][A-Z]{3}(?![\w\-])"
)
"""Letters in two groups, next to a word that cannot be about a route."""


def _has_reference(text: str, lowered: str) -> bool:
    if not has_any(_BOOKING_TRIGGERS, lowered):
        return False
    labelled = rf"(?i:{_BOOKING_WORDS})(?i:{_TO_REFERENCE})(?-i:{_REFERENCE}|{_SPACED_REFERENCE})"
    behind = (
        rf"(?-i:{_REFERENCE})\W{{0,3}}(?:is|was|が|は|as)\s*(?:my|the|our|"
        rf"私の)?\s*(?:\w+ ){{0,2}}(?i:{_BOOKING_WORDS})"
    )
    bare = (
        rf"(?i:\b(?:booking|reservation)(?: is)?)[ :#=]{{1,2}}(?-i:(?=[A-Za-z\-]*\d)(?:{_REFERENCE}|"
        rf"{_SPACED_REFERENCE}))"
    )
    if compiled(bare).search(text) or compiled(labelled).search(text) or compiled(behind).search(text):
        return True
    if any(compiled(f"(?-i:{shape})").search(text) for shape in (_LETTERS_REFERENCE, _NUMBERED)):
        return True
    return _BOOKED.hits(lowered) and compiled(f"(?-i:{_INTERLEAVED})").search(text) is not None
