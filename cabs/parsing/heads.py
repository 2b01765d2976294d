"""The heads of a clause: the tokens that name an abnormality, with the words in front that belong to each."""

from __future__ import annotations

from cabs.ontology.rules import CueClass
from cabs.parsing.clauses import is_verb
from cabs.parsing.form import Form
from cabs.parsing.scan import ATTRIBUTE, CUE, ENTITY, PLACE, SIDE, SIZE, STATE, Token
from cabs.parsing.sized_places import Sized, sized_place

_MODIFIERS = (ATTRIBUTE, SIDE, PLACE, SIZE, STATE, ENTITY)
_MODIFYING_CUES: tuple[CueClass, ...] = ("certainty", "change", "filler", "anaphora")
_UNKNOWN_WORDS = 3
_BRACKETS = ("(", ")")
_INTO = frozenset(("in", "at", "within", "on"))
_PRONOUNS = frozenset(("one", "ones"))
_DEFINITE = frozenset(("the", "this", "these", "those", "its", "both"))


class Head:
    """The token at index `at` of a clause names an abnormality.

    Its noun phrase starts at index `first` and ends before `end`. `subject`: the places that a predicate is said of
    (empty for a noun). `definite`: it speaks of something known ("the mass"), `another`: of something new ("a further
    mass"), `largest`: of one of them. `silent`: it states nothing, but what stands behind it is its own.
    """

    __slots__ = ("another", "at", "definite", "end", "first", "largest", "silent", "subject", "token")

    def __init__(self, tokens: list[Token], at: int, first: int, end: int, subject: list[Token]) -> None:
        self.at, self.token, self.first, self.end, self.subject = at, tokens[at], first, end, subject
        self.silent = False
        front = tokens[max(0, first - 1) : at]
        references = [c.value for t in front if t.form is not None and (c := t.form.cue("anaphora")) is not None]
        self.another, self.largest = "other" in references, "largest" in references
        self.definite = not self.another and (bool(references) or any(t.text in _DEFINITE for t in front))


def heads(tokens: list[Token], named: Token | None = None, sized: Sized | None = None) -> list[Head]:
    """The heads of a clause in order. `named`: the noun that the sentence named last before the clause. `sized`: the
    entity that a measured place states under the heading ("Nodes: hilar 14 mm"), and from how many mm on."""
    found: list[Head] = []
    floor = 0
    for at, token in enumerate(tokens):
        if token.kind == ENTITY:
            if at + 1 < len(tokens) and _qualifies(token) and _is_noun(tokens[at + 1]):
                continue
            if _trails(tokens, at, found):
                continue
            if _continues(found, token, at):
                found[-1].end = floor = at + 1
                continue
            head = Head(tokens, at, _phrase_start(tokens, at, floor), at + 1, [])
            twin = _twin(tokens, head, floor)
            if twin is not None:
                found.append(twin)
        elif token.kind == STATE:
            state = _state(tokens, at, floor, found)
            if state is None:
                continue
            head = state
        elif named is not None and token.kind in (CUE, ATTRIBUTE) and (_another(tokens, at) or none_there(tokens, at)):
            head = Head(tokens, at, _phrase_start(tokens, at, floor), at + 1, [])
            head.another = True
            head.token = Token(ENTITY, token.start, token.end, token.text, named.form)
        elif token.kind == PLACE and at >= floor and (place := sized_place(tokens, at, sized)) is not None:
            head = Head(tokens, at, min(_phrase_start(tokens, at, floor), place.first), at + 1, [])
            head.token = Token(ENTITY, token.start, token.end, token.text, Form(token.text, entities=(place.entity,)))
            head.silent = not place.enough
        else:
            continue
        found.append(head)
        named = head.token if head.token.kind == ENTITY else None
        floor = head.end
    return found


def _continues(found: list[Head], token: Token, at: int) -> bool:
    """True for a generic noun right behind a name that it only completes ("pathological node | enlargement")."""
    before = found[-1] if found and found[-1].end == at else None
    return before is not None and before.token.kind == ENTITY and token.form is not None and token.form.generic


def _trails(tokens: list[Token], at: int, found: list[Head]) -> bool:
    """True for an adjective at the end of what describes a measured finding ("nodule, 4 mm, LLL, ground-glass")."""
    form, last = tokens[at].form, at + 1 == len(tokens) or tokens[at + 1].kind == ";"
    if not found or not last or tokens[at - 1].text != "," or form is None or not form.attributes:
        return False
    return any(t.kind == SIZE for t in tokens[found[-1].first : at])


def _is_noun(token: Token) -> bool:
    return token.kind == ENTITY or token.text in _PRONOUNS


def _qualifies(token: Token) -> bool:
    """True for a noun that qualifies the noun behind it: a generic one ("mass lesion") or one that is an attribute, too
    ("ground-glass nodule")."""
    return token.form is not None and (token.form.generic or bool(token.form.attributes))


def _another(tokens: list[Token], at: int) -> bool:
    """True for "another" without a noun: a second one of what was named last ("and another on the left")."""
    form = tokens[at].form
    cue = form.cue("anaphora") if form is not None else None
    if cue is None or cue.value != "other":
        return False
    following = [t.kind for t in tokens[at + 1 :]]
    rest = following[: next((i for i, kind in enumerate(following) if kind == "&"), len(following))]
    if (
        at
        and tokens[at].text in _PRONOUNS
        and (tokens[at - 1].kind in (SIDE, PLACE, SIZE, ATTRIBUTE) or _qualifies(tokens[at - 1]))
    ):
        return not _led(tokens, at - 1)  # "the left one", not "a nodule in the left one"
    return rest[:1] in (["p"], [SIDE], [PLACE], [SIZE]) and ENTITY not in rest and STATE not in rest


def none_there(tokens: list[Token], at: int) -> bool:
    """True for "none" of what was named before, at another place ("effusion on the left, none on the right")."""
    before, behind = tokens[max(0, at - 1) : at], tokens[at + 1 : at + 2]
    return (
        tokens[at].text == "none"
        and any(t.kind == "&" for t in before)
        and any(t.kind in ("p", SIDE, PLACE) for t in behind)
    )


def _twin(tokens: list[Token], head: Head, floor: int) -> Head | None:
    """The first of two that share a noun but not their side ("large right and small left effusions") or, measured one
    by one, not their place ("3 mm RML and 5 mm LUL nodules") or quality ("a 6 mm solid and a 4 mm cystic nodule")."""
    joint = head.first - 1
    if joint > floor and tokens[joint].kind == "d":
        joint -= 1
    if joint <= floor or tokens[joint].kind != "&":
        return None
    first = joint
    while first > floor and tokens[first - 1].kind in (ATTRIBUTE, SIDE, SIZE, PLACE):
        first -= 1
    parts = [{t.kind for t in part} for part in (tokens[first:joint], tokens[head.first : head.at])]
    sided = all(SIDE in kinds and PLACE not in kinds for kinds in parts)
    measured = all(SIZE in kinds for kinds in parts)
    placed, described = all(PLACE in kinds for kinds in parts), parts[0] == {SIZE, ATTRIBUTE}
    if not (sided or (measured and (placed or described))):
        return None
    twin = Head(tokens, joint, first, joint + 1, [])
    twin.token = head.token
    return twin


def _phrase_start(tokens: list[Token], at: int, floor: int) -> int:
    """Index of the first modifier in front of the head at `at`."""
    first, i, unknown, closed = at, at - 1, 0, 0
    while i >= floor:
        token = tokens[i]
        if token.kind == "w":
            unknown += 1
            closed += (token.text == ")") - (token.text == "(")
            if unknown > _UNKNOWN_WORDS or closed < 0:
                break
        elif token.kind == "&":
            if i == floor or not _coordinates(tokens, i):
                break
        elif token.kind in _MODIFIERS or _modifying(token) or (_measures(token) and tokens[i - 1].kind == SIZE):
            first = i
            if token.kind == CUE and token.form is not None and token.form.cue("certainty"):
                break  # what stands before a hedge is not governed by it
        elif token.text == "of" and i > floor and tokens[i - 1].kind == SIZE:
            pass  # "14 mm of pleural fluid"
        elif not (token.kind == "d" and i > floor and (tokens[i - 1].kind == SIDE or _lists_sizes(tokens, i - 1))):
            break
        i -= 1
    return first


def _lists_sizes(tokens: list[Token], i: int) -> bool:
    """True for a conjunction between two measurements ("a 6 mm and a 9 mm nodule")."""
    after = next((t for t in tokens[i + 1 :] if t.kind != "d"), None)
    return tokens[i].kind == "&" and i > 0 and tokens[i - 1].kind == SIZE and after is not None and after.kind == SIZE


def _modifying(token: Token) -> bool:
    if token.kind != CUE or token.form is None or is_verb(token):
        return False
    cue = token.form.cue(*_MODIFYING_CUES)
    return cue is not None and cue.direction != "backward"


def _coordinates(tokens: list[Token], i: int) -> bool:
    """True where the conjunction at `i` joins two modifiers of one noun ("hilar and axillary nodes")."""
    left, right = tokens[i - 1], tokens[i + 1]
    if left.kind == "&" or right.kind == "&":  # ", or"
        left = tokens[i - 2] if left.kind == "&" and i > 1 else left
        right = tokens[i + 2] if right.kind == "&" and i + 2 < len(tokens) else right
    if _lists_sizes(tokens, i):
        return True
    if right.kind == SIDE and left.kind == PLACE and i + 2 < len(tokens):
        right = tokens[i + 2]  # "sternal and left scapular"
    if left.kind == PLACE and right.kind in (PLACE, ENTITY):
        return (left.adjective and not _led(tokens, i - 1)) or _fronted(tokens, i - 1)
    if _measures(left) and i > 1:
        left = tokens[i - 2]  # "8 x 6 cm in size, thick-walled"
    if SIZE in (left.kind, right.kind):
        return {left.kind, right.kind} <= {ATTRIBUTE, STATE, SIZE}
    return left.kind == right.kind and left.kind in (ATTRIBUTE, SIDE)


def _led(tokens: list[Token], i: int) -> bool:
    """True for the last word of a place that a preposition leads to what stands before ("in the left upper lobe
    laterally, contusion")."""
    while i > 0 and tokens[i].kind in (PLACE, SIDE, "d"):
        i -= 1
    return i > 0 and tokens[i].kind == "p" and tokens[i].text in _INTO


def _fronted(tokens: list[Token], i: int) -> bool:
    """True for a place noun that opens its clause, so that it can only qualify ("RML and lingular opacity")."""
    return all(t.kind in (ATTRIBUTE, SIDE, SIZE) for t in tokens[:i])


def _measures(token: Token) -> bool:
    return token.form is not None and token.kind == CUE and token.form.cue("measure") is not None


def _state(tokens: list[Token], at: int, floor: int, found: list[Head]) -> Head | None:
    """A predicate as head: what it is said of stands behind it ("dilated ducts") or before it ("the liver is
    enlarged"). None where it only modifies another head."""
    end = at + 1
    while end < len(tokens) and (
        tokens[end].kind in (ATTRIBUTE, SIDE, PLACE, "w", SIZE, STATE) or _joins_states(tokens, end)
    ):
        end += 1
    following = tokens[at + 1 : end]
    if end < len(tokens) and (tokens[end].kind == ENTITY or _listed(tokens, at, end)):
        return None
    places = [t for t in following if t.kind == PLACE]
    if places and not any(t.kind == "v" for t in following):
        last = max(i for i in range(at + 1, end) if tokens[i].kind == PLACE)
        return Head(tokens, at, _phrase_start(tokens, at, floor), last + 1, tokens[at + 1 : last + 1])
    subject = _subject(tokens, at, floor, found)
    if subject is None or (not subject and _changes(tokens[at])):
        return None
    return Head(tokens, at, _adverbs(tokens, at, floor), at + 1, subject)


def _listed(tokens: list[Token], at: int, end: int) -> bool:
    """True for one of several modifiers in a list in front of a measured noun ("hypodense, 22 mm nodule")."""
    rest = [t.kind for t in tokens[end : end + 4]]
    qualified = ENTITY in rest and rest[:2] == ["&", SIZE] and set(rest[2 : rest.index(ENTITY)]) <= {ATTRIBUTE}
    return qualified and not (at and is_verb(tokens[at - 1]))


def _changes(token: Token) -> bool:
    return token.form is not None and token.form.cue("change") is not None


def _joins_states(tokens: list[Token], i: int) -> bool:
    """True where the conjunction at `i` joins two words of a kind ("hilar, and axillary nodes")."""
    if tokens[i].kind != "&":
        return False
    after = next((t for t in tokens[i + 1 :] if t.kind not in ("&", SIDE)), None)
    before = next((t for t in reversed(tokens[:i]) if t.kind not in ("&", SIZE) and t.text not in _BRACKETS), None)
    return (
        after is not None
        and before is not None
        and after.kind == before.kind
        and after.kind in (STATE, ATTRIBUTE, PLACE)
    )


def _adverbs(tokens: list[Token], at: int, floor: int) -> int:
    first = at
    while first > floor and (tokens[first - 1].kind in (ATTRIBUTE,) or _modifying(tokens[first - 1])):
        first -= 1
    return first


def _subject(tokens: list[Token], at: int, floor: int, found: list[Head]) -> list[Token] | None:
    """The place run that the predicate at `at` is said of; [] for none in the clause; None if the subject is a head."""
    if found and found[-1].token.kind == ENTITY and not _own_subject(tokens, at, floor):
        return None
    if found and found[-1].subject and not any(t.kind == PLACE for t in tokens[floor:at]):
        return found[-1].subject  # "is enlarged and steatotic"
    run: list[Token] = []
    for i in range(at - 1, floor - 1, -1):
        if tokens[i].kind == ENTITY:
            break
        run.append(tokens[i])
    run.reverse()
    start = next((i for i, t in enumerate(run) if t.kind in (PLACE, SIDE)), None)
    if start is None:
        return []
    last = max(i for i, t in enumerate(run) if t.kind in (PLACE, SIDE))
    return run[start : last + 1]


def _own_subject(tokens: list[Token], at: int, floor: int) -> bool:
    """After another head: the predicate has a place of its own right in front ("..., gallbladder distended")."""
    i = at - 1
    while i > floor and (is_verb(tokens[i]) or tokens[i].kind == ATTRIBUTE):
        i -= 1
    if i < floor or tokens[i].kind != PLACE:
        return False
    while i >= floor and tokens[i].kind in (PLACE, SIDE, ATTRIBUTE, "d"):
        i -= 1
    return i < floor or tokens[i].kind in ("&", ";") or (tokens[i].kind == CUE and not is_preposition(tokens[i]))


def is_preposition(token: Token) -> bool:
    """True for a word of place ("adjacent to") that a rule of the ontology lists."""
    return token.form is not None and token.form.cue("preposition") is not None
