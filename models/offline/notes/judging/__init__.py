"""Judges which sentences of a message last: their form, what they show, and the learnt weights."""
