"""Decides what becomes of a session's notes, by claims or else by a model's checked plan, and applies it once."""

from memory.consolidation.apply import apply_plan
from memory.consolidation.check import review
from memory.consolidation.plan import Operation, Plan, Review, decide, promotions, with_decided

__all__ = ["Operation", "Plan", "Review", "apply_plan", "decide", "promotions", "review", "with_decided"]
