"""Does a report's score survive the parser: F1 from parsed facts against F1 from annotated facts.

For every annotated report of a file, as the reference, predictions are made from annotated text: the report's own
sentences, each kept with a probability drawn once per prediction (0.2 to 1), and sentences drawn from the other
reports of the file (none up to six tenths as many as the report has). So predictions range from nearly the same to
mostly another report. A sentence takes its facts along: the annotated facts of a prediction are those whose quoted
sentence it holds; sentences that one quote spans stay together. Sentences keep their section, and the heading that
stood before them in their line.

F1 is computed twice for each pair by `Matcher`, `count` and `score`: with annotated facts on both sides (read by
`QuoteReader`), and with both texts parsed. The figure is Spearman's correlation of the two over all pairs for which
both are defined. Drawing is seeded by file, report and number, so that every run makes the same texts.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from scipy.stats import spearmanr

import cabs
from benchmarks.rooms.parts import PARTS, Figures, Record, part_of
from benchmarks.rooms.reading import matcher, quotes, read
from cabs.io.quoted import quoted_report
from cabs.metrics import count, score
from cabs.parsing.parser import parser_of
from cabs.values import ParsedReport, Section

EACH = 3
"""Predictions per report."""

Piece = tuple[Section, str, tuple[Record, ...]]
"""Sentences that stay together: their section, their text, the annotated facts that they state."""
Point = tuple[str, float, float]
"""The report, F1 from annotated facts, F1 from parsed facts."""


def measure(name: str, records: Sequence[Record]) -> tuple[dict[str, Figures], list[Point]]:
    """The correlation over all reports of a file and over its parts, and the points."""
    points = list(_points(name, records))
    return by_part(points), points


def by_part(points: Sequence[Point]) -> dict[str, Figures]:
    """The correlation over all points and over those of either part."""
    return {part: correlation([p for p in points if part in ("all", part_of(p[0]))]) for part in PARTS}


def correlation(points: Sequence[Point]) -> Figures:
    """Spearman's correlation; None for fewer than three points or where one side does not vary."""
    ours, theirs = [p[1] for p in points], [p[2] for p in points]
    if len(points) < 3 or len(set(ours)) < 2 or len(set(theirs)) < 2:
        return {"pairs": len(points), "spearman": None}
    return {"pairs": len(points), "spearman": round(float(spearmanr(ours, theirs).statistic), 4)}


def _points(name: str, records: Sequence[Record]) -> Iterator[Point]:
    pieces = {str(record["id"]): cut(record) for record in records}
    for record in records:
        id = str(record["id"])
        others = [piece for key, cuts in pieces.items() if key != id for piece in cuts]
        annotated = quoted(record["text"], record["facts"])
        for number in range(EACH):
            text, facts = prediction(pieces[id], others, random.Random(f"{name}:{id}:{number}"))
            ours, theirs = _f1(annotated, quoted(text, facts)), _f1(read(record["text"]), read(text))
            if ours is not None and theirs is not None:
                yield id, ours, theirs


def prediction(own: Sequence[Piece], others: Sequence[Piece], draw: random.Random) -> tuple[str, list[Record]]:
    """A text of kept and foreign sentences, and the annotated facts that it states."""
    keep = draw.uniform(0.2, 1.0)
    pieces = [piece for piece in own if draw.random() < keep]
    wanted = round(draw.uniform(0, 0.6) * len(own))
    pieces += draw.sample(list(others), min(wanted, len(others)))
    lines: list[str] = []
    facts: list[Record] = []
    for section in ("findings", "impression"):
        inside = [piece for piece in pieces if piece[0] == section]
        if inside:
            lines += [f"{section.upper()}:", *(text for _, text, _ in inside)]
            facts += [{**fact, "section": section} for _, _, stated in inside for fact in stated]
    return "\n".join(lines), facts


def cut(record: Record) -> list[Piece]:
    """The sentences of a report with the facts that they state; a fact belongs to all sentences that its quote
    touches, which become one piece."""
    text = record["text"]
    parser = parser_of(cabs.load_ontology())
    spans: list[tuple[Section, str, int, int]] = []
    for stretch in parser.stretches(text):
        section: Section = "impression" if stretch.role == "impression" else "findings"
        spans += [(section, s.heading, s.start, s.end) for s in parser.sentences(text, stretch)]
    quotes = list(_quotes(record["facts"], text))
    groups: list[list[int]] = []
    for i, (_, _, start, _) in enumerate(spans):
        bridged = groups and any(a < spans[i - 1][3] and start < b for _, a, b in quotes)
        if bridged:
            groups[-1].append(i)
        else:
            groups.append([i])
    return [_piece(text, [spans[i] for i in group], quotes) for group in groups]


def _quotes(facts: Sequence[Record], text: str) -> Iterator[tuple[Record, int, int]]:
    """Each fact with the place of its sentence, looked for from where the last one stood."""
    cursor = 0
    for fact in facts:
        words = str(fact.get("sentence") or "")
        at = text.find(words, cursor)
        at = at if at >= 0 else text.find(words)
        if words and at >= 0:
            cursor = at
            yield fact, at, at + len(words)


def _piece(
    text: str, spans: Sequence[tuple[Section, str, int, int]], quotes: Sequence[tuple[Record, int, int]]
) -> Piece:
    section, heading, start, _ = spans[0]
    end = spans[-1][3]
    words = text[start:end].strip()
    facts = tuple(fact for fact, a, b in quotes if max(a, start) < min(b, end))
    return section, f"{heading}: {words}" if heading else words, facts


def quoted(text: str, facts: Sequence[Record]) -> ParsedReport:
    """Annotated facts as parsed ones."""
    return quotes().read(quoted_report({"text": text, "facts": list(facts)}, "gold"))


def _f1(reference: ParsedReport, other: ParsedReport) -> float | None:
    value = score(count(matcher().align(reference, other), matcher()))["f1"]
    return None if value is None else float(value)
