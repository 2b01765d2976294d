"""Facts that people and other tools wrote → the same facts, if the ontology knows what they name.

A program may hand facts of another ontology to `cabs.score`; there they lose their ids and say so (`adopted`). In a
file that someone names to the command line an unknown id is a slip: refused with its place and what may be meant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from rapidfuzz import fuzz, process

from cabs.errors import InputError
from cabs.io.facts import within
from cabs.ontology import Ontology
from cabs.ontology.search import search
from cabs.values import OTHER, Attribute, Fact, Pair, ParsedReport, QuotedReport

NEAR, LIKE = 3, 60.0
"""Known ids that a message offers, and how alike (0 to 100, by letters) they are at least."""
LISTED = 12
"""Known ids are all listed if there are so few."""

Problem = tuple[str, str, str]
"""The field, what is wrong with it, and a hint."""


class Known:
    """Checks facts under one ontology."""

    def __init__(self, ontology: Ontology) -> None:
        self.ontology = ontology

    def check(self, facts: ParsedReport | QuotedReport, id: str, place: str, text: str | None = None) -> None:
        """See that the ontology knows every id of the facts of a report, and that their positions lie in its text.

        Raises:
            InputError: it doesn't; the place names file, line, report and field.
        """
        if isinstance(facts, ParsedReport) and text:
            within(facts, len(text), f"{place}: report {id!r}")
        found = list(self._parsed(facts) if isinstance(facts, ParsedReport) else self._quoted(facts))
        if found:
            field, message, hint = found[0]
            more = f"; {len(found) - 1} more in this report: {', '.join(f for f, _, _ in found[1:4])}"
            message += more if len(found) > 1 else ""
            raise InputError(message, place=f"{place}: report {id!r}: {field}", hint=hint)

    def pairs(self, pairs: Iterable[Pair]) -> Iterator[Pair]:
        """The pairs, once their facts are checked."""
        for pair in pairs:
            for side, place in ((pair.reference, pair.reference_source), (pair.prediction, "")):
                if isinstance(side, ParsedReport | QuotedReport):
                    self.check(side, pair.id, place or pair.source)
            yield pair

    def _parsed(self, report: ParsedReport) -> Iterator[Problem]:
        for i, fact in enumerate(report.facts):
            for field, message, hint in self._fact(fact):
                yield f"facts[{i}].{field}", message, hint
        for i, normal in enumerate(report.normal):
            yield from self._organ(normal.organ, f"normal[{i}].organ")

    def _quoted(self, report: QuotedReport) -> Iterator[Problem]:
        """Names are free words; organs (but for another scheme's categories) and kinds are ids."""
        for i, fact in enumerate(report.facts):
            if fact.organ is not None and report.scheme == "cabs":
                yield from self._organ(fact.organ, f"facts[{i}].organ")
            for j, (kind, _) in enumerate(fact.attributes):
                if kind is not None:
                    yield from self._kind(kind, f"facts[{i}].attributes[{j}].kind")

    def _fact(self, fact: Fact) -> Iterator[Problem]:
        yield from self._entity(fact)
        if fact.organ is not None:
            yield from self._organ(fact.organ, "organ")
        for place in fact.location.ids:
            if place not in self.ontology.structures:
                hint = _offer(place, self.ontology.structures, self._search(place, "structure"))
                yield "location.ids", f"place {place!r} is unknown", hint
        for j, attribute in enumerate(fact.attributes):
            yield from self._attribute(attribute, f"attributes[{j}]")

    def _entity(self, fact: Fact) -> Iterator[Problem]:
        if fact.entity == OTHER:
            return
        try:
            kind = self.ontology.entity(fact.entity).kind
        except KeyError:
            hint = _offer(fact.entity, self.ontology.entities, self._search(fact.entity, None))
            yield "entity", f"entity {fact.entity!r} is unknown", f"{hint}; {OTHER!r} is what the ontology lacks"
            return
        if kind != fact.kind:
            yield "kind", f"kind is {fact.kind!r}", f"{fact.entity!r} is of kind {kind!r}"

    def _organ(self, organ: str, field: str) -> Iterator[Problem]:
        if organ not in self.ontology.organs:
            hint = _offer(organ, self.ontology.organs, self._search(organ, "organ"))
            yield field, f"organ {organ!r} is unknown", hint

    def _kind(self, kind: str, field: str) -> Iterator[Problem]:
        if kind not in self.ontology.attribute_kinds:
            yield field, f"attribute kind {kind!r} is unknown", _offer(kind, self.ontology.attribute_kinds)

    def _attribute(self, attribute: Attribute, field: str) -> Iterator[Problem]:
        kind = self.ontology.attribute_kinds.get(attribute.kind)
        if kind is None:
            yield from self._kind(attribute.kind, f"{field}.kind")
        elif attribute.mm and kind.compare != "size":
            yield f"{field}.value", f"{kind.kind} holds millimetres", "only sizes do"
        elif attribute.value is not None and attribute.value not in kind.values:
            what = f"value {attribute.value!r} of {kind.kind} is unknown"
            yield f"{field}.value", what, _offer(attribute.value, kind.values)

    def _search(self, term: str, type: str | None) -> Callable[[], list[str]]:
        def near() -> list[str]:
            hits = [hit.id for hit in search(self.ontology, term, 3 * NEAR, type)]
            return [id for id in hits if type is not None or id in self.ontology.entities][:NEAR]

        return near


def _offer(term: str, known: Mapping[str, object], more: Callable[[], list[str]] = list) -> str:
    """What may be meant: ids spelt nearly like it, names that hold it, else all ids where they are few."""
    near = [
        id for id, _, _ in process.extract(term, list(known), limit=NEAR, scorer=fuzz.ratio, score_cutoff=LIKE)
    ] or more()
    if near:
        return f"near: {', '.join(near)}"
    if not known:
        return "there is none: null"
    return f"one of {', '.join(known)}" if len(known) <= LISTED else "nothing known is near"
