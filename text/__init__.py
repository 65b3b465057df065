"""Text processing below the level of meaning: normal forms, words, stems, and sentence vectors."""

from text.normalise import Text, as_data, neutralise, normalise, storable, tidy
from text.terms import fold, stem
from text.words import sentences

__all__ = ["Text", "as_data", "fold", "neutralise", "normalise", "sentences", "stem", "storable", "tidy"]
