"""Records → questions with options and the right answer, and what a model wrote to them.

Understood: Med3D-R1's and CT-RATE's JSON (VolumeName, question, options, answer), 3D-RAD's CSV (Question, AnswerChoice,
Choice A to D), and the usual other names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cabs.errors import InputError
from cabs.io.empty import holds_no
from cabs.io.fields import clean_text, field_of, identifier, missing, plain
from cabs.io.pairs import system_of
from cabs.io.read import read_records
from cabs.io.record import Record, kind_of
from cabs.scoring.tasks.mcq.choice import chosen
from cabs.scoring.tasks.mcq.options import Options, options_of, stated

QUESTION = ("question", "problem", "query", "question_text")
LETTER = ("answerchoice", "answer_choice", "answer_letter", "correct_option", "correct_choice", "answer_key")
ANSWER = ("answer", "correct_answer", "gold_answer", "solution", "gold", "ground_truth", "reference", "target")
CATEGORY = ("category", "task", "question_category", "subtask", "question_type", "type")
ID = ("id", "question_id", "qid", "item_id", "sample_id")
"""role → the fields understood, best first; case, "-" and " " don't matter. A volume's name is no id of a question:
many are asked of one volume."""
ALLOW = "use --allow-missing to count it as a wrong answer"


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its `options` and the label of the right `answer`; `category` "" where the record has none."""

    text: str
    options: Options
    answer: str
    category: str


@dataclass(frozen=True, slots=True)
class Item:
    """One answer of one system to one question. `prediction` None: it is missing. `place`: in the input."""

    id: str
    system: str | None
    question: Question
    prediction: str | None
    cluster: str | None
    place: str


@dataclass(frozen=True, slots=True)
class Items:
    """The items of a file in its order, and how many of its questions are open ones, without options."""

    items: tuple[Item, ...]
    open: int


def first_of(record: Record, names: Sequence[str]) -> tuple[str, object] | None:
    """The name and the value of the first of some fields that a record has and that is not null or empty."""
    own = {plain(name): name for name in reversed(list(record.fields))}
    for name in names:
        if name in own and stated(record.fields[own[name]]):
            return own[name], record.fields[own[name]]
    return None


def question_of(record: Record) -> Question | None:
    """The question of a record; None for an open one, whose options are all empty.

    Raises:
        InputError: question, options or answer are missing or can't be understood; the message names the field.
    """
    found = first_of(record, QUESTION)
    text = "" if found is None else clean_text(found[1], found[0], record.place)
    options = options_of(record, text)
    if options is None:
        return None
    return Question(text, options, _answer(record, options), _category(record))


def _answer(record: Record, options: Options) -> str:
    letter, worded = first_of(record, LETTER), first_of(record, ANSWER)
    if letter is None and worded is None:
        names = ", ".join(map(repr, record.fields)) or "none"
        raise InputError(f"field 'answer' is missing (fields here: {names})", place=record.place, hint=_hint(options))
    if letter is None or worded is None:
        name, value = letter or worded or ("", "")
        return answer_label(value, name, options, record.place)
    label = answer_label(letter[1], letter[0], options, record.place)
    if label not in options.with_text(str(worded[1])) and label != answer_label(
        worded[1], worded[0], options, record.place
    ):
        what = f"fields {letter[0]!r} and {worded[0]!r} name different options"
        raise InputError(what, place=record.place, hint="one of the two is wrong; leave it out")
    return label


def _hint(options: Options) -> str:
    return f"one of {', '.join(options.labels)}, or the text of one option"


def answer_label(value: object, name: str, options: Options, place: str) -> str:
    """The label of the option that is right, given as letter or text.

    Raises:
        InputError: it names no option, or several; the message names the field.
    """
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise InputError(f"field {name!r} holds {kind_of(value)}, a letter or text expected", place=place)
    text = str(value)
    label = text.strip().strip("()[]. :").upper()
    if label in options.labels:
        return label
    same = options.with_text(text)
    if len(same) > 1:
        what = f"field {name!r}: options {' and '.join(same)} both say {text!r}"
        raise InputError(what, place=place, hint="give the letter")
    found = same[0] if same else (None if isinstance(value, int) else chosen(text, options).label)
    if found is None:
        raise InputError(f"field {name!r} is {text[:60]!r}, which is no option", place=place, hint=_hint(options))
    return found


def _category(record: Record) -> str:
    found = first_of(record, CATEGORY)
    if found is None:
        return ""
    name, value = found
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise InputError(f"field {name!r} holds {kind_of(value)}, text expected", place=record.place)
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value).strip()


def read_items(path: Path, cluster: str | None = None, *, allow_missing: bool = False) -> Items:
    """The items of a file. `cluster` names the field of what is drawn as one (a patient, a volume); one without an id
    is called by its number among the records of its system.

    Raises:
        InputError: a record can't be read, a prediction is missing (unless it may), an id comes twice in one system, or
            there is no item; the place is the file and the line.
    """
    items: list[Item] = []
    seen: dict[tuple[str | None, str], str] = {}
    asked: Counter[str | None] = Counter()
    left_out = 0
    for record in read_records(path):
        question, system = question_of(record), system_of(record)
        asked[system] += 1
        if question is None:
            left_out += 1
            continue
        item = _item(record, question, system, str(asked[system]), cluster, allow_missing)
        first = seen.setdefault((system, item.id), record.place)
        if first != record.place:
            raise InputError(f"id {item.id!r} comes twice, first at {first}", place=record.place, hint="ids are unique")
        items.append(item)
    if not items:
        raise holds_no("questions with options", path)
    return Items(tuple(items), left_out)


def _item(
    record: Record, question: Question, system: str | None, number: str, cluster: str | None, allow_missing: bool
) -> Item:
    found = first_of(record, ID)
    name = number if found is None else identifier(found[1], found[0], record.place)
    prediction = _prediction(record, allow_missing)
    return Item(name, system, question, prediction, _cluster(record, cluster), record.place)


def _prediction(record: Record, allow_missing: bool) -> str | None:
    found = field_of(record, "prediction")
    if found is None or missing(found[1]):
        if allow_missing:
            return None
        what = "field 'prediction' is missing" if found is None else f"field {found[0]!r} is null"
        raise InputError(what, place=record.place, hint=ALLOW)
    name, value = found
    return clean_text(str(value) if type(value) is int else value, name, record.place)


def _cluster(record: Record, column: str | None) -> str | None:
    if column is None:
        return None
    found = first_of(record, (plain(column),))
    if found is None:
        hint = "--cluster names a field that every record has"
        raise InputError(f"there is no field {column!r}, or it is empty", place=record.place, hint=hint)
    return identifier(found[1], found[0], record.place)
