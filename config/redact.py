"""Remove passwords from text for people or logs: the user part and the query values of URLs."""

import re

HIDDEN = "(hidden)"

_URL = re.compile(r"""[a-z][a-z0-9+.-]*://[^\s"'<>`]+""", re.IGNORECASE)
_USER = re.compile(r"(?<=://)(?!user:password@).*@")  # except in examples
_NAME = re.compile(r"postgres(ql)?://[^:@/?]*@")
_QUERY = re.compile(r"(?<==)[^&#\s]+")


def redact(text: str) -> str:
    """Replace the user, the password and the query values of each URL in `text` by `(hidden)`.

    A PostgreSQL user name without a password is not secret and stays.
    """
    return _URL.sub(lambda match: _hidden(match[0]), text) if "://" in text else text


def _hidden(url: str) -> str:
    database_user = _NAME.match(url)
    if database_user is None or "@" in url[database_user.end() :]:
        url = _USER.sub(f"{HIDDEN}@", url)
    address, mark, query = url.partition("?")
    return address + mark + _QUERY.sub(HIDDEN, query)
