"""What may be remembered: the one implementation that capture, consolidation, injection, import and edit ask (S4)."""

from stores.policy.asking import asks_to_remember
from stores.policy.candidate import Candidate, Gate, NoteDraft, Verdict
from stores.policy.grounding import is_grounded
from stores.policy.hard import is_hard
from stores.policy.judge import fingerprint, judge
from stores.policy.screen import screen
from stores.policy.text import neutralise, normalise

__all__ = [
    "Candidate",
    "Gate",
    "NoteDraft",
    "Verdict",
    "asks_to_remember",
    "fingerprint",
    "is_grounded",
    "is_hard",
    "judge",
    "neutralise",
    "normalise",
    "screen",
]
