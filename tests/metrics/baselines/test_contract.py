"""Every metric keeps the contract that `cabs.testing` states; the checks notice a metric that doesn't."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import numpy as np
import pytest

from cabs.errors import CabsError, InputError, MissingExtraError, SettingError
from cabs.metrics import NAMES
from cabs.metrics.batch import Batch, batch_of
from cabs.metrics.measured import Measured, means
from cabs.metrics.pair_metric import ZERO, Empty, PairMetric, measure_all, metric
from cabs.metrics.registered import METRICS, pair_metric, pair_metrics
from cabs.testing import METRIC_CHECKS, check_metric

HEAVY = ("embedding", "bertscore")
"""Checked in an environment of their own: tests/embedding."""
SLOW = ("meteor",)
"""tests/java/test_meteor.py, since it starts a Java process."""
LIGHT = [name for name in METRICS.names if name not in (*HEAVY, *SLOW)]


@pytest.mark.parametrize("name", LIGHT)
@pytest.mark.parametrize("check", METRIC_CHECKS)
def test_every_metric_keeps_the_contract(name: str, check) -> None:
    check(pair_metric(name))


def test_the_names_are_all_there() -> None:
    words = ["bleu_1", "bleu_2", "bleu_3", "bleu_4", "chrf", "rouge_1", "rouge_2", "rouge_l", "meteor", "cider"]
    assert list(METRICS.names) == [*words, *HEAVY, *NAMES]
    families = {name: pair_metric(name).family for name in METRICS.names}
    assert {families[name] for name in words} == {"surface"}
    assert {families[name] for name in HEAVY} == {"embedding"}
    assert {families[name] for name in NAMES} == {"clinical"}


def said(**changes: object) -> PairMetric:
    """A metric that keeps the contract, but for the changes."""

    @metric(name="same", family="surface", higher=True, empty=Empty(0.0, 0.0, 1.0))
    def same(references: list[str], predictions: list[str]) -> list[float]:
        return [float(r.strip() == p.strip()) for r, p in zip(references, predictions, strict=True)]

    return replace(same, **changes)


def by_position(batch: Batch) -> list[float]:
    return [1 / n for n in range(1, len(batch) + 1)]


def sums(scores: list[float]) -> Measured:
    values = np.array(scores, dtype=np.float64)
    return Measured(values, values[:, None], lambda rows: rows[:, 0] / max(len(values), 1))


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"name": "Same!"}, "its name"),
        ({"label": " "}, "a label"),
        ({"range": (1.0, 0.0)}, "range"),
        ({"range": (0.5, 1.0)}, "below 0.5"),
        ({"higher": False}, "lower is better"),
        ({"empty": ZERO}, "both empty"),
        ({"work": by_position}, "follow their pairs"),
        ({"measured": sums}, "a pair drawn twice"),
    ],
)
def test_the_checks_notice_what_is_wrong(changes: dict[str, object], what: str) -> None:
    check_metric(said())
    with pytest.raises(AssertionError, match=re.escape(what)):
        check_metric(said(**changes))


def test_a_name_that_nobody_has_is_answered_with_the_nearest() -> None:
    with pytest.raises(SettingError, match="did you mean 'rouge_l'"):
        pair_metric("rouge_I")
    with pytest.raises(SettingError, match="one of: bleu_1, "):
        pair_metric("xyzzy")


def test_options_are_part_of_the_name() -> None:
    strict, loose = pair_metrics(["f1", "f1:match=hierarchical"])
    assert (strict.name, loose.name) == ("f1", "f1:match=hierarchical")
    assert "match:hierarchical" in loose.signature
    assert pair_metric("f1", match="hierarchical").work == loose.work != strict.work


@pytest.mark.parametrize(
    ("spelled", "message"),
    [
        ("f1:match", "'match' is no option"),
        ("f1:matsh=strict", "did you mean 'match'"),
        ("f1:match=loose", "'loose' is no match"),
        ("chrf:order=2", "it takes no options"),
        ("cider:tokenizer=x", "one of: words, ptb"),
        ("cider:tokeniser=ptb", "did you mean 'tokenizer'"),
        ("embedding:model=/nowhere", "no config.json"),
        ("bertscore:layer=x", "no layer"),
    ],
)
def test_options_that_are_wrong_are_told(spelled: str, message: str) -> None:
    with pytest.raises(SettingError, match=re.escape(message)):
        pair_metric(spelled)


def test_a_missing_extra_is_answered_with_an_install_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "sacrebleu", None)
    with pytest.raises(MissingExtraError, match=r"pip install '\.\[audit\]' in a checkout of CABS, or pip install sac"):
        pair_metric("bleu_4").measure(["a"], ["a"])


def test_java_that_is_missing_is_an_error_not_a_skip(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    for name in ("meteor", "cider:tokenizer=ptb"):
        with pytest.raises(MissingExtraError, match=r"java .*install a Java runtime"):
            pair_metric(name).measure(["a b", "c"], ["a b", "d"])


def test_needs_are_checked_before_any_work(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    worked = []
    first = said(work=lambda batch: worked.append(batch))
    with pytest.raises(MissingExtraError):
        measure_all([first, pair_metric("meteor")], batch_of(["a"], ["a"]))
    assert worked == []


def test_work_that_metrics_share_is_done_once() -> None:
    calls = []

    def work(batch: Batch) -> list[float]:
        calls.append(len(batch))
        return [1.0] * len(batch)

    both = [said(name=name, work=work, measured=means) for name in ("a", "b")]
    assert list(measure_all(both, batch_of(["x"], ["x"]))) == ["a", "b"]
    assert calls == [1]
    names = ("bleu_1", "bleu_4")
    assert len({pair_metric(name).work for name in names}) == 1
    assert len({pair_metric(name).work for name in NAMES}) == 1


def test_a_metric_of_the_wrong_length_is_told() -> None:
    with pytest.raises(CabsError, match="2 values for 1 pairs"):
        said(work=lambda batch: [0.0, 1.0]).measure(["a"], ["b"])
    with pytest.raises(CabsError, match="no number"):
        said(work=lambda batch: ["x"]).measure(["a"], ["b"])
    with pytest.raises(CabsError, match="not finite"):
        said(work=lambda batch: [float("inf")]).measure(["a"], ["b"])


def test_pairs_that_do_not_fit_are_told() -> None:
    with pytest.raises(InputError, match="2 references, 1 predictions"):
        pair_metric("chrf").measure(["a", "b"], ["a"])
    with pytest.raises(InputError, match="pair 1"):
        pair_metric("chrf").measure([None], ["a"])  # type: ignore[list-item]


def test_the_list_says_what_is_there(cabs) -> None:
    run = cabs("metrics", "--json")
    assert (run.returncode, run.stderr) == (0, "")
    page = json.loads(run.stdout)
    assert page["faulty"] == []
    rows = {row["name"]: row for row in page["metrics"]}
    assert list(METRICS.names) == [row["name"] for row in page["metrics"]]
    assert rows["critical_missed_per_100"]["higher"] is False
    assert rows["f1"]["empty"] == {"reference": None, "prediction": 0.0, "both": None}
    assert rows["rouge_l"]["available"] is True
    table = cabs("metrics").stdout
    assert all(re.search(rf"^{name} ", table, re.M) for name in METRICS.names)
