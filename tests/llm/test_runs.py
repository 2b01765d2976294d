"""Runs through the backend: a perfect model gives what the rules give, a failed question no number."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import cabs
from benchmarks.llm.answers import answer
from benchmarks.llm.server import Act, Scripted, honest
from cabs.errors import SettingError, UnavailableError
from cabs.io.journal import finished, journal_path
from cabs.llm.hybrid import HybridParser, unexplained
from cabs.llm.matcher import HybridMatcher, LlmMatcher
from cabs.llm.parser import LlmParser
from cabs.llm.service import Service
from cabs.llm.terms import terms_of
from cabs.matching import Settings
from cabs.metrics.intervals import Resampling
from cabs.scoring.judge import Plan
from cabs.scoring.run import Options, run
from cabs.values import Pair
from tests.llm.asking import asked

PAIRS = [
    ("There is a 9 mm nodule in the right upper lobe. Small left pleural effusion. No pneumothorax.",
     "A 9 mm nodule is seen in the left upper lobe. There is a small left pleural effusion."),
    ("The liver is enlarged. Simple cyst in the left kidney measuring 2.5 cm. No ascites.",
     "Hepatomegaly. The kidneys are normal. Moderate ascites."),
    ("Lungs are clear. No pleural effusion. The heart is normal in size.", "No consolidation. Heart size is normal."),
]  # fmt: skip
NONE = Resampling(n=0)
Start = Callable[..., Scripted]
Serve = Callable[..., Service]


def test_a_perfect_reader_gives_what_the_rules_give(ontology, start: Start, serve: Serve) -> None:
    service = serve(start())
    mine = cabs.score(PAIRS, parser=LlmParser(ontology, service.server, service), resampling=NONE)
    rules = cabs.score(PAIRS, resampling=NONE)
    assert mine.scores == rules.scores
    assert mine.signature.parser == "llm"
    told = mine.signature.items
    assert told["prompt"].startswith("extract@1/")
    assert (told["model"], told["rung"], told["run"]) == ("scripted", "json_schema", "0")
    assert len(told["facts_used"]) == 12
    assert service.usage.calls == 6


def test_a_perfect_judge_gives_what_the_rules_give(ontology, start: Start, serve: Serve) -> None:
    service = serve(start())
    matcher = LlmMatcher(ontology, Settings(), service.server, None, service)
    pairs = [Pair(str(i), *pair) for i, pair in enumerate(PAIRS)]
    mine = run(pairs, Plan(ontology, aligner=matcher), Options(NONE))
    assert mine.scores == cabs.score(PAIRS, resampling=NONE).scores
    assert mine.signature.items["matcher"] == "llm"
    assert service.usage.calls == 3


def test_the_hash_of_the_facts_tells_runs_apart(ontology, start: Start, serve: Serve) -> None:
    def used(script: Any, **changes: Any) -> str:
        service = serve(start(script), **changes)
        found = cabs.score(PAIRS, parser=LlmParser(ontology, service.server, service), resampling=NONE)
        return found.signature.items["facts_used"]

    def careless(body: dict[str, Any], n: int) -> Act:
        said = json.loads(answer(body))
        said["facts"] = said.get("facts", [])[:1]
        return Act(json.dumps(said))

    assert used(honest()) == used(honest()) != used(careless)


def test_a_failed_question_is_unscored_and_counted(ontology, start: Start, serve: Serve) -> None:
    def script(body: dict[str, Any], _n: int) -> Act:
        return Act("I can't.") if "Hepatomegaly" in str(body) else Act(answer(body))

    service = serve(start(script))
    found = cabs.score(PAIRS, parser=LlmParser(ontology, service.server, service), resampling=NONE)
    (left,) = found.only.unscored
    assert (left.id, found.counts.reports, found.counts.unscored) == ("2", 2, 1)
    assert "refused" in left.reason
    assert dict(service.usage.failed) == {"refused": 1}
    without = cabs.score([PAIRS[0], PAIRS[2]], resampling=NONE)
    assert found.scores == without.scores, "nothing is taken for a number"


def test_refused_facts_are_counted_in_the_result(ontology, start: Start, serve: Serve) -> None:
    def script(body: dict[str, Any], _n: int) -> Act:
        said = json.loads(answer(body))
        for item in said.get("facts", [])[:1]:
            item["evidence"] = "words that nobody wrote"
        return Act(json.dumps(said))

    service = serve(start(script))
    found = cabs.score(PAIRS[:1], parser=LlmParser(ontology, service.server, service), resampling=NONE)
    assert found.only.issues == {"prediction:not_verbatim": 1, "reference:not_verbatim": 1}


def test_a_server_that_goes_away_stops_the_run_and_loses_nothing(
    ontology, start: Start, serve: Serve, tmp_path: Path
) -> None:
    def script(body: dict[str, Any], n: int) -> Act:
        return Act(answer(body)) if n < 4 else Act(status=401, body="")

    scripted, out = start(script), tmp_path / "out"
    service = serve(scripted, concurrency=1)
    with pytest.raises(UnavailableError, match="HTTP 401"):
        cabs.score(PAIRS, parser=LlmParser(ontology, service.server, service), resampling=NONE, output=out)
    assert journal_path(out).is_file()
    assert not out.exists()
    scripted.script = honest()
    before = len(scripted.requests)
    again = serve(scripted, concurrency=1)
    found = cabs.score(PAIRS, parser=LlmParser(ontology, again.server, again), resampling=NONE, output=out)
    assert found.counts.reports == 3
    assert len(scripted.requests) - before == 6 - 2, "two of six had come"


def test_what_failed_in_passing_is_asked_again_by_a_run_that_goes_on_and_nothing_else(
    ontology, start: Start, serve: Serve, tmp_path: Path
) -> None:
    def script(body: dict[str, Any], n: int) -> Act:
        if "Hepatomegaly" in str(body):
            return Act(status=500, body="")
        return Act(status=401, body="") if "Heart size" in str(body) else Act(answer(body))

    scripted, out = start(script), tmp_path / "out"
    how = {"concurrency": 1, "retries": 0, "cache": None, "rung": "json_schema"}
    service = serve(scripted, **how)
    with pytest.raises(UnavailableError, match="HTTP 401"):
        cabs.score(PAIRS, parser=LlmParser(ontology, service.server, service), resampling=NONE, output=out)
    assert finished(journal_path(out)) == 1, "the first is done, the second may go well later"
    scripted.script = honest()
    before = len(asked(scripted))
    again = serve(scripted, **how)
    found = cabs.score(PAIRS, parser=LlmParser(ontology, again.server, again), resampling=NONE, output=out)
    assert found.scores == cabs.score(PAIRS, resampling=NONE).scores
    assert len(asked(scripted)) - before == 2 * 2, "without a cache of answers"


def test_one_process_asks_for_all(ontology, start: Start, serve: Serve) -> None:
    service = serve(start())
    with pytest.raises(SettingError, match="2 processes were asked for"):
        cabs.score(PAIRS, parser=LlmParser(ontology, service.server, service), resampling=NONE, workers=2)


def test_an_empty_report_asks_nobody(ontology, start: Start, serve: Serve) -> None:
    scripted = start()
    service = serve(scripted)
    parser = LlmParser(ontology, service.server, service)
    assert [issue.code for issue in parser(" \n").issues] == ["empty"]
    matcher = LlmMatcher(ontology, Settings(), service.server, None, service)
    for said in ("", None):
        aligned = matcher.align(Pair("1", PAIRS[0][0], said))
        assert (aligned.alignment.hits, len(aligned.alignment.missed)) == ((), 2)
    unread = matcher.align(Pair("2", "Lorem ipsum.", PAIRS[0][1]))
    assert not unread.alignment.reference.read
    assert scripted.requests == []


def test_facts_without_their_text_cannot_be_judged(ontology, start: Start, serve: Serve) -> None:
    service = serve(start())
    matcher = LlmMatcher(ontology, Settings(), service.server, None, service)
    pairs = [Pair("1", PAIRS[0][0], cabs.parse(PAIRS[0][1]))]
    found = run(pairs, Plan(ontology, aligner=matcher), Options(NONE))
    assert "without their text" in found.only.unscored[0].reason


ODD = "The liver is enlarged. There is a snowman configuration of the gizmo. No ascites."


def test_the_hybrid_asks_for_what_the_rules_leave_alone(ontology, start: Start, serve: Serve) -> None:
    def script(body: dict[str, Any], _n: int) -> Act:
        made = {
            "name": "snowman configuration", "status": "present", "organ": "heart", "location": "", "side": "unstated",
            "attributes": [], "certainty": "definite", "mention": "snowman configuration",
            "evidence": "There is a snowman configuration of the gizmo.",
        }  # fmt: skip
        return Act(json.dumps({"facts": [made], "normal": []}))

    scripted = start(script)
    service = serve(scripted, rung="json_schema")
    parser = HybridParser(ontology, service.server, service)
    assert parser(PAIRS[0][0]) == cabs.parse(PAIRS[0][0])
    assert scripted.requests == []
    found, rules = parser(ODD), cabs.parse(ODD)
    assert found.facts[:-1] == rules.facts
    assert ODD[slice(*found.facts[-1].evidence[0])] == "There is a snowman configuration of the gizmo."
    (body,) = asked(scripted)
    assert "liver" not in body["messages"][1]["content"]


def test_nothing_more_is_a_good_answer_to_the_hybrid(ontology, start: Start, serve: Serve) -> None:
    service = serve(start(lambda *_: Act('{"facts": [], "normal": []}')))
    assert HybridParser(ontology, service.server, service)(ODD) == cabs.parse(ODD)


def test_a_quote_from_elsewhere_is_no_evidence_for_the_hybrid(ontology, start: Start, serve: Serve) -> None:
    made = {
        "name": "ascites", "status": "present", "organ": "peritoneum", "location": "", "side": "unstated",
        "attributes": [], "certainty": "definite", "mention": "", "evidence": "No ascites.",
    }  # fmt: skip
    service = serve(start(lambda *_: Act(json.dumps({"facts": [made], "normal": []}))))
    from cabs.llm.failure import LlmError

    with pytest.raises(LlmError, match="none of its 1 quotes"):
        HybridParser(ontology, service.server, service)(ODD)


def test_what_is_unexplained(ontology) -> None:
    terms = terms_of(ontology)
    text = "FINDINGS: Lungs are clear. Weird gizmo. CT in 3 months is advised. Mild.\nTECHNIQUE: Strange widget."
    assert [text[s.start : s.end] for s in unexplained(text, terms)] == ["Weird gizmo."]


DISPUTED = ("Opacity in the left lower lobe.", "Left lower lobe consolidation. Ascites.")


def test_the_hybrid_matcher_asks_about_disputed_pairs_alone(ontology, start: Start, serve: Serve) -> None:
    first = cabs.align(*DISPUTED)
    at = [f.name for f in first.hallucinated].index("consolidation") + 1
    scripted = start(lambda *_: Act(json.dumps({"matches": [{"reference": "R1", "prediction": f"P{at}"}]})))
    service = serve(scripted, rung="json_schema")
    matcher = HybridMatcher(ontology, Settings(), service.server, None, service)
    pairs = [Pair("1", *PAIRS[2]), Pair("2", *DISPUTED)]
    found = run(pairs, Plan(ontology, aligner=matcher), Options(NONE))
    assert len(scripted.requests) == 1
    assert (found.counts.hits, found.counts.extra, found.counts.exact) == (1, 1, 1)


def test_judge_and_reader_work_together(ontology, start: Start, serve: Serve) -> None:
    service = serve(start())
    parser = LlmParser(ontology, service.server, service)
    matcher = LlmMatcher(ontology, Settings(), service.server, parser, service)
    pairs = [Pair(str(i), *pair) for i, pair in enumerate(PAIRS)]
    found = run(pairs, Plan(ontology, parser=parser, aligner=matcher), Options(NONE))
    assert found.scores == cabs.score(PAIRS, resampling=NONE).scores
    told = found.signature.items
    assert (told["matcher"], told["prompt"][:7], told["matcher_prompt"][:5]) == ("llm", "extract", "judge")
    assert service.usage.calls == 3 + 3, "references are read, predictions judged"


def test_what_may_pass_is_not_kept_as_finished(ontology, start: Start, serve: Serve, tmp_path: Path) -> None:
    """The second pair meets a server in trouble, the third one a server that refuses all work."""

    def script(body: dict[str, Any], _n: int) -> Act:
        if "Hepatomegaly" in str(body):
            return Act(status=500, body="")
        return Act(status=401, body="") if "Lungs are clear" in str(body) else Act(answer(body))

    scripted, out = start(script), tmp_path / "out"
    service = serve(scripted, concurrency=1, retries=0, rung="text")
    with pytest.raises(UnavailableError):
        cabs.score(PAIRS, parser=LlmParser(ontology, service.server, service), resampling=NONE, output=out)
    scripted.script = honest()
    again = serve(scripted, concurrency=1, rung="text")
    found = cabs.score(PAIRS, parser=LlmParser(ontology, again.server, again), resampling=NONE, output=out)
    assert found.counts.reports == 3
