"""Mechanistic divergence on a laptop: small models trained with different rewards, judged by the truth."""
