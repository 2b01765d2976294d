"""Nothing half-written: files appear whole or not at all, and a journal survives a cut."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from cabs.errors import OutputError
from cabs.io.journal import Journal, journal_path
from cabs.io.output import staged, text_output
from cabs.io.tables import CsvTable, JsonlTable, ParquetTable


def everything(folder: Path) -> list[str]:
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*"))


class Stop(BaseException):
    """What ends a run early: an interrupt, a fault."""


def fail_after(written: int) -> None:
    raise Stop


def test_a_text_file_appears_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "f.jsonl"
    with text_output(path) as handle:
        handle.write("é\n")
        assert not path.exists()
    assert path.read_bytes() == "é\n".encode()
    with pytest.raises(Stop), text_output(path) as handle:
        fail_after(handle.write("half"))
    assert path.read_bytes() == "é\n".encode()
    assert everything(tmp_path) == ["f.jsonl"]


def test_a_link_stays_a_link_and_a_device_is_written_through(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with text_output(tmp_path / "link") as handle:
        handle.write("new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"
    with text_output(Path("/dev/null")) as handle:
        handle.write("x")
    assert not Path("/dev/null").is_file()


def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path, words in [
        (tmp_path, "a file is expected"),
        (tmp_path / "none" / "f", "its folder does not exist"),
    ]:
        with pytest.raises(OutputError, match=words), text_output(path):
            pass
    for folder in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(OutputError), staged(folder, "last"):
            pass
    assert everything(tmp_path) == ["file"]


def test_a_run_appears_when_it_is_whole(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "run"
    with pytest.raises(Stop), staged(folder, "b") as staging:
        fail_after(staging.path("a").write_text("1"))
    assert everything(tmp_path) == []
    with staged(folder, "b") as staging:
        staging.path("a").write_text("1")
        staging.path("b").write_text("2")
        assert not folder.exists()
    assert everything(folder) == ["a", "b"]


def test_a_run_replaces_its_own_files_only(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old")
    (tmp_path / "notes").write_text("mine")
    with pytest.raises(Stop), staged(tmp_path, "a") as staging:
        fail_after(staging.path("a").write_text("new"))
    assert (tmp_path / "a").read_text() == "old"
    with staged(tmp_path, "a") as staging:
        staging.path("a").write_text("new")
    assert (tmp_path / "a").read_text() == "new"
    assert everything(tmp_path) == ["a", "notes"]


def test_a_run_leaves_nothing_of_an_earlier_one(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    for names in (("a", "texts", "last"), ("a", "last")):
        with staged(folder, "last", ("a", "texts", "last")) as staging:
            for name in names:
                staging.path(name).write_text(name)
        (folder / "notes").write_text("mine")
    assert everything(folder) == ["a", "last", "notes"]
    with pytest.raises(Stop), staged(folder, "last", ("a", "texts", "last")) as staging:
        fail_after(staging.path("last").write_text("new"))
    assert everything(folder) == ["a", "last", "notes"]


COLUMNS = [("id", "text"), ("n", "int"), ("f1", "float"), ("ok", "bool")]
ROWS = [{"id": "a,\n", "n": 1, "f1": 0.1, "ok": True}, {"id": "b", "n": 2, "f1": None, "ok": False}]


def test_tables_hold_the_same_rows(tmp_path: Path) -> None:
    for kind, name in ((CsvTable, "t.csv"), (ParquetTable, "t.parquet"), (JsonlTable, "t.jsonl")):
        table = kind(tmp_path / name, COLUMNS)
        for row in ROWS:
            table.add(row)
        table.close()
    assert (tmp_path / "t.csv").read_text() == 'id,n,f1,ok\n"a,\n",1,0.1,true\nb,2,,false\n'
    assert pq.read_table(tmp_path / "t.parquet").to_pylist() == ROWS
    assert [json.loads(line) for line in (tmp_path / "t.jsonl").read_text().splitlines()] == ROWS


def test_a_journal_goes_on_where_it_was_cut(tmp_path: Path) -> None:
    path = journal_path(tmp_path / "run")
    journal = Journal(path, {"signature": "s"})
    journal.add("k1", {"n": 1, "text": "é\n"})
    journal.add("k2", {"n": 2})
    journal.close()
    path.write_bytes(path.read_bytes()[:-3])
    journal = Journal(path, {"signature": "s"})
    assert (len(journal), journal.get("k1"), "k2" in journal) == (1, {"n": 1, "text": "é\n"}, False)
    journal.add("k3", {"n": 3})
    assert (journal.get("k1"), journal.get("k3")) == ({"n": 1, "text": "é\n"}, {"n": 3})
    journal.close()
    other = Journal(path, {"signature": "t"})
    assert len(other) == 0
    other.remove()
    assert everything(tmp_path) == []


@pytest.mark.parametrize(
    "damage", [b"garbage\n", b'"k3"\t{"f1"', b"\xff\xfe\x00\n", b'"k3"\t[1]\n', b'"k3"\tnot json\n']
)
def test_a_damaged_journal_keeps_what_is_whole(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / ".out.cabs-partial"
    journal = Journal(path, {"signature": "s"})
    journal.add("k1", {"f1": 1})
    journal.add("k2", {"f1": 2})
    journal.close()
    path.write_bytes(path.read_bytes() + damage + b'"k4"\t{"f1":4}\n')
    again = Journal(path, {"signature": "s"})
    assert (len(again), again.get("k2"), "k4" in again) == (2, {"f1": 2}, False)
    again.add("k3", {"f1": 3})
    assert again.get("k3") == {"f1": 3}
    again.remove()
