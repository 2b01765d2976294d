"""What a report consists of that no person wrote: each unit comes again and again."""

from __future__ import annotations

UNITS = {
    "a letter": "a", "a digit": "7", "a dot": ".", "dots and an end": ".x", "brackets": "(", "closed": "[]",
    "tabs": "\t", "blank lines": "\n", "lines with a number sign": "\n#", "spaces": " ", "a bullet": "- ",
    "numbers": "1.", "colons": ":", "angles": "<", "headings": "FINDINGS:\n", "nested": "((nodule) ",
    "lists in lists": "- * 1. ", "control": "\x01\x02\x7f", "surrogates": "\ud800", "right to left": "\u202eאבג ",
    "emoji": "\U0001f9d1\u200d\u2695\ufe0f", "HTML": "<p><b>nodule</b>", "marks on letters": "e\u0301",
    "no space": "nodule", "commas": "nodule,", "sizes": "5x5x", "units": "5 mm", "dashes": "-", "stars": "*",
    "quotes": "'", "a word": "effusion ", "denials": "no ", "slashes": "/", "hard spaces": "\xa0", "returns": "\r",
    "Turkish": "\u0130", "ligatures": "\ufb01", "one finding": "Nodule. ",
}  # fmt: skip
"""name → the text that is repeated."""
