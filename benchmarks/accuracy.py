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

from benchmarks import marks, moves, store
from benchmarks.rooms import gold, iu, labels, mesh, negation, normals, perturbed, phenomena, synthrad, wording
from benchmarks.rooms.mistakes import Mistake, listing
from benchmarks.rooms.parts import PARTS, Figures, Measured, Record, by_part
from benchmarks.tables import table

HERE = Path(__file__).parent
GOLD = HERE / "gold"
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
    run.results["gold"] = {
        "files": {
            name: {"modality": gold.modality(records), **run.split(records, gold.counter(name))}
            for name, records in files.items()
        },
        "pooled": by_part(pooled, gold.counter("pooled"))[0],
        "registers": {name: by_part(records, gold.counter(name))[0] for name, records in phenomena.registers(pooled)},
    }
    run.results["phenomena"] = by_part(pooled, phenomena.measure)[0]
    run.points = list(base.points)
    by_file: dict[str, Figures] = {}
    for name, records in files.items():
        by_file[name], points = perturbed.measure(name, records)
        run.points += points
    run.results["perturbed"] = {"files": by_file, "pooled": perturbed.by_part(run.points)}


AGREEMENT = (
    ("mention", "present", "mention_f1"),
    ("entity", "present", "entity_f1"),
    ("name", "present", "name_f1"),
    ("absent mention", "absent", "mention_f1"),
    ("absent entity", "absent", "entity_f1"),
    ("organ", "slots", "organ"),
    ("side", "slots", "side"),
    ("certainty", "slots", "certainty"),
    ("location", "slots", "location"),
    ("size", "slots", "size"),
    ("attribute", "slots", "attribute"),
)


def _agreement_rows(name: str, parts: Mapping[str, Any]) -> list[list[object]]:
    rows: list[list[object]] = []
    for part in PARTS:
        for mode in ("resolved", "literal") if part == "all" else ("resolved",):
            figures = parts[part][mode]
            cells = [figures[group][key] for _, group, key in AGREEMENT]
            rows.append([name, part, parts[part]["reports"], figures["present"]["gold"], mode, *cells])
    return rows


def gold_table(results: Results) -> str:
    """A row per file, part and mode, then the pooled ones and the registers."""
    sets = {**results["files"], "pooled": results["pooled"], **results["registers"]}
    head = ["file", "part", "reports", "present", "names", *(title for title, _, _ in AGREEMENT)]
    return table(head, [row for name, parts in sets.items() for row in _agreement_rows(name, parts)])


def rows_of(results: Mapping[str, Any], columns: Sequence[str], rows: str | None = None) -> str:
    """A table of a room: a row per part, or per entry of `rows` of the whole set."""
    sets = results["all"][rows] if rows else {part: results[part] for part in PARTS}
    body = [[name, *(figures.get(column) for column in columns)] for name, figures in sets.items()]
    return table([rows or "part", *columns], body)


def told(results: Results) -> str:
    """Every room of a run as tables."""
    parts = []
    if "gold" in results:
        parts.append(f"annotated facts\n{gold_table(results['gold'])}")
        wordings = {"all": {"phenomenon": results["phenomena"]["all"]}}
        columns = list(next(iter(results["phenomena"]["all"].values())))
        parts.append(f"by wording\n{rows_of(wordings, columns, 'phenomenon')}")
        ranks = {**results["perturbed"]["files"], "pooled": results["perturbed"]["pooled"]}
        body = [
            [name, *(ranks[name][part]["spearman"] for part in PARTS), ranks[name]["all"]["pairs"]] for name in ranks
        ]
        parts.append(
            f"F1 from parsed against F1 from annotated facts (Spearman)\n{table(['file', *PARTS, 'pairs'], body)}"
        )
    if "labels" in results:
        columns = ["truth", "found", "p", "r", "f1", "as_positive", "as_negative", "hedged_only", "hedged_only_coded"]
        parts.append(f"Open-i labels\n{rows_of(results['labels'], columns)}")
        parts.append(rows_of(results["labels"], columns, "labels"))
        parts.append(
            f"normal: {results['labels']['all']['normal']}; never coded: {results['labels']['all']['never_coded']}"
        )
    if "mesh" in results:
        columns = ["codes", "recall", "precision", "side", "sided", "place", "placed"]
        parts.append(f"MeSH codes\n{rows_of(results['mesh'], columns)}")
        parts.append(rows_of(results["mesh"], columns, "headings"))
    if "paraphrases" in results:
        sets = results["paraphrases"]
        names = (*wording.PARAPHRASES, "paraphrases", "phi")
        body = [[n, part, *(sets[part][n][s] for s in wording.SCORES)] for n in names for part in PARTS]
        parts.append(f"paraphrases\n{table(['set', 'part', *wording.SCORES], body)}")
    if "synthrad" in results:
        kinds = ["lobe", "size", "primary", "station", "site"]
        parts.append(f"synthrad\n{rows_of(results['synthrad'], [c for k in kinds for c in (k, f'{k}_asked')])}")
    if "negation" in results:
        flat = {
            part: {**f, **{f"negated_{k}": v for k, v in f["negated"].items()}}
            for part, f in results["negation"].items()
        }
        columns = ["sentences", "read", "coverage", "accuracy", "negated_p", "negated_r", "negated_f1"]
        parts.append(f"negation (NegEx)\n{rows_of(flat, columns)}")
    for name, sets in results.get("normals", {}).items():
        columns = ["reports", "false_facts", "per_report", "reports_with_any", "read"]
        parts.append(f"normal reports: {name}\n{rows_of(sets, columns)}")
    return "\n\n".join(parts)


def marks_table(results: Mapping[str, Results]) -> str:
    """Every mark with its figure of this run, reached or not."""
    body = []
    for mark, value in marks.checked(results):
        said = "not measured" if value is None else "reached" if mark.reached(value) else "not reached"
        body.append([mark.label, mark.of, f"{'<=' if mark.most else '>='} {mark.mark:.2f}", value, said])
    return table(["mark", "of", "wanted", "figure", ""], body)


def fallen(results: Mapping[str, Results]) -> list[str]:
    """The figures that are worse than their floor, in words."""
    measured = [(mark, value) for mark, value in marks.checked(results) if value is not None]
    return [f"{m.label} ({m.of}): {value:.3f}, floor {m.floor:.3f}" for m, value in measured if not m.holds(value)]


def summary(results: Results, beside: Results) -> str:
    """The figures of present facts in short, for a page: a row per file, names resolved."""
    head = ["file", "modality", "reports", "present facts", "mention F1", "entity F1", "absent entity F1"]
    head += ["organ", "side", "certainty", "size F1"]
    extra = beside.get("gold", {"files": {}})
    sets = {**results["gold"]["files"], **extra["files"]}
    pooled = extra.get("pooled", results["gold"]["pooled"])
    rows = [[name, f["modality"], *_summary(f["all"])] for name, f in sets.items()]
    rows += [
        [f"**{name}**", "", *_summary(pooled[part])]
        for name, part in (("pooled", "all"), ("pooled, set aside", "aside"))
    ]
    return table(head, rows)


def _summary(figures: Figures) -> list[object]:
    present, slots = figures["resolved"]["present"], figures["resolved"]["slots"]
    size = slots["size"] if slots["size_gold"] else None
    absent = figures["resolved"]["absent"]["entity_f1"]
    values = (
        present["mention_f1"],
        present["entity_f1"],
        absent,
        slots["organ"],
        slots["side"],
        slots["certainty"],
        size,
    )
    return [figures["reports"], present["gold"], *values]


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
    print(f"\nmarks\n{marks_table(results)}")
    below = fallen(results)
    sys.stderr.writelines(f"below its floor: {line}\n" for line in below)
    return 1 if below else 0


def _report(results: Mapping[str, Results]) -> None:
    """Print the figures, what moved, and store them."""
    for of, name in (("shipped", "accuracy"), ("local", "accuracy-local")):
        if of in results:
            print(f"\n{told(results[of])}")
            before = store.stored(name)
            print(f"\n{moves.told(moves.moved(before, results[of]))}")
            print("stored:", store.save(name, results[of]).relative_to(Path.cwd()))


if __name__ == "__main__":
    raise SystemExit(main())
