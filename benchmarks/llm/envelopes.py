"""Bodies of HTTP answers that are no chat's: each ends in a reply or in a failure that is counted, in no other error.

`spoilt(n, seed)` counts the ends of so many; anything but `AttemptError` is raised.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from random import Random
from typing import Any

from cabs.llm.client import AttemptError, Client
from cabs.llm.server import Server

_ODD: tuple[Any, ...] = (
    None, True, 0, -1, 1.5, "", "a", [], [1], {}, {"0": 3}, [None], [[]], [{}], "\ud800", 10**400, {"message": None},
    [{"message": []}], [{"message": {"content": {}}}], [{"message": {"content": 3}}], [{"message": "x"}],
)  # fmt: skip
_RAW = (b"", b"null", b"[]", b"\xff\xfe", b"<html>", b'{"choices":' + b"[" * 100_000, b"\x00" * 100, b"1" * 5000)
_STATUSES = (200, 200, 200, 200, 201, 204, 299, 302, 400, 418, 429, 500, 599)
_TYPES = ("application/json", "application/json; charset=utf-16", "text/html", "text/event-stream", "")


def spoilt(answers: int, seed: int = 0) -> Counter[str]:
    """The ends of so many drawn envelopes: "envelope read", "envelope failed"."""
    return asyncio.run(_spoilt(answers, Random(seed)))


async def _spoilt(answers: int, rng: Random) -> Counter[str]:
    import httpx2

    def answer(_request: object) -> Any:
        kind = {"content-type": rng.choice(_TYPES)}
        return httpx2.Response(rng.choice(_STATUSES), content=_body(rng), headers=kind)

    client = Client(Server("http://model.invalid/v1", "m"), httpx2.MockTransport(answer))
    seen: Counter[str] = Counter()
    for _ in range(answers):
        try:
            await client.ask((("user", "x"),), {"max_tokens": 3})
            seen["envelope read"] += 1
        except AttemptError:
            seen["envelope failed"] += 1
    await client.close()
    return seen


def _body(rng: Random) -> bytes:
    if rng.random() < 0.1:
        return rng.choice(_RAW)
    made = {name: rng.choice(_ODD) for name in ("choices", "usage", "model", "id", "error") if rng.random() < 0.6}
    if rng.random() < 0.4:
        made["choices"] = [{name: rng.choice(_ODD) for name in ("message", "finish_reason", "index")}]
    return json.dumps(made).encode()
