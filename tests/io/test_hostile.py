"""Files that somebody made to do harm: refused with a word, never read into the memory without end."""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import cabs
from cabs.errors import CabsError, InputError, OntologyError, OutputError
from cabs.io import parquet
from cabs.io.output import staged
from cabs.io.pairs import read_pairs
from cabs.leaderboard import read_results
from cabs.leaderboard.site.slugs import slug, slugs
from cabs.ontology import load_ontology, reading
from cabs.ontology.reading import read_yaml
from cabs.scoring.compare import read_run
from tests.ontology.conftest import TINY

PAIRS = [("Small left pleural effusion.", "No effusion."), ("A 9 mm nodule in the right upper lobe.", "Nodule.")]


def table(rows: list[dict[str, object]], **options: object) -> bytes:
    made = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), made, **options)
    return made.getvalue()


GOOD = table([{"id": str(n), "reference": "r" * n, "prediction": "p"} for n in range(40)])


@pytest.mark.parametrize("seed", range(60))
def test_damaged_parquet_is_an_input_error_or_is_read(tmp_path: Path, seed: int) -> None:
    """Cut off, or with some bytes of another value."""
    rng, raw, path = Random(seed), bytearray(GOOD), tmp_path / "p.parquet"
    if seed % 3 == 0:
        raw = raw[: rng.randrange(len(raw))]
    else:
        for _ in range(1 + seed % 5):
            raw[rng.randrange(len(raw))] = rng.randrange(256)
    path.write_bytes(raw)
    try:
        places = [pair.source for pair in read_pairs(path)]
    except InputError as error:
        places = [error.place]
    assert all(str(path) in place for place in places)


def test_a_parquet_file_that_would_fill_the_memory_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "p.parquet"
    path.write_bytes(table([{"id": "a", "reference": "r", "prediction": "p", "list": [0] * 5000}]))
    monkeypatch.setattr(parquet, "VALUES", 4000)
    with pytest.raises(InputError, match="would fill the memory"):
        list(read_pairs(path))
    path.write_bytes(table([{"id": "a", "reference": "r" * 100_000, "prediction": "p"}], compression="gzip"))
    monkeypatch.setattr(parquet, "LARGE", 10_000)
    monkeypatch.setattr(parquet, "SQUEEZED", 10)
    with pytest.raises(InputError, match="would fill the memory"):
        list(read_pairs(path))


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile") / "run"
    cabs.score(PAIRS, output=folder, resampling=cabs.Resampling(n=0))
    return folder


def changed(run: Path, to: Path, change: Callable[[pa.Table], pa.Table]) -> Path:
    shutil.copytree(run, to)
    pq.write_table(change(pq.read_table(run / "reports.parquet")), to / "reports.parquet")
    return to


CHANGES: dict[str, Callable[[pa.Table], pa.Table]] = {
    "no column": lambda t: t.drop_columns(["n_facts"]),
    "another type": lambda t: t.set_column(t.schema.get_field_index("n_facts"), "n_facts", pa.array(["x"] * len(t))),
    "null": lambda t: t.set_column(
        t.schema.get_field_index("n_facts"), "n_facts", pa.array([None] * len(t), pa.int64())
    ),
    "less than none": lambda t: t.set_column(t.schema.get_field_index("n_facts"), "n_facts", pa.array([-1] * len(t))),
    "no id": lambda t: t.set_column(0, "id", pa.array([None] * len(t), pa.string())),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_reports_table_of_a_stranger_is_checked(run: Path, tmp_path: Path, name: str) -> None:
    folder = changed(run, tmp_path / "run", CHANGES[name])
    for read in (read_run, read_results):
        with pytest.raises(InputError) as caught:
            read(folder)
        assert "reports.parquet" in caught.value.place


@pytest.mark.parametrize(
    "page",
    ["[" * 100_000, "{}", '{"schema_version": 1}', '{"schema_version": 1, "signature": 3}', "\x00", "[]", "9" * 5000],
)
def test_a_results_page_of_a_stranger_is_checked(run: Path, tmp_path: Path, page: str) -> None:
    folder = shutil.copytree(run, tmp_path / "run")
    (folder / "results.json").write_text(page)
    for read in (read_run, read_results):
        with pytest.raises(InputError, match=r"results\.json"):
            read(folder)


def test_yaml_with_nothing_but_a_comment_is_empty(tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_text("# a & b\n", encoding="utf-8", newline="\n")
    assert read_yaml(tmp_path / "x.yaml", "x.yaml") is None


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("a: 1\nb: " + "9" * 5000, 2, "more than 4000 digits"),
        ("a:\n  " + "{b: " * 200 + "}" * 200, 2, "nested in each other"),
        ("a: " + "[" * 100_000, 1, "nesting"),
        ("- " * 100_000, 1, "nesting"),
        ("a: &a [x, x]\nb: [*a, *a]", 1, "repeated by an alias"),
        ("a: &a " + "x" * 100_000 + "\nb: [" + "*a, " * 1000 + "*a]", 0, "aliases (*) repeat texts"),
        ("a: 1\nb: 2\na: 3\n", 3, "the key 'a' is given twice"),
        ("? [a]\n: 1", 1, "a key must be a word"),
        ("a: 1\n---\nb: 2", 2, "another document"),
        ("a: 1\nb: caf\xe9", 2, "not UTF-8"),
        ("a: *x", 1, "undefined alias"),
    ],
)
def test_yaml_of_a_stranger_is_refused_with_its_line(tmp_path: Path, text: str, line: int, words: str) -> None:
    path = tmp_path / "x.yaml"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(OntologyError) as caught:
        read_yaml(path, "x.yaml")
    assert words in caught.value.message
    assert caught.value.place == (f"x.yaml:{line}" if line else "x.yaml")


def test_a_tag_runs_nothing(tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_text("a: !!python/object/apply:os.system [touch here]\nb: !!binary aGk=\n")
    assert read_yaml(tmp_path / "x.yaml", "x") == {"a": ["touch here"], "b": "aGk="}


def test_a_yaml_file_has_a_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "LARGEST", 1000)
    (tmp_path / "x.yaml").write_text("#" * 1001)
    with pytest.raises(OntologyError, match="has more than"):
        read_yaml(tmp_path / "x.yaml", "x")


@pytest.fixture
def extra(tmp_path: Path) -> Path:
    folder = tmp_path / "extra"
    folder.mkdir()
    (tmp_path / "secret.yaml").write_text("organs: [{id: secret}]\n")
    return folder


def test_an_ontology_folder_shows_no_file_of_others(extra: Path) -> None:
    (extra / "organs.yaml").symlink_to(extra.parent / "secret.yaml")
    with pytest.raises(OntologyError, match="a link to a file outside the folder") as caught:
        load_ontology(extra=extra)
    assert "organs.yaml" in caught.value.place
    assert "secret'" not in str(caught.value)


def test_an_ontology_folder_of_folders_and_dead_links_is_refused(extra: Path) -> None:
    (extra / "organs.yaml").mkdir()
    (extra / "sections.yaml").symlink_to(extra / "nowhere")
    with pytest.raises(OntologyError, match="is no file"):
        load_ontology(extra=extra)


def test_an_ontology_folder_has_a_size(extra: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(TINY, extra, dirs_exist_ok=True)
    monkeypatch.setattr("cabs.ontology.files.MOST", 3)
    with pytest.raises(OntologyError, match="YAML files, an ontology has at most 3"):
        load_ontology(extra=extra)
    monkeypatch.setattr("cabs.ontology.files.MOST", 2000)
    monkeypatch.setattr("cabs.ontology.files.LARGEST", 100)
    with pytest.raises(OntologyError, match="MiB"):
        load_ontology(extra=(extra, extra))


NAMES = (
    "../../evil",
    "..",
    ".",
    "C:\\evil",
    "a/b",
    "con",
    "x\x00y",
    "\u202egp.exe",
    "-rf",
    "a" * 5000,
    "",
    "Ours <v2>",
)


def test_no_name_of_a_system_leads_out_of_a_site() -> None:
    made = slugs([*NAMES, slug("Ours <v2>")])
    assert len(set(made.values())) == len(made)
    assert all(
        set(s) <= set("abcdefghijklmnopqrstuvwxyz0123456789-") and 0 < len(s) < 60 and s.strip("-") == s
        for s in made.values()
    )


@pytest.mark.parametrize("name", ["../x", "..", "", "a/b", "a\\b", "C:x", "x\0"])
def test_no_name_leads_out_of_a_folder_that_is_written(tmp_path: Path, name: str) -> None:
    with pytest.raises(OutputError, match="is no name of a file"), staged(tmp_path / "out", "x") as staging:
        staging.path(name)
    assert list(tmp_path.iterdir()) == []


def test_json_of_any_depth_is_an_input_error(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    for deep in (
        '{"id": ' + "[" * 200_000,
        '{"a":' * 200_000,
        json.dumps({"id": 1})[:-1] + ', "x": ' + "9" * 5000 + "}",
    ):
        path.write_text(deep)
        with pytest.raises(CabsError):
            list(read_pairs(path))
