"""Recognises secrets and standing orders to the assistant in Japanese, so that neither is taken up."""

from __future__ import annotations

import re

from stdnum import luhn

from models.offline.ja.wording import plain

_DIGITS = re.compile(r"(?<!\d)(?:\d-?){13,19}(?!\d)")
_KINDS: tuple[tuple[str, str], ...] = (
    ("password", r"パスワード|パスフレーズ|暗証番号|ピンコード|pinコード|合言葉は|秘密の質問"),
    (
        "payment_card",
        r"(?:クレジット|デビット|キャッシュ|銀行)?カード(?:の)?(?:番号|情報)|セキュリティコード|cvv|cvc|"
        r"カードの(?:有効期限|裏)",
    ),
    ("passport", r"(?:パスポート|旅券)(?:の)?番号|(?:パスポート|旅券)は[a-z]{1,2}\d{6,}"),
    (
        "national_id",
        r"マイナンバー|個人番号|(?:免許証?|保険証|年金|社会保障|身分証|在留カード|住民票)(?:の)?(?:番号|"
        r"コード)",
    ),
    ("iban", r"口座番号|銀行口座|iban|支店番号|[a-z]{2}\d{2}[a-z0-9]{11,}"),
    ("one_time_code", r"ワンタイム|認証コード|確認コード|認証番号|otp|二段階認証"),
    ("api_key", r"sk-[a-z0-9_-]{8,}|apiキー|アクセストークン|秘密鍵"),
    ("email", r"[\w.+-]+@[\w-]+\.[a-z]{2,}|メールアドレスは|アットマーク"),
    ("birth_date", r"(?:生年月日|誕生日)は?.{0,4}\d|\d{4}年\d{1,2}月\d{1,2}日(?:生まれ|に生まれ)"),
    ("booking_reference", r"(?:予約|確認|照会)(?:の)?(?:番号|コード)(?:は|:|が)"),
    ("street_address", r"(?:自宅|実家|家|私)?の?住所は|\d+丁目|\d+番地|\d+-\d+-\d+号?(?:室|$|に住)|〒\d{3}"),
    (
        "phone",
        r"(?:電話|携帯|ケータイ|スマホ)(?:の)?番号|0\d{1,4}-\d{1,4}-\d{3,4}|(?<!\d)0[789]0\d{8}(?!\d)|"
        r"\+\d[\d-]{8,}",
    ),
)
_ORDERS = re.compile(
    r"(?:これまで|今まで|以前|上記|前|先|すべて|全て)の(?:すべての|全ての)?(?:指示|命令|ルール|設定|"
    r"プロンプト|制約)を?(?:すべて|全て)?(?:無視|忘れ|破棄|取り消|無効)|(?:指示|命令|ルール|規則|制限|"
    r"ポリシー|ガイドライン)(?:を|に|は)(?:すべて|全て|全部)?(?:無視|従うな|従わな|破っ|解除|無効)|"
    r"あなたは(?:今|これ|今日|以後)(?:から|は)|(?:に|として)(?:なりきっ|振る舞|ふるまっ|演じ)|"
    r"ロールプレイ|"
    r"システム(?:プロンプト|ルール|メッセージ|指示|管理者)|管理者(?:権限|モード|として)|開発者モード|"
    r"脱獄|(?:絶対|必ず|常に|何でも|いつも)(?:に)?(?:私|俺|僕)?(?:の)?(?:命令|指示|言うこと)?(?:に|"
    r"を)?(?:服従|従え|従って(?:ください|$)|聞け)|命令に(?:従|服従)|(?:承認|確認|許可)(?:を|は|"
    r"なし)(?:(?:求め|取ら|せ)?(?:ず|ないで)|省略|スキップ|で(?:予約|実行|進め))|"
    r"(?:語尾|文末)(?:に|は)|(?:返事|回答|答え)(?:は|の)(?:最初|最後|冒頭|末尾)|https?:/|"
    r"ツールを(?:呼|実行)|</?\w+>|(?:ユーザー|私)に(?:は)?(?:言わ|教え|伝え)ないで|どんな(?:命令|指示|"
    r"要求)(?:に|で)も|(?:質問|聞か)れたら[^。]{0,20}(?:と答え|を勧め|をすすめ|を推薦)"
)


def sensitive(text: str) -> str | None:
    """The kind of secret in `text`, or None."""
    form = plain(text)
    for match in _DIGITS.finditer(form):
        if luhn.is_valid(re.sub(r"\D", "", match[0])):
            return "payment_card"
    return next((kind for kind, pattern in _KINDS if re.search(pattern, form)), None)


def instruction(text: str) -> bool:
    """True when `text` gives the assistant standing orders."""
    return bool(_ORDERS.search(plain(text)))
