"""The JSON routes behind the page, with paths relative to `/app/api`."""

from app.page.routes import chat, control, me, notes, threads, trips
from app.page.routes.asked import ROUTES, no_route, refusal

__all__ = ["ROUTES", "chat", "control", "me", "no_route", "notes", "refusal", "threads", "trips"]
