"""Tours of CABS: notebooks, and the pages of its site in `docs/`."""
