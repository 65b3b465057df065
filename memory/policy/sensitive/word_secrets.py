"""Secrets that are plain words: "to open my account use bananabread", "the pass is tulipfield".

Nothing in such a value gives it away, so the grammar around it has to: a purpose that needs a secret and a word that is
given for it, or a label and a word that nobody says of a label.
"""

from __future__ import annotations

import re

from memory.policy.injection.score import is_known_word
from memory.policy.rule import compiled, has_any

_TRIGGERS = (
    "wi-fi|wifi|/|type|kennwort|contrasena|senha|parol|haslo|wachtwoord|losenord|mot de|open|unlock|access|log|"
    "sign|get in|"
    "gets in|lets in|into|pass|pw|credential|user|secret|word|phrase|"
    "入れ|入り|開|"
    "ログイン|パス|解除|合言葉|キーワード|あいことば"
)
_OPENED = (
    r"(?:accounts?|profile|portal|app|site|website|page|inbox|mailbox|e-?mails?|phone|laptop|tablet|ipad|computer|"
    r"wallet|vault|safe|suitcase|locker|lock|padlock|router|wi-?fi|network|hotspot|expedia|airbnb|booking(?:\.com)?|"
    r"agoda|hotels\.com|tripadvisor|tripit|kayak|uber|netflix|bonvoy|marriott|hilton|hyatt|delta|united|lufthansa|"
    r"emirates|ryanair|easyjet|miles|points|bank(?:ing)?|paypal|revolut|wise|icloud|gmail|dropbox|vpn|kindle|spotify)"
)
_OPENS = (
    r"(?:open|unlock|enter|access|get (?:in|into|inside)|getting (?:in|into)|log(?:ging)?[ -]?(?:in|on)(?: ?to)?|"
    r"sign(?:ing)?[ -]?in(?: ?to)?|opening|unlocking|accessing)"
)
_GIVE = r"(?:uses?|types?|enters?|puts? in|puts?|keys? in|says?|try|tries|gives?)"
_VALUE = r"[\"'“]?(?P<value>[a-z0-9][\w.\-!$#@&*+]{3,40})"
_END = r"(?=[\"'”]?(?:\s*[,.;:!)]|\s*$|\s+(?:and|as|to|for|when|if|on|in|at|whenever|please|i|my|but|so|it|then)\b))"
_IS = (
    r"(?:\s*[\"']?\s*(?:is|are|was|'s|ist|es|est|=|:|->|\? ?|remains|stays|stayed)\s*(?:still |just |simply |"
    r"now |always |the word |"
    r"only )*|\s(?:hasn't|has not) changed,\s|,\s)"
)
_THEN = (
    r"(?:,? (?:and|then|and then|with|plus|pw|pass)|,|\s?/|\s?:|\s-)\s(?:then |with |use |type |enter |the word "
    r"|password )*"
)
_SURE = (
    r"(?:pass-?\s?(?:word|phrase|code)|code ?word|security (?:word|answer)|watchword|pass ?key|passwort|"
    r"kennwort|contrasena|mot de "
    r"passe|senha|wachtwoord|haslo|losenord)"
)
_WEAK = (
    r"(?<!ski )(?<!rail )(?<!bus )(?<!boarding )(?<!day )(?<!city )(?<!week )(?<!museum )(?<!lounge )(?<!metro )"
    r"(?<!lift )(?<!train )(?<!park )(?<!hall )(?<!priority )(?<!per )(?<!jr )(?<!rail-)(?<!mountain )(?:\bpass|"
    r"\bpw|\bpwd|\blog-?in|\bsign-?in|"
    r"\blog-?on|\bwi-?fi(?: key| pass| code)?|\bcredentials)"
)
_FOR = r"(?:\s(?:for|to|of|on|at|with|in|there|we use)(?:\s[\w.'\-]+){1,4}?)?"
_KNOWN = r"(?<!forgot my )(?<!forgotten my )(?<!forget my )(?<!lost my )(?<!reset my )(?<!change my )(?<!changed my )"
"""Who has forgotten a password says what they think of that next, not what it is."""
_WORDS = (
    rf"\b(?:to|for|when)\s{_OPENS}\b(?:\s[\w.'\-]+){{0,4}}?,?\s(?:i |you |we |please |just |then |can |always ){{0,3}}"
    rf"{_GIVE}\s{_VALUE}{_END}",
    rf"\b{_GIVE}\s{_VALUE}\s(?:to|and (?:you(?:'ll| will| can)?|it|that)|when you|for)\s(?:\w+\s)?{_OPENS}\b"
    rf"[^.;]{{0,20}}\b{_OPENED}\b",
    rf"(?:^|[,.;:]\s){_VALUE}\s(?:opens|unlocks|gets (?:me|you|us) (?:in|into)|lets (?:me|you|us) (?:in|into)|"
    rf"logs (?:me|you) (?:in|into|in to))\s(?:my |the |our |to )?(?:\w+ )?{_OPENED}\b",
    rf"\b(?:log|sign)(?:ging|ning)?[ -]?(?:in|on) (?:as|with|using) (?:user )?[\w.@\-]{{2,40}}{_THEN}{_VALUE}{_END}",
    rf"\b(?:{_OPENED}|everything|they all)\s(?:opens?|unlocks|can be opened|is opened) (?:with|by)\s{_VALUE}{_END}",
    rf"{_KNOWN}\b{_SURE}{_FOR}{_IS}{_VALUE}{_END}",
)
_WEAKLY = rf"{_WEAK}{_FOR}{_IS}{_VALUE}{_END}"
_ADJECTIVE = r"(?:ed|ing|ly|able|ible|ful|less|ous|ive|al|ic|er|est|ent|ant|\b\w{3,8}y|some|ish|ary|ory)[.,!;:]*$"
_TYPED = (
    r"\b(?:wi-?fi|log-?in|sign-?in|account|portal|hotspot|router)\b[^.;]{0,40}\b(?:types?|enters?|key in|punch in)\s"
    rf"{_VALUE}{_END}"
)
_MINE = rf"\b(?:secret|pass(?:word|code)?|code)\b[^.;]{{0,20}}\bmine(?:'s| is)\s{_VALUE}{_END}"
_OPEN_WITH = (
    rf"\bopen\s(?:(?:my|the|our|this|that)\s)?(?:[\w.]+\s){{0,3}}?{_OPENED}\s(?:up )?(?:with|using|"
    rf"by)\s{_VALUE}{_END}"
)
_SECRET_WORD = rf"\b(?:secret|memorable) word\b{_FOR}{_IS}[\"']?{_VALUE}[\"']?{_END}"
_SLASHED = r":\s?(?![a-z]*\d)(?P<user>[a-z][a-z.\-_]{3,40}) ?/ ?(?P<value>(?=[a-z]{4})[a-z]+[\d!#$&*][\w!#$&*]*)(?!\S)"
_PAIR = (
    r"\b(?:credentials|log-?in|sign-?in|log-?on|user(?:name)?(?: and | ?/ ?| ?& ?)pass(?:word)?)(?: details| data)?"
    rf"{_FOR}{_IS}(?P<user>[\w.@\-]{{2,40}}){_THEN}{_VALUE}{_END}"
)
_QUOTED = rf"\b{_SURE}[^.;\"]{{0,30}}(?<!\w)[\"'](?!s\b)[^\"'\s]{{3,40}}(?: [^\"'\s]{{1,20}}){{0,5}}[\"']"
_PHRASE = (
    r"(?:pass|unlock|secret|recovery|seed|key|log-?in) ?phrase\W{1,3}(?:is |for \w+ is "
    r")?[\"']?((?:[a-z]+[\s\-]){2,6}[a-z]+)"
)
_COMMON_LIST = """
    please thanks yes stuck relax siesta sesame abracadabra
    app apps browser phone chrome safari firefox laptop desktop website site google apple facebook sso email e-mail
    mail link links code codes keycard card cards voice english japanese face faceid fingerprint touchid points miles
    avios cash public mobile guest incognito whatsapp wifi data roaming bluetooth passkey passkeys passwords password
    username biometric biometrics thumbprint thumb chip nfc paypal separate different shared private personal own
    cheap cheaper expensive valid included essential useful worth great annoying slow broken free good better best fine
    simple easy hard long short weak strong safe saved stored forgotten missing wrong always never often mandatory
    required optional transferable refundable available unlimited fast faster quick reliable patchy spotty terrible
    awful horrible important priority must crucial decent enough stable unstable solid excellent lousy dreadful flaky
    down working needed necessary okay ok lastpass bitwarden dashlane keepass onepassword okta yubikey keychain
    authenticator a-must nonnegotiable non-negotiable
"""
_COMMON = frozenset(_COMMON_LIST.split())
_JA_ACCOUNT = (
    r"(?:アプリ|サイト|アカウント|マイル|マイレージ|ログイン|会員|予約|口座|wi-?fi|ルーター|エクスペディア|楽天|"
    r"じゃらん|"
    r"ana|jal|airbnb|expedia|booking\.com|メール|スマホ|パソコン)"
)
_JA_VALUE = (
    r"(?!忘|必要|不要|別|まだ|同じ|複雑|使|買|持|予約|もう|要ら|おすすめ|お得|長|短|難|簡単|な[いし]|無|要|いつ|"
    r"どこ|何|便利|安|高)[^\s、。「」]{3,}?"
)
_JA_WORDS = (
    rf"{_JA_ACCOUNT}(?:用)?の(?:パス|pw|キーワード|合い?言葉)(?:は|が|:|=|、)\s?[「『\"]?{_JA_VALUE}[」』\"]?"
    r"(?:です|だよ|だ|。|、|$)",
    r"パス(?:ワード)?(?:は|が|:)[^。]{0,12}「[^」]{2,}」",
    r"(?-i:(?<![!-~])(?!https?)[a-z][a-z0-9_\-!]{4,})[」』\"]?\s?(?:で|と(?:打|入力)[^。]{1,4}|(?:を|って)(?:打|"
    r"入れ|入力)"
    r"[^。]{1,4})(?:入れ(?:る|ます)|開[きくけ]|ログイン|ロック解除|通[りる])",
)


def has_word_secret(text: str) -> bool:
    """True when `text` gives away a secret that is a word or a few words."""
    lowered = text.lower()
    if not has_any(_TRIGGERS, lowered):
        return False
    if any(_is_given(match["value"]) for pattern in _WORDS for match in compiled(pattern).finditer(lowered)):
        return True
    if compiled(_SLASHED).search(lowered):
        return True
    if any(
        _is_odd(match["value"])
        for weak in (_WEAKLY, _TYPED, _MINE, _OPEN_WITH)
        for match in compiled(weak).finditer(lowered)
    ):
        return True
    if compiled(_QUOTED).search(lowered):
        return True
    if any(_is_pair(match["user"], match["value"]) for match in compiled(_PAIR).finditer(lowered)):
        return True
    if any(_is_phrase(match.group(1)) for match in compiled(_PHRASE).finditer(lowered)):
        return True
    if any(_is_given(match["value"]) for match in compiled(_SECRET_WORD).finditer(lowered)):
        return True
    return not text.isascii() and any(compiled(pattern).search(text) for pattern in _JA_WORDS)


def _is_given(value: str) -> bool:
    """True for a word that travel talk does not use."""
    value = value.rstrip(".,!;:")
    plain = re.sub(r"[^a-z\-]", "", value)
    return plain not in _COMMON and not (plain == value and (is_known_word(plain) or _is_made_of_talk(plain)))


def _is_odd(value: str) -> bool:
    """True for a word that is not said of a pass or a network: neither known nor in the shape of an adjective."""
    return _is_given(value) and len(value) >= 5 and not compiled(_ADJECTIVE).search(value)


def _is_made_of_talk(word: str) -> bool:
    """True for "cash-only", "full-time": words joined by hyphens of which one is ordinary."""
    return 1 <= word.count("-") <= 1 and any(
        is_known_word(part) or part in _COMMON for part in word.split("-") if len(part) > 1
    )


def _is_pair(user: str, value: str) -> bool:
    return _is_given(value) and (not is_known_word(user) or _is_given(user))


def _is_phrase(phrase: str) -> bool:
    words = re.findall(r"[a-z]+", phrase)
    return not any(
        word
        in {
            "is",
            "the",
            "to",
            "a",
            "and",
            "are",
            "i",
            "my",
            "for",
            "or",
            "you",
            "it",
            "me",
            "us",
            "them",
            "we",
            "in",
            "on",
        }
        for word in words
    )
