"""Holds the travel tools: thin over a provider and the ledger of whoever is speaking."""
