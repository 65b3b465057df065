"""When two notes say the same, when one says more, and when one takes the other's place (S1.3)."""

from stores.statements.keywords import key_words
from stores.statements.relations import concepts, covers, ends, replaces, same_statement, says_more

__all__ = ["concepts", "covers", "ends", "key_words", "replaces", "same_statement", "says_more"]
