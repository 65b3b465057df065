"""Orders to the machine and ordinary travel talk: labelled sentences, the training on them, and its rates."""
