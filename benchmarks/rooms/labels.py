"""Report-level labels against the facts of a report, through the crosswalk of the label set.

A label is found where a present fact is of one of its entities, or below it. The Open-i labels are positives only,
made from codes, and a hedged finding is coded at one time and left out at another: what rests on hedged facts alone is
neither right nor wrong, so the headline leaves such (report, label) pairs out. `as_positive` and `as_negative` count
them as found and as not found. A label that the set gives to no report has no truth and is left out, and listed.
The label `normal` is no finding: it is found where a read report has no present abnormality, and stands apart from the
micro average.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from benchmarks.rooms.mistakes import Mistake
from benchmarks.rooms.parts import Figures, Measured, Record
from benchmarks.rooms.ratios import prf
from benchmarks.rooms.reading import abnormal, present, quote, read
from benchmarks.rooms.targets import stated, targets

CROSSWALK = "Open-i 14"
Tally = Counter[str]


def measure(records: Sequence[Record]) -> Measured:
    """Micro and per-label figures of reports with `text` and `labels`."""
    labelled = [record for record in records if record["labels"]]
    walk = {label: ids for label, ids in targets(CROSSWALK).items() if ids}
    mistakes: list[Mistake] = []
    tallies = {label: Counter[str]() for label in walk}
    for record in labelled:
        for label, ids in walk.items():
            mistakes += _count(record, label, ids, tallies[label])
    coded = {label: tally for label, tally in tallies.items() if tally["truth"]}
    total = sum(coded.values(), Counter[str]())
    figures: Figures = {"reports": len(labelled), **_figures(total)}
    figures["labels"] = {label: _figures(tally) for label, tally in coded.items()}
    figures["never_coded"] = sorted(tallies.keys() - coded.keys())
    figures["normal"] = _normal(labelled)
    return figures, [m for m in mistakes if m.name in coded]


def _count(record: Record, label: str, ids: Sequence[str], n: Tally) -> list[Mistake]:
    facts, text = stated(present(record["text"]), ids), record["text"]
    truth, found = record["labels"][label], bool(facts)
    hedged = found and all(fact.certainty == "possible" for fact in facts)
    n["truth"] += truth
    n["found"] += found
    n["both"] += truth and found
    n["hedged"] += hedged
    n["hedged_truth"] += hedged and truth
    if hedged or truth == found:
        return []
    words = quote(text, facts[0]) if found else text
    return [Mistake("labels", "extra" if found else "missed", record["id"], label, words)]


def _figures(n: Tally) -> Figures:
    sure = (n["both"] - n["hedged_truth"], n["found"] - n["hedged"])
    return {
        **prf(*sure, n["truth"] - n["hedged_truth"]),
        "hedged_only": n["hedged"],
        "hedged_only_coded": n["hedged_truth"],
        "as_positive": prf(n["both"], n["found"], n["truth"])["f1"],
        "as_negative": prf(*sure, n["truth"])["f1"],
    }


def _normal(records: Sequence[Record]) -> Figures:
    said = [bool(read(record["text"]).read and not abnormal(record["text"])) for record in records]
    truth = [bool(record["labels"].get("normal")) for record in records]
    both = sum(a and b for a, b in zip(said, truth, strict=True))
    return prf(both, sum(said), sum(truth))
