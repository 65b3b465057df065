"""Japanese as one table of the offline concierge's languages. Heavier readers are imported when first needed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from functools import cache

from models.offline.ja.wording import plain, table
from models.offline.language import Concern, Reading, Request, Slot, Statement, Undecided
from models.offline.travel.request import OfferRequest
from text.numbers import WEEKDAYS_JA

_HELLO = re.compile(
    r"^(?:こんにち[はわ]|こんばん[はわ]|おはよう(?:ございます)?|はじめまして|初めまして)[。！!、〜ー\s]*$"
)
_OVER = re.compile(
    r"最初から(?:やり直|始)|やり直し(?:たい|て)|(?:この|その|今の|旅行の)(?:旅行?|計画|話|プラン|件)(?:は|"
    r"を)?(?:なし|やめ|キャンセル|取り消|白紙)|白紙に|リセットし"
)
_FROM_NOW_ON = re.compile(r"今後|今から|これから|以後|これまでの指示")
_OPENING = re.compile(r"^(?:私|僕|俺|わたし|自分|うち)(?:は|が)、?")
_WAYS = {
    "配車アプリ": r"配車|ライドシェア|ウーバー|uber|相乗り", "タクシー": r"タクシー|ハイヤー",
    "電車": r"電車|列車|鉄道|新幹線", "バス": r"バス", "地下鉄": r"地下鉄|メトロ",
    "フェリー": r"フェリー|船", "送迎": r"送迎", "徒歩": r"徒歩|歩",
}  # fmt: skip


class Japanese:
    """The `Tongue` of Japanese."""

    code = "ja"
    reads = 100_000

    def say(self, key: str, **values: object) -> str:
        """The reply `key`, filled; lists in a value are joined as Japanese joins them."""
        text: str = _replies()[key]
        if key in {"greeting", "goodbye"} and values.get("name"):
            values["name"] = f"、{str(values['name']).strip(', ')}さん"
        if key == "greeting_again":
            values["name"] = f"{str(values['name']).strip(', ')}さん、" if values.get("name") else ""
        shown = {name: _joined(value) if isinstance(value, str) else value for name, value in values.items()}
        return text.format(**shown) if values else text

    def request(self, text: str) -> Request:
        """What the user wants with `text`."""
        if _HELLO.match(text.strip()):
            return Request("greeting")
        from models.offline.ja.intents import request

        return request(text)

    def statements(self, text: str) -> list[Statement]:
        """Statements worth keeping."""
        return [] if _HELLO.match(text.strip()) else list(_detected(text))

    def asks_to_remember(self, text: str) -> bool:
        """True when `text` asks to remember something."""
        from models.offline.ja.notes.save_requests import asks_to_remember

        return asks_to_remember(text)

    def asked_to_keep(self, text: str) -> str:
        """Return the words that `text` asks to remember, or to heed from now on."""
        from models.offline.ja.notes.save_requests import without_request

        return without_request(text) if self.asks_to_remember(text) or _FROM_NOW_ON.search(text) else ""

    def asks_not_to_remember(self, text: str) -> bool:
        """True when `text` asks that what it says not be kept."""
        from models.offline.ja.control import asks_not_to_remember

        return asks_not_to_remember(text)

    def undecided(self, text: str) -> Undecided:
        """How `text` leaves a choice open."""
        from models.offline.ja.choices import undecided

        return undecided(text)

    def cases(self, text: str) -> list[tuple[str, str]]:
        """What is taken in which case."""
        from models.offline.ja.choices import cases

        return cases(text)

    def read_trip(self, text: str, today: date, asked: Slot | None, month: date | None, running: bool) -> Reading:
        """What `text` says of a trip."""
        if _HELLO.match(text.strip()):
            return Reading()
        from models.offline.ja.trips.read import read_trip

        return read_trip(text, today, asked, month, running)

    def read_offer_request(self, text: str) -> OfferRequest:
        """What `text` asks of offers and bookings."""
        from models.offline.ja.trips.offers import read_offer_request

        return read_offer_request(text)

    def read_summary(self, text: str, today: date) -> Reading:
        """What the trip heading of a history summary says."""
        from models.offline.ja.trips.read import read_trip
        from models.offline.tasks.headings import by_heading

        parts = by_heading(text)
        told = f"{parts.get('trip', '')}、{parts.get('travellers', '')}".split("Superseded:")[0]
        return read_trip(f"旅行の予定は{told}", today, None, None, False)

    def starts_over(self, text: str) -> bool:
        """True when `text` drops the trip that was being planned."""
        return bool(_OVER.search(plain(text)))

    def asks_for_trip(self, text: str) -> bool:
        """True when `text` asks for a journey."""
        return self.read_trip(text, date(2000, 1, 1), None, None, False).opens

    def restated_details(self, text: str) -> str:
        """The trip details in a reply that restates them."""
        for key in ("summary", "have"):
            head, tail = self.say(key).split("{details}")
            if head in text:
                return text.split(head, 1)[1].split(tail, 1)[0]
        return ""

    def split_travellers(self, details: str) -> tuple[str, str]:
        """Trip details without who travels, and who travels."""
        parts = details.split("、")
        people = [part for part in parts if part.endswith("名様")]
        return "、".join(part for part in parts if part not in people), "".join(people)

    def destination(self, details: str) -> str | None:
        """Where the trip goes."""
        return next((part.removesuffix("行き") for part in details.split("、") if part.endswith("行き")), None)

    def format_date(self, day: date) -> str:
        """A date in words: 「2026年12月3日」."""
        return f"{day.year}年{day.month}月{day.day}日"

    def format_day(self, day: date) -> str:
        """A date in a table: 「12/3(木)」."""
        return f"{day.month}/{day.day}({WEEKDAYS_JA[day.weekday()]})"

    def concern(self, text: str, kinds: Sequence[str]) -> Concern:
        """What `text` touches."""
        from models.offline.ja.concerns import concern

        return concern(text, kinds)

    def relevant_kinds(self, text: str) -> frozenset[str]:
        """Kinds of requests that a note matters for."""
        from models.offline.ja.concerns import relevant_kinds

        return relevant_kinds(text)

    def search_terms(self, text: str) -> str:
        """The words worth searching for."""
        from models.offline.ja.concerns import search_terms

        return search_terms(text)

    def content_words(self, text: str) -> frozenset[str]:
        """Terms that carry meaning."""
        from models.offline.ja.concerns import content_words

        return content_words(text)

    def polarity(self, text: str) -> int:
        """Liking, dislike or neither."""
        from models.offline.ja.concerns import polarity

        return polarity(text)

    def picked(self, text: str, choices: Sequence[str]) -> int | None:
        """Index of the choice that `text` picks, or None."""
        from models.offline.ja.choices import picked

        return picked(text, choices)

    def restate(self, text: str) -> str:
        """The user's words as said back to them: in quotation marks, without the subject."""
        return f"「{_OPENING.sub('', text.rstrip('。 '))}」"

    def alternatives(self, refusals: Sequence[str]) -> tuple[str, str] | None:
        """Ways of getting about that the refusals rule out, and those that remain; None when nothing is ruled out."""
        said = plain(" ".join(refusals))
        out = [name for name, pattern in _WAYS.items() if re.search(pattern, said)]
        left = [name for name in _WAYS if name not in out]
        return ("や".join(out), "、".join(left[:2]) + f"か{left[2]}") if out and len(left) > 2 else None


def _joined(value: str) -> str:
    """A list joined for English reading, as Japanese joins it."""
    return re.sub(r"(?<=[^\x00-\x7f]), |; |(?<=\S), (?=[^\x00-\x7f])", "、", value)


@cache
def _replies() -> dict[str, str]:
    return table("replies") | table("travel")


@cache
def _detected(text: str) -> tuple[Statement, ...]:
    from models.offline.ja.notes.statements import detect

    return tuple(detect(text))
