"""How a checkup looks in a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from cabs.checkup import Checkup
from cabs.checkup.caches import Cache
from cabs.checkup.packages import Extra, install_line
from cabs.cli.drawn import empty_table

GAP = Text("")
WORDS = {True: ("works", "bold green"), False: ("does not work", "bold red")}


def checkup_lines(found: Checkup) -> Iterator[RenderableType]:
    """Its parts, the most telling one last, where the eye is."""
    yield _head(found)
    if not found.installed:
        yield Text(
            "\nCABS is run from its files, not installed: its requirements are not known. pip install . tells them."
        )
    else:
        yield from (GAP, _dependencies(found), GAP, _extras(found.extras))
        yield from _hints(found.extras)
    yield from (GAP, _programs(found), GAP, _caches(found.caches))
    word, style = WORDS[found.core.works]
    yield Text.assemble("\nthe core ", (word, style), f": {found.core.seen}")


def _head(found: Checkup) -> Table:
    rows = empty_table("", "", left={0, 1})
    rows.show_header = False
    rows.add_row("cabs", f"{found.cabs}  {found.folder}")
    rows.add_row("python", f"{found.python}  {found.executable}")
    rows.add_row("system", found.system)
    known = found.core.knowledge
    if known is not None:
        rows.add_row("ontology", f"{known.name} {known.version}  {known.content_hash}")
        rows.add_row("", f"{known.entities} entities, {known.places} places, {known.organs} organs")
    return rows


def _dependencies(found: Checkup) -> Table:
    rows = _words("needed", "there", "wanted", "")
    for package in found.dependencies:
        told = "" if package.fits else "missing" if package.version is None else "another version is wanted"
        rows.add_row(package.name, package.version or "-", package.wanted or "any", told)
    return rows


def _words(*columns: str) -> Table:
    """A table of words."""
    return empty_table(*columns, left=set(range(len(columns))))


def _extras(extras: tuple[Extra, ...]) -> Table:
    rows = _words("extra", "for", "missing")
    for extra in extras:
        rows.add_row(extra.name, extra.purpose, ", ".join(p.name for p in extra.missing) or "nothing")
    return rows


def _hints(extras: tuple[Extra, ...]) -> Iterator[Text]:
    """A command for each extra that is not whole."""
    lacking = [extra for extra in extras if extra.missing]
    if lacking:
        yield Text("\nto get what is missing (in a checkout also: python -m pip install '.[NAME]')", style="bold")
    for extra in lacking:
        yield Text(f"{extra.name:<10} {install_line(extra.missing)}")


def _programs(found: Checkup) -> Table:
    rows = _words("program", "for", "found")
    for program in found.programs:
        rows.add_row(program.name, program.purpose, program.place or f"no: {program.install}")
    return rows


def _caches(caches: tuple[Cache, ...]) -> Table:
    rows = _words("kept between runs", "where", "bytes")
    for cache in caches:
        rows.add_row(cache.what, cache.place, "nothing yet" if cache.size is None else f"{cache.size:,}")
    return rows
