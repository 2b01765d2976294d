"""Plain questions to a scripted server."""

from __future__ import annotations

import json
from typing import Any

from cabs.llm.asking import Question
from cabs.llm.failure import RefusedError
from cabs.llm.prompt import Prompt
from cabs.llm.service import Service

PROMPT = Prompt("plain", 1, "You answer.", "{{words}}", "0" * 12)
SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": False}


def question(words: str = "hi") -> Question:
    return Question(PROMPT, PROMPT.messages({"words": words}), SCHEMA)


def number(text: str) -> int:
    """The number of an answer; anything else is refused."""
    try:
        value = json.loads(text)["a"]
    except (ValueError, TypeError, KeyError):
        raise RefusedError("no number") from None
    if type(value) is not int:
        raise RefusedError("no number")
    return value


def ask(service: Service, words: str = "hi") -> int:
    return service.submit(service.ask(question(words), number)).result()


def asked(scripted: Any) -> list[dict[str, Any]]:
    """The requests that were no probes."""
    return [body for body in scripted.requests if body["messages"][0]["content"] != "Say hello."]
