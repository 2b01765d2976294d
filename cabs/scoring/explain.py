"""One alignment in words: which facts meet, what is wrong with each, and where both texts say so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from cabs.matching import Alignment, Disagreement
from cabs.matching.settings import KINDS
from cabs.scoring.case import Entry as CaseEntry
from cabs.scoring.case import case_of
from cabs.values import Fact, Span

Verdict = Literal["right", "flawed", "missed", "false"]

_WORDS = {
    "wrong_side": "wrong side",
    "wrong_site": "wrong place",
    "location_broader": "less specific place",
    "unsupported_place": "place that the reference does not give",
    "wrong_size": "wrong size",
    "severity": "other severity",
    "change": "other change",
    "omitted_attribute": "{detail} left out",
    "unsupported_attribute": "{detail} that the reference does not give",
    "other_attribute": "other {detail}",
    "certainty_overstated": "stated as certain",
    "certainty_understated": "stated as uncertain",
}
"""error name → the words for it; {detail} is the attribute kind."""

_ALONE = {False: "missed", True: "not in the reference"}


@dataclass(frozen=True, slots=True)
class Entry:
    """One numbered line: a fact of the reference, of the prediction, or both, and what is wrong in words."""

    number: int
    verdict: Verdict
    reference: Fact | None
    prediction: Fact | None
    errors: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Mark:
    """Characters of a text and the entries that they state."""

    span: Span
    entries: tuple[Entry, ...]


def entries(alignment: Alignment) -> list[Entry]:
    """The facts of an alignment: hits in the reference's order, then missed, then false ones."""
    return [
        Entry(number, _verdict(entry), entry.reference, entry.prediction, said(entry))
        for number, entry in enumerate(case_of(alignment, KINDS), 1)
    ]


def _verdict(entry: CaseEntry) -> Verdict:
    if entry.reference is None or entry.prediction is None:
        return "false" if entry.reference is None else "missed"
    return "right" if entry.mark == "hit" else "flawed"


def said(entry: CaseEntry) -> tuple[str, ...]:
    """What is wrong with an entry, in words."""
    alone = () if entry.reference and entry.prediction else (_ALONE[entry.reference is None],)
    related = (_related(entry),) if entry.related else ()
    denied = (f"denied by the {denial.side}" for denial in entry.denials)
    return (*alone, *related, *(disagreement(d) for d in entry.disagreements), *denied)


def _related(entry: CaseEntry) -> str:
    names = [fact.name or fact.entity for fact in (entry.reference, entry.prediction) if fact is not None]
    return f"related: {' and '.join(names)}"


def disagreement(d: Disagreement) -> str:
    """A disagreement in words: what is wrong, and what each side says."""
    what = _WORDS.get(d.name, d.name.replace("_", " ")).format(detail=d.detail)
    said = [f"{side} {words}" for side, words in (("reference", d.reference), ("prediction", d.prediction)) if words]
    note = "" if d.counts else " (not counted)"
    return f"{what}: {', '.join(said)}{note}" if said else what + note


def fact_in_words(fact: Fact) -> str:
    """A fact on one line: name, organ, place, side, attributes, certainty."""
    place = ", ".join(dict.fromkeys((fact.location.text or ", ".join(fact.location.ids)).split(", ")))
    side = fact.side if fact.side and fact.side not in place.lower() else ""
    parts = [fact.name, fact.organ or "", place, side]
    parts += [f"{a.kind} {a.text or a.value or ''}".strip() for a in fact.attributes]
    parts += ["possible"] if fact.certainty == "possible" else []
    return " · ".join(part for part in parts if part)


def marks(found: Iterable[Entry], side: Literal["reference", "prediction"], length: int) -> list[Mark]:
    """Where a text of `length` characters states one side's facts, in order: their mentions (those that
    overlap are joined), and an empty span at the end of every other sentence that is evidence of them."""
    spans = [(span, e) for e in found if (fact := getattr(e, side)) is not None for span in _stated(fact)]
    joined: list[Mark] = []
    for span, entry in sorted((s for s in spans if s[0].end <= length), key=lambda s: s[0]):
        last = joined[-1] if joined else None
        if last is not None and (span.start < last.span.end or span == last.span):
            wide = Span(last.span.start, max(last.span.end, span.end))
            joined[-1] = Mark(wide, (*last.entries, entry))
        else:
            joined.append(Mark(span, (entry,)))
    return joined


def _stated(fact: Fact) -> Iterator[Span]:
    if fact.mention.start < fact.mention.end:
        yield fact.mention
    for sentence in fact.evidence:
        if not sentence.start <= fact.mention.start < sentence.end:
            yield Span(sentence.end, sentence.end)
