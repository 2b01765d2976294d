"""Hostile input to everything that reads: coverage-guided fuzzing, minutes or hours, with what it finds kept."""
