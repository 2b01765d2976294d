"""A hierarchy in which each member has at most one parent."""

from __future__ import annotations

from collections.abc import Mapping


class Tree:
    """Child → parent. A parent that is no member, or a cycle, ends a line of ancestors (the lint reports
    it)."""

    def __init__(self, parents: Mapping[str, str | None]) -> None:
        self._parents = parents
        self._known: dict[str, tuple[str, ...]] = {}

    def ancestors(self, id: str) -> tuple[str, ...]:
        """All ancestors, nearest first, without `id` itself. KeyError for no member."""
        known = self._known.get(id)
        if known is None:
            known = self._known[id] = self._walk(id)
        return known

    def _walk(self, id: str) -> tuple[str, ...]:
        found: dict[str, None] = {id: None}
        parent = self._parents[id]
        while parent is not None and parent in self._parents and parent not in found:
            found[parent] = None
            parent = self._parents[parent]
        return tuple(found)[1:]

    def cycle(self, id: str) -> bool:
        """Whether the line of parents from `id` comes back to a member that it has passed."""
        chain = (id, *self.ancestors(id))
        last = self._parents[chain[-1]]
        return last is not None and last in chain
