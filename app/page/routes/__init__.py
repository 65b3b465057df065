"""The JSON routes behind the page, with paths relative to `/app/api`."""

from app.page.routes import chat, control, me, notes, threads, trips

ROUTES = [*me.ROUTES, *chat.ROUTES, *threads.ROUTES, *notes.ROUTES, *control.ROUTES, *trips.ROUTES]
