"""The same alignment, counts and intervals under any hash seed, in any process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

CODE = """
import hashlib
from cabs.matching import Settings
from cabs.metrics import count, errors_of, metrics
from cabs.metrics.intervals import intervals
from tests.matching.build import fact, matcher, report

entities = ("pulmonary_nodule", "consolidation", "pleural_effusion", "metastasis", "hepatic_cyst", "opacity")
places = {"lung": ("rul", "lower_lobe", "lll"), "liver": ("liver_s4", "liver_s8")}
def made(seed):
    facts = []
    for i in range(14):
        n = (seed * 7919 + i * 104729) % 9973
        one = fact(entities[n % 6])
        at = places.get(one.organ, ())
        side = (None, "right", "left", "bilateral")[n % 4] if one.organ in ("lung", "pleura") else None
        facts.append(fact(
            entities[n % 6], side=side,
            at=at[:n % 3], mm=(5.0 + n % 9,) if n % 5 == 0 else (), start=i * 40,
            section=("findings", "impression")[n % 7 == 0], status=("present", "absent")[n % 6 == 5],
            severity=("mild", "severe")[n % 2], margin=("smooth", "lobulated"),
        ))
    return report(*facts, normal=["heart", "liver"])
text = []
for settings in (Settings(), Settings(match="hierarchical", scope="section")):
    chosen = matcher(settings)
    found = [chosen.align(made(i), made(i + 1)) for i in range(30)]
    rows = [count(one, chosen) for one in found]
    text += [repr(found), repr(rows), repr([errors_of(one) for one in found])]
    text.append(repr(intervals(rows, metrics(settings))))
print(hashlib.sha256("".join(text).encode()).hexdigest())
"""


def test_two_hash_seeds_give_the_same_bytes() -> None:
    root = Path(__file__).resolve().parents[2]
    digests = {
        subprocess.run(
            [sys.executable, "-c", CODE],
            cwd=root,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "4242")
    }
    assert len(digests) == 1
