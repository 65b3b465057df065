"""Authentication, and authorisation on a LangGraph server."""
