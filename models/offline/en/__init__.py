"""English for the offline concierge: words in `words/`, reading and speaking in the modules beside it."""
