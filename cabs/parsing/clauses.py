"""Tokens of a sentence → clauses, each with a subject and a verb of its own."""

from __future__ import annotations

from cabs.parsing.grammar import word_class
from cabs.parsing.scan import CUE, ENTITY, PLACE, SIDE, STATE, Token

_HARD = ("hard", None)


def clauses(tokens: list[Token]) -> list[list[Token]]:
    """The clauses of a sentence in order. Separators stay at the head of what they open."""
    found: list[list[Token]] = [[]]
    for segment in _segments(tokens):
        lead = segment[0]
        if _is_hard(lead) or (lead.kind == "&" and _opens(found[-1], segment)):
            found.append(segment)
        else:
            found[-1].extend(segment)
    return [clause for clause in found if clause]


def _segments(tokens: list[Token]) -> list[list[Token]]:
    segments: list[list[Token]] = []
    segment: list[Token] = []
    for token in tokens:
        if segment and (token.kind == "&" or _is_hard(token)):
            segments.append(segment)
            segment = []
        segment.append(token)
    return [*segments, segment] if segment else segments


def _is_hard(token: Token) -> bool:
    if token.text == ";":
        return True
    if token.form is None or not token.form.cues or token.kind in (ENTITY, STATE, PLACE):
        return False
    cue = token.form.cue("terminator", "exception")
    return cue is not None and cue.value in _HARD


def is_verb(token: Token) -> bool:
    """True for a finite verb, also one within a cue ("is seen")."""
    if token.kind == "v":
        return True
    return token.kind == CUE and token.form is not None and token.form.cue("affirm") is not None


def _has_predicate(tokens: list[Token]) -> bool:
    return any(is_verb(t) or said_after(t) or _holds_verb(t) for t in tokens)


def _holds_verb(token: Token) -> bool:
    """True for a finding that is told as a whole clause ("wall is thickened")."""
    return token.kind == ENTITY and " " in token.text and any(word_class(word) == "v" for word in token.text.split())


def said_after(token: Token) -> bool:
    """True for a cue that closes a statement ("was not detected")."""
    if token.kind != CUE or token.form is None:
        return False
    cue = token.form.cue("negation", "certainty")
    return cue is not None and cue.direction == "backward"


def _opens(before: list[Token], segment: list[Token]) -> bool:
    """True where a soft separator starts a new clause rather than the next item of a list."""
    rest = segment[1:]
    if not rest or not before:
        return False
    if rest[0].form is not None and (cue := rest[0].form.cue("negation")) and cue.direction != "backward":
        return True
    if segment[0].text in ("or", "nor", "/"):
        return False
    if is_verb(rest[0]) and not _states(before):
        return False  # "the spleen measures 15 cm and is enlarged"
    verb = next((i for i, t in enumerate(rest) if is_verb(t) or _normal(t)), None)
    subject = rest[:verb] if verb is not None else rest
    subjects = {t.kind for t in subject}
    if verb is not None and PLACE in subjects and ENTITY not in subjects and _says_something(before):
        return True
    if segment[0].text == "," and _subject_state(rest):
        return True
    return _has_predicate(rest) and _has_predicate(before)


def _states(tokens: list[Token]) -> bool:
    return any(t.kind in (ENTITY, STATE) for t in tokens)


def _says_something(tokens: list[Token]) -> bool:
    return _states(tokens) or any(is_verb(t) or (t.kind == CUE and not _turns(t)) for t in tokens)


def _normal(token: Token) -> bool:
    return token.kind == CUE and token.form is not None and token.form.cue("normality") is not None


def _turns(token: Token) -> bool:
    """True for a word that only opens a clause ("but")."""
    return token.form is not None and token.form.cue("terminator") is not None


def _subject_state(rest: list[Token]) -> bool:
    """ "..., liver enlarged": a place and its predicate without a verb."""
    kinds = [t.kind for t in rest if t.kind not in ("d", SIDE)]
    return kinds[:2] == [PLACE, STATE]
