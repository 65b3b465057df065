"""Bookings: the ledger, refunds, trips, documents, itinerary and calendar files."""
