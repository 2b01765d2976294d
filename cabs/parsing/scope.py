"""What a cue reaches: which heads of a clause are denied, hedged, historical or advised."""

from __future__ import annotations

from cabs.ontology.rules import CueClass
from cabs.parsing.clauses import is_verb
from cabs.parsing.form import Cue
from cabs.parsing.grammar import BOUNDS, WITHOUT
from cabs.parsing.heads import Head, none_there
from cabs.parsing.scan import ATTRIBUTE, CUE, ENTITY, PLACE, SIDE, SIZE, STATE, Token

_OPENERS = frozenset(("a", "an"))


class Reach:
    """A cue at index `at` of its clause and the token indices [start, end) that it governs."""

    __slots__ = ("at", "cue", "end", "start")

    def __init__(self, cue: Cue, at: int, start: int, end: int) -> None:
        self.cue, self.at, self.start, self.end = cue, at, start, end

    def covers(self, head: Head) -> bool:
        """True where the head lies within the reach."""
        return self.start <= head.at < self.end


def reaches(clause: list[Token], cls: CueClass) -> list[Reach]:
    """The reaches of all cues of a class in a clause."""
    return Cued(clause).reaches(cls)


def covered(reaches: list[Reach], head: Head) -> bool:
    """True where the head lies within one of these reaches."""
    return bool(reaches) and any(reach.start <= head.at < reach.end for reach in reaches)


class Cued:
    """The words of a clause that are cues, found once for all classes."""

    def __init__(self, clause: list[Token]) -> None:
        self._clause = clause
        self._cues: dict[CueClass, list[tuple[int, list[Cue]]]] = {}
        for at, token in enumerate(clause):
            if token.form is not None and token.form.cues and token.kind != ENTITY:
                for cue in token.form.cues:
                    self._add(at, cue)

    def _add(self, at: int, cue: Cue) -> None:
        known = self._cues.setdefault(cue.cls, [])
        if known and known[-1][0] == at:
            known[-1][1].append(cue)
        else:
            known.append((at, [cue]))

    def reaches(self, cls: CueClass) -> list[Reach]:
        """The reaches of all cues of this class."""
        known = self._cues.get(cls)
        return [] if known is None else [r for at, cues in known for r in _governed(self._clause, at, cues)]


def _governed(tokens: list[Token], at: int, cues: list[Cue]) -> list[Reach]:
    """A word that can act both ways acts on what follows, or at the end of its clause on what precedes; so does any
    hedge that is the last word ("pneumonia likely")."""
    if cues[0].cls == "negation" and none_there(tokens, at):
        return [Reach(cues[0], at, at, at + 1)]
    forward = [Reach(c, at, at + 1, _forward(tokens, at, c)) for c in cues if c.direction != "backward"]
    last = not any(t.text[0].isalnum() for t in tokens[at + 1 :])
    either = [c for c in cues if c.direction != "forward" or (last and c.cls == "certainty")]
    backward = [Reach(c, at, _backward(tokens, at, c), at) for c in either]
    if not forward or not backward or cues[0].cls == "recommendation":
        return [*forward, *backward]
    if any(t.kind in (ENTITY, STATE) or _denied_noun(t) for r in forward for t in tokens[r.start : r.end]):
        return forward
    return backward if all(t.kind not in ("w", ATTRIBUTE) or not t.text[0].isalnum() for t in tokens[at + 1 :]) else []


def _denied_noun(token: Token) -> bool:
    """True for a noun that means any finding ("no bone abnormality")."""
    return token.kind == CUE and token.form is not None and token.form.cue("global_denial") is not None


def _forward(tokens: list[Token], at: int, cue: Cue) -> int:
    if cue.reach in ("clause", "sentence"):
        return len(tokens)
    if tokens[at].text == "not" and at + 1 < len(tokens) and tokens[at + 1].text == ",":
        return at + 1  # "the left one is not, being occluded"
    last = max((i for i in range(at + 1, len(tokens)) if tokens[i].text in ("or", "nor")), default=-1)
    heads_seen = 0
    for i in range(at + 1, len(tokens)):
        token = tokens[i]
        if token.kind in (ENTITY, STATE) or (token.text == "," and i > at + 1 and tokens[i - 1].kind == "w"):
            heads_seen += 1  # a word that isn't known is an item, too
        if heads_seen and _ends(tokens, i, cue, listed=i <= last):
            return i
        if heads_seen and i > last and at and token.text == "," and tokens[at].text in WITHOUT and _placed(tokens, i):
            return i
    return len(tokens)


def _placed(tokens: list[Token], i: int) -> bool:
    """True where the item behind the comma at `i` has a place of its own: what is told so is there ("bones without
    fracture, hemangioma L2")."""
    end = next((j for j in range(i + 1, len(tokens)) if tokens[j].kind == "&"), len(tokens))
    return any(t.kind in (PLACE, SIDE) for t in tokens[i + 1 : end])


def _ends(tokens: list[Token], i: int, cue: Cue, listed: bool) -> bool:
    token = tokens[i]
    if cue.cls == "certainty" and (token.text == "with" or is_verb(token)):
        return True
    if cue.cls == "history" and cue.value == "procedure" and token.text == "with":
        return True  # what an operation left behind is there
    if token.text == "with":
        following = next((t for t in tokens[i + 1 :] if t.kind != SIDE), None)
        return following is not None and _affirms(following)
    if token.form is not None and token.form.cue("terminator"):
        return True
    if token.kind != "&":
        return False
    if cue.cls == "change" and any(map(_changes, tokens[i:])):
        return True
    if cue.reach == "phrase" and cue.cls != "certainty" and not listed:
        return True
    if cue.cls == "negation" and not listed and _measured(tokens, i):
        return True
    following = tokens[i + 1] if i + 1 < len(tokens) else None
    return (
        following is not None and not listed and (_affirms(following) or (cue.cls == "negation" and _hedges(following)))
    )


def _measured(tokens: list[Token], i: int) -> bool:
    """True where the item behind the conjunction at `i` has a size of its own, which is no bound ("larger than 1 cm"):
    what is measured is there ("no fistula, on the left a seroma of 3 cm")."""
    end = next((j for j in range(i + 1, len(tokens)) if tokens[j].kind == "&"), len(tokens))
    item = tokens[i + 1 : end]
    return any(t.kind == SIZE for t in item) and not any(t.text in BOUNDS for t in item)


def _affirms(token: Token) -> bool:
    """A word that opens a new statement rather than the next item of a denied or hedged list."""
    if token.text in _OPENERS or token.kind == SIZE:
        return True
    if token.form is not None and token.form.cue("affirm") is not None:
        return True
    return any(kind in ("severity", "count") for kind, _ in token.attributes) and token.kind != STATE


def _hedges(token: Token) -> bool:
    """A hedge that opens what a denial leaves ("without a transition, favoring ileus")."""
    cue = token.form.cue("certainty") if token.form is not None and token.kind == CUE else None
    return cue is not None and cue.direction == "forward"


def _changes(token: Token) -> bool:
    return token.form is not None and token.form.cue("change") is not None


def _backward(tokens: list[Token], at: int, cue: Cue) -> int:
    """Where the cue's subject starts: behind the last verb before it, but for a copula beside it; for a hedge, or
    within a phrase, also behind the last comma or "with" that opens a statement of its own."""
    head = next((i for i in range(at - 1, -1, -1) if tokens[i].kind in (ENTITY, STATE)), -1)
    nearest = cue.cls == "recommendation" and tokens[0].kind != "p"  # "a nodule is seen, for which a control ..."
    if head < 0 and not nearest:
        return 0
    first_size = next((i for i in range(at) if tokens[i].kind == SIZE), at)
    listed = False  # an "or" or "and" stands between here and the cue: one sweep, however long the clause is
    for i in range(at - 1, -1, -1):
        listed = listed or tokens[i].text in ("or", "and")
        if (nearest or i < head) and _separates(tokens, i, cue, listed, first_size < i):
            return i + 1
    return 0


def _separates(tokens: list[Token], i: int, cue: Cue, listed: bool, measured: bool) -> bool:
    """`listed`: the words up to the cue are a list; `measured`: something before has a size of its own."""
    token = tokens[i]
    if is_verb(token) or (cue.cls == "change" and _changes(token)):
        return True
    if cue.cls not in ("certainty", "recommendation") and cue.reach != "phrase":
        return token.text == "," and measured  # what is measured is there
    if token.text in ("with", ":", "-", "=", "("):
        return True
    if any(t.text == "which" for t in tokens[i + 1 : i + 3]):
        return token.text == ","
    return token.text == "," and not listed


def alternatives(clause: list[Token], heads: list[Head]) -> set[int]:
    """Positions in `heads` of those that stand as alternatives ("A versus B", "A or B")."""
    found: set[int] = set()
    for i in range(len(heads) - 1):
        between = clause[heads[i].end : heads[i + 1].at]
        if any(is_verb(t) for t in between):
            continue
        if any(t.text == "or" or (t.kind == CUE and t.form is not None and t.form.cue("alternative")) for t in between):
            found.update((i, i + 1))
    return found
