"""The figures of an accuracy run as tables: for the terminal, and in short for a page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks import marks
from benchmarks.rooms import wording
from benchmarks.rooms.parts import PARTS, Figures
from benchmarks.tables import table

Results = dict[str, Any]

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
    blocks = (f"{title}\n{body}" for name, tell in ROOMS if name in results for title, body in tell(results[name]))
    return "\n\n".join(blocks)


Blocks = Iterator[tuple[str, str]]


def _gold(results: Results) -> Blocks:
    yield "annotated facts", gold_table(results)


def _registers(results: Results) -> Blocks:
    yield "annotated facts of further registers", gold_table(results)
    yield from _phenomena(results["phenomena"], "annotated facts of further registers")


def _phenomena(results: Results, of: str = "annotated facts") -> Blocks:
    columns = list(next(iter(results["all"].values())))
    body = [[name, *(figures[column] for column in columns)] for name, figures in results["all"].items()]
    yield f"{of}, by wording", table(["wording", *columns], body)


def _perturbed(results: Results) -> Blocks:
    ranks = {**results["files"], "pooled": results["pooled"]}
    body = [[name, ranks[name]["all"]["pairs"], *(ranks[name][part]["spearman"] for part in PARTS)] for name in ranks]
    yield "F1 from parsed against F1 from annotated facts (Spearman)", table(["file", "pairs", *PARTS], body)


def _labels(results: Results) -> Blocks:
    columns = ["truth", "found", "p", "r", "f1", "as_positive", "as_negative", "hedged_only", "hedged_only_coded"]
    yield "Open-i labels", rows_of(results, columns)
    yield "each label", rows_of(results, columns, "labels")
    normal = {part: results[part]["normal"] for part in PARTS}
    yield "the label of normal reports", rows_of(normal, ["truth", "found", "p", "r", "f1"])
    yield "labels that the set gives to no report", ", ".join(results["all"]["never_coded"]) or "-"


def _mesh(results: Results) -> Blocks:
    columns = ["codes", "recall", "precision", "side", "sided", "place", "placed"]
    yield "MeSH codes", rows_of(results, columns)
    yield "each heading", rows_of(results, columns, "headings")


def _paraphrases(results: Results) -> Blocks:
    names = (*wording.PARAPHRASES, "paraphrases", "phi")
    body = [[name, part, *(results[part][name][s] for s in wording.SCORES)] for name in names for part in PARTS]
    yield "paraphrases", table(["set", "part", *wording.SCORES], body)


def _synthrad(results: Results) -> Blocks:
    kinds = ("lobe", "size", "primary", "station", "site")
    yield "synthrad", rows_of(results, ["reports", *(name for kind in kinds for name in (kind, f"{kind}_asked"))])


def _negation(results: Results) -> Blocks:
    flat = {part: {**f, **{f"negated_{k}": v for k, v in f["negated"].items()}} for part, f in results.items()}
    columns = ["sentences", "read", "coverage", "accuracy", "negated_p", "negated_r", "negated_f1"]
    yield "negation (NegEx)", rows_of(flat, columns)


def _normals(results: Results) -> Blocks:
    columns = ["reports", "false_facts", "per_report", "reports_with_any", "read"]
    for name, sets in results.items():
        yield f"normal reports: {name}", rows_of(sets, columns)


ROOMS: tuple[tuple[str, Callable[[Results], Blocks]], ...] = (
    ("gold", _gold),
    ("registers", _registers),
    ("phenomena", _phenomena),
    ("perturbed", _perturbed),
    ("labels", _labels),
    ("mesh", _mesh),
    ("paraphrases", _paraphrases),
    ("synthrad", _synthrad),
    ("negation", _negation),
    ("normals", _normals),
)


def marks_table(results: Mapping[str, Results], file: Path = marks.FILE) -> str:
    """Every mark of a file with its figure of this run, reached or not."""
    body = []
    for mark, value in marks.checked(results, file):
        said = "not measured" if value is None else "reached" if mark.reached(value) else "not reached"
        sign = "<=" if mark.most else ">="
        body.append([mark.label, mark.of, f"{sign} {mark.mark:.2f}", f"{sign} {mark.floor:.2f}", value, said])
    return table(["mark", "of", "wanted", "floor", "figure", "wanted is"], body)


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
    further = results["registers"]
    rows += [[f"registers/{name}", f["modality"], *_summary(f["all"])] for name, f in further["files"].items()]
    rows += [
        [f"**registers{name}**", "", *_summary(further["pooled"][part])]
        for name, part in ((", pooled", "all"), (", set aside", "aside"))
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


CHECKS = (
    ("Open-i labels of IU X-ray, micro F1", "labels/{}/f1"),
    ("the same, hedged findings counted as found", "labels/{}/as_positive"),
    ("MeSH codes of IU X-ray met", "mesh/{}/recall"),
    ("sides of these codes", "mesh/{}/side"),
    ("places of these codes", "mesh/{}/place"),
    ("IU X-ray studies coded normal: false facts per report", "normals/iu/{}/per_report"),
    ("share of these studies that is read", "normals/iu/{}/read"),
    ("reports of dev_normal without present facts: false facts per report", "normals/dev_normal/{}/per_report"),
    ("share of these reports that is read", "normals/dev_normal/{}/read"),
    ("normal templates (CT, radiographs): false facts per report", "normals/templates/{}/per_report"),
    ("share of these templates that is read", "normals/templates/{}/read"),
    ("generated CT: lobe of the primary", "synthrad/{}/lobe"),
    ("generated CT: size of the primary", "synthrad/{}/size"),
    ("generated CT: stations of lymph nodes", "synthrad/{}/station"),
    ("NegEx sentences: negation status of the concepts read", "negation/{}/accuracy"),
    ("NegEx sentences: concepts read", "negation/{}/coverage"),
    ("paraphrases of ranked cases: F1", "paraphrases/{}/paraphrases/f1"),
    ("paraphrases of ranked cases: FC-F1", "paraphrases/{}/paraphrases/fc_f1"),
    ("F1 from parsed against F1 from annotated facts (Spearman)", "perturbed/pooled/{}/spearman"),
)


def checks(results: Results, beside: Results) -> str:
    """Everything but the annotated facts in short: the figures of all reports and of those set aside."""
    rows = []
    for title, path in CHECKS:
        figures = [_either(results, beside, path.format(part)) for part in ("all", "aside")]
        rows.append([title, *figures])
    return table(["what", "all", "set aside"], rows)


def _either(results: Results, beside: Results, path: str) -> float | None:
    """The figure of local results where they have it, since these pool with what is shipped."""
    local = marks.figure(beside, path)
    return marks.figure(results, path) if local is None else local


def unreached(results: Results, beside: Results) -> str:
    """The figures that do not reach their mark, with what is wanted of them."""
    rows: list[list[object]] = []
    for mark, value in marks.checked({"shipped": results, "local": beside}):
        if value is not None and not mark.reached(value):
            rows.append([mark.label, value, f"{'at most' if mark.most else 'at least'} {mark.mark:g}"])
    return table(["figure", "measured", "wanted"], rows)


def wordings(results: Results) -> str:
    """How much the parser finds of what the registers say in some way, the least first."""
    figures = results["registers"]["phenomena"]["all"]
    worst = sorted(figures.items(), key=lambda item: item[1]["entity_recall"])
    columns = ("facts", "mention_recall", "entity_recall", "status_errors")
    rows = [[name, *(found[column] for column in columns)] for name, found in worst]
    return table(["wording", "facts", "found", "entity", "status"], rows)
