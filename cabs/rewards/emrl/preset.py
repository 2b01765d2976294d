"""`emrl` by name: a completion in the grammar of [E-MRL], its reference and what came with the sample → R."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import partial
from typing import Any

from cabs.errors import CabsError
from cabs.ontology import Ontology, load_ontology
from cabs.registry import refuse_unknown
from cabs.rewards.emrl.formula import Emrl
from cabs.rewards.emrl.sample import COMPONENTS, Locals, Sample
from cabs.rewards.emrl.tools import tools_of
from cabs.rewards.example import Example
from cabs.rewards.options import as_text, filled, read_by
from cabs.rewards.result import RewardResult
from cabs.rewards.reward import Reward, each
from cabs.rewards.said import Reading, said
from cabs.scoring.judge import Parser
from cabs.scoring.tasks.tumor.columns import Columns
from cabs.scoring.tasks.tumor.options import Comparing
from cabs.scoring.tasks.tumor.reader import tumor_reader
from cabs.scoring.tasks.tumor.texts import stated
from cabs.signature import HASH_LENGTH


@dataclass(frozen=True)
class EmrlReward:
    """The work of the reward, one example at a time."""

    formula: Emrl
    how: Comparing
    columns: Columns
    local: Locals
    reading: Reading
    ontology: Ontology | None = None
    parser: Parser | None = None

    def __call__(self, example: Example) -> RewardResult:
        """The result of one example.

        Raises:
            InputError: the completion, the reference or a column can't be read; CabsError: a judgement is given, which
                can't stand for tumors.
        """
        if example.judgement is not None:
            raise CabsError("it takes no judgement", place="reward 'emrl'", hint="use tif or tif_paper")
        tools = tools_of(self.ontology, self.how, self.parser)
        told = said(example, self.reading, tools.reader)
        theirs = stated(told.text, tools.parse, self.how.first_slice, tags=self.reading.form == "tags")
        sample = Sample(
            tools, self.formula, self.columns, self.local, example.fields, tools.reference(example.reference), theirs
        )
        return sample.result(told.cut, self.reading.longest)


def emrl(name: str, **options: Any) -> Reward:
    """The reward; options are the fields of `Emrl`, `Comparing`, `Columns`, `Locals` and `Reading`, an `ontology`, and
    a `parser` of the texts.

    Raises:
        SettingError: an option or its value is unknown.
    """
    place = f"reward {name!r}"
    own = [field.name for kind in (Emrl, Comparing, Columns, Locals, Reading) for field in fields(kind)]
    refuse_unknown(options, (*own, "ontology", "parser"), place)
    ontology, parser = options.get("ontology"), options.get("parser")
    if "group" in options:  # told at once, where else every sample would tell it
        tumor_reader(ontology, filled(Comparing, options, place))
    work = EmrlReward(
        filled(Emrl, options, place),
        filled(Comparing, options, place),
        filled(Columns, options, place),
        filled(Locals, options, place),
        filled(Reading, options, place),
        ontology,
        parser,
    )
    return Reward(
        name=name,
        label="E-MRL",
        range=work.formula.range,
        components=COMPONENTS,
        work=each(work, COMPONENTS),
        settings=partial(_settings, work),
    )


def _settings(work: EmrlReward) -> tuple[tuple[str, str], ...]:
    """What changes values. Of the settings of matching none does: tumors have their own."""
    ontology = work.ontology or load_ontology()
    group = ontology.groups.get(work.how.group)
    named = work.how.group if group is None else f"{group.id}@{group.content_hash[:HASH_LENGTH]}"
    records = (work.formula, work.how, work.columns, work.local, work.reading)
    own = [pair for record in records for pair in as_text(record) if pair[0] != "group"]
    return (*read_by(ontology, work.parser), ("group", named), *own)
