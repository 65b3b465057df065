"""Checkpoint savers of LangGraph threads, with pruning: SQLite and PostgreSQL."""
