"""A board of results: order, tests, refusals, and files that are the same every time."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path

import pytest

from cabs.errors import InputError, SettingError
from cabs.leaderboard import Board, board, read_results
from cabs.leaderboard.significance import ALPHA, Difference, groups, holm
from cabs.leaderboard.tables import COVERAGE, document
from cabs.metrics import NAMES
from tests.leaderboard.conftest import GOOD, POOR, lines, pairs


@pytest.fixture(scope="module")
def both(results: Path) -> Board:
    return board(read_results(results / "both"))


def test_the_better_system_is_first(both: Board) -> None:
    assert [(s.name, s.rank, s.group) for s in both.standings] == [("good", 1, 1), ("poor", 2, 1)]
    scores = [s.entrant.result["scores"]["fc_f1"] for s in both.standings]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] > 0.9


def test_where_less_is_better_less_is_first(results: Path) -> None:
    found = board(read_results(results / "both"), "critical_missed_per_100")
    values = [s.entrant.result["scores"]["critical_missed_per_100"] for s in found.standings]
    assert values == sorted(values)


def test_the_numbers_are_those_of_the_results(both: Board, results: Path) -> None:
    page = json.loads((results / "both" / "results.json").read_text())
    known = {system["system"]: system for system in page["systems"]}
    for system in document(both)["systems"]:
        for name in NAMES:
            assert system["values"][name]["value"] == known[system["system"]]["scores"][name]
            interval = known[system["system"]]["intervals"][name] or {"low": None, "high": None}
            assert (system["values"][name]["low"], system["values"][name]["high"]) == (
                interval["low"],
                interval["high"],
            )


def test_the_order_of_systems_is_nothing_to_the_board(results: Path) -> None:
    found = read_results(results / "both")
    assert document(board(found)) == document(board(found[::-1]))


def test_metrics_of_words_stand_beside(both: Board) -> None:
    assert [metric.name for metric in both.surface.metrics] == ["bleu_4", "rouge_l"]
    good, poor = (both.surface.values[name]["rouge_l"] for name in ("good", "poor"))
    assert good.value > poor.value
    assert good.interval is not None
    assert board(read_results_of(both), words=[]).surface.metrics == ()


def read_results_of(found: Board) -> list:
    return [standing.entrant for standing in found.standings]


def test_a_metric_that_there_is_not(both: Board) -> None:
    with pytest.raises(SettingError, match="no metric that ranks"):
        board(read_results_of(both), "rouge")


# Refusals


@pytest.mark.parametrize(
    ("options", "setting"),
    [
        (("--match", "hierarchical"), "match is strict and hierarchical"),
        (("--scope", "section"), "scope is report and section"),
        (("--set", "fm_over=hit"), "fm_over is consistent and hit"),
        (("--seed", "1"), "seed is 0 and 1"),
        (("--draws", "100"), "n_boot is 200 and 100"),
    ],
)
def test_other_settings_are_refused_and_named(results: Path, tmp_path: Path, run, options, setting: str) -> None:
    lines(tmp_path / "poor.jsonl", pairs("poor", POOR))
    draws = () if "--draws" in options else ("--draws", "200")
    assert run(tmp_path, "score", "poor.jsonl", "-o", "other", *draws, *options).returncode == 0
    done = run(tmp_path, "leaderboard", str(results / "one"), "other", "-o", "site")
    assert (done.returncode, done.stdout) == (1, "")
    assert f"their signatures differ: {setting}" in done.stderr
    assert "good and poor" in done.stderr
    assert not (tmp_path / "site").exists()


def test_a_system_without_all_reports_is_refused(results: Path, tmp_path: Path, run) -> None:
    lines(tmp_path / "poor.jsonl", pairs("poor", {"c1": "Emphysema."}))
    assert run(tmp_path, "score", "poor.jsonl", "-o", "other", "--draws", "200").returncode == 0
    done = run(tmp_path, "leaderboard", str(results / "one"), "other")
    assert done.returncode == 1
    assert "system 'poor': has no report for 3 of 4 ids that other systems have: 'c2', 'c3', 'c4'" in done.stderr
    assert "--allow-missing" in done.stderr


def test_other_references_are_refused(results: Path, tmp_path: Path, run) -> None:
    rows = [row | {"reference": "Emphysema."} if row["id"] == "c1" else row for row in pairs("poor", POOR)]
    lines(tmp_path / "poor.jsonl", rows)
    assert run(tmp_path, "score", "poor.jsonl", "-o", "other", "--draws", "200").returncode == 0
    done = run(tmp_path, "leaderboard", str(results / "one"), "other")
    assert done.returncode == 1
    assert "report 'c1': 'poor' has another reference than 'good': its text differs" in done.stderr


@pytest.mark.parametrize("options", [(), ("--no-text",)])
def test_other_references_with_as_many_facts_are_refused(results: Path, tmp_path: Path, run, options) -> None:
    other = {"reference": pairs("poor", POOR)[0]["reference"].replace("right", "left")}
    rows = [row | other if row["id"] == "c1" else row for row in pairs("poor", POOR)]
    lines(tmp_path / "poor.jsonl", rows)
    assert run(tmp_path, "score", "poor.jsonl", "-o", "other", "--draws", "200", *options).returncode == 0
    done = run(tmp_path, "leaderboard", str(results / "one"), "other")
    assert done.returncode == 1
    assert "report 'c1': 'poor' has another reference than 'good'" in done.stderr


def test_results_without_texts_stand_beside_those_with_them(results: Path, tmp_path: Path, run) -> None:
    lines(tmp_path / "poor.jsonl", pairs("poor", POOR))
    assert run(tmp_path, "score", "poor.jsonl", "-o", "other", "--draws", "200", "--no-text").returncode == 0
    done = run(tmp_path, "leaderboard", str(results / "one"), "other", "--json")
    assert done.returncode == 0, done.stderr
    assert [system["system"] for system in json.loads(done.stdout)["systems"]] == ["good", "poor"]


def test_one_name_twice(results: Path, run) -> None:
    done = run(results, "leaderboard", "one", "both")
    assert done.returncode == 1
    assert "system 'good' comes twice" in done.stderr


@pytest.mark.parametrize("what", ["nothing", "results.json", "alignment"])
def test_folders_that_are_no_results(results: Path, tmp_path: Path, run, what: str) -> None:
    folder = tmp_path / "other"
    folder.mkdir()
    if what == "results.json":
        (folder / "results.json").write_text("{}")
    if what == "alignment":
        import pyarrow.parquet as pq

        (folder / "results.json").write_bytes((results / "one" / "results.json").read_bytes())
        table = pq.read_table(results / "one" / "reports.parquet")
        pq.write_table(table.drop_columns(["alignment"]), folder / "reports.parquet")
    done = run(tmp_path, "leaderboard", "other")
    assert done.returncode == 1
    assert "error: other" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("keys", "value", "message"),
    [
        (("by",), None, "systems.0.by: "),
        (("warnings",), 3, "systems.0.warnings: "),
        (("scores", "fc_f1"), "high", "systems.0.scores.fc_f1: "),
        (("scores", "fc_f1"), float("nan"), "systems.0.scores.fc_f1: "),
        (("scores",), {}, "systems.0.scores: there is no precision"),
        (("intervals", "f1"), {"low": "<script>", "high": 1.0}, "systems.0.intervals.f1.low: "),
        (("errors",), [{}], "systems.0.errors.0.error: is missing"),
        (("scores", "fc_f1"), 0.1, "fc_f1 of 'good' is 0.1, reports.parquet gives 0."),
    ],
)
def test_results_that_were_changed(results: Path, tmp_path: Path, run, keys, value, message: str) -> None:
    shutil.copytree(results / "one", tmp_path / "other")
    page = json.loads((results / "one" / "results.json").read_text())
    at = page["systems"][0]
    for key in keys[:-1]:
        at = at[key]
    at[keys[-1]] = value
    (tmp_path / "other" / "results.json").write_text(json.dumps(page))
    done = run(tmp_path, "leaderboard", "other", "-o", "site")
    assert (done.returncode, done.stdout) == (1, "")
    assert f"other/results.json: {message}" in done.stderr
    assert "hint: score it again" in done.stderr
    assert not (tmp_path / "site").exists()


def test_what_is_no_folder(results: Path, run) -> None:
    for name, message in (
        ("none", "none: no such folder"),
        ("one/results.json", "one/results.json: this is no folder"),
    ):
        done = run(results, "leaderboard", name)
        assert done.returncode == 1
        assert message in done.stderr


# Tests and groups


def difference(above: str, below: str, corrected: float | None) -> Difference:
    return Difference(above, below, 0.1, 0.05, corrected, corrected, 10)


def test_holm_is_never_below_the_raw_value_nor_above_bonferroni() -> None:
    raw = [0.001, 0.2, 0.04, 0.03, 0.9]
    found = holm(raw)
    assert all(p <= q <= min(1.0, len(raw) * p) + 1e-12 for p, q in zip(raw, found, strict=True))
    in_order = [q for _, q in sorted(zip(raw, found, strict=True))]
    assert in_order == sorted(in_order)
    assert holm([]) == []


def test_groups_end_where_a_difference_is_shown() -> None:
    low, high = ALPHA / 2, 0.5
    tests = [
        difference("a", "b", high),
        difference("b", "c", high),
        difference("c", "d", low),
        difference("a", "c", low),
    ]
    assert groups(["a", "b", "c", "d"], [*tests, difference("a", "d", low)]) == {"a": 1, "b": 1, "c": 2, "d": 3}
    assert groups(["a", "b"], [difference("a", "b", None)]) == {"a": 1, "b": 1}
    assert groups(["a"], []) == {"a": 1}


def test_many_reports_tell_systems_apart(tmp_path: Path, run) -> None:
    rows = []
    for n in range(40):
        reference = "Small left pleural effusion. Cardiomegaly."
        for system, text in (("a", reference), ("b", "Small left pleural effusion."), ("c", "Emphysema.")):
            rows.append({"id": f"r{n}", "system": system, "reference": reference, "prediction": text})
    lines(tmp_path / "pairs.jsonl", rows)
    assert run(tmp_path, "score", "pairs.jsonl", "-o", "results", "--draws", "50").returncode == 0
    found = board(read_results(tmp_path / "results"))
    assert [(s.name, s.group) for s in found.standings] == [("a", 1), ("b", 2), ("c", 3)]
    assert {(t.above, t.below) for t in found.tests} == {("a", "b"), ("b", "c"), ("a", "c")}
    assert all(t.corrected >= t.p for t in found.tests)


# Files


def read(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))


def test_the_same_board_gives_the_same_bytes(results: Path, tmp_path: Path, process) -> None:
    for seed in ("1", "2"):
        done = process(tmp_path, "leaderboard", str(results / "both"), "-o", f"site{seed}", seed=seed)
        assert done.returncode == 0, done.stderr
    first, second = ({p.name: p.read_bytes() for p in (tmp_path / f"site{seed}").iterdir()} for seed in "12")
    assert first == second
    assert {"index.html", "cases.html", "leaderboard.md", "leaderboard.csv", "leaderboard.json"} <= first.keys()


def test_tables_beside_the_site(results: Path, tmp_path: Path, run) -> None:
    assert run(tmp_path, "leaderboard", str(results / "both"), "-o", "site").returncode == 0
    rows = read(tmp_path / "site" / "leaderboard.csv")
    assert [row["system"] for row in rows] == ["good", "poor"]
    assert {*COVERAGE, "fc_f1", "fc_f1_low", "rouge_l", "rouge_l_high"} <= rows[0].keys()
    page = json.loads((tmp_path / "site" / "leaderboard.json").read_text())
    assert float(rows[0]["fc_f1"]) == page["systems"][0]["values"]["fc_f1"]["value"]
    organs = read(tmp_path / "site" / "organs.csv")
    pleura = {row["system"]: row for row in organs if row["part"] == "pleura"}
    assert (pleura["good"]["n_hits"], pleura["poor"]["n_hits"]) == ("2", "1")
    errors = {(r["system"], r["error"]): r for r in read(tmp_path / "site" / "errors.csv")}
    assert int(errors["poor", "missed"]["count"]) > int(errors["good", "missed"]["count"]) == 1
    assert "| 1 | 1 | good |" in (tmp_path / "site" / "leaderboard.md").read_text()


def test_errors_add_up_to_those_of_the_results(both: Board) -> None:
    for system in document(both)["systems"]:
        standing = next(s for s in both.standings if s.name == system["system"])
        table: dict[str, int] = {}
        for row in standing.entrant.result["errors"]:
            if row["counts"] or row["error"] == "related_entity":
                table[row["error"]] = table.get(row["error"], 0) + row["count"]
        assert {name: found["count"] for name, found in system["errors"].items()} == table


def test_names_that_a_spreadsheet_would_run(tmp_path: Path, run) -> None:
    lines(tmp_path / "pairs.jsonl", pairs("=1+1", GOOD))
    assert run(tmp_path, "score", "pairs.jsonl", "-o", "results", "--draws", "0").returncode == 0
    assert run(tmp_path, "leaderboard", "results", "-o", "site").returncode == 0
    (row,) = read(tmp_path / "site" / "leaderboard.csv")
    assert row["system"] == "'=1+1"


def test_the_site_replaces_nothing_that_is_read(results: Path, run) -> None:
    before = {p.name: p.read_bytes() for p in (results / "one").iterdir()}
    done = run(results, "leaderboard", "one", "-o", "one")
    assert done.returncode == 1
    assert "is read by this command" in done.stderr
    assert {p.name: p.read_bytes() for p in (results / "one").iterdir()} == before


def test_the_site_replaces_nothing_but_a_site(results: Path, tmp_path: Path, run) -> None:
    (tmp_path / "docs").mkdir()
    for name in ("index.html", "system-guide.html", "own.txt"):
        (tmp_path / "docs" / name).write_text("mine")
    args = ("leaderboard", str(results / "both"), "-o")
    done = run(tmp_path, *args, "docs")
    assert (done.returncode, done.stdout) == (1, "")
    assert "docs: holds 'index.html', 'system-guide.html', and no board" in done.stderr
    assert {path.read_text() for path in (tmp_path / "docs").iterdir()} == {"mine"}
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "own.txt").write_text("mine")
    assert run(tmp_path, *args, "site").returncode == 0
    assert run(tmp_path, "leaderboard", str(results / "one"), "-o", "site").returncode == 0
    assert (tmp_path / "site" / "own.txt").read_text() == "mine"
    assert not (tmp_path / "site" / "system-poor.html").exists()


def test_coverage_is_shown(tmp_path: Path, run) -> None:
    rows = [row | {"prediction": None} if row["id"] == "c1" else row for row in pairs("good", GOOD)]
    rows = [row | {"reference": "Nothing to read here xyz."} if row["id"] == "c4" else row for row in rows]
    rows = [row | {"prediction": "Lorem ipsum."} if row["id"] == "c2" else row for row in rows]
    lines(tmp_path / "pairs.jsonl", rows)
    assert run(tmp_path, "score", "pairs.jsonl", "-o", "results", "--allow-missing", "--draws", "0").returncode == 0
    (system,) = json.loads(run(tmp_path, "leaderboard", "results", "--json").stdout)["systems"]
    assert system["coverage"] == {"reports": 4, "scored": 3, "missing": 1, "unread": 1, "unscored": 1}
    assert [item["id"] for item in system["unscored"]] == ["c4"]
    with pytest.raises(InputError, match="no system"):
        board([])


# Odd results


def built(run, folder: Path, rows: list, *options: str) -> dict:
    lines(folder / "pairs.jsonl", rows)
    done = run(folder, "score", "pairs.jsonl", "-o", "results", "--draws", "100", *options)
    assert done.returncode == 0, done.stderr
    done = run(folder, "leaderboard", "results", "-o", "site", "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_one_system_alone(tmp_path: Path, run) -> None:
    page = built(run, tmp_path, pairs(None, GOOD))
    assert [(s["system"], s["rank"], s["group"]) for s in page["systems"]] == [("results", 1, 1)]
    assert page["tests"] == []


def test_systems_without_a_value_are_last_and_have_no_rank(tmp_path: Path, run) -> None:
    normal = "The lungs are clear. No pleural effusion."
    rows = [
        {"id": "a", "system": s, "reference": normal, "prediction": p} for s, p in (("x", normal), ("y", "Emphysema."))
    ]
    page = built(run, tmp_path, rows)
    assert [(s["system"], s["rank"]) for s in page["systems"]] == [("y", 1), ("x", None)]
    assert page["tests"][0]["p"] is None


def test_nothing_that_could_be_scored(tmp_path: Path, run) -> None:
    page = built(run, tmp_path, [{"id": "a", "system": "x", "reference": "Lorem ipsum.", "prediction": "Dolor sit."}])
    (system,) = page["systems"]
    assert (system["rank"], system["coverage"]["scored"], system["coverage"]["unscored"]) == (None, 0, 1)


def test_clusters_are_tested_whole(tmp_path: Path, run) -> None:
    rows = [row | {"patient": "p"} for row in (*pairs("good", GOOD), *pairs("poor", POOR))]
    page = built(run, tmp_path, rows, "--cluster", "patient")
    assert "cluster:patient" in page["signature"]
    assert page["tests"][0]["units"] == 1


def test_facts_without_texts_leave_words_out(tmp_path: Path, run) -> None:
    lines(tmp_path / "reports.jsonl", [{"id": row["id"], "report": row["reference"]} for row in pairs(None, GOOD)])
    assert run(tmp_path, "parse", "reports.jsonl", "-o", "facts.jsonl").returncode == 0
    lines(tmp_path / "predictions.jsonl", [{"id": id, "prediction": text} for id, text in GOOD.items()])
    args = ("score", "predictions.jsonl", "--reference-facts", "facts.jsonl", "-o", "results", "--draws", "50")
    assert run(tmp_path, *args).returncode == 0
    done = run(tmp_path, "leaderboard", "results", "-o", "site", "--json")
    assert done.returncode == 0, done.stderr
    page = json.loads(done.stdout)
    assert page["surface"] == {}
    assert any("hold no texts" in note for note in page["notes"])


def test_what_is_blind_holds_no_reason_of_a_parser(tmp_path: Path) -> None:
    import cabs
    from cabs.errors import CabsError
    from cabs.leaderboard.blind import blind
    from cabs.leaderboard.site.files import write_site

    def failing(text: str) -> cabs.ParsedReport:
        if "secret" in text:
            raise CabsError(f"can't read {text!r}")
        return cabs.parse(text)

    rows = [{"id": "a", "reference": "Emphysema. An odd zyst.", "prediction": "A secret word."}, *pairs(None, GOOD)]
    cabs.score(rows, parser=failing, output=tmp_path / "results")
    found = board(read_results(tmp_path / "results"))
    assert any("secret" in note for note in found.notes)
    bare = blind(found, str)
    assert "secret" not in json.dumps(document(bare))
    assert document(bare)["systems"][0]["unscored"] == [{"id": "a", "reason": "parser failed"}]
    assert document(bare)["systems"][0]["values"] == document(found)["systems"][0]["values"]
    write_site(found, tmp_path / "site", cabs.load_ontology(), text=False)
    assert "secret" not in "".join(path.read_text() for path in (tmp_path / "site").iterdir())
