"""One step of the machine per file, and the tools the model may call."""
