"""A volume → slices that a vision model reads, with a record of how they were made."""
