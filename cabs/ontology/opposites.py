"""Words that look alike and mean different things, so that no likeness of letters ever makes them one."""

from __future__ import annotations

from dataclasses import dataclass

Groups = tuple[tuple[str, ...], ...]
_ALIKE = 3
"""Two words have the same stem behind their prefixes if so many letters of it agree."""


@dataclass(frozen=True, slots=True)
class Opposites:
    """Groups of `prefixes` and of `words` (stems); the members of a group mean different things.

    The prefix "" in a group stands for words without one.
    """

    prefixes: Groups = ()
    words: Groups = ()

    def apart(self, a: str, b: str) -> bool:
        """Whether two lower-case words are known to mean different things, by their stems or their
        prefixes."""
        return any(_stems_differ(group, a, b) for group in self.words) or any(
            _prefixes_differ(group, a, b) for group in self.prefixes
        )


def _longest(group: tuple[str, ...], word: str) -> str | None:
    """The longest member that the word starts with."""
    return max((member for member in group if word.startswith(member)), key=len, default=None)


def _stems_differ(group: tuple[str, ...], a: str, b: str) -> bool:
    first, second = _longest(group, a), _longest(group, b)
    return first is not None and second is not None and first != second


def _prefixes_differ(group: tuple[str, ...], a: str, b: str) -> bool:
    """Whether some prefixes of the group differ while the words behind them begin alike."""
    rests = {(prefix, a[len(prefix) :][:_ALIKE]) for prefix in group if a.startswith(prefix)}
    others = {(prefix, b[len(prefix) :][:_ALIKE]) for prefix in group if b.startswith(prefix)}
    return any(
        prefix != other and rest == behind and len(rest) == _ALIKE for prefix, rest in rests for other, behind in others
    )
