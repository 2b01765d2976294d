"""Folders and files that CABS keeps between runs → where they are, and how large."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Cache:
    """What is kept, where, and its size in bytes (None: nothing is there)."""

    what: str
    place: str
    size: int | None


def caches(environment: Mapping[str, str] | None = None) -> tuple[Cache, ...]:
    """Every cache of this user; none where the core is too broken to tell."""
    try:
        from cabs.llm.given import ENVIRONMENT, default_cache
    except ImportError:
        return ()
    env = os.environ if environment is None else environment
    answers = Path(env.get(ENVIRONMENT["cache"]) or default_cache(env)).expanduser()
    return (Cache("answers of language models", str(answers), _size(answers)),)


def _size(path: Path) -> int | None:
    try:
        return path.stat().st_size
    except OSError:
        return None
