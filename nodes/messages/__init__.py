"""What the nodes do with lists of messages: turns, transcripts, citations, redaction."""
