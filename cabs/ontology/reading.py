"""One YAML file → plain Python values, with YAML 1.2's scalars ("no" is a word). Duplicate keys, and lists and mappings
that an alias repeats, are refused.

The C parser makes the node tree; the values are made here, which is twice as fast as PyYAML's own
constructor.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

from cabs.errors import OntologyError

_Base: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_NUMBER = re.compile(r"[-+]?\d+(\.\d*)?")
_WORDS = {"": None, "~": None, "null": None, "true": True, "false": False}


class _Loader(_Base):  # type: ignore[misc]
    """Makes nodes without a tag of their own: `_value` reads none, and finding them takes a third of the time."""

    def resolve(self, _kind: Any, _value: Any, _implicit: Any) -> str:
        """The same tag for every node."""
        return ""

    def descend_resolver(self, _node: Any, _index: Any) -> None:
        """Nothing, for the same reason."""

    def ascend_resolver(self) -> None:
        """Nothing, for the same reason."""


def read_yaml(path: Path, name: str) -> Any:
    """The content of a YAML file; `name` is how errors call it. An empty file is None.

    Raises OntologyError for a file that can't be read or parsed, with its line.
    """
    return read_lists(path, name)[0]


def read_lists(path: Path, name: str) -> tuple[Any, dict[str, list[int]]]:
    """The content of a YAML file as `read_yaml` gives it, and the lines at which the items of its lists start."""
    node = _tree(path, name)
    return (None, {}) if node is None else (_value(node, name, set()), _lines(node))


def _lines(node: Any) -> dict[str, list[int]]:
    """The lines of the items of every list of the topmost mapping."""
    pairs = node.value if isinstance(node, yaml.MappingNode) else ()
    lists = ((key, value) for key, value in pairs if isinstance(value, yaml.SequenceNode))
    return {str(key.value): [item.start_mark.line + 1 for item in value.value] for key, value in lists}


def _tree(path: Path, name: str) -> Any:
    try:
        return _Loader(path.read_text("utf-8")).get_single_node()
    except OSError as error:
        raise OntologyError(f"can't be read: {error.strerror}", place=name) from error
    except UnicodeDecodeError as error:
        raise OntologyError(f"not UTF-8: {error.reason}", place=name, hint="save the file as UTF-8") from error
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f":{mark.line + 1}" if mark else ""
        raise OntologyError(
            f"not valid YAML: {getattr(error, 'problem', None) or error}",
            place=name + line,
            hint="look at this line and at those above it: indentation, a bracket or a quote that is not closed",
        ) from error


def _value(node: Any, name: str, seen: set[int]) -> Any:
    """The value of a node. `seen`: the lists and mappings so far; one that comes again may hold itself, or grow without
    bounds."""
    if isinstance(node, yaml.ScalarNode):
        return _scalar(node.value) if not node.style else node.value
    if id(node) in seen:
        what = "a list or a mapping is repeated by an alias (*)"
        raise OntologyError(what, place=f"{name}:{node.start_mark.line + 1}", hint="write it out where it is repeated")
    seen.add(id(node))
    if isinstance(node, yaml.SequenceNode):
        return [_value(item, name, seen) for item in node.value]
    made = {_key(key, name): _value(item, name, seen) for key, item in node.value}
    if len(made) < len(node.value):
        raise OntologyError("a key is given twice", place=f"{name}:{node.start_mark.line + 1}", hint="keep one")
    return made


def _key(node: Any, name: str) -> str:
    if isinstance(node, yaml.ScalarNode):
        return str(node.value)
    raise OntologyError("a key must be a word", place=f"{name}:{node.start_mark.line + 1}")


def _scalar(text: str) -> Any:
    if text in _WORDS:
        return _WORDS[text]
    if text[0] in "+-0123456789" and _NUMBER.fullmatch(text):
        return float(text) if "." in text else int(text)
    return text
