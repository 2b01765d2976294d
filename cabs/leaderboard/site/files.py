"""The files of a leaderboard: the site, and the board as Markdown, CSV and JSON beside it. The same board gives the
same bytes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from cabs.errors import OutputError
from cabs.io.ids import some
from cabs.io.jsontext import json_page
from cabs.io.output import Staging, staged, write_bytes
from cabs.io.tables import write_csv
from cabs.leaderboard import tables
from cabs.leaderboard.blind import blind
from cabs.leaderboard.board import Board
from cabs.leaderboard.markdown import markdown_page
from cabs.leaderboard.site.cases import Explorer, label_of
from cabs.leaderboard.site.content import Content
from cabs.leaderboard.site.embedded import script
from cabs.leaderboard.site.environment import HERE, OWN, asset, rendered
from cabs.leaderboard.site.slugs import slugs
from cabs.ontology import Ontology

JSON, INDEX = "leaderboard.json", "index.html"
ASSETS = ("board.css", "board.js", "explorer.js", "store.js", "theme.js")
CHARTS = {
    "echarts.min.js": "echarts.min.js",
    "LICENSE": "echarts-LICENSE.txt",
    "NOTICE": "echarts-NOTICE.txt",
    "LICENSE-d3": "echarts-LICENSE-d3.txt",
    "LICENSE-zrender": "echarts-LICENSE-zrender.txt",
}
"""Files of Apache ECharts and their names in the site."""
FILES = (
    JSON, INDEX, "cases.html", "leaderboard.md", "leaderboard.csv", "organs.csv", "findings.csv", "errors.csv",
    "tests.csv", *ASSETS, *CHARTS.values(),
)  # fmt: skip
"""Files that every site has."""
PATTERNS = ("system-*.html", "case-data-*.js")
"""Files of which there are as many as there is to show. Those of an earlier site are removed with it: they may hold
texts that the new one keeps out."""


def earlier(folder: Path) -> tuple[str, ...]:
    """The names that a site in this folder has, of an earlier one too."""
    found = (path.name for pattern in PATTERNS for path in folder.glob(pattern)) if folder.is_dir() else ()
    return (*FILES, *sorted(found))


def check_place(folder: Path) -> None:
    """See that a folder holds nothing of the names of a site, or an earlier one.

    Raises:
        OutputError: it holds files of these names and no board: they may be somebody's work.
    """
    taken = [name for name in earlier(folder) if (folder / name).exists()]
    if taken and not (folder / JSON).is_file():
        what = f"holds {some(taken)}, and no board that a new one could replace"
        raise OutputError(what, place=str(folder), hint="name another folder")


def write_site(board: Board, folder: Path, ontology: Ontology, *, text: bool = True) -> None:
    """Write the files of a board; with `text` False no word of a report is among them.

    Raises:
        OutputError: the folder can't be written.
    """
    if not text:
        board = blind(board, partial(label_of, ontology))
    named = slugs(standing.name for standing in board.standings)
    metrics = {name: board.metrics[name].label for name in _of_a_case(board)}
    systems = {standing.name: standing.entrant.cases for standing in board.standings}
    explorer = Explorer(ontology, systems, named, metrics, text)
    with staged(folder, INDEX, earlier(folder)) as staging:
        for name, content in _pages(board, explorer):
            write_bytes(staging.path(name), content.encode("utf-8", "xmlcharrefreplace"))
        _beside(board, staging)
        for name in ASSETS:
            write_bytes(staging.path(name), asset(name).encode("utf-8"))
        for source, name in CHARTS.items():
            write_bytes(staging.path(name), (HERE / "vendor" / "echarts" / source).read_bytes())


def _of_a_case(board: Board) -> tuple[str, ...]:
    """The metrics that the explorer shows of one report, the one that ranks first."""
    shown = (board.metric.name, "f1", "fc_f1", "loc_acc", "att_acc", "cabs_score")
    return tuple(dict.fromkeys(shown))


def _pages(board: Board, explorer: Explorer) -> Iterator[tuple[str, str]]:
    for path, value in explorer.parts():
        yield f"case-data-{'-'.join(map(str, path))}.js", script(*path, value=value)
    content = Content(board, explorer)
    common = {"policy": OWN, "inline": False}
    yield INDEX, rendered("index.html.j2", **common, **content.index())
    yield "cases.html", rendered("cases.html.j2", **common, framed=board.framed, text=explorer.text)
    for standing in board.standings:
        yield content.page(standing), rendered("system.html.j2", **common, **content.system(standing))


def _beside(board: Board, staging: Staging) -> None:
    write_bytes(staging.path("leaderboard.md"), markdown_page(board).encode("utf-8", "xmlcharrefreplace"))
    write_bytes(staging.path(JSON), json_page(tables.document(board)).encode("utf-8", "backslashreplace"))
    write_csv(staging.path("leaderboard.csv"), tables.systems_columns(board), tables.systems(board))
    write_csv(staging.path("organs.csv"), tables.PARTS, tables.parts(board, "organ"))
    write_csv(staging.path("findings.csv"), tables.PARTS, tables.parts(board, "entity"))
    write_csv(staging.path("errors.csv"), tables.ERRORS, tables.errors(board))
    write_csv(staging.path("tests.csv"), tables.TESTS, tables.tests(board))
