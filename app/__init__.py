"""The interfaces of the concierge: command line, Python API, web page, LangGraph server and MCP server."""
