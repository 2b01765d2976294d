"""Policies: a case → the completion that each of them writes, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat

import cabs
from benchmarks.bandit.cases import Case, findings, present
from benchmarks.bandit.data import Knowledge, Words
from cabs.rewards.completion import THINK, THOUGHT
from cabs.rewards.tags import SECTIONS
from cabs.studies.probes.cut import Cut, tidy
from cabs.studies.probes.data import Lexicon
from cabs.values import OTHER, Section

Write = Callable[[Case], str]
Told = Callable[[Case, Section], str]


def tagged(told: Mapping[Section, str]) -> str:
    """Sections in their tags."""
    return "".join(f"<{name}>\n{told[name]}\n</{name}>\n" for name in SECTIONS)


@dataclass(frozen=True)
class Writer:
    """Writes for every policy. `ranked`: entities, the most frequent one of the references first."""

    words: Words
    lexicon: Lexicon
    ranked: Sequence[str]

    @property
    def policies(self) -> dict[str, Write]:
        """Name → what it writes."""
        return {
            **{name: self._plain(knows) for name, knows in HONEST.items()},
            "empty": lambda _: tagged(dict.fromkeys(SECTIONS, "")),
            "all_normal": self._in_tags(lambda _case, _name: self.lexicon.words.normal),
            "padded_silence": lambda case: self._padded(case, "nothing"),
            **{f"template_{n}": self._in_tags(self._template(n, self.words.says)) for n in (1, 5, 20)},
            "template_possible": self._in_tags(self._template(20, self.words.possible)),
            **{f"spray_{n}": self._in_tags(self._spray("all", n)) for n in (5, 20, 80)},
            "spray_half": self._in_tags(self._spray("half", 20)),
            "hedged": self._in_tags(lambda case, name: self._hedged(case.cuts[name])),
            "denied": self._in_tags(self._denied),
            "told_thrice": self._in_tags(self._thrice("all")),
            "half_thrice": self._in_tags(self._thrice("half")),
            "padded": lambda case: self._padded(case, "half"),
            **self._forms(self._plain("half")),
        }

    def _forms(self, plain: Write) -> dict[str, Write]:
        """Tricks with tags and thoughts around what a policy writes."""
        said = self._template(20, self.words.says)
        return {
            "untagged": lambda case: "\n".join(self._known(case, name, "half") for name in SECTIONS),
            "unclosed": lambda case: plain(case).rstrip().removesuffix(f"</{SECTIONS[-1]}>"),
            "doubled_tags": lambda case: plain(case) * 2,
            "nested_tags": lambda case: _nested(plain(case)),
            "outside": lambda case: f"{said(case, SECTIONS[0])}\n{plain(case)}",
            "thought": lambda case: f"{THINK}{said(case, SECTIONS[0])}{THOUGHT}\n{plain(case)}",
            "open_thought": lambda case: f"{THINK}{plain(case)}",
        }

    def _in_tags(self, told: Told) -> Write:
        return lambda case: tagged({name: self._opened(told(case, name)) for name in SECTIONS})

    def _opened(self, told: str) -> str:
        return f"{self.words.opening}\n{told}"

    def _plain(self, knows: Knowledge) -> Write:
        return self._in_tags(lambda case, name: self._known(case, name, knows))

    def _known(self, case: Case, name: Section, knows: Knowledge) -> str:
        """What a policy knows, in the reference's sentences."""
        if knows == "nothing":
            return self.words.silent
        cut = case.cuts[name]
        return cut.text if knows == "all" else cut.without(_untold(cut, knows))

    def _template(self, size: int, frame: str) -> Told:
        told = " ".join(frame.format(name=label) for label in labels(self.ranked[:size]))
        return lambda _case, _name: told

    def _spray(self, knows: Knowledge, size: int) -> Told:
        """Known facts, then the most frequent findings that are no part of them; who knows all knows the wrong ones."""

        def told(case: Case, name: Section) -> str:
            known = self._known(case, name, knows)
            out = case.entities if knows == "all" else _entities(case.cuts[name], knows)
            wrong = [entity for entity in self.ranked if entity not in out][:size]
            return "\n".join([known, *(self.words.says.format(name=label) for label in labels(wrong))])

        return told

    def _hedged(self, cut: Cut) -> str:
        """Every finding with a hedge: one before its sentence, and where that is not enough one before its words."""
        opened = {at: f"{self.words.supposing} {cut.said(at)}" for at in cut.findings}
        told = cut.with_changed(opened)
        left = {f.mention.start for f in present(cabs.parse(told)) if f.certainty == "definite"}
        for at in sorted(left, reverse=True):
            told = f"{told[:at]}{self.words.possibly} {told[at:]}"
        return told

    def _denied(self, case: Case, name: Section) -> str:
        stated = dict.fromkeys(fact.entity for fact in case.stated(name) if fact.entity != OTHER)
        own = dict.fromkeys(fact.name for fact in case.stated(name) if fact.entity == OTHER)
        denials = [self.words.denies.format(name=label) for label in [*labels(stated), *own]]
        return "\n".join([case.cuts[name].text, *denials])

    def _thrice(self, knows: Knowledge) -> Told:
        """Every sentence that states a known finding three times over, the whole in one go each time."""

        def told(case: Case, name: Section) -> str:
            cut = case.cuts[name]
            known = [at for at in cut.findings if at not in _untold(cut, knows)]
            again = "\n".join(cut.said(at) for at in known)
            return "\n".join([self._known(case, name, knows), again, again])

        return told

    def _padded(self, case: Case, knows: Knowledge) -> str:
        """Words without content at the end of the last section, to the number of characters."""
        told = self._plain(knows)(case)
        missing = max(0, self.words.padded_to - len(told)) // (len(self.words.padding) + 1)
        more = " ".join(repeat(self.words.padding, missing + 1))
        end = f"\n</{SECTIONS[-1]}>"
        return told.replace(end, f"\n{more}{end}")


HONEST: Mapping[str, Knowledge] = {"oracle": "all", "partial": "half", "cautious": "one", "silent": "nothing"}


def labels(entities: Mapping[str, object] | Sequence[str]) -> list[str]:
    """The ontology's names of entities."""
    ontology = cabs.load_ontology()
    return [ontology.entity(entity).label for entity in entities]


def _untold(cut: Cut, knows: Knowledge) -> tuple[int, ...]:
    """The sentences with findings that a policy doesn't know."""
    if knows == "half":
        return cut.findings[1::2]
    if knows == "one":
        return tuple(at for at in cut.findings if at != _surest(cut))
    return ()


def _surest(cut: Cut) -> int | None:
    """The first sentence whose findings are all stated without a hedge; the first one where there is none."""
    for at in cut.findings:
        sentence = cut.sentences[at]
        here = [f for f in findings(cut) if any(sentence.start <= e.start < sentence.end for e in f.evidence)]
        if all(fact.certainty == "definite" for fact in here):
            return at
    return next(iter(cut.findings), None)


def _entities(cut: Cut, knows: Knowledge) -> set[str]:
    """The entities that the known sentences state."""
    untold = [cut.sentences[at] for at in _untold(cut, knows)]
    return {f.entity for f in findings(cut) if not any(s.start <= f.mention.start < s.end for s in untold)}


def _nested(told: str) -> str:
    first, last = (f"</{name}>" for name in SECTIONS)
    return tidy(f"{told.replace(first, '')}").replace(last, f"{last}{first}")


def written(writer: Writer, case: Case) -> dict[str, str]:
    """Every completion for a case, by the name of its policy."""
    return {name: write(case) for name, write in writer.policies.items()}
