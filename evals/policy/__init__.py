"""What may be remembered: the suites that measure it, and what its judgement is trained on."""
