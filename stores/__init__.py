"""What outlives a turn: notes, policy, the long-term store, checkpoints, consolidation and the journal."""
