"""What tricks earn: the stored run, and the recommended reward played anew on a part of the references."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from benchmarks import store
from benchmarks.bandit.cases import cases
from benchmarks.bandit.data import load
from benchmarks.bandit.learn import learnt
from benchmarks.bandit.noise import Overlooking, remembered
from benchmarks.bandit.page import page
from benchmarks.bandit.play import READERS, Played, made, mixed, play, reader, texts
from benchmarks.bandit.verdict import Means, above, above_silence, best, games, led

BANDIT = load()
MIXES = BANDIT.mixes
SILENT_ONLY = ("spray_20", "spray_80", "spray_half", "template_1", "template_5", "template_20", "template_possible")


@cache
def told() -> list[dict[str, str]]:
    return texts(BANDIT, cases())


@cache
def played(read: str, name: str = "tif") -> Played:
    """Every fourth reference is enough for a test; the text of each policy is the same as in the whole run."""
    some = range(0, len(told()), 4)
    return play(made(name, reader(read, BANDIT)), [cases()[at] for at in some], [told()[at] for at in some])


def stored(name: str, read: str) -> Means:
    means: Means = store.load("bandit")["rewards"][name][read]["means"]
    return means


@pytest.fixture(params=["anew", "stored"])
def means_of(request: pytest.FixtureRequest):
    return (lambda read: played(read).means()) if request.param == "anew" else (lambda read: stored("tif", read))


@pytest.mark.parametrize("read", READERS)
def test_the_truth_pays_most_and_no_trick_pays(means_of, read: str) -> None:
    means = means_of(read)
    for share in MIXES:
        assert best(means, share) == "oracle"
        assert above(means, BANDIT.tricks, share) == [], "a trick beats the honest policy that knows as much"
        assert above_silence(means, BANDIT, share, knowing=False) == []


@pytest.mark.parametrize("read", READERS)
def test_naming_more_than_one_knows_is_worse_than_silence(means_of, read: str) -> None:
    means = means_of(read)
    for share in MIXES:
        for trick in SILENT_ONLY:
            assert mixed(means[trick], share) < mixed(means["silent"], share), (trick, share)


@pytest.mark.parametrize("read", READERS)
def test_more_truth_pays_more(means_of, read: str) -> None:
    means = means_of(read)
    for share in MIXES:
        values = [mixed(means[name], share) for name in ("oracle", "partial", "cautious", "silent", "empty")]
        assert values == sorted(values, reverse=True)
        sprays = [mixed(means[name], share) for name in ("oracle", "spray_5", "spray_20", "spray_80")]
        assert sprays == sorted(sprays, reverse=True)


def test_the_truth_is_worth_one_and_a_lost_form_nothing() -> None:
    means = played("rules").means()
    assert means["oracle"] == pytest.approx((1.0, 1.0))
    for name in ("untagged", "unclosed", "doubled_tags", "nested_tags", "open_thought"):
        assert means[name] == (0.0, 0.0), name
    assert means["thought"] == means["partial"]


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize("run", ["anew", "stored"])
def test_what_is_learnt(read: str, run: str) -> None:
    found = games(played(read), BANDIT) if run == "anew" else store.load("bandit")["rewards"]["tif"][read]["learnt"]
    assert {leader for leader, _ in found["everybody"]} == {"oracle"}
    assert {leader for leader, _ in found["tricks without knowledge"]} == {"silent"}
    assert {leader for leader, _ in found["the same three, up to 8 facts"]} == {"silent"}
    assert {leader for leader, _ in found["spray_20, cautious"]} == {"cautious"}
    of_all = [leader for leader, _ in found["spray_20, silent, all_normal"]]
    assert of_all[2:] == ["silent", "silent"]
    assert run == "anew" or of_all[1] == "silent"


def test_the_same_game_is_won_by_tricks_elsewhere() -> None:
    """The claim would say little if no reward failed it."""
    found = games(played("rules", "tif_paper"), BANDIT)
    leaders = [leader for leader, _ in found["the same three, up to 8 facts"]]
    assert leaders[:2] == ["spray_20", "spray_20"]
    blind = [leader for leader, _ in found["tricks without knowledge"]]
    assert blind[0].startswith("template")
    assert above_silence(played("rules", "rouge_l").means(), BANDIT, 0.5, knowing=False)


def test_a_learner_follows_the_better_arm_and_repeats_itself() -> None:
    arms = Played(("good", "bad"), np.array([0, 3]), np.array([[0.6, 0.6], [0.5, 0.5]]))
    chances = learnt(arms, (), 0.5)
    assert chances["good"] > 0.95
    assert chances == learnt(arms, (), 0.5)
    flat = Played(("one", "other"), np.array([0, 3]), np.full((2, 2), 0.5))
    assert led(flat, learnt(flat, (), 0.5)) == ("one", pytest.approx(1.0))


def test_overlooking_is_decided_by_the_text() -> None:
    opening = BANDIT.words.opening
    text = told()[0]["oracle"].split("<findings>\n")[1].split("\n</findings>")[0]
    assert text.startswith(opening)
    whole = remembered(text)
    runs = [Overlooking(opening, 0.5, seed)(text) for seed in range(8)]
    assert runs == [Overlooking(opening, 0.5, seed)(text) for seed in range(8)]
    assert len({run.facts for run in runs}) > 1
    assert all(set(run.facts) <= set(whole.facts) for run in runs)
    assert Overlooking(opening, 1.0)(text).facts == ()
    assert Overlooking("another opening", 1.0)(text) == whole


def test_policies_write_what_they_know() -> None:
    assert {tuple(each) for each in told()} == {tuple(policy.name for policy in BANDIT.policies)}
    assert all(len(each["padded"]) >= BANDIT.words.padded_to for each in told())
    assert len({each["all_normal"] for each in told()}) == len({each["template_20"] for each in told()}) == 1
    assert sum(case.normal for case in cases()) >= 20
    assert max(len(case.reference) for case in cases()) < BANDIT.longest * 1.1


def test_the_page_has_every_policy_and_reward() -> None:
    shown = page(store.load("bandit"))
    assert all(f"| `{policy.name}` |" in shown for policy in BANDIT.policies)
    assert all(shown.count(f"| `{name}` |") == 2 for name in BANDIT.rewards)
    assert page({}) == ""
