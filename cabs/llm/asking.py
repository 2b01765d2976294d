"""A question → a usable answer: from the cache, or from the server with limits, waits and another try."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import Any, TypeVar

from cabs.errors import UnavailableError
from cabs.llm import retry
from cabs.llm.cache import Cache, Reply
from cabs.llm.client import AttemptError, Client
from cabs.llm.failure import LlmError, RefusedError
from cabs.llm.limits import Limiter
from cabs.llm.prompt import Message, Prompt
from cabs.llm.rungs import JSON_SCHEMA, RUNGS, TEXT, Schema, wish
from cabs.llm.server import Server
from cabs.llm.usage import Usage

CUT = "length"
"""What a server says of an answer that reached the limit of tokens."""
PROBE = 64
"""Tokens of an answer to a probe: enough to see whether it begins as an object."""
GONE = 4
"""Times the concurrency so many questions in a row without a connection, and the server counts as gone; one is enough
where it has never answered."""
THINKING = 4096
"""Tokens of a probe whose answer ended before it began, as that of a model does that thinks first."""
REST = 30.0
"""Seconds for which a server that refused all work, or was gone, is asked nothing."""
_PROBES: tuple[Message, ...] = (("user", "Say hello."),)
_LETTERS = 3
"""Characters of a token, roughly, until the server has counted some."""

T = TypeVar("T")
Read = Callable[[str], T]
"""Reads the text of an answer; raises `RefusedError` where it breaks the protocol."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: `messages` made of a `prompt`, and the `schema` of the answer."""

    prompt: Prompt
    messages: tuple[Message, ...]
    schema: Schema


def asked(server: Server, question: Question, rung: str, tokens: int, again: int = 0) -> dict[str, Any]:
    """The fields of a request for an answer of so many tokens; `again`: how often it was refused before."""
    fields = {**wish(rung, question.prompt.name, question.schema), "max_tokens": tokens}
    return {**fields, "seed": server.sampling_seed + again} if again else fields


def key_of(server: Server, question: Question, fields: Mapping[str, Any]) -> str:
    """A hash (SHA-256, hex) of everything that an answer depends on: address, model, messages with prompt and report,
    schema and rung, parameters, the number of the run."""
    settings = [server.base_url, server.model, server.temperature, server.sampling_seed, server.extra, server.run]
    content = json.dumps([*settings, question.messages, dict(fields)], sort_keys=True)
    return sha256(content.encode("utf-8", "surrogatepass")).hexdigest()


class _Time:
    """Seconds that are left of so many; the first question for them starts the clock."""

    def __init__(self, seconds: float) -> None:
        self._seconds, self._end = seconds, 0.0

    def __call__(self) -> float:
        self._end = self._end or time.monotonic() + self._seconds
        return self._end - time.monotonic()


class Asker:
    """Asks questions of one server, many at a time, in one event loop.

    Equal questions that are under way are asked once. An answer is kept before it is looked at, so that one that is
    refused is not asked for again by a later run either.
    """

    def __init__(self, server: Server, client: Client, cache: Cache, usage: Usage) -> None:
        self.server, self.usage = server, usage
        self._client, self._cache = client, cache
        self._slots = asyncio.Semaphore(server.concurrency)
        self._limiter = Limiter(server.requests_per_minute, server.tokens_per_minute, time.monotonic)
        self._disk = ThreadPoolExecutor(1, "cabs-llm-cache")  # SQLite is used by one thread at a time
        self._readers = ThreadPoolExecutor(1, "cabs-llm-read")  # so that the next question needn't wait for it
        self._running: dict[str, asyncio.Task[Reply]] = {}
        self._rungs: dict[str, asyncio.Task[str]] = {}
        self._lost = 0
        self._unavailable: UnavailableError | None = None
        self._stopped = 0.0
        self._draw = random.Random().random  # jitter: callers that failed together have to part

    async def ask(self, question: Question, read: Read[T]) -> T:
        """What `read` makes of the answer.

        Raises:
            LlmError: there is no usable answer; UnavailableError: the server refuses all work, or is gone.
        """
        try:
            found = await self._asked(question, read)
        except LlmError as error:
            self.usage.failed[error.kind] += 1
            raise
        self.usage.answered += 1
        return found

    async def _asked(self, question: Question, read: Read[T]) -> T:
        rung = await self.rung(question)
        tokens, doubled, again = self.server.max_tokens, False, 0
        while True:
            reply = await self._reply(question, rung, tokens, again)
            if reply.finish == CUT:
                if doubled:
                    raise LlmError.of("length", f"the answer is longer than {tokens} tokens")
                tokens, doubled = 2 * tokens, True
                continue
            try:
                return await asyncio.get_running_loop().run_in_executor(self._readers, read, reply.text)
            except RefusedError as error:
                if again >= self.server.again:
                    raise LlmError.of("refused", f"the answer is refused: {error}") from None
                again += 1

    async def _reply(self, question: Question, rung: str, tokens: int, again: int) -> Reply:
        fields = asked(self.server, question, rung, tokens, again)
        key = key_of(self.server, question, fields)
        running = self._running.get(key)
        if running is None:
            running = asyncio.ensure_future(self._kept(question, fields, key))
            self._running[key] = running
            running.add_done_callback(lambda _: self._running.pop(key, None))
        return await asyncio.shield(running)

    async def _kept(self, question: Question, fields: Mapping[str, Any], key: str) -> Reply:
        known = self._cache.get(key)  # in the loop's own thread: writing waits for other processes, this for nobody
        if known is not None:
            self.usage.cached += 1
            return known
        reply = await self._attempts(question.messages, fields)
        self.usage.add(reply.tokens_in, reply.tokens_out)
        keep = partial(self._cache.put, key, reply, prompt=question.prompt.stamp, model=self.server.model)
        return await self._on_disk(keep)

    async def _on_disk(self, call: Callable[..., T], *args: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._disk, call, *args)

    async def _attempts(self, messages: Sequence[Message], fields: Mapping[str, Any]) -> Reply:
        """The first answer among the attempts. Its time runs from the first attempt on, not while it waits for a turn.

        Raises:
            LlmError: there was none in time; UnavailableError: see `ask`.
        """
        tokens, time_left = sum(len(text) for _, text in messages) // _LETTERS + 1, _Time(self.server.deadline)
        for attempt in range(1, self.server.retries + 2):
            self._refuse()
            await self._limiter.turn(tokens)
            try:
                reply = await self._attempt(messages, fields, time_left)
            except AttemptError as failed:
                fault = failed.fault
            else:
                self._lost = 0
                self._limiter.settle(tokens, (reply.tokens_in or tokens) + (reply.tokens_out or 0))
                return reply
            last = attempt > self.server.retries or not fault.again
            pause = 0.0 if last else retry.wait(fault, attempt, self._draw)
            if last or pause >= time_left():
                raise self._given_up(fault, late=not last)
            if fault.after:
                self._limiter.hold(fault.after)
            self.usage.retries += 1
            await asyncio.sleep(pause)
        raise AssertionError("the last attempt returns or raises")

    async def _attempt(self, messages: Sequence[Message], fields: Mapping[str, Any], time_left: _Time) -> Reply:
        async with self._slots:
            left = min(self.server.timeout, time_left())
            try:
                async with asyncio.timeout(max(left, 0.0)):
                    return await self._client.ask(messages, fields)
            except TimeoutError:
                raise AttemptError(retry.Fault("timeout", f"no whole answer in {left:.3g} s", True)) from None

    def _given_up(self, fault: retry.Fault, *, late: bool) -> Exception:
        if fault.kind == "denied":
            return self._stop(fault.message, "look at the key, the model's name and the address")
        if fault.kind == "unreachable":
            self._lost += 1
            if not self.usage.calls or self._lost >= GONE * self.server.concurrency:
                return self._stop(fault.message, "the server is gone; the same command goes on from here")
        return LlmError.of("deadline", f"out of time after: {fault.message}") if late else LlmError.of(
            fault.kind, fault.message
        )  # fmt: skip

    def _stop(self, message: str, hint: str) -> UnavailableError:
        self._stopped = time.monotonic()
        self._unavailable = UnavailableError(message, place=f"LLM at {self.server.shown}", hint=hint)
        return self._unavailable

    def _refuse(self) -> None:
        """Raise again what stopped the work, for a while; then the server is asked anew."""
        if self._unavailable is None:
            return
        if time.monotonic() - self._stopped < REST:
            raise self._unavailable
        self._unavailable, self._lost = None, 0

    async def rung(self, question: Question) -> str:
        """The strictest rung that the server takes for a schema: the one of the settings, one that was found before, or
        what a probe finds now.

        Raises:
            UnavailableError: the server can't be reached or refuses all work.
        """
        if self.server.rung:
            return self.server.rung
        shape = sha256(json.dumps(question.schema, sort_keys=True).encode()).hexdigest()[:16]
        place = f"{self.server.shown} {self.server.model} {shape}"
        begun = self._rungs.get(place)
        if begun is None or (begun.done() and (begun.cancelled() or begun.exception() is not None)):
            self._refuse()
            self._rungs[place] = asyncio.ensure_future(self._found(place, question))
        return await asyncio.shield(self._rungs[place])

    async def _found(self, place: str, question: Question) -> str:
        known = await self._on_disk(self._cache.rung, place)
        if known in RUNGS:
            return str(known)
        rung = await self._probed(question)
        await self._on_disk(self._cache.remember, place, rung)
        return rung

    async def _probed(self, question: Question) -> str:
        """Ask for a greeting in the form of the schema, rung by rung: an object is no greeting. The server's refusal
        counts only if it then answers a plain question."""
        for rung in RUNGS:
            fields = {**wish(rung, question.prompt.name, question.schema), "max_tokens": PROBE}
            try:
                tries = 1 if rung == JSON_SCHEMA else 0
                reply = await self._probe(fields, tries)
                if reply.finish == CUT and not reply.text.strip():
                    reply = await self._probe({**fields, "max_tokens": THINKING}, tries)
            except AttemptError as failed:
                fault = failed.fault
                if rung == TEXT or fault.busy or fault.kind in ("denied", "unreachable", "rate", "timeout"):
                    raise self._stop(fault.message, "is it running, and is this its address?") from None
                continue
            if rung == TEXT or reply.text.lstrip().startswith("{"):
                return rung
        raise AssertionError("plain text is always a rung")

    async def _probe(self, fields: Mapping[str, Any], tries: int) -> Reply:
        """One answer to a probe; what may pass is given time."""
        time_left = _Time(self.server.deadline)
        for attempt in range(1, self.server.retries + 2):
            try:
                return await self._attempt(_PROBES, fields, time_left)
            except AttemptError as failed:
                fault = failed.fault
            passing = fault.busy or fault.kind in ("rate", "timeout") or (fault.again and attempt <= tries + 1)
            pause = retry.wait(fault, attempt, self._draw)
            if not passing or attempt > self.server.retries or pause >= time_left():
                raise AttemptError(fault)
            await asyncio.sleep(pause)
        raise AssertionError("the last attempt returns or raises")

    async def close(self) -> None:
        """Close the connections and the cache."""
        await self._client.close()
        await self._on_disk(self._cache.close)
        self._disk.shutdown()
        self._readers.shutdown()
