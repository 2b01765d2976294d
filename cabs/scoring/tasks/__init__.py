"""Tasks beside whole reports: one folder each, from records to a signed result."""
