"""References that the project may ship, and the lexicon."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cabs.studies.counterfactual.lexicon import Lexicon, load_lexicon

REFERENCE = """FINDINGS:
Lungs: There is a 9 mm solid nodule in the right upper lobe. Mild emphysema. Small left pleural effusion, unchanged.
Mediastinum: Moderate hiatal hernia. No pneumothorax, pericardial effusion, or adenopathy.
Abdomen: Simple cyst in the left kidney measuring 2.5 cm. Mild splenomegaly.
IMPRESSION:
1. Right upper lobe nodule.
2. Small left pleural effusion."""

EACH = 20
"""References of each file."""


@pytest.fixture(scope="session")
def lexicon() -> Lexicon:
    return load_lexicon()


@pytest.fixture(scope="session")
def references(root: Path) -> dict[str, str]:
    found = {"own": REFERENCE}
    for name in ("dev_chest", "dev_abdomen"):
        for line in (root / "benchmarks" / "gold" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()[:EACH]:
            row = json.loads(line)
            found[row["id"]] = row["text"]
    return found
