"""What changes a benchmark, written down: fixing it to its references, and corrections of reference facts (appeals)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from cabs.errors import InputError
from cabs.io.frozen import Header, content_hash, is_frozen, read_frozen, write_frozen
from cabs.io.ids import near
from cabs.io.output import staged, write_bytes
from cabs.io.pairs import Reading, read_pairs
from cabs.io.record import Record
from cabs.io.sides import id_of
from cabs.leaderboard.benchmark.definition import FILE, Definition, as_yaml, digest, signature
from cabs.leaderboard.benchmark.schema import Benchmark, Change, Corrected
from cabs.ontology import Ontology
from cabs.scoring.known import Known
from cabs.scoring.reference import reference_facts

CORRECTED = "corrected_facts.v{version}.jsonl"
"""Each version has a file of its own, so that earlier ones can be had again."""
FROZEN = "freeze it with cabs audit read"
ALONE = Reading(allow_missing=True)
"""How references are read where no prediction stands beside them."""


def write_definition(file: Path, benchmark: Benchmark, others: Mapping[str, bytes] | None = None) -> Definition:
    """Write a definition and files beside it, all or none of them.

    Raises:
        OutputError: the folder can't be written.
    """
    with staged(file.parent, file.name) as staging:
        for name, content in (others or {}).items():
            write_bytes(staging.path(name), content)
        write_bytes(staging.path(file.name), as_yaml(benchmark).encode("utf-8"))
    return Definition(file, benchmark)


def prepared_definition(definition: Definition, lines: Sequence[str], folder: Path, ontology: Ontology) -> Definition:
    """A benchmark in a folder of its own: references, and the definition with their checksum and the signature.

    Raises:
        InputError: the definition has a checksum, and the references another one; OutputError: the folder can't be
            written.
    """
    content = "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogatepass")
    references = definition.benchmark.references
    if references.sha256 not in (None, found := sha256(content).hexdigest()):
        what = f"the references have the checksum {found[:12]}, the definition names {references.sha256[:12]}"
        raise InputError(what, place=str(definition.file), hint="is the download of the version that was published?")
    files = {references.file: content}
    if definition.corrected is not None and definition.corrected.is_file():
        files[definition.corrected.name] = definition.corrected.read_bytes()
    made = write_definition(folder / FILE, definition.benchmark, files)
    return made if references.sha256 is not None else write_fixed(made, ontology)


def write_fixed(definition: Definition, ontology: Ontology, change: Change | None = None) -> Definition:
    """Compute the checksum of the references, their number and the signature of results, and write them down; with a
    `change` the benchmark gets its version.

    Raises:
        CabsError: the references or the corrected facts can't be read, or the definition can't be written.
    """
    benchmark = definition.benchmark
    count = sum(1 for _ in read_pairs(definition.references, how=ALONE))
    references = benchmark.references.model_copy(update={"sha256": digest(definition.references), "reports": count})
    news: dict[str, Any] = {"references": references}
    if change is not None:
        news |= {"version": change.version, "changes": [*benchmark.changes, change]}
    fixed = Definition(definition.file, benchmark.model_copy(update=news))
    signed = fixed.benchmark.model_copy(update={"signature": signature(fixed, ontology)})
    return write_definition(definition.file, signed)


def write_correction(definition: Definition, facts: Path, change: Change, ontology: Ontology) -> Definition:
    """Record corrected reference facts: they join those of earlier corrections (and take the place of those of the same
    reports), the definition names their hash, and the change log the reports. All systems have to be scored anew, since
    the signature changes.

    Raises:
        InputError: the facts are not frozen, none, of another ontology than those before, of a report that the
            benchmark does not have, or of another text of it.
    """
    if not is_frozen(facts):
        raise InputError("this is no frozen file of reference facts", place=str(facts), hint=FROZEN)
    header, records = read_frozen(facts)
    news = sorted({id_of(record) for record in records})
    _check_fit(facts, records, definition, ontology)
    path = definition.corrected
    if path is not None:
        header, records = _joined(path, header, records)
    noted = change.model_copy(update={"facts": header.content_hash, "reports": news})
    corrected = Corrected(file=CORRECTED.format(version=change.version), sha256=header.content_hash)
    write_frozen(definition.file.parent / corrected.file, header, [record.fields for record in records])
    changed = definition.benchmark.model_copy(update={"corrected": corrected})
    return write_fixed(Definition(definition.file, changed), ontology, noted)


def _check_fit(facts: Path, records: Sequence[Record], definition: Definition, ontology: Ontology) -> None:
    """See that facts are of references of the benchmark."""
    if not records:
        raise InputError("holds the facts of no report", place=str(facts), hint="rate the facts of a report whole")
    references = {pair.id: pair for pair in read_pairs(definition.references, how=ALONE)}
    for record in records:
        id = id_of(record)
        if id not in references:
            raise InputError(f"there is no report {id!r}", place=record.place, hint=near(id, references))
    found = reference_facts(facts, allow_missing=True, known=Known(ontology))
    for pair in references.values():
        found.put(pair)


def _joined(path: Path, header: Header, records: Sequence[Record]) -> tuple[Header, list[Record]]:
    """Facts of earlier corrections with new ones, which win."""
    before, known = read_frozen(path)
    if before.ontology_hash != header.ontology_hash:
        what = f"the facts were frozen under {header.ontology}, those before under {before.ontology}"
        raise InputError(what, place=str(path), hint="freeze all of them under one ontology")
    found = {id_of(record): record for record in (*known, *records)}
    joined = [found[id] for id in sorted(found)]
    sums = {name: getattr(before, name) + getattr(header, name) for name in _COUNTS}
    raters = ", ".join(dict.fromkeys(name for name in (before.raters, header.raters) if name))
    hashed = content_hash(record.fields for record in joined)
    return replace(header, content_hash=hashed, reports=len(joined), raters=raters, **sums), joined


_COUNTS = ("rated", "accepted", "corrected", "rejected", "added")
