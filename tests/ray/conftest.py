"""A Ray of two workers on this machine; ray warns of itself while it is imported, which is not ours to mend."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")

REFERENCE = "There is a {} mm nodule in the right upper lobe. Small left pleural effusion. No ascites."
SAID = ("The liver is enlarged.", "No pleural effusion. A {} mm nodule in the left upper lobe.", "lorem ipsum")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("filterwarnings", "ignore")


@pytest.fixture(scope="session")
def cluster() -> Iterator[None]:
    """A Ray of two workers that the tests are in."""
    import ray

    ray.init(num_cpus=2, log_to_driver=False, include_dashboard=False, logging_level="ERROR")
    yield
    ray.shutdown()


def rows_of(number: int) -> list[dict[str, object]]:
    """Pairs of two systems, with other fields, unread texts and texts that are not ASCII."""
    rows: list[dict[str, object]] = []
    for at in range(number):
        reference = "dolor sit amet" if at % 17 == 3 else REFERENCE.format(at % 90 + 1)
        for system in ("one", "two"):
            said = SAID[at % 3] if system == "one" else REFERENCE
            row = {"id": f"é{at}", "system": system, "reference": reference, "prediction": said.format(at % 70 + 1)}
            rows.append({**row, "patient": f"p{at // 3}", "note": 'x,"y"\n'})
    return rows


def write_lines(path: Path, rows: list[dict[str, object]]) -> Path:
    """A file of JSON Lines."""
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


def content(folder: Path) -> dict[str, bytes]:
    """The files of a folder."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}
