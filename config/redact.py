"""Take passwords out of text that people or logs may see: URLs lose their user part and the values of their query."""

import re

HIDDEN = "(hidden)"

_URL = re.compile(r"""[a-z][a-z0-9+.-]*://[^\s"'<>`]+""", re.IGNORECASE)
_USER = re.compile(r"(?<=://)(?!user:password@).*@")  # which is how an example is written
_NAME = re.compile(r"postgres(ql)?://[^:@/?]*@")
_QUERY = re.compile(r"(?<==)[^&#\s]+")


def redact(text: str) -> str:
    """Return `text` with `(hidden)` for whatever may be secret in each URL: user, password, values of the query.

    The user of a database alone is no secret.
    """
    return _URL.sub(lambda found: _hidden(found[0]), text) if "://" in text else text


def _hidden(url: str) -> str:
    known = _NAME.match(url)
    if known is None or "@" in url[known.end() :]:
        url = _USER.sub(f"{HIDDEN}@", url)
    address, mark, query = url.partition("?")
    return address + mark + _QUERY.sub(HIDDEN, query)
