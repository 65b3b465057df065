"""The structured answers of the offline concierge: extraction, consolidation, summaries and episodes."""
