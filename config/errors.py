"""The errors that the concierge raises, grouped by who must act.

    ConciergeError
    ├── SetupError              the person who runs the concierge must act
    │   ├── SettingsError       a setting is missing or wrong
    │   └── StorageError        the data directory or a database cannot be used
    │       ├── StoreLockedError    another process has the embedded store open
    │       └── DamagedThreadError  the stored state of one thread can't be read
    ├── RequestError            the caller must act
    │   ├── InvalidInputError   an argument is empty, too long or malformed
    │   ├── NotFoundError       the named thread, note or trip does not exist
    │   ├── AccessDeniedError   it exists and belongs to somebody else
    │   ├── ConflictError       it was changed meanwhile; read it again
    │   └── TravelError         a travel request can't be met; the message tells a model what to ask or do instead
    │       ├── UnknownPlaceError       no such city or airport; similar names are suggested
    │       ├── AmbiguousPlaceError     several places have the name
    │       ├── TravelDateError         dates in the wrong order, or too far ahead
    │       │   └── DateInPastError     a date in the past, in the time zone of the place
    │       ├── NoServiceError          nothing is sold between these places or of this kind
    │       ├── SoldOutError            fewer are left than requested
    │       │   └── SeatTakenError      the seat is taken or does not exist
    │       ├── UnknownOfferError       an offer id that is not from this provider
    │       └── OfferExpiredError       the offer or the hold has expired
    └── ModelError              the chat model failed; the turn ends with a clear message

Every message says what happened and what to do about it.
"""

from typing import Literal

from config.redact import redact

ModelFault = Literal[
    "timeout", "unreachable", "auth", "rate_limited", "server", "empty", "cut", "invalid", "refused", "unsupported"
]


class ConciergeError(Exception):
    """The base class of all errors that the concierge raises on purpose. Messages contain no passwords."""

    def __str__(self) -> str:
        return redact(super().__str__())


class SetupError(ConciergeError):
    """The person who runs the concierge must act."""


class SettingsError(SetupError):
    """A setting is missing or wrong; the message gives its name, its value and what is allowed."""


class StorageError(SetupError):
    """The data directory or a database in it cannot be used."""


class StoreLockedError(StorageError):
    """Another process has the embedded store open; the message names it."""


class DamagedThreadError(StorageError):
    """The stored state of one thread can't be read; the message names it. Other threads and memory are not affected."""


class RequestError(ConciergeError):
    """The caller must act.

    `field` is the path of the wrong value in the input, and `code` a short name of the problem, for forms that have
    their own messages; both may be empty.
    """

    def __init__(self, message: str = "", *, field: str = "", code: str = "") -> None:
        super().__init__(message)
        self.field = field
        self.code = code


class InvalidInputError(RequestError):
    """An argument is empty, too long or malformed."""


class NotFoundError(RequestError):
    """The named thread, note or trip does not exist."""


class AccessDeniedError(RequestError):
    """The named thread, note or trip belongs to somebody else."""


class ConflictError(RequestError):
    """The data was changed after the caller read it; read it again and retry."""


class TravelError(RequestError):
    """A travel request can't be met. The message tells a model why, and what to ask or do instead."""


class UnknownPlaceError(TravelError):
    """No city or airport has this name.

    `suggestions` are similar names, best first; often none.
    """

    def __init__(self, message: str, *, suggestions: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.suggestions = suggestions


class AmbiguousPlaceError(TravelError):
    """Several places have this name.

    `candidates` are unambiguous names of them, as in "Portland, Maine, US".
    """

    def __init__(self, message: str, *, candidates: tuple[str, ...]) -> None:
        super().__init__(message)
        self.candidates = candidates


class TravelDateError(TravelError):
    """The dates are in the wrong order, or too far ahead."""


class DateInPastError(TravelDateError):
    """A date is in the past, in the time zone of the place."""


class NoServiceError(TravelError):
    """Nothing of this kind is sold there, on that day or at all."""


class SoldOutError(TravelError):
    """Fewer are left than requested."""


class SeatTakenError(SoldOutError):
    """The seat is taken, or the aircraft has no such seat."""


class UnknownOfferError(TravelError):
    """The offer id is not from this provider."""


class OfferExpiredError(TravelError):
    """The offer or the hold has expired, so its price is no longer valid."""


class ModelError(ConciergeError):
    """The chat model failed.

    `fault` is the kind of failure, from which the caller chooses the reply to the traveller.
    """

    def __init__(self, message: str, *, fault: ModelFault) -> None:
        super().__init__(message)
        self.fault: ModelFault = fault
