"""Every format of pairs gives the same pairs, with the place that each came from."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cabs.io.pairs import Reading, read_pairs
from cabs.io.read import read_records
from cabs.values import Pair, QuotedReport

ROWS = [
    {
        "id": "a",
        "reference": "A left effusion.",
        "prediction": "No effusion.\nClear.",
        "system": "m",
        "age": "60",
    },
    {
        "id": "b",
        "reference": 'Clear, "normal".',
        "prediction": "A nodule; 5 mm –.",
        "system": "m",
        "age": "70",
    },
]


def jsonl(path: Path) -> None:
    path.write_text("".join(json.dumps(r) + "\n" for r in ROWS), encoding="utf-8")


def json_list(path: Path) -> None:
    path.write_text(json.dumps(ROWS, indent=1), encoding="utf-8")


def json_line_under_json(path: Path) -> None:
    jsonl(path)


def json_by_id(path: Path) -> None:
    path.write_text(json.dumps({r["id"]: {k: v for k, v in r.items() if k != "id"} for r in ROWS}), encoding="utf-8")


def as_csv(path: Path, delimiter: str = ",") -> None:
    with path.open("w", encoding="utf-8", newline="") as handle:
        writer = csv.DictWriter(handle, list(ROWS[0]), delimiter=delimiter)
        writer.writeheader()
        writer.writerows(ROWS)


def semicolons(path: Path) -> None:
    as_csv(path, ";")


def tabs(path: Path) -> None:
    as_csv(path, "\t")


def parquet(path: Path) -> None:
    pq.write_table(pa.Table.from_pylist(ROWS), path)


WRITERS: list[tuple[str, Callable[[Path], None]]] = [
    ("pairs.jsonl", jsonl),
    ("pairs.json", json_list),
    ("pairs.json", json_line_under_json),
    ("pairs.json", json_by_id),
    ("pairs.csv", as_csv),
    ("pairs.csv", semicolons),
    ("pairs.tsv", tabs),
    ("pairs.parquet", parquet),
]


@pytest.mark.parametrize(("name", "write"), WRITERS, ids=lambda v: getattr(v, "__name__", v))
def test_every_format_gives_the_same_pairs(tmp_path: Path, name: str, write: Callable[[Path], None]) -> None:
    write(tmp_path / name)
    pairs = list(read_pairs(tmp_path / name))
    assert [(p.id, p.reference, p.prediction, p.system, p.extra) for p in pairs] == [
        (r["id"], r["reference"], r["prediction"], "m", {"age": r["age"]}) for r in ROWS
    ]
    assert all(p.source.startswith(str(tmp_path / name)) for p in pairs)


def test_places_are_lines_also_behind_blank_lines_and_long_cells(tmp_path: Path) -> None:
    lines = tmp_path / "p.jsonl"
    lines.write_text("\n" + json.dumps(ROWS[0]) + "\n\n  \n" + json.dumps(ROWS[1]) + "\n")
    assert [p.source for p in read_pairs(lines)] == [f"{lines}:2", f"{lines}:5"]
    table = tmp_path / "p.csv"
    table.write_text('id,reference,prediction\na,"one\ntwo\nthree",x\n\nb,y,z\n')
    assert [p.source for p in read_pairs(table)] == [f"{table}:2", f"{table}:6"]
    document = tmp_path / "p.json"
    document.write_text(json.dumps(ROWS, indent=1))
    assert [p.source for p in read_pairs(document)] == [f"{document}:2", f"{document}:9"]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_byte_order_mark_and_windows_line_ends_change_nothing(tmp_path: Path, end: str) -> None:
    for name, text in {
        "p.jsonl": end.join(json.dumps(r) for r in ROWS),
        "p.json": json.dumps(ROWS, indent=2).replace("\n", end),
        "p.csv": end.join(["id,gt,pred", "a,x,y", "b,x,y", ""]),
    }.items():
        (tmp_path / name).write_bytes(b"\xef\xbb\xbf" + text.encode())
        assert [p.id for p in read_pairs(tmp_path / name)] == ["a", "b"]


@pytest.mark.parametrize(
    ("reference", "prediction"),
    [
        ("ground_truth", "generated_report"),
        ("gt", "pred"),
        ("target", "hypothesis"),
        ("Reference", "Response"),
        ("ref", "candidate"),
        ("ground truth", "model-prediction"),
    ],
)
def test_the_usual_names_are_understood(tmp_path: Path, reference: str, prediction: str) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text(json.dumps({"study_id": 7, reference: "r", prediction: "p", "model": "m"}))
    assert list(read_pairs(path)) == [Pair("7", "r", "p", "m", None, {}, f"{path}:1")]


def test_two_files_are_joined_by_id_in_the_order_of_the_predictions(tmp_path: Path) -> None:
    references, predictions = tmp_path / "gt.csv", tmp_path / "out.jsonl"
    references.write_text("id,report,patient\na,A,p1\nb,B,p2\n")
    predictions.write_text('{"id": "b", "report": "PB"}\n{"id": "a", "report": "PA"}\n')
    pairs = list(read_pairs(references, predictions, Reading(cluster="patient")))
    assert [(p.id, p.reference, p.prediction, p.cluster) for p in pairs] == [
        ("b", "B", "PB", "p2"),
        ("a", "A", "PA", "p1"),
    ]


def test_allowed_missing_predictions_are_pairs_without_one(tmp_path: Path) -> None:
    references, predictions = tmp_path / "gt.json", tmp_path / "out.jsonl"
    references.write_text('{"a": "A", "b": "B", "c": "C"}')
    predictions.write_text('{"id": "b", "report": "PB", "system": "m"}\n{"id": "a", "report": "PA", "system": "n"}\n')
    pairs = list(read_pairs(references, predictions, Reading(allow_missing=True)))
    assert [(p.system, p.id, p.prediction) for p in pairs] == [
        ("m", "b", "PB"),
        ("n", "a", "PA"),
        ("m", "a", None),
        ("m", "c", None),
        ("n", "b", None),
        ("n", "c", None),
    ]


def test_vlm3d_bare_and_wrapped(tmp_path: Path) -> None:
    reports = [{"input_image_name": "v1", "report": "one"}, {"input_image_name": "v2", "report": "two"}]
    bare = {
        "name": "Generated reports",
        "type": "Report generation",
        "generated_reports": reports,
        "version": {"major": 1},
    }
    wrapped = [{"pk": "1", "inputs": [], "status": "Succeeded", "outputs": [{"pk": 2, "value": bare}]}]
    (tmp_path / "bare.json").write_text(json.dumps(bare))
    (tmp_path / "wrapped.json").write_text(json.dumps(wrapped))
    pairs = list(read_pairs(tmp_path / "bare.json", tmp_path / "wrapped.json"))
    assert [(p.id, p.reference, p.prediction) for p in pairs] == [("v1", "one", "one"), ("v2", "two", "two")]


def test_rexrank_sections_become_one_text_and_nan_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "rexrank.json"
    path.write_text(
        '{"s1": {"section_findings": "Clear.", "section_impression": NaN, "model_prediction": "P"},'
        ' "s2": {"findings": "Big heart.", "impression": "Cardiomegaly.", "model_prediction": "Q"}}'
    )
    first, second = read_pairs(path)
    assert (first.id, first.reference, first.prediction) == ("s1", "Findings: Clear.", "P")
    assert second.reference == "Findings: Big heart.\nImpression: Cardiomegaly."


TIF = {
    "data_source": "medical-report-abnormality",
    "prompt": [{"role": "user", "content": "<video>"}],
    "videos": [{"type": "video", "video": ["cases/ct_0001.npy"]}],
    "reward_model": {"style": "rule", "ground_truth": "<findings> A 9 mm nodule. </findings>"},
    "extra_info": {
        "split": "test",
        "info": {
            "findings_abnormality_entity": {
                "abnormalities": [
                    {
                        "name": "pulmonary nodule",
                        "evidence": "A 9 mm nodule.",
                        "location": "",
                        "attributes": "9 mm",
                        "certainty": "definite",
                        "organ": "lung_parenchyma",
                    }
                ],
                "report_has_abnormality": True,
                "abnormality_count": 1,
            },
            "impression_abnormality_entity": {"abnormalities": [], "report_has_abnormality": False},
        },
    },
}


def test_the_entities_of_a_verl_record_are_the_reference(tmp_path: Path) -> None:
    (tmp_path / "one.json").write_text(json.dumps({**TIF, "response": "A nodule."}))
    (pair,) = read_pairs(tmp_path / "one.json")
    assert isinstance(pair.reference, QuotedReport)
    (fact,) = pair.reference.facts
    assert (pair.id, pair.prediction, pair.reference.scheme) == ("ct_0001", "A nodule.", "tif")
    assert (fact.section, fact.status, fact.name, fact.organ) == (
        "findings",
        "present",
        "pulmonary nodule",
        "lung_parenchyma",
    )
    assert fact.attributes == ((None, "9 mm"),)
    assert pair.reference.text == "<findings> A 9 mm nodule. </findings>"


def test_a_verl_file_of_records_is_joined_with_predictions(tmp_path: Path) -> None:
    pq.write_table(pa.Table.from_pylist([TIF]), tmp_path / "train.parquet")
    (tmp_path / "out.jsonl").write_text('{"id": "ct_0001", "response": "A nodule."}')
    (pair,) = read_pairs(tmp_path / "train.parquet", tmp_path / "out.jsonl")
    assert isinstance(pair.reference, QuotedReport)
    assert (pair.id, pair.prediction) == ("ct_0001", "A nodule.")


def test_gold_facts_stand_in_for_the_reference(tmp_path: Path) -> None:
    gold = {
        "id": "a",
        "text": "A nodule.",
        "prediction": "A nodule.",
        "facts": [
            {
                "section": "findings",
                "status": "present",
                "name": "nodule",
                "mention": "nodule",
                "sentence": "A nodule.",
                "organ": "lung",
                "location": ["left", "apex"],
                "side": "left",
                "attributes": [{"kind": "size", "text": "3 mm"}],
                "certainty": "possible",
            }
        ],
    }
    path = tmp_path / "gold.jsonl"
    path.write_text(json.dumps(gold))
    (pair,) = read_pairs(path)
    assert isinstance(pair.reference, QuotedReport)
    (fact,) = pair.reference.facts
    assert (fact.location, fact.side, fact.certainty) == (("left", "apex"), "left", "possible")
    assert (fact.attributes, pair.reference.text) == ((("size", "3 mm"),), "A nodule.")


def test_a_long_document_is_read_in_pieces(tmp_path: Path) -> None:
    path = tmp_path / "long.json"
    rows = [{"id": i, "reference": "é" * 50_000, "prediction": "x"} for i in range(30)]
    path.write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")
    assert [p.id for p in read_pairs(path)] == [str(i) for i in range(30)]


def test_a_report_of_a_megabyte_in_a_csv_cell(tmp_path: Path) -> None:
    limit = csv.field_size_limit()
    path = tmp_path / "p.csv"
    path.write_text(f"id,reference,prediction\na,{'word ' * 200_000},x\n")
    (pair,) = read_pairs(path)
    assert len(str(pair.reference)) == 1_000_000
    assert csv.field_size_limit() == limit


def test_records_stream(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text(json.dumps(ROWS[0]) + "\nnot json\n")
    assert next(iter(read_records(path))).fields["id"] == "a"
