"""CABS's own metrics of one report as rewards: F1, FC-F1 and CABS-Score, over the whole report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any

from cabs.errors import CabsError
from cabs.matching import Settings
from cabs.metrics import count, metrics
from cabs.metrics.counts import SCORE, Counts
from cabs.ontology import Ontology
from cabs.registry import refuse_unknown
from cabs.rewards.example import Example
from cabs.rewards.options import filled, signed
from cabs.rewards.result import RewardResult
from cabs.rewards.reward import Reward, each
from cabs.rewards.rules import rules_judge
from cabs.rewards.said import Reading, said
from cabs.rewards.tally import COUNTS, tally
from cabs.scoring.joined import joined
from cabs.scoring.judge import Parser

METRIC: Mapping[str, str] = {"cabs_f1": "f1", "fc_f1": "fc_f1"}
"""reward → the metric that it is; the CABS-Score is a number of each report already."""


@dataclass(frozen=True)
class CountedReward:
    """The work of a metric of counts, one example at a time."""

    name: str
    reading: Reading
    settings: Settings
    ontology: Ontology | None = None
    parser: Parser | None = None

    def __call__(self, example: Example) -> RewardResult:
        """The result of one example.

        Raises:
            InputError: the completion or the reference can't be read; CabsError: a judgement is given, which can't
                stand for counts.
        """
        if example.judgement is not None:
            raise CabsError("it takes no judgement", place=f"reward {self.name!r}", hint="use tif or tif_paper")
        judge = rules_judge(self.ontology, self.settings, self.parser)
        whole = rules_judge(self.ontology, replace(self.settings, scope="report"), None)
        told = said(example, self.reading, judge.reader)
        reference = judge.reader.reference(example.reference)
        if not reference.read:
            return RewardResult(None, dict.fromkeys(COUNTS, 0.0), "unscorable", "the reference was not read")
        ours = joined(stated.report for stated in reference.sections.values())
        theirs = joined(judge.reader.stated(text, name).report for name, text in told.sections.items())
        aligned = whole.matcher.align(ours, theirs)
        components = tally(judge.judge(reference, told.sections, "canonical"), told.keeps_form)
        value = self._value(count(aligned, whole.matcher))
        return RewardResult(value, components, "truncated" if told.cut else "ok", told.cut)

    def _value(self, counts: Counts) -> float:
        """The metric of one report. Undefined means that there was nothing to say and nothing was said: right for who
        was understood, and no way to be paid for silence."""
        if self.name not in METRIC:
            return (counts.cabs_facts + counts.cabs_normal) / SCORE
        value = metrics(self.settings)[METRIC[self.name]].value(counts)
        return float(counts.prediction_read) if value is None else value


def counted(name: str, **options: Any) -> Reward:
    """A metric of CABS as a reward; options are the fields of `Reading` (any report is read, by its headings, unless
    `form=tags`), settings of matching, an `ontology`, and a `parser` of the texts.

    Raises:
        SettingError: an option or its value is unknown.
    """
    own = [field.name for field in (*fields(Reading), *fields(Settings)) if field.name != "scope"]
    refuse_unknown(options, (*own, "ontology", "parser"), f"reward {name!r}")
    reading = filled(Reading, {"form": "headings", **options}, f"reward {name!r}")
    matching = {field.name: str(options[field.name]) for field in fields(Settings) if field.name in options}
    settings = Settings.from_items({**matching, "scope": "section"})
    ontology, parser = options.get("ontology"), options.get("parser")
    return Reward(
        name=name,
        label={"cabs_f1": "CABS F1", "fc_f1": "FC-F1"}.get(name, "CABS-Score"),
        range=(0.0, 1.0),
        components=COUNTS,
        work=each(CountedReward(name, reading, settings, ontology, parser), COUNTS),
        settings=partial(signed, ontology, parser, settings, reading),
    )
