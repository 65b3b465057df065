"""What a message asks of offers and bookings, in both languages."""

from __future__ import annotations

from typing import Any

from models.offline.languages import language_of
from models.offline.travel.request import OfferRequest
from tests.tables import table


def _read(said: str) -> OfferRequest:
    return language_of(said).read_offer_request(said)


@table(
    ("said", "asked"),
    [
        ("cheaper", {"sort": "cheapest"}),
        ("Something less expensive, please", {"sort": "cheapest"}),
        ("earlier", {"sort": "earliest"}),
        ("a later flight", {"sort": "latest", "kinds": ("flight",)}),
        ("no stops", {"max_stops": 0}),
        ("nonstop please", {"max_stops": 0}),
        ("at most one stop", {"max_stops": 1}),
        ("business class", {"cabin": "business"}),
        ("premium economy", {"cabin": "premium_economy"}),
        ("the second one", {"choice": 1}),
        ("number 3", {"choice": 2}),
        ("2", {"choice": 1}),
        ("the last one", {"choice": -1}),
        ("the second week of May", {}),
        ("first class", {"cabin": "first"}),
        ("a different hotel", {"other": True, "kinds": ("hotel",)}),
        ("show me more options", {"other": True}),
        ("closer to the centre", {"sort": "central"}),
        ("better rated", {"sort": "rating"}),
        ("under $150 a night", {"per_night": 150.0}),
        ("plus or minus two days", {"flexible_days": 2}),
        ("What have I booked?", {"act": "bookings"}),
        ("show my itinerary", {"act": "itinerary"}),
        ("export it to my calendar", {"act": "calendar"}),
        ("how much is that in yen?", {"act": "convert", "currency": "JPY"}),
        ("cancel the hotel", {"act": "cancel", "kinds": ("hotel",)}),
        ("cancel TC-7F3K2Q", {"act": "cancel", "reference": "TC-7F3K2Q"}),
        ("please cancel everything", {"act": "cancel", "whole": True}),
        ("what's the cancellation policy?", {"act": "policy"}),
        ("do I need a visa?", {"act": "documents"}),
        ("hold it for me", {"act": "hold"}),
        ("yes please", {"yes": True}),
        ("Sounds good", {"yes": True}),
        ("book it", {"act": "book", "yes": True}),
        ("no thanks", {"yes": False}),
        ("let's leave it out", {"yes": False}),
        ("another night", {}),
        ("two days later", {}),
        ("I like museums", {}),
    ],
)
def test_english(said: str, asked: dict[str, Any]) -> None:
    assert _read(said) == OfferRequest(**asked)


@table(
    ("said", "asked"),
    [
        ("もっと安いのはありますか", {"sort": "cheapest"}),
        ("もう少し早い便", {"sort": "earliest", "kinds": ("flight",)}),
        ("遅い便がいい", {"sort": "latest", "kinds": ("flight",)}),
        ("直行便で", {"max_stops": 0, "kinds": ("flight",)}),
        ("ビジネスクラスで", {"cabin": "business"}),
        ("2番目でお願いします", {"choice": 1}),
        ("３番", {"choice": 2}),
        ("別のホテル", {"other": True, "kinds": ("hotel",)}),
        ("もっと中心に近いところ", {"sort": "central"}),
        ("1泊15000円以下", {"per_night": 15000.0, "currency": "JPY"}),
        ("何を予約しましたか", {"act": "bookings"}),
        ("旅程を見せて", {"act": "itinerary"}),
        ("カレンダーに書き出して", {"act": "calendar"}),
        ("円だといくらですか", {"act": "convert", "currency": "JPY"}),
        ("ホテルをキャンセルして", {"act": "cancel", "kinds": ("hotel",)}),
        ("キャンセル料はかかりますか", {"act": "policy"}),
        ("はい、お願いします", {"yes": True}),
        ("予約してください", {"act": "book", "yes": True}),
        ("結構です", {"yes": False}),
        ("保険は要りません", {"yes": False, "kinds": ("insurance",)}),
        ("美術館が好きです", {}),
    ],
)
def test_japanese(said: str, asked: dict[str, Any]) -> None:
    assert _read(said) == OfferRequest(**asked)
