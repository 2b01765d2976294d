"""A rated row → the fact that stands, checked against the report's text and the ontology."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from cabs.errors import CabsError
from cabs.ontology import Ontology
from cabs.ontology.search import search
from cabs.parsing.parser import parser_of
from cabs.parsing.places import NOWHERE, Where
from cabs.scoring.quoted import QuoteReader
from cabs.studies.audit.columns import NONE, OTHER_NAME, PREFIX, pieces, size_kinds, slots_in_words, squeezed
from cabs.studies.audit.make import quotes_hash
from cabs.studies.audit.rows import SheetRow
from cabs.values import OTHER, Attribute, Fact, Location, Span

CLOSED = ("status", "entity", "organ", "side", "certainty")
"""Columns that show a slot and that no spreadsheet program changes by itself."""
NEAR = 3
"""Near names that a message offers."""

Cells = Mapping[str, str]


class RowError(CabsError):
    """What is wrong with one row of a sheet."""


class Checker:
    """Checks the rows of one sheet under one ontology."""

    def __init__(self, ontology: Ontology) -> None:
        self.ontology, self.quotes = ontology, QuoteReader(ontology)
        self._sizes = size_kinds(ontology)
        self._parser = parser_of(ontology)

    def rated(self, row: SheetRow, text: str) -> Fact | None:
        """The fact of a rated row as it stands: as it was, corrected, or None where it is rejected.

        Raises:
            RowError: the row contradicts itself, its evidence is not in the text, or it names what the ontology does
                not know.
        """
        fact = row.fact
        if fact is None:
            raise RowError("the machine column holds no fact", hint="take it from the sheet that was made")
        self._unchanged(fact, row)
        _in_place(fact, row, text)
        if row.rating == "reject":
            if row.corrections:
                column = PREFIX + next(iter(row.corrections))
                hint = "write correct to keep the fact as corrected, or empty the column to reject it"
                raise RowError(f"the rating is reject, but {column} holds a value", hint=hint)
            return None
        if row.rating == "accept":
            if row.corrections:
                column = PREFIX + next(iter(row.corrections))
                raise RowError(f"the rating is accept, but {column} holds a value", hint="write correct, or empty it")
            return self._verbatim(fact, text)
        if not row.corrections:
            raise RowError(f"the rating is correct, but no {PREFIX} column holds a value")
        return self._verbatim(self._corrected(fact, row.corrections, text), text)

    def added(self, cells: Cells, text: str) -> Fact:
        """The fact that a row adds. It needs an entity and evidence; the rest has usual values.

        Raises:
            RowError: as for rated rows.
        """
        for name in ("entity", "evidence"):
            if name not in cells:
                raise RowError(f"a fact that is added needs {PREFIX}{name}")
        empty = Fact(
            "findings", "present", OTHER, "abnormality", "", None, None, Location(), (), "definite", Span(0, 0), ()
        )
        return self._corrected(empty, cells, text)

    def _unchanged(self, fact: Fact, row: SheetRow) -> None:
        expected = slots_in_words(fact, self._sizes)
        for name in CLOSED:
            if row.shown[name] != expected[name]:
                hint = f"corrections stand in {PREFIX}{name}; the column itself stays {expected[name]!r}"
                raise RowError(f"column {name!r} was changed", hint=hint)

    def _verbatim(self, fact: Fact, text: str) -> Fact:
        """The fact, if its evidence lies in the text."""
        spans = (fact.mention, *fact.evidence)
        if any(span.end > len(text) for span in spans) or not text[slice(*fact.mention)].strip():
            hint = f"quote it in {PREFIX}evidence, or reject the fact"
            raise RowError("its evidence is not in the text", hint=hint)
        return fact

    def _corrected(self, fact: Fact, cells: Cells, text: str) -> Fact:
        where = self._where(cells, text)
        organ = self._organ(cells["organ"]) if "organ" in cells else fact.organ
        changed: dict[str, object] = {name: cells[name] for name in ("section", "status", "certainty") if name in cells}
        if where is not None:
            changed["location"] = Location(self._emptied(cells["location"]), where.ids)
            changed["side"] = where.side or fact.side
        if "side" in cells:
            changed["side"] = self._emptied(cells["side"]) or None
        if "entity" in cells:
            changed |= self._entity(cells["entity"], where or Where(ids=fact.location.ids), organ)
        if "organ" in cells or "entity" not in cells:
            changed["organ"] = organ
        if "size" in cells or "attributes" in cells:
            changed["attributes"] = self._attributes(fact, cells, text)
        if "evidence" in cells:
            changed |= self._evidence(cells["evidence"], text)
        return replace(fact, **changed)  # type: ignore[arg-type]  # closed vocabularies, checked on reading

    def _emptied(self, cell: str) -> str:
        return "" if cell.lower() == NONE else cell

    def _where(self, cells: Cells, text: str) -> Where | None:
        """What the corrected place words name; None where they aren't corrected."""
        if "location" not in cells:
            return None
        words = self._emptied(cells["location"])
        if not words:
            return NOWHERE
        _in_text(words, text, "location")
        organ = cells.get("organ")
        return self.quotes.where((words,), organ if organ in self.ontology.organs else None)

    def _organ(self, cell: str) -> str | None:
        if cell.lower() == NONE:
            return None
        if cell not in self.ontology.organs:
            raise RowError(f"organ {cell!r} is unknown", hint=self._near(cell, "organ", self.ontology.organs))
        return cell

    def _entity(self, cell: str, where: Where, organ: str | None) -> dict[str, object]:
        """The slots that a corrected entity decides: id, kind, name and organ."""
        if cell.lower().startswith(OTHER_NAME):
            name = cell[len(OTHER_NAME) :].strip()
            return {"entity": OTHER, "kind": "abnormality", "name": name, "organ": organ}
        known = self._known(cell)
        name = self.ontology.entity(known).label if known else cell
        entity = known if known and self.ontology.entity(known).organs else self.quotes.entity(name, where, organ)
        if entity == OTHER:
            hint = f"{self._near(cell, None, ())}; a name that the ontology lacks is written {OTHER_NAME} NAME"
            raise RowError(f"entity {cell!r} is unknown", hint=hint)
        record = self.ontology.entity(entity)
        organs = record.organs or tuple(filter(None, map(self.ontology.organ_of, record.places)))
        own = organ if organ in organs or not organs else organs[0]
        return {"entity": entity, "kind": self.quotes.kind(entity), "name": record.label, "organ": own}

    def _known(self, id: str) -> str | None:
        try:
            return self.ontology.entity(id).id
        except KeyError:
            return None

    def _near(self, term: str, type: str | None, every: Mapping[str, object] | tuple[()]) -> str:
        hits = search(self.ontology, term, NEAR * 3, type)
        ids = [hit.id for hit in hits if type is not None or hit.id in self.ontology.entities][:NEAR]
        return f"near: {', '.join(ids)}" if ids else f"one of {', '.join(every)}" if every else "no name is near"

    def _attributes(self, fact: Fact, cells: Cells, text: str) -> tuple[Attribute, ...]:
        sizes = [a for a in fact.attributes if a.kind in self._sizes]
        others = [a for a in fact.attributes if a.kind not in self._sizes]
        if "size" in cells:
            (kind,) = self._sizes
            sizes = [self._attribute(kind, piece, text) for piece in pieces(self._emptied(cells["size"]))]
        if "attributes" in cells:
            others = [self._typed(piece, text) for piece in pieces(self._emptied(cells["attributes"]))]
        return (*sizes, *others)

    def _typed(self, piece: str, text: str) -> Attribute:
        kind, colon, words = (part.strip() for part in piece.partition(":"))
        if not colon or not words:
            raise RowError(f"{piece!r} is no attribute", hint='write "kind: words; kind: words"')
        if kind not in self.ontology.attribute_kinds:
            kinds = ", ".join(self.ontology.attribute_kinds)
            raise RowError(f"attribute kind {kind!r} is unknown", hint=f"one of {kinds}")
        return self._attribute(kind, words, text)

    def _attribute(self, kind: str, words: str, text: str) -> Attribute:
        _in_text(words, text, "attribute")
        (attribute,) = self.quotes.attributes(words, kind)
        if kind in self._sizes and not attribute.mm:
            raise RowError(f"size {words!r} holds no measurement", hint='for example "9 mm" or "2.1 x 1.4 cm"')
        return attribute

    def _evidence(self, words: str, text: str) -> dict[str, object]:
        span = _found(words, text)
        if span is None:
            raise RowError(
                f"the evidence is not in the report to the letter: {words[:60]!r}", hint="copy it from there"
            )
        return {"mention": span, "evidence": (self._sentence(span, text),)}

    def _sentence(self, span: Span, text: str) -> Span:
        """The sentence that holds the span; the span itself outside of sentences that are read."""
        for stretch in self._parser.stretches(text):
            for sentence in self._parser.sentences(text, stretch):
                if sentence.start <= span.start and span.end <= sentence.end:
                    return Span(sentence.start, sentence.end)
        return span


def _in_place(fact: Fact, row: SheetRow, text: str) -> None:
    """White space that was added or taken away moves every position behind it, though no word has changed."""
    if row.quotes in ("", quotes_hash(fact, text)):
        return
    there = squeezed(text[slice(*fact.mention)])[:60]
    number = "" if row.number is None else f"row {row.number}, "
    raise RowError(
        f"{number}report {row.key}: the sheet has {row.evidence[:60]!r}, its place in the text now holds {there!r}",
        hint="the text was changed after the sheet was made; --reports takes the same file",
    )


def _found(words: str, text: str) -> Span | None:
    """Where words stand in a text, white space aside: a cell shows a line end as a space."""
    at = text.find(words)
    if at >= 0:
        return Span(at, at + len(words))
    places = [i for i, char in enumerate(text) if not char.isspace()]
    dense = "".join(text[i] for i in places)
    wanted = "".join(words.split())
    at = dense.find(wanted) if wanted else -1
    return Span(places[at], places[at + len(wanted) - 1] + 1) if at >= 0 else None


def _in_text(words: str, text: str, what: str) -> None:
    if squeezed(words).lower() not in squeezed(text).lower():
        raise RowError(f"the {what} words {words!r} are not in the report", hint="copy them from there")
