"""A million pairs in one run: seconds, memory, and kills on the way."""
