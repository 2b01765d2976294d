"""One alignment in words: which facts meet, what is wrong with each, and where both texts say so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from cabs.matching import AlignedPair, Alignment, Contradiction, Disagreement
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
    denied = _denied(alignment.contradictions)
    hits = sorted(alignment.hits, key=lambda pair: pair.reference.mention)
    made: list[tuple[Verdict, Fact | None, Fact | None, tuple[str, ...]]]
    made = [(_hit_verdict(p), p.reference, p.prediction, _hit_errors(p, denied)) for p in hits]
    made += [("missed", f, None, _single(f, "missed", denied)) for f in _in_order(alignment.missed)]
    made += [("false", None, f, _single(f, "not in the reference", denied)) for f in _in_order(alignment.hallucinated)]
    return [Entry(i, *rest) for i, rest in enumerate(made, 1)]


def _in_order(facts: Iterable[Fact]) -> list[Fact]:
    return sorted(facts, key=lambda fact: fact.mention)


def _hit_verdict(pair: AlignedPair) -> Verdict:
    flawed = not pair.exact or pair.contradicted or any(d.counts for d in pair.disagreements)
    return "flawed" if flawed else "right"


def _hit_errors(pair: AlignedPair, denied: Sequence[tuple[Fact, str]]) -> tuple[str, ...]:
    related = () if pair.exact else (f"related: {pair.reference.name} and {pair.prediction.name}",)
    contradicted = tuple(_contradicted(pair.reference, denied)) + tuple(_contradicted(pair.prediction, denied))
    return (*related, *(disagreement(d) for d in pair.disagreements), *contradicted)


def _single(fact: Fact, verdict: str, denied: Sequence[tuple[Fact, str]]) -> tuple[str, ...]:
    return (verdict, *_contradicted(fact, denied))


def _denied(contradictions: Iterable[Contradiction]) -> list[tuple[Fact, str]]:
    other = {"reference": "denied by the prediction", "prediction": "denied by the reference"}
    return [(c.fact, other[c.side]) for c in contradictions]


def _contradicted(fact: Fact, denied: Sequence[tuple[Fact, str]]) -> Iterator[str]:
    return (words for other, words in denied if other == fact)


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
