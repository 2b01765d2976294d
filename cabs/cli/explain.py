"""`cabs explain`: one pair, both texts with their facts side by side and every error in words."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cabs.cli import options

if TYPE_CHECKING:
    from cabs.io.pairs import Reading
    from cabs.matching import Alignment, Settings
    from cabs.ontology import Ontology
    from cabs.values import Pair


SHOWN = ("f1", "precision", "recall", "fc_f1", "loc_acc", "att_acc", "cabs_score", "cabs_score_normal")
"""The scores of the pair that are printed."""


def explain(
    file: options.Pairs,
    predictions: options.Predictions = None,
    id: Annotated[str, typer.Option(help="The report to explain.")] = "",
    system: Annotated[str | None, typer.Option(help="The system, if the file has several.")] = None,
    scope: options.Scope = "report",
    match: options.Match = "strict",
    choices: options.Choices = None,
    reference_facts: options.ReferenceFacts = None,
    ontology_extra: options.Extra = None,
    parser: options.Parser = "rules",
    matcher: options.Matcher = "rules",
    llm: options.Llm = None,
    llm_config: options.LlmConfig = None,
) -> None:
    """Show how one pair is scored, fact by fact.

    Both texts, which facts meet, which are missed or invented, and every error in words. Mentions stand in
    «guillemets» with the number of their line below.
    """
    from cabs.cli.backends import accounted
    from cabs.cli.backends import chosen as backends
    from cabs.errors import SettingError
    from cabs.io.pairs import Reading
    from cabs.scoring.judge import Judge, Plan
    from cabs.scoring.known import Known
    from cabs.scoring.reference import reference_facts as read_facts

    if not id:
        raise SettingError("no report is named", place="--id", hint="name the report to explain")
    knowledge, chosen = options.ontology(ontology_extra), options.settings(scope, match, choices)
    known = Known(knowledge)
    facts = None if reference_facts is None else read_facts(reference_facts, known=known)
    (pair,) = known.pairs(
        [_find(file, predictions, id, system, Reading(allow_missing=True, no_reference=facts is not None))]
    )
    read = pair if facts is None else facts.put(pair)
    asked = backends(parser, matcher, llm, llm_config, knowledge, chosen)
    with accounted(asked.parser, asked.aligner):
        judge = Judge(Plan(knowledge, chosen, parser=asked.parser, aligner=asked.aligner))
        alignment = judge.aligned(read).alignment
    _show(pair, alignment, _verdict(alignment, knowledge, chosen))


def _find(file: Path, predictions: Path | None, id: str, system: str | None, how: Reading) -> Pair:
    from cabs.errors import InputError
    from cabs.io.ids import near
    from cabs.io.pairs import read_pairs

    found: list[Pair] = []
    ids, systems = dict[str, None](), dict[str, None]()
    for pair in read_pairs(file, predictions, how):
        ids[pair.id] = None
        if pair.system is not None:
            systems[pair.system] = None
        if pair.id == id and system in (None, pair.system):
            found.append(pair)
    if len(found) == 1:
        return found[0]
    if not found and id in ids:
        hint = f"--system takes one of {', '.join(systems)}" if systems else "the file names no systems: leave it out"
        raise InputError(f"there is no report {id!r} of system {system!r}", place=str(file), hint=hint)
    if not found:
        raise InputError(f"there is no report {id!r}", place=str(file), hint=f"--id: {near(id, ids)}")
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
