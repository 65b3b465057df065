"""The memory of a user, for other agents, over the Model Context Protocol."""
