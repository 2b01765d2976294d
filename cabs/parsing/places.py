"""Place words → location: the words of the report, the anatomy that they name, and the side."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, cast

from cabs.ontology import Ontology
from cabs.parsing.form import Form
from cabs.parsing.form_sides import paired
from cabs.parsing.grammar import BESIDE, RELATIONS
from cabs.parsing.scan import ATTRIBUTE, PLACE, SIDE, Token
from cabs.values import Side

_INSIDE = frozenset(("of", "in", "within", "at"))
_BESIDE = ("adjacent", "near", "into")
_RELATED = ("adjacent", "near", "into")
_LEAD = re.compile(r"(?:on|in|at|to)\s+(?:the\s+)?")


@dataclass(slots=True, eq=False)
class PlacePhrase:
    """Place words that stand together, their tokens' indices [first, end), and whether they decide the organ.

    `beside`: the phrase says what the finding is next to, not what it is in. `noun`: the token that decides alone.
    `relation`: the word in front that says more than "in" ("around the hilum"). `led`: a mere "in" leads to it.
    """

    first: int
    end: int
    tokens: list[Token]
    beside: bool = False
    noun: Token | None = None
    relation: Token | None = None
    led: bool = False


class Where(NamedTuple):
    """Resolved place phrases: words as (start, end) in the sentence (`side_spans`: those of the side alone), structure
    ids, organ and side. `beside`: the words say only what it is next to."""

    spans: tuple[tuple[int, int], ...] = ()
    ids: tuple[str, ...] = ()
    organ: str | None = None
    side: Side | None = None
    side_spans: tuple[tuple[int, int], ...] = ()
    beside: bool = False


NOWHERE = Where()


def phrases(tokens: list[Token], first: int, end: int) -> list[PlacePhrase]:
    """The place phrases among `tokens[first:end]`, in order."""
    found: list[PlacePhrase] = []
    i = first
    while i < end:
        kind = tokens[i].kind
        if (kind != PLACE and kind != SIDE) or _compared(tokens, i):  # no call: it is asked of every word, often
            i += 1
            continue
        stop = _phrase_end(tokens, i, end)
        beside = _beside(tokens, i, first)
        spoken = [t for t in tokens[i:stop] if t.kind == PLACE or t.kind == SIDE]
        found.append(PlacePhrase(i, stop, spoken, beside, relation=_relation(tokens, i, first), led=_led(tokens, i)))
        i = stop
    return found


def _compared(tokens: list[Token], i: int) -> bool:
    """True for a place that the finding's own is only compared with ("larger than the left ventricle")."""
    for j in range(i - 1, -1, -1):
        if tokens[j].kind not in ("d", SIDE):
            return tokens[j].text.endswith("than") and tokens[j].text.split()[-1] == "than"
    return False


def _led(tokens: list[Token], i: int) -> bool:
    """True where a preposition leads to the phrase at `i` ("in the spine")."""
    for j in range(i - 1, -1, -1):
        if tokens[j].kind != "d":
            return tokens[j].text in _INSIDE
    return False


def _is_place(token: Token) -> bool:
    return token.kind in (PLACE, SIDE)


def _phrase_end(tokens: list[Token], i: int, end: int) -> int:
    stop = i + 1
    while stop < end:
        step = stop
        while step < end and (tokens[step].text in _INSIDE or tokens[step].kind in ("d", "&")):
            step += 1
        if step >= end or not _is_place(tokens[step]):
            break
        stop = step + 1
    return stop


def _relation(tokens: list[Token], i: int, first: int) -> Token | None:
    """The word that ties the phrase at `i` to the finding, if it says where it is as seen from there."""
    at = next((j for j in range(i - 1, first - 1, -1) if tokens[j].kind != "d"), -1)
    if at < 0:
        return None
    token = tokens[at]
    cue = token.form.cue("preposition") if token.form is not None else None
    return token if token.text in RELATIONS or (cue is not None and cue.value in _RELATED) else None


def _beside(tokens: list[Token], i: int, first: int) -> bool:
    for j in range(i - 1, max(first - 1, i - 4), -1):
        token = tokens[j]
        cue = token.form.cue("preposition") if token.form is not None else None
        if cue is not None:
            return cue.value in _BESIDE and token.kind != ATTRIBUTE
        if token.text in BESIDE:
            return True
        if token.kind not in ("d", "p", "w"):
            return False
    return False


def certain_organs(found: list[PlacePhrase], ontology: Ontology) -> list[str]:
    """The organs of those words that mean one place only, else the one organ that all words can be of ("segments 6
    and 10")."""
    return _certain([[t.form for t in phrase.tokens] for phrase in found], ontology)


def _certain(said: Iterable[Iterable[Form | None]], ontology: Ontology) -> list[str]:
    meant = [[ontology.organ_of(p) for p in form.places] for forms in said for form in forms if form]
    certain = [organs[0] for organs in meant if len(organs) == 1 and organs[0]]
    shared = set.intersection(*map(set, filter(None, meant))) if not certain and any(meant) else set()
    return certain or [organ for organ in shared if organ and len(shared) == 1]


def items(tokens: list[Token], phrase: PlacePhrase) -> list[PlacePhrase]:
    """The items of a coordinated phrase, one for each conjunction and one more."""
    found: list[PlacePhrase] = []
    first = phrase.first
    for i in range(phrase.first, phrase.end + 1):
        if i < phrase.end and tokens[i].kind != "&":
            continue
        inside = [t for t in tokens[first:i] if _is_place(t)]
        if inside:
            found.append(PlacePhrase(first, i, inside, phrase.beside))
        first = i + 1
    return found


_ALL, _NONE = -1, -2
_Meant = tuple[tuple[str, ...], str | None, Side | None, tuple[int, ...]]
"""What place phrases name: structures, organ, side, and how many words of each tell the place."""
_Said = tuple[tuple[Form | None, ...], bool, int, bool]
"""A place phrase without its place in the sentence: the forms of its words, whether it tells what the finding is next
to, the index of the word that decides alone (or one of `_ALL`, `_NONE`), and whether a mere "in" leads to it."""


def resolve(found: list[PlacePhrase], ontology: Ontology, hints: tuple[str, ...] = ()) -> Where:
    """The location that these phrases name together; `hints` are organs that settle ambiguous words."""
    if not found:
        return NOWHERE
    said: list[Form | int | None] = []
    for phrase in found:
        said += (phrase.beside, _deciding(phrase), phrase.led, len(phrase.tokens))
        said += [token.form for token in phrase.tokens]
    ids, organ, side, told = ontology.remembering(_meant)(hints, *said)
    spans: list[tuple[int, int]] = []
    lone: list[tuple[int, int]] = []
    beside = True
    for phrase, telling in zip(found, told, strict=True):
        if telling:
            first = phrase.relation.start if phrase.relation else _start(phrase.tokens[0])
            spans.append((first, phrase.tokens[telling - 1].end))
        lone += [(_start(token), token.end) for token in phrase.tokens if token.kind == SIDE]
        beside = beside and phrase.beside
    return Where(tuple(spans), ids, organ, side, tuple(lone), beside)


def _deciding(phrase: PlacePhrase) -> int:
    if phrase.noun is None:
        return _ALL
    return phrase.tokens.index(phrase.noun) if phrase.noun in phrase.tokens else _NONE


def _phrases_of(flat: Sequence[Form | int | None]) -> Iterator[_Said]:
    """The phrases that `resolve` wrote one behind the other."""
    at = 0
    while at < len(flat):
        beside, noun, led, length = cast("tuple[bool, int, bool, int]", flat[at : at + 4])
        at += 4 + length
        yield cast("tuple[Form | None, ...]", tuple(flat[at - length : at])), beside, noun, led


def _meant(ontology: Ontology, hints: tuple[str, ...], *flat: Form | int | None) -> _Meant:
    """What the words of place phrases name, wherever they stand: the same words come again in other sentences. Flat
    arguments make one key of them, where nested ones would be many objects that stay."""
    said = list(_phrases_of(flat))
    organs = _certain([forms for forms, *_ in said], ontology) or list(hints)
    ids: list[str] = []
    deciding: list[str] = []
    sides: set[str] = set()
    pair = False
    for forms, beside, noun, _ in said:
        for at, form in enumerate(forms):
            chosen = _choose(form, organs, ontology)
            ids[:0] = chosen if at == noun else []
            ids.extend(chosen)
            if not beside and noun in (_ALL, at):
                deciding.extend(chosen)
            sides.update(_sides(form, chosen, ontology))
            pair = pair or (not beside and form is not None and form.pair)
    organ = next((o for p in deciding if (o := ontology.organ_of(p))), None)
    side = side_of(sides) or ("bilateral" if pair else None)
    telling = tuple([_telling(forms, ontology, led) for forms, _, _, led in said])
    return _narrowest(ids, ontology), organ, side, telling


def _telling(forms: tuple[Form | None, ...], ontology: Ontology, led: bool) -> int:
    """How many words of a phrase tell the place: not "liver" alone unless a preposition leads to it, nor the noun of
    "hilar nodes"."""
    last = forms[-1]
    if len(forms) == 1 and _organ_itself(last, ontology) and not led:
        return 0
    measured = last is not None and last.measured is not None
    return len(forms) - (measured and _organ_itself(last, ontology))


def _start(token: Token) -> int:
    """Where the words of a place start: "left" in "on the left"."""
    if token.kind != SIDE:
        return token.start
    lead = _LEAD.match(token.text)
    return token.start + lead.end() if lead else token.start


def names_organ(token: Token, ontology: Ontology) -> bool:
    """True for the bare name of an organ ("liver", "lymph node")."""
    return _organ_itself(token.form, ontology)


def _organ_itself(form: Form | None, ontology: Ontology) -> bool:
    if form is None or form.side or form.pair or not form.places:
        return False
    organ = ontology.organ_of(form.places[0])
    return organ is not None and ontology.organs[organ].structures[:1] == form.places[:1]


def _choose(form: Form | None, organs: list[str], ontology: Ontology) -> tuple[str, ...]:
    if form is None or len(form.places) < 2:
        return form.places if form is not None else ()
    return next(((p,) for p in form.places if ontology.organ_of(p) in organs), form.places[:1])


def _sides(form: Form | None, chosen: tuple[str, ...], ontology: Ontology) -> list[str]:
    if form is not None and form.side:
        return ["right", "left"] if form.side == "bilateral" else [form.side]
    return [s for p in chosen if (s := ontology.structures[p].side) in ("right", "left") and paired(p, ontology)]


def side_of(sides: set[str]) -> Side | None:
    """One side for a set of sides; both make bilateral, none None."""
    if len(sides) > 1:
        return "bilateral"
    return "right" if "right" in sides else "left" if "left" in sides else None


def _narrowest(ids: list[str], ontology: Ontology) -> tuple[str, ...]:
    """Without repeats and without what contains another of them."""
    unique = list(dict.fromkeys(ids))
    return tuple(i for i in unique if not any(j != i and ontology.contains(i, j) for j in unique))


def unsaid(where: Where) -> Where:
    """The same place without its words."""
    return _wordless(where.ids, where.organ, where.side, where.beside)


@lru_cache(maxsize=1 << 14)
def _wordless(ids: tuple[str, ...], organ: str | None, side: Side | None, beside: bool) -> Where:
    return Where((), ids, organ, side, (), beside)  # one value for all sentences that leave the same place


def moved(where: Where, by: int) -> Where:
    """The same place with its words `by` characters further on."""
    if not (where.spans or where.side_spans):
        return where
    spans, lone = (tuple((a + by, b + by) for a, b in group) for group in (where.spans, where.side_spans))
    return where._replace(spans=spans, side_spans=lone)


def within(own: Where, topic: Where) -> Where:
    """A finding's own place in the place that its sentence speaks of; a side of its own holds."""
    return joined(own, topic)._replace(side=own.side or topic.side)


def joined(first: Where, second: Where) -> Where:
    """Two locations of one fact as one."""
    if first is NOWHERE or second is NOWHERE:
        return second if first is NOWHERE else first
    sides = {s for w in (first, second) if w.side for s in (("right", "left") if w.side == "bilateral" else (w.side,))}
    spans = tuple(dict.fromkeys((*first.spans, *second.spans)))
    lone = tuple(dict.fromkeys((*first.side_spans, *second.side_spans)))
    ids = tuple(dict.fromkeys((*first.ids, *second.ids)))
    return Where(spans, ids, first.organ or second.organ, side_of(sides), lone)
