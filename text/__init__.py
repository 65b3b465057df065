"""What text is made of, not what it means: normal forms, words, stems."""

from text.normalise import neutralise, normalise, storable, tidy
from text.terms import fold, stem
from text.text import Text
from text.words import sentences

__all__ = ["Text", "fold", "neutralise", "normalise", "sentences", "stem", "storable", "tidy"]
