"""Runs `concierge trips`: list, show, cancel and export bookings."""
