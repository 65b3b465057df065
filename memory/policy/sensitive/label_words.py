"""The words that say what an unexplained value is, for `labelled_values`; triggers are their substrings."""

from __future__ import annotations

CARD_TRIGGERS = "card|visa|amex|express|jcb|discover|diners|plastic|debit|credit|カード|クレジット|アメックス"
CARD = (
    r"\bcards?\b|\bvisa\b|mastercard|\bamex\b|american express|\bjcb\b|discover|diners|\bplastic\b|\bdebit\b|"
    r"\bcredit\b|カード|クレジット|アメックス"
)
CHECK_TRIGGERS = "cvv|cvc|cv2|cid|security|back|behind|reverse|rear|digits|裏|セキュリティ"
CHECK = (
    r"\bcard\b.{0,20}\b(?:behind|reverse|rear)\b|\b(?:behind|reverse|rear)\b.{0,20}\bcard\b|"
    r"\bc[vi][vcd]2?\b|\bcv2\b|security (?:code|digits|number)|card verification|\b(?:card|visa|amex|"
    r"expiry)\b.{0,60}\b(?:three|3|four|4) (?:\w+ )?digits\b|"
    r"\b(?:three|3|four|4) (?:\w+ )?digits\b.{0,60}\b(?:card|visa|amex)\b|"
    r"(?:digits?|numbers?|code)\b.{0,25}\bback\b|\bback of (?:my|the|it)\b.{0,30}(?:digits?|says|number|code|card)|"
    r"裏(?:面)?の?(?:3|三|4|四)?(?:桁|番号|コード)|セキュリティー?(?:コード|番号)"
)
ACCOUNT_TRIGGERS = (
    "account|acc|iban|sort|routing|bank|bsb|ifsc|clabe|bic|swift|konto|cuenta|compte|口座|銀行|振込|普通|記号"
)
ACCOUNT = (
    r"\biban\b|\b(?:bank|checking|savings|giro|current|my|refund)\b.{0,30}\bacc(?:oun)?t\b|"
    r"\bacc(?:oun)?t\b\W{0,3}(?:no|num|#|:)|"
    r"\b(?:i )?bank with\b|sort code|routing (?:no|num)|\bbsb\b|\bifsc\b|\bclabe\b|\b(?:bic|swift)\b|"
    r"konto|cuenta bancaria|compte bancaire|口座|(?:銀行|信金|支店).{0,12}(?:普通|当座|番号)|振込先|"
    r"記号.{0,12}番号|(?:銀行|支店|普通|当座)\D{0,15}\d{7}"
)
PASSPORT_TRIGGERS = "pas|ppt|document|paszport|護照|护照|여권|パスポート|旅券"
PASSPORT = (
    r"\bpass?[ -]?p(?:or|ro)?t\b|\bppt\b|(?:reise|dienst)pass|pasaporte|passeport|passaport[oe]|paspoort|paszport|"
    r"travel document|travel doc\b|護照|护照|여권|パスポート|旅券"
)
NATIONAL_TRIGGERS = (
    "ssn|soc|id|ident|tax|licen|permit|kimlik|numero|dni|nie|nif|cpf|bsn|nir|pan|sin|tin|tfn|nino|pesel|cpr|nric|"
    "rut|curp|ahv|avs|insur|ausweis|steuer|nhs|medic|esta|visa|traveler|traveller|ktn|redress|book|badge|henkil|"
    "person|fodsel|rodne|cnp|egn|oib|jmbg|aadh|cnic|mykad|cedula|登録|証|マイナン|番号"
)
NATIONAL = (
    r"\bssn\b|\bsocial\b(?! (?:media|event|life|hour|dining|people))|\bsoc(?:\.|ial)? ?sec|"
    r"\b(?:national|identity|citizen|resident|"
    r"residence|personal|tax(?:payer)?|health|insurance|medical|military|voter|student|employee|government|gov|state|"
    r"foreigner|alien|registration|fiscal|civil)\b.{0,15}\b(?:id|number|no|code|card|num|nr|permit|"
    r"#)\b|\bi\.?d\.?(?: card| number|"
    r" no| nr|#|:| is)|\b(?:my|her|his|wife's|son's|husband's|daughter's) i\.?d\b|kimlik|numero de|"
    r"\b(?:dni|nie|nif|cpf|cnpj|bsn|nir|pan|sin|tin|tfn|itin|"
    r"nino|pesel|cpr|nric|fin|rut|curp|rfc|ahv|avs|oasi|nhs|ktn|hkid|rrn|cnp|egn|oib|jmbg|cnic|emso|tckn|pps)\b|"
    r"steuer|"
    r"ausweis|licen[cs]e|\bdl\b|\bpermit\b|medicare|medicaid|\besta\b|\bvisa (?:no|num|#|is|foil)|"
    r"known travell?er|redress|"
    r"precheck|global entry|nexus|seaman|\bni (?:no|num)|henkilo|person(?:n|al)(?:ummer|nummer|kod|"
    r"-?id)|fodsels|rodne|aadh+a+r|mykad|"
    r"cedula|\bbadge\b|\behic\b|登録番号|免許|保険証|在留|個人番号|マイナン|年金|住民票|身分証|(?:証|"
    r"許可証)の?番号|身份证"
)
ONE_TIME_TRIGGERS = (
    "otp|2fa|mfa|flash|shows|showed|display|gave|one|once|buzz|beep|popp|ping|text|sms|sent|send|came|got|"
    "receiv|verif|auth|magic|digit|log|"
    "token|approve|confirm|push|"
    "let me in|if it|unlock|step|factor|backup|recovery|届|来た|来て|送ら|表示|認証|確認|ワンタイム|桁|ログイン|"
    "コード|段階"
)
ONE_TIME = (
    r"\botp\b|\b2fa\b|\bmfa\b|\btotp\b|\bone[- ]?time\b|\bsingle[- ]use\b|authenticat|verif(?:y|"
    r"ication)|two[- ]?(?:step|factor)|"
    r"2[- ]?(?:step|factor)|\bauth\b|\b(?:buzzed|beeped|pinged|popped up)\b|\b(?:the|a|an|this|that|my|your|"
    r"their)\b.{0,25}\b(?:code|pin|number|"
    r"digits?|digit thing)\b.{0,30}\b(?:texted|"
    r"sent|sends|came|received|got|sms|text|let me in|log ?in|sign ?in|asks?|wants?)\b|"
    r"\b(?:texted|sms(?:ed)?|sent|messaged|pushed|e-?mailed|asks?|wants?|says?|got|received|came|"
    r"comes|showing|shows)\b.{0,40}\b(?:codes?|digits?|digit thing|by sms|via sms|by text)\b|"
    r"\b(?:texted|sms(?:ed)?|pinged|messaged)\b (?:me |you |us |over |through |it |as )?(?=\d)|"
    r"\b(?:bank|app|airline|phone|sms|text|site|hotel|uber|google|apple)\b.{0,20}\b(?:texted|"
    r"sms(?:ed)?|pinged|messaged|says|flashed|shows|showed|displays|gave)\b|"
    r"\b(?:approve|authori[sz]e|confirm|verify|enter|type|punch in|log ?in|"
    r"sign ?in)\b.{0,25}(?:\bwith\b|\bw/|\busing\b) ?(?=\d)|\benter\b.{0,15}\bwhen\b|\bcame (?:in|through)\b|"
    r"\bif it'?s (?:really )?me\b|"
    r"(?:backup|recovery|login|log-in|sign-in|security|sms|unlock|access|token|magic|reset|"
    r"activation)\b.{0,12}\b(?:code|number|link|digits)|"
    r"\b(?:six|four|eight|6|4|8)[- ]digits?\b|(?:sms|メール|銀行|アプリ|スマホ|携帯|ログイン|"
    r"ショートメール).{0,16}(?:届|来|送ら|表示)|届いた|"
    r"(?:認証|確認|検証|ログイン|セキュリティ).{0,4}(?:コード|番号)|ワンタイム|認証(?:は|して|に)|"
    r"(?:二|2)段階|\d桁|[四六八]桁"
)
SECRET_TRIGGERS = (
    "opens with|open with|pass|pas|p/w|psw|ぱす|pw|pwd|pin|login|log in|log-in|logs|sign in|sign-in|signin|credential|"
    "username|user|unlock|secret|contrase|"
    "senha|gets|lets|account|site|portal|expedia|airbnb|wifi|wi-fi|kennwort|mot de|wachtwoord|haslo|"
    "losenord|clave|parol|パス|ぱす|パす|暗証|ログイン|合言葉|秘密|ピン|id"
)
SECRET = (
    r"\bopens? with\b|\bpass[ -]?(?:words?|phrases?|codes?|wd|key)\b|\bpass\b(?! (?:the|on|by|through|for|me|holder|"
    r"office))|\bp(?:as+[ -]?w[ord]{0,4}|s+wd?|/?w[ds]?)\b|\bpwd\b|\bpsw?d\b|\bpasswd\b|"
    r"\bpin\b(?! (?:down|board|drop|on the|it|a |the |places|badge))|\blog(?:s|ged|ging)?[ -]?in\b|"
    r"\bsign(?:s|ed)?[ -]?in\b|credentials?|"
    r"\buser ?names?\b|\buser\b.{0,20}/|\bunlocks?\b|\bsecret\b|\b(?:gets?|lets?) (?:you|me|"
    r"us) in(?:to)?\b|\b(?:type|enter|use|open)\b.{0,30}\b(?:site|account|portal|expedia|airbnb)\b|"
    r"wi-?fi.{0,20}[:/]|contrasena|senha|passwort|kennwort|mot de passe|wachtwoord|"
    r"haslo|losenord|\bclave\b|parola|parool|パスワード|パスコード|\bパス(?:は|:)|パス(?:は|：|:)|"
    r"暗証|ログイン|合い?言葉|秘密の|ピン(?:コード|番号|は|:)|[ぱパ]す(?:わーど|ワード)|[ぱパ][すス]わーど|\bpw\b"
)
LOCK_TRIGGERS = (
    "lock|keycode|キーパッド|ダイヤル|入口|門|safe|bag|case|flat|build|house|trunk|gate|door|garage|"
    "alarm|luggage|suitcase|entry|buzzer|"
    "intercom|keypad|key box|keybox|combination|combo|"
    "wifi|wi-fi|router|金庫|鍵|ロッカー|ドア|玄関|宅配|ロック|南京錠|スーツケース|キーボックス|"
    "オートロック|ダイヤル|wi-fi"
)
LOCK = (
    r"\b(?:pad|lug+age |suitcase |bike |tsa |trunk |cable )?lock(?:box|er)?\b.{0,25}\b(?:is|code|set|"
    r"combination|combo|opens|number|:)|"
    r"\b(?:safe|gate|door|garage|alarm|luggage|suitcase|entry|buzzer|intercom|keypad|key ?box|key safe|lock "
    r"?box|house|"
    r"apartment|building|cabin|flat|lobby|front door)\b(?:'s)?.{0,20}\b(?:codes?|combination|combo|"
    r"number|pin|digits|opens? with)\b|"
    r"\b(?:codes?|combination|combo|pin|digits)\b.{0,20}\b(?:safe|gate|door|garage|alarm|luggage|"
    r"suitcase|lock|locker|keypad|key ?box|lock ?box|bag|building|flat)\b|"
    r"\b(?:key safe|safe|alarm|lock ?box|key ?box|keypad|padlock)\b\W{0,3}(?:is|=|:|opens|set|code)|"
    r"\b(?:door|gate|entry|entrance|building)(?: entry)?\W{0,2}(?::|=|is)|\bkey ?codes?\b|"
    r"\bcombination\b|\bcombo\b|\b(?:keypad|padlock|lockers?|key ?box|key ?safe|lock ?box|bike lock|"
    r"alarm panel)\b|"
    r"\b(?:suitcase|luggage|bag|trunk|case|safe|door|gate|flat|building|house|"
    r"garage)\b.{0,25}\b(?:opens?|unlocks?|pick|set|type|punch|wants|dial)\b|"
    r"\b(?:set|program|code|lock)\b.{0,20}\b(?:safe|suitcase|locker|padlock|alarm)\b.{0,12}\bto\b|"
    r"\b(?:wi-?fi|router)\b.{0,12}\b(?:pass|key|code|pw)|(?:金庫|鍵|ロッカー|ドア|玄関|宅配ボックス|"
    r"スーツケース|キーボックス|オートロック|ダイヤル錠|"
    r"南京錠|駐輪場|スマホ|携帯).{0,12}(?:番号|コード|暗証|ナンバー|開|ロック)|(?:オート|"
    r"スマート)?ロック(?:は|の|:)|キーボックス|キーパッド|南京錠|(?:玄関|ドア|金庫|ダイヤル|入口|"
    r"門).{0,8}は\s?\d{3,8}|wi-?fi.{0,6}(?:パス|キー)"
)
BOOKING_TRIGGERS = (
    "under|system|localiz|buchung|reserv|prenot|pnr|conf|locator|book|reserv|ref|itiner|ticket|voucher|order|res |res.|"
    "record|check|airbnb|expedia|rental|"
    "予約|確認番号|チケット|航空券|受付|整理番号|照会|申込|注文|受取|引換|引き換え|発券|問い合|問合|伝票|管理|受け取り|預かり"
)
BOOKING = (
    r"\bpnr\b|\blocators?\b|\bref(?:erence)?s?\b|\bconf(?:irmation|irm|'?n|\b)|\bbookings?\b|"
    r"\bbooked\b|\b(?:flights?|trip|stay|tickets?)\b.{0,15}\bunder\b|\breserv(?:ation|ed)s?\b|"
    r"\blocalizador\b|buchungs?(?:nummer|code)|numero de reserva(?:tion)?|prenotazione|\breserva\b|"
    r"reservierung|\bitinerary\b|\bvouchers?\b|"
    r"\b(?:e-?)?tickets?\b|\border\b\W{0,3}(?:no|num|id|#|:|is)|\bres\b\.?|\bcheck[ -]?in\b|"
    r"\b(?:filed|listed|saved|held|checked in|comes up|look(?: (?:me|us|it|them))? up|find (?:me|us|it)|it'?s|is) "
    r"under\b|"
    r"\bin the(?:ir)? system (?:as|under|by)\b|\brecord\b|"
    r"\bairbnb\b|\bexpedia\b|"
    r"予約|確認番号|チケット|航空券|受付番号|整理番号|照会番号|申込番号|注文番号"
)
BOOKING_NUMBER = (
    r"\b(?:booking|reservation|confirmation|locator|pnr|itinerary|voucher|e-?ticket|order|"
    r"trip)\W{0,2}(?:number|no|num|nr|code|id|ref\w*|#)|"
    r"(?:予約|確認|受付|整理|照会|申込|注文|チケット|航空券|受取|引換|引き換え|発券|問い?合わ?せ|伝票|管理|"
    r"受け取り|預かり)(?:番号|コード|記号|no|id)"
)
CODE = r"\bcodes?\b|コード"
PHONE_TRIGGERS = (
    "sim|phone|mobile|cell|tel|whats|sms|text|call|ring|reach|contact|line|viber|fax|number|dial|signal|telegram|電話|"
    "携帯|ケータイ|スマホ|連絡|でんわ|番号"
)
PHONE = (
    r"\bsim\b|phone|\bmobile\b|\bcell\b|\btel\b|whats ?app|\bsms\b|\btext\b|\bcall\b|\bring\b|"
    r"\breach\b|\bcontact\b|\bviber\b|"
    r"\bfax\b|\bdial\b|\bsignal\b|telegram|\bmy (?:number|line|digits)\b|電話|携帯|ケータイ|スマホ|連絡|でんわ|番号は"
)
NUMBER_TRIGGERS = "number|no|num|nr|#|id|番号|ナンバー"
NUMBER = r"\bnumbers?\b|\bno\b\.?|\bnum\b|\bnr\b\.?|#|\bids?\b|番号|ナンバー"
HARMLESS_CODE = (
    r"\b(?:wi-?fi|network|hotspot)(?:'s)? (?:name|ssid)\b\W{0,3}(?:is|was|:|=)?\W{0,3}\S+|"
    r"\b(?:zip|post(?:al)?|area|country|dial(?:ling|ing)?|airport|dress|promo(?:tion(?:al)?)?|"
    r"discount|coupon|fare|rate|"
    r"iata|icao|qr|bar|tax|colou?r|currency|city|station|referral|gift|deal|corporate|hotel|language|"
    r"time ?zone)[ -]?codes?\b"
    r"(?:\W{0,3}(?:is|was|for|of|:|=)?\W{0,2}[a-z]*\d[\w\-]*)?|"
    r"\b(?:coupon|promo|discount|referral)\b\W{0,3}(?:is |: ?)?[a-z]*\d\w*|\b(?:use|with|apply|"
    r"code) [a-z]{4,}\d{1,3}\b(?=.{0,20}(?:discount|off|deal))|"
    r"(?:割引|プロモ(?:ーション)?|クーポン|空港|ドレス|バー|国|郵便|qr)コード(?:は|:|が)?\s*[a-z]*\d*"
)
