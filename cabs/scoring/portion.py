"""Some pairs that follow each other → what a run needs of them: their tallies and their rows of the reports table.

A run is the sum of its portions, wherever they were made (in this process, in others, on other machines, in an earlier
run that was stopped): nothing else of a pair goes into its result.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from hashlib import blake2b
from itertools import islice
from typing import NamedTuple

from cabs.io.jsontext import json_line
from cabs.io.squeeze import squeezed, unsqueezed
from cabs.io.tables import arrow_rows, csv_rows
from cabs.scoring.judge import Plan, judging
from cabs.scoring.outcome import Outcome, from_json
from cabs.scoring.pool import mapped
from cabs.scoring.rows import REPORTS
from cabs.scoring.tally import Tallies, tally_from_json
from cabs.scoring.used import FactsUsed
from cabs.values import Pair

SIZE = 16
"""Pairs of a portion."""
KEY = 16
"""Bytes of a pair's key."""
LENGTHS = struct.Struct("<IIII")
"""How many bytes a packed portion has of JSON, keys, CSV and Arrow."""


class ReportRows(NamedTuple):
    """Rows of the reports table as both files hold them: lines of CSV, a record batch of Arrow."""

    csv: bytes
    arrow: bytes


@dataclass(slots=True)
class Portion:
    """What a run needs of `pairs` pairs that follow each other.

    `tallies` and `used` add up. `rows`: their rows of the reports table, where one is written, and `keys` then say
    which pairs they are. `kept`: their outcomes, where the caller keeps them. `passing`: one of them failed, and may
    not fail when it is tried again.
    """

    pairs: int = 0
    tallies: Tallies = field(default_factory=Tallies)
    used: FactsUsed = field(default_factory=FactsUsed)
    keys: bytes = b""
    rows: ReportRows | None = None
    kept: list[Outcome] = field(default_factory=list)
    passing: bool = False
    content: bytes = field(default=b"", repr=False)

    def packed(self) -> bytes:
        """The portion for a journal; parsed reports are left out. `content` where it came so."""
        if self.content:
            return self.content
        page = {
            "pairs": self.pairs,
            "tallies": [tally.to_json() for tally in self.tallies.by_system.values()],
            "used": self.used.hash if self.used.told else "",
            "kept": [outcome.to_json() for outcome in self.kept],
        }
        rows = ReportRows(b"", b"") if self.rows is None else self.rows
        parts = (json_line(page).encode(), self.keys, squeezed(rows.csv), squeezed(rows.arrow))
        return LENGTHS.pack(*map(len, parts)) + b"".join(parts)


def unpacked(content: bytes) -> Portion:
    """The portion that a journal holds."""
    parts, at = [], LENGTHS.size
    for length in LENGTHS.unpack_from(content):
        parts.append(content[at : at + length])
        at += length
    page = json.loads(parts[0])
    tallies = Tallies()
    for tally in map(tally_from_json, page["tallies"]):
        tallies.by_system[tally.system] = tally
    rows = ReportRows(unsqueezed(parts[2]), unsqueezed(parts[3]))
    kept = [from_json(value) for value in page["kept"]]
    shown, used = rows if rows.arrow else None, FactsUsed(page["used"])
    return Portion(page["pairs"], tallies, used, parts[1], shown, kept, content=content)


def keys_of(pairs: Iterable[Pair]) -> bytes:
    """For each pair, one after the other, a hash of everything in it that can show in its outcome."""
    return b"".join(map(_key, pairs))


def _key(pair: Pair) -> bytes:
    content = (pair.id, pair.system, pair.cluster, pair.reference, pair.prediction, pair.extra, pair.reference_text)
    return blake2b(repr(content).encode("utf-8", "backslashreplace"), digest_size=KEY).digest()


def portion_of(done: Sequence[tuple[Pair, Outcome]], plan: Plan) -> Portion:
    """The portion of these pairs, each with what came of it."""
    outcomes = [outcome for _, outcome in done]
    portion = Portion(pairs=len(done), passing=any(outcome.passing for outcome in outcomes))
    for outcome in outcomes:
        portion.tallies.add(outcome)
        portion.used.add(outcome.id, outcome.system, outcome.used)
    if plan.rows:
        cells = [outcome.row or {} for outcome in outcomes]
        portion.rows = ReportRows(csv_rows(REPORTS, cells), arrow_rows(REPORTS, cells))
        portion.keys = keys_of(pair for pair, _ in done)
    if plan.keep:
        portion.kept.extend(outcomes)
    return portion


def portions(pairs: Iterable[Pair], plan: Plan, workers: int = 1) -> Generator[Portion, None, None]:
    """The portions of the pairs in their order, whatever the number of workers.

    Raises:
        CabsError: what reading the pairs raises, or a worker died; what had been judged in this process comes before.
    """
    if workers <= 1:
        yield from _here(pairs, plan)
        return
    with closing(mapped(_chunks(pairs), partial(portioning, plan), workers, together=1)) as found:
        yield from found


def _here(pairs: Iterable[Pair], plan: Plan) -> Generator[Portion, None, None]:
    judge, size = judging(plan), 1 if plan.waits else SIZE  # an answer that was paid for is never at stake
    done: list[tuple[Pair, Outcome]] = []
    try:
        for pair in pairs:
            done.append((pair, judge(pair)))
            if len(done) == size:
                yield portion_of(done, plan)
                done = []
    except GeneratorExit:
        raise
    except BaseException:
        if done:
            yield portion_of(done, plan)
        raise
    if done:
        yield portion_of(done, plan)


def _chunks(pairs: Iterable[Pair]) -> Iterator[list[Pair]]:
    source = iter(pairs)
    while chunk := list(islice(source, SIZE)):
        yield chunk


def portioning(plan: Plan) -> Callable[[Sequence[Pair]], Portion]:
    """The function that judges some pairs by a plan; each process makes its own."""
    judge = judging(plan)

    def portion(pairs: Sequence[Pair]) -> Portion:
        return portion_of([(pair, judge(pair)) for pair in pairs], plan)

    return portion
