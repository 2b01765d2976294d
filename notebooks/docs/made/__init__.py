"""Pages that nobody writes: each module makes the Markdown of one kind of page."""
