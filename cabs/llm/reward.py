"""The reward `llm_judge`: an LLM judges every section of a completion in [TIF]'s protocol, and a formula of [TIF] makes
a number of it.

All samples of a step are asked about at once, within a limit of time. A sample without a usable judgement has no value,
which is never 0.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, fields, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Literal

from cabs.errors import CabsError, SettingError
from cabs.llm.given import given
from cabs.llm.judgement import judged
from cabs.llm.matcher import LlmMatcher, judge_prompt
from cabs.llm.server import Server, server_from
from cabs.llm.service import service_of
from cabs.llm.terms import terms_of
from cabs.matching import CanonicalReport, Settings
from cabs.ontology import Ontology, load_ontology
from cabs.registry import refuse_unknown
from cabs.rewards.example import Example
from cabs.rewards.judgement import MISSED, SectionJudgement, Verdict
from cabs.rewards.options import MATCHING, filled
from cabs.rewards.presets import COMPONENTS, tif, tif_paper
from cabs.rewards.references import Reference, Stated
from cabs.rewards.result import RewardResult
from cabs.rewards.reward import Reward, failed
from cabs.rewards.rules import judgement_of, rules_judge
from cabs.rewards.said import Reading, said
from cabs.rewards.tags import SECTIONS
from cabs.rewards.tif import Tif
from cabs.rewards.tif_paper import TifPaper
from cabs.values import Section

Formula = Literal["tif", "tif_paper"]
_FORMULAS = {"tif": (tif, Tif), "tif_paper": (tif_paper, TifPaper)}
_SERVER = tuple(field.name for field in fields(Server) if field.name != "key")
"""A key is none: options stand in names of runs and in logs. It comes from CABS_LLM_API_KEY or the file `config`."""


@dataclass(frozen=True)
class Limits:
    """`time_limit`: seconds for the samples of one call together; `formula`: "tif" or "tif_paper"; `config`: a file of
    settings of the server, "" for none."""

    formula: str = "tif"
    time_limit: float = 300.0
    config: str = ""

    def __post_init__(self) -> None:
        if self.formula not in _FORMULAS:
            raise SettingError(f"{self.formula!r} is no formula", place="formula", hint="one of: tif, tif_paper")
        if not self.time_limit > 0:
            raise SettingError(f"{self.time_limit!r} is no time", place="time_limit", hint="seconds, more than 0")


def llm_judge(name: str, **options: Any) -> Reward:
    """The reward; options are `formula`, `time_limit` and `config`, those of the formula, the fields of `Server` but
    for its key, and an `ontology`. Without an address it can be made, and gives no sample a value.

    Raises:
        SettingError: an option or its value is unknown; InputError: the file can't be read.
    """
    place = f"reward {name!r}"
    limits = filled(Limits, options, place)
    make, kind = _FORMULAS[limits.formula]
    own = (*(f.name for f in (*fields(kind), *fields(Reading))), *MATCHING, "ontology")
    refuse_unknown(options, (*(f.name for f in fields(Limits)), *own, *_SERVER), place)
    inner = make(limits.formula, **{key: value for key, value in options.items() if key in own})
    server = _server(limits, {key: options[key] for key in _SERVER if key in options})
    matching = {option: str(options[option]) for option in MATCHING if option in options}
    settings = Settings.from_items({**matching, "scope": "section"})
    judging = Judging(server, limits, inner, settings, filled(Reading, options, place), options.get("ontology"))
    return Reward(
        name=name, label="LLM judge", range=inner.range, components=COMPONENTS, work=judging,
        settings=partial(_signed, inner, server, limits, options.get("ontology")),
    )  # fmt: skip


def _server(limits: Limits, options: Mapping[str, Any]) -> Server | None:
    told = {name: json.dumps(value) if isinstance(value, Mapping) else value for name, value in options.items()}
    flags = [f"{name}={value}" for name, value in told.items()]
    found = given(flags, Path(limits.config) if limits.config else None)
    return server_from(found) if found.get("base_url") or found.get("model") else None


def _signed(
    inner: Reward, server: Server | None, limits: Limits, ontology: Ontology | None
) -> tuple[tuple[str, str], ...]:
    """What the reward depends on. The rung is the one of the settings: a signature asks no server for it."""
    rung = "" if server is None else server.rung
    told = () if server is None else (("rung", rung or "found_out"), *server.items())
    judge = (
        ("judge", "llm"),
        ("formula", limits.formula),
        ("prompt", judge_prompt(terms_of(ontology or load_ontology())).stamp),
    )
    return *judge, *told, ("time_limit", f"{limits.time_limit:g}"), *inner.settings()


@dataclass(frozen=True)
class Judging:
    """The work of the reward. Picklable; connections belong to the process that asks."""

    server: Server | None
    limits: Limits
    inner: Reward
    settings: Settings
    reading: Reading
    ontology: Ontology | None = None

    def __call__(self, examples: Sequence[Example]) -> list[RewardResult]:
        """One result an example, in order. Those that are not judged when the time is over have no value.

        Raises:
            SettingError: no server is named.
        """
        if self.server is None:
            hint = "CABS_LLM_BASE_URL and CABS_LLM_MODEL, or base_url= and model= of the reward"
            raise SettingError("no server is named", place="reward 'llm_judge'", hint=hint)
        end = time.monotonic() + self.limits.time_limit
        asked = [self._begun(self.server, example) for example in examples]
        return [self._result(work, end) for work in asked]

    def _begun(self, server: Server, example: Example) -> Future[Example] | CabsError:
        """The example with its judgement, worked out meanwhile; the error where it can't be read."""
        try:
            judge = rules_judge(self.ontology, self.settings, None)
            told = said(example, self.reading, judge.reader)
            reference = judge.reader.reference(example.reference)
        except CabsError as error:
            return error
        return service_of(server).submit(self._judged(server, example, reference, told.sections))

    def _result(self, work: Future[Example] | CabsError, end: float) -> RewardResult:
        if isinstance(work, CabsError):
            return failed(COMPONENTS, work)
        try:
            ready = work.result(max(0.0, end - time.monotonic()))
        except TimeoutError:
            work.cancel()
            return failed(COMPONENTS, SettingError(f"no judgement within {self.limits.time_limit:g} s", place="LLM"))
        except CabsError as error:
            return failed(COMPONENTS, error)
        (found,) = self.inner.work([ready])
        return found

    async def _judged(
        self, server: Server, example: Example, reference: Reference, texts: Mapping[Section, str]
    ) -> Example:
        if example.judgement is not None or not reference.read:
            return example
        paper = self.limits.formula == "tif_paper"
        asked = _matcher(self.ontology or load_ontology(), self.settings.kinds, server)
        names = SECTIONS if paper else tuple(reference.read)
        section = self._stated if paper else self._canonical
        work = [section(asked, reference.sections.get(name), texts.get(name, "")) for name in names]
        return replace(example, judgement=dict(zip(names, await asyncio.gather(*work), strict=True)))

    async def _canonical(self, asked: LlmMatcher, ours: Stated | None, text: str) -> SectionJudgement:
        """The judgement of a section whose facts stand in canonical form."""
        facts = _NOTHING if ours is None else ours.canonical
        if not text.strip():
            return judgement_of(asked.matcher.align(facts, None), self.settings.kinds)
        _, aligned = await asked.verdict(facts, text)
        return judgement_of(aligned, self.settings.kinds)

    async def _stated(self, asked: LlmMatcher, ours: Stated | None, text: str) -> SectionJudgement:
        """The judgement of a section whose facts stand as the reference lists them."""
        kinds = self.settings.kinds
        listed = () if ours is None else ours.report.facts
        facts = tuple(f for f in listed if f.status == "present" and f.kind in kinds)
        if not text.strip():
            return SectionJudgement((MISSED,) * len(facts), read=False)
        read = partial(judged, facts=facts, text=text, terms=asked.terms)
        question = asked.question(CanonicalReport(facts, (), (), (), True), text)
        found = await asked.service.ask(question, read)
        hits = {h.at: Verdict(True, h.ruling.location, h.ruling.attributes, h.ruling.certainty) for h in found.hits}
        verdicts = tuple(hits.get(at, MISSED) for at in range(len(facts)))
        return SectionJudgement(verdicts, len(found.extra))


_NOTHING = CanonicalReport((), (), (), (), True)


@lru_cache(maxsize=4)
def _matcher(ontology: Ontology, kinds: tuple[Any, ...], server: Server) -> LlmMatcher:
    """The judge of single sections, made once; within one there are no sections to keep apart."""
    return LlmMatcher(ontology, Settings(kinds=kinds), server)
