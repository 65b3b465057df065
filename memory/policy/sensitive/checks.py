"""Checks matches whose shape alone does not show that they are sensitive; see `check` in `tables/detectors.toml`."""

import math
import re
from collections import Counter
from contextlib import suppress
from importlib import import_module

from memory.policy.injection.detect import is_known_word
from memory.policy.sensitive.patterns import compiled, full_years, records, search, without, words
from text.normalise import decode

Match = re.Match[str]

_CARD_PREFIX = re.compile(r"3[04-9]|4|5|6|2[2-7]")
_FUNCTION_WORDS = frozenset({
    "is", "the", "to", "a", "and", "are", "i", "my", "for", "or", "you", "it", "me", "us", "them", "we", "in", "on",
})  # fmt: skip
_LAST_BIRTHDAY_YEAR = 2024
"""A birthday in a later year is the day of a trip; a date with the word "born" counts in any year."""
_LAST_ADULT_YEAR = 2012
_REGIONS = ("US", "GB", "JP", "IN", "DE", "FR", "ES", "IT", "CN", "KR", "AU", "BR", "MX", "SG", "NL")
"""Dialling plans tried for a number without a country code."""


def is_card(match: Match) -> bool:
    """Return whether some consecutive groups of digits are the number of a payment card."""
    from stdnum import luhn

    groups = re.findall(r"\d+", match.group())
    spans = [(start, end) for start in range(len(groups)) for end in range(start + 1, len(groups) + 1)]
    numbers = ["".join(groups[start:end]) for start, end in spans]
    return any(13 <= len(number) <= 19 and _CARD_PREFIX.match(number) and luhn.is_valid(number) for number in numbers)


def is_iban(match: Match) -> bool:
    """Return whether the match begins with the number of a bank account."""
    from stdnum import iban

    compact = re.sub(r"[^A-Za-z0-9]", "", match.group()).upper()
    return any(iban.is_valid(compact[:size], check_country=False) for size in range(len(compact), 14, -1))


def is_national_id(match: Match) -> bool:
    """Return whether the text has a number with the shape and check digits of some country's ids."""
    return any(
        import_module(f"stdnum.{name}").is_valid(number.group())
        for name, pattern in records("unlabelled_numbers.validators")[0].items()
        for number in compiled(pattern).finditer(match.string)
    )


def is_dialled(match: Match) -> bool:
    """Return whether the match is a valid telephone number of some country."""
    import phonenumbers

    for region in _REGIONS:
        with suppress(phonenumbers.NumberParseException):
            if phonenumbers.is_valid_number(phonenumbers.parse(match.group(), region)):
                return True
    return False


def is_random(match: Match) -> bool:
    """Return whether the match looks like the random characters of a key, and is not encoded text."""
    token = match.group()
    kinds = (any(c.islower() for c in token), any(c.isupper() for c in token), sum(c.isdigit() for c in token) >= 3)
    counts = Counter(token)
    is_hex = len(token) >= 32 and len(counts) > 5 and re.fullmatch(r"[0-9a-fA-F]+", token) is not None
    entropy = -sum(n / len(token) * math.log2(n / len(token)) for n in counts.values())
    mixed = any(kinds[:2]) and len(re.findall(r"[a-z][A-Z]|[A-Za-z]\d|\d[A-Za-z]", token)) >= len(token) / 4
    return (is_hex or (all(kinds) and entropy > 3.5) or mixed) and decode(token) == token


def is_uncommon(match: Match) -> bool:
    """Return whether the value is a word that is uncommon in texts about travel."""
    return _is_uncommon(match["value"])


def is_odd(match: Match) -> bool:
    """Return whether the value does not describe a pass or a network: it is uncommon and not like an adjective."""
    value = match["value"]
    return _is_uncommon(value) and len(value) >= 5 and not search("word_passwords.adjective", value)


def is_login(match: Match) -> bool:
    """Return whether a name and the word after it are the credentials of an account."""
    user = match["user"]
    return _is_uncommon(match["value"]) and (not is_known_word(user) or _is_uncommon(user))


def is_passphrase(match: Match) -> bool:
    """Return whether the words are not a sentence: they have no function words."""
    return _FUNCTION_WORDS.isdisjoint(re.findall(r"[a-z]+", match.group(1)))


def _is_uncommon(value: str) -> bool:
    value = value.rstrip(".,!;:")
    plain, common = re.sub(r"[^a-z\-]", "", value), words("word_passwords.common")
    # Two words joined by a hyphen ("cash-only", "full-time") count as known if one of them is.
    parts = [part for part in plain.split("-") if len(part) > 1] if plain.count("-") == 1 else []
    is_known = is_known_word(plain) or any(is_known_word(part) or part in common for part in parts)
    return plain not in common and not (plain == value and is_known)


def is_birthday(match: Match) -> bool:
    """Return whether a full date next to a word such as "birthday" is a date of birth."""
    born = search("identity.born_then", match.string) is not None
    return born or min(full_years(match.string)) <= _LAST_BIRTHDAY_YEAR


def is_short_birthday(match: Match) -> bool:
    """Return whether a date without its century is a date of birth, if there is no full date next to the word."""
    text = match.string
    is_born = search("identity.born_then", text) is not None or search("identity.coming", text) is None
    return is_born and search("identity.born_on_date", text) is None


def is_date_of_person(match: Match) -> bool:
    """Return whether an old date is part of a form about a person, or stands next to little more than a name."""
    text = match.string
    old = any(year and year <= _LAST_ADULT_YEAR for year in full_years(text))
    if not old or search("identity.born", text) or search("identity.past_event", text):
        return False
    others = re.findall(r"[^\W\d_]{2,}", without(text, "dates.full_date", new=" "))
    named = text.isascii() and len(others) <= 2 and "on" not in others
    return named or search("identity.person", text) is not None


def is_mailbox(match: Match) -> bool:
    """Return whether a name "at" a provider is an e-mail address, and not about somebody visiting its site."""
    local = match["local"].split()
    about_mail = search("email_addresses.mail_words", match.string) is not None
    return about_mail or len(local) > 1 or local[-1] not in words("email_addresses.visits")
