"""Gates: what a strong model rightly proposes is kept, and what it wrongly proposes does no harm."""
