"""The ground that every room stands on: settings and the error tree."""

from config.settings import Settings, load_settings

__all__ = ["Settings", "load_settings"]
