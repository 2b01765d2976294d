"""What is asked about the same words again and again, kept up to a bound: the memory of a long run stays flat."""

from __future__ import annotations

from functools import lru_cache

remembered = lru_cache(maxsize=1 << 14)
"""Makes a function, or a method of one object, remember its last answers."""
