"""Access tokens: which are accepted, and every way in which one is rejected."""

from __future__ import annotations

import stat
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa

from app.auth.tokens import Tokens
from config.errors import AccessDeniedError, SettingsError
from config.settings import Settings

KEY = "a-key-of-more-than-32-characters-for-tests"
MakeSettings = Callable[..., Settings]


def _claims(**changed: Any) -> dict[str, Any]:
    soon = datetime.now(UTC) + timedelta(minutes=5)
    claims = {"sub": "ana", "iss": "concierge", "aud": "concierge", "exp": soon, **changed}
    return {name: value for name, value in claims.items() if value is not None}


def test_valid_token_names_its_user_and_invalid_tokens_are_rejected(make_settings: MakeSettings) -> None:
    tokens = Tokens(make_settings(auth_key=KEY))
    good = tokens.mint("ana.maria@example.com")
    assert tokens.user_of(good) == "ana.maria@example.com"
    head, body, signature = good.split(".")
    past = datetime.now(UTC) - timedelta(minutes=1)
    wrong = {
        "nothing": "",
        "no token": "hello",
        "a head that nests too deep": f"{jwt.utils.base64url_encode(b'[' * 2900).decode()}.{body}.{signature}",
        "too long": good + "a" * 5000,
        "another signature": f"{head}.{body}.{signature[::-1]}",
        "no signature": f"{head}.{body}.",
        "another body": f"{head}.{jwt.encode(_claims(sub='bob'), KEY).split('.')[1]}.{signature}",
        "another key": jwt.encode(_claims(), KEY[::-1]),
        "no algorithm": jwt.encode(_claims(), "", "none"),
        "another algorithm": jwt.encode(_claims(), KEY * 2, "HS512"),
        "expired": jwt.encode(_claims(exp=past), KEY),
        "for ever": jwt.encode(_claims(exp=None), KEY),
        "not yet": jwt.encode(_claims(nbf=datetime.now(UTC) + timedelta(hours=1)), KEY),
        "another issuer": jwt.encode(_claims(iss="eve"), KEY),
        "another audience": jwt.encode(_claims(aud="mail"), KEY),
        "nobody": jwt.encode(_claims(sub=None), KEY),
        "an empty name": jwt.encode(_claims(sub=""), KEY),
        "a name with NUL": jwt.encode(_claims(sub="ana\x00"), KEY),
        "a name on two lines": jwt.encode(_claims(sub="ana\nbob"), KEY),
        "a long name": jwt.encode(_claims(sub="a" * 300), KEY),
    }
    accepted = []
    for why, token in wrong.items():
        with pytest.raises(AccessDeniedError):
            accepted.append((why, tokens.user_of(token)))
    assert accepted == []


def test_public_key_verifies_tokens_of_an_identity_provider_and_signs_none(
    make_settings: MakeSettings, tmp_path: Path
) -> None:
    private: dict[str, Any] = {
        "RS256": rsa.generate_private_key(65537, 2048),
        "ES256": ec.generate_private_key(ec.SECP256R1()),
        "EdDSA": ed25519.Ed25519PrivateKey.generate(),
    }
    for algorithm, key in private.items():
        pem = key.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
        file = tmp_path / f"{algorithm}.pem"
        file.write_bytes(pem)
        tokens = Tokens(make_settings(auth_public_key=file, auth_issuer="https://id.example.com"))
        claims = _claims(iss="https://id.example.com")
        assert tokens.user_of(jwt.encode(claims, key, algorithm)) == "ana"
        assert not tokens.is_development
        with pytest.raises(SettingsError, match="CONCIERGE_AUTH_KEY"):
            tokens.mint("ana")
        for shared in (pem, b"", b"x" * 40):
            head, body, _ = jwt.encode(claims, b"y" * 40, "HS256").split(".")
            signed = jwt.get_algorithm_by_name("HS256").sign(f"{head}.{body}".encode(), shared)
            forged = f"{head}.{body}.{jwt.utils.base64url_encode(signed).decode()}"
            with pytest.raises(AccessDeniedError):
                tokens.user_of(forged)
    with pytest.raises(SettingsError, match="CONCIERGE_AUTH_PUBLIC_KEY"):
        Tokens(make_settings(auth_public_key=tmp_path / "nowhere.pem"))


def test_installation_without_a_key_creates_one(make_settings: MakeSettings, tmp_path: Path) -> None:
    first = Tokens(make_settings())
    file = tmp_path / "data" / "auth.key"
    assert first.is_development
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [one.name for one in file.parent.iterdir()] == ["auth.key"]
    assert Tokens(make_settings()).user_of(first.mint("ana")) == "ana"
    with pytest.raises(AccessDeniedError):
        Tokens(make_settings(data_dir=tmp_path / "other")).user_of(first.mint("ana"))


def test_short_key_is_rejected(make_settings: MakeSettings) -> None:
    with pytest.raises(SettingsError, match=r"CONCIERGE_AUTH_KEY is \(hidden\): .*at least 32 characters, not 5"):
        make_settings(auth_key="short")
