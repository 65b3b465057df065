"""The travel side of the offline concierge: what is asked of offers and bookings, and what is done about it."""
