"""Backups of a data directory."""
