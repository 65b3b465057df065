"""Secrets that are never needed are masked, and nothing else is."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.types import StateUpdate

from memory.policy.redact import Masking, redact, removed_kinds
from memory.policy.sensitive.detect import PLACEHOLDERS, sensitive_kind
from tests.memory.policy.cases_of import labelled, lines
from text import Text

_EVALS = Path(__file__).parents[3] / "evals/policy"
_ORDINARY = ["ordinary_en", "ordinary_ja", "more_ordinary", "told_ordinary", "explained_ordinary"]


def _cases(*names: str) -> list[str]:
    files = [_EVALS / part / f"{name}.jsonl" for part in ("measure", "tune") for name in names]
    return [json.loads(line)["text"] for file in files for line in file.read_text("utf-8").splitlines()]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("my card is 4111 1111 1111 1111, thanks", "my card is [card number removed], thanks"),
        ("card 4111-1111-1111-1111 12/28 cvc 731", "card [card number removed] 12/28 cvc [card number removed]"),
        ("ｶｰﾄﾞは４１１１ １１１１ １１１１ １１１１です", "ｶｰﾄﾞは[card number removed]です"),
        ("card: " + "four " + "one " * 15 + "ok?", "card: [card number removed] ok?"),
        ("IBAN DE89 3704 0044 0532 0130 00 it is", "IBAN [bank account removed] it is"),
        ("GB29 NWBK 6016 1331 9268 19 for refunds", "[bank account removed] for refunds"),
        ("my password is hunter2x and I fly on 12 May", "my password is [password removed] and I fly on 12 May"),
        ("my password is bananabread", "my password is [password removed]"),
        ("My password for Booking is hunter2", "My password for Booking is [password removed]"),
        ("my password is correct horse battery staple, ok?", "my password is [password removed], ok?"),
        ("パスワードは桜餅です", "パスワードは[password removed]です"),
        ("My PIN? 4821", "My PIN? [password removed]"),
        ("the SMS code is 482913", "the SMS code is [code removed]"),
        ("key sk-proj-abcdefgh12345678 there", "key [API key removed] there"),
        ("SSN 078-05-1120", "SSN [ID number removed]"),
        ("passport no. X1234567, expiring in 2031", "passport no. [passport number removed], expiring in 2031"),
        ("call me on +49 151 23456789. my PIN is 4821", "call me on +49 151 23456789. my PIN is [password removed]"),
        ("SSN 078-05-1120, and my phone is 07700 900123", "SSN [ID number removed], and my phone is 07700 900123"),
        ("Reference XK7P2Q. my card is 4111111111111111", "Reference XK7P2Q. my card is [card number removed]"),
    ],
)  # fmt: skip
def test_only_the_secret_is_masked(text: str, left: str) -> None:
    assert redact(text) == left


@pytest.mark.slow
def test_detected_secrets_are_masked_and_masking_is_idempotent() -> None:
    names = ["sensitive_en", "sensitive_ja", "more_sensitive", "told_sensitive", "unexplained_sensitive"]
    texts = [*_cases("sensitive"), *(text for _, text in labelled(*names))]
    secrets = [text for text in texts if sensitive_kind(Text(text)) in PLACEHOLDERS]
    assert len(secrets) > 1000
    masked = {text: redact(text) for text in texts}
    missed = [text for text in secrets if not removed_kinds(masked[text])]
    unstable = [text for text, once in masked.items() if once != text and redact(once) != once]
    whole = [text for text in secrets if masked[text] in PLACEHOLDERS.values()]
    assert (missed, unstable) == ([], [])
    assert len(whole) < 0.02 * len(secrets)


def test_ordinary_talk_is_unchanged() -> None:
    texts = [*_cases("talk", "near_miss"), *lines(*_ORDINARY)]
    assert [text for text in texts if redact(text) != text] == []


@pytest.mark.parametrize(
    "text",
    [
        "call me on +49 151 23456789", "booking reference XK7P2Q", "email ken@example.com", "I was born on 3 May 1984",
        "pick me up at 12 Baker Street, London", "Flight BA117 on 12 May, room 1204, 1500 EUR",
        "My passport expires in 2031", "book FL.261203-LHR-BA117-JFK.YS.200.2y1x0.3k940.5owacb", "a" * 20_000,
        "電話番号は090-1234-5678です",
    ],
)  # fmt: skip
def test_allowed_personal_data_is_unchanged(text: str) -> None:
    assert redact(text) == text


@pytest.mark.parametrize(
    ("before", "text", "is_masked"),
    [
        ("They have sent you a verification code.", "4829", True),
        ("Which PIN?", "It is 4821", True),
        ("What is your password?", "bananabread", True),
        ("暗証番号を教えてください。", "4821", True),
        ("How many nights?", "4", False),
        ("What is your room number?", "1204", False),
        ("What's your budget?", "about 1500", False),
        ("When would you like to fly?", "2026-12-24", False),
        ("What is your booking reference?", "XK7P2Q", False),
    ],
)
def test_answer_is_masked_with_its_question(before: str, text: str, is_masked: bool) -> None:
    assert (redact(text, before) != text) is is_masked


def test_time_grows_linearly_with_the_text() -> None:
    ordinary = "I like window seats on flight BA117, and 2 rooms at 150 euros. " * 300
    begun = time.process_time()
    assert removed_kinds(redact(f"{ordinary}my card is 4111 1111 1111 1111. {ordinary}")) == ("payment_card",)
    assert time.process_time() - begun < 5


_SECRET = "my PIN is 4821"


@pytest.mark.parametrize(
    "given",
    [
        HumanMessage(_SECRET), {"role": "user", "content": _SECRET}, {"type": "human", "content": _SECRET},
        ("user", _SECRET), ["user", _SECRET], {"messages": _SECRET}, {"messages": [_SECRET]}, ("messages", _SECRET),
        HumanMessage([{"type": "text", "text": _SECRET}]),
        {"role": "user", "content": [{"type": "text", "text": _SECRET}]},
        {"decisions": [{"type": "reject", "message": _SECRET}]},
        StateUpdate({"messages": [("user", _SECRET)]}, "agent"),
        {"type": "human", "data": {"content": _SECRET, "type": "human"}},
        [AIMessage("What is your PIN?"), HumanMessage("4821")], [("ai", "What is your PIN?"), ("user", "4821")],
    ],
)  # fmt: skip
def test_every_part_of_a_message_is_masked(given: object) -> None:
    masked = Masking().masked(given)
    assert "4821" not in repr(masked)
    assert type(masked) is type(given)


def test_generated_text_and_ids_are_unchanged() -> None:
    given = [
        AIMessage(_SECRET),
        {"role": "assistant", "content": _SECRET},
        {"id": "482913", "offer": "FL-4111111111111111"},
    ]
    assert Masking().masked(given) is given


def test_id_of_a_note_is_no_secret() -> None:
    text = "Forget fe5b0263-dac1-5783-9443-c1075b484f7c"
    assert redact(text) == text
    assert removed_kinds(redact(f"{text}, and my card is 4111 1111 1111 1111")) == ("payment_card",)
