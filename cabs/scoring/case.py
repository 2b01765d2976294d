"""One alignment as a case to look at: its facts side by side, what is wrong with each, and where both texts say so.

A case is what the command line explains, what the reports table keeps, and what a page shows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from cabs.errors import InputError
from cabs.io.facts import fact_from_json, fact_to_json, fact_without_text
from cabs.io.record import kind_of, one_of
from cabs.matching import AlignedPair, Alignment, Contradiction, Disagreement
from cabs.matching.alignment import ErrorName, Slot
from cabs.values import Fact, Kind, Normal, Span

Mark = Literal["hit", "slots", "missed", "hallucinated", "contradicted"]
MARKS: tuple[Mark, ...] = get_args(Mark)
"""What an entry is: a hit whose slots agree, a hit with a wrong slot (or a relative's name), a fact of one side alone,
or one that the other side denies, hit or not."""

OTHER_SIDE: Mapping[str, str] = {"reference": "prediction", "prediction": "reference"}

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Denial:
    """Where a report denies a fact of the other one. `side`: of the report that denies."""

    side: str
    span: Span


@dataclass(frozen=True, slots=True)
class Entry:
    """A fact of the reference, of the prediction, or both. `counts`: it is of a kind that the scores are about.
    `related`: the two are relatives, not the same."""

    mark: Mark
    counts: bool
    reference: Fact | None
    prediction: Fact | None
    related: bool = False
    disagreements: tuple[Disagreement, ...] = ()
    denials: tuple[Denial, ...] = ()

    @property
    def fact(self) -> Fact:
        """The reference's fact, or the prediction's where there is no other."""
        found = self.reference or self.prediction
        assert found is not None, "an entry has a side"
        return found

    @property
    def occurrences(self) -> tuple[str, ...]:
        """The names of what is wrong, as the error table has them, each as often as it counts there (two attributes
        that are left out are two); what the settings ignore is left out."""
        alone = ("hallucinated",) if self.reference is None else ("missed",) if self.prediction is None else ()
        denied = ("contradicted",) if self.denials else ()
        wrong = (d.name for d in self.disagreements if d.counts)
        return (*alone, *denied, *(("related_entity",) if self.related else ()), *wrong)

    @property
    def errors(self) -> tuple[str, ...]:
        """The same names, each once."""
        return tuple(dict.fromkeys(self.occurrences))


def case_of(alignment: Alignment, kinds: Sequence[Kind]) -> tuple[Entry, ...]:
    """The entries of an alignment: hits in the reference's order, then missed, then hallucinated facts. () where
    neither side states anything."""
    hits = sorted(alignment.hits, key=lambda pair: pair.reference.mention)
    found = [_hit(pair, alignment.contradictions, kinds) for pair in hits]
    denied = alignment.contradictions
    found += [_single(fact, None, "missed", denied, kinds) for fact in _in_order(alignment.missed)]
    found += [_single(None, fact, "hallucinated", denied, kinds) for fact in _in_order(alignment.hallucinated)]
    return tuple(found)


def _in_order(facts: Iterable[Fact]) -> list[Fact]:
    return sorted(facts, key=lambda fact: fact.mention)


def _hit(pair: AlignedPair, contradictions: Sequence[Contradiction], kinds: Sequence[Kind]) -> Entry:
    denials = (*_denials(pair.reference, contradictions), *_denials(pair.prediction, contradictions))
    wrong = not pair.exact or any(d.counts for d in pair.disagreements)
    return Entry(
        mark="contradicted" if denials or pair.contradicted else "slots" if wrong else "hit",
        counts=pair.reference.kind in kinds,
        reference=pair.reference,
        prediction=pair.prediction,
        related=not pair.exact,
        disagreements=pair.disagreements,
        denials=denials,
    )


def _single(
    reference: Fact | None,
    prediction: Fact | None,
    mark: Mark,
    contradictions: Sequence[Contradiction],
    kinds: Sequence[Kind],
) -> Entry:
    entry = Entry(mark, False, reference, prediction)
    denials = _denials(entry.fact, contradictions)
    return replace(entry, mark="contradicted" if denials else mark, counts=entry.fact.kind in kinds, denials=denials)


def _denials(fact: Fact, contradictions: Iterable[Contradiction]) -> tuple[Denial, ...]:
    denying = ((OTHER_SIDE[c.side], c.denial) for c in contradictions if c.fact == fact)
    return tuple(Denial(side, d.span if isinstance(d, Normal) else d.mention) for side, d in denying)


def without_text(entry: Entry, names: Callable[[str], str]) -> Entry:
    """The entry with every quoted word taken out; see `fact_without_text`."""
    return replace(
        entry,
        reference=None if entry.reference is None else fact_without_text(entry.reference, names),
        prediction=None if entry.prediction is None else fact_without_text(entry.prediction, names),
        disagreements=tuple(replace(d, reference="", prediction="") for d in entry.disagreements),
    )


def entry_to_json(entry: Entry) -> Json:
    """An entry as an object of JSON's own types; `entry_from_json` gives the same entry back, costs aside."""
    return {
        "mark": entry.mark,
        "counts": entry.counts,
        "related": entry.related,
        "reference": None if entry.reference is None else fact_to_json(entry.reference),
        "prediction": None if entry.prediction is None else fact_to_json(entry.prediction),
        "disagreements": [
            {k: getattr(d, k) for k in ("slot", "detail", "name", "reference", "prediction", "counts")}
            for d in entry.disagreements
        ],
        "denials": [{"side": d.side, "start": d.span.start, "end": d.span.end} for d in entry.denials],
    }


def entry_from_json(value: object, place: str) -> Entry:
    """The entry of a JSON object as `entry_to_json` writes it.

    Raises:
        InputError: it isn't one.
    """
    if not isinstance(value, Mapping):
        raise InputError(f"an entry of a case expected, found {kind_of(value)}", place=place)
    sides = {side: value.get(side) for side in OTHER_SIDE}
    if not any(sides.values()):
        raise InputError("an entry of a case has no fact", place=place)
    read = {side: None if f is None else fact_from_json(f, f"{place}.{side}") for side, f in sides.items()}
    return Entry(
        mark=one_of(value, "mark", MARKS, place),
        counts=bool(value.get("counts")),
        reference=read["reference"],
        prediction=read["prediction"],
        related=bool(value.get("related")),
        disagreements=tuple(_disagreement(d, place) for d in _items(value, "disagreements", place)),
        denials=tuple(_denial(d, place) for d in _items(value, "denials", place)),
    )


def _items(value: Mapping[str, object], name: str, place: str) -> list[object]:
    items = value.get(name) or []
    if not isinstance(items, list):
        raise InputError(f"{name!r} holds {kind_of(items)}, a list expected", place=place)
    return items


def _disagreement(value: object, place: str) -> Disagreement:
    if not isinstance(value, Mapping):
        raise InputError(f"a disagreement expected, found {kind_of(value)}", place=place)
    return Disagreement(
        slot=one_of(value, "slot", get_args(Slot), place),
        detail=str(value.get("detail", "")),
        name=one_of(value, "name", get_args(ErrorName), place),
        reference=str(value.get("reference", "")),
        prediction=str(value.get("prediction", "")),
        cost=0.0,
        counts=bool(value.get("counts")),
    )


def _denial(value: object, place: str) -> Denial:
    if not isinstance(value, Mapping) or value.get("side") not in tuple(OTHER_SIDE):
        raise InputError("a denial has a side and a span", place=place)
    start, end = value.get("start"), value.get("end")
    if type(start) is not int or type(end) is not int or not 0 <= start <= end:
        raise InputError("a span is {start, end} with 0 <= start <= end", place=place)
    return Denial(str(value["side"]), Span(start, end))
