"""What models say: answers of a server, completions of a policy; and signatures, which anyone may write."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.fuzz.files import refused
from benchmarks.fuzz.target import Run, Target, text_of
from benchmarks.fuzz.texts import check_report
from benchmarks.llm.answers import extraction as good_extraction
from benchmarks.llm.answers import judgement as good_judgement
from benchmarks.llm.fuzz import PAIRS
from cabs.errors import SettingError
from cabs.llm.extraction import extraction
from cabs.llm.failure import RefusedError
from cabs.llm.judgement import judged
from cabs.llm.laid import laid_out
from cabs.llm.listing import lines, listed
from cabs.llm.settling import settled
from cabs.llm.terms import terms_of
from cabs.matching import Matcher
from cabs.metrics import count, score
from cabs.ontology import load_ontology
from cabs.rewards.completion import answer_of
from cabs.rewards.tags import has_tags, keeps_form, keeps_paper_form, tagged, without_tags
from cabs.signature import parse_signature, sign

REFERENCE, PREDICTION = PAIRS[0]
WORDS = (
    '{"facts": [', '"normal": []}', '"evidence": "', '"status": "present"', '"verdicts": [', '"matches": [', "<think>",
    "</think>", "```json\n", "NaN", "1e999", "\\ud800", "\\u0000", '"R1"', '"P1"', "<report>", "{{{{", '"hit": true',
)  # fmt: skip
CHAT = (
    "<findings>", "</findings>", "<impression>", "</impression>", "<think>", "</think>", "<|im_start|>assistant\n",
    "<|im_end|>", "<|channel|>final<|message|>", "<|start|>assistant", "[/INST]", "<\uff5cAssistant\uff5c>", "</s>",
    "<reasoning>", "<|channel|>", "<answer>", "\\boxed{", "<|", "|>",
)  # fmt: skip


def _extraction(_folder: Path) -> Run:
    terms = terms_of(load_ontology())

    def run(data: bytes) -> None:
        try:
            report = extraction(text_of(data), PREDICTION, terms)
        except RefusedError:
            return
        assert report.read
        check_report(report, PREDICTION, terms.ontology)

    return run


def _judgement(_folder: Path) -> Run:
    terms, matcher = terms_of(load_ontology()), Matcher(load_ontology())
    ours = matcher.canonical(terms.rules.parse(REFERENCE))
    rules = terms.rules.parse(PREDICTION)

    def run(data: bytes) -> None:
        try:
            found = judged(text_of(data), ours.present, PREDICTION, terms)
        except RefusedError:
            return
        _, aligned = laid_out(ours, found, rules, PREDICTION, matcher, terms)
        assert len(aligned.hits) + len(aligned.missed) == len(ours.present)
        score(count(aligned, matcher))

    return run


def _settlement(_folder: Path) -> Run:
    terms, matcher = terms_of(load_ontology()), Matcher(load_ontology())
    first = matcher.align(terms.rules.parse(REFERENCE), terms.rules.parse(PREDICTION))

    def run(data: bytes) -> None:
        try:
            made = settled(text_of(data), first, matcher)
        except RefusedError:
            return
        assert len(made.hits) + len(made.missed) == len(first.reference.present)

    return run


def _completion(_folder: Path) -> Run:
    def run(data: bytes) -> None:
        text = text_of(data)
        for query in (False, True):
            for thinking in (False, True):
                refused(lambda q=query, t=thinking: answer_of(text, query=q, thinking=t))  # type: ignore[misc]
        assert len(answer_of(text).text) <= len(text)
        refused(lambda: answer_of(_message(text)))
        has_tags(text), keeps_form(text), keeps_paper_form(text), without_tags(text)
        assert all(part in text for part in tagged(text).values())

    return run


def _message(text: str) -> object:
    """JSON as the value that it is, for the shapes of messages; other texts as they are."""
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return value


def _signature(_folder: Path) -> Run:
    def run(data: bytes) -> None:
        line = text_of(data)
        try:
            found = parse_signature(line)
        except SettingError:
            return
        assert parse_signature(str(found)) == found
        assert found.differences(found) == ()

    return run


def _judged() -> bytes:
    terms, matcher = terms_of(load_ontology()), Matcher(load_ontology())
    ours = matcher.canonical(terms.rules.parse(REFERENCE))
    return json.dumps(good_judgement(lines(listed(ours.present, "R")), PREDICTION)).encode()


_SIGNED = sign(ontology_version="1.0", ontology_hash="0" * 64, parser="rules", parameters=[("a b", "1|2:3"), ("x", "")])
_MATCHES = b'{"matches": [{"reference": "R1", "prediction": "P1"}]}'
_CHATS = (
    b"<think>a</think><findings>x</findings><impression>y</impression>",
    b"<|im_start|>user\nq<|im_end|>\n<|im_start|>assistant\nx<|im_end|>",
    b'[{"role": "assistant", "content": [{"type": "text", "text": "x"}]}]',
)

TARGETS = (
    Target("extraction", _extraction, lambda: [good_extraction(PREDICTION).encode()], lambda: WORDS, pumped=50_000),
    Target("judgement", _judgement, lambda: [_judged()], lambda: WORDS, pumped=50_000),
    Target("settlement", _settlement, lambda: [_MATCHES], lambda: WORDS, pumped=50_000),
    Target("completion", _completion, lambda: _CHATS, lambda: CHAT, pumped=50_000),
    Target(
        "signature",
        _signature,
        lambda: [str(_SIGNED).encode()],
        lambda: ("cabs:", "|onto:", "|parser:", "%7C"),
        pumped=50_000,
    ),
)
