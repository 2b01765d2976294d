"""Grammar of single words: articles, capitals, lists, sizes. It knows English and no finding."""

from __future__ import annotations

import re
from collections.abc import Sequence

ARTICLE = re.compile(r"\b([Aa])n?(\s+)$")
VOWEL = re.compile(r"(?i)(?:[aeio]|u(?!ni|re|te|se))|8|11\b|18\b")
CENTIMETRE = 10
NUMBER = re.compile(r"\d+(?:[.,]\d+)?")


def article(phrase: str) -> str:
    """The indefinite article of a phrase.

    >>> article("8 mm stone"), article("uterine scar"), article("umbilical hernia")
    ('an', 'a', 'an')
    """
    return "an" if VOWEL.match(phrase) else "a"


def capital(phrase: str) -> str:
    """The phrase as a sentence begins.

    >>> capital("no stone")
    'No stone'
    """
    return phrase[:1].upper() + phrase[1:]


def lower(phrase: str) -> str:
    """The phrase as it stands inside a sentence; what is written in capitals stays.

    >>> lower("No stone"), lower("RUL nodule"), lower("T8 fracture")
    ('no stone', 'RUL nodule', 'T8 fracture')
    """
    return phrase if phrase[1:2].isupper() or phrase[1:2].isdigit() else phrase[:1].lower() + phrase[1:]


def listed(items: Sequence[str], conjunction: str) -> str:
    """A list with commas.

    >>> listed(["a", "b", "c"], "or"), listed(["a", "b"], "and"), listed(["a"], "or")
    ('a, b, or c', 'a and b', 'a')
    """
    if len(items) <= 2:
        return f" {conjunction} ".join(items)
    return f"{', '.join(items[:-1])}, {conjunction} {items[-1]}"


def fitted(text: str, start: int, end: int, new: str) -> tuple[int, int, str]:
    """A replacement of text[start:end] that takes over its capital and turns the article before it; `new` "" takes the
    space after it along, too.

    >>> fitted("There is an old scar", 12, 15, "new")
    (9, 15, 'a new')
    >>> fitted("Large cyst", 0, 5, "")
    (0, 7, 'C')
    """
    if not new:
        rest = re.match(r"\s*", text[end:])
        end += len(rest[0]) if rest else 0
    if text[start : start + 1].isupper() and new:
        short = text[start:end].isupper() and end > start + 1
        new = new if short and not _begins(text[:start]) else capital(new)
    elif text[start : start + 1].isupper():
        new, end = text[end : end + 1].upper(), end + 1
    found = ARTICLE.search(text[:start])
    if found is None:
        return start, end, new
    turned = article(new or text[end : end + 12])
    turned = capital(turned) if found[1] == "A" else turned
    return found.start(), end, f"{turned}{found[2]}{new}"


def scaled(size: str, factor: float) -> str:
    """A size with every number multiplied, as many decimals as before.

    >>> scaled("1.2 x 0.8 cm", 2.5), scaled("9 mm", 0.5)
    ('3.0 x 2.0 cm', '4 mm')
    """

    def turned(match: re.Match[str]) -> str:
        number = match[0].replace(",", ".")
        decimals = len(number.partition(".")[2])
        return f"{float(number) * factor:.{decimals}f}"

    return NUMBER.sub(turned, size)


def millimetres(size: str) -> float:
    """The first number of a size in mm.

    >>> millimetres("1.2 x 0.8 cm")
    12.0
    """
    first = NUMBER.search(size)
    number = float(first[0].replace(",", ".")) if first else 0.0
    return number * CENTIMETRE if size.lower().endswith("cm") else number


def other_unit(size: str) -> str:
    """The same size in the other unit, mm or cm; as it is where that would take a decimal of a millimetre.

    >>> other_unit("9 mm"), other_unit("1.2 x 0.8 cm"), other_unit("3.5 mm")
    ('0.9 cm', '12 x 8 mm', '3.5 mm')
    """
    centimetres = size.lower().endswith("cm")
    values = [float(n.replace(",", ".")) for n in NUMBER.findall(size)]
    turned = [v * CENTIMETRE if centimetres else v / CENTIMETRE for v in values]
    exact = all(abs(t * (1 if centimetres else 10) - round(t * (1 if centimetres else 10))) < 1e-9 for t in turned)
    if not exact:
        return size
    said = iter(f"{round(t)}" if centimetres else f"{t:.1f}" for t in turned)
    return re.sub(r"(?i)mm|cm", "mm" if centimetres else "cm", NUMBER.sub(lambda _: next(said), size))


def _begins(before: str) -> bool:
    """Whether a sentence begins behind these words."""
    kept = before.rstrip()
    return not kept or kept[-1] in ".:" or "\n" in before[len(kept) :]
