"""Audit by people: facts → a sheet to rate → ratings → acceptance rates and frozen reference facts."""
