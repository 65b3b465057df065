"""The trips in a conversation: a frame for each part, and the rules by which messages and tool results update them."""
