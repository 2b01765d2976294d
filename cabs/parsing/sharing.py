"""What a statement leaves unsaid about its place and the statement before it in the sentence says."""

from __future__ import annotations

from cabs.ontology import Ontology
from cabs.parsing.places import Where


def shared(own: Where, source: Where, ontology: Ontology) -> Where:
    """A statement's place with what it takes over from an earlier one of its sentence.

    Without a place of its own it is where the earlier one is if both lie in one organ, else on its side ("left rib
    fractures with pneumothorax"). With a place but no side it takes the side, unless it lies in the midline.
    """
    if source.organ is None:
        return own
    if own.organ is None:  # it waits for a place from the sentences before
        return own if own.side or own.spans else own._replace(side=source.side, spans=source.side_spans)
    near = own.organ == source.organ
    if near and not own.spans and not own.ids:
        return source
    if own.side or not source.side or not ontology.organs[own.organ].paired or not sided(own, ontology):
        return own
    if own.spans and not near and not own.ids:
        return own
    return own._replace(side=source.side, spans=(*source.side_spans, *own.spans))


def lent(place: Where, organ: str | None, ontology: Ontology) -> Where:
    """What a place that is not the statement's own says of one in `organ`: of another organ than its own at most the
    side."""
    if organ is None or place.organ in (None, organ):
        return place
    return place if ontology.organs[organ].paired else place._replace(side=None)


def sided(where: Where, ontology: Ontology) -> bool:
    """True for a place that can be on a side: none of its structures lies in the midline."""
    return all(ontology.structures[place].side != "midline" for place in where.ids)
