"""What each room counts, on cases small enough to count by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from benchmarks.rooms import labels, mesh, negation, normals, synthrad, wording
from benchmarks.rooms.iu import reports
from benchmarks.rooms.ratios import prf, share


def labelled(id: str, text: str, *names: str) -> dict[str, Any]:
    every = [*labels.targets(labels.CROSSWALK)]
    return {"id": id, "text": text, "labels": {name: name in names for name in every}}


def test_ratios() -> None:
    assert prf(2, 4, 3) == {"p": 0.5, "r": 0.6667, "f1": 0.5714, "truth": 3, "found": 4}
    assert share(0, 0) is None


def test_labels_are_counted_once_a_report() -> None:
    figures, mistakes = labels.measure(
        [
            labelled("1", "Left pleural effusion. Right pleural effusion. Cardiomegaly.", "Effusion"),
            labelled("2", "No pleural effusion.", "Effusion"),
            labelled("3", "The lungs are clear.", "normal"),
        ]
    )
    assert figures["labels"]["Effusion"] | {"p": 1.0, "r": 0.5, "f1": 0.6667} == figures["labels"]["Effusion"]
    assert [(m.kind, m.report, m.name) for m in mistakes] == [("missed", "2", "Effusion")]
    assert "Cardiomegaly" in figures["never_coded"], "a label that no report has holds no truth"
    assert figures["f1"] == 0.6667
    assert figures["normal"] == {"p": 0.5, "r": 1.0, "f1": 0.6667, "truth": 1, "found": 2}


def test_what_rests_on_hedges_alone_is_left_out_of_the_headline() -> None:
    texts = (("1", "Possible pneumonia.", ["Pneumonia"]), ("2", "Possible pneumonia.", []))
    sure = labelled("3", "Pneumonia. Possible pneumonia.", "Pneumonia")
    figures, mistakes = labels.measure([*(labelled(id, text, *names) for id, text, names in texts), sure])
    row = figures["labels"]["Pneumonia"]
    assert (row["truth"], row["found"], row["f1"]) == (1, 1, 1.0)
    assert (row["hedged_only"], row["hedged_only_coded"]) == (2, 1)
    assert (row["as_positive"], row["as_negative"]) == (0.8, 0.6667)
    assert mistakes == []


def coded(text: str, *codes: str) -> dict[str, Any]:
    return {"id": "1", "text": text, "mesh": [code.split("/") for code in codes]}


def test_a_code_is_read_by_its_most_qualified_key() -> None:
    assert mesh.ids_of(("Aorta", "tortuous", "mild"))[0] == "aortic_tortuosity"
    assert mesh.ids_of(("Aorta", "obscured")) == ()
    assert mesh.ids_of(("Lung", "base", "hypoinflation")) == ("low_lung_volumes",)
    assert mesh.ids_of(("Unheard Of",)) == ()


def test_codes_their_sides_and_places() -> None:
    figures, mistakes = mesh.measure(
        [
            coded(
                "Right lower lobe consolidation. Cardiomegaly. Hiatal hernia.",
                "Consolidation/lung/upper lobe/left",
                "Cardiomegaly",
                "Pneumothorax/right",
            )
        ]
    )
    assert (figures["codes"], figures["recall"]) == (3, 0.6667)
    assert figures["precision"] == 0.6667, "no code explains the hernia"
    assert (figures["side"], figures["place"]) == (0.0, 0.0)
    assert sorted((m.kind, m.name) for m in mistakes) == [
        ("extra", "hiatal hernia"),
        ("missed", "Pneumothorax/right"),
        ("place", "Consolidation/lung/upper lobe/left"),
        ("side", "Consolidation/lung/upper lobe/left"),
    ]


def test_sides_agree_together_and_directions_are_left_out() -> None:
    both = coded("Left pleural effusion. Right pleural effusion.", "Pleural Effusion/bilateral")
    apart = coded("Bilateral pleural effusions.", "Pleural Effusion/right/small", "Pleural Effusion/left/large")
    curve = coded("Scoliosis.", "Scoliosis/thoracic vertebrae/right")
    figures, _ = mesh.measure([both, apart, curve])
    assert (figures["sided"], figures["side"]) == (3, 1.0)


def test_a_place_of_the_entity_need_not_be_stated() -> None:
    figures, _ = mesh.measure([coded("Old rib fractures.", "Fractures, Bone/ribs/healed")])
    assert (figures["placed"], figures["place"]) == (1, 1.0)


def test_uncoded_reports_are_left_out_of_the_codes() -> None:
    figures, _ = mesh.measure([coded("Cardiomegaly.", "No Indexing")])
    assert (figures["reports"], figures["codes"], figures["recall"], figures["precision"]) == (0, 0, None, None)


def generated(report: str, lobe: str = "RUL", size: int = 12, nodes: Any = (), mets: Any = ()) -> dict[str, Any]:
    primary = {"lobe": lobe, "size_mm": size}
    return {"id": "1", "report": report, "gold": {"primary": primary, "nodes": list(nodes), "mets": list(mets)}}


def test_exact_truth_of_the_primary() -> None:
    figures, mistakes = synthrad.measure(
        [
            generated("A 12 mm mass in the right upper lobe."),
            generated("A 12 mm mass in the left upper lobe. A 20 mm nodule in the right upper lobe."),
        ]
    )
    assert (figures["lobe"], figures["size"], figures["primary"]) == (1.0, 1.0, 0.5)
    assert [(m.kind, m.name) for m in mistakes] == [("primary", "RUL 12 mm")]


def test_stations_have_a_side_and_small_nodes_are_no_facts() -> None:
    nodes = [{"station": "10L", "short_axis_mm": 14}, {"station": "4R", "short_axis_mm": 8}]
    right = generated("Enlarged lymph node at station 10L, 14 mm.", nodes=nodes)
    wrong = generated("Enlarged lymph node at station 10R, 14 mm.", nodes=nodes)
    figures, _ = synthrad.measure([right, wrong])
    assert (figures["station"], figures["station_asked"]) == (0.5, 2)
    assert not synthrad._at(synthrad.present("Lymphadenopathy.")[0], synthrad.where("nowhere at all"))


def sentence(n: int, concept: str, text: str, status: str) -> dict[str, Any]:
    return {"n": n, "id": f"negex-{n}", "concept": concept, "sentence": text, "negation": status}


def test_negation_counts_what_is_read() -> None:
    figures, mistakes = negation.measure(
        [
            sentence(1, "pleural effusion", "No PLEURAL EFFUSION or cardiomegaly.", "negated"),
            sentence(2, "cardiomegaly", "There is CARDIOMEGALY.", "affirmed"),
            sentence(3, "pneumonia", "PNEUMONIA is seen.", "negated"),
            sentence(4, "blood pressure", "The BLOOD PRESSURE was taken.", "affirmed"),
            sentence(5, "not in it", "Something else.", "affirmed"),
        ]
    )
    assert (figures["sentences"], figures["read"], figures["coverage"], figures["accuracy"]) == (5, 3, 0.6, 0.6667)
    assert figures["negated"] == {"p": 1.0, "r": 0.5, "f1": 0.6667, "truth": 2, "found": 1}
    assert [(m.kind, m.report) for m in mistakes] == [("negated, read present", "negex-3")]


def test_false_facts_are_abnormalities_that_are_present() -> None:
    records = [
        {"id": "1", "text": "The lungs are clear. A pacemaker is in place. No effusion."},
        {"id": "2", "text": "Cardiomegaly. Pleural effusion."},
        {"id": "3", "text": "Nothing that can be read."},
    ]
    figures, mistakes = normals.counter("set")(records)
    assert (figures["false_facts"], figures["per_report"], figures["reports_with_any"]) == (2, 0.6667, 1)
    assert figures["read"] == 0.6667
    assert {m.name for m in mistakes} == {"cardiomegaly", "pleural effusion"}


def test_which_reports_are_normal() -> None:
    present, absent = {"status": "present"}, {"status": "absent"}
    records = [{"id": "1", "facts": [absent]}, {"id": "2", "facts": [absent, present]}, {"id": "3", "facts": []}]
    assert [r["id"] for r in normals.without_present(records)] == ["1", "3"]
    assert normals.coded_normal([coded("", "normal"), coded("", "normal", "Cardiomegaly")]) == [coded("", "normal")]


def test_templates_are_read_whole(tmp_path: Path) -> None:
    (tmp_path / "ct_x.yaml").write_text("report: Clear lungs.\nsummary: No PE\n", encoding="utf-8")
    (tmp_path / "mri_y.yaml").write_text(
        "report:\n  - {section: bones, content: No fracture.}\n  - {section: fluid, content: None.}\n", encoding="utf-8"
    )
    (tmp_path / "LICENSE").write_text("not a template", encoding="utf-8")
    found = normals.templates(tmp_path)
    assert [r["text"] for r in found["templates"]] == ["FINDINGS:\nClear lungs.\nIMPRESSION: No PE"]
    assert [r["text"] for r in found["templates_mri"]] == ["FINDINGS:\nbones: No fracture.\nfluid: None."]


def case(**variants: tuple[int, str]) -> dict[str, Any]:
    rows = [{"name": n, "text": text, "errors": [{}] * errors} for n, (errors, text) in variants.items()]
    return {"id": "c", "reference": "Cardiomegaly. Pleural effusion.", "variants": rows}


def test_paraphrases_lose_nothing_but_what_the_parser_loses() -> None:
    cases = [case(paraphrase_a=(0, "Pleural effusion. Enlarged heart."), paraphrase_b=(0, "Cardiomegaly. Emphysema."))]
    figures, mistakes = wording.measure(cases)
    assert (figures["paraphrase_a"]["f1"], figures["paraphrase_b"]["f1"]) == (1.0, 0.5)
    assert figures["paraphrases"]["f1"] == 0.75
    assert [(m.kind, m.name) for m in mistakes] == [("missed", "pleural effusion"), ("extra", "emphysema")]


def test_phi_counts_pairs_of_unequal_errors() -> None:
    ranked = case(
        paraphrase_a=(0, "Cardiomegaly. Pleural effusion."),
        e1=(1, "Cardiomegaly."),
        e2=(2, "Cardiomegaly. Pleural effusion."),
        hallu=(3, "Cardiomegaly. Pleural effusion."),
    )
    figures, _ = wording.measure([ranked])
    # 0 against 1 concordant, 0 against 2 a tie, 1 against 2 discordant; inventions take no part
    assert figures["phi"]["f1"] == 0.5


def test_reports_of_a_folder_of_ones_own(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    row = '{"uid": "7", "mesh": "Opacity/lung/left; Nodule", "findings": "An opacity.", "impression": ""}\n'
    (tmp_path / "a" / "iu_reports.jsonl").write_text(row, encoding="utf-8")
    (tmp_path / "labels.csv").write_text("filename,Nodule,normal\nCXR7,1,0\n", encoding="utf-8")
    assert reports(tmp_path) == [
        {
            "id": "iu-7",
            "text": "FINDINGS: An opacity.",
            "mesh": [["Opacity", "lung", "left"], ["Nodule"]],
            "labels": {"Nodule": True, "normal": False},
        }
    ]


@pytest.mark.parametrize("name", [labels.CROSSWALK, mesh.HEADINGS, mesh.PLACES, synthrad.CROSSWALK])
def test_the_crosswalks_are_there(name: str) -> None:
    assert any(labels.targets(name).values())
