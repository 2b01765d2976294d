"""The toy world of the divergence benchmark: what is written is read back, and counted as the definitions say. Training
itself is tried by `make test-train`."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks import store
from benchmarks.divergence import plan as plans
from benchmarks.divergence import world as worlds
from benchmarks.divergence.figures import summary
from benchmarks.divergence.judge import Tally, add, curve
from benchmarks.divergence.page import COLUMNS, LIKELIEST, page
from benchmarks.divergence.plot import draw
from benchmarks.divergence.reading import Reading, sentences
from benchmarks.divergence.runs import Job, jobs
from benchmarks.divergence.scan import Finding
from benchmarks.divergence.scan import draw as drawn
from benchmarks.divergence.toy import rows
from benchmarks.divergence.words import sentences as wordings
from benchmarks.divergence.words import summary as summary_of_words
from benchmarks.divergence.writing import concluded, denied, report, stated
from cabs.rewards import Example, reward

WORLD = worlds.load()
READ = Reading(WORLD)
KINDS = list(WORLD.findings)


def some(kind: str, region: int = 0, measure: int = 0) -> Finding:
    scale = WORLD.scale(kind)
    return Finding(kind, WORLD.findings[kind].regions[region], scale[measure] if scale else None)


PLACED = next(kind for kind in KINDS if WORLD.findings[kind].measure == "size")
SIDED = next(kind for kind in KINDS if WORLD.findings[kind].sided)


@given(st.integers(0, 10**9))
def test_a_report_says_what_is_there_and_nothing_else(seed: int) -> None:
    rng = Random(seed)
    scan = drawn(WORLD, rng)
    text = report(WORLD, scan.truth, rng)
    assert READ.findings(text) == scan.truth
    assert READ.strange(text) == (0, len(sentences(text)))


@pytest.mark.parametrize("kind", KINDS)
def test_every_sentence_is_read_as_it_is_meant(kind: str) -> None:
    for region in range(len(WORLD.findings[kind].regions)):
        finding = some(kind, region, -1)
        for told in stated(WORLD, finding):
            assert READ.findings(told) == {finding}, told
        for told in concluded(WORLD, finding):
            assert READ.findings(told) == {finding._replace(measure=None)}, told
    assert not any(READ.findings(told) for told in denied(WORLD, kind))


def test_normal_sentences_state_nothing() -> None:
    told = [one for organ in WORLD.organs.values() for one in organ.normal] + list(WORLD.impressions["normal"])
    assert not READ.findings(" ".join(told))


def test_a_finding_that_is_repeated_is_one_with_all_that_is_said_of_it() -> None:
    finding = some(PLACED, 1, 2)
    told = [next(iter(concluded(WORLD, finding))), next(iter(stated(WORLD, finding)))]
    assert READ.findings(" ".join(told)) == {finding}


def test_odd_sentences_are_counted() -> None:
    assert READ.strange("<findings>The lungs are clear. The lungs lungs.</findings>") == (1, 2)


def test_counts_are_those_of_the_definitions() -> None:
    right, wrong_side, extra, missed = some(PLACED, 0), some(SIDED, 0), some(KINDS[-1]), some(PLACED, 3)
    there = frozenset({right, wrong_side, missed})
    said = " ".join(next(iter(stated(WORLD, one))) for one in (right, some(SIDED, 1), extra))
    tally = Tally()
    add(tally, there, said, READ)
    assert (tally.findings, tally.hits, tally.false, tally.consistent) == (3, 2, 1, 1)
    scores = tally.scores()
    assert (scores["precision"], scores["recall"]) == pytest.approx((2 / 3, 2 / 3))
    assert (scores["f1"], scores["fc_f1"], scores["organ_coverage"]) == pytest.approx((2 / 3, 1 / 3, 1.0))


def test_nothing_said_and_nothing_there_divide_by_nothing() -> None:
    tally = Tally()
    add(tally, frozenset(), "", READ)
    assert set(tally.scores().values()) == {0.0}


def test_a_fifth_of_the_wordings_is_new_to_the_ontology() -> None:
    new = wordings(WORLD).values()
    assert 0.2 <= sum(new) / len(new) <= 0.5
    assert summary_of_words(WORLD, READ) == "67% of sentences are normal; 29% of the others have unknown names", (
        "README"
    )


def test_data_is_drawn_by_the_seed() -> None:
    once, again, other = (list(rows(WORLD, "train", 20, seed)) for seed in (1, 1, 2))
    assert once == again != other
    assert list(rows(WORLD, "eval", 20, 1)) == list(rows(WORLD, "eval", 20, 2))
    assert len({row["scan"] for row in rows(WORLD, "train", 200, 0)}) > 150


def test_scans_show_less_than_there_is_and_more() -> None:
    scans = [drawn(WORLD, Random(at)) for at in range(500)]
    assert any(scan.truth and len(scan.tokens.split()) < 3 for scan in scans)
    assert any(not scan.truth and " w" in scan.tokens for scan in scans)


@pytest.mark.parametrize("label", ["tif", "tif_paper", "cabs_f1", "rouge", "bleu", "no control effort"])
def test_every_reward_pays_the_reference_best(label: str) -> None:
    plan = plans.load(everything=True)
    judge = reward(plan.rewards[label])
    told = [row["reference"] for row in rows(WORLD, "eval", 12, 0)]
    own = [result.value for result in judge.score_batch([Example(text, text) for text in told])]
    foreign = [result.value for result in judge.score_batch([Example(b, a) for a, b in itertools.pairwise(told)])]
    assert all(value is not None for value in own)
    assert sum(own[:-1]) > sum(foreign)  # type: ignore[arg-type]


def test_the_small_plan_is_the_same_plan_made_smaller() -> None:
    whole, small = plans.load(), plans.load(quick=True)
    assert small.first == whole.first
    assert small.model == whole.model
    assert small.rows["train"] < whole.rows["train"]
    assert small.trainer["max_steps"] < whole.trainer["max_steps"]


def test_cold_starts_are_made_before_they_are_needed() -> None:
    plan = plans.load(everything=True)
    order = jobs(plan, Path())
    assert [job.seed for job in order[: len(plan.seeds)]] == list(plan.seeds)
    assert {job.label for job in order[: len(plan.seeds)]} == {plan.first}
    assert len({job.output for job in order}) == len(order) == len(plan.rewards) * len(plan.seeds)


def finished(folder: Path, truth: Finding, said: list[str]) -> Job:
    """A run with one held-out scan and an evaluation a text."""
    job = Job("a", "tif", 0, folder)
    job.output.mkdir(parents=True)
    reference = next(iter(stated(WORLD, truth)))
    page = {"id": "e", "scan": "", "reference": reference, "truth": json.dumps([truth])}
    (job.home / "eval.jsonl").write_text(json.dumps(page) + "\n")
    texts = [{"step": at, "id": "e", "reference": reference, "completion": text} for at, text in enumerate(said)]
    (job.output / "held_out.jsonl").write_text("".join(json.dumps(text) + "\n" for text in texts))
    found = [{"step": at, "rows": 1, "f1": 0.25, "signature": "cabs"} for at in range(len(said))]
    (job.output / "evaluation.jsonl").write_text("".join(json.dumps(line) + "\n" for line in found))
    return job


def test_a_run_is_judged_by_what_is_there(tmp_path: Path) -> None:
    truth = some(PLACED, 2, 1)
    said = ["", " ".join(stated(WORLD, truth)), next(iter(stated(WORLD, truth)))]
    found = curve(finished(tmp_path, truth, said), READ)
    assert [found[step]["f1"] for step in (0, 1, 2)] == [0.0, 1.0, 1.0]
    assert [found[step]["cabs_f1"] for step in (0, 1, 2)] == [0.25] * 3
    assert found[2]["rouge_l"] == pytest.approx(1.0)
    assert found[1]["rouge_l"] < 0.9


def test_seeds_stand_side_by_side_in_the_table_and_the_plot() -> None:
    one = {step: dict.fromkeys([*COLUMNS, "bleu_4"], 0.5) for step in (0, 10)}
    two = {step: dict.fromkeys([*COLUMNS, "bleu_4"], 0.7) for step in (0, 10, 20)}
    row = {key: [0.4, 0.6] for key in LIKELIEST}
    stored = {
        "rewards": {"a": "tif"},
        "cold start": row,
        "likeliest": {"a": row},
        "curves": summary({"a": {0: one, 1: two}}),
    }
    assert list(stored["curves"]["a"]) == ["0", "10"]
    lines = page(stored).splitlines()
    assert [line.split(" | ")[0] for line in lines[2:]] == ["| cold start", "| `tif`"]
    assert "0.600 (0.500 to 0.700)" in lines[3]
    assert "0.500 (0.400 to 0.600)" in lines[3]
    assert draw(stored).png.startswith(b"\x89PNG")
    assert draw(stored) == draw(stored)


def test_what_is_stored_is_of_the_plan() -> None:
    stored = store.load("divergence")
    plan = plans.load(everything=True)
    assert stored["seeds"] == list(plan.seeds)
    assert stored["rows"] == plan.rows
    assert stored["rewards"].items() <= plan.rewards.items()
    assert plans.load().rewards.items() <= stored["rewards"].items()
    steps = [str(step) for step in range(0, plan.trainer["max_steps"] + 1, plan.evaluation["every"])]
    assert all(list(curve) == steps for curve in stored["curves"].values())
