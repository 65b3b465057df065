"""Settings and errors, which all other packages use."""

from config.settings import Settings, load_settings

__all__ = ["Settings", "load_settings"]
