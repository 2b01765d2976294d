"""Two systems on the same references: the paired test, from results on disk or in memory."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cabs.errors import CabsError, InputError, SettingError
from cabs.io.ids import some
from cabs.io.jsontext import parse_json
from cabs.io.parquet import batches, check_columns
from cabs.matching import Settings
from cabs.metrics import FIELDS, metrics
from cabs.scoring.columns import Texts
from cabs.scoring.document import SCHEMA_VERSION
from cabs.scoring.files import REPORTS_PARQUET, RESULTS
from cabs.scoring.result import Result
from cabs.scoring.rows import REPORTS
from cabs.signature import Signature, parse_signature

if TYPE_CHECKING:
    from cabs.metrics.paired import PairedTest
    from cabs.metrics.rows import Rows

INCOMPARABLE = frozenset({"cabs", "seed", "n_boot", "ci", "facts_used"})
"""Parts of a signature in which results may differ and still be compared: they change no count, or are hashes of what
differs between systems."""

ROWS = 4096
"""Rows of the reports table that are read at a time."""

COLUMNS = ("id", "system", "status", "cluster", *(f"n_{name}" for name in FIELDS))
"""What is read of the reports table."""
AGAIN = "score it again with this version of CABS"


@dataclass(frozen=True, slots=True)
class Contender:
    """One system of one run: the scored reports with their counts."""

    label: str
    system: str | None
    signature: Signature
    ids: Texts[str]
    rows: Rows
    clusters: Texts[str | None]


@dataclass(frozen=True, slots=True)
class Comparison:
    """The paired tests of two systems. `common`: reports that both have; `only_a`, `only_b`: reports left
    out."""

    a: str
    b: str
    common: int
    only_a: int
    only_b: int
    tests: Mapping[str, PairedTest]
    settings: Settings

    def to_json(self) -> dict[str, Any]:
        """The comparison in JSON's own types."""
        return {
            "a": self.a,
            "b": self.b,
            "common": self.common,
            "only_a": self.only_a,
            "only_b": self.only_b,
            "tests": {name: asdict(test) for name, test in self.tests.items()},
        }


def is_run(path: Path) -> bool:
    """True for the folder of a run, or its results.json."""
    return path.is_dir() or path.name == RESULTS


def contenders(result: Result, label: str) -> list[Contender]:
    """The systems of a result in memory."""
    return [
        Contender(label if s.system is None else s.system, s.system, result.signature, s.ids, s.rows, s.clusters)
        for s in result.systems
    ]


def read_run(path: Path) -> list[Contender]:
    """The systems of a run on disk, from results.json and the reports table.

    Raises:
        InputError: a file is missing, of another version or damaged.
    """
    folder = path if path.is_dir() else path.parent
    signature = _signature(folder / RESULTS)
    from cabs.metrics.rows import Rows

    table = folder / REPORTS_PARQUET
    check_columns(table, [column for column in REPORTS if column[0] in COLUMNS], AGAIN)
    found: dict[str | None, Contender] = {}
    for batch in batches(table, COLUMNS, ROWS):
        for system in batch.column("system").unique().to_pylist():
            contender = found.get(system)
            if contender is None:
                label = folder.name if system is None else system
                contender = found[system] = Contender(label, system, signature, Texts(), Rows(), Texts())
            _extend(contender, batch, table)
    return list(found.values())


def _extend(contender: Contender, batch: Any, table: Path) -> None:
    """Add the scored reports of a contender's system that some rows of the table have."""
    import pyarrow as pa

    from cabs.metrics.rows import Rows

    named = zip(batch.column("system").to_pylist(), batch.column("status").to_pylist(), strict=True)
    mine = batch.filter(pa.array([name == contender.system and status != "unscored" for name, status in named]))
    if not _whole(mine):
        raise InputError("a scored report has no id or no counts", place=str(table), hint=AGAIN)
    contender.ids.extend(mine.column("id").to_pylist())
    contender.clusters.extend(mine.column("cluster").to_pylist())
    contender.rows.extend(Rows.of_columns([mine.column(f"n_{name}").to_numpy() for name in FIELDS]))


def _whole(rows: Any) -> bool:
    """Whether every row has an id and counts that something can have been counted to."""
    from pyarrow.compute import min as least

    counts = [rows.column(f"n_{name}") for name in FIELDS]
    lacking = any(column.null_count for column in (rows.column("id"), *counts))
    return not lacking and all((least(column).as_py() or 0) >= 0 for column in counts)


def _signature(path: Path) -> Signature:
    try:
        page = parse_json(path.read_text(encoding="utf-8"), str(path))
    except FileNotFoundError:
        hint = "give the folder that `cabs score -o` wrote, or a file of predictions"
        raise InputError("no such file", place=str(path), hint=hint) from None
    except (OSError, ValueError) as error:
        raise InputError(f"can't be read: {error}", place=str(path)) from None
    if isinstance(page, dict) and "task" in page:
        what = f"this is a run of --task {page['task']}, and runs over reports are compared"
        raise InputError(what, place=str(path))
    if not isinstance(page, dict) or page.get("schema_version") != SCHEMA_VERSION:
        raise InputError(f"this is no results file of schema version {SCHEMA_VERSION}", place=str(path))
    try:
        return parse_signature(str(page.get("signature")))
    except SettingError as error:
        raise InputError("this is no results file: it has no signature that can be read", place=str(path)) from error


def chosen(found: Sequence[Contender], system: str | None, place: str) -> Contender:
    """The named system, or the only one.

    Raises:
        InputError: there is none of this name, or several and none is named.
    """
    names = ", ".join(c.label for c in found)
    matching = [c for c in found if system is None or c.system == system]
    if len(matching) == 1:
        return matching[0]
    what = f"there is no system {system!r}" if not matching else "there are several systems"
    raise InputError(what, place=place, hint=f"choose one of: {names}")


def compare(
    a: Contender, b: Contender, *, trials: int = 10_000, seed: int = 0, names: Collection[str] | None = None
) -> Comparison:
    """The paired test of every metric, or of those named, on the reports that both systems have, matched by id.

    Raises:
        CabsError: the signatures differ in what changes a count, no report is common, or a report has other
        references.
    """
    import numpy as np

    from cabs.metrics.paired import paired_tests

    _comparable(a, b)
    place = {key: i for i, key in enumerate(b.ids)}
    met = [(i, place[key]) for i, key in enumerate(a.ids) if key in place]
    if not met:
        hint = f"{a.label} has {some(a.ids)}; {b.label} has {some(b.ids)}"
        raise InputError("the two systems have no report in common", place=f"{a.label}, {b.label}", hint=hint)
    mine, theirs = (rows.take(at) for rows, at in zip((a.rows, b.rows), np.array(met, dtype=np.intp).T, strict=True))
    _same_references(mine, theirs, [a.ids[i] for i, _ in met])
    settings = Settings.from_items(a.signature.items)
    clusters = [a.clusters[i] for i, _ in met]
    tests = paired_tests(
        mine,
        theirs,
        {name: metric for name, metric in metrics(settings).items() if names is None or name in names},
        trials=trials,
        seed=seed,
        clusters=clusters if any(clusters) else None,
    )
    n = len(met)
    return Comparison(a.label, b.label, n, len(a.ids) - n, len(b.ids) - n, tests, settings)


def _comparable(a: Contender, b: Contender) -> None:
    differences = [d for d in a.signature.differences(b.signature) if d[0] not in INCOMPARABLE]
    if differences:
        listed = "; ".join(f"{name}: {mine or '-'} and {theirs or '-'}" for name, mine, theirs in differences)
        raise InputError(
            f"the results were made in different ways ({listed})",
            place=f"{a.label}, {b.label}",
            hint="score both with the same settings",
        )


def _same_references(mine: Rows, theirs: Rows, ids: Sequence[str]) -> None:
    import numpy as np

    differ = np.zeros(len(mine), dtype=bool)
    for name in ("facts", "organs_reference"):
        differ |= mine.column(name) != theirs.column(name)
    for at in np.flatnonzero(differ)[:1]:
        raise CabsError(
            f"{mine[at].facts} reference facts in one result, {theirs[at].facts} in the other",
            place=f"report {ids[at]!r}",
            hint="both systems have to be scored against the same references",
        )
