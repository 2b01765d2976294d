"""A board → what its pages show, in the words and the order of the pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from cabs.leaderboard.board import Board, Standing
from cabs.leaderboard.entrant import UNSCORED
from cabs.leaderboard.markdown import SAID
from cabs.leaderboard.plain import shown, web_address
from cabs.leaderboard.site.cases import Explorer
from cabs.leaderboard.site.embedded import data
from cabs.leaderboard.tables import COVERAGE, coverage, errors_of, values
from cabs.metrics import Counts
from cabs.values import OTHER

GROUPS = {
    "entity core": ("core", "Entity core"),
    "clinical fidelity": ("fidelity", "Clinical fidelity"),
    "organ coverage": ("organs", "Organ coverage"),
    "beside": ("beside", "Beside"),
}
"""family → the id and the label of its group of columns."""
WORDS, COVERED, ABOUT = ("words", "Words"), ("coverage", "Coverage"), ("about", "Licence")
FIRST_SEEN = ("core", "fidelity", "words", "coverage")

ORGAN_METRICS = {"f1": "F1", "recall": "Recall", "precision": "Precision", "fc_f1": "FC-F1"}
BINS = ("0", "to 0.25", "to 0.5", "to 0.75", "below 1", "1", "undefined")
OFTEN = 2
"""A finding is on the page if this many references state it, or a system invents it as often."""
MOST_ERRORS = 300
"""Rows of the error table on a system's page; the CSV has all of them."""

Json = dict[str, Any]


@dataclass(frozen=True)
class Content:
    """Makes the values of the templates."""

    board: Board
    explorer: Explorer

    def index(self) -> Json:
        """The values of the board's page."""
        board = self.board
        systems = [self._system(standing) for standing in board.standings]
        for before, system in zip([None, *systems[:-1]], systems, strict=True):
            system["first"] = before is not None and before["group"] != system["group"]
        organs = self._organs()
        return {
            "framed": board.framed,
            "metric": board.metric,
            "reports": board.reports,
            "systems": systems,
            "columns": self._columns(),
            "column_groups": [
                {"id": id, "label": label, "shown": id in FIRST_SEEN or id == GROUPS[board.metric.family][0]}
                for id, label in (*GROUPS.values(), *([WORDS] if board.surface.metrics else []), COVERED, ABOUT)
            ],
            "coverage_names": COVERAGE,
            "said": SAID,
            "interval": board.signature.items.get("ci", "none"),
            "tests": board.tests,
            "organs": organs,
            "organ_metrics": list(ORGAN_METRICS.items()),
            "findings": self._findings(),
            "errors": self._errors(),
            "bins": BINS,
            "notes": board.notes,
            "signature": str(board.signature),
            "chart_data": Safe(data(self._charts(systems, organs))),
        }

    def system(self, standing: Standing) -> Json:
        """The values of a system's page."""
        board, result = self.board, standing.entrant.result
        rows = list(self._error_rows(standing))
        return {
            "framed": board.framed,
            "metric": board.metric,
            "count": len(board.standings),
            "system": self._system(standing) | {"said": list(_said(standing))},
            "columns": self._columns(),
            "tests": [test for test in board.tests if standing.name in (test.above, test.below)],
            "organs": [self._part(standing, "organ", key, part) for key, part in _by_facts(result["by"]["organ"])],
            "findings": [self._part(standing, "entity", key, part) for key, part in _by_facts(result["by"]["entity"])],
            "errors": rows[:MOST_ERRORS],
            "left_out": max(0, len(rows) - MOST_ERRORS),
            "listed": [
                (item["id"], self.link(standing, id=item["id"]), item["reason"])
                for item in (*result["unscored"], *result["silent"])
            ],
            "signature": str(board.signature),
        }

    def page(self, standing: Standing) -> str:
        """The file of a system's page."""
        return f"system-{self.explorer.slugs[standing.name]}.html"

    def link(self, standing: Standing, **what: str) -> str:
        """The address of cases of a system in the explorer."""
        said = {"system": self.explorer.slugs[standing.name], **what}
        return "cases.html#" + "&".join(
            f"{name}={quote(value, safe='', errors='replace')}" for name, value in said.items()
        )

    def _columns(self) -> list[Json]:
        board = self.board
        found = [
            {"name": m.name, "label": m.label, "group": GROUPS[m.family][0], "definition": m.definition}
            for m in board.metrics.values()
        ]
        found.sort(key=lambda column: column["name"] != board.metric.name)
        return found + [
            {"name": m.name, "label": m.label, "group": WORDS[0], "definition": m.signature}
            for m in board.surface.metrics
        ]

    def _system(self, standing: Standing) -> Json:
        found = values(self.board, standing)
        return {
            "name": standing.name,
            "slug": self.explorer.slugs[standing.name],
            "page": self.page(standing),
            "rank": standing.rank,
            "group": standing.group,
            "about": standing.entrant.about,
            "cells": {name: {"value": v, "low": low, "high": high} for name, (v, low, high) in found.items()},
            "coverage": coverage(standing.entrant),
            "spread": self._spread(standing),
        }

    def _spread(self, standing: Standing) -> list[int]:
        """Scored reports by their own value of the metric that ranks, in the bins of `BINS`."""
        counts = [0] * len(BINS)
        for case in standing.entrant.cases:
            if case.status != UNSCORED:
                counts[_bin(case.scores[self.board.metric.name])] += 1
        return counts

    def _organs(self) -> list[Json]:
        facts = self._reference_facts("organ")
        return [
            {
                "id": id or "unknown",
                "label": self.explorer.organ(id),
                "facts": facts[id],
                "f1": self._across("organ", id, "f1"),
                "values": {name: self._across("organ", id, name) for name in ORGAN_METRICS},
            }
            for id in sorted(facts, key=lambda id: (-facts[id], id))
        ]

    def _across(self, by: str, key: str, metric: str) -> list[float | None]:
        parts = (standing.entrant.result["by"][by].get(key) for standing in self.board.standings)
        return [None if part is None else part["scores"][metric] for part in parts]

    def _reference_facts(self, by: str) -> dict[str, int]:
        """key → facts of the references, which every system met."""
        found: dict[str, int] = {}
        for standing in self.board.standings:
            for key, part in standing.entrant.result["by"][by].items():
                found[key] = max(found.get(key, 0), part["counts"]["facts"])
        return found

    def _findings(self) -> list[Json]:
        facts = self._reference_facts("entity")
        found = []
        for id in sorted(facts, key=lambda id: (-facts[id], id)):
            parts = [standing.entrant.result["by"]["entity"].get(id) for standing in self.board.standings]
            cells = [_cell(part) for part in parts]
            if facts[id] >= OFTEN or any(cell["extra"] >= OFTEN for cell in cells):
                found.append({"id": id, "label": self.explorer.label(id), "facts": facts[id], "cells": cells})
        return found

    def _errors(self) -> list[Json]:
        tables = {standing.name: errors_of(standing.entrant) for standing in self.board.standings}
        names = sorted({name for table in tables.values() for name in table})
        names.sort(key=lambda name: -sum(table.get(name, (0, 0))[0] for table in tables.values()))
        return [{"name": name, "label": _spaced(name), "cells": self._counts(name, tables)} for name in names]

    def _counts(self, name: str, tables: Mapping[str, Mapping[str, tuple[int, int]]]) -> list[Json]:
        found = []
        for standing in self.board.standings:
            count, scored = tables[standing.name].get(name, (0, 0))[0], coverage(standing.entrant)["scored"]
            per = 100 * count / scored if scored else None
            found.append({"slug": self.explorer.slugs[standing.name], "count": count, "per": per})
        return found

    def _part(self, standing: Standing, by: str, key: str, part: Json) -> Json:
        label = self.explorer.organ(key) if by == "organ" else self.explorer.label(key)
        counts = part["counts"]
        named = {name: counts[name] for name in ("facts", "hits", "extra", "contradicted")}
        link = self.link(standing, **{by: key or "unknown"})
        return {"label": label, "link": link, "scores": part["scores"], **named}

    def _error_rows(self, standing: Standing) -> Iterator[Json]:
        for row in standing.entrant.result["errors"]:
            known = row["entity"] != OTHER
            name = self.explorer.label(row["entity"]) if known else row["name"] or _spaced(OTHER)
            yield {
                "error": _spaced(row["error"]),
                "detail": _spaced(row["detail"]),
                "name": name,
                "organ": self.explorer.organ(row["organ"]),
                "counts": row["counts"],
                "count": row["count"],
                "reports": row["reports"],
                "examples": [(id, self.link(standing, id=id)) for id in row["examples"]],
            }

    def _charts(self, systems: Sequence[Json], organs: Sequence[Json]) -> Json:
        names = [column["name"] for column in self._columns()]
        return {
            "metrics": [{"name": column["name"], "label": column["label"]} for column in self._columns()],
            "systems": [
                {
                    "name": shown(system["name"]),
                    "values": {n: [system["cells"][n][k] for k in ("value", "low", "high")] for n in names},
                    "spread": {"counts": system["spread"], "total": sum(system["spread"])},
                }
                for system in systems
            ],
            "organs": [{k: organ[k] for k in ("label", "facts", "values")} for organ in organs],
            "spread": {"bins": list(BINS)},
        }


class Safe(str):
    """Text that is escaped already."""

    def __html__(self) -> str:
        return str(self)


def _said(standing: Standing) -> Iterator[tuple[str, str, str]]:
    """What a submission says of itself: (what, text, address or "")."""
    for name, text in standing.entrant.about.to_json().items():
        if text and name != "system":
            yield name, text, web_address(text) if name in ("paper", "link") else ""


def _by_facts(parts: Mapping[str, Json]) -> list[tuple[str, Json]]:
    return sorted(parts.items(), key=lambda item: (-item[1]["counts"]["facts"], -item[1]["counts"]["extra"], item[0]))


def _cell(part: Json | None) -> Json:
    counts = Counts().as_dict() if part is None else part["counts"]
    return {"f1": None if part is None else part["scores"]["f1"], "hits": counts["hits"], "extra": counts["extra"]}


def _bin(value: float | None) -> int:
    if value is None:
        return len(BINS) - 1
    if value <= 0:
        return 0
    return 5 if value >= 1 else 1 + min(3, int(value * 4 - 1e-9))


def _spaced(name: str) -> str:
    return name.replace("_", " ")
