"""The rules as a judge: a section of a reference and what a completion says there → a judgement."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache
from threading import Lock
from typing import Literal

from cabs.matching import Alignment, Matcher, Settings
from cabs.ontology import Ontology, load_ontology
from cabs.rewards.judgement import MISSED, Judgement, SectionJudgement, Verdict
from cabs.rewards.references import Reference, SectionReader, Stated
from cabs.rewards.stated import stated_false, stated_verdicts
from cabs.scoring.judge import Parser
from cabs.values import Fact, Kind, ParsedReport, Section

Units = Literal["canonical", "stated"]
"""What counts as one fact: canonical form (the order of a text plays no part), or facts as the text lists them."""

NOTHING = ParsedReport((), (), True)


class RulesJudge:
    """Judges completions by alignment of facts, each section apart. Thread-safe."""

    def __init__(self, ontology: Ontology, settings: Settings, parser: Parser | None = None) -> None:
        self.matcher = Matcher(ontology, settings)
        self.reader = SectionReader(ontology, self.matcher, parser)
        self._nothing = Stated(NOTHING, self.matcher.canonical(NOTHING))

    def judge(self, reference: Reference, said: Mapping[Section, str], units: Units, every: bool = False) -> Judgement:
        """The judgement of the sections that the reference has and that were read; with `every`, of each section of
        `said` or the reference, where one that the reference lacks holds no fact."""
        names = {*reference.sections, *said} if every else reference.read
        return {name: self._section(reference, said.get(name, ""), name, units) for name in sorted(names)}

    def _section(self, reference: Reference, said: str, name: Section, units: Units) -> SectionJudgement:
        ours = reference.sections.get(name, self._nothing)
        theirs = self.reader.stated(said, name)
        aligned = self.matcher.align(ours.canonical, theirs.canonical)
        kinds = self.matcher.settings.kinds
        hits = _hits(aligned, kinds)
        false = {id(fact): fact for fact in aligned.hallucinated if fact.kind in kinds}
        if units == "canonical":
            return judgement_of(aligned, kinds)
        verdicts = stated_verdicts(ours, hits, self.matcher, kinds)
        wrong = stated_false(theirs, false, self.matcher, kinds)
        return SectionJudgement(verdicts, wrong, _restated(aligned, kinds), theirs.canonical.read)


def judgement_of(aligned: Alignment, kinds: Collection[Kind]) -> SectionJudgement:
    """What an alignment of one section says of facts of these kinds, whoever made it: one verdict a reference fact in
    canonical form."""
    missed = sum(fact.kind in kinds for fact in aligned.missed)
    wrong = sum(fact.kind in kinds for fact in aligned.hallucinated)
    verdicts = (*_hits(aligned, kinds).values(), *[MISSED] * missed)
    return SectionJudgement(verdicts, wrong, _restated(aligned, kinds), aligned.prediction.read)


def _hits(aligned: Alignment, kinds: Collection[Kind]) -> dict[int, Verdict]:
    """The verdict on each hit by the `id` of its reference fact. Whoever denies what the reference denies as well says
    no more than the reference."""
    denied = {id(fact) for fact, _ in aligned.prediction.internal}
    torn = {id(fact) for fact, _ in aligned.reference.internal}
    found = {}
    for pair in aligned.hits:
        if pair.reference.kind in kinds:
            against = (pair.contradicted or id(pair.prediction) in denied) and id(pair.reference) not in torn
            found[id(pair.reference)] = Verdict(True, pair.location, pair.attributes, pair.certainty, against)
    return found


def _restated(aligned: Alignment, kinds: Collection[Kind]) -> int:
    hits = sum(_again(p.prediction, p.reference) for p in aligned.hits if p.reference.kind in kinds)
    return hits + sum(_again(fact) for fact in aligned.hallucinated if fact.kind in kinds)


def _again(fact: Fact, reference: Fact | None = None) -> int:
    """Sentences that tell a fact once more; as many as the reference takes for it are no repetition."""
    allowed = 1 if reference is None else max(1, len(reference.evidence))
    return max(0, len(fact.evidence) - allowed)


_MAKING = Lock()


def rules_judge(ontology: Ontology | None, settings: Settings, parser: Parser | None) -> RulesJudge:
    """The judge of these settings, made once in a process, however many threads ask."""
    with _MAKING:
        return _made(ontology or load_ontology(), settings, parser)


_made = lru_cache(maxsize=8)(RulesJudge)
