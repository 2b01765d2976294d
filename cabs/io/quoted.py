"""Facts that a person annotated: names and quoted words instead of ids and positions (the gold format)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

from cabs.errors import InputError
from cabs.io.fields import clean_text
from cabs.io.record import kind_of, one_of
from cabs.values import Certainty, QuotedFact, QuotedReport, Section, Side, Status


def quoted_report(value: Mapping[str, object], place: str) -> QuotedReport:
    """`{"text", "facts": [{section, status, name, mention, sentence, organ, location, side, attributes,
    certainty}]}`. Without a text the quotes have no positions.

    Raises:
        InputError: a field is missing or has another type; the place names the fact.
    """
    facts = value.get("facts")
    if not isinstance(facts, list):
        raise InputError(f"'facts' holds {kind_of(facts)}, a list expected", place=place)
    text = value.get("text")
    quoted = tuple(quoted_fact(fact, f"{place}: facts[{i}]") for i, fact in enumerate(facts))
    return QuotedReport(quoted, None if text is None else clean_text(text, "text", place))


def quoted_fact(value: object, place: str) -> QuotedFact:
    """One fact of the gold format."""
    if not isinstance(value, Mapping):
        raise InputError(f"an object expected, found {kind_of(value)}", place=place)
    name = value.get("name")
    if not isinstance(name, str) or not name.strip():
        raise InputError("a fact needs a 'name'", place=place)
    return QuotedFact(
        section=one_of(value, "section", get_args(Section), place, "findings"),
        status=one_of(value, "status", get_args(Status), place, "present"),
        name=clean_text(name, "name", place),
        organ=_optional_text(value, "organ", place) or None,
        location=words(value.get("location"), place),
        side=one_of(value, "side", (*get_args(Side), None), place, None),
        attributes=_attributes(value.get("attributes"), place),
        certainty=one_of(value, "certainty", get_args(Certainty), place, "definite"),
        mention=_optional_text(value, "mention", place),
        evidence=_optional_text(value, "sentence", place) or _optional_text(value, "evidence", place),
    )


def words(value: object, place: str) -> tuple[str, ...]:
    """Quoted words: text, a list of texts, or an object with `text`; nothing where unstated."""
    if isinstance(value, Mapping):
        value = value.get("text")
    items = value if isinstance(value, list) else [value]
    for item in items:
        if item is not None and not isinstance(item, str):
            raise InputError(f"text expected, found {kind_of(item)}", place=place)
    return tuple(item for item in items if isinstance(item, str) and item.strip())


def _attributes(value: object, place: str) -> tuple[tuple[str | None, str], ...]:
    """[(kind, text)]; one string is one attribute whose kind is still to be found."""
    if value is None or value == "":
        return ()
    if isinstance(value, str):
        return ((None, value),)
    if not isinstance(value, list):
        raise InputError(f"'attributes' holds {kind_of(value)}, text or a list expected", place=place)
    return tuple(_attribute(item, place) for item in value)


def _attribute(value: object, place: str) -> tuple[str | None, str]:
    if isinstance(value, str):
        return None, value
    if not isinstance(value, Mapping) or not isinstance(value.get("text"), str):
        raise InputError("an attribute is text, or an object with 'kind' and 'text'", place=place)
    kind = value.get("kind")
    if kind is not None and not isinstance(kind, str):
        raise InputError(f"'kind' holds {kind_of(kind)}, text expected", place=place)
    return kind, str(value["text"])


def _optional_text(fields: Mapping[str, object], name: str, place: str) -> str:
    value = fields.get(name)
    if value is None:
        return ""
    return clean_text(value, name, place)
