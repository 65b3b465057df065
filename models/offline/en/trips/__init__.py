"""Reads English messages about trips: dates, places, requests about offers and bookings."""
