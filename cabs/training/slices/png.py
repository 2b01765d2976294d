"""A plane of grey values as a PNG file's bytes. Source: ISO/IEC 15948."""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SIGNATURE = b"\x89PNG\r\n\x1a\n"
GREY_8 = bytes((8, 0, 0, 0, 0))
"""Depth 8, grey, the one compression, the one filter, not interlaced."""


def png(grey: NDArray[np.uint8]) -> bytes:
    """Rows × columns of bytes as a grey PNG. The same plane gives the same pixels; the compressed bytes may differ
    between versions of zlib."""
    rows, columns = grey.shape
    lines = b"".join(b"\0" + row.tobytes() for row in grey)
    header = struct.pack(">II", columns, rows) + GREY_8
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(lines, 6)), (b"IEND", b""))
    return SIGNATURE + b"".join(_chunk(kind, content) for kind, content in chunks)


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
