"""What a server can do wrong between a question and an answer, and what the backend makes of it."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

import pytest

from benchmarks.llm.server import Act, Scripted
from cabs.errors import MissingExtraError, SettingError, UnavailableError
from cabs.llm import Server
from cabs.llm.failure import LlmError
from cabs.llm.service import Service
from tests.llm.asking import ask, asked

GOOD = Act('{"a": 1}')
Serve = Callable[..., Service]
Start = Callable[..., Scripted]


def first(act: Act, *, times: int = 1) -> Callable[[dict[str, Any], int], Act]:
    """A script that does this the first times that it is asked, probes aside, then answers."""
    seen = [0]

    def script(body: dict[str, Any], _n: int) -> Act:
        if body["messages"][0]["content"] == "Say hello.":
            return GOOD
        seen[0] += 1
        return act if seen[0] <= times else GOOD

    return script


PASSING = {
    "429": Act(status=429, body='{"error": {"message": "slow down"}}'),
    "429 with a wait": Act(status=429, body="{}", headers=(("retry-after", "0.01"),)),
    "500": Act(status=500, body='{"error": {"message": "oops"}}'),
    "503 without a body": Act(status=503, body=""),
    "timeout": Act('{"a": 1}', wait=30.0),
    "slow stream": Act('{"a": 1}', trickle=0.05),
    "dropped before the answer": Act('{"a": 1}', cut=0),
    "dropped in the head": Act('{"a": 1}', cut=20),
    "dropped in the body": Act('{"a": 1}', cut=150),
    "no JSON": Act(body="<html>busy</html>"),
    "cut JSON": Act(body='{"id": "1", "choices": [{"ind'),
    "no choices": Act(body='{"id": "1", "choices": []}'),
    "choices of another type": Act(body='{"choices": "none"}'),
    "a list": Act(body="[]"),
    "null": Act(body="null"),
}


@pytest.mark.parametrize("what", PASSING)
def test_what_may_pass_is_tried_again(start: Start, serve: Serve, what: str) -> None:
    scripted = start(first(PASSING[what]))
    service = serve(scripted, timeout=0.6)
    assert ask(service) == 1
    assert (service.usage.calls, service.usage.retries, dict(service.usage.failed)) == (1, 1, {})


@pytest.mark.parametrize(
    ("what", "kind"),
    [("429", "rate"), ("500", "server"), ("timeout", "timeout"), ("dropped in the body", "unreachable")],
)
def test_what_does_not_pass_is_a_failure_that_is_counted(start: Start, serve: Serve, what: str, kind: str) -> None:
    scripted = start(first(PASSING[what], times=99))
    service = serve(scripted, timeout=0.2, rung="text")
    service.usage.calls = 1  # it has answered before
    with pytest.raises(LlmError) as failure:
        ask(service)
    assert failure.value.kind == kind
    assert (len(asked(scripted)), dict(service.usage.failed)) == (3, {kind: 1})


def test_a_refused_request_is_not_tried_again(start: Start, serve: Serve) -> None:
    scripted = start(first(Act(status=400, body='{"error": {"message": "too long"}}'), times=99))
    with pytest.raises(LlmError, match="HTTP 400"):
        ask(serve(scripted))
    assert len(asked(scripted)) == 1


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_server_that_refuses_all_work_stops_the_run(start: Start, serve: Serve, status: int) -> None:
    scripted = start(lambda *_: Act(status=status, body='{"error": {"message": "no"}}'))
    service = serve(scripted)
    for _ in range(2):
        with pytest.raises(UnavailableError, match=f"HTTP {status}"):
            ask(service)
    assert len(scripted.requests) == 1


def test_a_server_that_is_not_there_stops_the_run(start: Start, settings: Callable[..., Server]) -> None:
    scripted = start()
    service = Service(settings(scripted, base_url="http://127.0.0.1:9/v1"))
    with pytest.raises(UnavailableError, match="no connection"):
        ask(service)
    service.close()


def test_nothing_goes_where_a_redirection_points(start: Start, serve: Serve) -> None:
    elsewhere = start(lambda *_: GOOD)
    moved = (("location", f"{elsewhere.base_url}/chat/completions"),)
    scripted = start(first(Act(status=307, body="", headers=moved), times=99))
    with pytest.raises(LlmError, match="HTTP 307"):
        ask(serve(scripted))
    assert elsewhere.requests == []


def test_the_environment_of_other_programs_changes_nothing(
    start: Start, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = start(lambda *_: GOOD)
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, elsewhere.base_url)
    for name in ("OPENAI_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, "secret")
    monkeypatch.setenv("OPENAI_BASE_URL", elsewhere.base_url)
    scripted = start(lambda *_: GOOD)
    assert ask(serve(scripted, key="mine")) == 1
    assert elsewhere.requests == []
    assert all("secret" not in head and "Bearer mine" in head for head in scripted.headers)


def test_the_key_is_shown_nowhere(settings: Callable[..., Server], start: Start) -> None:
    server = settings(start(), key="sk-12345")
    assert "sk-12345" not in f"{server!r} {server.items()}"


def test_a_mock_transport_does_as_well() -> None:
    import httpx2

    seen = []

    def handle(request: httpx2.Request) -> httpx2.Response:
        seen.append(str(request.url))
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": '{"a": 7}'}}
        return httpx2.Response(200, json={"id": "1", "object": "chat.completion", "choices": [choice]})

    service = Service(Server("http://model.invalid/v1", "m", rung="text"), httpx2.MockTransport(handle))
    assert ask(service) == 7
    assert service.usage.unmetered == 1
    assert seen == ["http://model.invalid/v1/chat/completions"]
    service.close()


def test_an_answer_that_is_cut_is_asked_for_once_with_twice_the_tokens(start: Start, serve: Serve) -> None:
    def script(body: dict[str, Any], _n: int) -> Act:
        return Act('{"a": 1}', finish="length" if body["max_tokens"] < 200 else "stop")

    scripted = start(script)
    assert ask(serve(scripted, max_tokens=100)) == 1
    assert [body["max_tokens"] for body in asked(scripted)] == [100, 200]
    with pytest.raises(LlmError, match="longer than 180 tokens") as failure:
        ask(serve(scripted, max_tokens=90), "ho")
    assert failure.value.kind == "length"


def test_a_refused_answer_is_asked_for_once_more_and_then_a_failure(start: Start, serve: Serve) -> None:
    scripted = start(lambda *_: Act('{"a": "1"}'))
    service = serve(scripted)
    with pytest.raises(LlmError, match="no number") as failure:
        ask(service)
    assert failure.value.kind == "refused"
    assert [body["seed"] for body in asked(scripted)] == [0, 1]
    with pytest.raises(LlmError):
        ask(serve(scripted))
    assert len(asked(scripted)) == 2, "the refused answers are kept"


def test_a_question_ends_with_its_deadline(start: Start, serve: Serve) -> None:
    scripted = start(first(Act(status=503, body="", headers=(("retry-after", "60"),)), times=99))
    with pytest.raises(LlmError) as failure:
        ask(serve(scripted, deadline=5.0))
    assert failure.value.kind == "deadline"
    assert len(asked(scripted)) == 1


def test_no_more_than_so_many_at_a_time(start: Start, serve: Serve) -> None:
    scripted = start(lambda *_: Act('{"a": 1}', wait=0.02))
    service = serve(scripted, concurrency=3)
    from tests.llm.asking import number, question

    work = [service.submit(service.ask(question(str(i)), number)) for i in range(20)]
    assert [future.result() for future in work] == [1] * 20
    assert scripted.busiest == 3


def test_equal_questions_are_asked_once(start: Start, serve: Serve) -> None:
    scripted = start(lambda *_: Act('{"a": 1}', wait=0.05))
    service = serve(scripted, cache=None)
    from tests.llm.asking import number, question

    work = [service.submit(service.ask(question(), number)) for _ in range(5)]
    assert [future.result() for future in work] == [1] * 5
    assert len(asked(scripted)) == 1


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"base_url": "localhost:8000"}, "no address"),
        ({"base_url": "ftp://host/v1"}, "no address"),
        ({"base_url": "http://me:secret@host/v1"}, "'host/v1' is no address"),
        ({"model": " "}, "no model"),
        ({"concurrency": 0}, "concurrency is 0"),
        ({"timeout": float("nan")}, "timeout is nan"),
        ({"rung": "xml"}, "'xml' is no rung"),
    ],
)
def test_settings_outside_their_range(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(SettingError, match=said) as error:
        Server(**{"base_url": "http://host/v1", "model": "m", **changes})
    assert "secret" not in str(error.value)


def test_without_openai_it_says_what_to_install(start: Start, serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(MissingExtraError, match="openai is not installed") as error:
        serve(start())
    assert "pip install 'cabs[llm]'" in error.value.hint


def test_extra_fields_are_sent_and_null_takes_one_out(start: Start, serve: Serve) -> None:
    scripted = start(lambda *_: GOOD)
    ask(serve(scripted, extra='{"top_p": 0.5, "temperature": null}'))
    (body,) = asked(scripted)
    assert body["top_p"] == 0.5
    assert "temperature" not in body
    with pytest.raises(SettingError, match="no JSON object"):
        serve(scripted, extra="top_p")


ENVELOPES: list[Any] = [
    {"0": 3}, [None], [[]], [{}], [{"message": None}], [{"message": []}], [{"message": "x"}], "none", 3, True,
]  # fmt: skip


@pytest.mark.parametrize("choices", ENVELOPES, ids=str)
def test_no_envelope_raises_anything_but_a_failure(start: Start, serve: Serve, choices: Any) -> None:
    scripted = start(first(Act(body=json.dumps({"choices": choices, "usage": {"prompt_tokens": []}})), times=99))
    with pytest.raises(LlmError):
        ask(serve(scripted, retries=0, again=0, rung="text"))


def test_a_deep_envelope_is_a_failure(start: Start, serve: Serve) -> None:
    scripted = start(first(Act(body='{"choices":' + "[" * 200_000), times=99))
    with pytest.raises(LlmError, match="no answer of a chat"):
        ask(serve(scripted, retries=0, rung="text"))


def test_an_answer_without_end_is_stopped(start: Start, serve: Serve) -> None:
    scripted = start(first(Act("x" * 9_000_000), times=99))
    with pytest.raises(LlmError, match="more than 8388608 bytes"):
        ask(serve(scripted, rung="text"))
    scripted = start(first(Act(body="x", headers=(("content-encoding", "gzip"),)), times=99))
    with pytest.raises(LlmError, match="packed"):
        ask(serve(scripted, rung="text"), "ho")


def test_a_key_that_a_server_echoes_is_masked(start: Start, serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Other: secret")
    scripted = start(lambda *_: Act(status=400, body='{"error": {"message": "no sk-12345 here"}}'))
    with pytest.raises(LlmError, match=r"no \*\*\* here"):
        ask(serve(scripted, key="sk-12345", rung="text"))
    assert "secret" not in scripted.headers[0]
    with pytest.raises(SettingError) as error:
        Server("http://host/v1", "m", key="sk-1\n2")
    assert "sk-1" not in str(error.value)


def test_a_repeated_run_is_sampled_from_another_seed(start: Start, serve: Serve) -> None:
    scripted = start(lambda *_: GOOD)
    for run in (0, 3):
        ask(serve(scripted, seed=5, run=run))
    assert [body["seed"] for body in asked(scripted)] == [5, 8]
