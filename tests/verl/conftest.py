"""verl, ray and torch warn of themselves while they are imported; that is not ours to mend."""

from __future__ import annotations

import pytest


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("filterwarnings", "ignore")
