from __future__ import annotations

from tests.cli.conftest import cabs

__all__ = ["cabs"]
