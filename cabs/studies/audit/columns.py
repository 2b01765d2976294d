"""The columns of the sheet, and the words that a rater writes into it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from cabs.ontology import Ontology
from cabs.values import Attribute, Fact

Rating = Literal["accept", "reject", "correct"]
What = Literal["fact", "none", "add"]

SLOTS = (
    "section", "status", "entity", "name", "organ", "side", "location", "size", "attributes", "certainty",
)  # fmt: skip
"""What a fact says, column by column."""

CORRECTED = ("section", "status", "entity", "organ", "side", "location", "size", "attributes", "certainty", "evidence")
"""What a rater can correct, in columns that start with `correct_`."""

PREFIX = "correct_"
MACHINE = "machine"
"""The last column: the fact as JSON, so that nothing of it is lost on the way through a spreadsheet program."""

COLUMNS = (
    "row", "report", "system", "what", "sentence", "evidence", *SLOTS, "rating",
    *(PREFIX + name for name in CORRECTED), "comment", MACHINE,
)  # fmt: skip

NONE = "none"
"""What a rater writes to empty a slot."""

OTHER_NAME = "other:"
"""What stands before the name of an entity that the ontology does not know."""

CHOICES = {
    "rating": ("accept", "reject", "correct"),
    "correct_section": ("findings", "impression"),
    "correct_status": ("present", "absent"),
    "correct_side": ("right", "left", "bilateral", NONE),
    "correct_certainty": ("definite", "possible"),
}
"""The closed vocabularies."""


def size_kinds(ontology: Ontology) -> frozenset[str]:
    """The attribute kinds that are measurements."""
    return frozenset(kind.kind for kind in ontology.attribute_kinds.values() if kind.compare == "size")


def slots_in_words(fact: Fact, sizes: frozenset[str]) -> dict[str, str]:
    """What a fact says, by column of `SLOTS`. Attributes are "kind: words; kind: words"."""
    return {
        "section": fact.section,
        "status": fact.status,
        "entity": fact.entity,
        "name": fact.name,
        "organ": fact.organ or "",
        "side": fact.side or "",
        "location": fact.location.text or ", ".join(fact.location.ids),
        "size": "; ".join(_words(a) for a in fact.attributes if a.kind in sizes),
        "attributes": "; ".join(f"{a.kind}: {_words(a)}" for a in fact.attributes if a.kind not in sizes),
        "certainty": fact.certainty,
    }


def _words(attribute: Attribute) -> str:
    return " ".join(attribute.text.split()) or attribute.value or ""


def pieces(cell: str) -> Iterator[str]:
    """The items of a cell that holds a list with semicolons."""
    return (piece.strip() for piece in cell.split(";") if piece.strip())


def squeezed(text: str) -> str:
    """The text with every run of white space as one space."""
    return " ".join(text.split())
