"""Values that a page's script reads, written so that a browser finds nothing in them but data."""

from __future__ import annotations

import json
from base64 import b64encode
from hashlib import sha256

_SIGNS = {ord("<"): "\\u003c", ord(">"): "\\u003e", ord("&"): "\\u0026"}


def data(value: object) -> str:
    """A value as JSON in ASCII without the signs that HTML reads: it can't end a script, open a comment or reorder
    what stands around it.

    >>> data("</script>\\u202e")
    '"\\\\u003c/script\\\\u003e\\\\u202e"'
    """
    return json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":")).translate(_SIGNS)


def script(*path: object, value: object) -> str:
    """A file of data that a page loads when it needs it."""
    return f"CABS.take({','.join(data(part) for part in path)},{data(value)});\n"


def allowed(source: str) -> str:
    """What a content security policy calls an inline script or style."""
    return f"'sha256-{b64encode(sha256(source.encode('utf-8')).digest()).decode('ascii')}'"
