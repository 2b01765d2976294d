"""Values that many facts share, made once: equal ones are one, so a training step makes and keeps fewer of them (and
what stays alive, Python's garbage collector walks)."""

from __future__ import annotations

from functools import lru_cache

from cabs.values import Attribute, Location, Normal, Span

_KEPT = 1 << 14

span = lru_cache(maxsize=_KEPT)(Span)
attribute = lru_cache(maxsize=_KEPT)(Attribute)
location = lru_cache(maxsize=_KEPT)(Location)
normal = lru_cache(maxsize=_KEPT)(Normal)
