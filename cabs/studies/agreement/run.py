"""Two files of facts → their agreement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from cabs.errors import InputError
from cabs.io.factfile import FactFile
from cabs.matching import Settings
from cabs.metrics.estimates import Estimate, Kappa, Share, Statistic, cell, estimates
from cabs.metrics.intervals import Resampling
from cabs.ontology import Ontology
from cabs.scoring.judge import Judge, Plan
from cabs.scoring.reference import facts_hash
from cabs.signature import HASH_LENGTH, Signature, sign
from cabs.studies.agreement.report import LABELS, STATUSES, Comparer, ReportAgreement, column, slot_column
from cabs.studies.agreement.result import Agreement, EntityStatus, Reader, SlotAgreement, StatusAgreement
from cabs.studies.agreement.slots import Slot, slots
from cabs.studies.agreement.units import Pairing
from cabs.values import Status

NAME = "agreement"
STATUS_TABLE = "status:"
"""What the columns of the (report, entity) table start with."""

NO_FACTS, NO_REPORTS = "there are no facts", "there are no reports"


def agreement(
    a: FactFile,
    b: FactFile,
    ontology: Ontology,
    *,
    settings: Settings | None = None,
    resampling: Resampling | None = None,
    names: tuple[str, str] | None = None,
    texts: Mapping[str, str] | None = None,
    progress: Callable[[int], None] | None = None,
) -> Agreement:
    """How far two readings of the same reports agree, unit by unit (specification of CABS, "Studies":
    self-consistency).

    A unit is a fact. Facts of a report are paired by the alignment that scores use (one-to-one, the same entity, no
    conflict of organ), present and absent ones apart; a unit that only one reading has differs, and so, fully looked
    at, does a pair that differs in any slot. Reports are joined by id; ids that only one file has are listed in the
    result and in no count. An unread report has no facts and is counted as unread.

    `settings`: `match` and `scope` count here. `texts`: report texts by id, for evidence; those of the files stand in
    where it has none. Undefined shares and kappas are None with the reason.

    Raises:
        InputError: no id is common.
    """
    chosen, how = settings or Settings(), resampling or Resampling()
    common = sorted(a.reports.keys() & b.reports.keys())
    if not common:
        hint = f"ids look like {next(iter(a.reports))!r} and {next(iter(b.reports))!r}"
        raise InputError("the two files have no report in common", place=f"{a.name}, {b.name}", hint=hint)
    judge, every = Judge(Plan(ontology, chosen)), slots(ontology, chosen.match)
    comparer = Comparer(Pairing(judge.matcher), every)
    rows = []
    for done, id in enumerate(common, 1):
        rows.append(comparer.compare(id, judge.read(a.reports[id].facts), judge.read(b.reports[id].facts)))
        if progress is not None:
            progress(done)
    readers = [
        _reader(f, other, name) for f, other, name in zip((a, b), (b, a), names or (a.name, b.name), strict=True)
    ]
    unread = [sum(row.counts[name] for row in rows) for name in ("unread_a", "unread_b")]
    counts, vocabulary = _with_unmentioned(rows)
    found = estimates(counts, _statistics(rows, every), how)
    return Agreement(
        signature=_signature(ontology, chosen, how, readers),
        a=Reader(*readers[0], unread[0]),
        b=Reader(*readers[1], unread[1]),
        reports=len(rows),
        status={status: _status(status, rows, every, found) for status in STATUSES},
        entity_status=EntityStatus(vocabulary, found["mentioned"], found["status"]),
        rows=tuple(rows),
        texts={id: text for id in common if (text := _text(id, a, b, texts or {})) is not None},
    )


def _reader(file: FactFile, other: FactFile, name: str) -> tuple[str, str, tuple[str, ...]]:
    only = tuple(id for id in file.reports if id not in other.reports)
    return name, facts_hash({id: report.facts for id, report in file.reports.items()}), only


def _text(id: str, a: FactFile, b: FactFile, texts: Mapping[str, str]) -> str | None:
    return texts.get(id) or a.reports[id].text or b.reports[id].text


def _signature(
    ontology: Ontology, settings: Settings, resampling: Resampling, readers: Sequence[tuple[str, str, tuple[str, ...]]]
) -> Signature:
    hashes = [(name, reader[1][:HASH_LENGTH]) for name, reader in zip(("a", "b"), readers, strict=True)]
    chosen = [("study", NAME), ("match", settings.match), ("scope", settings.scope), *resampling.items(), *hashes]
    onto = f"{ontology.name}@{ontology.version}"
    return sign(ontology_version=onto, ontology_hash=ontology.content_hash, parser="facts", parameters=chosen)


def _with_unmentioned(rows: Sequence[ReportAgreement]) -> tuple[list[Counter[str]], int]:
    """The columns of all reports with the (report, entity) table, and the number of entities that are mentioned."""
    entities = {entity for row in rows for entity in row.labels}
    counts = []
    for row in rows:
        mine = Counter(row.counts)
        for said in row.labels.values():
            mine[cell(STATUS_TABLE, *said)] += 1
            mine["same_status"] += said[0] == said[1]
        mine["mentioned"] = len(row.labels)
        mine[cell(STATUS_TABLE, LABELS[2], LABELS[2])] = len(entities) - len(row.labels)
        counts.append(mine)
    return counts, len(entities)


def _statistics(rows: Sequence[ReportAgreement], every: Sequence[Slot]) -> dict[str, Statistic]:
    found: dict[str, Statistic] = {
        "mentioned": Share("same_status", ("mentioned",), empty="no entity is mentioned"),
        "status": Kappa(STATUS_TABLE, LABELS),
    }
    categories: dict[str, set[str]] = {}
    for row in rows:
        for prefix, said in row.categories.items():
            categories.setdefault(prefix, set()).update(said)
    for status in STATUSES:
        for name, share in _shares(status).items():
            found[column(status, name)] = share
        for slot in every:
            prefix = slot_column(status, slot.name)
            agree = slot_column(status, slot.name, "agree")
            found[agree] = Share(agree, (column(status, "paired"),), empty="there are no paired facts")
            if slot.category is not None:
                found[prefix] = Kappa(prefix, tuple(sorted(categories.get(prefix, ()))))
    return found


def _shares(status: Status) -> dict[str, Share]:
    def share(part: str, *whole: str, times: int = 1) -> Share:
        return Share(column(status, part), tuple(column(status, name) for name in whole), times, NO_FACTS)

    return {
        "a_in_b": share("paired", "a"),
        "b_in_a": share("paired", "b"),
        "overlap": share("paired", "a", "b", times=2),
        "a_in_b_fully": share("full", "a"),
        "b_in_a_fully": share("full", "b"),
        "two_or_more": Share(column(status, "two"), ("reports",), empty=NO_REPORTS),
        "two_or_more_fully": Share(column(status, "two_fully"), ("reports",), empty=NO_REPORTS),
    }


def _status(
    status: Status, rows: Sequence[ReportAgreement], every: Sequence[Slot], found: Mapping[str, Estimate]
) -> StatusAgreement:
    def total(name: str) -> int:
        return sum(row.counts.get(name, 0) for row in rows)

    of_slots = []
    for slot in every:
        agree = found[slot_column(status, slot.name, "agree")]
        undefined = Estimate(None, agree.n, None, slot.reason)
        kappa = found.get(slot_column(status, slot.name), undefined)
        of_slots.append(SlotAgreement(slot.name, total(slot_column(status, slot.name, "stated")), agree, kappa))
    shares = {name: found[column(status, name)] for name in _shares(status)}
    return StatusAgreement(
        facts_a=total(column(status, "a")),
        facts_b=total(column(status, "b")),
        paired=total(column(status, "paired")),
        full=total(column(status, "full")),
        shares=shares,
        slots=tuple(of_slots),
    )
