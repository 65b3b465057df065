"""Consolidation: a plan for a session's notes is proposed, checked, and applied once (S6)."""

from memory.consolidation.apply import apply_plan
from memory.consolidation.check import faults
from memory.consolidation.fallback import deterministic_operations
from memory.consolidation.plan import Operation, Plan

__all__ = ["Operation", "Plan", "apply_plan", "deterministic_operations", "faults"]
