"""`cabs explain`: one pair, both texts with their facts side by side and every error in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cabs.cli import options

if TYPE_CHECKING:
    from cabs.errors import InputError
    from cabs.io.pairs import Reading
    from cabs.matching import Alignment, Settings
    from cabs.ontology import Ontology
    from cabs.scoring.known import Known
    from cabs.scoring.reference import ReferenceFacts
    from cabs.values import Pair


SHOWN = ("f1", "precision", "recall", "fc_f1", "loc_acc", "att_acc", "cabs_score", "cabs_score_normal")
"""The scores of the pair that are printed."""


def explain(
    file: options.Pairs,
    predictions: options.Predictions = None,
    id: Annotated[str, typer.Option(metavar="ID", help="The report to explain.")] = "",
    system: Annotated[str | None, typer.Option(metavar="NAME", help="The system, if the file has several.")] = None,
    scope: options.Scope = "report",
    match: options.Match = "strict",
    choices: options.Choices = None,
    reference_facts: options.ReferenceFacts = None,
    html: Annotated[
        Path | None,
        typer.Option(metavar="PAGE", help="Write one page that shows every pair of the file, or those of --id."),
    ] = None,
    no_text: options.NoText = False,
    ontology_extra: options.Extra = None,
    parser: options.Parser = "rules",
    matcher: options.Matcher = "rules",
    llm: options.Llm = None,
    llm_config: options.LlmConfig = None,
) -> None:
    """Show how one pair is scored, fact by fact.

    Both texts, which facts meet, which are missed or invented, and every error in words. Mentions stand in
    «guillemets» with the number of their line below. With --html one page that needs nothing else, to look at.
    """
    from cabs.cli.backends import accounted
    from cabs.cli.backends import chosen as backends
    from cabs.errors import SettingError
    from cabs.io.pairs import Reading
    from cabs.scoring.judge import Judge, Plan
    from cabs.scoring.known import Known
    from cabs.scoring.reference import reference_facts as read_facts

    if html is None and not id:
        raise SettingError(
            "no report is named", place="--id", hint="--id ID shows one report, --html PAGE writes a page of all"
        )
    if html is None and no_text:
        raise SettingError("words of the reports are what is shown", place="--no-text", hint="it goes with --html")
    options.guard((html,), (file, predictions, reference_facts, *(ontology_extra or ())))
    knowledge, chosen = options.ontology(ontology_extra), options.settings(scope, match, choices)
    known = Known(knowledge)
    facts = None if reference_facts is None else read_facts(reference_facts, known=known)
    how = Reading(allow_missing=True, no_reference=facts is not None)
    if html is not None:
        _page(html, known, _chosen(file, predictions, id, system, how), facts, chosen, text=not no_text)
        return
    (pair,) = known.pairs([_find(file, predictions, id, system, how)])
    read = pair if facts is None else facts.put(pair)
    asked = backends(parser, matcher, llm, llm_config, knowledge, chosen)
    with accounted(asked.parser, asked.aligner):
        judge = Judge(Plan(knowledge, chosen, parser=asked.parser, aligner=asked.aligner))
        alignment = judge.aligned(read).alignment
    _show(pair, alignment, _verdict(alignment, knowledge, chosen))


def _chosen(file: Path, predictions: Path | None, id: str, system: str | None, how: Reading) -> Iterator[Pair]:
    """The pairs of a report and of a system, as far as they are named."""
    from cabs.io.pairs import read_pairs

    ids, systems, found = dict[str, None](), dict[str, None](), False
    for pair in read_pairs(file, predictions, how):
        ids[pair.id] = None
        if pair.system is not None:
            systems[pair.system] = None
        if id in ("", pair.id) and system in (None, pair.system):
            found = True
            yield pair
    if not found:
        raise _no_such_pair(file, id, system, list(ids), list(systems))


def _no_such_pair(file: Path, id: str, system: str | None, ids: list[str], systems: list[str]) -> InputError:
    from cabs.errors import InputError
    from cabs.io.ids import near

    if id and id not in ids:
        return InputError(f"there is no report {id!r}", place=str(file), hint=f"--id: {near(id, ids)}")
    what = f"there is no report {id!r} of system {system!r}" if id else f"there is no system {system!r}"
    hint = f"--system takes one of {', '.join(systems)}" if systems else "the file names no systems: leave it out"
    return InputError(what, place=str(file), hint=hint)


def _page(
    html: Path, known: Known, pairs: Iterable[Pair], facts: ReferenceFacts | None, settings: Settings, *, text: bool
) -> None:
    """Write the page of pairs."""
    from cabs.cli.door import note
    from cabs.io.output import text_output
    from cabs.leaderboard.explained import explained_page
    from cabs.scoring.judge import Plan

    plan = Plan(known.ontology, settings, rows=True, text=text)
    checked = known.pairs(pairs)
    page = explained_page(checked if facts is None else facts.into(checked), plan, f"Cases of {html.stem}")
    with text_output(html) as handle:
        handle.write(page)
    note(f"written to {html}")


def _find(file: Path, predictions: Path | None, id: str, system: str | None, how: Reading) -> Pair:
    from cabs.errors import InputError

    found = list(_chosen(file, predictions, id, system, how))
    if len(found) == 1:
        return found[0]
    names = ", ".join(str(pair.system) for pair in found)
    raise InputError(f"several systems have report {id!r}", place=str(file), hint=f"--system takes one of {names}")


def _show(pair: Pair, alignment: Alignment, verdict: str) -> None:
    from cabs.cli.render import console, entry_lines, marked
    from cabs.scoring.explain import entries

    out = console()
    found = entries(alignment)
    for side in ("reference", "prediction"):
        text = _text(getattr(pair, side))
        out.print(side.upper(), style="bold")
        shown = _instead(getattr(pair, side)) if text is None else marked(text, found, side)
        out.print(shown, soft_wrap=not out.is_terminal)
        out.print()
    out.print("FACTS", style="bold")
    for entry in found:
        for line in entry_lines(entry):
            out.print(line, soft_wrap=not out.is_terminal)
    if not found:
        out.print("neither side states an abnormality")
    out.print()
    out.print(verdict, soft_wrap=True)


def _text(side: object) -> str | None:
    """The text that a side's positions count in; None where it has none."""
    from cabs.values import QuotedReport

    text = side.text if isinstance(side, QuotedReport) else side
    return text if isinstance(text, str) and text else None


def _instead(side: object) -> str:
    """What stands in the place of a text; nothing in it can be marked."""
    if side is None:
        return "(missing)"
    return "(no text)" if side == "" else "(facts without their text)"


def _verdict(alignment: Alignment, ontology: Ontology, settings: Settings) -> str:
    """The pair's own scores on one line."""
    from cabs.matching import Matcher
    from cabs.metrics import count, metrics, score
    from cabs.scoring.result import cell

    counts = count(alignment, Matcher(ontology, settings))
    if counts.unscored:
        return "unscored: the reference was not read"
    known, scores = metrics(settings), score(counts, settings)
    names = [name for name in SHOWN if scores[name] is not None]
    return "  ".join(f"{known[name].label} {cell(scores[name], None)}" for name in names)
