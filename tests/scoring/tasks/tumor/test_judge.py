"""Pairs counted by hand, the metrics of these counts, and their intervals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cabs.errors import InputError, SettingError
from cabs.metrics import Counts
from cabs.metrics import metrics as report_metrics
from cabs.metrics.intervals import Resampling
from cabs.metrics.intervals import intervals as report_intervals
from cabs.ontology import load_ontology
from cabs.scoring.tasks.tumor import Comparing
from cabs.scoring.tasks.tumor.columns import organ_named
from cabs.scoring.tasks.tumor.counts import NAMES, TumorCounts, mean, metrics, score, total
from cabs.scoring.tasks.tumor.intervals import intervals
from cabs.scoring.tasks.tumor.judge import Counting, TumorJudge, TumorPlan
from cabs.scoring.tasks.tumor.run import TumorOptions, run_tumor
from cabs.values import Pair

SMALL = "There is a 1.5 cm hypodense mass in segment VI of the liver."
LARGE = "There is a 4 cm mass in the head of the pancreas."
LIVER, PANCREAS = "The liver is normal.", "The pancreas is normal."


def judge(**counting: Any) -> TumorJudge:
    return TumorJudge(TumorPlan(load_ontology(), counting=Counting(**counting)))


def counted(
    reference: str, prediction: str | None, at: str = "any", judge: TumorJudge | None = None, **extra: Any
) -> dict[str, int]:
    found = (judge or TumorJudge(TumorPlan(load_ontology()))).judge(Pair("1", reference, prediction, extra=extra))
    assert found.reason == ""
    return {name: n for name, n in found.counts[at].as_dict().items() if n}


def test_a_small_tumor_found_with_everything_right() -> None:
    assert counted(SMALL, f"<findings>{SMALL}</findings> <key_slice>34</key_slice>", reference_key_slice=35) == {
        "units": 1, "present": 1, "present_found": 1, "small": 1, "small_found": 1, "tumors": 1, "hits": 1,
        "size_hits": 1, "size_stated": 1, "size_agree": 1, "location_hits": 1, "location_stated": 1,
        "location_agree": 1, "enhancement_hits": 1, "enhancement_stated": 1, "enhancement_agree": 1,
        "slices": 1, "slices_stated": 1, "slices_near": 1,
    }  # fmt: skip


def test_a_large_tumor_missed() -> None:
    assert counted(LARGE, PANCREAS, reference_key_slice=3) == {
        "units": 1, "present": 1, "large": 1, "tumors": 1, "size_stated": 1, "location_stated": 1, "slices": 1,
    }  # fmt: skip


def test_no_tumor() -> None:
    assert counted(LIVER, LIVER) == {"units": 1, "absent": 1, "absent_found": 1}
    assert counted(LIVER, SMALL) == {"units": 1, "absent": 1, "extra": 1}
    assert counted(LIVER, "Lorem ipsum.") == {"units": 1, "absent": 1, "unread": 1}
    assert counted(LIVER, None) == {"units": 1, "absent": 1, "unread": 1}


def test_the_boundary_of_small_and_the_column_of_sizes() -> None:
    two = SMALL.replace("1.5 cm", "2 cm")
    assert counted(two, two)["small"] == 1
    assert counted(two, two, judge=judge(small_mm=19.9))["large"] == 1
    assert counted(two, two, reference_size_mm="20.5")["large"] == 1
    assert counted("There is a mass in the liver.", LIVER)["unsized"] == 1


def test_organs_of_a_list_are_judged_apart() -> None:
    both = judge(organs="liver+pancreas+liver")
    reference = f"{SMALL} {PANCREAS}"
    assert counted(reference, LARGE, "liver", both)["present"] == 1
    assert "present_found" not in counted(reference, LARGE, "liver", both)
    assert counted(reference, LARGE, "pancreas", both) == {"units": 1, "absent": 1, "extra": 1}
    assert counted(reference, LARGE, "liver", both, organ="Liver")["units"] == 1


def test_a_tumor_without_an_organ_counts_where_its_place_leaves_it_open() -> None:
    three = judge(organs="liver+bladder")
    assert counted("There is a large metastatic lesion.", LIVER, "liver", three)["present"] == 1
    pelvic = "There is a large metastatic lesion in the pelvis."
    assert counted(pelvic, LIVER, "liver", three)["absent"] == 1
    assert counted(pelvic, LIVER, "bladder", three)["present"] == 1


def test_an_unread_reference_is_unscored() -> None:
    found = judge().judge(Pair("7", "Lorem ipsum.", SMALL))
    assert (found.reason, dict(found.counts)) == ("reference unread", {})
    assert found.rows[0]["status"] == "unscored"


@pytest.mark.parametrize(
    "extra", [{"organ": "spoon"}, {"reference_size_mm": "big"}, {"reference_size_mm": 0}, {"reference_key_slice": "x"}]
)
def test_columns_are_checked_at_their_place(extra: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=r"file\.jsonl:3"):
        judge().judge(Pair("1", SMALL, SMALL, extra=extra, source="file.jsonl:3"))


def test_unknown_names_are_refused_before_any_work() -> None:
    for plan in (
        TumorPlan(load_ontology(), counting=Counting(organs="spoon")),
        TumorPlan(load_ontology(), how=Comparing(group="zzz")),
    ):
        with pytest.raises(SettingError):
            run_tumor(iter(()), plan, TumorOptions())


@pytest.mark.parametrize(
    ("name", "organ"),
    [("liver", "liver"), ("Hepatic", "liver"), (" Kidneys ", "kidney"), ("adrenal_gland", "adrenal"), ("lung", "lung")],
)
def test_names_of_organs(name: str, organ: str) -> None:
    assert organ_named(name, load_ontology()) == organ


COUNTS = TumorCounts(
    units=10, present=4, present_found=3, small=2, small_found=1, large=2, large_found=2, absent=6, absent_found=3,
    tumors=4, hits=3, size_hits=2, size_stated=4, size_agree=1, location_hits=3, location_stated=4, location_agree=3,
    slices=4, slices_stated=2, slices_near=1,
)  # fmt: skip


def test_metrics_by_hand() -> None:
    assert score(COUNTS, metrics()) == {
        "sensitivity_small": 0.5, "sensitivity_large": 1.0, "sensitivity": 0.75, "specificity": 0.5,
        "balanced_accuracy": 0.625, "size_acc": 0.5, "location_acc": 1.0, "enhancement_acc": None,
        "attribute_acc": None, "k_hit": 0.25,
    }  # fmt: skip
    over = score(COUNTS, metrics("reference"))
    assert (over["size_acc"], over["location_acc"]) == (0.25, 0.75)
    assert score(TumorCounts(), metrics()) == dict.fromkeys(NAMES)


def test_the_mean_over_organs_leaves_out_where_it_is_undefined() -> None:
    table = metrics()
    normal = score(TumorCounts(units=2, absent=2, absent_found=2), table)
    found = mean([score(COUNTS, table), normal], table)
    assert (found["specificity"], found["sensitivity"], found["enhancement_acc"]) == (0.75, 0.75, None)


def test_intervals_are_those_of_report_metrics() -> None:
    pattern = [(1, 1), (1, 0), (0, 0), (1, 1), (1, 1), (1, 0), (0, 0), (1, 1)] * 5
    rows = [{"liver": TumorCounts(present=n, present_found=k)} for n, k in pattern]
    resampling = Resampling(n=200, seed=3)
    clusters = [str(i // 2) for i in range(len(rows))]
    ours = intervals(rows, ["liver"], metrics(), resampling, clusters)
    recall = {"recall": report_metrics()["recall"]}
    theirs = report_intervals([Counts(facts=n, hits=k) for n, k in pattern], recall, resampling, clusters)
    assert ours["liver"]["sensitivity"] == ours["pooled"]["sensitivity"] == theirs["recall"]
    assert ours["mean"]["sensitivity"] == theirs["recall"]
    assert ours["liver"]["specificity"] is None
    assert intervals(rows, ["liver"], metrics(), Resampling(n=0))["mean"] == dict.fromkeys(NAMES)


def test_runs_do_not_depend_on_order_or_workers(tmp_path: Path) -> None:
    texts = [(SMALL, SMALL), (SMALL, LIVER), (LIVER, LIVER), (LARGE, LARGE), (PANCREAS, LARGE)]
    pairs = [Pair(str(i), reference, prediction) for i, (reference, prediction) in enumerate(texts)]
    plan = TumorPlan(load_ontology())
    first = run_tumor(iter(pairs), plan, TumorOptions(Resampling(n=0)))
    again = run_tumor(reversed(pairs), plan, TumorOptions(Resampling(n=0), output=tmp_path / "out"))
    assert first.systems[0].pooled.counts == again.systems[0].pooled.counts == total([first.systems[0].pooled.counts])
    assert first.systems[0].pooled.scores["balanced_accuracy"] == pytest.approx((2 / 3 + 1 / 2) / 2)
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["reports.csv", "results.json"]
