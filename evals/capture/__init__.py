"""What is taken from a message as worth keeping: labelled sentences, the training on them, and its rates."""
