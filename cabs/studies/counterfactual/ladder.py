"""A reference → its ladders: texts with 0 to 5 errors, each rung holding the errors of the one below."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from cabs.studies.counterfactual.editor import Editor
from cabs.studies.counterfactual.edits import IDENTITY, TYPES, Edit, Type, apply
from cabs.studies.counterfactual.lexicon import Lexicon
from cabs.studies.counterfactual.rank import Group, Mistake, Ranked
from cabs.studies.counterfactual.reading import Reading, read
from cabs.studies.counterfactual.rewording import reworded
from cabs.studies.seeded import seeded

RUNGS = 5
"""Errors of a whole ladder."""
LEAST_FACTS, LEAST_PRESENT = 5, 1
"""Facts that a reference needs, and how many of them have to be present: one of these stays as it is, for without any
true finding left every ratio of findings is 0 and blind to all that follows."""
TRIES = 12

TOO_FEW, NO_LADDER, TOO_NEAR = "too few facts", "too few places for errors", "no rewording is far enough"


@dataclass(frozen=True, slots=True)
class Variant:
    """One rung. `clean` is the text with its errors and else as the reference, `text` the same reworded; `edits` are
    its errors in the order in which the ladder makes them."""

    reference: str
    ladder: int
    rung: int
    text: str
    clean: str
    edits: tuple[Edit, ...]

    @property
    def name(self) -> str:
        """The ladder and the rung."""
        return f"{self.ladder}.{self.rung}"

    @property
    def mistakes(self) -> tuple[Mistake, ...]:
        """Its errors."""
        return tuple(Mistake(edit.type, f"{edit.family}: {edit.old} -> {edit.new}", edit.errors) for edit in self.edits)


@dataclass(frozen=True, slots=True)
class Ladders:
    """The variants of one reference; none where `reason` says why there are none."""

    id: str
    text: str
    variants: tuple[Variant, ...]
    reason: str = ""

    def group(self, *, clean: bool = False) -> Group:
        """The variants to be ranked, reworded or clean."""
        texts = ((v.name, v.clean if clean else v.text, v.mistakes) for v in self.variants)
        return Group(self.id, self.text, tuple(Ranked(*text) for text in texts))


class Climber:
    """Makes ladders, reference after reference, so that over a study every type of error comes as often as the
    references allow, on the first rung above all."""

    def __init__(self, lexicon: Lexicon, seed: int, ladders: int) -> None:
        self.lexicon, self.seed, self.ladders = lexicon, seed, ladders
        self.used: Counter[tuple[bool, Type]] = Counter()

    def climb(self, id: str, text: str) -> Ladders:
        """The ladders of one reference. Even ladders make errors of identity alone, odd ones of every type."""
        reading = read(text, self.lexicon)
        facts, present = reading.facts(self.lexicon)
        if facts < LEAST_FACTS or present < LEAST_PRESENT:
            return Ladders(id, text, (), TOO_FEW)
        variants: list[Variant] = []
        for ladder in range(self.ladders):
            edits = self._edits(reading, id, ladder)
            if edits is None:
                return Ladders(id, text, (), NO_LADDER)
            for rung in range(RUNGS + 1):
                clean = apply(reading, edits[:rung])
                said, far = reworded(clean, self.lexicon, seeded(self.seed, id, ladder, rung, "wording"))
                if not far and not rung:
                    return Ladders(id, text, (), TOO_NEAR)
                variants.append(Variant(id, ladder, rung, said, clean, tuple(edits[:rung])))
        for variant in variants:
            if variant.rung:
                self.used[variant.rung == 1, variant.edits[-1].type] += 1
        return Ladders(id, text, tuple(variants))

    def _edits(self, reading: Reading, id: str, ladder: int) -> list[Edit] | None:
        types = TYPES if ladder % 2 else IDENTITY
        for attempt in range(TRIES):
            rng = seeded(self.seed, id, ladder, attempt, "edits")
            candidates = [e for e in Editor(reading, self.lexicon, rng).candidates() if e.type in types]
            drawn = self._drawn(reading, candidates, rng)
            if drawn is not None:
                return drawn
        return None

    def _drawn(self, reading: Reading, candidates: Sequence[Edit], rng: Random) -> list[Edit] | None:
        """One edit after another, of the type that was used least so far."""
        _, present = reading.facts(self.lexicon)
        drawn: list[Edit] = []
        used = Counter(self.used)
        while len(drawn) < RUNGS:
            left = present - sum(edit.present for edit in drawn)
            free = [e for e in candidates if _fits(e, drawn) and (left > 1 or not e.present)]
            if not free:
                return None
            first = not drawn
            rare = min(used[first, e.type] for e in free)
            edit = rng.choice([e for e in free if used[first, e.type] == rare])
            used[first, edit.type] += 1
            drawn.append(edit)
        return drawn


def _fits(edit: Edit, drawn: Sequence[Edit]) -> bool:
    """One edit a fact and one a sentence; of a denied list several members may be turned."""
    for other in drawn:
        if other.family == edit.family:
            return False
        if other.touches & edit.touches and not (other.denied and edit.denied):
            return False
        if {change.start for change in other.changes} & {change.start for change in edit.changes}:
            return False
    return True
