"""What is wrong with an input is said with its file and line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cabs.errors import InputError
from cabs.io.pairs import PLAIN, Reading, read_pairs
from cabs.io.reports import read_reports

GOOD = '{"id": "a", "reference": "r", "prediction": "p"}\n'


def refused(path: Path, content: str | bytes, *, second: Path | None = None, how: Reading = PLAIN) -> InputError:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(InputError) as caught:
        list(read_pairs(path, second, how))
    return caught.value


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        ('{"id": "b", "reference": "r", "prediction": "p"', "not readable as JSON"),
        ("[1, 2]", "a JSON object expected, found a list"),
        ('{"id": "b", "reference": "r"}', "field 'prediction' is missing"),
        ('{"id": "b", "prediction": "p"}', "field 'reference' is missing"),
        ('{"reference": "r", "prediction": "p"}', "field 'id' is missing"),
        ('{"id": "b", "reference": "r", "prediction": null}', "field 'prediction' is null"),
        ('{"id": "b", "reference": null, "prediction": "p"}', "field 'reference' is null"),
        ('{"id": "b", "reference": 3, "prediction": "p"}', "holds a number, text or facts expected"),
        ('{"id": "b", "reference": true, "prediction": "p"}', "holds a boolean"),
        (
            '{"id": ["b"], "reference": "r", "prediction": "p"}',
            "holds a list, text or a whole number expected",
        ),
        ('{"id": "", "reference": "r", "prediction": "p"}', "field 'id' is empty"),
        ('{"id": "b", "reference": "r", "prediction": "p\\u0000"}', "a NUL character"),
        ('{"id": "b", "reference": "r", "prediction": "\\ud800"}', "half of a surrogate pair"),
        ('{"id": "b", "gt": "r", "target": "s", "prediction": "p"}', "could both be the reference"),
        ('{"id": "b", "reference": {"facts": [{"entity": 3}]}, "prediction": "p"}', "'section' is None"),
        ('{"id": "b", "reference": [{"section": "findings"}], "prediction": "p"}', "a fact needs a 'name'"),
        (GOOD.strip(), "id 'a' comes twice"),
        ("[" * 100_000, "not readable as JSON"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, bad: str, words: str) -> None:
    path = tmp_path / "p.jsonl"
    error = refused(path, f"{GOOD}\n{bad}\n")
    assert words in error.message
    assert error.place.startswith(f"{path}:3")


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b'{"id": "b", "reference": "r\xe9"}', "not UTF-8"),
        (b'{"id": "b\0"}', "NUL byte"),
    ],
)
def test_bytes_that_are_no_text_are_named(tmp_path: Path, raw: bytes, words: str) -> None:
    error = refused(tmp_path / "p.jsonl", GOOD.encode() + raw)
    assert words in error.message
    assert error.place == f"{tmp_path}/p.jsonl:2"
    error = refused(tmp_path / "p.json", b'[\n{"id": "a"},\n' + raw + b"]")
    assert words in error.message
    assert error.place == f"{tmp_path}/p.json:3"
    error = refused(tmp_path / "p.csv", b"id,gt,pred\na,x,y\n" + raw)
    assert error.place == f"{tmp_path}/p.csv:3"


def test_utf16_is_recognised(tmp_path: Path) -> None:
    for name in ("p.jsonl", "p.json", "p.csv"):
        assert "UTF-16" in refused(tmp_path / name, GOOD.encode("utf-16")).message


@pytest.mark.parametrize(
    ("encoding", "message", "hint"),
    [
        ("utf-16", "this is UTF-16", "iconv -f UTF-16 "),
        ("utf-32", "this is UTF-32", "iconv -f UTF-32 "),
        ("utf-16-le", "NUL byte", "looks like UTF-16 without a byte order mark: save the file as UTF-8, for example "),
        ("utf-16-be", "NUL byte", "iconv -f UTF-16BE "),
        ("latin-1", "not UTF-8", "it may be LATIN1"),
        ("cp1252", "not UTF-8", "it may be WINDOWS-1252"),
    ],
)
def test_the_encoding_is_named(tmp_path: Path, encoding: str, message: str, hint: str) -> None:
    word = "Größe" if encoding == "latin-1" else "9\u00a0mm \u2013 small"
    content = GOOD.replace('"r"', json.dumps(word, ensure_ascii=False)).encode(encoding)
    for name in ("p.jsonl", "p.json"):
        error = refused(tmp_path / name, content)
        assert message in error.message
        assert hint in error.hint
        assert error.place == f"{tmp_path / name}:1"


@pytest.mark.parametrize("name", ["p.jsonl", "p.json", "p.csv"])
@pytest.mark.parametrize("content", ["", "\n\n", "\ufeff"])
def test_an_empty_file_holds_no_pairs(tmp_path: Path, name: str, content: str) -> None:
    assert "holds no pairs" in refused(tmp_path / name, content).message


def test_an_empty_list_and_a_lone_header_hold_no_pairs(tmp_path: Path) -> None:
    assert "holds no pairs" in refused(tmp_path / "p.json", "[ ]").message
    assert "holds no pairs" in refused(tmp_path / "p.csv", "id,reference,prediction\n").message


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        ('[{"id": 1, "reference": "r", "prediction": "p"}\n{"id": 2}]', 2, "',' or ']' expected"),
        ('[{"id": 1,\n"reference": }]', 2, "not readable as JSON"),
        ('[\n{"id": 1, "reference": "r", "prediction": "p"},\n3]', 3, "a record expected, found a number"),
        ("3", 1, "a list or an object of records expected, found a number"),
        ("null", 1, "expected, found null"),
        ('\n"x"', 2, "expected, found text"),
        ('[{"id": "a", "reference": "r", "prediction": "p"}]\n\nmore', 3, "text behind the end"),
        ('[{"id": "a", "reference": "r", "prediction": "p"}', 1, "the end of the file"),
        ('{"x": ["r"]}', 1, "found a list"),
    ],
)
def test_a_bad_document_is_named(tmp_path: Path, content: str, line: int, words: str) -> None:
    error = refused(tmp_path / "p.json", content)
    assert words in error.message
    assert error.place == f"{tmp_path}/p.json:{line}"


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        ("id,gt,pred\na,x\n", 2, "2 cells, but the header has 3"),
        ("id,gt,pred\n\na,x,y,z\n", 3, "4 cells, but the header has 3"),
        ("id,gt,gt\n", 1, "names 'gt' more than once"),
        ('id,gt,pred\na,"x,y\nb', 2, "not readable as CSV"),
    ],
)
def test_a_bad_table_is_named(tmp_path: Path, content: str, line: int, words: str) -> None:
    error = refused(tmp_path / "p.csv", content)
    assert words in error.message
    assert error.place == f"{tmp_path}/p.csv:{line}"


def test_a_file_that_is_not_there_or_of_no_known_kind(tmp_path: Path) -> None:
    for path, words in [
        (tmp_path / "none.jsonl", "no such file"),
        (tmp_path, "this is a folder"),
        (tmp_path / "none", "no such file"),
        (tmp_path / "p.docx", "are not understood"),
        (tmp_path / "p", "has no ending"),
    ]:
        if path.stem == "p":
            path.write_text(GOOD)
        with pytest.raises(InputError, match=words):
            list(read_pairs(path))
    (tmp_path / "folder.jsonl").mkdir()
    with pytest.raises(InputError, match="this is a folder"):
        list(read_pairs(tmp_path / "folder.jsonl"))
    assert "not readable as Parquet" in refused(tmp_path / "p.parquet", "no").message


def test_ids_without_a_counterpart(tmp_path: Path) -> None:
    references, predictions = tmp_path / "gt.jsonl", tmp_path / "out.jsonl"
    references.write_text('{"id": "a", "report": "r"}\n{"id": "b", "report": "r"}\n')
    predictions.write_text('{"id": "a", "report": "p"}\n')
    with pytest.raises(InputError, match="no prediction for 1 of 2 references: 'b'"):
        list(read_pairs(references, predictions))
    predictions.write_text('{"id": "a", "report": "p"}\n{"id": "c", "report": "p"}\n')
    with pytest.raises(InputError, match="id 'c' has no reference") as caught:
        list(read_pairs(references, predictions))
    assert caught.value.place == f"{predictions}:2"


def test_a_reference_is_never_taken_for_a_prediction(tmp_path: Path) -> None:
    references, predictions = tmp_path / "gt.jsonl", tmp_path / "out.jsonl"
    references.write_text('{"id": "a", "reference": "r"}\n')
    predictions.write_text('{"id": "a", "reference": "r"}\n')
    with pytest.raises(InputError, match="'prediction' is missing"):
        list(read_pairs(references, predictions))


def test_the_cluster_column_has_to_be_there(tmp_path: Path) -> None:
    error = refused(tmp_path / "p.jsonl", GOOD, how=Reading(cluster="patient"))
    assert "there is no field 'patient'" in error.message


def test_one_id_of_two_systems_is_no_duplicate(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text("".join(json.dumps({"id": 1, "system": s, "gt": "r", "pred": "p"}) + "\n" for s in "xy"))
    assert [p.system for p in read_pairs(path)] == ["x", "y"]


def test_reports_to_parse(tmp_path: Path) -> None:
    text = tmp_path / "case7.txt"
    text.write_bytes(b"\xef\xbb\xbfLungs:\r\nclear.\n")
    assert [(r.id, r.text) for r in read_reports(text)] == [("case7", "Lungs:\r\nclear.\n")]
    text.write_bytes(b"fine\ncaf\xe9\n")
    with pytest.raises(InputError) as caught:
        list(read_reports(text))
    assert caught.value.place == f"{text}:2"
    lines = tmp_path / "r.jsonl"
    lines.write_text('{"id": "a", "report": "x"}\n{"id": "b", "findings": "y", "impression": "z"}\n')
    assert [r.text for r in read_reports(lines)] == ["x", "Findings: y\nImpression: z"]
    lines.write_text('{"id": "a", "report": "x"}\n{"id": "a", "report": "x"}\n')
    with pytest.raises(InputError, match="comes twice"):
        list(read_reports(lines))
    lines.write_text("\n")
    with pytest.raises(InputError, match="holds no reports"):
        list(read_reports(lines))
