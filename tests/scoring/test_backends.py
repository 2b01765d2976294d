"""Who reads and who matches: names, signatures, and work that is handed over in advance."""

from __future__ import annotations

from importlib.metadata import EntryPoint

import pytest

import cabs
from cabs.errors import CabsError, SettingError
from cabs.matching import Settings
from cabs.registry import Registry
from cabs.scoring import backends
from cabs.scoring.backends import ahead, aligner_named, handed_over, parser_named, signed, waits
from cabs.scoring.used import FactsUsed
from cabs.values import Pair, ParsedReport


class Slow:
    """A parser that works ahead, and notes what it was told when."""

    name, window = "slow", 2

    def __init__(self) -> None:
        self.begun: list[object] = []

    def begin(self, text: object) -> None:
        self.begun.append(text)

    def __call__(self, text: str) -> ParsedReport:
        return cabs.parse(text)

    def items(self) -> tuple[tuple[str, str], ...]:
        return (("speed", "low"),)


def test_items_are_handed_over_a_window_ahead() -> None:
    slow = Slow()
    seen = [(item, len(slow.begun)) for item in handed_over(range(5), slow, lambda n: (str(n),))]
    assert seen == [(0, 3), (1, 4), (2, 5), (3, 5), (4, 5)]
    assert slow.begun == ["0", "1", "2", "3", "4"]
    assert list(handed_over([], slow, lambda n: (n,))) == []
    assert list(handed_over([1, 2], cabs.parse, lambda n: (n,))) == [1, 2]


def test_pairs_go_to_the_aligner_whole_or_to_the_parser_as_texts() -> None:
    pairs = [Pair("1", "a", "b"), Pair("2", cabs.parse("Ascites."), None)]
    parser, aligner = Slow(), Slow()
    assert list(ahead(pairs, parser, None)) == pairs
    assert parser.begun == ["a", "b"]
    assert list(ahead(pairs, parser, aligner)) == pairs
    assert aligner.begun == pairs
    assert (waits(None, None), waits(cabs.parse, None), waits(parser, None)) == (False, False, True)


def test_a_parser_that_waits_scores_as_any_other() -> None:
    pairs = [("Ascites.", "Ascites."), ("The liver is enlarged.", "Ascites.")]
    mine = cabs.score(pairs, parser=Slow())
    assert mine.scores == cabs.score(pairs).scores
    assert (mine.signature.parser, mine.signature.items["speed"]) == ("slow", "low")
    assert len(mine.signature.items["facts_used"]) == 12
    assert "facts_used" not in cabs.score(pairs).signature.items


def test_the_hash_of_facts_follows_no_order() -> None:
    one, other = FactsUsed(), FactsUsed()
    for used, ids in ((one, "ab"), (other, "ba")):
        for id in ids:
            used.add(id, None, f"hash of {id}")
    assert one.hash == other.hash
    other.add("c", None, "")
    assert one.hash == other.hash, "a pair without facts adds nothing"
    assert not FactsUsed().told


def test_signatures_tell_parser_and_matcher_apart() -> None:
    slow, fast = Slow(), Slow()
    fast.items = lambda: (("speed", "high"), ("model", "m"))  # type: ignore[method-assign]
    assert signed(slow, None) == (("speed", "low"),)
    told = dict(signed(slow, fast))
    assert told == {"speed": "low", "matcher": "slow", "matcher_speed": "high", "model": "m"}
    assert signed(None, None) == ()


def test_names() -> None:
    onto = cabs.load_ontology()
    assert parser_named("rules", onto, {}) is None
    assert aligner_named("rules", onto, Settings(), None, {}) is None
    with pytest.raises(SettingError, match="there is no parser 'hibrid'") as error:
        parser_named("hibrid", onto, {})
    assert "hybrid" in error.value.hint


def test_other_packages_bring_parsers(monkeypatch: pytest.MonkeyPatch) -> None:
    point = EntryPoint("slow", "tests.scoring.test_backends:make", "cabs.parsers")
    monkeypatch.setattr("cabs.registry.entry_points", lambda group: [point] if group == "cabs.parsers" else [])
    monkeypatch.setattr(backends, "PARSERS", Registry("parser", "cabs.parsers", {}))
    made = parser_named("slow", cabs.load_ontology(), {"speed": "1"})
    assert isinstance(made, Slow)
    monkeypatch.setattr("tests.scoring.test_backends.make", lambda *_: None, raising=True)
    with pytest.raises(CabsError, match="is none"):
        parser_named("slow", cabs.load_ontology(), {})


def make(name: str, ontology: object, options: dict[str, str]) -> Slow:
    return Slow()
