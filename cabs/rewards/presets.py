"""The rewards of reports: a completion is read, judged against its reference by section, and put into a formula.

`tif` and `tif_paper` differ in the formula, in what counts as one fact, and in which sections take part.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import partial
from typing import Any

from cabs.errors import InputError
from cabs.matching import Settings
from cabs.ontology import Ontology
from cabs.registry import refuse_unknown
from cabs.rewards.example import Example
from cabs.rewards.judgement import Judgement, judgement_from
from cabs.rewards.options import MATCHING, filled, signed
from cabs.rewards.references import Reference
from cabs.rewards.result import RewardResult
from cabs.rewards.reward import Reward, each
from cabs.rewards.rules import RulesJudge, rules_judge
from cabs.rewards.said import Reading, Said, said
from cabs.rewards.tags import SECTIONS
from cabs.rewards.tally import COUNTS, tally
from cabs.rewards.tif import Tif
from cabs.rewards.tif_paper import TifPaper
from cabs.scoring.judge import Parser
from cabs.values import Section

COMPONENTS = ("findings", "impression", "length", *COUNTS)
"""findings, impression: R of the section, or of the other one where the reference has only that; length: the factor of
the length; the rest: see `cabs.rewards.tally`."""


FIXED: Mapping[str, Mapping[str, float]] = {
    "tif_no_running_cost": {"alpha": 0.0},
    "tif_no_control_effort": {"gamma": 0.0},
}
"""The ablations of [TIF], by name."""


@dataclass(frozen=True)
class ReportReward:
    """The work of a preset, one example at a time."""

    formula: Tif | TifPaper
    reading: Reading
    settings: Settings
    ontology: Ontology | None = None
    parser: Parser | None = None

    def __call__(self, example: Example) -> RewardResult:
        """The result of one example.

        Raises:
            InputError: the completion, the reference or the judgement can't be read.
        """
        judge = rules_judge(self.ontology, self.settings, self.parser)
        told = said(example, self.reading, judge.reader)
        reference = judge.reader.reference(example.reference)
        if example.judgement is not None:
            judged = _given(example.judgement, reference, self.settings)
        elif not reference.read:
            return RewardResult(None, dict.fromkeys(COMPONENTS, 0.0), "unscorable", "the reference was not read")
        else:
            judged = self._judged(judge, reference, told)
        return self._result(judged, told, len(reference.text or ""))

    def _judged(self, judge: RulesJudge, reference: Reference, told: Said) -> Judgement:
        if isinstance(self.formula, TifPaper):
            return judge.judge(reference, dict.fromkeys(SECTIONS, "") | dict(told.sections), "stated", every=True)
        return judge.judge(reference, told.sections, "canonical")

    def _result(self, judged: Judgement, told: Said, reference: int) -> RewardResult:
        sections = {name: self.formula.section(judged[name]) for name in judged}
        if isinstance(self.formula, TifPaper):
            kept, length = told.keeps_paper_form, self.formula.length(told.inside)
            value = self.formula.report(sections, kept, told.inside)
        else:
            kept, length = told.keeps_form, self.formula.length(told.characters, reference)
            value = self.formula.report(sections, kept, told.characters, reference)
        components = {**self._by_section(sections), "length": length, **tally(judged, kept)}
        return RewardResult(value, components, "truncated" if told.cut else "ok", told.cut)

    def _by_section(self, sections: Mapping[Section, float]) -> dict[str, float]:
        """R of each section; of one that takes no part that of the other, or 0 where it counts as 0."""
        other = next(iter(sections.values()), 0.0) if isinstance(self.formula, Tif) else 0.0
        return {name: sections.get(name, other) for name in SECTIONS}


def _given(judgement: object, reference: Reference, settings: Settings) -> Judgement:
    """Another judge's judgement; where the facts of the reference are listed, it has to speak of each of them."""
    judged = judgement_from(judgement)
    stated = any(part.canonical.present for part in reference.read.values())
    if stated and not any(section.verdicts for section in judged.values()):
        hint = "a judge that found nothing has failed"
        raise InputError("no verdict on a reference that states facts", place="judgement", hint=hint)
    for name, part in reference.sections.items() if reference.listed else ():
        facts = sum(fact.status == "present" and fact.kind in settings.kinds for fact in part.report.facts)
        told = len(judged[name].verdicts) if name in judged else 0
        if told != facts:
            what = f"{told} verdicts for {facts} facts of the reference"
            raise InputError(what, place=f"judgement.{name}", hint="one a fact, in the reference's order")
    return judged


def tif(name: str, **options: Any) -> Reward:
    """The recommended reward, or one of its ablations; options are the fields of `Tif` and `Reading`, settings of
    matching, an `ontology`, and a `parser` of the texts.

    Raises:
        SettingError: an option or its value is unknown.
    """
    return _report(name, Tif, {**FIXED.get(name, {}), **options})


def tif_paper(name: str, **options: Any) -> Reward:
    """[TIF] as released; options as for `tif`, with the fields of `TifPaper`."""
    return _report(name, TifPaper, options)


def _report(name: str, kind: type[Tif] | type[TifPaper], options: Mapping[str, Any]) -> Reward:
    own = [field.name for field in (*fields(kind), *fields(Reading))]
    place = f"reward {name!r}"
    refuse_unknown(options, (*own, *MATCHING, "ontology", "parser"), place)
    formula, reading = filled(kind, options, place), filled(Reading, options, place)
    matching = {option: str(options[option]) for option in MATCHING if option in options}
    settings = Settings.from_items({**matching, "scope": "section"})
    ontology, parser = options.get("ontology"), options.get("parser")
    return Reward(
        name=name,
        label="TIF" if kind is Tif else "TIF as released",
        range=formula.range,
        components=COMPONENTS,
        work=each(ReportReward(formula, reading, settings, ontology, parser), COMPONENTS),
        settings=partial(signed, ontology, parser, settings, formula, reading),
    )
