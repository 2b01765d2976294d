"""The reward of Med3D-R1 by name: format + accuracy + consistency of an answer to a multiple-choice question."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import partial
from typing import Any, Literal, get_args

from cabs.errors import InputError, SettingError
from cabs.io.record import Record
from cabs.matching import Settings as Matching
from cabs.ontology import Ontology
from cabs.registry import offer, refuse_unknown
from cabs.rewards.completion import THINK, Answer, answer_of
from cabs.rewards.example import Example
from cabs.rewards.med3d.accuracy import literal_accuracy
from cabs.rewards.med3d.form import keeps_form, keeps_released_form, thought
from cabs.rewards.med3d.logit import RewardModel, conversation, finite, logit_in, quantised
from cabs.rewards.med3d.reasoning import Reasoned, reasoning_judge
from cabs.rewards.options import as_text, filled, signed
from cabs.rewards.result import RewardResult
from cabs.rewards.reward import Reward, each
from cabs.scoring.judge import Parser
from cabs.scoring.tasks.mcq import Choice, Question, chosen, question_of
from cabs.scoring.tasks.mcq.choice import inside_tags
from cabs.scoring.tasks.mcq.item import ANSWER, LETTER, first_of

Rule = Literal["tolerant", "letter", "released"]
Consistency = Literal["reasoning", "logit", "none"]

COMPONENTS = ("format", "accuracy", "consistency", "answered", "judged", "stated", "denied")
"""format, accuracy, consistency: the parts of the sum, 0 to 1 each. answered: 1 where the answer names one option.
judged: 1 where consistency was judged; where it was not, it is 0 and takes no part. stated: options that the reasoning
states; denied: 1 where it denies the one that the answer names (0 both unless consistency=reasoning)."""
PLACE = "example"


@dataclass(frozen=True, slots=True)
class Med3d:
    """How answers are judged.

    - rule: "tolerant" (any spelling of one option earns 1), "letter" (the published rule with the option's letter: 1
      exact, 0.5 with more behind it), or "released" (the code as released: the same rule with the option's text, and
      its looser check of the form).
    - consistency: "reasoning" (the thought states the finding that the answer names), "logit" (a reward model's, cut
      into six values), or "none" (the sum is of two).
    - logit: the column with the reward model's logit, for consistency=logit.
    - query, thinking: see `answer_of`; with `thinking` the opening tag is the template's and counts as written.
    - longest: characters of a completion that are read. Bounds the time of any sample.
    """

    rule: Rule = "tolerant"
    consistency: Consistency = "reasoning"
    logit: str = "logit"
    query: bool = False
    thinking: bool = False
    longest: int = 20_000

    def __post_init__(self) -> None:
        for name, value, known in (
            ("rule", self.rule, get_args(Rule)),
            ("consistency", self.consistency, get_args(Consistency)),
        ):
            if value not in known:
                raise SettingError(f"{value!r} is no {name}", place=name, hint=offer(str(value), known))
        if self.longest < 1:
            raise SettingError(f"{self.longest} is no number of characters", place="longest", hint="1 or more")

    @property
    def parts(self) -> int:
        """How many parts the sum has."""
        return 2 if self.consistency == "none" else 3


@dataclass(frozen=True)
class Med3dReward:
    """The work of the reward, one example at a time."""

    how: Med3d
    model: RewardModel | None = None
    ontology: Ontology | None = None
    parser: Parser | None = None

    def __call__(self, example: Example) -> RewardResult:
        """The result of one example.

        Raises:
            InputError: the completion, the question, its options, its answer or the logit can't be read; the message
                names the field.
        """
        record = Record(sample_fields(example), PLACE)
        question = question_of(record)
        if question is None:
            return RewardResult(None, dict.fromkeys(COMPONENTS, 0.0), "unscorable", "the question has no options")
        answer = answer_of(example.completion, query=self.how.query, thinking=self.how.thinking)
        text = self._text(answer)
        choice = chosen(text if not answer.cut or inside_tags(text) else "", question.options)
        parts = (self._form(text), self._accuracy(text, choice, question))
        judged = self._consistency(text, choice, question, record)
        cut = _why_cut(example, answer, self.how.longest)
        return RewardResult(
            self._value(*parts, judged), _components(*parts, choice, judged), "truncated" if cut else "ok", cut
        )

    def _text(self, answer: Answer) -> str:
        opened = self.how.thinking and not answer.whole.startswith(THINK)
        return ((THINK if opened else "") + answer.whole)[: self.how.longest]

    def _form(self, text: str) -> float:
        return float(keeps_released_form(text) if self.how.rule == "released" else keeps_form(text))

    def _accuracy(self, text: str, choice: Choice, question: Question) -> float:
        if self.how.rule == "tolerant":
            return float(choice.label == question.answer)
        right = question.answer if self.how.rule == "letter" else question.options[question.answer]
        return literal_accuracy(text, right)

    def _consistency(self, text: str, choice: Choice, question: Question, record: Record) -> Reasoned:
        if self.how.consistency == "none":
            return Reasoned(None, 0, False)
        if self.how.consistency == "logit":
            return Reasoned(quantised(self._logit(text, question, record)), 0, False)
        if choice.label is None:  # an answer that names nothing follows from no thought
            return Reasoned(0.0, 0, False)
        judge = reasoning_judge(self.ontology, self.parser)
        return judge.judge(thought(text), choice.label, question.options, question.text)

    def _logit(self, text: str, question: Question, record: Record) -> float:
        if self.model is None:
            return logit_in(record, self.how.logit)
        right = question.options[question.answer]
        return finite(self.model(conversation(question.text, text, right)), "the reward model's logit", PLACE)

    def _value(self, form: float, accuracy: float, judged: Reasoned) -> float:
        """The sum of the parts. Where consistency could not be judged the others stand for it, so that an option that
        the ontology does not know is neither a loss nor a way out."""
        if judged.value is not None:
            return form + accuracy + judged.value
        return (form + accuracy) * self.how.parts / 2


def _components(form: float, accuracy: float, choice: Choice, judged: Reasoned) -> dict[str, float]:
    numbers = (
        form,
        accuracy,
        judged.value or 0.0,
        choice.label is not None,
        judged.value is not None,
        judged.stated,
        judged.denied,
    )
    return dict(zip(COMPONENTS, map(float, numbers), strict=True))


def _why_cut(example: Example, answer: Answer, longest: int) -> str:
    if answer.cut:
        return "the thought does not end, so there is no answer"
    if example.truncated:
        return "the generation limit cut the completion"
    return f"the completion is longer than {longest} characters" if len(answer.whole) > longest else ""


def sample_fields(example: Example) -> Mapping[str, object]:
    """The fields of a sample: its own columns over those of a reference that is a record (or one as JSON). A reference
    that is text is the right answer, where no column is.

    Raises:
        InputError: the reference is neither.
    """
    given, own = _record_of(example.reference), dict(example.fields)
    if given is None and not isinstance(example.reference, str | None):
        hint = "a letter, the option's text, or a record with options and answer"
        raise InputError("the reference is no answer to a question", place="reference", hint=hint)
    if given is not None:
        return {**given, **own}
    named = first_of(Record(own, PLACE), (*LETTER, *ANSWER)) is not None
    told = isinstance(example.reference, str) and example.reference.strip()
    return own if named or not told else {**own, "answer": example.reference}


def _record_of(reference: object) -> Mapping[str, object] | None:
    if isinstance(reference, Mapping):
        return reference
    if isinstance(reference, str) and reference.lstrip().startswith("{"):
        try:
            value = json.loads(reference)
        except (ValueError, RecursionError):
            return None
        return value if isinstance(value, dict) else None
    return None


def med3d(name: str, **options: Any) -> Reward:
    """The reward of [M3D]; options are the fields of `Med3d`, an `ontology`, and a `parser` of thoughts. `logit` may be
    a function instead of a column's name: it takes a conversation (see `cabs.rewards.med3d.conversation`) and gives
    the reward model's logit.

    Raises:
        SettingError: an option or its value is unknown.
    """
    place = f"reward {name!r}"
    refuse_unknown(options, (*(field.name for field in fields(Med3d)), "ontology", "parser"), place)
    given = options.get("logit")
    model = given if callable(given) else None
    how = filled(Med3d, {k: v for k, v in options.items() if k != "logit" or model is None}, place)
    if model is not None and how.consistency != "logit":
        raise SettingError("a reward model is given and not used", place=place, hint="consistency=logit")
    work = Med3dReward(how, model, options.get("ontology"), options.get("parser"))
    return Reward(
        name=name,
        label="Med3D-R1",
        range=(0.0, float(how.parts)),
        components=COMPONENTS,
        work=each(work, COMPONENTS),
        settings=partial(_signed, work),
    )


def _signed(work: Med3dReward) -> tuple[tuple[str, str], ...]:
    own = dict(as_text(work.how))
    if work.model is not None:
        own["logit"] = getattr(work.model, "__qualname__", type(work.model).__qualname__)
    if work.how.consistency != "logit":
        del own["logit"]
    if work.how.consistency != "reasoning":
        return tuple(own.items())
    read = {name: text for name, text in signed(work.ontology, work.parser, Matching()) if name in ("onto", "parser")}
    return (*read.items(), *own.items())
