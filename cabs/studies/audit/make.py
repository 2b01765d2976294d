"""Reports → the rows of a sheet to rate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any

from cabs.errors import InputError, OutputError
from cabs.io.facts import fact_to_json, report_to_json
from cabs.io.frozen import text_hash
from cabs.io.jsontext import json_line
from cabs.io.output import writing
from cabs.io.sheet import read_sheet, write_sheet
from cabs.ontology import Ontology
from cabs.scoring.judge import Judge, Plan
from cabs.studies.audit.columns import CHOICES, COLUMNS, MACHINE, What, size_kinds, slots_in_words, squeezed
from cabs.studies.audit.source import Key, Source
from cabs.values import Fact, ParsedReport

KEY_COLUMNS = ("code", "id", "system")
"""The columns of the key of a blinded sheet, ..."""
SHEET = "sheet"
"""... and the one that says which sheet it belongs to: rows of a blinded sheet have the same mark as their `KEY`."""
KEY = "key"
MARK_LENGTH = 12


@dataclass(frozen=True, slots=True)
class Sheet:
    """The rows of a sheet, by column, and the key of a blinded one: code → report. `mark`: what tells that a key and a
    blinded sheet belong together; "" for one that isn't blinded."""

    rows: tuple[Mapping[str, str], ...]
    reports: int
    facts: int
    key: Mapping[str, Key]
    mark: str = ""


def make_sheet(
    sources: Sequence[Source], ontology: Ontology, *, sample: int | None = None, seed: int = 0, blind: bool = False
) -> Sheet:
    """One row a fact (present and absent), one for a report without facts, and one a report for a fact that is missing.

    `sample`: so many reports, drawn by `seed`, in the order of the file; all where there are fewer. `blind`: reports
    have codes instead of ids and systems and stand in an order drawn by `seed`; `Sheet.key` tells what they are.
    """
    generator = Random(seed)
    chosen = list(sources)
    if sample is not None and sample < len(chosen):
        kept = set(generator.sample(range(len(chosen)), sample))
        chosen = [source for at, source in enumerate(chosen) if at in kept]
    key: dict[str, Key] = {}
    if blind:
        generator.shuffle(chosen)
        digits = max(3, len(str(len(chosen))))
        key = {f"R{number:0{digits}}": source.key for number, source in enumerate(chosen, 1)}
    mark = _mark(key, chosen) if blind else ""
    shown = [Key(code) for code in key] or [source.key for source in chosen]
    judge, sizes = Judge(Plan(ontology)), size_kinds(ontology)
    rows: list[dict[str, Any]] = []
    facts = 0
    for source, name in zip(chosen, shown, strict=True):
        report = judge.read(source.text if source.facts is None else source.facts)
        facts += len(report.facts)
        rows.extend(_rows(name, source.text, report, sizes))
    for row in rows if blind else ():
        row[MACHINE] |= {KEY: mark}
    return Sheet(tuple(_numbered(rows)), len(chosen), facts, key, mark)


def _mark(key: Mapping[str, Key], sources: Sequence[Source]) -> str:
    """A hash of what the codes stand for. It tells no id to who doesn't know all of them and the texts."""
    content = [[code, *name, text_hash(s.text)] for (code, name), s in zip(key.items(), sources, strict=True)]
    return sha256(json_line(content).encode("utf-8", "surrogatepass")).hexdigest()[:MARK_LENGTH]


def _rows(name: Key, text: str, report: ParsedReport, sizes: frozenset[str]) -> Iterator[dict[str, Any]]:
    read_from = {"text_hash": text_hash(text), "rows": max(1, len(report.facts))}
    for fact in sorted(report.facts, key=lambda fact: (fact.evidence, fact.mention)):
        machine = {**read_from, "fact": fact_to_json(fact), "quotes": quotes_hash(fact, text)}
        yield _row(name, "fact", machine, {**_quotes(fact, text), **slots_in_words(fact, sizes)})
    if not report.facts:
        yield _row(name, "none", read_from, {"sentence": squeezed(text)})
    yield _row(name, "add", {**read_from, "report": {**report_to_json(report), "facts": []}})


def _row(
    name: Key, what: What, machine: Mapping[str, Any], cells: Mapping[str, str] = MappingProxyType({})
) -> dict[str, Any]:
    return {
        "report": name.id,
        "system": name.system,
        "what": what,
        **cells,
        MACHINE: {"id": name.id, "system": name.system, "what": what, **machine},
    }


def quotes_hash(fact: Fact, text: str) -> str:
    """A hash of the words at a fact's positions: another one where the text was moved under them."""
    return text_hash("\n".join(text[slice(*span)] for span in (fact.mention, *fact.evidence)))


def _quotes(fact: Fact, text: str) -> dict[str, str]:
    """The sentences that state a fact and the words that name it."""
    return {
        "sentence": " ... ".join(squeezed(text[slice(*span)]) for span in fact.evidence),
        "evidence": squeezed(text[slice(*fact.mention)]),
    }


def _numbered(rows: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, str]]:
    """The rows with their numbers; those that add a fact have none, since they may be copied or deleted."""
    total, number = sum(row["what"] != "add" for row in rows), 0
    for row in rows:
        if row["what"] == "add":
            yield {**row, "row": "", MACHINE: json_line(row[MACHINE])}
            continue
        number += 1
        yield {**row, "row": f"{number} of {total}", MACHINE: json_line({"row": number, "of": total, **row[MACHINE]})}


def key_path(path: Path) -> Path:
    """Where the key of a blinded sheet is written: beside it, as NAME.key.csv."""
    return path.with_name(f"{path.stem}.key.csv")


def write(sheet: Sheet, path: Path, *, overwrite: bool = False) -> None:
    """Write a sheet as .xlsx or CSV, and the key of a blinded one beside it.

    Raises:
        OutputError: the place can't be written, or holds the key of another sheet and `overwrite` is False;
            MissingExtraError: .xlsx without openpyxl.
    """
    if sheet.key and not overwrite:
        _only_key(key_path(path), sheet)
    write_sheet(path, COLUMNS, ([row.get(name, "") for name in COLUMNS] for row in sheet.rows), CHOICES)
    if sheet.key:
        write_sheet(
            key_path(path), (*KEY_COLUMNS, SHEET), ([code, *key, sheet.mark] for code, key in sheet.key.items())
        )


def _only_key(path: Path, sheet: Sheet) -> None:
    """Without its key a blinded sheet can't be read back, so none is replaced unasked."""
    with writing(path):
        there = path.is_file()
    if not there:
        return
    try:
        marks = {str(record.fields.get(SHEET, "")) for record in read_sheet(path)}
    except InputError:
        return
    if marks != {sheet.mark}:
        hint = "name another place for the sheet, or use --overwrite to lose that key"
        raise OutputError("holds the key of another sheet", place=str(path), hint=hint)
