"""The error table."""

from cabs.matching import KINDS, Settings
from cabs.metrics import error_table, errors_of
from cabs.values import ParsedReport
from tests.matching.build import fact, matcher, report
from tests.metrics.test_count import PREDICTION, REFERENCE


def test_every_error_of_a_pair_is_named() -> None:
    found = errors_of(matcher().align(REFERENCE, PREDICTION), ("abnormality",))
    assert [(e.error, e.detail, e.entity, e.organ) for e in found] == [
        ("contradicted", "reference", "cardiomegaly", "heart"),
        ("hallucinated", "", "metastasis@liver", "liver"),
        ("hallucinated", "", "pneumothorax", "pleura"),
        ("missed", "", "cardiomegaly", "heart"),
        ("wrong_side", "side", "pleural_effusion", "pleura"),
        ("wrong_size", "size", "pulmonary_nodule", "lung"),
    ]
    assert len(errors_of(matcher().align(REFERENCE, PREDICTION), KINDS)) == 7


def test_relatives_are_listed_and_do_not_count() -> None:
    pair = report(fact("consolidation")), report(fact("opacity"))
    hierarchical = errors_of(matcher(Settings(match="hierarchical")).align(*pair))
    assert [(e.error, e.detail, e.counts) for e in hierarchical] == [("related_entity", "opacity", False)]
    strict = errors_of(matcher().align(*pair))
    assert [e.error for e in strict] == ["hallucinated", "missed", "related_entity"]


def test_an_unread_reference_has_no_errors() -> None:
    assert errors_of(matcher().align(ParsedReport(), PREDICTION)) == ()


def test_the_table_counts_and_keeps_the_first_examples() -> None:
    errors = errors_of(matcher().align(REFERENCE, PREDICTION), ("abnormality",))
    twice = report(fact("pulmonary_nodule", mm=(5,)), fact("pulmonary_nodule", mm=(50,)))
    missed = errors_of(matcher().align(twice, report()))
    table = error_table([("a", errors), ("b", missed), ("c", errors), ("d", ())], examples=1)
    first = next(row for row in table if row.error == "missed" and row.entity == "pulmonary_nodule")
    assert (first.count, first.reports, first.examples) == (2, 1, ("b",))
    assert table[0].count == 2
    assert all(row.examples in (("a",), ("b",)) for row in table)
    assert table == error_table([("a", errors), ("b", missed), ("c", errors)], examples=1)
    assert error_table([]) == ()
