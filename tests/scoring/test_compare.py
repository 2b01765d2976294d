"""Two systems on the same references, from memory and from disk."""

from __future__ import annotations

from pathlib import Path

import pytest

import cabs
from cabs import CabsError, InputError, Pair, Resampling, Result, Settings
from cabs.scoring.compare import chosen, compare, contenders, is_run, read_run

ONE = "Small left pleural effusion."
TWO = "There is a 9 mm nodule in the right upper lobe. Small left pleural effusion."
PAIRS = [Pair(str(i), TWO, TWO, "a") for i in range(6)] + [Pair(str(i), TWO, ONE, "b") for i in range(1, 7)]


def run(pairs: list[Pair], **options: object) -> Result:
    return cabs.score(pairs, resampling=Resampling(n=0), **options)  # type: ignore[arg-type]


def test_the_difference_of_two_systems(tmp_path: Path) -> None:
    result = run(PAIRS, output=tmp_path / "run")
    a, b = contenders(result, "run")
    found = compare(a, b, trials=200)
    assert (found.common, found.only_a, found.only_b) == (5, 1, 1)
    assert (found.tests["recall"].a, found.tests["recall"].b) == (1.0, 0.5)
    assert is_run(tmp_path / "run")
    assert is_run(tmp_path / "run" / "results.json")
    for path in (tmp_path / "run", tmp_path / "run" / "results.json"):
        assert read_run(path) == [a, b]
    assert found.to_json()["tests"]["recall"]["difference"] == 0.5


def test_results_that_cannot_be_compared(tmp_path: Path) -> None:
    a, b = contenders(run(PAIRS), "run")
    (other,) = contenders(run(PAIRS[6:], settings=Settings(scope="section")), "run")
    with pytest.raises(InputError, match=r"different ways \(scope: report and section\)"):
        compare(a, other)
    (elsewhere,) = contenders(run([Pair("z", TWO, ONE)]), "run")
    with pytest.raises(InputError, match="no report in common"):
        compare(a, elsewhere)
    (shifted,) = contenders(run([Pair("1", ONE, ONE)]), "run")
    with pytest.raises(CabsError, match="2 reference facts in one result, 1 in the other"):
        compare(a, shifted)
    with pytest.raises(InputError, match="several systems"):
        chosen([a, b], None, "run")
    with pytest.raises(InputError, match="no system 'c'"):
        chosen([a, b], "c", "run")
    assert chosen([a, b], "b", "run") is b
    with pytest.raises(InputError, match="no such file"):
        read_run(tmp_path)
    (tmp_path / "results.json").write_text("{}")
    with pytest.raises(InputError, match="schema version"):
        read_run(tmp_path)
