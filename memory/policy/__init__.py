"""Decides which texts may be remembered, in capture, consolidation, injection, import and edits."""

from memory.policy.candidate import Candidate, Gate, Verdict, deployed_gate
from memory.policy.judge import fingerprint, judge, screen, verdict_key
from memory.policy.wording import Heard

__all__ = ["Candidate", "Gate", "Heard", "Verdict", "deployed_gate", "fingerprint", "judge", "screen", "verdict_key"]
