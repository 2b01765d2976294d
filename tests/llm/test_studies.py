"""Repeated runs, and rewordings of a model."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from benchmarks.llm.answers import block
from benchmarks.llm.server import Act, Scripted
from cabs.errors import InputError, SettingError
from cabs.llm.reword import LlmRewording
from cabs.llm.service import Service
from cabs.metrics.intervals import Resampling
from cabs.parsing import parse
from cabs.studies.agreement.repeated import repeated
from cabs.studies.counterfactual.ladder import Ladders, Variant
from cabs.studies.counterfactual.lexicon import load_lexicon
from cabs.studies.counterfactual.other_words import broken, retold
from cabs.studies.counterfactual.run import Design, ladders

A = "Small left pleural effusion. Cardiomegaly. Moderate ascites."
B = "Small left pleural effusion. Cardiomegaly."
C = "Small left pleural effusion."
LARGE = "Large left pleural effusion. Cardiomegaly. Moderate ascites."
NONE = Resampling(n=0)


def share(ontology, *runs: dict[str, Any]) -> dict[str, float | None]:
    found = repeated(runs, ontology, parser="llm", resampling=NONE)
    return {name: value.value for name, value in found.shares.items()}


def test_units_that_differ_between_runs(ontology) -> None:
    a, b, c = parse(A), parse(B), parse(C)
    assert share(ontology, {"1": a}, {"1": a}) == {
        "same": 1, "one_or_more": 0, "two_or_more": 0, "two_or_more_fully": 0,
    }  # fmt: skip
    assert share(ontology, {"1": a, "2": a}, {"1": b, "2": c})["one_or_more"] == 1
    assert share(ontology, {"1": a, "2": a}, {"1": b, "2": c})["two_or_more"] == 0.5
    assert share(ontology, {"1": a}, {"1": b}, {"1": c})["two_or_more"] == 1, "the two runs that differ most"
    large = share(ontology, {"1": parse(LARGE)}, {"1": b})
    assert (large["two_or_more"], large["two_or_more_fully"]) == (0, 1)


def test_failed_reports_are_left_out_and_listed(ontology) -> None:
    a = parse(A)
    found = repeated([{"1": a, "2": "refused"}, {"1": a, "2": a}], ontology, parser="llm", resampling=NONE)
    assert (found.reports, [item.id for item in found.failed]) == (1, ["2"])
    with pytest.raises(InputError, match="no report"):
        repeated([{"2": "refused"}, {"2": a}], ontology, parser="llm")
    with pytest.raises(SettingError, match="2 or more"):
        repeated([{"1": a}], ontology, parser="llm")


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("On the right there is a nodule measuring 0.9 cm in its 2 parts.", ""),
        ("On the left there is a nodule measuring 9 mm in its 2 parts.", "other sides"),
        ("On the right there is a nodule measuring 8 mm in its 2 parts.", "other sizes"),
        ("On the right there is a nodule measuring 9 mm in its 3 parts.", "other numbers"),
        ("A nodule.", "other length"),
        ("A 9 mm nodule in 2 parts on the right side.", "not far enough"),
    ],
)
def test_words_that_do_not_hold(said: str, why: str) -> None:
    assert broken("A 9 mm nodule in 2 parts on the right side.", said) == why


@pytest.fixture(scope="module")
def made() -> list[Ladders]:
    text = (
        "FINDINGS: There is a small left pleural effusion. Mild cardiomegaly. No pneumothorax. There is a 9 mm nodule "
        "in the right upper lobe. Moderate ascites. No lymphadenopathy. Gallstones. Consolidation in the left lower "
        "lobe."
    )
    return ladders({"1": text}, load_lexicon(), Design(1, 6))


def test_ladders_in_a_model_s_words(
    made: list[Ladders], start: Callable[..., Scripted], serve: Callable[..., Service]
) -> None:
    def script(body: dict[str, Any], n: int) -> Act:
        text = block("report", str(body["messages"][-1]["content"]))
        words = " ".join(sorted(text.split(), key=lambda w: w.lower()))
        return Act(json.dumps({"report": words if len(text) % 2 else "Nothing."}))

    service = serve(start(script))
    variants = [v for ladder in made for v in ladder.variants]
    assert variants
    anew = retold(made, LlmRewording(service.server, service))
    after = [v for ladder in anew.made for v in ladder.variants]
    assert anew.told + sum(anew.kept.values()) == len(variants)
    for old, new in zip(variants, after, strict=True):
        assert (new.clean, new.edits) == (old.clean, old.edits)
        assert new.text == old.text or broken(old.clean, new.text) == ""


def test_a_failed_rewording_keeps_the_words_that_are_there(start, serve) -> None:
    variant = Variant("1", 0, 0, "Lexicon's words.", "The text.", ())
    service = serve(start(lambda *_: Act("no")))
    anew = retold([Ladders("1", "The text.", (variant,))], LlmRewording(service.server, service))
    assert (anew.made[0].variants, anew.told, anew.kept) == ((variant,), 0, {"no answer": 1})
