"""References from downloads in the shapes of the official ones; the texts were written for these tests."""

from __future__ import annotations

import csv
import gzip
import io
import json
import tarfile
import zipfile
from pathlib import Path

import pytest

from cabs.leaderboard.benchmark.definition import read_definition

FINDINGS = "Small left pleural effusion."
IMPRESSION = "Pleural effusion."
MIMIC = f"INDICATION: Cough.\n\n FINDINGS: {FINDINGS}\n\n IMPRESSION: {IMPRESSION}"


def table(path: Path, rows: list[dict[str, str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as handle:
        writer = csv.DictWriter(handle, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)


def ct_rate(folder: Path) -> None:
    (folder / "dataset" / "radiology_text_reports").mkdir(parents=True)
    said = {
        "ClinicalInformation_EN": "Cough",
        "Technique_EN": "CT",
        "Findings_EN": FINDINGS,
        "Impressions_EN": IMPRESSION,
    }
    names = ("valid_1_a_1.nii.gz", "valid_1_a_2.nii.gz", "valid_2_a_1.nii.gz")
    path = folder / "dataset" / "radiology_text_reports" / "validation_reports.csv"
    table(path, [{"VolumeName": name, **said} for name in names])


def amos_mm(folder: Path) -> None:
    def item(number: int, **said: str) -> dict:
        return {"image": f"imagesVa/amos_{number}.nii.gz", "labels": {"report": {"findings": said}, "qa": []}}

    page = {
        "training": [item(1, abdomen="x")],
        "validation": [item(7, chest=FINDINGS, abdomen="Gallstones."), item(8, pelvis="")],
    }
    (folder / "report_generation_train_val.json").write_text(json.dumps(page))


def mimic_cxr(folder: Path) -> None:
    with zipfile.ZipFile(folder / "mimic-cxr-reports.zip", "w") as archive:
        for study in ("50000001", "50000002"):
            text = f"WET READ: nothing\n\nFINAL REPORT\n {MIMIC}\n"
            archive.writestr(f"files/p10/p10000001/s{study}.txt", text)
        archive.writestr("files/p10/p10000001/", "")
    rows = ("dicom_id,study_id,subject_id,split", "a,50000001,10000001,test", "b,50000002,10000001,train")
    (folder / "mimic-cxr-2.0.0-split.csv.gz").write_bytes(gzip.compress("\n".join(rows).encode()))


def iu_xray(folder: Path) -> None:
    with tarfile.open(folder / "NLMCXR_reports.tgz", "w:gz") as archive:
        for number, findings in ((1, FINDINGS), (2, "")):
            text = (
                f'<?xml version="1.0"?><eCitation><uId id="CXR{number}"/><MedlineCitation><Article><Abstract>'
                '<AbstractText Label="INDICATION">Cough</AbstractText>'
                f'<AbstractText Label="FINDINGS">{findings}</AbstractText>'
                f'<AbstractText Label="IMPRESSION">{IMPRESSION if findings else ""}</AbstractText>'
                "</Abstract></Article></MedlineCitation></eCitation>"
            )
            info = tarfile.TarInfo(f"ecgen-radiology/{number}.xml")
            info.size = len(text)
            archive.addfile(info, io.BytesIO(text.encode()))


def abdomenatlas(folder: Path) -> None:
    rows = [{"BDMAP ID": f"BDMAP_0000000{n}", "structured report": "-", "narrative report": FINDINGS} for n in (1, 2)]
    table(folder / "AbdomenAtlas3.0MiniWithMeta.csv", rows)


BOTH = f"FINDINGS: {FINDINGS}\nIMPRESSION: {IMPRESSION}"
DOWNLOADS = {
    "ct-rate": (
        ct_rate,
        [
            {"id": "valid_1_a", "text": BOTH, "cluster": "valid_1"},
            {"id": "valid_2_a", "text": BOTH, "cluster": "valid_2"},
        ],
    ),
    "amos-mm": (amos_mm, [{"id": "amos_7", "text": f"CHEST: {FINDINGS}\nABDOMEN: Gallstones."}]),
    "mimic-cxr": (
        mimic_cxr,
        [
            {
                "id": "50000001",
                "text": MIMIC,
                "cluster": "p10000001",
            }
        ],
    ),
    "iu-xray": (iu_xray, [{"id": "CXR1", "text": BOTH}]),
    "abdomenatlas": (
        abdomenatlas,
        [{"id": "BDMAP_00000001", "text": FINDINGS}, {"id": "BDMAP_00000002", "text": FINDINGS}],
    ),
}


@pytest.mark.parametrize("name", DOWNLOADS)
def test_references_of_a_download(tmp_path: Path, run, name: str) -> None:
    make, expected = DOWNLOADS[name]
    (tmp_path / "download").mkdir()
    make(tmp_path / "download")
    done = run(tmp_path, "benchmark", "prepare", name, "download", "-o", "made")
    assert done.returncode == 0, done.stderr
    found = [json.loads(line) for line in (tmp_path / "made" / "references.jsonl").read_text().splitlines()]
    assert found == expected
    benchmark = read_definition(tmp_path / "made").benchmark
    assert benchmark.references.reports == len(expected)
    assert ("cluster:cluster" in benchmark.signature) == ("cluster" in expected[0])
    predictions = [{"id": row["id"], "prediction": row["text"]} for row in expected]
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "submission.yaml").write_text("system: mine\n")
    (tmp_path / "mine" / "predictions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in predictions))
    done = run(tmp_path, "leaderboard", "mine", "--benchmark", "made", "--json")
    assert done.returncode == 0, done.stderr
    (system,) = json.loads(done.stdout)["systems"]
    assert system["values"]["f1"]["value"] == 1.0


def test_a_published_definition_holds_a_download_to_its_checksum(tmp_path: Path, run) -> None:
    (tmp_path / "download").mkdir()
    abdomenatlas(tmp_path / "download")
    assert run(tmp_path, "benchmark", "prepare", "abdomenatlas", "download", "-o", "made").returncode == 0
    done = run(tmp_path, "benchmark", "prepare", "abdomenatlas", "download", "-o", "made")
    assert done.returncode == 1
    assert "made/benchmark.yaml: there is a benchmark already" in done.stderr
    again = ("benchmark", "prepare", "made/benchmark.yaml", "download", "-o", "again")
    assert run(tmp_path, *again).returncode == 0
    assert (tmp_path / "again" / "references.jsonl").read_bytes() == (
        tmp_path / "made" / "references.jsonl"
    ).read_bytes()
    rows = [{"BDMAP ID": "BDMAP_00000001", "structured report": "-", "narrative report": "Ascites."}]
    table(tmp_path / "download" / "AbdomenAtlas3.0MiniWithMeta.csv", rows)
    done = run(tmp_path, "benchmark", "prepare", "made/benchmark.yaml", "download", "-o", "third")
    assert done.returncode == 1
    assert "the definition names" in done.stderr
    assert not (tmp_path / "third").exists()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("nothing", "holds none of validation_reports.csv"),
        ("columns", "there is no column 'Findings_EN'"),
        ("two texts", "report 'valid_1_a' has two texts"),
        ("no folder", "no such folder"),
    ],
)
def test_downloads_that_are_not_whole(tmp_path: Path, run, change: str, message: str) -> None:
    folder = tmp_path / "download"
    if change != "no folder":
        folder.mkdir()
    said = {"Findings_EN": FINDINGS, "Impressions_EN": IMPRESSION}
    if change == "columns":
        table(folder / "validation_reports.csv", [{"VolumeName": "valid_1_a_1.nii.gz", "Findings": "x"}])
    if change == "two texts":
        rows = [{"VolumeName": f"valid_1_a_{n}.nii.gz", **said, "Impressions_EN": str(n)} for n in (1, 2)]
        table(folder / "validation_reports.csv", rows)
    done = run(tmp_path, "benchmark", "prepare", "ct-rate", "download", "-o", "made")
    assert (done.returncode, done.stdout) == (1, "")
    assert message in done.stderr
    assert not (tmp_path / "made").exists()


def test_shipped_definitions_are_listed_and_shown(tmp_path: Path, run) -> None:
    listed = run(tmp_path, "benchmark", "list").stdout
    assert [name for name in DOWNLOADS if name not in listed] == []
    assert "reader: csv" in run(tmp_path, "benchmark", "show", "ct-rate").stdout
    done = run(tmp_path, "benchmark", "show", "ct-rat")
    assert done.returncode == 1
    assert "did you mean 'ct-rate'?" in done.stderr
