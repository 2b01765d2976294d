"""What lets a run be big: small columns, portions that add up to the same, and a journal that nothing is lost from."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cabs
from cabs import Counts, InputError, OutputError, Pair, Resampling
from cabs.io.journal import Journal, journal_path
from cabs.io.seen import Seen
from cabs.metrics import FIELDS, macro, metrics, total
from cabs.metrics.intervals import _weights, drawn_sums, drawn_weights, draws
from cabs.metrics.rows import BLOCK, Rows, parts_of, values_of
from cabs.ontology import load_ontology
from cabs.scoring.columns import LeftOut, Texts
from cabs.scoring.judge import Judge, Plan
from cabs.scoring.left_out import Listed
from cabs.scoring.portion import keys_of, portion_of, unpacked

REFERENCE = "There is a {} mm nodule in the right upper lobe. Small left pleural effusion."
PAIRS = [
    Pair(
        f"é{at}",
        REFERENCE.format(at + 1),
        REFERENCE.format(9) if at % 3 else "lorem",
        ("a", "b")[at % 2],
        f"p{at // 4}",
    )
    for at in range(50)
]


def some_rows(number: int) -> list[Counts]:
    drawn = np.random.default_rng(1).integers(0, [1, 2, 300, 70_000, 10**9] * 6, (number, 30))
    return [Counts(*map(int, row[: len(FIELDS)])) for row in drawn]


@pytest.mark.parametrize("number", [0, 1, 5, BLOCK - 1, BLOCK, BLOCK + 3, 2 * BLOCK])
def test_rows_are_the_counts_that_came(number: int) -> None:
    plain = some_rows(number)
    rows = Rows(plain)
    assert (rows == plain, list(rows) == plain, len(rows), rows[2:4]) == (True, True, number, tuple(plain[2:4]))
    assert rows.total() == total(plain)
    for name in ("reports", "cabs_facts"):
        assert rows.column(name).tolist() == [getattr(row, name) for row in plain]
    assert rows.floats().tolist() == [list(map(float, row.vector())) for row in plain]
    assert Rows.of_columns([rows.column(name) for name in FIELDS]) == rows
    if number:
        assert (rows[-1], rows[number - 1]) == (plain[-1], plain[-1])
        at = np.array([number - 1, 0, number // 2])
        assert rows.take(at) == [plain[i] for i in at]
        assert rows.grouped(np.arange(number) % 2, 2) == [total(plain[::2]), total(plain[1::2])]
    with pytest.raises(IndexError):
        rows[number]
    assert rows != [*plain, Counts()]


def test_rows_are_small() -> None:
    found = Rows(Counts(reports=1, facts=at % 5, hits=at % 3, weight_hits=at % 1000) for at in range(10 * BLOCK))
    assert found.nbytes < 6 * len(found)


def test_metrics_of_rows_are_those_of_each_report() -> None:
    plain = [Counts(reports=1, facts=at % 4, hits=min(at % 4, at % 3), extra=at % 2, with_facts=1) for at in range(97)]
    rows = Rows(plain)
    for metric in metrics().values():
        values = [metric.value(row) for row in plain]
        assert [None if np.isnan(value) else value for value in values_of(metric, rows)] == values
        assert [tuple(p) for p in zip(*parts_of(metric, rows), strict=True)] == [metric.parts(row) for row in plain]
    used = [row for row in plain if row.facts]
    for name, value in macro(plain).items():
        assert value == pytest.approx(sum(metrics()[name].value(row) or 0.0 for row in used) / len(used))


@pytest.mark.parametrize("size", [2, 97, 5000])
def test_draws_of_many_are_the_draws_of_few(size: int) -> None:
    """The stream of random numbers does not depend on how much of it is drawn at a time."""
    resampling, plain = Resampling(n=30, seed=5), some_rows(size)
    apart = _weights(np.random.default_rng(5), 30, size)
    assert np.array_equal(np.concatenate(list(drawn_weights(size, resampling))), apart)
    assert np.array_equal(drawn_sums(Rows(plain), resampling), draws(Rows(plain).floats(), resampling))


@given(st.lists(st.one_of(st.none(), st.text())), st.integers(0, 5))
def test_texts_are_what_came(texts: list[str | None], times: int) -> None:
    many = texts * (1 + times * BLOCK // max(1, len(texts)) // 4)
    found: Texts[str | None] = Texts(many)
    assert found == many
    assert list(found) == many
    assert (
        [found[at] for at in (0, -1, len(many) // 2)] == [many[at] for at in (0, -1, len(many) // 2)] if many else True
    )
    assert found[1:3] == tuple(many[1:3])


def test_what_is_left_out_is_listed() -> None:
    items = [Listed(f"r{at}", "unread") for at in range(BLOCK + 2)]
    found = LeftOut(items)
    assert (found == items, found[-1], found[:1], len(found)) == (True, items[-1], (items[0],), len(items))


def test_ids_are_seen_once_a_system() -> None:
    seen = Seen()
    for system in (None, "a"):
        for at in range(3000):
            seen.add(Pair(f"r{at}", "", "", system, source=f"p.jsonl:{at + 1}"))
    assert len(seen) == 6000
    assert [seen.has(s, id) for s, id in ((None, "r0"), ("a", "r2999"), ("a", "r3000"), ("b", "r0"))] == [
        True,
        True,
        False,
        False,
    ]
    with pytest.raises(InputError, match=r"id 'r2047' of system 'a' comes twice, first at p.jsonl:2048"):
        seen.add(Pair("r2047", "", "", "a", source="p.jsonl:1"))
    for place in ("", "pair 0", "a:007", "x9999999999"):
        seen.add(Pair(f"id {place}", "", "", source=place))
        with pytest.raises(InputError, match=f"first at {place}$" if place else "comes twice$"):
            raise_of(seen, Pair(f"id {place}", "", ""))


def raise_of(seen: Seen, pair: Pair) -> None:
    try:
        seen.add(pair)
    except InputError as error:
        raise InputError(error.message) from None


def test_portions_add_up_and_come_back_from_a_journal() -> None:
    plan = Plan(load_ontology(), rows=True)
    judge = Judge(plan)
    done = [(pair, judge.judge(pair)) for pair in PAIRS]
    whole = portion_of(done, plan)
    parts = [unpacked(portion_of(done[at : at + size], plan).packed()) for at, size in ((0, 1), (1, 20), (21, 29))]
    merged = parts[0].tallies
    for part in parts[1:]:
        merged.merge(part.tallies)
    assert [tally.to_json() for tally in merged.by_system.values()] == [
        tally.to_json() for tally in whole.tallies.by_system.values()
    ]
    assert b"".join(part.keys for part in parts) == whole.keys == keys_of(PAIRS)
    assert whole.rows is not None
    assert b"".join(part.rows.csv for part in parts if part.rows is not None) == whole.rows.csv


def content(folder: Path) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in sorted(folder.iterdir())}


def score(output: Path, pairs: object = PAIRS) -> cabs.Result:
    return cabs.score(pairs, resampling=Resampling(n=20), output=output)  # type: ignore[arg-type]


def test_a_run_goes_on_from_every_place_where_it_can_be_cut(tmp_path: Path) -> None:
    """A kill leaves the journal at any length, and the folder there or not."""
    score(tmp_path / "whole")
    expected = content(tmp_path / "whole")
    kept = tmp_path / "kept"

    def copied(path: Path) -> None:
        kept.write_bytes(path.read_bytes())

    removed = Journal.remove
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Journal, "remove", lambda self: (copied(self.path), removed(self))[1])
        score(tmp_path / "run")
    raw = kept.read_bytes()
    for at, length in enumerate((len(raw), len(raw) - 1, len(raw) // 2, 40, 0)):
        out = tmp_path / f"out{at}"
        if at % 2 == 0:  # killed after the folder had been moved to its place, before the journal was removed
            score(out)
        (tmp_path / f".{out.name}.cabs-partial").write_bytes(raw[:length])
        (tmp_path / f".{out.name}.cabs-77.tmp").mkdir()
        score(out)
        assert content(out) == expected
    assert sorted(p.name for p in tmp_path.iterdir()) == ["kept", *(f"out{at}" for at in range(5)), "run", "whole"]


def test_other_pairs_are_judged_anew(tmp_path: Path) -> None:
    def cut():
        yield from PAIRS[:40]
        raise KeyboardInterrupt

    changed = [*PAIRS[:20], Pair("new", REFERENCE, REFERENCE, "a"), *PAIRS[20:]]
    score(tmp_path / "whole", changed)
    with pytest.raises(KeyboardInterrupt):
        score(tmp_path / "run", cut())
    score(tmp_path / "run", changed)
    assert content(tmp_path / "run") == content(tmp_path / "whole")


def test_cells_that_shall_be_harmless_are_written_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    formulas = [replace(pair, id=f"={pair.id}") for pair in PAIRS]

    def cut():
        yield from formulas[:40]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        score(tmp_path / "run", cut())
    monkeypatch.setenv("CABS_HARMLESS_CSV", "1")
    score(tmp_path / "run", formulas)
    lines = (tmp_path / "run" / "reports.csv").read_text("utf-8").splitlines()
    assert len(lines) == len(PAIRS) + 1
    assert not any("=" in line[:1] or ",=" in line for line in lines)


def test_kept_reports_come_back_too(tmp_path: Path) -> None:
    def cut():
        yield from PAIRS[:30]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        score(tmp_path / "run", cut())
    found = score(tmp_path / "run")
    assert [outcome.id for outcome in found.reports] == [pair.id for pair in PAIRS]
    assert found.reports[0].counts == score(tmp_path / "again").reports[0].counts


def test_a_run_that_goes_on_elsewhere_is_not_disturbed(tmp_path: Path) -> None:
    def meanwhile():
        yield from PAIRS[:20]
        with pytest.raises(OutputError, match="another run is writing there"):
            score(tmp_path / "run")
        yield from PAIRS[20:]

    score(tmp_path / "run", meanwhile())
    score(tmp_path / "whole")
    assert content(tmp_path / "run") == content(tmp_path / "whole")
    assert not journal_path(tmp_path / "run").is_file()
