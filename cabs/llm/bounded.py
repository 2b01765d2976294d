"""The body of an answer that stops where it is longer than any answer is."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import httpx2


class BoundedStream(httpx2.AsyncByteStream):
    """The parts of a stream up to so many bytes in all; `stop` is raised where there are more."""

    def __init__(self, stream: Any, most: int, stop: Exception) -> None:
        self._stream, self._most, self._stop = stream, most, stop

    async def __aiter__(self) -> AsyncIterator[bytes]:
        left = self._most
        async for part in self._stream:
            left -= len(part)
            if left < 0:
                raise self._stop
            yield part

    async def aclose(self) -> None:
        """Close the connection behind it."""
        await self._stream.aclose()
