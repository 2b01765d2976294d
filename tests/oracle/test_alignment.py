"""The matcher against the exhaustive oracle, for every small case that hypothesis thinks of."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cabs.matching import Settings
from cabs.matching.assign import Worth, assign
from tests.matching.build import matcher, ontology, report
from tests.oracle import alignment as oracle
from tests.properties.strategies import facts

FEW = ("pulmonary_nodule", "nodule", "metastasis")
"""Facts of few entities compete; those of many would never meet."""


@settings(max_examples=400)
@given(
    ours=st.lists(facts(FEW), max_size=4),
    theirs=st.lists(facts(FEW), max_size=4),
    hierarchical=st.booleans(),
)
def test_the_alignment_is_the_best_of_all(ours: list, theirs: list, hierarchical: bool) -> None:
    chosen = matcher(Settings(match="hierarchical" if hierarchical else "strict"))
    found = chosen.align(report(*ours), report(*theirs))
    mine, other = found.reference.present, found.prediction.present
    if max(len(mine), len(other)) > 5:
        return
    rank, pairs = oracle.best(ontology(), mine, other, hierarchical)
    at = {id(f): i for i, f in enumerate(mine)}, {id(f): j for j, f in enumerate(other)}
    hits = tuple((at[0][id(h.reference)], at[1][id(h.prediction)]) for h in found.hits)
    assert oracle.rank(ontology(), mine, other, hits) == rank
    assert hits == pairs


@settings(max_examples=300)
@given(
    rows=st.integers(1, 4),
    columns=st.integers(1, 4),
    data=st.data(),
)
def test_the_solver_finds_the_best_of_all(rows: int, columns: int, data: st.DataObject) -> None:
    cell = st.none() | st.builds(Worth, st.integers(0, 1), st.integers(-3, 3), st.integers(0, 2))
    worth = [[data.draw(cell) for _ in range(columns)] for _ in range(rows)]
    edges = {i: [j for j in range(columns) if worth[i][j] is not None] for i in range(rows)}
    ranked = []
    for pairs in oracle.assignments(rows, columns):
        chosen = [worth[i][j] for i, j in pairs]
        if None in chosen:
            continue
        partner = dict(pairs)
        ties = tuple(columns - partner.get(i, columns) for i in range(rows))
        sums = tuple(sum(w[k] for w in chosen) for k in range(3))
        ranked.append((len(pairs), *sums, ties, pairs))
    found = assign(edges, lambda i, j: worth[i][j], lambda i, j: False)
    assert tuple(found) == max(ranked)[-1]


def test_big_components_are_solved_exactly_too() -> None:
    """70 by 71 on a diagonal of positive evidence: beyond the size up to which ties are ranked."""
    edges = {i: list(range(71)) for i in range(70)}
    found = assign(edges, lambda i, j: Worth(1, 5 if j == 70 - i else 0, 1), lambda i, j: False)
    assert found == [(i, 70 - i) for i in range(70)]


@pytest.mark.parametrize("size", [1, 40])
def test_equal_sides_need_no_search(size: int) -> None:
    edges = {i: list(range(size)) for i in range(size)}

    def never(i: int, j: int) -> Worth:
        raise AssertionError("searched")

    assert assign(edges, never, lambda i, j: i == j) == [(i, i) for i in range(size)]
