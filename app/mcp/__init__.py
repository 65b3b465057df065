"""An MCP server that gives other agents access to a user's memory."""
