"""A server that speaks as OpenAI-compatible ones do, and answers by script: late, wrongly, in part, or not at all.

In a thread of this process (`Scripted`), or as a process of its own that a run may outlive (`python -m
benchmarks.llm.server PORT_FILE LOG [LATENCY]`).
"""

from __future__ import annotations

import asyncio
import json
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.llm.answers import answer

Json = dict[str, Any]


@dataclass(frozen=True)
class Act:
    """What is done about one request: wait, then send.

    `status`, `headers` and `body` (None: a chat's answer with `content`) make the response; `cut`: so many bytes of it
    are sent, then the connection is dropped; `trickle`: seconds between its bytes.
    """

    content: str = ""
    finish: str = "stop"
    wait: float = 0.0
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    body: str | None = None
    cut: int | None = None
    trickle: float = 0.0
    usage: tuple[int, int] | None = (100, 20)

    def response(self) -> bytes:
        """The bytes of the response."""
        body = (self.body if self.body is not None else json.dumps(self._chat())).encode("utf-8", "surrogatepass")
        head = [f"HTTP/1.1 {self.status} Scripted", "content-type: application/json", f"content-length: {len(body)}"]
        head += [f"{name}: {value}" for name, value in self.headers]
        return "\r\n".join([*head, "", ""]).encode() + body

    def _chat(self) -> Json:
        message = {"role": "assistant", "content": self.content}
        choice = {"index": 0, "finish_reason": self.finish, "message": message}
        made: Json = {"id": "1", "object": "chat.completion", "created": 0, "model": "scripted", "choices": [choice]}
        if self.usage is not None:
            asked, said = self.usage
            made["usage"] = {"prompt_tokens": asked, "completion_tokens": said, "total_tokens": asked + said}
        return made


Script = Callable[[Json, int], Act]
"""What is done about a request, given its body and its number from 1."""


@dataclass
class Scripted:
    """A server in a thread, at `base_url` while the block runs. `requests`: the bodies that came; `headers`: theirs;
    `busiest`: the most requests at a time."""

    script: Script
    requests: list[Json] = field(default_factory=list)
    headers: list[str] = field(default_factory=list)
    done: Callable[[Json], None] | None = None
    busy: int = 0
    busiest: int = 0
    port: int = 0
    keep: bool = True

    @property
    def base_url(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.port}/v1"

    def __enter__(self) -> Scripted:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self.start(), self._loop).result()
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._stop(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def start(self, port: int = 0) -> None:
        """Listen."""
        self._server = await asyncio.start_server(self._connection, "127.0.0.1", port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def _stop(self) -> None:
        self._server.close()
        tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await self._request(reader, writer):
                pass
        except (asyncio.IncompleteReadError, ConnectionError):
            pass  # the other side has gone
        finally:
            writer.close()

    async def _request(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        lengths = [line.split(":")[1] for line in head.split("\r\n") if line.lower().startswith("content-length")]
        body: Json = json.loads(await reader.readexactly(int(lengths[0]))) if lengths else {}
        if self.keep:
            self.requests.append(body)
            self.headers.append(head)
        self.busy += 1
        self.busiest = max(self.busiest, self.busy)
        try:
            return await self._act(self.script(body, len(self.requests)), body, writer)
        finally:
            self.busy -= 1

    async def _act(self, act: Act, body: Json, writer: asyncio.StreamWriter) -> bool:
        await asyncio.sleep(act.wait)
        sent = act.response()[: act.cut]
        if act.trickle:
            for byte in sent:
                writer.write(bytes([byte]))
                await writer.drain()
                await asyncio.sleep(act.trickle)
        else:
            writer.write(sent)
            await writer.drain()
        if self.done is not None:
            self.done(body)
        return act.cut is None


def honest(latency: float = 0.0) -> Script:
    """A script that answers every question as the rules would, after some seconds."""
    return lambda body, _n: Act(answer(body), wait=latency)


def text_of(body: Json) -> str:
    """All that a request says."""
    return "\n".join(str(message["content"]) for message in body.get("messages", ()))


async def _serve(port_file: Path, log: Path, latency: float) -> None:
    with log.open("a", encoding="utf-8", newline="\n") as handle:

        def done(body: Json) -> None:
            handle.write(json.dumps([time.time(), body.get("max_tokens"), text_of(body)]) + "\n")
            handle.flush()

        server = Scripted(honest(latency), done=done, keep=False)
        await server.start()
        port_file.write_text(str(server.port), encoding="utf-8", newline="\n")
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(_serve(Path(sys.argv[1]), Path(sys.argv[2]), float(sys.argv[3]) if len(sys.argv) > 3 else 0.0))
