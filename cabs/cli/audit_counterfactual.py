"""`cabs audit counterfactual`: do metrics rank reports by their errors?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cabs.cli import metric_options, options
from cabs.cli.backends import rewording

if TYPE_CHECKING:
    from cabs.metrics.intervals import Resampling
    from cabs.studies.counterfactual.other_words import Rewording
    from cabs.studies.counterfactual.rank import Group
    from cabs.studies.counterfactual.result import Counterfactual
    from cabs.studies.counterfactual.run import Design

METRICS = ("f1", "fc_f1", "cabs_score", "rouge_1", "rouge_2", "rouge_l", "bleu_1", "bleu_4", "chrf")
"""What is compared unless the user names others."""


def counterfactual(
    references: Annotated[
        Path | None, typer.Argument(metavar="REFERENCES", help="References of which ladders of errors are made.")
    ] = None,
    cases: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Cases that people wrote, through the same code; repeatable."),
    ] = None,
    metric: metric_options.Metrics = None,
    sample: Annotated[int, typer.Option("--references", min=1, metavar="N", help="References at most, drawn.")] = 150,
    variants: Annotated[
        int,
        typer.Option(
            min=6, metavar="N", help="Variants of each reference, a multiple of 6: a ladder has 0 to 5 errors."
        ),
    ] = 12,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="Seed of errors, wordings, samples and intervals.")] = 0,
    draws: options.Draws = 2000,
    no_text: options.NoText = False,
    as_json: options.AsJson = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", metavar="DIR", help="Write results.json, tables, the variants and the plot here."
        ),
    ] = None,
    ontology_extra: options.Extra = None,
    reword: Annotated[
        str, typer.Option(metavar="lexicon|llm", help="Who says the variants anew; an LLM, where its words hold.")
    ] = "lexicon",
    llm: options.Llm = None,
    llm_config: options.LlmConfig = None,
) -> None:
    """Rank variants of reports by their number of errors and by metrics, and say how often the two agree (φ).

    Every reference becomes ladders of 0 to 5 errors, every rung worded anew. 1 is perfect, 0.5 is blind.
    """
    from cabs.cli.door import note
    from cabs.metrics.intervals import Resampling
    from cabs.studies.counterfactual.files import FILES, check, write_counterfactual
    from cabs.studies.counterfactual.run import Design

    options.guard(options.inside(output, FILES), (references, llm_config, *(cases or ()), *(ontology_extra or ())))
    if output is not None:
        check()
    design, resampling = Design(sample, variants, seed), Resampling(n=draws, seed=seed)
    words = rewording(reword, llm, llm_config, text=not no_text)
    result = _study(references, cases or [], metric, ontology_extra, design, resampling, words)
    if output is not None:
        write_counterfactual(result, output, text=not no_text)
    show(result, as_json=as_json)
    if output is not None:
        note(f"written to {output}")


def _study(
    references: Path | None,
    cases: Sequence[Path],
    named: list[str] | None,
    extra: list[Path] | None,
    design: Design,
    resampling: Resampling,
    words: Rewording | None,
) -> Counterfactual:
    from cabs.cli.backends import accounted
    from cabs.cli.render import progress
    from cabs.errors import SettingError
    from cabs.studies.counterfactual.references import read_references
    from cabs.studies.counterfactual.run import counterfactual as study

    if references is None and not cases:
        raise SettingError(
            "there is nothing to rank", place="REFERENCES", hint="give references, --cases FILE, or both"
        )
    onto, written = options.ontology(extra), _cases(cases)
    metrics = metric_options.chosen(named, METRICS, onto)
    texts = {} if references is None else read_references(references)
    with accounted(words), progress("measuring", 2 * len(metrics) if texts else None) as done:
        return study(
            texts, metrics, onto, cases=written, design=design, resampling=resampling, rewording=words, progress=done
        )


def _cases(paths: Sequence[Path]) -> dict[str, list[Group]]:
    """The cases of each file under its name; under its path where two have the same name, or it is taken."""
    from cabs.studies.counterfactual.cases import read_cases
    from cabs.studies.counterfactual.run import LADDERS

    names = [LADDERS, *(path.stem for path in paths)]
    return {path.stem if names.count(path.stem) == 1 else str(path): read_cases(path) for path in paths}


def show(result: Counterfactual, *, as_json: bool) -> None:
    """Print a study: φ of every metric; what was left out on the standard error."""
    from cabs.cli.door import warn
    from cabs.cli.render import console
    from cabs.cli.render_counterfactual import CLEAN, LEGEND, categories_tables, phi_table, types_table
    from cabs.io.jsontext import json_page
    from cabs.metrics.estimates import few_said
    from cabs.studies.counterfactual.other_words import TOLD

    if as_json:
        typer.echo(json_page(result.to_json()), nl=False)
    else:
        out = console()
        whole = [part for part in result.cases if not part.category]
        for part in [*([] if result.ladders is None else [result.ladders]), *whole]:
            out.print(f"{part.name}: {part.groups} references, {part.variants} variants")
            out.print(phi_table(part))
            out.print()
            if any(part.metrics[0].phi[what].n for what in part.metrics[0].phi if what.startswith("type ")):
                out.print(types_table(part))
                out.print()
            of_part = [other for other in result.cases if other.category and other.name == part.name]
            for table in categories_tables(of_part):
                out.print(table)
                out.print()
        out.print(LEGEND + ("" if result.ladders is None else CLEAN) + "\n", soft_wrap=True)
        out.print(str(result.signature), soft_wrap=True)
    if few := few_said(result.intervals()):
        warn(few)
    for reason, count in (result.retold or {}).items():
        if reason != TOLD:
            warn(f"{count} variants keep the lexicon's words: {reason}")
    for reason, count in result.left_out.items():
        warn(f"{count} references have no ladders: {reason}")
