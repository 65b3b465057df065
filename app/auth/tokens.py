"""Signed bearer tokens that identify users."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePublicKey
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.serialization import load_pem_public_key

from config.errors import AccessDeniedError, RequestError, SettingsError
from config.settings import Settings
from memory.records.reading import check_id
from stores.private_files import own_secret

LOCAL_KEY_FILE = "auth.key"
_SHARED = "HS256"
_LOCAL = ("127.0.0.1", "::1", "localhost")
_MAX_CHARS = 4096
_LEEWAY = timedelta(seconds=10)


class Tokens:
    """Mints and checks tokens: JWTs with subject, issuer, audience and expiry, signed with a key of the settings.

    Each algorithm has its own key, so that a token can't be checked with the key of another algorithm. Without a key in
    the settings this is a development installation (`is_development`), whose key is generated in the data directory.
    """

    def __init__(self, settings: Settings) -> None:
        """Load the keys.

        Raises:
            SettingsError: the public key file can't be read or has no public key.
            StorageError: the generated key can't be read or written.
        """
        self._issuer, self._audience = settings.auth_issuer, settings.auth_audience
        self._keys = _public_key(settings.auth_public_key) if settings.auth_public_key else {}
        if settings.auth_key:
            self._keys[_SHARED] = settings.auth_key.get_secret_value()
        self.is_development = not self._keys
        if self.is_development:
            self._keys[_SHARED] = own_secret(settings.data_dir / LOCAL_KEY_FILE)

    def check_host(self, host: str) -> None:
        """Raise SettingsError if other machines can reach `host` but no key is set."""
        if self.is_development and host not in _LOCAL:
            raise SettingsError(
                f"{host} can be reached from other machines, and no key is set. Set CONCIERGE_AUTH_KEY or "
                "CONCIERGE_AUTH_PUBLIC_KEY, or serve on 127.0.0.1."
            )

    def mint(self, user_id: str, *, lifetime: timedelta = timedelta(hours=12)) -> str:
        """Return a token for a user.

        Raises:
            SettingsError: only a public key is set, so tokens come from an identity provider.
            InvalidInputError: the user id is invalid.
        """
        if _SHARED not in self._keys:
            raise SettingsError("Tokens come from your identity provider here. Set CONCIERGE_AUTH_KEY to mint some.")
        check_id(user_id)
        now = datetime.now(UTC)
        claims = {
            "sub": user_id, "iss": self._issuer, "aud": self._audience, "iat": now, "exp": now + lifetime,
        }  # fmt: skip
        return jwt.encode(claims, self._keys[_SHARED], _SHARED)

    def user_of(self, token: str) -> str:
        """Return the user of a token. Raises AccessDeniedError if it is missing, expired or not valid here."""
        if not token:
            raise AccessDeniedError("Nobody is signed in. Send a token as `Authorization: Bearer TOKEN`.")
        try:
            if len(token) > _MAX_CHARS:
                raise jwt.InvalidTokenError
            algorithm = str(jwt.get_unverified_header(token).get("alg"))
            claims = jwt.decode(
                token, self._keys.get(algorithm, ""), algorithms=[name for name in self._keys if name == algorithm],
                issuer=self._issuer, audience=self._audience, leeway=_LEEWAY,
                options={"require": ["sub", "iss", "aud", "exp"]},
            )  # fmt: skip
            check_id(claims["sub"])
        except jwt.ExpiredSignatureError:
            raise AccessDeniedError("Your sign-in has expired. Sign in again.") from None
        except (jwt.PyJWTError, RequestError, RecursionError):  # RecursionError: the header is nested too deeply
            raise AccessDeniedError("This token is not valid here. Sign in again.") from None
        return str(claims["sub"])


def request_token(authorization: str | None, api_key: str | None) -> str:
    """Return the token of a request: the bearer token, or else `X-Api-Key`, which LangGraph clients send."""
    scheme, _, token = (authorization or "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else api_key or ""


def _public_key(file: Path) -> dict[str, Any]:
    try:
        key = load_pem_public_key(file.read_bytes())
    except (OSError, ValueError) as error:
        raise SettingsError(f"CONCIERGE_AUTH_PUBLIC_KEY is {str(file)!r}: no public key in PEM form there.") from error
    kinds = {RSAPublicKey: "RS256", EllipticCurvePublicKey: "ES256", Ed25519PublicKey: "EdDSA"}
    for kind, algorithm in kinds.items():
        if isinstance(key, kind):
            return {algorithm: key}
    raise SettingsError("CONCIERGE_AUTH_PUBLIC_KEY must be an RSA, EC (P-256) or Ed25519 key.")
