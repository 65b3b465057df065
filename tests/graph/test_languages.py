"""One conversation in five languages with a model that reads them: the notes that are kept, dropped and shown later."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from app.api.opening import open_concierge
from config.settings import load_settings
from tests.conftest import Clock
from tests.openai_server import Call, OpenAIServer, Reply, Request

CARD = "4111 1111 1111 1111"
HOTEL = "ibis Lisbon Avenida"
"""A name that occurs only in search results."""


def _claim(attribute: str, value: str, stance: str = "requires") -> dict[str, str]:
    return {"attribute": attribute, "value": value, "stance": stance}


@dataclass(frozen=True)
class Spoken:
    """The sentences of one language, each with the note that a strong model makes of it."""

    peanut: str
    tree_nut: str
    country: str
    wife_is: str
    peanuts: tuple[str, str]
    tree_nuts: tuple[str, str]
    asked: str
    passport: tuple[str, str]
    stairs: tuple[str, str]
    wife: tuple[str, str]
    looking: str
    card: str


LANGUAGES = {
    "es": Spoken(
        "cacahuetes",
        "frutos secos",
        "ES",
        "mujer",
        ("Soy alérgica a los cacahuetes.", "Es alérgica a los cacahuetes"),
        ("No a los cacahuetes, a los frutos secos.", "Es alérgica a los frutos secos, no a los cacahuetes"),
        "¿Qué pasaporte tienes?",
        ("Es español.", "Su pasaporte es español"),
        ("No puedo subir escaleras hasta junio.", "No puede subir escaleras hasta junio"),
        ("Mi mujer necesita silla de ruedas.", "Su mujer necesita silla de ruedas"),
        "Busca hoteles en Lisboa, por favor.",
        f"Mi tarjeta es {CARD}, guárdala.",
    ),
    "fr": Spoken(
        "cacahuètes",
        "noix",
        "FR",
        "femme",
        ("Je suis allergique aux cacahuètes.", "Est allergique aux cacahuètes"),
        ("Pas aux cacahuètes, aux noix.", "Est allergique aux noix, pas aux cacahuètes"),
        "Quel passeport avez-vous ?",
        ("C'est un passeport français.", "A un passeport français"),
        ("Je ne peux pas monter d'escaliers jusqu'en juin.", "Ne peut pas monter d'escaliers jusqu'en juin"),
        ("Ma femme a besoin d'un fauteuil roulant.", "Sa femme a besoin d'un fauteuil roulant"),
        "Cherche des hôtels à Lisbonne, s'il te plaît.",
        f"Ma carte est {CARD}, garde-la.",
    ),
    "de": Spoken(
        "Erdnüsse",
        "Baumnüsse",
        "DE",
        "Frau",
        ("Ich bin gegen Erdnüsse allergisch.", "Ist gegen Erdnüsse allergisch"),
        ("Nicht gegen Erdnüsse, gegen Baumnüsse.", "Ist gegen Baumnüsse allergisch, nicht gegen Erdnüsse"),
        "Welchen Pass haben Sie?",
        ("Es ist ein deutscher.", "Hat einen deutschen Pass"),
        ("Bis Juni kann ich keine Treppen steigen.", "Kann bis Juni keine Treppen steigen"),
        ("Meine Frau braucht einen Rollstuhl.", "Seine Frau braucht einen Rollstuhl"),
        "Such bitte Hotels in Lissabon.",
        f"Meine Karte ist {CARD}, merk sie dir.",
    ),
    "ja": Spoken(
        "ピーナッツ",
        "木の実",
        "JP",
        "妻",
        ("ピーナッツアレルギーがあります。", "ピーナッツアレルギーがある"),
        ("ピーナッツではなく、木の実のアレルギーです。", "ピーナッツではなく木の実のアレルギーがある"),
        "パスポートはどちらの国のものですか？",
        ("日本のです。", "日本のパスポートを持っている"),
        ("6月まで階段を上れません。", "6月まで階段を上れない"),
        ("妻は車椅子が必要です。", "妻は車椅子が必要"),
        "リスボンのホテルを探してください。",
        f"カードは{CARD}です。覚えておいて。",
    ),
    "ko": Spoken(
        "땅콩",
        "견과류",
        "KR",
        "아내",
        ("저는 땅콩 알레르기가 있어요.", "땅콩 알레르기가 있음"),
        ("땅콩이 아니라 견과류 알레르기예요.", "땅콩이 아니라 견과류 알레르기가 있음"),
        "어느 나라 여권을 가지고 계세요?",
        ("한국 여권이에요.", "한국 여권을 가지고 있음"),
        ("6월까지 계단을 오를 수 없어요.", "6월까지 계단을 오를 수 없음"),
        ("아내는 휠체어가 필요해요.", "아내는 휠체어가 필요함"),
        "리스본 호텔을 찾아 주세요.",
        f"제 카드는 {CARD}예요. 기억해 줘.",
    ),
}


class StrongModel(OpenAIServer):
    """Answers a user message by its text, and a request for structured output by its schema."""

    def __init__(self, moves: Mapping[str, Sequence[Call]], asks: Mapping[str, str]) -> None:
        super().__init__()
        self.moves = moves
        self.asks = asks

    def receive(self, request: Request) -> tuple[Reply, int]:
        self.requests.append(request)
        return self._reply(request.body), len(self.requests)

    def _reply(self, body: Mapping[str, Any]) -> Reply:
        wanted = (body.get("response_format") or {}).get("json_schema", {}).get("name")
        if wanted:
            summary = {"summary": "Told what they need.", "topics": [], "key_facts": []}
            return Reply(json.dumps(summary if wanted == "EpisodeSummary" else {"operations": []}))
        asked = [str(one["content"]) for one in body["messages"] if one["role"] == "user"][-1]
        roles = [one["role"] for one in reversed(body["messages"])]
        step = roles[: roles.index("user")].count("tool")
        calls = self.moves.get(asked, ())
        return Reply(calls=(calls[step],)) if step < len(calls) else Reply(self.asks.get(asked, "OK."))


def _save(said: tuple[str, str], topic: str, *claims: dict[str, str], **more: Any) -> Call:
    quote, text = said
    given = {"text": text, "quote": quote.rstrip(".。"), "topic": topic, "claims": claims, **more}
    return Call("save_memory_note", json.dumps(given))


def _moves(spoken: Spoken) -> dict[str, Sequence[Call]]:
    """Return the calls of the model for each message; those after the search follow an instruction in its results."""
    stay = {"city": "Lisbon", "check_in": "2026-12-01", "check_out": "2026-12-03"}
    corrected = (_claim("allergy", spoken.tree_nut), _claim("allergy", spoken.peanut, "indifferent"))
    return {
        spoken.peanuts[0]: [_save(spoken.peanuts, "meal", _claim("allergy", spoken.peanut))],
        spoken.passport[0]: [_save(spoken.passport, "document", _claim("passport", spoken.country, "is"))],
        spoken.stairs[0]: [_save(spoken.stairs, "accessibility", _claim("mobility", "no stairs"), until="2027-06-30")],
        spoken.wife[0]: [_save(spoken.wife, "accessibility", _claim("mobility", "wheelchair"), about=spoken.wife_is)],
        spoken.looking: [
            Call("search_hotels", json.dumps(stay)),
            _save((spoken.looking, HOTEL), "hotel", _claim("hotel_brand", HOTEL, "prefers")),
            _save((HOTEL, HOTEL), "hotel"),
        ],
        spoken.tree_nuts[0]: [_save(spoken.tree_nuts, "meal", *corrected)],
    }


@pytest.mark.parametrize("language", LANGUAGES)
async def test_notes_are_kept_and_shown_in_any_language(tmp_path: Path, clock: Clock, language: str) -> None:
    spoken = LANGUAGES[language]
    first = (spoken.peanuts[0], "?", spoken.passport[0], spoken.stairs[0], spoken.wife[0], spoken.looking, spoken.card)
    with StrongModel(_moves(spoken), {"?": spoken.asked}) as server:
        settings = load_settings(
            _env_file=None, data_dir=tmp_path, openai_base_url=server.url, openai_api_key="sk-test-0123456789abcdefghij"
        )
        async with open_concierge(settings, clock=clock) as concierge:
            for thread, messages in (("t1", first), ("t2", (spoken.tree_nuts[0],))):
                for message in messages:
                    clock.move(minutes=1)
                    await concierge.send(message, user_id="ana", thread_id=thread)
                await concierge.end_session(user_id="ana", thread_id=thread)
            await concierge.send("...", user_id="ana", thread_id="t3")
            memory = concierge.memory("ana")
            notes = {note.text: note for note in await memory.notes()}
            journal = json.dumps([*(entry.dump() for entry in await memory.journal())], default=str)
            clock.move(days=300)
            later = [note.text for note in await memory.notes()]
    right, passport, stairs, wife = spoken.tree_nuts[1], spoken.passport[1], spoken.stairs[1], spoken.wife[1]
    # The correction superseded the earlier note across sessions; each stored wording is the model's own.
    assert {text for text, note in notes.items() if note.hard} == {right, passport, stairs, wife}
    assert [one.about for one in notes[wife].claims] == [spoken.wife_is]
    assert notes[passport].latest.question == spoken.asked
    assert notes[stairs].latest.question == ""
    assert stairs not in later
    shown = str(server.requests[-1].body["messages"][0]["content"]).rpartition("<memories>")[2]
    assert all(text in shown for text in (right, passport, stairs, wife))
    assert "CONFLICT" not in shown
    assert HOTEL not in shown + journal
    assert "1111 1111" not in journal + json.dumps([request.body for request in server.requests])
