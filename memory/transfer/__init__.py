"""Export and import of all that is kept of a user."""
