"""What a cue reaches: which heads of a clause are denied, hedged, historical or advised."""

from __future__ import annotations

from cabs.parsing.clauses import Clause, is_verb
from cabs.parsing.heads import Head
from cabs.parsing.lexicon import Cue
from cabs.parsing.scan import CUE, ENTITY, SIZE, STATE, Token

_OPENERS = frozenset(("a", "an"))


class Reach:
    """A cue at index `at` of its clause and the token indices [start, end) that it governs."""

    __slots__ = ("at", "cue", "end", "start")

    def __init__(self, cue: Cue, at: int, start: int, end: int) -> None:
        self.cue, self.at, self.start, self.end = cue, at, start, end

    def covers(self, head: Head) -> bool:
        """True where the head lies within the reach."""
        return self.start <= head.at < self.end


def reaches(clause: Clause, *classes: str) -> list[Reach]:
    """The reaches of all cues of these classes in a clause."""
    found = []
    for at, token in enumerate(clause.tokens):
        cue = token.form.cue(*classes) if token.form is not None and token.kind not in (ENTITY,) else None
        if cue is None:
            continue
        if cue.direction in ("forward", "both"):
            found.append(Reach(cue, at, at + 1, _forward(clause.tokens, at, cue)))
        if cue.direction in ("backward", "both"):
            found.append(Reach(cue, at, _backward(clause.tokens, at, cue), at))
    return found


def _forward(tokens: list[Token], at: int, cue: Cue) -> int:
    if cue.reach in ("clause", "sentence"):
        return len(tokens)
    listed = any(t.text in ("or", "nor") for t in tokens[at + 1 :])
    heads_seen = 0
    for i in range(at + 1, len(tokens)):
        token = tokens[i]
        if token.kind in (ENTITY, STATE):
            heads_seen += 1
        if heads_seen and _ends(tokens, i, cue, listed):
            return i
    return len(tokens)


def _ends(tokens: list[Token], i: int, cue: Cue, listed: bool) -> bool:
    token = tokens[i]
    if cue.cls == "certainty" and (token.text == "with" or is_verb(token)):
        return True
    if token.text == "with":
        return i + 1 < len(tokens) and _affirms(tokens[i + 1])
    if token.kind != "&":
        return False
    if cue.reach == "phrase" and cue.cls != "certainty" and not listed:
        return True
    following = tokens[i + 1] if i + 1 < len(tokens) else None
    return following is not None and not listed and _affirms(following)


def _affirms(token: Token) -> bool:
    """A word that opens a new statement rather than the next item of a denied or hedged list."""
    if token.text in _OPENERS or token.kind == SIZE:
        return True
    if token.form is not None and token.form.cue("affirm") is not None:
        return True
    return any(kind in ("severity", "count") for kind, _ in token.attributes) and token.kind != STATE


def _backward(tokens: list[Token], at: int, cue: Cue) -> int:
    """Where the clause's subject starts: behind the last verb before the cue, but for a copula beside it."""
    start = 0
    for i in range(at - 1, -1, -1):
        if is_verb(tokens[i]) and any(t.kind in (ENTITY, STATE) for t in tokens[i + 1 : at]):
            start = i + 1
            break
    if cue.reach == "phrase":
        commas = [i for i in range(start, at) if tokens[i].text == "," and any(
            t.kind in (ENTITY, STATE) for t in tokens[i + 1 : at])]
        start = commas[-1] + 1 if commas else start
    return start


def alternatives(clause: Clause, heads: list[Head]) -> set[int]:
    """Positions in `heads` of those that stand as alternatives ("A versus B", "A or B")."""
    found: set[int] = set()
    for i in range(len(heads) - 1):
        between = clause.tokens[heads[i].end : heads[i + 1].at]
        if any(is_verb(t) for t in between):
            continue
        if any(t.text == "or" or (t.kind == CUE and t.form is not None and t.form.cue("alternative")) for t in between):
            found.update((i, i + 1))
    return found
