"""Figures of the correlation study as PNG and SVG."""
