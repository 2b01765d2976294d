"""The study as a whole."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import spearmanr

import cabs
from cabs.errors import InputError, MissingExtraError, SettingError
from cabs.metrics.needs import Needs
from cabs.studies.correlation import Correlation, correlation, files
from cabs.studies.correlation import choice as choice_module
from cabs.studies.correlation.choice import GRADES, choose, split_names
from cabs.studies.correlation.controls import NAMES
from cabs.studies.correlation.runs import CONTROL, read_runs, runs_of
from tests.studies.correlation.systems import METRICS, demo, runs, studied


@lru_cache(maxsize=1)
def study() -> Correlation:
    return studied(runs())


def test_the_controls_are_beside_the_systems() -> None:
    names = [system.name for system in study().systems]
    assert names == ["careful", "fluent", "late", "mixed", "short", *(CONTROL + name for name in NAMES)]
    assert [system.control for system in study().systems] == [False] * 5 + [True] * 5
    assert all(system.how for system in study().systems if system.control)


def test_no_system_is_better_than_the_reference_itself() -> None:
    found = {system.name: system for system in study().systems}
    for metric in study().metrics:
        values = [s.values[metric.name].value for s in found.values()]
        best = max if metric.higher else min
        assert found[CONTROL + "reference"].values[metric.name].value == best(v for v in values if v is not None)
        assert found[CONTROL + "reference"].places[metric.name] in (0.5, 1.0, 1.5)


def test_values_are_those_of_a_score() -> None:
    pairs = [pair for found in demo().values() for pair in found]
    result = cabs.score(pairs)
    for system in study().real:
        for name in ("f1", "fc_f1", "cabs_score", "critical_invented_per_100"):
            assert system.values[name].value == pytest.approx(result[system.name].scores[name])


def test_over_systems_by_hand_lower_being_better() -> None:
    values = {m.name: [s.values[m.name].value for s in study().real] for m in study().metrics}
    level = study().levels["systems"]
    for (a, b), rho in level.pairs.items():
        signs = [-1 if name == "critical_invented_per_100" else 1 for name in (a, b)]
        sides = [[round(sign * value, 12) for value in values[n]] for sign, n in zip(signs, (a, b), strict=True)]
        if len(set(sides[0])) > 1 and len(set(sides[1])) > 1:
            assert rho.value == pytest.approx(spearmanr(*sides).statistic)
            assert rho.interval is None or rho.interval.low <= rho.interval.high
        else:
            assert rho.value is None
    assert level.rho("f1", "f1") == 1.0
    assert level.rho("f1", "chrf") == level.rho("chrf", "f1")


def test_over_reports_is_the_mean_within_systems() -> None:
    level = study().levels["reports"]
    expected, left_out = [], 0
    for system in study().real:
        x, y = (study().values[system.name, name] for name in ("rouge_l", "f1"))
        both = ~np.isnan(x) & ~np.isnan(y)
        left_out += int((~both).sum())
        if len(set(x[both])) > 1 and len(set(y[both])) > 1:
            expected.append(spearmanr(x[both], y[both]).statistic)
    assert level.pairs["rouge_l", "f1"].value == pytest.approx(np.mean(expected))
    assert level.left_out["rouge_l", "f1"] == left_out
    assert level.pairs["rouge_l", "f1"].n == study().reports * len(study().real) - left_out


def test_family_means_are_means_of_pairs() -> None:
    family = {metric.name: metric.family for metric in study().metrics}
    for level in study().levels.values():
        for block, mean in level.families.items():
            cells = [r.value for (a, b), r in level.pairs.items() if {family[a], family[b]} == set(block)]
            within = block[0] == block[1]
            cells = [c for c in cells if c is not None]
            assert mean.value == pytest.approx(np.mean(cells)), block
            assert mean.n == len(cells)
            assert within == (block in {("surface", "surface"), ("clinical", "clinical")})
        assert level.across.value == pytest.approx(level.families["surface", "clinical"].value)
        assert level.difference.value == pytest.approx(level.within.value - level.across.value)


def test_ranks_are_of_the_real_systems_alone() -> None:
    without = studied(runs(), controls=False)
    assert [s.name for s in without.systems] == [s.name for s in study().real]
    for mine, theirs in zip(without.systems, study().real, strict=True):
        assert (mine.places, mine.ranks, mine.corner) == (theirs.places, theirs.ranks, theirs.corner)
    assert without.levels["systems"] == study().levels["systems"]
    assert without.levels["reports"] == study().levels["reports"]
    assert without.levels["with_controls"].within == without.levels["systems"].within
    assert study().levels["with_controls"].pairs != study().levels["systems"].pairs


def test_words_without_facts_are_in_the_corner() -> None:
    """ "fluent" keeps the words and turns the facts; "careful" rewords and keeps them; two others stand between."""
    found = studied(runs(["careful", "fluent", "mixed"]), ("bleu_1", "rouge_l", "fc_f1", "f1"), draws=30)
    corner = {s.name: s.corner["surface"] for s in found.real}
    assert corner == {"careful": False, "fluent": True, "mixed": False}
    fluent = next(s for s in found.real if s.name == "fluent")
    assert 0.5 < (fluent.in_corner["surface"] or 0.0) <= 1.0
    assert found.examples[0].system == "fluent"
    assert found.examples[0].near > found.examples[0].clinical


def test_order_changes_nothing() -> None:
    given = demo()
    shuffled = {name: random.Random(name).sample(pairs, len(pairs)) for name, pairs in reversed(given.items())}
    turned = studied(runs_of(shuffled))
    assert turned.to_json() == study().to_json()
    other = studied(runs(), METRICS[::-1])
    assert {m.name for m in other.metrics} == {m.name for m in study().metrics}
    for mine, theirs in zip(other.systems, study().systems, strict=True):
        assert mine.values == theirs.values
    for name, level in other.levels.items():
        assert level.rho("f1", "rouge_l") == pytest.approx(study().levels[name].rho("rouge_l", "f1"))


def test_names_of_systems_change_nothing_but_the_order() -> None:
    given = demo()
    renamed = studied(runs_of({f"{9 - at}": pairs for at, pairs in enumerate(given.values())}))
    for (a, b), rho in study().levels["systems"].pairs.items():
        assert renamed.levels["systems"].pairs[a, b].value == pytest.approx(rho.value)
        assert renamed.levels["reports"].pairs[a, b].value == pytest.approx(study().levels["reports"].pairs[a, b].value)


def test_clusters_are_drawn_whole() -> None:
    given = demo()
    patients = {n: [replace(p, cluster=f"c{at // 5}") for at, p in enumerate(pairs)] for n, pairs in given.items()}
    found = studied(runs_of(patients))
    interval = found.real[0].values["f1"].interval
    assert interval is not None
    assert interval.contributing == 4
    assert "|cluster:cluster" in str(found.signature)
    assert [s.values["f1"].value for s in found.systems] == [s.values["f1"].value for s in study().systems]


def test_two_systems_have_no_correlation_and_say_so() -> None:
    found = studied(runs(["careful", "fluent"]), ("rouge_l", "f1"), draws=10)
    (rho,) = found.levels["systems"].pairs.values()
    assert (rho.value, rho.interval) == (None, None)
    assert "fewer than 3 systems" in rho.reason
    assert found.levels["reports"].within.value is None
    assert found.levels["reports"].pairs["rouge_l", "f1"].value is not None
    assert any("2 systems" in note for note in found.notes)


def test_without_draws_there_is_no_interval() -> None:
    found = studied(runs(), ("rouge_l", "f1"), draws=0)
    assert all(v.interval is None for s in found.systems for v in (*s.values.values(), *s.ranks.values()))
    assert all(share is None for s in found.systems for share in s.in_corner.values())


def test_other_ids_are_left_out_and_counted() -> None:
    given = demo()
    given["late"] = given["late"][3:]
    found = studied(runs_of(given), ("rouge_l", "f1"), draws=0)
    assert (found.reports, found.left_out["careful"], found.left_out["late"]) == (17, 3, 0)
    assert "3 reports of careful are left out: not every system has them" in found.notes


def test_wrong_runs_are_refused() -> None:
    given = demo()
    first, *rest = given["late"]
    with pytest.raises(InputError, match="another reference"):
        runs_of({**given, "late": [replace(first, reference="The lungs are clear."), *rest]})
    spaced = replace(first, reference=f" {first.reference}\n")
    assert runs_of({**given, "late": [spaced, *rest]}).ids
    with pytest.raises(InputError, match="no id that every system has"):
        runs_of({**given, "late": [replace(first, id="x")]})
    with pytest.raises(InputError, match="no name of a system"):
        runs_of({"control:reference": given["late"]})
    with pytest.raises(SettingError, match="takes two metrics"):
        studied(runs(), ("f1",))


def test_a_file_without_a_system_is_one(tmp_path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.jsonl").write_text('{"id": "1", "reference": "No effusion.", "prediction": "Clear."}\n')
    assert list(read_runs([tmp_path / "a.jsonl", tmp_path / "b.jsonl"]).systems) == ["a", "b"]
    (tmp_path / "c.jsonl").write_text('{"id": "1", "system": "a", "reference": "No effusion.", "prediction": "x"}\n')
    with pytest.raises(InputError, match="'a' comes twice"):
        read_runs([tmp_path / "a.jsonl", tmp_path / "c.jsonl"])


def test_scores_from_outside_are_of_real_systems(tmp_path) -> None:
    given = {n: [replace(p, extra={"green": len(p.prediction)}) for p in pairs] for n, pairs in demo().items()}
    ontology = cabs.load_ontology()
    chosen = choose(ontology, ("rouge_l", "f1"), columns=("green:higher:clinical",))
    found = correlation(runs_of(given), chosen.metrics, ontology)
    assert [m.name for m in found.metrics] == ["rouge_l", "f1", "green"]
    by_name = {s.name: s.values["green"] for s in found.systems}
    assert by_name["careful"].value is not None
    assert by_name[CONTROL + "empty"].value is None
    assert "not measured" in by_name[CONTROL + "empty"].reason


def test_the_choice_of_metrics(monkeypatch: pytest.MonkeyPatch) -> None:
    ontology = cabs.load_ontology()
    free = [metric.name for metric in choose(ontology).metrics]
    assert free[0] == "bleu_1"
    assert tuple(free[-len(GRADES) :]) == GRADES
    assert not {"embedding", "bertscore", "recall"} & set(free)
    assert "recall" in [metric.name for metric in choose(ontology, ("all",)).metrics]
    real = choice_module.named_metric

    def without(spelled: str, ontology: cabs.Ontology, **options: object):
        found = real(spelled, ontology, **options)
        lacking = Needs("audit", (("no_such_module", "no-such-package"),))
        return replace(found, needs=lacking) if spelled == "rouge_l" else found

    monkeypatch.setattr(choice_module, "named_metric", without)
    fewer = choose(ontology)
    assert "rouge_l" not in [metric.name for metric in fewer.metrics]
    assert [(m.name, m.missing) for m in fewer.unavailable if m.name == "rouge_l"] == [("rouge_l", "no-such-package")]
    assert "pip install" in next(m.install for m in fewer.unavailable if m.name == "rouge_l")
    with pytest.raises(MissingExtraError):
        choose(ontology, ("rouge_l",))
    with pytest.raises(SettingError, match="no column"):
        choose(ontology, ("f1",), scores=Path("scores.csv"))


def test_several_metrics_in_one_option() -> None:
    assert split_names(["f1, fc_f1", "or_f1"]) == ["f1", "fc_f1", "or_f1"]
    assert split_names([""]) == []


def test_facts_alone_have_no_words() -> None:
    given = demo()
    facts = {n: [replace(p, reference=cabs.parse(str(p.reference))) for p in pairs] for n, pairs in given.items()}
    with pytest.raises(InputError, match="facts but no text"):
        studied(runs_of(facts), ("rouge_l", "f1"))
    clinical = studied(runs_of(facts), ("f1", "fc_f1"), draws=0)
    assert clinical.systems[0].values["f1"].value == study().systems[0].values["f1"].value


def test_what_draws_is_asked_for_before_the_work(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(files, "NEEDS", Needs("audit", (("no_such_module", "no-such-package"),)))
    with pytest.raises(MissingExtraError, match="no-such-package"):
        files.write_correlation(study(), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_examples_are_wrong_pairs() -> None:
    """A rare error is absent from most pairs; that makes none of them an example of being far in facts."""
    found = studied(runs(), ("bleu_1", "rouge_l", "f1", "critical_invented_per_100"), draws=0)
    assert found.examples
    for example in found.examples:
        assert example.near > example.clinical
        at = found.ids.index(example.id)
        assert found.values[example.system, "f1"][at] < 1.0


def test_means_are_over_the_same_pairs_in_every_draw() -> None:
    """A draw in which a metric is the same for all systems has no mean; it isn't a mean over fewer pairs."""
    found = studied(runs(), ("rouge_l", "chrf", "f1", "fc_f1", "critical_invented_per_100"), draws=60)
    for level in found.levels.values():
        undefined = max((r.interval.undefined for r in level.pairs.values() if r.interval), default=0)
        if level.within.interval is not None:
            assert level.within.interval.undefined >= max(
                r.interval.undefined for b, r in level.families.items() if r.interval and b[0] == b[1]
            )
            assert undefined <= max(level.within.interval.undefined, level.across.interval.undefined)


def test_little_is_still_a_study() -> None:
    one = {"careful": demo()["careful"][:1]}
    found = studied(runs_of(one), ("rouge_l", "f1"), draws=20)
    assert found.systems[0].places == {"rouge_l": 1.0, "f1": 1.0}
    assert all(level.pairs["rouge_l", "f1"].value is None for n, level in found.levels.items() if n != "with_controls")
    assert found.to_json()
