"""Reference facts: checked facts that stand in for the parse of the references' texts, by id.

They are used as facts in a file of pairs are (`QuoteReader` and `adopted` read them); only where they come from is new.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TypeAlias

from cabs.errors import InputError
from cabs.io.factfile import FactFile, FactReport, read_fact_file
from cabs.io.facts import report_to_json, within
from cabs.io.frozen import content_hash, text_hash
from cabs.io.ids import near, some
from cabs.scoring.known import Known
from cabs.values import Pair, ParsedReport, QuotedReport

Facts: TypeAlias = ParsedReport | QuotedReport

ALLOW = "use --allow-missing-facts to parse the text of these"
SHOWN = 3
"""Ids that a message names."""


def facts_hash(reports: Mapping[str, Facts]) -> str:
    """The SHA-256 (hex) of facts by id, whatever their order and the layout of their file."""
    return content_hash({"id": id, **_values(facts)} for id, facts in reports.items())


def _values(facts: Facts) -> dict[str, object]:
    return report_to_json(facts) if isinstance(facts, ParsedReport) else asdict(facts)


@dataclass(slots=True)
class ReferenceFacts:
    """Facts by the ids of the reports that they belong to.

    `name`: where they come from, for messages. `hash`: of all of them (SHA-256, hex; of a frozen file the one in its
    header); it stands in the signature of a result. `ontology_hash`: of the ontology that they were frozen under (""
    where unknown).
    `allow_missing`: a reference without facts is parsed from its text instead of being an error. `used` and `parsed`
    hold the ids met so far.
    """

    name: str
    reports: Mapping[str, Facts]
    hash: str
    ontology_hash: str = ""
    text_hashes: Mapping[str, str] = field(default_factory=dict)
    allow_missing: bool = False
    used: set[str] = field(default_factory=set)
    parsed: set[str] = field(default_factory=set)

    def put(self, pair: Pair) -> Pair:
        """The pair with the facts in place of its reference.

        Raises:
            InputError: there are none for its id, or they were made of another text.
        """
        facts = self.reports.get(pair.id)
        if facts is None:
            if not self.allow_missing:
                raise self._lacks(pair, ())
            self.parsed.add(pair.id)
            return pair
        expected = self.text_hashes.get(pair.id)
        text = pair.reference if isinstance(pair.reference, str) else ""
        if expected is not None and text.strip() and text_hash(text) != expected:
            raise InputError(
                f"the facts of report {pair.id!r} in {self.name} were read from another text than this reference",
                place=pair.source,
                hint="use the references that were rated",
            )
        if isinstance(facts, ParsedReport) and text.strip():
            within(facts, len(text), f"{self.name}: report {pair.id!r}")
        self.used.add(pair.id)
        return replace(pair, reference=facts, reference_text=text if text.strip() else None)

    def into(self, pairs: Iterable[Pair]) -> Iterator[Pair]:
        """The pairs with the facts in place of their references.

        Raises:
            InputError: as `put`; reports without facts are all counted.
        """
        every = iter(pairs)
        for pair in every:
            if not self.allow_missing and pair.id not in self.reports:
                raise self._lacks(pair, (other.id for other in every))
            yield self.put(pair)

    def _lacks(self, pair: Pair, others: Iterable[str]) -> InputError:
        more = [id for id in dict.fromkeys(others) if id not in self.reports and id != pair.id]
        also = f" and {len(more)} more: {some(more)}" if more else ""
        hint = f"{near(pair.id, self.reports)}; {ALLOW}"
        return InputError(f"{self.name} has no facts for report {pair.id!r}{also}", place=pair.source, hint=hint)

    def warnings(self, ontology_hash: str) -> list[str]:
        """What a reader should know once all pairs have come: facts of another ontology than the one in use, texts that
        were parsed, facts that no pair needed."""
        found = []
        if self.ontology_hash not in ("", ontology_hash):
            found.append(
                f"the facts of {self.name} were frozen under another ontology; ids that this one lacks are lost"
            )
        if self.parsed:
            found.append(
                f"{len(self.parsed)} references have no facts in {self.name} and were parsed: {_some(self.parsed)}"
            )
        idle = self.reports.keys() - self.used
        if idle:
            found.append(f"{len(idle)} of {len(self.reports)} reports of {self.name} are in no pair: {_some(idle)}")
        return found


def _some(ids: Iterable[str]) -> str:
    shown = sorted(ids)
    return ", ".join(shown[:SHOWN]) + (", ..." if len(shown) > SHOWN else "")


def reference_facts(
    source: str | Path | Mapping[str, Facts], *, allow_missing: bool = False, known: Known | None = None
) -> ReferenceFacts:
    """Reference facts of a file (frozen by `cabs audit read`, as `cabs parse` writes them, or in the gold format), or
    of a mapping from ids to facts. `known`: checks the ids of a file's facts, unless they were frozen under another
    ontology, whose ids are lost with a warning.

    Raises:
        InputError: the file can't be read, it is a frozen one that was changed, or `known` refuses its facts.
    """
    if isinstance(source, Mapping):
        return ReferenceFacts("the mapping of facts", source, facts_hash(source), allow_missing=allow_missing)
    file = read_fact_file(Path(source))
    facts = {id: report.facts for id, report in file.reports.items()}
    found, ontology = facts_hash(facts), ""
    if file.header is not None:
        found, ontology = file.header.content_hash, file.header.ontology_hash
    if known is not None and ontology in ("", known.ontology.content_hash):
        check_file(file, known)
    return ReferenceFacts(file.name, facts, found, ontology, _hashes(file), allow_missing)


def check_file(file: FactFile, known: Known) -> None:
    """See that the ontology knows the facts of a file.

    Raises:
        InputError: it doesn't.
    """
    for report in file.reports.values():
        known.check(report.facts, report.id, report.place, report.text)


def _hashes(file: FactFile) -> dict[str, str]:
    """The hashes of the texts that the facts were read from, where the file has them."""
    known = {id: _hash(report) for id, report in file.reports.items()}
    return {id: found for id, found in known.items() if found is not None}


def _hash(report: FactReport) -> str | None:
    return report.text_hash or (None if report.text is None else text_hash(report.text))
