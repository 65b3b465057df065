"""How much of what people say of a trip is read, value by value."""
