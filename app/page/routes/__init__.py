"""The JSON routes of the page, with paths relative to `/app/api`."""

from app.page.routes import chat, control, me, notes, threads, trips
from app.page.routes.routing import ROUTES, refusal, route_not_found

__all__ = ["ROUTES", "chat", "control", "me", "notes", "refusal", "route_not_found", "threads", "trips"]
