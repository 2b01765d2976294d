"""The judge as a reward: a step at once, within its time, and never a number where there is no judgement."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from benchmarks.llm.answers import answer
from benchmarks.llm.server import Act, Scripted, honest
from cabs.errors import SettingError
from cabs.llm import Server
from cabs.llm.matcher import LlmMatcher
from cabs.llm.service import close_services
from cabs.matching import Settings
from cabs.ontology import load_ontology
from cabs.rewards import Example, Reward, reward
from cabs.testing import REWARD_CHECKS
from tests.llm.asking import asked

Start = Callable[..., Scripted]


@pytest.fixture
def judge() -> Iterator[Callable[..., Reward]]:
    """The reward of a scripted server, without a cache."""

    def made(scripted: Scripted, **options: Any) -> Reward:
        usual = {
            "base_url": scripted.base_url,
            "model": "scripted",
            "cache": "none",
            "retries": 0,
            "rung": "json_schema",
        }
        return reward("llm_judge", **{**usual, **options})

    yield made
    close_services()


def report(text: str) -> str:
    return f"<findings>{text}</findings><impression>{text}</impression>"


NODULE = report("There is a 9 mm nodule in the right upper lobe. Small left pleural effusion.")
LEFT = report("There is a 9 mm nodule in the left upper lobe. Small left pleural effusion.")
SILENT = report("")
EXTRA = report("There is a 9 mm nodule in the right upper lobe. Small left pleural effusion. Moderate ascites.")


@pytest.mark.parametrize("formula", ["tif", "tif_paper"])
def test_a_perfect_judge_gives_what_the_rules_give(start: Start, judge: Callable[..., Reward], formula: str) -> None:
    mine, rules = judge(start(), formula=formula), reward(formula)
    examples = [Example(said, NODULE) for said in (NODULE, LEFT, EXTRA, SILENT)]
    found = mine.score_batch(examples)
    assert [r.status for r in found] == ["ok"] * 4, [r.reason for r in found]
    assert [r.value for r in found] == pytest.approx([r.value for r in rules.score_batch(examples)])


@pytest.mark.parametrize("check", REWARD_CHECKS)
def test_it_keeps_the_contract_of_rewards(
    start: Start, judge: Callable[..., Reward], check: Callable[[Reward], None]
) -> None:
    check(judge(start()))


def test_no_judgement_is_no_value(start: Start, judge: Callable[..., Reward]) -> None:
    def script(body: dict[str, Any], _n: int) -> Act:
        said = json.loads(answer(body))
        for verdict in said["verdicts"]:
            verdict["hit"] = "false"
        return Act(json.dumps(said))

    good, bad = judge(start()), judge(start(script))
    assert good.score_batch([Example(NODULE, NODULE)])[0].value == 1.0
    (found,) = bad.score_batch([Example(NODULE, NODULE)])
    assert (found.value, found.status) == (None, "error")
    assert "verdicts.0.hit" in found.reason


def test_the_time_of_a_step_is_limited(start: Start, judge: Callable[..., Reward]) -> None:
    def script(body: dict[str, Any], n: int) -> Act:
        return Act(answer(body), wait=60.0 if "ascites" in str(body["messages"][1]["content"]) else 0.0)

    mine = judge(start(script), time_limit=3.0, concurrency=8)
    found = mine.score_batch([Example(NODULE, NODULE), Example(EXTRA, NODULE), Example(LEFT, NODULE)])
    assert [r.status for r in found] == ["ok", "error", "ok"]
    assert "no judgement within 3 s" in found[1].reason
    assert found[1].value is None


def test_a_step_is_asked_about_at_once_and_repeats_once(start: Start, judge: Callable[..., Reward]) -> None:
    scripted = start(honest(0.1))
    mine = judge(scripted, concurrency=8)
    mine.score_batch([Example(said, NODULE) for said in (NODULE, LEFT, EXTRA) * 4])
    assert len(asked(scripted)) == 3, "both sections of each of three texts say the same"
    assert scripted.busiest > 1


def test_an_unread_reference_asks_nobody(start: Start, judge: Callable[..., Reward]) -> None:
    scripted = start()
    (found,) = judge(scripted).score_batch([Example(NODULE, "lorem ipsum")])
    assert (found.status, found.value, scripted.requests) == ("unscorable", None, [])


def test_without_an_address_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CABS_LLM_BASE_URL", "CABS_LLM_MODEL"):
        monkeypatch.delenv(name, raising=False)
    (found,) = reward("llm_judge").score_batch([Example(NODULE, NODULE)])
    assert (found.value, found.status) == (None, "error")
    assert "no server is named" in found.reason


def test_settings_and_signature(start: Start, judge: Callable[..., Reward]) -> None:
    mine = judge(start(), gamma=0.5, extra={"top_p": 0.5})
    matcher = LlmMatcher(load_ontology(), Settings(), Server("http://h/v1", "m"))
    assert f"|prompt:{matcher.prompt.stamp}|" in mine.signature
    assert "|rung:json_schema|" in mine.signature
    for told in ("|judge:llm|", "|formula:tif|", "|prompt:judge@1/", "|model:scripted|", "|gamma:0.5|"):
        assert told in mine.signature
    assert pickle.loads(pickle.dumps(mine)).signature == mine.signature
    with pytest.raises(SettingError, match="'key' is no option"):
        reward("llm_judge", key="sk-1")
    with pytest.raises(SettingError, match="no formula"):
        reward("llm_judge", formula="f1")
    with pytest.raises(SettingError, match="no time"):
        reward("llm_judge", time_limit=0)
    with pytest.raises(SettingError, match="model is not set"):
        reward("llm_judge", base_url="http://host/v1")
