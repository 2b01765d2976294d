"""Places that only their size makes a finding ("a few lymph nodes") → what the largest of them states, in a later
clause or sentence ("The largest measures 14 mm")."""

from __future__ import annotations

from collections.abc import Sequence

from cabs.ontology import Ontology
from cabs.parsing.places import joined, phrases, resolve
from cabs.parsing.scan import PLACE, SIZE, Token
from cabs.parsing.scope import Reach
from cabs.parsing.statements import About, Several, Statement

_LARGEST = "largest"


def several_in(tokens: list[Token], denials: Sequence[Reach], ontology: Ontology) -> Several | None:
    """The places of a clause that a size would make a finding; None where they are measured or denied."""
    found: list[int] = []
    for i, t in enumerate(tokens):  # a loop: it is asked of every clause
        if t.kind == PLACE and t.form is not None and t.form.measured:
            found.append(i)
    if not found or any(t.kind == SIZE for t in tokens) or any(r.start <= found[-1] < r.end for r in denials):
        return None
    form = tokens[found[-1]].form
    if form is None or form.measured is None:
        return None
    where = resolve(
        phrases(tokens, 0, len(tokens)), ontology, tuple(filter(None, (ontology.organ_of(form.places[0]),)))
    )
    return Several(*form.measured, where)


def tells_largest(tokens: list[Token]) -> bool:
    """True for a clause that speaks of the largest of what was named before."""
    cues = (t.form.cue("anaphora") for t in tokens if t.form is not None)
    return any(cue is not None and cue.value == _LARGEST for cue in cues)


def largest_of(several: Several, about: About) -> Statement | None:
    """What is said of the largest of several places, as a statement; None where its size is not told or too small."""
    sizes = [attribute.mm[0] for attribute, _ in about.slots if attribute.kind == "size" and attribute.mm]
    if not sizes or max(sizes) < several.least:
        return None
    where = joined(several.where, about.where)._replace(organ=several.where.organ)
    return Statement("present", several.entity, several.entity, where, about.slots, "definite", about.mention)
