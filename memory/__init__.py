"""The long-term memory of users: records, policy, selection, consolidation, recall, control, transfer."""
