"""Renders replies about offers and bookings."""
