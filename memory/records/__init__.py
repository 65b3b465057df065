"""The records kept of a user, where they live, and how they are written together with the journal."""
