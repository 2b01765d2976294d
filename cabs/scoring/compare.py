"""Two systems on the same references: the paired test, from results on disk or in memory."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cabs.errors import CabsError, InputError, SettingError
from cabs.io.ids import some
from cabs.io.jsontext import parse_json
from cabs.io.parquet import check_columns, records
from cabs.io.record import Record
from cabs.matching import Settings
from cabs.metrics import FIELDS, Counts, metrics
from cabs.scoring.document import SCHEMA_VERSION
from cabs.scoring.files import REPORTS_PARQUET, RESULTS
from cabs.scoring.result import Result
from cabs.scoring.rows import REPORTS
from cabs.signature import Signature, parse_signature

if TYPE_CHECKING:
    from cabs.metrics.paired import PairedTest

INCOMPARABLE = frozenset({"cabs", "seed", "n_boot", "ci", "facts_used"})
"""Parts of a signature in which results may differ and still be compared: they change no count, or are hashes of what
differs between systems."""

COLUMNS = ("id", "system", "status", "cluster", *(f"n_{name}" for name in FIELDS))
"""What is read of the reports table."""
AGAIN = "score it again with this version of CABS"


@dataclass(frozen=True, slots=True)
class Contender:
    """One system of one run: the scored reports with their counts."""

    label: str
    system: str | None
    signature: Signature
    ids: tuple[str, ...]
    rows: tuple[Counts, ...]
    clusters: tuple[str | None, ...]


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
    table = folder / REPORTS_PARQUET
    check_columns(table, [column for column in REPORTS if column[0] in COLUMNS], AGAIN)
    found: dict[str | None, list[tuple[str, Counts, str | None]]] = {}
    for record in records(table, COLUMNS):
        row: Mapping[str, Any] = record.fields
        scored = found.setdefault(row.get("system"), [])
        if row.get("status") != "unscored":
            scored.append((row["id"], _counts(record), row.get("cluster")))
    return [_contender(folder.name, system, signature, scored) for system, scored in found.items()]


def _counts(record: Record) -> Counts:
    row: Mapping[str, Any] = record.fields
    counts = {name: row[f"n_{name}"] for name in FIELDS}
    if row["id"] is None or any(count is None or count < 0 for count in counts.values()):
        raise InputError("a scored report has no id or no counts", place=record.place, hint=AGAIN)
    return Counts(**counts)


def _contender(
    label: str, system: str | None, signature: Signature, scored: Sequence[tuple[str, Counts, str | None]]
) -> Contender:
    return Contender(
        label if system is None else system,
        system,
        signature,
        tuple(key for key, _, _ in scored),
        tuple(counts for _, counts, _ in scored),
        tuple(cluster for _, _, cluster in scored),
    )


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
    from cabs.metrics.paired import paired_tests

    _comparable(a, b)
    place = {key: i for i, key in enumerate(b.ids)}
    pairs = [(i, place[key]) for i, key in enumerate(a.ids) if key in place]
    if not pairs:
        hint = f"{a.label} has {some(a.ids)}; {b.label} has {some(b.ids)}"
        raise InputError("the two systems have no report in common", place=f"{a.label}, {b.label}", hint=hint)
    _same_references(a, b, pairs)
    settings = Settings.from_items(a.signature.items)
    clusters = [a.clusters[i] for i, _ in pairs]
    tests = paired_tests(
        [a.rows[i] for i, _ in pairs],
        [b.rows[j] for _, j in pairs],
        {name: metric for name, metric in metrics(settings).items() if names is None or name in names},
        trials=trials,
        seed=seed,
        clusters=clusters if any(clusters) else None,
    )
    n = len(pairs)
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


def _same_references(a: Contender, b: Contender, pairs: Sequence[tuple[int, int]]) -> None:
    for i, j in pairs:
        mine, theirs = a.rows[i], b.rows[j]
        if (mine.facts, mine.organs_reference) != (theirs.facts, theirs.organs_reference):
            raise CabsError(
                f"{mine.facts} reference facts in one result, {theirs.facts} in the other",
                place=f"report {a.ids[i]!r}",
                hint="both systems have to be scored against the same references",
            )
