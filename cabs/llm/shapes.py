"""The shapes of answers: what is accepted (pydantic, nothing is turned into another type), and the JSON schemas that
servers are given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from cabs.llm.failure import RefusedError
from cabs.llm.said import object_in
from cabs.values import Certainty, Side, Status

MOST = 120
"""Items of a list at most."""
NAME, PLACE, WORDS, QUOTE = 120, 200, 200, 2000
"""Characters of a name, a place, an attribute and a quote at most."""

Unstated = Literal["unstated"]
_Text = Annotated[str, Field(max_length=QUOTE)]
_Name = Annotated[str, Field(min_length=1, max_length=NAME)]


class _Shape(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class AttributeSaid(_Shape):
    """One attribute."""

    kind: Annotated[str, Field(max_length=NAME)]
    text: Annotated[str, Field(max_length=WORDS)]


class FactSaid(_Shape):
    """One fact as an answer states it."""

    name: _Name
    status: Status
    organ: Annotated[str, Field(max_length=NAME)]
    location: Annotated[str, Field(max_length=PLACE)]
    side: Side | Unstated
    attributes: Annotated[list[AttributeSaid], Field(max_length=MOST)]
    certainty: Certainty
    mention: _Text
    evidence: _Text


class NormalSaid(_Shape):
    """One normality statement."""

    organ: Annotated[str, Field(max_length=NAME)]
    evidence: _Text


class Extraction(_Shape):
    """What a report states."""

    facts: Annotated[list[FactSaid], Field(max_length=MOST)]
    normal: Annotated[list[NormalSaid], Field(max_length=MOST)]


class VerdictSaid(_Shape):
    """The verdict on one fact of the reference."""

    id: Annotated[str, Field(max_length=12)]
    hit: bool
    location_match: bool
    attribute_match: bool
    certainty_match: bool
    evidence: _Text


class FalseSaid(_Shape):
    """An abnormality that only the prediction states."""

    name: _Name
    organ: Annotated[str, Field(max_length=NAME)]
    evidence: _Text


class JudgementSaid(_Shape):
    """What became of the reference's facts, and what the prediction states besides."""

    verdicts: Annotated[list[VerdictSaid], Field(max_length=4 * MOST)]
    false_positives: Annotated[list[FalseSaid], Field(max_length=MOST)]


class MatchSaid(_Shape):
    """Two facts that are the same abnormality."""

    reference: Annotated[str, Field(max_length=12)]
    prediction: Annotated[str, Field(max_length=12)]


class Matches(_Shape):
    """Which facts of two lists are the same."""

    matches: Annotated[list[MatchSaid], Field(max_length=4 * MOST)]


class Rewording(_Shape):
    """A report in other words."""

    report: Annotated[str, Field(min_length=1, max_length=20_000)]


S = TypeVar("S", bound=_Shape)


def shaped(text: str, shape: type[S]) -> S:
    """The answer in a text.

    Raises:
        RefusedError: it has another shape; the reason names the field, never its content.
    """
    value = object_in(text, frozenset(shape.model_fields))
    try:
        found = shape.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise RefusedError(f"{place[:60]}: {first['msg'][:100]}") from None
    except RecursionError:
        raise RefusedError("it is nested too deeply") from None
    _writable(value)
    return found


def _writable(value: Any) -> None:
    """Refuse halves of characters, which no file can hold, and NUL, which no reader of one takes."""
    if isinstance(value, str):
        if any("\ud800" <= c <= "\udfff" or c == "\0" for c in value):
            raise RefusedError("it holds half a character, or NUL")
    elif isinstance(value, Mapping):
        for item in value.values():
            _writable(item)
    elif isinstance(value, list):
        for item in value:
            _writable(item)


Json = dict[str, Any]


def extraction_schema(organs: Sequence[str], kinds: Sequence[str]) -> Json:
    """The schema of `Extraction` with the closed lists of an ontology."""
    attribute = _object(kind=_one_of(kinds), text=_string(WORDS))
    fact = _object(
        name=_string(NAME),
        status=_one_of(("present", "absent")),
        organ=_one_of(organs),
        location=_string(PLACE),
        side=_one_of(("right", "left", "bilateral", "unstated")),
        attributes=_list(attribute, 8),
        certainty=_one_of(("definite", "possible")),
        mention=_string(NAME),
        evidence=_string(QUOTE // 4),
    )
    normal = _object(organ=_one_of(organs), evidence=_string(QUOTE // 4))
    return _object(facts=_list(fact, MOST // 2), normal=_list(normal, MOST // 4))


def judgement_schema(organs: Sequence[str]) -> Json:
    """The schema of `JudgementSaid`."""
    flag = {"type": "boolean"}
    verdict = _object(
        id=_string(12), hit=flag, location_match=flag, attribute_match=flag, certainty_match=flag,
        evidence=_string(QUOTE // 4),
    )  # fmt: skip
    false = _object(name=_string(NAME), organ=_one_of(organs), evidence=_string(QUOTE // 4))
    return _object(verdicts=_list(verdict, MOST), false_positives=_list(false, MOST // 2))


def matches_schema() -> Json:
    """The schema of `Matches`."""
    return _object(matches=_list(_object(reference=_string(12), prediction=_string(12)), MOST))


def rewording_schema() -> Json:
    """The schema of `Rewording`."""
    return _object(report={"type": "string"})


def _object(**properties: Json) -> Json:
    return {
        "type": "object", "properties": properties, "required": list(properties), "additionalProperties": False,
    }  # fmt: skip


def _list(item: Json, most: int) -> Json:
    return {"type": "array", "items": item, "maxItems": most}


def _string(longest: int) -> Json:
    return {"type": "string", "maxLength": longest}


def _one_of(values: Sequence[str]) -> Json:
    return {"type": "string", "enum": list(values)}
