"""Multiple-choice questions: records → options and answers → accuracy, whole and by category. Source: [M3D]."""

from cabs.scoring.tasks.mcq.choice import Choice, chosen
from cabs.scoring.tasks.mcq.item import Item, Question, question_of, read_items
from cabs.scoring.tasks.mcq.options import Options
from cabs.scoring.tasks.mcq.result import McqResult
from cabs.scoring.tasks.mcq.run import score_items

__all__ = [
    "Choice", "Item", "McqResult", "Options", "Question", "chosen", "question_of", "read_items", "score_items",
]  # fmt: skip
