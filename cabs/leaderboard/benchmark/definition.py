"""The definition of a benchmark in its folder: read, checked against the files beside it, written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import yaml

from cabs.checked import read_checked
from cabs.errors import CabsError, InputError, SettingError
from cabs.io.lines import opened
from cabs.io.read import read_records
from cabs.leaderboard.benchmark.schema import Benchmark
from cabs.leaderboard.board import Framed
from cabs.matching import Settings
from cabs.metrics import metrics
from cabs.metrics.intervals import Resampling
from cabs.ontology import Ontology
from cabs.registry import offer
from cabs.scoring.judge import Plan
from cabs.scoring.known import Known
from cabs.scoring.reference import ReferenceFacts, reference_facts
from cabs.scoring.run import CLUSTER, Options, signature_of

SHIPPED = Path(__file__).parent / "shipped"
FILE = "benchmark.yaml"
BLOCK = 1 << 20
FIX = "cabs benchmark fix computes it"


@dataclass(frozen=True)
class Definition:
    """A benchmark and the `file` that defines it; what it names stands beside it."""

    file: Path
    benchmark: Benchmark

    @property
    def references(self) -> Path:
        """The file of the references."""
        return self.file.parent / self.benchmark.references.file

    @property
    def corrected(self) -> Path | None:
        """The file of the corrected facts, if there is one."""
        found = self.benchmark.corrected
        return None if found is None else self.file.parent / found.file

    @property
    def settings(self) -> Settings:
        """How facts are matched and counted.

        Raises:
            InputError: a setting is unknown.
        """
        benchmark = self.benchmark
        items = {**benchmark.settings, "scope": benchmark.scope, "match": benchmark.match}
        known = dict(Settings().items())
        for name in benchmark.settings:
            if name not in known:
                raise InputError(
                    f"{name!r} is no setting", place=f"{self.file}: settings", hint=offer(name, list(known))
                )
        try:
            return Settings.from_items(items)
        except SettingError as error:
            raise InputError(error.message, place=f"{self.file}: settings", hint=error.hint) from None

    @property
    def resampling(self) -> Resampling:
        """How intervals are made."""
        return Resampling(n=self.benchmark.draws, seed=self.benchmark.seed)

    @property
    def framed(self) -> Framed:
        """What a board says of it."""
        found = self.benchmark
        changes = tuple(change.model_dump() for change in found.changes)
        return Framed(found.name, found.title, found.description, found.home, found.licence, found.version, changes)

    def facts(self, known: Known) -> ReferenceFacts | None:
        """The corrected facts; references that they leave out are parsed.

        Raises:
            InputError: they can't be read, or aren't those that the definition names.
        """
        path, corrected = self.corrected, self.benchmark.corrected
        if path is None or corrected is None:
            return None
        found = reference_facts(path, allow_missing=True, known=known)
        if found.hash != corrected.sha256:
            what = f"the corrected facts have the hash {found.hash[:12]}, the definition names {corrected.sha256[:12]}"
            raise InputError(what, place=str(path), hint="take the file that was published with the definition")
        return found

    def check_references(self) -> None:
        """See that the references are those that the benchmark was fixed on.

        Raises:
            InputError: they aren't, are not there, or no checksum was ever computed.
        """
        expected = self.benchmark.references.sha256
        if expected is None:
            raise InputError("the references have no checksum yet", place=f"{self.file}: references.sha256", hint=FIX)
        found = digest(self.references)
        if found != expected:
            what = f"the references have the checksum {found[:12]}, the definition names {expected[:12]}"
            raise InputError(what, place=str(self.references), hint="prepare them anew from the official download")


def digest(path: Path) -> str:
    """The SHA-256 (hex) of a file.

    Raises:
        InputError: it can't be read.
    """
    found = sha256()
    with opened(path) as handle:
        for block in iter(lambda: handle.read(BLOCK), b""):
            found.update(block)
    return found.hexdigest()


def signature(definition: Definition, ontology: Ontology) -> str:
    """The signature that results of the benchmark have, under this ontology and this version of CABS.

    Raises:
        CabsError: the references or the corrected facts can't be read.
    """
    plan = Plan(ontology, definition.settings)
    options = Options(definition.resampling, reference_facts=definition.facts(Known(ontology)))
    clustered = any(record.fields.get(CLUSTER) is not None for record in read_records(definition.references))
    return str(signature_of(plan, options, CLUSTER if clustered else None))


def read_definition(given: Path | str) -> Definition:
    """The definition in a file, in a folder's benchmark.yaml, or the shipped one of this name.

    Raises:
        InputError: there is none, or it can't be read.
    """
    path = Path(given)
    file = path / FILE if path.is_dir() else path
    if not file.exists():
        names = [definition.benchmark.name for definition in shipped()]
        if str(given) not in names:
            hint = offer(str(given), names)
            raise InputError("there is no such file, nor a benchmark of this name", place=str(given), hint=hint)
        file = SHIPPED / f"{given}.yaml"
    found = Definition(file, read_checked(file, Benchmark))
    known = metrics(found.settings)
    if found.benchmark.rank_by not in known:
        what = f"{found.benchmark.rank_by!r} is no metric that ranks"
        raise InputError(what, place=f"{file}: rank_by", hint=offer(found.benchmark.rank_by, list(known)))
    return found


def own_definition(given: Path | str) -> Definition:
    """The definition in a file or a folder, which has its references beside it.

    Raises:
        InputError: see `read_definition`, or it is a shipped one.
    """
    found = read_definition(given)
    if found.file.parent == SHIPPED:
        hint = f"make a folder that has them: cabs benchmark prepare {found.benchmark.name} DOWNLOAD -o FOLDER"
        raise InputError("this definition comes without references", place=str(given), hint=hint)
    return found


def shipped() -> Iterator[Definition]:
    """The definitions that come with CABS, by name."""
    for file in sorted(SHIPPED.glob("*.yaml")):
        yield Definition(file, read_checked(file, Benchmark))


def as_yaml(benchmark: Benchmark) -> str:
    """A definition as a YAML file; keys that say nothing are left out."""
    values = benchmark.model_dump(exclude_defaults=True, exclude_none=True)
    try:
        return yaml.safe_dump({"cabs_benchmark": 1, **values}, sort_keys=False, allow_unicode=True, width=100)
    except yaml.YAMLError as error:
        raise CabsError(f"can't be written as YAML: {error}", place=benchmark.name) from None
