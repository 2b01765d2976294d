"""A case: what an alignment is laid out as, kept in the reports table, and read back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given

import cabs
from cabs.errors import InputError
from cabs.io.jsontext import json_line, parse_json
from cabs.matching import Matcher, Settings
from cabs.matching.settings import KINDS
from cabs.metrics import count, errors_of
from cabs.scoring.case import Entry, case_of, entry_from_json, entry_to_json, without_text
from cabs.scoring.explain import entries, said
from cabs.values import OTHER, ParsedReport
from tests.matching.build import matcher as small
from tests.properties.strategies import reports

REFERENCE = (
    "There is a 9 mm nodule in the right upper lobe. Small left pleural effusion. Old rib fracture. Moderate ascites."
)
PREDICTION = "A 9 mm nodule is seen in the left upper lobe. Small left pleural effusion. No ascites. Emphysema."


def case(reference: str, prediction: str, settings: Settings | None = None) -> tuple[Entry, ...]:
    matcher = Matcher(cabs.load_ontology(), settings or Settings())
    return case_of(matcher.align(cabs.parse(reference), cabs.parse(prediction)), matcher.settings.kinds)


def test_the_five_marks() -> None:
    found = {entry.fact.entity: entry for entry in case(REFERENCE, PREDICTION)}
    marks = {name: entry.mark for name, entry in found.items()}
    assert marks == {
        "pulmonary_nodule": "slots",
        "pleural_effusion": "hit",
        "rib_fracture": "missed",
        "ascites": "contradicted",
        "emphysema": "hallucinated",
    }
    assert found["ascites"].errors == ("missed", "contradicted")
    (denial,) = found["ascites"].denials
    assert (denial.side, PREDICTION[denial.span.start : denial.span.end]) == ("prediction", "ascites")
    assert found["pulmonary_nodule"].errors == ("wrong_side",)


def test_it_comes_back_from_json() -> None:
    for entry in case(REFERENCE, PREDICTION):
        free = replace(entry, disagreements=tuple(replace(d, cost=0.0) for d in entry.disagreements))
        assert entry_from_json(parse_json(json_line(entry_to_json(entry)), "x"), "x") == free
        assert said(entry_from_json(entry_to_json(entry), "x")) == said(entry)


@given(reports(), reports())
def test_it_tells_what_is_counted(reference: ParsedReport, prediction: ParsedReport) -> None:
    matcher = small(Settings(kinds=KINDS))
    alignment = matcher.align(reference, prediction)
    found = case_of(alignment, KINDS)
    if not reference.read:
        return
    counts = count(alignment, matcher)
    hits = [entry for entry in found if entry.reference and entry.prediction]
    assert (len(hits), sum(e.prediction is None for e in found)) == (counts.hits, counts.facts - counts.hits)
    assert sum(e.reference is None for e in found) == counts.extra
    clean = [e for e in hits if not e.disagreements and not e.related]
    assert len(clean) <= counts.consistent
    named = {error.error for error in errors_of(alignment, KINDS) if error.counts}
    assert {name for entry in found for name in entry.errors} - {"related_entity"} == named
    assert [entry.number for entry in entries(alignment)] == list(range(1, len(found) + 1))


def test_without_text_no_word_is_left() -> None:
    blind = (without_text(entry, lambda id: "" if id == OTHER else id) for entry in case(REFERENCE, PREDICTION))
    bare = json_line([entry_to_json(entry) for entry in blind])
    assert "right upper lobe" not in bare
    assert "Moderate" not in bare
    assert "wrong_side" in bare


@pytest.mark.parametrize("value", [[], {}, {"mark": "hit"}, {"mark": "what", "reference": {}}, None, "x"])
def test_what_is_no_entry(value: object) -> None:
    with pytest.raises(InputError):
        entry_from_json(value, "row 1")


def test_the_reports_table_keeps_it(tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    cabs.score([{"id": "a", "reference": REFERENCE, "prediction": PREDICTION}], output=tmp_path / "out")
    (row,) = pq.read_table(tmp_path / "out" / "reports.parquet").to_pylist()
    assert (row["reference_text"], row["prediction_text"]) == (REFERENCE, PREDICTION)
    assert len(parse_json(row["alignment"], "x")) == 5


def test_an_error_counts_as_often_as_in_the_table_of_errors() -> None:
    (entry,) = case("Moderate loculated left pleural effusion.", "Left pleural effusion.")
    assert entry.occurrences == ("omitted_attribute", "omitted_attribute")
    assert entry.errors == ("omitted_attribute",)
