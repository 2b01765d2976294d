"""Files of records: every format, as pairs, reports, facts, sheets."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.fuzz.target import Run, Target
from cabs.errors import CabsError
from cabs.io.factfile import read_fact_file
from cabs.io.fields import ALIASES
from cabs.io.pairs import Reading, read_pairs
from cabs.io.reports import read_reports
from cabs.io.sheet import read_sheet
from cabs.io.spare import spare

Read = Callable[[Path], Iterable[object]]

RECORDS: tuple[dict[str, object], ...] = (
    {"id": "a", "system": "s", "reference": "There is a 9 mm nodule.", "prediction": "No nodule.", "cluster": "p1"},
    {"study_id": 7, "gt": "x", "generated_report": "y", "extra": [1, None]},
    {"id": "f", "section_findings": "Lungs: clear.", "section_impression": None, "model_prediction": "z"},
    {"id": "g", "reference_facts": [{"name": "nodule", "mention": "nodule", "organ": "lung", "side": "left",
     "attributes": [{"kind": "size", "text": "9 mm"}]}], "text": "nodule 9 mm", "prediction": "p"},
    {"id": "h", "facts": [{"section": "findings", "status": "present", "entity": "pulmonary_nodule", "kind": "finding",
     "name": "n", "organ": "lung", "side": None, "location": {"text": "", "ids": []}, "attributes": [{"kind": "size",
     "text": "9 mm", "value": [9.0], "unit": "mm"}], "certainty": "definite", "likelihood": None,
     "mention": {"start": 0, "end": 1}, "evidence": [{"start": 0, "end": 1}]}], "normal": [], "read": True,
     "issues": []},
    {"name": "Report generation", "type": "Report generation", "generated_reports":
     [{"input_image_name": "a.mha", "report": "x"}]},
    {"data_source": "d", "prompt": [{"role": "user", "content": "c"}], "ability": "a", "reward_model":
     {"style": "rule", "ground_truth": "x"}, "extra_info": {"index": 0, "entities": {"findings": []}},
     "completion": "y"},
)  # fmt: skip

WORDS = (
    *(name for names in ALIASES.values() for name in names), '"id": ', '{"', '"}', "null", "NaN", "Infinity", "true",
    "1e999",
    "\\u0000", "\\ud800", "\\udc00", "\ufeff", "[[[[", '{"a":', "PAR1", '""', "\r\n", ";", "cabs_reference_facts", "-0",
    "generated_reports", "reward_model", "ground_truth", "extra_info", "entities", "0" * 40, "1" * 5000, "data_source",
)  # fmt: skip


def refused(read: Callable[[], object]) -> None:
    """Read to the end; an error of CABS has to say what is wrong and where."""
    said = None
    try:
        read()
    except CabsError as error:
        said = error
    assert said is None or (said.message and said.place), said


def _reader(ending: str) -> Callable[[Path], Run]:
    def make(folder: Path) -> Run:
        path = folder / f"input{ending}"
        reads: tuple[Read, ...] = (
            lambda path: read_pairs(path),
            lambda path: read_pairs(path, how=Reading("cluster", allow_missing=True, no_reference=True)),
            lambda path: read_pairs(path, path),
            read_reports,
            lambda path: read_fact_file(path).reports.values(),
        )

        def run(data: bytes) -> None:
            path.write_bytes(data)
            for read in reads:
                refused(lambda read=read: list(read(path)))  # type: ignore[misc]
            spare([path], [])

        return run

    return make


def _sheet(ending: str) -> Callable[[Path], Run]:
    def make(folder: Path) -> Run:
        path = folder / f"sheet{ending}"

        def run(data: bytes) -> None:
            path.write_bytes(data)
            refused(lambda: list(read_sheet(path)))

        return run

    return make


def _text(folder: Path) -> Run:
    path = folder / "report.txt"

    def run(data: bytes) -> None:
        path.write_bytes(data)
        refused(lambda: list(read_reports(path)))

    return run


def _lines() -> list[bytes]:
    return [json.dumps(record).encode() for record in RECORDS]


def parquet(rows: Iterable[dict[str, object]], compression: str = "snappy") -> bytes:
    """Rows as a Parquet file."""
    made = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(list(rows)), made, compression=compression)
    return made.getvalue()


def _parquets() -> list[bytes]:
    rows: list[dict[str, object]] = [*RECORDS[:3], {"id": "a", "facts": [{"name": "n"}], "reference": "x"}]
    return [parquet([row], compression) for row in rows for compression in ("none", "gzip")]


def _workbook() -> bytes:
    import openpyxl

    book, made = openpyxl.Workbook(), io.BytesIO()
    page = book.active
    assert page is not None
    page.append(["id", "rating"])
    page.append(["a", "=1+1"])
    book.save(made)
    return made.getvalue()


_CSV = b'id,reference,prediction\na,"x, ""y""\nz",w\n'

TARGETS = (
    Target("jsonl", _reader(".jsonl"), lambda: [*_lines(), b"\n".join(_lines()[:2])], lambda: WORDS, pumped=200_000),
    Target(
        "json",
        _reader(".json"),
        lambda: [b"[" + b",\n".join(_lines()) + b"]", b'{"a": {"report": "x"}, "b": "y"}', _lines()[0]],
        lambda: WORDS,
        pumped=200_000,
    ),
    Target("csv", _reader(".csv"), lambda: [_CSV, _CSV.replace(b",", b";")], lambda: WORDS, pumped=200_000),
    Target("tsv", _reader(".tsv"), lambda: [_CSV.replace(b",", b"\t")], lambda: WORDS),
    Target("parquet", _reader(".parquet"), _parquets, lambda: WORDS, longest=1 << 14),
    Target("text", _text, lambda: [b"Lungs:\r\nclear.\n", b"\xef\xbb\xbfx"], pumped=200_000),
    Target("sheet", _sheet(".csv"), lambda: [_CSV, b"\xef\xbb\xbfid,rating\na,'=1\n"], lambda: WORDS, pumped=200_000),
    Target("xlsx", _sheet(".xlsx"), lambda: [_workbook()], longest=1 << 14),
)
