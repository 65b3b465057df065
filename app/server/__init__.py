"""The LangGraph server and the web application."""
