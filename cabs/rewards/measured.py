"""Any registered metric as a reward, for comparison: BLEU, ROUGE, an embedding, or one of another package."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import partial
from math import isnan
from typing import Any

from cabs.errors import CabsError, SettingError
from cabs.matching import Settings
from cabs.metrics.batch import batch_of
from cabs.metrics.pair_metric import PairMetric, measure_all
from cabs.metrics.registered import pair_metric
from cabs.rewards.example import Example
from cabs.rewards.options import as_text, filled
from cabs.rewards.result import RewardResult
from cabs.rewards.reward import Range, Reward, failed
from cabs.rewards.rules import RulesJudge, rules_judge
from cabs.rewards.said import Reading, Said, said
from cabs.rewards.tags import without_tags
from cabs.rewards.tally import COUNTS, tally

SECTIONS = Settings(scope="section")


@dataclass(frozen=True)
class MeasuredReward:
    """The work of a metric: the batch is measured at once. Samples whose texts can't be had are left out of it."""

    spelled: str
    options: tuple[tuple[str, Any], ...]
    reading: Reading

    def __call__(self, examples: Sequence[Example]) -> list[RewardResult]:
        """One result an example, in order."""
        judge, metric = rules_judge(None, SECTIONS, None), self.metric()
        texts = [self._texts(example, judge) for example in examples]
        fit = [t for t in texts if isinstance(t, tuple)]
        batch = batch_of([without_tags(ours) for ours, _ in fit], [without_tags(told.text) for _, told in fit])
        values = iter(measure_all([metric], batch)[metric.name].values)
        return [
            failed(COUNTS, t) if isinstance(t, Exception) else _result(float(next(values)), metric, judge, *t)
            for t in texts
        ]

    def metric(self) -> PairMetric:
        """The metric, made where it is asked for: it need not be picklable."""
        return pair_metric(self.spelled, **dict(self.options))

    def _texts(self, example: Example, judge: RulesJudge) -> tuple[str, Said] | Exception:
        try:
            told = said(example, self.reading, judge.reader)
            text = judge.reader.reference(example.reference).text
            if text is None:
                raise CabsError("the reference has facts but no text", place=f"reward {self.spelled!r}")
        except Exception as error:  # noqa: BLE001  # one sample must not take the batch with it
            return error
        return text, told


def _result(value: float, metric: PairMetric, judge: RulesJudge, reference: str, told: Said) -> RewardResult:
    if isnan(value):
        what = f"{metric.name} is undefined for this pair"
        return RewardResult(None, dict.fromkeys(COUNTS, 0.0), "unscorable", what)
    judged = judge.judge(judge.reader.reference(reference), told.sections, "canonical")
    components = tally(judged, told.keeps_form)
    return RewardResult(value if metric.higher else -value, components, "truncated" if told.cut else "ok", told.cut)


def measured(spelled: str, **options: Any) -> Reward:
    """The metric of a name as a reward: more is better, so that one of which less is better is taken with a minus.
    Options are those of the metric and the fields of `Reading`.

    Raises:
        SettingError: the metric or an option is unknown, or it gives no value to single reports; MissingExtraError:
            what it needs isn't installed.
    """
    names = [field.name for field in fields(Reading)]
    own = {name: options.pop(name) for name in names if name in options}
    metric = pair_metric(spelled, **options)
    place = f"reward {spelled!r}"
    metric.needs.check(place)
    if not metric.independent:
        what = "a sample's value would depend on the others of its batch"
        raise SettingError(what, place=place, hint="choose another metric")
    reading = filled(Reading, {"form": "headings", **own}, place)
    work = MeasuredReward(spelled, tuple(options.items()), reading)
    return Reward(
        name=spelled,
        label=metric.label,
        range=_range(metric),
        components=COUNTS,
        work=work,
        settings=partial(_signed, work),
        package=metric.package,
    )


def _signed(work: MeasuredReward) -> tuple[tuple[str, str], ...]:
    return ("metric", work.metric().signature.replace("|", " ")), *as_text(work.reading)


def _range(metric: PairMetric) -> Range:
    low, high = metric.range
    if metric.higher:
        return low, high
    return (None if high is None else -high), (None if low is None else -low)
