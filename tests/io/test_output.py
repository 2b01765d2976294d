"""Nothing half-written: files appear whole or not at all, and a journal survives a cut."""

from __future__ import annotations

import errno
import json
import os
import subprocess
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import cabs.io.lock
from cabs.errors import HeldError, OutputError
from cabs.io.journal import Journal, journal_path
from cabs.io.output import staged, sweep, text_output
from cabs.io.tables import CsvTable, JsonlTable, ParquetTable, arrow_rows, csv_rows


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
    assert journal.empty
    journal.add(b"one\n", 3)
    journal.add(b"two", 2)
    assert (len(journal), journal.empty) == (5, False)
    journal.close()
    path.write_bytes(path.read_bytes()[:-1])
    journal = Journal(path, {"signature": "s"})
    assert (len(journal), list(journal.entries())) == (3, [b"one\n"])
    journal.add(b"three")
    assert list(journal.entries()) == [b"one\n", b"three"]
    journal.close()
    other = Journal(path, {"signature": "t"})
    assert (len(other), list(other.entries())) == (0, [])
    other.remove()
    assert everything(tmp_path) == []


@pytest.mark.parametrize("damage", [b"garbage", b"", b"CABS", b"CABS" + b"\xff" * 40, b"CABS" + b"\0" * 12])
def test_a_damaged_journal_keeps_what_is_whole(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / ".out.cabs-partial"
    journal = Journal(path, {"signature": "s"})
    journal.add(b"one")
    journal.add(b"two")
    end = journal.end
    journal.add(b"three")
    journal.close()
    raw = path.read_bytes()
    path.write_bytes(raw[:end] + damage + raw[end + 1 :])
    again = Journal(path, {"signature": "s"})
    assert [content for content in again.entries() if content] == [b"one", b"two"]
    again.add(b"four")
    assert [content for content in again.entries() if content] == [b"one", b"two", b"four"]
    again.remove()


def test_what_a_journal_drops_is_gone_and_what_it_does_not_stays(tmp_path: Path) -> None:
    path = tmp_path / ".out.cabs-partial"
    journal = Journal(path, {})
    for content in (b"one", b"two", b"three"):
        journal.add(content)
    for content in journal.entries():  # a caller that is interrupted drops nothing
        if content == b"two":
            break
    assert list(journal.entries()) == [b"one", b"two", b"three"]
    for content in journal.entries():
        if content == b"two":
            journal.drop()
    journal.add(b"four")
    assert (list(journal.entries()), len(journal)) == ([b"one", b"four"], 2)
    journal.close()


def test_one_process_has_a_journal(tmp_path: Path, python) -> None:
    path = tmp_path / "deep" / ".out.cabs-partial"
    journal = Journal(path, {})
    journal.add(b"one")
    code = "from pathlib import Path; from cabs.io.journal import Journal; print(len(Journal(Path({!r}), {{}})))"
    with pytest.raises(subprocess.CalledProcessError) as refused:
        python(code.format(str(path)))
    assert "another run is writing there (wait until it has ended, or name another folder)" in refused.value.stderr
    journal.close()
    assert python(code.format(str(path))).stdout == "1\n", "a process that has ended holds nothing"
    journal = Journal(path, {})
    journal.remove()
    assert everything(tmp_path) == ["deep"]


def test_a_folder_is_held_under_all_its_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "link").symlink_to("run")
    journal = Journal(journal_path(tmp_path / "run"), {})
    with pytest.raises(HeldError):
        Journal(journal_path(tmp_path / "link"), {})
    journal.remove()
    with staged(tmp_path / "link", "a") as staging:
        staging.path("a").write_text("a")
    assert (tmp_path / "run" / "a").read_text() == "a"
    assert (tmp_path / "link").is_symlink()
    monkeypatch.chdir(tmp_path / "run")
    assert journal_path(Path()) == journal_path(tmp_path / "run")


def test_a_file_system_without_locks_is_no_obstacle_and_any_other_fault_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(code: int) -> None:
        def lock(_file: int) -> None:
            raise OSError(code, os.strerror(code))

        monkeypatch.setattr(cabs.io.lock, "_lock", lock)

    failing(errno.ENOLCK)
    journal = Journal(tmp_path / "j", {})
    assert not journal.alone
    journal.remove()
    failing(errno.EIO)
    with pytest.raises(OutputError, match="can't be written"):
        Journal(tmp_path / "j", {})


def test_what_killed_runs_left_is_swept_away(tmp_path: Path) -> None:
    names = (".run.cabs-1.tmp", "run/.run.cabs-22.tmp", ".other.cabs-1.tmp", ".run[1].cabs-1.tmp", ".run.cabs-partial")
    for name in names:
        (tmp_path / name).mkdir(parents=True)
    sweep(tmp_path / "run")
    assert everything(tmp_path) == [".other.cabs-1.tmp", ".run.cabs-partial", ".run[1].cabs-1.tmp", "run"]
    sweep(tmp_path / "run[1]")
    assert everything(tmp_path) == [".other.cabs-1.tmp", ".run.cabs-partial", "run"]


def test_no_cut_of_the_rows_shows_in_a_table(tmp_path: Path) -> None:
    rows = [{"id": f"é{n}", "n": n, "f1": n / 7 if n % 3 else None, "ok": n % 2 == 0} for n in range(2345)]
    whole, cut = ParquetTable(tmp_path / "whole", COLUMNS), ParquetTable(tmp_path / "cut", COLUMNS)
    text, texts = CsvTable(tmp_path / "text", COLUMNS), CsvTable(tmp_path / "texts", COLUMNS)
    for row in rows:
        whole.add(row)
        text.add(row)
    at = 0
    for size in (1, 16, 700, 999, 1, 600, 28):
        cut.add_batch(arrow_rows(COLUMNS, rows[at : at + size]))
        texts.add_text(csv_rows(COLUMNS, rows[at : at + size]))
        at += size
    for table in (whole, cut, text, texts):
        table.close()
    assert at == len(rows)
    assert (tmp_path / "whole").read_bytes() == (tmp_path / "cut").read_bytes()
    assert (tmp_path / "text").read_bytes() == (tmp_path / "texts").read_bytes()
