"""What runs, and in which order: state, context, settings, wiring and sessions."""
