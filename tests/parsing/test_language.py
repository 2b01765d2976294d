"""Reports in other languages are not read, whatever words they share with English."""

import pytest

import cabs


@pytest.mark.parametrize(
    "text",
    [
        "Die Lunge ist frei. Kein Pleuraerguss. Kein Pneumothorax.",
        "Kein Pneumothorax, kein Pleuraerguss, keine pneumonischen Infiltrate.",
        "Pas de pneumothorax. Pas de consolidation ni de nodule pulmonaire.",
        "Absence de pneumothorax. Absence d'embolie pulmonaire.",
        "Sin consolidacion ni derrame. Fibrosis pulmonar apical.",
        "Sağ akciğerde nodül izlenmedi.",
    ],
)
def test_another_language_is_not_read(text: str) -> None:
    report = cabs.parse(text)
    assert (report.read, report.facts, [issue.code for issue in report.issues]) == (False, (), ["language"])


@pytest.mark.parametrize(
    "text",
    [
        "No pneumothorax. Le Fort fracture.",
        "De novo de Quervain thyroiditis.",
        "Non calcified nodule. Non enlarged nodes. Non contrast CT.",
        "Liver mets. Lung mets.",
        "Pleural effusion",
        "",
    ],
)
def test_english_with_foreign_names_is(text: str) -> None:
    assert all(issue.code != "language" for issue in cabs.parse(text).issues)
