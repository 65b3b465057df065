"""Checks what a pattern found, where its shape alone does not say that it is sensitive.

`tables/detectors.toml` names which check belongs to which patterns.
"""

import math
import re
from collections import Counter
from contextlib import suppress
from importlib import import_module

from memory.policy.injection.score import is_known_word
from memory.policy.sensitive.patterns import compiled, full_years, records, search, without, words
from text.normalise import decode

Found = re.Match[str]

_CARD_PREFIX = re.compile(r"3[04-9]|4|5|6|2[2-7]")
_FUNCTION_WORDS = frozenset({
    "is", "the", "to", "a", "and", "are", "i", "my", "for", "or", "you", "it", "me", "us", "them", "we", "in", "on",
})  # fmt: skip
_LAST_BIRTHDAY_YEAR = 2024
"""A birthday with a later year is a trip on that day; a date of birth is caught by "born" whatever its year."""
_LAST_ADULT_YEAR = 2012
_REGIONS = ("US", "GB", "JP", "IN", "DE", "FR", "ES", "IT", "CN", "KR", "AU", "BR", "MX", "SG", "NL")
"""Dialling plans tried for a number without a country code."""


def is_card(found: Found) -> bool:
    """Return whether some of the groups of digits together are the number of a payment card."""
    from stdnum import luhn

    groups = re.findall(r"\d+", found.group())
    spans = [(start, end) for start in range(len(groups)) for end in range(start + 1, len(groups) + 1)]
    numbers = ["".join(groups[start:end]) for start, end in spans]
    return any(13 <= len(number) <= 19 and _CARD_PREFIX.match(number) and luhn.is_valid(number) for number in numbers)


def is_iban(found: Found) -> bool:
    """Return whether it begins with the number of a bank account."""
    from stdnum import iban

    compact = re.sub(r"[^A-Za-z0-9]", "", found.group()).upper()
    return any(iban.is_valid(compact[:size], check_country=False) for size in range(len(compact), 14, -1))


def is_national_id(found: Found) -> bool:
    """Return whether the text holds a number whose shape and check digits are those of some country's ids."""
    return any(
        import_module(f"stdnum.{name}").is_valid(match.group())
        for name, pattern in records("unlabelled_numbers.validators")[0].items()
        for match in compiled(pattern).finditer(found.string)
    )


def is_dialled(found: Found) -> bool:
    """Return whether it is a number of some country's telephones."""
    import phonenumbers

    for region in _REGIONS:
        with suppress(phonenumbers.NumberParseException):
            if phonenumbers.is_valid_number(phonenumbers.parse(found.group(), region)):
                return True
    return False


def is_random(found: Found) -> bool:
    """Return whether it looks like the characters of a key, and is no text in disguise."""
    token = found.group()
    kinds = (any(c.islower() for c in token), any(c.isupper() for c in token), sum(c.isdigit() for c in token) >= 3)
    counts = Counter(token)
    is_hex = len(token) >= 32 and len(counts) > 5 and re.fullmatch(r"[0-9a-fA-F]+", token) is not None
    entropy = -sum(n / len(token) * math.log2(n / len(token)) for n in counts.values())
    mixed = any(kinds[:2]) and len(re.findall(r"[a-z][A-Z]|[A-Za-z]\d|\d[A-Za-z]", token)) >= len(token) / 4
    return (is_hex or (all(kinds) and entropy > 3.5) or mixed) and decode(token) == token


def is_uncommon(found: Found) -> bool:
    """Return whether the value is a word that travel talk does not use."""
    return _is_uncommon(found["value"])


def is_odd(found: Found) -> bool:
    """Return whether the value is not said of a pass or a network: uncommon, and not in the shape of an adjective."""
    value = found["value"]
    return _is_uncommon(value) and len(value) >= 5 and not search("word_passwords.adjective", value)


def is_login(found: Found) -> bool:
    """Return whether a name and a word behind it are those of an account."""
    user = found["user"]
    return _is_uncommon(found["value"]) and (not is_known_word(user) or _is_uncommon(user))


def is_passphrase(found: Found) -> bool:
    """Return whether the words make up no sentence."""
    return _FUNCTION_WORDS.isdisjoint(re.findall(r"[a-z]+", found.group(1)))


def _is_uncommon(value: str) -> bool:
    value = value.rstrip(".,!;:")
    plain, common = re.sub(r"[^a-z\-]", "", value), words("word_passwords.common")
    # Of words joined by a hyphen ("cash-only", "full-time") one is known.
    parts = [part for part in plain.split("-") if len(part) > 1] if plain.count("-") == 1 else []
    is_known = is_known_word(plain) or any(is_known_word(part) or part in common for part in parts)
    return plain not in common and not (plain == value and is_known)


def is_birthday(found: Found) -> bool:
    """Return whether a full date beside a word such as "birthday" is that of a birth."""
    born = search("identity.born_then", found.string) is not None
    return born or min(full_years(found.string)) <= _LAST_BIRTHDAY_YEAR


def is_short_birthday(found: Found) -> bool:
    """Return whether a date without its century is that of a birth, where no full date stands beside the word."""
    text = found.string
    is_born = search("identity.born_then", text) is not None or search("identity.coming", text) is None
    return is_born and search("identity.born_on_date", text) is None


def is_date_of_person(found: Found) -> bool:
    """Return whether an old date stands in a form about somebody, or next to hardly more than a name."""
    text = found.string
    old = any(year and year <= _LAST_ADULT_YEAR for year in full_years(text))
    if not old or search("identity.born", text) or search("identity.past_event", text):
        return False
    others = re.findall(r"[^\W\d_]{2,}", without(text, "dates.full_date", new=" "))
    named = text.isascii() and len(others) <= 2 and "on" not in others
    return named or search("identity.person", text) is not None


def is_mailbox(found: Found) -> bool:
    """Return whether a name "at" a provider is an address, and not somebody who looks something up there."""
    local = found["local"].split()
    about_mail = search("email_addresses.mail_words", found.string) is not None
    return about_mail or len(local) > 1 or local[-1] not in words("email_addresses.visits")
