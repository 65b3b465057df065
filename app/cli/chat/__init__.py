"""Runs `concierge chat`: conversations in a terminal, scripted or with a person."""
