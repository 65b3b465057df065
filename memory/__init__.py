"""Keeps what is known of people: records, policy, selection, consolidation, recall, control, transfer."""
