"""How answers get their form: found by asking, remembered, and never worse than it need be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from benchmarks.llm.server import Act, Scripted
from cabs.errors import UnavailableError
from cabs.llm.rungs import JSON_OBJECT, JSON_SCHEMA, JSON_SCHEMA_OPEN, RUNGS, TEXT
from cabs.llm.service import Service
from tests.llm.asking import ask, asked, question

Start = Callable[..., Scripted]
Serve = Callable[..., Service]


def kind(body: dict[str, Any]) -> str:
    wanted = body.get("response_format")
    if wanted is None:
        return TEXT
    if wanted["type"] == "json_object":
        return JSON_OBJECT
    return JSON_SCHEMA_OPEN if "maxItems" not in str(wanted) else JSON_SCHEMA


def knows(*rungs: str, otherwise: Act) -> Callable[[dict[str, Any], int], Act]:
    """A server that takes some rungs and does something else about the others."""
    return lambda body, _n: Act('{"a": 1}') if kind(body) in (*rungs,) else otherwise


HELLO = Act("Hello!")
REFUSALS = {
    "400": Act(status=400, body='{"error": {"message": "unsupported"}}'),
    "500": Act(status=500, body='{"error": {"message": "validation"}}'),
    "ignored": HELLO,
}


@pytest.mark.parametrize("refusal", REFUSALS)
@pytest.mark.parametrize("rung", [JSON_SCHEMA, JSON_OBJECT])
def test_the_strictest_that_works_is_chosen(start: Start, serve: Serve, rung: str, refusal: str) -> None:
    from cabs.llm.shapes import matches_schema

    below = RUNGS[RUNGS.index(rung) : -1]

    def script(body: dict[str, Any], _n: int) -> Act:
        if kind(body) in below:
            return Act('{"matches": []}')
        return HELLO if kind(body) == TEXT else REFUSALS[refusal]

    service = serve(start(script))
    from cabs.llm.asking import Question

    one = question()
    assert service.rung(Question(one.prompt, one.messages, matches_schema())) == rung


def test_limits_are_left_out_for_servers_that_refuse_them(start: Start, serve: Serve) -> None:
    from cabs.llm.asking import Question
    from cabs.llm.shapes import matches_schema

    def script(body: dict[str, Any], _n: int) -> Act:
        return REFUSALS["400"] if kind(body) == JSON_SCHEMA else Act('{"matches": []}')

    one = question()
    service = serve(start(script))
    assert service.rung(Question(one.prompt, one.messages, matches_schema())) == JSON_SCHEMA_OPEN


def test_a_server_that_only_talks_is_read_all_the_same(start: Start, serve: Serve) -> None:
    def script(body: dict[str, Any], _n: int) -> Act:
        if "response_format" in body:
            return REFUSALS["400"]
        return HELLO if body["max_tokens"] == 64 else Act('The answer is {"a": 3}.')

    scripted = start(script)
    service = serve(scripted)
    assert service.rung(question()) == TEXT
    from cabs.llm.said import object_in

    read = service.submit(service.ask(question(), lambda text: object_in(text, frozenset("a")))).result()
    assert read == {"a": 3}


def test_what_was_found_is_remembered(start: Start, serve: Serve) -> None:
    scripted = start(lambda *_: Act('{"a": 1}'))
    assert ask(serve(scripted)) == 1
    before = len(scripted.requests)
    assert ask(serve(scripted), "again") == 1
    assert len(scripted.requests) == before + 1


def test_a_run_whose_answers_are_kept_needs_no_server(start: Start, serve: Serve, settings: Any) -> None:
    scripted = start(lambda *_: Act('{"a": 1}'))
    assert ask(serve(scripted)) == 1
    scripted.script = lambda *_: Act(status=500, body="")
    service = serve(scripted)
    assert ask(service) == 1
    assert (service.usage.calls, service.usage.cached) == (0, 1)


def test_a_rung_of_the_settings_asks_no_probe(start: Start, serve: Serve) -> None:
    scripted = start(lambda *_: Act('{"a": 1}'))
    ask(serve(scripted, rung=JSON_OBJECT))
    assert [kind(body) for body in scripted.requests] == [JSON_OBJECT]


def test_a_server_in_trouble_is_no_server_without_the_form(start: Start, serve: Serve) -> None:
    scripted = start(lambda *_: Act(status=503, body=""))
    with pytest.raises(UnavailableError):
        ask(serve(scripted))
    scripted.script = lambda *_: Act('{"a": 1}')
    assert serve(scripted).rung(question()) == JSON_SCHEMA


@pytest.mark.parametrize(
    "changes",
    [
        {"model": "other"}, {"temperature": 1.0}, {"seed": 1}, {"run": 1}, {"max_tokens": 9}, {"rung": TEXT},
        {"extra": '{"top_p": 1}'},
    ],
)  # fmt: skip
def test_whatever_matters_has_answers_of_its_own(start: Start, serve: Serve, changes: dict[str, Any]) -> None:
    scripted = start(lambda *_: Act('{"a": 1}'))
    ask(serve(scripted))
    ask(serve(scripted, **changes))
    assert len(asked(scripted)) == 2
    ask(serve(scripted, **changes, concurrency=2, timeout=9.0, retries=0, price_in=1.0))
    assert len(asked(scripted)) == 2, "what does not matter has none"


@pytest.mark.parametrize("status", [503, 429])
def test_a_busy_server_decides_no_rung(start: Start, serve: Serve, status: int) -> None:
    scripted = start(lambda _, n: Act(status=status, body="") if n <= 3 else Act('{"a": 1}'))
    assert serve(scripted, retries=3).rung(question()) == JSON_SCHEMA


def test_a_model_that_thinks_first_is_given_room(start: Start, serve: Serve) -> None:
    def script(body: dict[str, Any], _n: int) -> Act:
        return Act("", finish="length") if body["max_tokens"] <= 64 else Act('{"a": 1}')

    assert serve(start(script)).rung(question()) == JSON_SCHEMA


def test_an_outage_is_forgotten_after_a_while(start: Start, serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    scripted = start(lambda *_: Act(status=401, body=""))
    service = serve(scripted)
    with pytest.raises(UnavailableError):
        ask(service)
    scripted.script = lambda *_: Act('{"a": 1}')
    with pytest.raises(UnavailableError):
        ask(service)
    monkeypatch.setattr("cabs.llm.asking.REST", 0.0)
    assert ask(service) == 1
