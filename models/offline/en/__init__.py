"""English for the offline model: word tables in `words/`, normalisation, and the reader."""
