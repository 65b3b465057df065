"""The commands of `concierge memory`: show, change, export and import memory."""
