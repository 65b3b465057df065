"""The dialogue of the offline concierge: one turn read, tool calls chosen, the reply composed."""
