"""`cabs ontology` as somebody who teaches it new terms has it."""

from __future__ import annotations

from pathlib import Path

CUE = """rules:
  - id: own_negation
    class: {cls}
    reach: list
    forms: [nary a]
    match:
      - {{text: "Nary a pleural effusion.", facts: ["{fact}"]}}
    no_match:
      - {{text: "Small left pleural effusion.", facts: ["+pleural_effusion left"]}}
"""


def test_search_of_an_unknown_type(cabs) -> None:
    done = cabs("ontology", "search", "nodule", "--type", "organs")
    assert (done.returncode, done.stdout) == (2, "")
    assert "unknown type 'organs'; did you mean organ?; known are abnormality, device, " in done.stderr


def test_mistakes_are_told_where_they_were_made(cabs, tmp_path: Path) -> None:
    file = tmp_path / "mine" / "context.yaml"
    file.parent.mkdir()
    done = cabs("ontology", "lint", "mine")
    assert (done.returncode, done.stdout[:29]) == (1, "mine: holds no ontology file;")
    file.write_text(CUE.format(cls="negatoin", fact="-pleural_effusion"))
    done = cabs("ontology", "lint", "mine")
    assert done.returncode == 1
    assert done.stdout.startswith(
        "mine/context.yaml:2: own_negation: class: unknown value 'negatoin'; did you mean negat"
    )
    assert done.stderr == "1 problem; no example was parsed, mend these first\n"
    file.write_text(CUE.format(cls="negation", fact="+pleural_effusion"))
    done = cabs("ontology", "lint", "mine")
    wrong = "match: 'Nary a pleural effusion.': wanted +pleural_effusion; got -pleural_effusion @pleura"
    assert (done.returncode, done.stdout) == (1, f"mine/context.yaml:2: own_negation: {wrong}\n")
    file.write_text(CUE.format(cls="negation", fact="-pleural_effusion"))
    done = cabs("ontology", "lint", "mine")
    assert (done.returncode, done.stdout, done.stderr) == (0, "no problems\n", "2 examples parsed\n")
