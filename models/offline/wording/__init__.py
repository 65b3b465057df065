"""The replies of the offline concierge: its sentences, in a data file for each language, and their composition."""
