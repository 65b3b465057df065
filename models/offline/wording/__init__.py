"""What the offline concierge says: its sentences, a data file for each language, and how replies are put together."""
