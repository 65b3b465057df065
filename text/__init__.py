"""What text is made of, not what it means: normalising, words, stems, scripts."""
