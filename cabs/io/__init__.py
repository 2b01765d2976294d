"""Reading and writing: one module per format, each of them streams."""
