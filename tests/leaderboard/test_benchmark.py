"""A benchmark fixes what is scored and how; submissions are checked, and appeals are corrections on record."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cabs.io.frozen import content_hash
from cabs.leaderboard.benchmark.definition import digest, read_definition, shipped
from tests.leaderboard.conftest import GOOD, REFERENCES, lines, pairs


def ranked(run, folder: Path) -> dict:
    done = run(folder, "leaderboard", "good", "poor", "--benchmark", "contest/benchmark.yaml", "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_submissions_are_scored_as_the_definition_says(contest: Path, run) -> None:
    page = ranked(run, contest)
    assert [system["system"] for system in page["systems"]] == ["The good one", "The poor one"]
    assert page["systems"][0]["paper"] == "https://example.org/good"
    assert page["systems"][0]["licence"] == "MIT"
    assert page["signature"] == read_definition(contest / "contest").benchmark.signature
    assert page["benchmark"]["name"] == "tiny"


def test_a_folder_of_submissions_stands_for_them(contest: Path, run) -> None:
    (contest / "all").mkdir()
    for name in ("good", "poor"):
        (contest / name).rename(contest / "all" / name)
    done = run(contest, "benchmark", "check", "all", "--benchmark", "contest")
    assert [line.partition(":")[0] for line in done.stdout.splitlines()] == ["all/good", "all/poor"]
    done = run(contest, "leaderboard", "all", "--benchmark", "contest", "--json")
    assert [system["system"] for system in json.loads(done.stdout)["systems"]] == ["The good one", "The poor one"]
    (contest / "all" / ".github").mkdir()
    (contest / "all" / "poor" / "submission.yaml").rename(contest / "all" / "poor" / "submision.yaml")
    for command in (("benchmark", "check"), ("leaderboard",)):
        done = run(contest, *command, "all", "--benchmark", "contest")
        assert (done.returncode, done.stdout) == (1, "")
        assert "all/poor: there is no submission.yaml" in done.stderr


def test_rebuilding_gives_the_same_bytes(contest: Path, run) -> None:
    for name in ("a", "b"):
        args = ("leaderboard", "good", "poor", "--benchmark", "contest", "-o", name)
        assert run(contest, *args).returncode == 0
    first, second = ({p.name: p.read_bytes() for p in (contest / name).iterdir()} for name in "ab")
    assert first == second
    assert b"example.org/good" in first["leaderboard.csv"]


def test_results_may_stand_beside_submissions(contest: Path, run) -> None:
    rows = [{"id": id, "system": "third", "prediction": text} for id, text in GOOD.items()]
    lines(contest / "third.jsonl", rows)
    score = ("score", "contest/references.jsonl", "third.jsonl", "--draws", "200")
    assert run(contest, *score, "-o", "third").returncode == 0
    args = ("leaderboard", "poor", "third", "--benchmark", "contest", "--json")
    done = run(contest, *args)
    assert done.returncode == 0, done.stderr
    assert [system["system"] for system in json.loads(done.stdout)["systems"]] == ["third", "The poor one"]
    assert run(contest, *score, "-o", "third", "--scope", "section").returncode == 0
    done = run(contest, *args)
    assert done.returncode == 1
    assert "the benchmark and system 'third': their signatures differ: scope is report and section" in done.stderr


def test_results_of_other_references_do_not_take_part(contest: Path, run) -> None:
    rows = [row | {"reference": row["reference"].replace("right", "left")} for row in pairs("third", GOOD)]
    lines(contest / "third.jsonl", rows)
    assert run(contest, "score", "third.jsonl", "--draws", "200", "-o", "third").returncode == 0
    done = run(contest, "leaderboard", "third", "--benchmark", "contest")
    assert (done.returncode, done.stdout) == (1, "")
    assert "third: its reports are not those of the benchmark: 2 differ, 'c1', 'c2'" in done.stderr


def test_a_submission_needs_its_benchmark(contest: Path, run) -> None:
    done = run(contest, "leaderboard", "good")
    assert done.returncode == 1
    assert "--benchmark FILE" in done.stderr


def test_what_is_missing_counts_or_is_refused(contest: Path, run) -> None:
    rows = [{"id": id, "prediction": text} for id, text in GOOD.items() if id != "c1"]
    lines(contest / "good" / "predictions.jsonl", rows)
    done = run(contest, "benchmark", "check", "good", "--benchmark", "contest")
    assert done.returncode == 0
    assert done.stdout == "good: The good one: 3 predictions, 1 missing, which count as reports that say nothing\n"
    system = next(s for s in ranked(run, contest)["systems"] if s["system"] == "The good one")
    assert system["coverage"]["missing"] == 1
    file = contest / "contest" / "benchmark.yaml"
    file.write_text(file.read_text().replace("missing: count\n", ""))
    done = run(contest, "benchmark", "check", "good", "poor", "--benchmark", "contest")
    assert done.returncode == 1
    assert "no prediction for 1 of 4 references: 'c1'" in done.stderr
    assert done.stdout == "poor: The poor one: 4 predictions\n"


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("licence: MIT\n", "submission.yaml: system: is missing"),
        ("system: x\nsistem: y\n", "submission.yaml: sistem: there is no such key"),
        ("system: x\nlink: javascript:alert(1)\n", "submission.yaml: link: "),
        ("system: x\npaper: 5\nlicence: [a]\n", "also "),
        ("system: x\npredictions: ../poor/predictions.jsonl\n", "submission.yaml: predictions: "),
        ("system: x\npredictions: none.jsonl\n", "none.jsonl: no such file"),
        ("system: [", "submission.yaml"),
        ("", "keys expected"),
        (f"system: {'x' * 200}\n", "submission.yaml: system: one line of 1 to 120 visible characters"),
        ('system: "a\\u202eb"\n', "submission.yaml: system: one line of"),
        ("system: x\nnote: &n [a]\nlink: *n\n", "a list or a mapping is repeated by an alias"),
        ("system: &n [*n]\n", "a list or a mapping is repeated by an alias"),
        ("system: x\npredictions: ..\n", "predictions: the name of a file in the same folder (no path)"),
    ],
)
def test_a_submissions_file_is_checked(contest: Path, run, said: str, message: str) -> None:
    (contest / "good" / "submission.yaml").write_text(said)
    done = run(contest, "benchmark", "check", "good", "--benchmark", "contest")
    assert (done.returncode, done.stdout) == (1, "")
    assert message in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([{"id": "zz", "prediction": "x"}], "id 'zz' has no reference"),
        ([{"id": "c1", "prediction": "x"}, {"id": "c1", "prediction": "y"}], "comes twice"),
        ([{"id": "c1", "system": "other", "prediction": "x"}], "is of system 'other'"),
        ([{"id": "c1"}], "prediction"),
    ],
)
def test_a_submissions_predictions_are_checked(contest: Path, run, rows: list, message: str) -> None:
    lines(contest / "good" / "predictions.jsonl", rows)
    file = contest / "contest" / "benchmark.yaml"
    file.write_text(file.read_text().replace("missing: count\n", ""))
    done = run(contest, "benchmark", "check", "good", "--benchmark", "contest")
    assert (done.returncode, done.stdout) == (1, "")
    assert message in done.stderr


def test_a_submission_without_any_prediction_is_refused(contest: Path, run) -> None:
    lines(contest / "good" / "predictions.jsonl", [{"id": id, "predicion": text} for id, text in GOOD.items()])
    for command in (("benchmark", "check"), ("leaderboard",)):
        done = run(contest, *command, "good", "--benchmark", "contest")
        assert (done.returncode, done.stdout) == (1, "")
        assert "predictions.jsonl: there is no prediction" in done.stderr


def test_predictions_are_no_link_to_what_lies_outside(contest: Path, run) -> None:
    file = contest / "good" / "predictions.jsonl"
    file.rename(contest / "good" / "run7.jsonl")
    file.symlink_to("run7.jsonl")
    assert run(contest, "benchmark", "check", "good", "--benchmark", "contest").returncode == 0
    file.unlink()
    file.symlink_to(contest / "contest" / "references.jsonl")
    done = run(contest, "benchmark", "check", "good", "--benchmark", "contest")
    assert (done.returncode, done.stdout) == (1, "")
    assert "predictions.jsonl: this is a link to a file outside the folder" in done.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--why", "x", "--on", "2026-02-30"), "--on: a day as in 2026-11-30 expected, not '2026-02-30'"),
        (("--why", " "), "--why: a few words expected, not ' '"),
        (("--by", "A. Reader"), "--why: a few words expected, not ''"),
    ],
)
def test_a_change_says_when_and_why(contest: Path, run, options: tuple[str, ...], message: str) -> None:
    before = (contest / "contest" / "benchmark.yaml").read_text()
    done = run(contest, "benchmark", "fix", "contest", *options)
    assert done.returncode == 2
    assert message in done.stderr
    assert (contest / "contest" / "benchmark.yaml").read_text() == before


def test_other_references_are_refused(contest: Path, run) -> None:
    file = contest / "contest" / "references.jsonl"
    file.write_text(file.read_text().replace("9 mm", "8 mm"))
    done = run(contest, "leaderboard", "good", "--benchmark", "contest")
    assert done.returncode == 1
    assert "references.jsonl: the references have the checksum" in done.stderr


def test_another_installation_is_refused_and_fixing_is_on_record(contest: Path, run) -> None:
    file = contest / "contest" / "benchmark.yaml"
    before = file.read_text()
    file.write_text(before.replace("cabs:0.1.0", "cabs:0.0.9"))
    done = run(contest, "leaderboard", "good", "--benchmark", "contest")
    assert done.returncode == 1
    assert "the benchmark and this installation: their signatures differ: cabs is 0.0.9 and 0.1.0" in done.stderr
    why = ("--why", "CABS was updated.", "--on", "2026-11-30", "--by", "the organisers")
    assert run(contest, "benchmark", "fix", "contest", *why).returncode == 0
    benchmark = read_definition(contest / "contest").benchmark
    assert (benchmark.version, len(benchmark.changes)) == (2, 1)
    assert ranked(run, contest)["benchmark"]["changes"][0]["why"] == "CABS was updated."


def frozen(run, folder: Path, id: str, correction: str) -> str:
    """Facts of one report, rated and frozen, all facts but the first rejected."""
    import csv

    lines(folder / "disputed.jsonl", [{"id": id, "report": REFERENCES[id]}])
    assert run(folder, "audit", "sheet", "disputed.jsonl", "-o", f"{correction}.csv", "--overwrite").returncode == 0
    rows = list(csv.DictReader((folder / f"{correction}.csv").read_text(encoding="utf-8-sig").splitlines()))
    for at, row in enumerate(rows):
        if row["what"] != "add":
            row["rating"] = "accept" if not at else "reject"
    with (folder / f"{correction}.csv").open("w", encoding="utf-8", newline="") as handle:
        writer = csv.DictWriter(handle, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)
    done = run(folder, "audit", "read", f"{correction}.csv", "--reports", "disputed.jsonl", "-o", f"{correction}.jsonl")
    assert done.returncode == 0, done.stderr
    return f"{correction}.jsonl"


def test_an_appeal_is_a_correction_on_record_and_all_are_scored_anew(contest: Path, run) -> None:
    before = ranked(run, contest)
    facts = frozen(run, contest, "c2", "appeal")
    args = ("benchmark", "correct", "contest", facts, "--why", "The fracture is none.", "--on", "2026-11-30")
    done = run(contest, *args)
    assert done.returncode == 0, done.stderr
    after = ranked(run, contest)
    assert "facts:" in after["signature"]
    assert "facts:" not in before["signature"]
    good = [page["systems"][0]["values"]["recall"]["value"] for page in (before, after)]
    assert good[0] < good[1] == 1.0
    (change,) = after["benchmark"]["changes"]
    assert (change["version"], change["on"], change["reports"]) == (2, "2026-11-30", ["c2"])
    assert change["facts"] == read_definition(contest / "contest").benchmark.corrected.sha256


def test_corrected_facts_are_shown_in_their_text(contest: Path, run) -> None:
    facts = frozen(run, contest, "c2", "appeal")
    assert run(contest, "benchmark", "correct", "contest", facts, "--why", "x", "--on", "2026-11-30").returncode == 0
    assert run(contest, "leaderboard", "good", "poor", "--benchmark", "contest", "-o", "site").returncode == 0
    texts = (contest / "site" / "case-data-texts-0.js").read_text()
    assert json.loads(texts[texts.index("[") : texts.rindex("]") + 1])[1] == REFERENCES["c2"]
    cases = (contest / "site" / "case-data-cases-0-0.js").read_text()
    (entry,) = json.loads(cases[cases.index("[") : cases.rindex("]") + 1])[1]["e"]
    start, end = entry["r"]["m"]
    assert REFERENCES["c2"][start:end] == "pleural effusion"
    assert "x" in (contest / "site" / "index.html").read_text()


def test_later_corrections_join_earlier_ones(contest: Path, run) -> None:
    for id, name in (("c2", "first"), ("c1", "second")):
        facts = frozen(run, contest, id, name)
        done = run(contest, "benchmark", "correct", "contest", facts, "--why", name, "--on", "2026-11-30")
        assert done.returncode == 0, done.stderr
    definition = read_definition(contest / "contest")
    kept = [json.loads(line) for line in definition.corrected.read_text().splitlines()]
    assert [row.get("id") for row in kept[1:]] == ["c1", "c2"]
    assert kept[0]["reports"] == 2
    assert [change.reports for change in definition.benchmark.changes] == [["c2"], ["c1"]]
    assert (contest / "contest" / "corrected_facts.v2.jsonl").is_file()
    assert ranked(run, contest)["benchmark"]["version"] == 3


def test_corrections_that_are_none(contest: Path, run) -> None:
    done = run(contest, "benchmark", "correct", "contest", "good/predictions.jsonl", "--why", "x")
    assert done.returncode == 1
    assert "freeze it with cabs audit read" in done.stderr
    facts = frozen(run, contest, "c2", "appeal")
    file = contest / "contest" / "references.jsonl"
    file.write_text("".join(line for line in file.read_text().splitlines(True) if '"c2"' not in line))
    done = run(contest, "benchmark", "correct", "contest", facts, "--why", "x")
    assert done.returncode == 1
    assert "there is no report 'c2'" in done.stderr


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"entity": "nosuch"}, "entity 'nosuch' is unknown"),
        ({"mention": {"start": 900, "end": 910}}, "characters 900 to 910 are not in the text"),
        ({"text_hash": "0" * 16}, "were read from another text than this reference"),
        (None, "appeal.jsonl: holds the facts of no report"),
    ],
)
def test_corrections_that_could_not_be_scored_leave_no_trace(contest: Path, run, wrong: dict, message: str) -> None:
    facts = contest / frozen(run, contest, "c2", "appeal")
    header, row = (json.loads(line) for line in facts.read_text().splitlines())
    for at in (row, row["facts"][0]):
        at.update({key: value for key, value in (wrong or {}).items() if key in at})
    rows = [] if wrong is None else [row]
    lines(facts, [header | {"content_hash": content_hash(rows)}, *rows])
    before = {path.name: path.read_bytes() for path in (contest / "contest").iterdir()}
    done = run(contest, "benchmark", "correct", "contest", "appeal.jsonl", "--why", "x")
    assert (done.returncode, done.stdout) == (1, "")
    assert message in done.stderr
    assert {path.name: path.read_bytes() for path in (contest / "contest").iterdir()} == before


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "references.jsonl: holds no pairs"),
        ([{"id": "c1"}], "references.jsonl:1: "),
        ([{"id": "c1", "text": "Ascites."}, {"id": "c1", "text": "Ascites."}], "id 'c1' comes twice"),
    ],
)
def test_references_that_are_none_are_not_fixed(contest: Path, run, rows: list, message: str) -> None:
    lines(contest / "contest" / "references.jsonl", rows)
    before = (contest / "contest" / "benchmark.yaml").read_bytes()
    done = run(contest, "benchmark", "fix", "contest")
    assert (done.returncode, done.stdout) == (1, "")
    assert message in done.stderr
    assert (contest / "contest" / "benchmark.yaml").read_bytes() == before


@pytest.mark.parametrize(
    "command", [("benchmark", "fix", "ct-rate"), ("leaderboard", "good", "--benchmark", "ct-rate")]
)
def test_a_shipped_definition_has_no_references(contest: Path, run, command: tuple[str, ...]) -> None:
    done = run(contest, *command)
    assert (done.returncode, done.stdout) == (1, "")
    assert "ct-rate: this definition comes without references" in done.stderr
    assert "cabs benchmark prepare ct-rate DOWNLOAD -o FOLDER" in done.stderr


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("rank_by: rouge_l\n", "rank_by: 'rouge_l' is no metric that ranks"),
        ("settings: {fm_ovr: hit}\n", "did you mean 'fm_over'"),
        ("scope: chapter\n", "scope: "),
        ("colour: red\n", "there is no such key"),
    ],
)
def test_a_definition_is_checked(contest: Path, run, said: str, message: str) -> None:
    file = contest / "contest" / "benchmark.yaml"
    file.write_text(file.read_text() + said)
    done = run(contest, "leaderboard", "good", "--benchmark", "contest")
    assert done.returncode == 1
    assert message in done.stderr


def test_a_private_benchmark_publishes_no_text(contest: Path, run) -> None:
    file = contest / "contest" / "benchmark.yaml"
    file.write_text(file.read_text().replace("publish_text: true\n", ""))
    assert run(contest, "leaderboard", "good", "poor", "--benchmark", "contest", "-o", "site").returncode == 0
    content = "".join(path.read_text() for path in (contest / "site").iterdir())
    assert "Old rib fracture" not in content


def test_definitions_that_are_shipped_are_sound_and_invent_no_checksum() -> None:
    found = {definition.benchmark.name: definition.benchmark for definition in shipped()}
    assert found.keys() == {"ct-rate", "amos-mm", "mimic-cxr", "iu-xray", "abdomenatlas"}
    for name, benchmark in found.items():
        assert benchmark.references.sha256 is None
        assert benchmark.signature is None
        assert benchmark.prepare is not None
        assert any(f"cabs benchmark prepare {name} " in step for step in benchmark.steps)
        assert read_definition(name).benchmark == benchmark


def test_the_checksum_is_that_of_the_file(contest: Path) -> None:
    import hashlib

    file = contest / "contest" / "references.jsonl"
    assert digest(file) == hashlib.sha256(file.read_bytes()).hexdigest()
    assert read_definition(contest / "contest").benchmark.references.sha256 == digest(file)
