"""The web page: its static files, and the JSON routes that it calls."""
