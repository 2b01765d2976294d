"""Facts as JSON: what `cabs parse` writes, and back again to the same values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, get_args

from cabs.errors import InputError
from cabs.io.fields import clean_text
from cabs.io.record import kind_of, one_of
from cabs.values import (
    Attribute,
    Certainty,
    Fact,
    Issue,
    Kind,
    Likelihood,
    Location,
    Normal,
    ParsedReport,
    Section,
    Side,
    Span,
    Status,
)

SIZE_UNIT = "mm"

Json = dict[str, Any]


def fact_to_json(fact: Fact) -> Json:
    """A fact as an object of JSON's own types; `fact_from_json` gives the same fact back."""
    return {
        "section": fact.section,
        "status": fact.status,
        "entity": fact.entity,
        "kind": fact.kind,
        "name": fact.name,
        "organ": fact.organ,
        "side": fact.side,
        "location": {"text": fact.location.text, "ids": list(fact.location.ids)},
        "attributes": [_attribute_to_json(a) for a in fact.attributes],
        "certainty": fact.certainty,
        "likelihood": fact.likelihood,
        "mention": _span_to_json(fact.mention),
        "evidence": [_span_to_json(s) for s in fact.evidence],
    }


def report_to_json(report: ParsedReport) -> Json:
    """`{"facts", "normal", "read", "issues"}` of a parsed report."""
    return {
        "facts": [fact_to_json(f) for f in report.facts],
        "normal": [{"organ": n.organ, **_span_to_json(n.span)} for n in report.normal],
        "read": report.read,
        "issues": [_issue_to_json(i) for i in report.issues],
    }


def without_text(report: ParsedReport, names: Callable[[str], str]) -> ParsedReport:
    """The report's facts with every quoted word taken out: ids, values, numbers and positions stay."""
    return replace(
        report,
        facts=tuple(fact_without_text(f, names) for f in report.facts),
        issues=tuple(Issue(i.code, "", i.span) for i in report.issues),
    )


def fact_without_text(fact: Fact, names: Callable[[str], str]) -> Fact:
    """The fact without its quotes; its name is what `names` gives for its entity, since a name may be a quote
    too."""
    return replace(
        fact,
        name=names(fact.entity),
        location=Location("", fact.location.ids),
        attributes=tuple(replace(a, text="") for a in fact.attributes),
    )


def _span_to_json(span: Span) -> Json:
    return {"start": span.start, "end": span.end}


def _attribute_to_json(attribute: Attribute) -> Json:
    value: object = list(attribute.mm) if attribute.mm else attribute.value
    unit = SIZE_UNIT if attribute.mm else None
    return {"kind": attribute.kind, "text": attribute.text, "value": value, "unit": unit}


def _issue_to_json(issue: Issue) -> Json:
    span = _span_to_json(issue.span) if issue.span else {"start": None, "end": None}
    return {"code": issue.code, "message": issue.message, **span}


def report_from_json(value: Mapping[str, object], place: str) -> ParsedReport:
    """The parsed report of a JSON object. `read` may be left out: then facts or normality statements make it
    read, and so does an empty list of facts, which a person wrote down on purpose.

    Raises:
        InputError: a field is missing or has another type; the place names the fact.
    """
    facts = [fact_from_json(f, f"{place}: facts[{i}]") for i, f in enumerate(_list(value, "facts", place))]
    normal = [_normal(n, f"{place}: normal[{i}]") for i, n in enumerate(_optional_list(value, "normal", place))]
    issues = [_issue(n, f"{place}: issues[{i}]") for i, n in enumerate(_optional_list(value, "issues", place))]
    read = value.get("read", True)
    if not isinstance(read, bool):
        raise InputError(f"'read' holds {kind_of(read)}, true or false expected", place=place)
    return ParsedReport(tuple(facts), tuple(normal), read, tuple(issues))


def within(report: ParsedReport, length: int, place: str) -> None:
    """See that every position of a report's facts lies in its text of `length` characters.

    Raises:
        InputError: one doesn't; the place names the fact.
    """
    found = ((f"facts[{i}]", span) for i, fact in enumerate(report.facts) for span in (fact.mention, *fact.evidence))
    normal = ((f"normal[{i}]", normal.span) for i, normal in enumerate(report.normal))
    for field, span in (*found, *normal):
        if span.end > length:
            message = f"characters {span.start} to {span.end} are not in the text, which has {length}"
            hint = "were the facts read from another text?"
            raise InputError(message, place=f"{place}: {field}", hint=hint)


def fact_from_json(value: object, place: str) -> Fact:
    """The fact of a JSON object as `fact_to_json` writes it.

    Raises:
        InputError: a field is missing or has another type.
    """
    fields = _object(value, place)
    location = _object(fields.get("location", {}), f"{place}.location")
    return Fact(
        section=one_of(fields, "section", get_args(Section), place),
        status=one_of(fields, "status", get_args(Status), place),
        entity=_text(fields, "entity", place),
        kind=one_of(fields, "kind", get_args(Kind), place),
        name=_text(fields, "name", place),
        organ=_text_or_null(fields, "organ", place),
        side=one_of(fields, "side", (*get_args(Side), None), place),
        location=Location(_text(location, "text", f"{place}.location"), _texts(location, "ids", f"{place}.location")),
        attributes=tuple(_attribute(a, place) for a in _optional_list(fields, "attributes", place)),
        certainty=one_of(fields, "certainty", get_args(Certainty), place),
        mention=_span(fields.get("mention"), f"{place}.mention"),
        evidence=tuple(_span(s, f"{place}.evidence") for s in _optional_list(fields, "evidence", place)),
        likelihood=one_of(fields, "likelihood", (*get_args(Likelihood), None), place),
    )


def _attribute(value: object, place: str) -> Attribute:
    fields = _object(value, f"{place}.attributes")
    kind, text = _text(fields, "kind", place), _text(fields, "text", place)
    content = fields.get("value")
    unit = fields.get("unit")
    if unit is not None and (unit != SIZE_UNIT or not isinstance(content, list)):
        hint = f"sizes are lists of millimetres with the unit {SIZE_UNIT!r}; everything else has none"
        raise InputError(f"an attribute's unit is {unit!r}", place=place, hint=hint)
    if isinstance(content, list):
        return Attribute(kind, text, None, _millimetres(content, place))
    if content is not None and not isinstance(content, str):
        raise InputError(f"an attribute's value is {kind_of(content)}, text, a list or null expected", place=place)
    return Attribute(kind, text, content)


def _millimetres(values: Iterable[object], place: str) -> tuple[float, ...]:
    sizes = tuple(values)
    if not all(isinstance(v, int | float) and not isinstance(v, bool) and v >= 0 for v in sizes):
        raise InputError("a size is a list of millimetres", place=place)
    return tuple(float(v) for v in sizes)  # type: ignore[arg-type]


def _normal(value: object, place: str) -> Normal:
    fields = _object(value, place)
    return Normal(_text(fields, "organ", place), _span(fields, place))


def _issue(value: object, place: str) -> Issue:
    fields = _object(value, place)
    span = _span(fields, place) if fields.get("start") is not None else None
    return Issue(_text(fields, "code", place), _text(fields, "message", place), span)


def _span(value: object, place: str) -> Span:
    fields = _object(value, place)
    start, end = fields.get("start"), fields.get("end")
    if type(start) is not int or type(end) is not int or not 0 <= start <= end:
        raise InputError("a span is {start, end} with 0 <= start <= end", place=place)
    return Span(start, end)


def _object(value: object, place: str) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise InputError(f"an object expected, found {kind_of(value)}", place=place)
    return value


def _list(fields: Mapping[str, object], name: str, place: str) -> list[object]:
    value = fields.get(name)
    if not isinstance(value, list):
        raise InputError(f"{name!r} holds {kind_of(value)}, a list expected", place=place)
    return value


def _optional_list(fields: Mapping[str, object], name: str, place: str) -> list[object]:
    return _list(fields, name, place) if fields.get(name) is not None else []


def _text(fields: Mapping[str, object], name: str, place: str) -> str:
    value = fields.get(name, "")
    if not isinstance(value, str):
        raise InputError(f"{name!r} holds {kind_of(value)}, text expected", place=place)
    return clean_text(value, name, place)


def _text_or_null(fields: Mapping[str, object], name: str, place: str) -> str | None:
    return None if fields.get(name) is None else _text(fields, name, place)


def _texts(fields: Mapping[str, object], name: str, place: str) -> tuple[str, ...]:
    values = _optional_list(fields, name, place)
    if not all(isinstance(v, str) for v in values):
        raise InputError(f"{name!r} is a list of texts", place=place)
    return tuple(str(v) for v in values)
