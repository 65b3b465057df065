"""Flights of the sample world: airlines, networks, timetables, fares and seats."""
