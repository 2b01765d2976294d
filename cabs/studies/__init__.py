"""Studies: questions that one score does not answer, asked of many reports."""
