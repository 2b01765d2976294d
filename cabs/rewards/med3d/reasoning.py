"""Does the reasoning state the finding that the answer names? Facts of the thought against facts of the options.

No part of Med3D-R1: its consistency reward is another model's opinion of the whole answer and tests no link between
thought and answer.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock

from cabs.matching import Matcher
from cabs.matching.alignment import CanonicalReport
from cabs.ontology import Ontology, load_ontology
from cabs.parsing.parser import parser_of
from cabs.rewards.med3d.listing import without_listing
from cabs.scoring.judge import Parser
from cabs.scoring.tasks.mcq import Options
from cabs.values import OTHER, Fact, ParsedReport, Side, Status

LEVELS = {"possible": 1, "definite": 2}
"""How firmly a fact is stated; 0: not at all."""
REMEMBERED = 4096
"""Options whose claims are kept."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What an option says of one entity."""

    entity: str
    status: Status
    side: Side | None


@dataclass(frozen=True, slots=True)
class Reasoned:
    """What a thought has to do with the option that the answer names.

    - value: 1 / n where it states that option and n options as firmly as that (itself counted); 0 where it does not, or
      denies it; None: not judged, since the option names nothing that the ontology knows.
    - stated: options that it states. denied: whether it denies the one that the answer names.
    """

    value: float | None
    stated: int
    denied: bool


UNJUDGED = Reasoned(None, 0, False)


class ReasoningJudge:
    """Judges thoughts under one ontology. Thread-safe; what it remembers never changes an answer."""

    def __init__(self, ontology: Ontology, parser: Parser | None = None) -> None:
        self._ontology = ontology
        self._parse: Parser = parser or parser_of(ontology).parse
        self._matcher = Matcher(ontology)
        self._claims = lru_cache(REMEMBERED)(self._claimed)

    def judge(self, thought: str, label: str, options: Options, question: str = "") -> Reasoned:
        """What the thought has to do with the option of this label."""
        own = self._claims(options[label])
        if not own:
            return UNJUDGED
        told = self._told(without_listing(thought, options, question))
        levels = {name: self._level(self._claims(options[name]), told) for name in options.labels}
        spent = {id(fact) for claim in own for fact in self._meeting(claim, told)}
        others = [self._level(self._claims(options[o]), told, spent) for o in options.labels if o != label]
        firm, stated = levels[label], sum(level > 0 for level in levels.values())
        rivals = sum(level >= firm for level in others if level)
        return Reasoned(1 / (1 + rivals) if firm else 0.0, stated, self._denied(own, told))

    def _told(self, thought: str) -> CanonicalReport:
        """What a thought states, sentence by sentence: it weighs before it concludes, so that what it first offers as
        possible and then sees is definite; a report would be read as one statement of both."""
        spans = sorted({span for fact in self._parse(thought).facts for span in fact.evidence})
        facts = tuple(fact for start, end in spans for fact in self._parse(thought[start:end]).facts)
        return self._matcher.canonical(ParsedReport(facts, (), bool(facts)))

    def _claimed(self, text: str) -> tuple[Claim, ...]:
        """The claims of an option's text; none where any of its facts is outside the ontology."""
        facts = self._parse(text).facts
        if any(fact.entity == OTHER for fact in facts):
            return ()
        if facts:
            return tuple(Claim(fact.entity, fact.status, fact.side) for fact in facts)
        entity = self._ontology.resolve(text)
        return () if entity is None else (Claim(entity, "present", None),)

    def _level(self, claims: Iterable[Claim], told: CanonicalReport, spent: Iterable[int] = ()) -> int:
        """How firmly all of the claims are stated, by facts that are not spent on another option."""
        taken = set(spent)
        each = [
            max((LEVELS[f.certainty] for f in self._meeting(claim, told) if id(f) not in taken), default=0)
            for claim in claims
        ]
        return min(each, default=0)

    def _meeting(self, claim: Claim, told: CanonicalReport) -> list[Fact]:
        """The facts that state a claim; what the thought both states and denies states nothing."""
        if claim.status == "absent":
            return [f for f in told.absent if self._ontology.is_a(claim.entity, f.entity) and _beside(claim, f)]
        torn = {id(fact) for fact, _ in told.internal}
        return [f for f in told.present if id(f) not in torn and self._related(claim, f) and _beside(claim, f)]

    def _related(self, claim: Claim, fact: Fact) -> bool:
        """The same entity, or one that is a kind of the other."""
        is_a = self._ontology.is_a
        return fact.entity != OTHER and (is_a(fact.entity, claim.entity) or is_a(claim.entity, fact.entity))

    def _denied(self, claims: Iterable[Claim], told: CanonicalReport) -> bool:
        """Whether a claim of presence is denied, or one of absence contradicted."""
        denials = [*told.absent, *(denial for _, denial in told.internal)]
        return any(
            bool(self._meeting(Claim(claim.entity, "present", claim.side), told))
            if claim.status == "absent"
            else not self._meeting(claim, told)
            and any(self._ontology.is_a(claim.entity, d.entity) and _beside(claim, d) for d in denials)
            for claim in claims
        )


def _beside(claim: Claim, fact: Fact) -> bool:
    """Whether the sides leave room for each other: one of them unstated or bilateral, or both the same."""
    sides = {claim.side, fact.side}
    return len(sides) == 1 or None in sides or "bilateral" in sides


_MAKING = Lock()


def reasoning_judge(ontology: Ontology | None, parser: Parser | None) -> ReasoningJudge:
    """The judge of an ontology and a parser, made once in a process, however many threads ask."""
    with _MAKING:
        return _made(ontology or load_ontology(), parser)


_made = lru_cache(maxsize=8)(ReasoningJudge)
