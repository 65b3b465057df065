"""What may be remembered: the one implementation that capture, consolidation, injection, import and edit ask."""

from memory.policy.candidate import Candidate, Gate, NoteDraft, Verdict
from memory.policy.grounding import is_grounded
from memory.policy.hard import is_hard
from memory.policy.judge import fingerprint, judge
from memory.policy.save_requests import asks_to_remember
from memory.policy.screen import screen

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
    "screen",
]
