"""Consolidation: a plan for a session's notes is proposed, checked, and applied once (S6)."""

from stores.consolidation.apply import apply_plan
from stores.consolidation.check import faults
from stores.consolidation.fallback import deterministic_operations
from stores.consolidation.plan import Operation, Plan

__all__ = ["Operation", "Plan", "apply_plan", "deterministic_operations", "faults"]
