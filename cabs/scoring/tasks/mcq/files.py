"""The files of a run over questions: results.json and a row an item, whole or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cabs.io.jsontext import json_page
from cabs.io.output import staged, writing
from cabs.io.tables import Column, Row, write_csv
from cabs.scoring.tasks.mcq.result import Answered, McqResult

RESULTS, ITEMS = "results.json", "items.csv"
FILES = (RESULTS, ITEMS)
"""Every file that a run writes into its folder."""

COLUMNS: Sequence[Column] = (
    ("system", "text"),
    ("id", "text"),
    ("category", "text"),
    ("cluster", "text"),
    ("options", "int"),
    ("answer", "text"),
    ("chosen", "text"),
    ("correct", "bool"),
    ("why", "text"),
)
TEXTS: Sequence[Column] = (("question", "text"), ("answer_text", "text"), ("prediction", "text"))
"""The columns that hold words of the input."""


def write_files(result: McqResult, folder: Path, *, text: bool = True) -> None:
    """Write the files of a run; `text`: with the words of questions and predictions.

    Raises:
        OutputError: the folder can't be written.
    """
    with staged(folder, RESULTS, FILES) as staging:
        columns = (*COLUMNS, *TEXTS) if text else COLUMNS
        write_csv(staging.path(ITEMS), columns, (item_row(answer) for answer in result.answers))
        path = staging.path(RESULTS)
        with writing(path):
            path.write_text(json_page(result.to_json()), encoding="utf-8", newline="\n")


def item_row(answer: Answered) -> Row:
    """The cells of an item."""
    item, question = answer.item, answer.item.question
    return {
        "system": item.system,
        "id": item.id,
        "category": question.category or None,
        "cluster": item.cluster,
        "options": len(question.options),
        "answer": question.answer,
        "chosen": answer.choice.label,
        "correct": answer.correct,
        "why": answer.choice.why or None,
        "question": question.text,
        "answer_text": question.options[question.answer],
        "prediction": item.prediction,
    }
