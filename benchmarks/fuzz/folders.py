"""Folders and YAML files of users: results, journals, benchmarks, submissions, configurations, ontologies."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import cabs
from benchmarks.fuzz.files import WORDS, refused
from benchmarks.fuzz.target import Run, Target
from benchmarks.llm.fuzz import PAIRS
from cabs.io.journal import Journal
from cabs.leaderboard.benchmark.definition import read_definition
from cabs.leaderboard.benchmark.submission import read_submission
from cabs.leaderboard.results import read_results
from cabs.llm.given import given
from cabs.llm.server import server_from
from cabs.ontology.load import assemble
from cabs.ontology.problems import Problem
from cabs.scoring.compare import read_run
from cabs.training.config import read_config

YAML = (
    "&a ", "*a", "<<: ", "- ", ": ", "? ", "!!python/object/apply:os.system", "!!binary ", "|\n", ">\n", "---\n",
    "...\n", "{", "}", "[", "]", "null", "true", "0x1f", "1e9", "9" * 5000, "'", '"', "\t", "%YAML 1.1\n",
    "\u2028", "\\ud800",
)  # fmt: skip
KEYS = (
    "model:", "path:", "data:", "train:", "reward:", "options:", "output:", "trainer:", "verl:", "evaluation:",
    "metrics:",
    "cabs_benchmark: 1", "references:", "file:", "sha256:", "prepare:", "pattern:", "parts:", "system:", "predictions:",
    "base_url:", "cache:", "entities:", "organs:", "structures:", "forms:", "parent:", "id:", "label:", "kind:",
    "rules:", "examples:", "match:", "no_match:", "class:", "sections:", "headings:", "role:", "replace: true",
    "patterns:",
)  # fmt: skip
_JOURNAL = {"run": "a"}


def _yaml(name: str, read: Callable[[Path], object]) -> Callable[[Path], Run]:
    def make(folder: Path) -> Run:
        path = folder / name

        def run(data: bytes) -> None:
            path.write_bytes(data)
            refused(lambda: read(path))

        return run

    return make


def _submission(folder: Path) -> Run:
    (folder / "predictions.jsonl").write_text("{}\n", encoding="utf-8", newline="\n")
    return _yaml("submission.yaml", lambda path: read_submission(path.parent))(folder)


def _ontology(name: str) -> Callable[[Path], Run]:
    """The small ontology of the tests, with one of its files from a stranger."""

    def make(folder: Path) -> Run:
        home = folder / "ontology"
        if not home.exists():
            shutil.copytree(TINY, home)

        def read(path: Path) -> None:
            problems: list[Problem] = []
            assemble(path.parents[name.count("/")], (), problems)

        (home / name).parent.mkdir(parents=True, exist_ok=True)
        return _yaml(name, read)(home)

    return make


def _run(name: str) -> Callable[[Path], Run]:
    """The folder of a run, with one of its files from a stranger."""

    def make(folder: Path) -> Run:
        _scored(folder)

        def read(path: Path) -> None:
            refused(lambda: read_run(path.parent))
            read_results(path.parent)

        return _yaml(name, read)(folder)

    return make


def _scored(folder: Path) -> Path:
    """The results of a run, in a folder of the name of the caller's."""
    if not (folder / "results.json").exists():
        pairs = [{"id": str(n), "reference": r, "prediction": p} for n, (r, p) in enumerate(PAIRS)]
        cabs.score(pairs, output=folder)
    return folder


def _journal(folder: Path) -> Run:
    path = folder / "journal"
    with_header = Journal(path, _JOURNAL)
    with_header.close()
    first = path.read_bytes().splitlines(keepends=True)[0]

    def run(data: bytes) -> None:
        path.write_bytes(first + data)
        journal = Journal(path, _JOURNAL)
        held = len(journal)
        journal.close()
        again = Journal(path, _JOURNAL)
        assert len(again) == held
        again.close()

    return run


TINY = Path(__file__).parents[2] / "tests" / "ontology" / "tiny"
_CONFIG = (
    b"model:\n  path: m\ndata:\n  train: t.jsonl\noutput: out\n"
    b"reward:\n  name: tif:gamma=0\ntrainer:\n  learning_rate: 1e-6\n"
)
_SERVER = b"base_url: http://localhost:8000/v1\nmodel: m\ncache: none\n"
_SUBMISSION = b"system: A b\npaper: https://example.org\nlicence: MIT\n"


def _server(path: Path) -> object:
    return server_from(given((), path, environment={}))


def _shipped() -> list[bytes]:
    folder = Path(cabs.__file__).parent / "leaderboard" / "benchmark" / "shipped"
    return [path.read_bytes() for path in sorted(folder.glob("*.yaml"))]


def _run_file(name: str) -> list[bytes]:
    with TemporaryDirectory() as folder:
        return [(_scored(Path(folder) / "run") / name).read_bytes()]


def _both() -> tuple[str, ...]:
    return (*YAML, *KEYS)


def _of_ontology(name: str) -> Target:
    short = name.partition("/")[0].partition(".")[0]
    return Target(f"ontology-{short}", _ontology(name), lambda: [(TINY / name).read_bytes()], _both)


TARGETS = (
    Target("config", _yaml("run.yaml", read_config), lambda: [_CONFIG], _both, pumped=20_000),
    Target("server", _yaml("server.yaml", _server), lambda: [_SERVER], _both, pumped=20_000),
    Target("benchmark", _yaml("benchmark.yaml", read_definition), _shipped, _both),
    Target("submission", _submission, lambda: [_SUBMISSION], _both),
    *map(
        _of_ontology,
        (
            "entities/named.yaml",
            "anatomy/all.yaml",
            "context/cues.yaml",
            "attributes.yaml",
            "sections.yaml",
            "abbreviations.yaml",
        ),
    ),
    Target("results", _run("results.json"), lambda: _run_file("results.json"), lambda: WORDS, longest=1 << 15),
    Target("tables", _run("reports.parquet"), lambda: _run_file("reports.parquet"), longest=1 << 17),
    Target("journal", _journal, lambda: [b'"k"\t{"a": 1}\n', b"CABS\x01\0\0\0\x02\0\0\0\0\0\0\0{}"]),
)
