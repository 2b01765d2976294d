"""A run on Ray gives the bytes of a run in one process, whatever dies on the way. `make test-ray` runs this in an
environment of its own."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import ray

from cabs.errors import CabsError, InputError, SettingError, WorkerError
from cabs.io.journal import journal_path
from cabs.io.pairs import Reading, read_pairs
from cabs.metrics.intervals import Resampling
from cabs.ontology import load_ontology
from cabs.scoring.cluster import OnRay, connected
from cabs.scoring.judge import Plan
from cabs.scoring.known import Known
from cabs.scoring.run import Options, run, run_from
from tests.ray.conftest import content, rows_of, write_lines

ROWS = rows_of(150)
HOW = Reading(cluster="patient")
SMALL = 4000
"""Bytes of a piece, so that there are a dozen."""


def options(output: Path, **more: object) -> Options:
    return Options(Resampling(n=40), cluster="patient", output=output, **more)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What one process writes."""
    folder = tmp_path_factory.mktemp("whole")
    run(read_pairs(write_lines(folder / "p.jsonl", ROWS), how=HOW), Plan(load_ontology()), options(folder / "run"))
    return content(folder / "run")


def scored(path: Path | str, output: Path, size: int = SMALL, **more: object) -> dict[str, bytes]:
    """What the cluster writes."""
    run_from(OnRay(str(path), HOW, size), Plan(load_ontology()), options(output, **more))
    return content(output)


def parts(folder: Path) -> Path:
    """The same pairs in the parts of a table, some JSON Lines, some Parquet in several row groups."""
    for at in range(0, len(ROWS), 100):
        home = folder / f"part={at // 100}"
        home.mkdir(parents=True)
        table = pa.Table.from_pylist(ROWS[at : at + 60])
        pq.write_table(table, home / "a.parquet", row_group_size=25)
        write_lines(home / "b.jsonl", ROWS[at + 60 : at + 100])
    (folder / "_SUCCESS").write_text("")
    (folder / ".part-0.jsonl.crc").write_text("")
    return folder


def test_a_file_gives_the_bytes_of_one_process(cluster, tmp_path: Path, whole: dict[str, bytes]) -> None:
    path = write_lines(tmp_path / "p.jsonl", ROWS)
    assert len(OnRay(str(path), HOW, SMALL).pieces) > 12
    assert scored(path, tmp_path / "small") == whole
    assert scored(f"file://{path}", tmp_path / "one", 1 << 20) == whole


def test_so_do_the_parts_of_a_table(cluster, tmp_path: Path, whole: dict[str, bytes]) -> None:
    folder = parts(tmp_path / "table")
    assert scored(folder, tmp_path / "run") == whole
    assert scored(f"{folder}/*/*.*", tmp_path / "again") == whole


BAD: dict[str, Callable[[list[str]], None]] = {
    "json": lambda lines: lines.__setitem__(220, "{oops"),
    "blank lines, then a field that is missing": lambda lines: lines.__setitem__(
        slice(200, 202), ["", "", '{"id": 1}']
    ),
    "an id twice": lambda lines: lines.__setitem__(250, lines[13]),
    "an id twice in front of a broken line": lambda lines: lines.__setitem__(slice(250, 252), [lines[13], "{"]),
    "a broken line in front of an id twice": lambda lines: lines.__setitem__(slice(250, 252), ["{", lines[13]]),
    "an id twice in one piece": lambda lines: lines.__setitem__(1, lines[0]),
    "a null": lambda lines: lines.__setitem__(99, lines[99].replace('"patient": "p', '"patient": null, "p": "p')),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_told_as_by_one_process(cluster, tmp_path: Path, name: str) -> None:
    lines = write_lines(tmp_path / "p.jsonl", ROWS).read_text(encoding="utf-8").splitlines()
    BAD[name](lines)
    path = tmp_path / "p.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with pytest.raises(InputError) as here:
        list(read_pairs(path, how=HOW))
    with pytest.raises(InputError) as there:
        scored(path, tmp_path / "run")
    assert str(there.value) == str(here.value)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["p.jsonl"]


def test_facts_that_the_ontology_does_not_know_are_told_too(cluster, tmp_path: Path) -> None:
    fact = {"section": "findings", "status": "present", "name": "n", "organ": "tail", "mention": "n"}
    rows = [*ROWS[:80], {**ROWS[80], "reference": {"facts": [fact]}}, *ROWS[81:]]
    path = write_lines(tmp_path / "p.jsonl", rows)
    known = Known(load_ontology())
    with pytest.raises(InputError) as here:
        list(known.pairs(read_pairs(path, how=HOW)))
    with pytest.raises(InputError, match="organ 'tail' is unknown") as there:
        scored(path, tmp_path / "run")
    assert str(there.value) == str(here.value)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["p.jsonl"]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("none.jsonl", "no such file"),
        ("empty.jsonl", "holds no pairs"),
        ("p.csv", "not read in pieces"),
        ("broken.parquet", "not readable as Parquet"),
        ("folder", "holds no files of pairs"),
        ("zzz://bucket/p.jsonl", "can't be read"),
    ],
)
def test_places_that_hold_nothing_to_read(cluster, tmp_path: Path, name: str, words: str) -> None:
    (tmp_path / "empty.jsonl").write_text("\n")
    (tmp_path / "p.csv").write_text("id,reference,prediction\n")
    (tmp_path / "broken.parquet").write_bytes(b"PAR1")
    (tmp_path / "folder").mkdir()
    with pytest.raises(InputError, match=words):
        OnRay(name if "://" in name else str(tmp_path / name))


def test_what_asks_others_is_refused(cluster, tmp_path: Path) -> None:
    source = OnRay(str(write_lines(tmp_path / "p.jsonl", ROWS[:4])), HOW)
    with pytest.raises(SettingError, match="by the rules alone"):
        run_from(source, Plan(load_ontology(), parser=lambda text: None), options(tmp_path / "run"))  # type: ignore[arg-type,return-value]


def workers() -> Iterator[int]:
    """The processes that judge."""
    for home in Path("/proc").iterdir():
        try:
            name = (home / "cmdline").read_bytes() if home.name.isdecimal() else b""
        except OSError:  # it has ended meanwhile
            continue
        if name.startswith(b"ray::MapWorker(MapBatches(_Judging))"):
            yield int(home.name)


def test_a_worker_that_is_killed_costs_nothing(cluster, tmp_path: Path) -> None:
    """Killed as soon as the first pairs have come, while most of some hundred pieces are still to be judged."""
    path, killed = write_lines(tmp_path / "p.jsonl", rows_of(1000)), []
    run(read_pairs(path, how=HOW), Plan(load_ontology()), options(tmp_path / "whole"))

    def kill(done: int) -> None:
        if done == 1:
            killed.extend(list(workers())[:1])
            os.kill(killed[0], signal.SIGKILL)

    assert scored(path, tmp_path / "run", progress=kill) == content(tmp_path / "whole")
    assert len(killed) == 1


def test_an_interrupted_run_goes_on_anywhere(cluster, tmp_path: Path, whole: dict[str, bytes]) -> None:
    """Begun in one process, gone on with on the cluster, ended in one process."""
    path, plan = write_lines(tmp_path / "p.jsonl", ROWS), Plan(load_ontology())

    def until(end: int) -> Callable[[int], None]:
        def stop(done: int) -> None:
            if done == end:
                raise KeyboardInterrupt

        return stop

    resumed: list[int] = []
    with pytest.raises(KeyboardInterrupt):
        run(read_pairs(path, how=HOW), plan, options(tmp_path / "run", progress=until(100)))
    with pytest.raises(KeyboardInterrupt):
        scored(path, tmp_path / "run", progress=until(200), resumed=resumed.append)
    assert journal_path(tmp_path / "run").is_file()
    run(read_pairs(path, how=HOW), plan, options(tmp_path / "run", resumed=resumed.append))
    assert content(tmp_path / "run") == whole
    assert 100 <= resumed[0] < 200 <= resumed[1] < 300
    assert not journal_path(tmp_path / "run").is_file()


def test_no_cluster_at_an_address() -> None:
    if ray.is_initialized():
        ray.shutdown()
    with pytest.raises(CabsError) as told, connected("127.0.0.1:1"):
        pass
    assert isinstance(told.value, WorkerError)
    assert told.value.place == "127.0.0.1:1"
