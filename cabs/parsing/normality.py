"""What a clause says is normal: organs by name, and denials of anything abnormal at all."""

from __future__ import annotations

from cabs.ontology import Ontology
from cabs.ontology.rules import DENIED_NOUN
from cabs.parsing import interned
from cabs.parsing.heads import Head
from cabs.parsing.places import Where
from cabs.parsing.scan import ENTITY, PLACE, Token
from cabs.parsing.scope import Reach
from cabs.values import Span


def normal_organs(
    ontology: Ontology, tokens: list[Token], heads: list[Head], denials: list[Reach], topic: Where, above: Where
) -> list[tuple[str, Span]]:
    """The organs that a clause calls normal, each with the characters of the clause that do."""
    found: list[tuple[str, Span]] = []
    for at, token in enumerate(tokens):
        if token.form is None or token.kind == ENTITY or not token.form.cues:
            continue
        if token.form.cue("normality", "global_denial") is None:
            continue
        denied = any(r.start <= at < r.end for r in denials)
        span = interned.span(tokens[0].start, token.end)
        if token.form.cue("normality") and not denied:
            subjects = _subjects(ontology, tokens, heads, topic, above)
            everything = [ROOT] if not subjects and _of_everything(ontology, tokens, at) else []
            found.extend((organ, span) for organ in subjects or everything)
        elif (cue := token.form.cue("global_denial")) is not None and (denied or cue.value != DENIED_NOUN):
            named = [] if cue.value == DENIED_NOUN else [str(cue.value)]
            subjects = _subjects(ontology, tokens, heads, topic, above) or named or [ROOT]
            found.extend((organ, span) for organ in subjects if organ in ontology.organs)
    return found


ROOT = "body"
"""The organ of a statement about everything."""


def _of_everything(ontology: Ontology, tokens: list[Token], at: int) -> bool:
    """True where nothing is called normal but the examination or the part of the body that it shows: "Normal.", "The
    study is within normal limits.", "Chest: normal."."""
    others = (token for i, token in enumerate(tokens) if i != at)
    return all(_frames(ontology, token) for token in others)


def _frames(ontology: Ontology, token: Token) -> bool:
    if token.kind == PLACE and token.form is not None:
        return all(ontology.organ_of(place) is None for place in token.form.places)
    return token.kind in ("d", "v", ";") or (token.form is not None and token.form.cue("exam") is not None)


def _subjects(ontology: Ontology, tokens: list[Token], heads: list[Head], topic: Where, above: Where) -> list[str]:
    taken = {j for head in heads for j in range(head.first, head.end)}
    spoken = [t for j, t in enumerate(tokens) if t.kind == PLACE and t.form is not None and j not in taken]
    organs = [o for t in spoken if t.form for p in t.form.places[:1] if (o := ontology.organ_of(p))]
    return list(dict.fromkeys(organs or [o for o in (topic.organ or above.organ,) if o]))
