"""One attempt at one question, through the openai client."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cabs.errors import MissingExtraError, SettingError
from cabs.llm.cache import Reply
from cabs.llm.prompt import Message
from cabs.llm.retry import Fault, of_status
from cabs.llm.server import NO_KEY, Server

if TYPE_CHECKING:
    import openai

LARGEST = 8 * 1024 * 1024
"""Bytes of an answer; a longer one is stopped."""
SENT = frozenset((
    "host", "accept", "accept-encoding", "connection", "content-type", "content-length", "authorization", "user-agent",
))  # fmt: skip
"""Headers that are sent."""
SHOWN = 200
"""Characters of a server's complaint that are passed on."""


class AttemptError(Exception):
    """An attempt that gave no answer."""

    def __init__(self, fault: Fault) -> None:
        self.fault = fault
        super().__init__(fault.message)


class Client:
    """Asks a server. Made in the event loop that uses it. Nothing is sent anywhere but to the server's address: no
    proxy of the environment, no redirection, no second address.

    Raises:
        MissingExtraError: openai is not installed.
    """

    def __init__(self, server: Server, transport: Any = None) -> None:
        try:
            import openai
        except ImportError:
            hint = "pip install 'cabs[llm]', or in a checkout: pip install '.[llm]'"
            raise MissingExtraError("openai is not installed", place="LLM", hint=hint) from None
        self._server, self._openai = server, openai
        self._more = _fields(server.extra)  # before anything is opened
        http = openai.DefaultAsyncHttpxClient(
            follow_redirects=False,
            trust_env=False,
            transport=transport,
            event_hooks={"request": [self._own_headers], "response": [_bounded]},
        )
        omitted = {name: openai.Omit() for name in ("OpenAI-Organization", "OpenAI-Project")}
        self._client: openai.AsyncOpenAI = openai.AsyncOpenAI(
            api_key=server.key or NO_KEY,
            base_url=server.base_url,
            max_retries=0,
            timeout=server.timeout,
            http_client=http,
            default_headers=omitted,  # type: ignore[arg-type]  # how the library leaves a header out
        )

    async def _own_headers(self, request: Any) -> None:
        """Send what this package says, and nothing that the library finds in the environment."""
        for name in [name for name in request.headers if name.lower() not in SENT]:
            del request.headers[name]
        request.headers["authorization"] = f"Bearer {self._server.key or NO_KEY}"
        request.headers["accept-encoding"] = "identity"  # what is packed can't be weighed before it is opened

    async def ask(self, messages: Sequence[Message], fields: Mapping[str, Any]) -> Reply:
        """The answer to messages; `fields` of the request besides the model.

        Raises:
            AttemptError: there was none.
        """
        body = {"temperature": self._server.temperature, "seed": self._server.sampling_seed, **fields, **self._more}
        gone = [name for name, value in body.items() if value is None]  # an extra of null takes a field out
        body = {name: value for name, value in body.items() if name not in gone}
        said: Any = [{"role": role, "content": text} for role, text in messages]
        try:
            found = await self._client.chat.completions.create(
                model=self._server.model, messages=said, extra_body=body, timeout=self._server.timeout
            )
            return _reply(found)
        except AttemptError:
            raise
        except Exception as error:  # noqa: BLE001  # whatever a body makes the library raise is no answer
            raise AttemptError(self._masked(self._fault(error))) from None

    def _masked(self, fault: Fault) -> Fault:
        return replace(fault, message=self._server.masked(fault.message)[:SHOWN])

    def _fault(self, error: Exception) -> Fault:
        api = self._openai
        if isinstance(error, api.APITimeoutError):
            return Fault("timeout", "it took too long", True)
        if isinstance(error, api.APIConnectionError):
            cause = error.__cause__
            if isinstance(cause, AttemptError):
                return cause.fault
            return Fault("unreachable", f"no connection: {cause or error}", True)
        if isinstance(error, api.APIStatusError):
            told = f"HTTP {error.status_code}: {error.message}"
            if 300 <= error.status_code < 400:
                told = f"HTTP {error.status_code}: redirections are not followed; name the address where it is"
            return of_status(error.status_code, told, error.response.headers.get("retry-after"), time.time())
        if isinstance(error, api.OpenAIError):
            return Fault("server", f"{type(error).__name__}: {error}", True)
        return Fault("server", f"no answer of a chat: {type(error).__name__}", True)

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()


def _fields(extra: str) -> dict[str, Any]:
    if not extra:
        return {}
    try:
        found = json.loads(extra)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise SettingError("it is no JSON object", place="extra", hint='such as {"top_p": 0.9}; null takes a field out')
    return found


def _reply(found: Any) -> Reply:
    """The answer in what came back, whatever that is."""
    try:
        choice = found.choices[0]
        text, finish = choice.message.content, choice.finish_reason
        usage = getattr(found, "usage", None)
        counted = [_count(getattr(usage, name, None)) for name in ("prompt_tokens", "completion_tokens")]
    except Exception:  # noqa: BLE001  # the library hands over whatever a body holds
        raise AttemptError(Fault("server", "no answer of a chat", True)) from None
    kept = finish if isinstance(finish, str) and finish else "stop"
    return Reply(text if isinstance(text, str) else "", kept, counted[0], counted[1])


async def _bounded(response: Any) -> None:
    """Stop an answer that is packed, or longer than any answer is, before it fills the memory."""
    if response.headers.get("content-encoding", "identity").lower() not in ("", "identity"):
        raise AttemptError(Fault("server", "its answer is packed, which was not asked for", False))
    from cabs.llm.bounded import BoundedStream

    too_long = AttemptError(Fault("server", f"its answer has more than {LARGEST} bytes", False))
    response.stream = BoundedStream(response.stream, LARGEST, too_long)


def _count(value: object) -> int | None:
    return value if type(value) is int and value >= 0 else None
