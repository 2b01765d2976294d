"""Runs: what comes in, what comes out, and what never changes the numbers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest

import cabs
from cabs import CabsError, Counts, InputError, Pair, Resampling, Result, SettingError
from cabs.io.facts import report_to_json
from cabs.io.journal import journal_path
from cabs.metrics import FIELDS, NAMES

REFERENCE = "There is a 9 mm nodule in the right upper lobe. Small left pleural effusion."
WRONG = "There is a 9 mm nodule in the left upper lobe. No pleural effusion."
NORMAL = "The lungs are clear. No pleural effusion. The liver is normal."
GIBBERISH = "lorem ipsum dolor"
QUICK = Resampling(n=50)

PAIRS = [
    Pair("a", REFERENCE, REFERENCE, "good", extra={"patient": "p1", "note": "secretnote"}),
    Pair("b", NORMAL, NORMAL, "good", extra={"patient": "p1"}),
    Pair("c", GIBBERISH, REFERENCE, "good", extra={"patient": "p2"}),
    Pair("a", REFERENCE, WRONG, "bad", extra={"patient": "p1"}),
    Pair("b", NORMAL, GIBBERISH, "bad", extra={"patient": "p1"}),
]
FILES = ["errors.csv", "errors.jsonl", "reports.csv", "reports.parquet", "results.json"]


def quick(pairs: object, **options: object) -> Result:
    return cabs.score(pairs, resampling=QUICK, **options)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def result() -> Result:
    return quick(PAIRS, by=["organ", "entity", "section", "kind"])


def test_a_perfect_and_a_wrong_system(result: Result) -> None:
    good, bad = result["good"], result["bad"]
    assert (good.scores["f1"], good.scores["fc_f1"], good.scores["normal_specificity"]) == (1.0, 1.0, 1.0)
    assert (bad.counts.facts, bad.counts.hits, bad.counts.consistent) == (2, 1, 0)
    assert {e.error for e in bad.errors} >= {"wrong_side", "missed", "contradicted"}
    assert set(good.scores) == set(bad.scores) == set(NAMES)


def test_what_could_not_be_scored_is_named(result: Result) -> None:
    assert [(u.id, u.reason.split(":")[0]) for u in result["good"].unscored] == [("c", "reference unread")]
    assert [(s.id, s.reason) for s in result["bad"].silent] == [("b", "unread")]
    assert result["good"].counts.unscored == 1
    assert any("unscored: c" in w for w in result["good"].warnings)
    assert any("not read and missed everything: b" in w for w in result["bad"].warnings)
    assert any("'bad' has no prediction for 1 references" in w for w in result.warnings)


def test_the_corpus_is_the_sum_of_its_reports(result: Result) -> None:
    for system in result.systems:
        counts = sum(system.rows, Counts(unscored=len(system.unscored)))
        assert counts == system.counts
        by_organ = sum(system.by["organ"].values(), Counts())
        assert (by_organ.facts, by_organ.hits, by_organ.extra) == (counts.facts, counts.hits, counts.extra)


def test_several_systems_have_no_scores_in_common(result: Result) -> None:
    with pytest.raises(SettingError, match="several systems"):
        _ = result.scores
    one = quick([(REFERENCE, WRONG)])
    assert one.scores["f1"] == pytest.approx(2 / 3)
    assert one.counts.facts == 2
    assert "FC-F1" in repr(one)
    assert "Loc-Acc" in str(one)
    assert str(one.signature) in str(one)


def test_every_way_to_give_pairs_gives_the_same_result(tmp_path: Path) -> None:
    tuples = [(REFERENCE, WRONG), (NORMAL, NORMAL)]
    dicts = [{"id": str(i), "gt": r, "candidate": p} for i, (r, p) in enumerate(tuples, 1)]
    path = tmp_path / "p.jsonl"
    path.write_text("".join(json.dumps(d) + "\n" for d in dicts))
    parsed = [(cabs.parse(r), cabs.parse(p)) for r, p in tuples]
    facts = [{"reference": report_to_json(r), "prediction": report_to_json(p)} for r, p in parsed]
    expected = quick(tuples)
    for given in (iter(tuples), dicts, pd.DataFrame(dicts), path, str(path), parsed, facts):
        found = quick(given)
        assert found.only.rows == expected.only.rows
        assert found.only.intervals == expected.only.intervals
        assert (found.signature, found.only.ids) == (expected.signature, ("1", "2"))


def test_the_frame_of_a_result(result: Result) -> None:
    frame = result.to_frame()
    assert list(frame["id"]) == ["a", "b", "a", "b"]
    assert set(FIELDS) | set(NAMES) | {"system", "cluster"} <= set(frame.columns)
    assert frame["hits"].sum() == sum(s.counts.hits for s in result.systems)


@pytest.mark.parametrize(
    ("pairs", "words"),
    [
        ([], "there are no pairs"),
        ([(REFERENCE, None)], "'prediction' is null"),
        ([Pair("a", REFERENCE, None)], "the prediction is None"),
        ([(REFERENCE,)], "a pair expected"),
        ([{"reference": 3, "prediction": "x"}], "holds a number"),
        ([Pair("a", "x", "y"), Pair("a", "x", "y")], "comes twice"),
        ([("x\0", "y")], "NUL"),
    ],
)
def test_bad_pairs_are_refused(pairs: list[object], words: str) -> None:
    with pytest.raises(InputError, match=words):
        quick(pairs)


def test_a_missing_prediction_may_be_allowed() -> None:
    result = quick([(REFERENCE, None), (REFERENCE, float("nan"))], allow_missing=True)
    assert (result.scores["recall"], result.scores["precision"], result.scores["f1"]) == (0.0, None, 0.0)
    assert [s.reason for s in result.only.silent] == ["missing", "missing"]


def test_a_parser_that_fails_leaves_the_pair_unscored() -> None:
    def parser(text: str) -> cabs.ParsedReport:
        if text == WRONG:
            raise CabsError("no answer from the model")
        return cabs.parse(text)

    result = quick([(REFERENCE, WRONG), (REFERENCE, REFERENCE)], parser=parser)
    assert [(u.id, u.reason) for u in result.only.unscored] == [("1", "parser failed: no answer from the model")]
    assert (result.counts.unscored, result.scores["f1"]) == (1, 1.0)
    assert "parser:" in str(result.signature)
    assert "parser:rules" not in str(result.signature)


def test_clusters_stand_in_the_signature() -> None:
    result = quick(PAIRS, cluster="patient")
    assert result.signature.items["cluster"] == "patient"
    assert result["good"].clusters == ("p1", "p1")
    with pytest.raises(InputError, match="'ward'"):
        quick(PAIRS, cluster="ward")


def test_facts_of_another_ontology_lose_their_ids_not_their_place() -> None:
    report = report_to_json(cabs.parse(REFERENCE))
    for fact in report["facts"]:
        fact.update(entity="zebra_sign", organ="tail", location={"text": "tip", "ids": ["tip"]})
        fact["attributes"] = [{"kind": "stripes", "text": "many", "value": "x", "unit": None}]
    result = quick([{"reference": report, "prediction": report}], keep=True)
    assert result.scores["f1"] == 1.0
    assert set(result.only.issues) >= {
        "reference:unknown_entity",
        "reference:unknown_organ",
        "prediction:unknown_place",
    }


def read(folder: Path) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in sorted(folder.iterdir())}


def test_the_files_of_a_run(tmp_path: Path, result: Result) -> None:
    saved = quick(PAIRS, output=tmp_path / "run")
    assert sorted(read(tmp_path / "run")) == FILES
    assert sorted(p.name for p in tmp_path.iterdir()) == ["run"]
    page = json.loads((tmp_path / "run" / "results.json").read_text())
    assert page["schema_version"] == 1
    assert page["signature"] == str(saved.signature)
    assert [s["system"] for s in page["systems"]] == ["good", "bad"]
    assert page["systems"][1]["scores"] == dict(result["bad"].scores)
    assert {k: v["counts"]["facts"] for k, v in page["systems"][0]["by"]["organ"].items()} == {
        "lung": 1,
        "pleura": 1,
    }
    rows = pq.read_table(tmp_path / "run" / "reports.parquet").to_pylist()
    assert [(r["id"], r["status"]) for r in rows] == [
        ("a", "scored"), ("b", "scored"), ("c", "unscored"), ("a", "scored"), ("b", "unread"),
    ]  # fmt: skip
    assert json.loads(rows[0]["reference_facts"])["facts"][0]["name"] == "pulmonary nodule"
    assert json.loads(rows[0]["extra"]) == {"patient": "p1", "note": "secretnote"}
    table = pd.read_csv(tmp_path / "run" / "reports.csv")
    assert list(table["n_hits"]) == [r["n_hits"] for r in rows]
    errors = [json.loads(line) for line in (tmp_path / "run" / "errors.jsonl").read_text().splitlines()]
    assert [e["error"] for e in errors] == list(pd.read_csv(tmp_path / "run" / "errors.csv")["error"])


def test_without_text_no_word_of_a_report_is_written(tmp_path: Path) -> None:
    quotes = cabs.QuotedReport(
        (
            cabs.QuotedFact("findings", "present", "zebrasign", None, ("zebraplace",), None,
                            ((None, "zebraattribute"),), "definite", "zebramention", "zebraevidence"),
        ),
        "zebratext",
    )  # fmt: skip
    facts = report_to_json(cabs.parse(REFERENCE))
    facts["facts"][0]["name"] = "zebraname"
    facts["issues"] = [{"code": "c", "message": "zebramessage", "start": 0, "end": 1}]

    def parser(text: str) -> cabs.ParsedReport:
        if "zebrafail" in text:
            raise CabsError("zebraerror")
        return cabs.parse(text)

    pairs = [
        *PAIRS,
        Pair("q", quotes, REFERENCE, "good"),
        {"id": "f", "system": "good", "reference": facts, "prediction": WRONG, "comment": "zebracomment"},
        Pair("x", "zebrafail", REFERENCE, "good"),
    ]
    quick(pairs, output=tmp_path / "run", text=False, parser=parser)
    for name, content in read(tmp_path / "run").items():
        assert b"zebra" not in content, name
        assert b"secret" not in content, name
        assert b"right upper lobe" not in content, name
    rows = pq.read_table(tmp_path / "run" / "reports.parquet").to_pylist()
    assert all("zebra" not in str(row) and "right upper lobe" not in str(row) for row in rows)
    assert json.loads(rows[0]["reference_facts"])["facts"][0]["name"] == "pulmonary nodule"


def test_nothing_is_left_when_a_run_fails(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        quick([*PAIRS, PAIRS[0]], output=tmp_path / "deep" / "run")
    assert list(tmp_path.iterdir()) == []


def test_an_interrupted_run_goes_on_to_the_same_bytes(tmp_path: Path) -> None:
    quick(PAIRS, output=tmp_path / "whole")

    def cut() -> Iterator[Pair]:
        yield from PAIRS[:3]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        quick(cut(), output=tmp_path / "run")
    assert sorted(p.name for p in tmp_path.iterdir()) == [journal_path(tmp_path / "run").name, "whole"]
    read_texts: list[str] = []

    def parser(text: str) -> cabs.ParsedReport:
        read_texts.append(text)
        return cabs.parse(text)

    parser.__qualname__ = "rules"  # so that the journal is taken for one of the same parser
    quick(PAIRS, output=tmp_path / "run", parser=parser)
    assert read_texts == [REFERENCE, WRONG, NORMAL, GIBBERISH]
    assert read(tmp_path / "run") == read(tmp_path / "whole")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["run", "whole"]


def test_an_unknown_breakdown_is_refused() -> None:
    with pytest.raises(SettingError, match="no breakdown"):
        quick(PAIRS, by=["ward"])
