"""How well the parser reads: against annotated facts, human labels and codes, exact truth of generated reports,
negation status, normal reports, paraphrases, and its own scores.

`python -m benchmarks.accuracy [--gold FOLDER] [--iu FOLDER] [--errors N] [--check]` measures what is shipped and, where
folders are given, what can't be shipped: further gold files, and IU X-ray with its labels and codes. Every set is
measured as a whole and in two parts, see `benchmarks.rooms.parts`. The figures are compared with the stored ones and
then stored, those of local folders apart (they hold no text); `--check` stores nothing.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks import marks, moves, pages, store
from benchmarks.rooms import gold, iu, labels, mesh, negation, normals, perturbed, phenomena, synthrad, wording
from benchmarks.rooms.mistakes import Mistake, listing
from benchmarks.rooms.parts import Figures, Measured, Record, by_part

HERE = Path(__file__).parent
GOLD = HERE / "gold"
REGISTERS = GOLD / "registers"
DATA = HERE / "data"
CASES = "cases_dev.jsonl"
NORMAL = "dev_normal"

Results = dict[str, Any]
Files = dict[str, list[Record]]


@dataclass(slots=True)
class Run:
    """What a run has measured: figures by room, the mistakes of the open part, and what pooled figures are made of."""

    results: Results = field(default_factory=dict)
    mistakes: list[Mistake] = field(default_factory=list)
    files: Files = field(default_factory=dict)
    points: list[perturbed.Point] = field(default_factory=list)

    def split(self, records: Sequence[Record], measure: Callable[[Sequence[Record]], Measured]) -> dict[str, Figures]:
        """The figures of a set and its parts; its mistakes join those of the run."""
        figures, mistakes = by_part(records, measure)
        self.mistakes += mistakes
        return figures


def shipped() -> Run:
    """Everything whose texts are in this repository."""
    run = Run()
    _annotated(run, dict(gold.gold_files([GOLD])), Run())
    further = dict(gold.gold_files([REGISTERS]))
    pooled = [record for records in further.values() for record in records]
    run.results["registers"] = {**_agreement(run, further, pooled), "phenomena": by_part(pooled, phenomena.measure)[0]}
    run.results["paraphrases"] = run.split(synthrad.reports(GOLD / CASES), wording.measure)
    run.results["synthrad"] = run.split(synthrad.reports(DATA / "synthrad_ct.jsonl"), synthrad.measure)
    run.results["negation"] = run.split(negation.sentences(DATA / "negex.jsonl.gz"), negation.measure)
    normal = {NORMAL: normals.without_present(run.files[NORMAL]), **normals.templates(DATA / "templates")}
    run.results["normals"] = {name: run.split(texts, normals.counter(name)) for name, texts in normal.items()}
    return run


def local(base: Run, gold_folder: Path | None, iu_folder: Path | None) -> Run:
    """What lies in the user's folders; pooled figures are of the shipped files and these."""
    run = Run()
    if gold_folder is not None:
        extra = {name: records for name, records in gold.gold_files([gold_folder]) if name not in base.files}
        _annotated(run, extra, base)
    if iu_folder is not None:
        reports = iu.reports(iu_folder)
        if any(record["labels"] for record in reports):
            run.results["labels"] = run.split(reports, labels.measure)
        run.results["mesh"] = run.split(reports, mesh.measure)
        run.results["normals"] = {"iu": run.split(normals.coded_normal(reports), normals.counter("iu"))}
    return run


def _annotated(run: Run, files: Files, base: Run) -> None:
    """The rooms that read annotated facts: per file, and pooled with the files of a run before."""
    run.files = files
    pooled = [record for records in (*base.files.values(), *files.values()) for record in records]
    run.results["gold"] = _agreement(run, files, pooled)
    run.results["phenomena"] = by_part(pooled, phenomena.measure)[0]
    run.points = list(base.points)
    by_file: dict[str, Figures] = {}
    for name, records in files.items():
        by_file[name], points = perturbed.measure(name, records)
        run.points += points
    run.results["perturbed"] = {"files": by_file, "pooled": perturbed.by_part(run.points)}


def _agreement(run: Run, files: Files, pooled: list[Record]) -> Results:
    """How annotated and parsed facts agree: per file, pooled, and per register that a record names."""
    return {
        "files": {
            name: {"modality": gold.modality(records), **run.split(records, gold.counter(name))}
            for name, records in files.items()
        },
        "pooled": by_part(pooled, gold.counter("pooled"))[0],
        "registers": {name: by_part(records, gold.counter(name))[0] for name, records in phenomena.registers(pooled)},
    }


def main(argv: list[str] | None = None) -> int:
    """Print, compare and store the figures; 1 where a figure has fallen below its floor."""
    parser = argparse.ArgumentParser(prog="make accuracy", description=__doc__)
    parser.add_argument("--gold", type=Path, help="a folder with further gold files")
    parser.add_argument("--iu", type=Path, help=f"a folder with {iu.REPORTS} and {iu.LABELS} somewhere below it")
    parser.add_argument("--errors", type=int, metavar="N", help="list mistakes of the open part, N of each kind")
    parser.add_argument("--check", action="store_true", help="print the marks alone and store nothing")
    options = parser.parse_args(argv)
    runs = {"shipped": shipped()}
    if options.gold or options.iu:
        try:
            runs["local"] = local(runs["shipped"], options.gold, options.iu)
        except FileNotFoundError as error:
            parser.error(str(error))
        if options.gold and not runs["local"].files:
            parser.error(f"no gold file in {options.gold} that isn't among the shipped ones")
    results = {name: run.results for name, run in runs.items()}
    if options.errors is not None:
        print(listing([m for run in runs.values() for m in run.mistakes], options.errors))
    if not options.check:
        _report(results)
    print(f"\nmarks\n{pages.marks_table(results)}")
    below = marks.fallen(results)
    sys.stderr.writelines(f"below its floor: {line}\n" for line in below)
    return 1 if below else 0


def _report(results: Mapping[str, Results]) -> None:
    """Print the figures, what moved, and store them."""
    for of, name in (("shipped", "accuracy"), ("local", "accuracy-local")):
        if of in results:
            print(f"\n{pages.told(results[of])}")
            before = store.stored(name)
            print(f"\n{moves.told(moves.moved(before, results[of]))}")
            print("stored:", store.save(name, results[of]).relative_to(Path.cwd()))


if __name__ == "__main__":
    raise SystemExit(main())
