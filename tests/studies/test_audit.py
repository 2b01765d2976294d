"""Facts → a sheet → ratings → rates and frozen facts."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from cabs.errors import CabsError, InputError
from cabs.io.factfile import read_fact_file
from cabs.metrics.intervals import Resampling
from cabs.ontology import Ontology, load_ontology
from cabs.studies.audit.columns import COLUMNS
from cabs.studies.audit.freeze import freeze
from cabs.studies.audit.make import key_path, make_sheet, write
from cabs.studies.audit.rates import Rates, rates
from cabs.studies.audit.ratings import RatedReport, rated_reports
from cabs.studies.audit.rows import read_key, read_rows
from cabs.studies.audit.source import Key, Source, read_sources, read_texts

A1 = "There is a 9 mm nodule in the right upper lobe. Small left pleural effusion. No pneumothorax."
A2 = "Unremarkable bowel gas pattern and a zindle."
TEXTS = {Key("a1"): A1, Key("a2"): A2}
Row = dict[str, str]
Rater = Callable[[list[Row]], None]


@pytest.fixture(scope="module")
def ontology() -> Ontology:
    return load_ontology()


def made(ontology: Ontology, folder: Path, **how: object) -> list[Row]:
    sources = [Source(key, text, None, f"line {n}") for n, (key, text) in enumerate(TEXTS.items(), 1)]
    write(make_sheet(sources, ontology, **how), folder / "s.csv")  # type: ignore[arg-type]
    return list(csv.DictReader((folder / "s.csv").read_text(encoding="utf-8-sig").splitlines()))


def saved(rows: list[Row], folder: Path) -> Path:
    path = folder / "rated.csv"
    with path.open("w", encoding="utf-8-sig", newline="") as handle:
        writer = csv.DictWriter(handle, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)
    return path


def of(rows: list[Row], what: str, entity: str = "") -> Row:
    return next(row for row in rows if row["what"] == what and row["entity"] == entity)


def accept_all(rows: list[Row]) -> None:
    for row in rows:
        row["rating"] = "" if row["what"] == "add" else "accept"


@pytest.fixture
def rated(ontology: Ontology, tmp_path: Path) -> Callable[..., list[RatedReport]]:
    """The reports of a sheet in which every row is accepted but for what `change` does."""

    def run(change: Rater = lambda rows: None, **how: bool) -> list[RatedReport]:
        rows = made(ontology, tmp_path)
        accept_all(rows)
        change(rows)
        return rated_reports(read_rows(saved(rows, tmp_path)), TEXTS, ontology, **how)

    return run


def test_the_sheet_shows_every_fact_and_every_report(ontology: Ontology, tmp_path: Path) -> None:
    rows = made(ontology, tmp_path)
    assert [(row["report"], row["what"], row["entity"]) for row in rows] == [
        ("a1", "fact", "pulmonary_nodule"),
        ("a1", "fact", "pleural_effusion"),
        ("a1", "fact", "pneumothorax"),
        ("a1", "add", ""),
        ("a2", "none", ""),
        ("a2", "add", ""),
    ]
    nodule = rows[0]
    assert (nodule["sentence"], nodule["evidence"]) == (A1[:47], "nodule")
    assert (nodule["side"], nodule["location"], nodule["size"]) == ("right", "right upper lobe", "9 mm")
    assert of(rows, "fact", "pleural_effusion")["attributes"] == "severity: Small"
    assert of(rows, "none")["sentence"] == A2
    assert [row["row"] for row in rows] == ["1 of 4", "2 of 4", "3 of 4", "", "4 of 4", ""]


def test_accepted_facts_come_back_as_they_were(rated, ontology: Ontology) -> None:
    import cabs

    first, second = rated()
    assert set(first.facts) == set(cabs.parse(A1, ontology=ontology).facts)
    assert (first.empty, second.empty, second.facts) == (None, True, ())


def test_corrections_rejections_and_added_facts(rated, ontology: Ontology) -> None:
    def change(rows: list[Row]) -> None:
        nodule, effusion, pneumothorax = (row for row in rows if row["what"] == "fact")
        nodule |= {"rating": "Correct", "correct_entity": "pulmonary mass", "correct_size": "none"}
        effusion |= {"rating": "correct", "correct_side": "none", "correct_attributes": "severity: Small; other: left"}
        pneumothorax["rating"] = "reject"
        of(rows, "none")["rating"] = "reject"
        rows[-1] |= {"correct_entity": "other: zindle", "correct_evidence": "zindle"}
        more = {"correct_entity": "cardiomegaly", "correct_evidence": "bowel  gas", "correct_certainty": "possible"}
        rows.append({**rows[-1], "machine": "", "report": "a2", "what": "add", **more})

    first, second = rated(change)
    nodule, effusion = first.parsed.facts
    assert (nodule.entity, nodule.name, nodule.attributes, nodule.location.ids) == (
        "pulmonary_mass", "pulmonary mass", (), ("rul",),
    )  # fmt: skip
    assert (effusion.side, [(a.kind, a.text) for a in effusion.attributes]) == (
        None, [("severity", "Small"), ("other", "left")],
    )  # fmt: skip
    heart, zindle = second.parsed.facts
    assert (zindle.entity, zindle.name, A2[slice(*zindle.mention)]) == ("other", "zindle", "zindle")
    assert (heart.entity, heart.organ, heart.certainty) == ("cardiomegaly", "heart", "possible")
    assert [A2[slice(*span)] for span in zindle.evidence] == [A2]
    assert second.empty is False
    found = rates([first, second], ontology, Resampling(n=50))
    assert overall(found) == {
        "accepted": 0.0,
        "entity_accepted": 1 / 3,
        "corrected": 2 / 3,
        "rejected": 1 / 3,
        "found": 0.5,
        "empty_confirmed": 0.0,
    }
    assert (found.rated, found.added) == (3, 2)
    assert found.slots["side"].value == 0.5
    assert {name for name, e in found.slots.items() if e.value} == {"entity", "size", "side", "attributes"}
    assert list(found.groups["status"]) == ["present", "absent"]


def overall(found: Rates) -> dict[str, float | None]:
    return {name: e.value for name, e in found.overall.items()}


def test_an_added_entity_brings_the_organ_of_its_place(rated) -> None:
    def change(rows: list[Row]) -> None:
        rows[3] |= {"correct_entity": "hepatomegaly", "correct_evidence": "nodule"}

    added = next(fact for fact in rated(change)[0].facts if fact.entity == "hepatomegaly")
    assert added.organ == "liver"


def test_a_corrected_place_brings_its_side(rated) -> None:
    def change(rows: list[Row]) -> None:
        rows[0] |= {"rating": "correct", "correct_location": "left", "correct_organ": "pleura"}

    (nodule, *_), _ = (report.parsed.facts for report in rated(change))
    assert (nodule.side, nodule.organ, nodule.location.text) == ("left", "pleura", "left")


@pytest.mark.parametrize(
    ("cells", "message", "hint"),
    [
        ({"rating": "acept"}, "rating is 'acept'", "did you mean 'accept'"),
        ({"rating": "maybe"}, "rating is 'maybe'", "one of accept, reject, correct"),
        ({"rating": "correct"}, "no correct_ column holds a value", ""),
        ({"correct_side": "left"}, "rating is accept, but correct_side holds a value", "write correct"),
        ({"rating": "reject", "correct_side": "left"}, "rating is reject, but correct_side holds", "write correct to"),
        ({"rating": "", "correct_side": "left"}, "the row has no rating", "write correct"),
        ({"rating": "correct", "correct_entity": "pulmonary nodle"}, "entity 'pulmonary nodle' is", "pulmonary_nodule"),
        ({"rating": "correct", "correct_organ": "lungs"}, "organ 'lungs' is unknown", "lung"),
        ({"rating": "correct", "correct_attributes": "severty: Small"}, "kind 'severty' is unknown", "severity"),
        ({"rating": "correct", "correct_attributes": "big"}, "'big' is no attribute", "kind: words"),
        ({"rating": "correct", "correct_size": "right"}, "size 'right' holds no measurement", "9 mm"),
        ({"rating": "correct", "correct_size": "12 mm"}, "'12 mm' are not in the report", "copy"),
        ({"rating": "correct", "correct_location": "left lower lobe"}, "'left lower lobe' are not in", "copy"),
        ({"rating": "correct", "correct_evidence": "a nodul e"}, "evidence is not in the report to the letter", "copy"),
        ({"side": "left"}, "column 'side' was changed", "correct_side"),
        ({"machine": "{oops"}, "machine column was damaged", "sheet that was made"),
        ({"machine": ""}, "machine column is empty", "copy"),
    ],
)  # fmt: skip
def test_a_row_that_cannot_stand_is_refused_with_its_place(rated, cells: Row, message: str, hint: str) -> None:
    with pytest.raises(InputError) as error:
        rated(lambda rows: rows[0].update(cells))
    assert message in error.value.message
    assert hint in error.value.hint
    assert error.value.place.endswith("rated.csv:2")


def test_all_problems_are_told_at_once(rated) -> None:
    def change(rows: list[Row]) -> None:
        rows[0]["rating"] = rows[1]["rating"] = "correct"

    with pytest.raises(InputError, match=r"1 more rows: .*rated.csv:3"):
        rated(change)


def test_rows_twice_unrated_or_gone(rated) -> None:
    with pytest.raises(InputError, match="row 1 of the sheet comes twice"):
        rated(lambda rows: rows.append(dict(rows[0])))
    with pytest.raises(InputError, match="1 rows are unrated") as error:
        rated(lambda rows: rows[1].update(rating=""))
    assert "--allow-unrated" in error.value.hint
    with pytest.raises(InputError, match="1 rows of the sheet are gone: 2"):
        rated(lambda rows: rows.pop(1))
    first, second = rated(lambda rows: rows[1].update(rating=""), allow_unrated=True)
    assert (first.unrated, first.whole, second.whole) == (1, False, True)
    gone, _ = rated(lambda rows: rows.pop(1), allow_unrated=True)
    assert not gone.whole


def test_reports_must_be_those_of_the_sheet(ontology: Ontology, tmp_path: Path) -> None:
    rows = made(ontology, tmp_path)
    accept_all(rows)
    sheet = read_rows(saved(rows, tmp_path))
    with pytest.raises(InputError, match="another text than the sheet was made from"):
        rated_reports(sheet, {**TEXTS, Key("a1"): A1 + " Addendum."}, ontology)
    with pytest.raises(InputError, match="there is no report 'a2'"):
        rated_reports(sheet, {Key("a1"): A1}, ontology)


def test_a_text_whose_words_have_moved_is_noticed(ontology: Ontology, tmp_path: Path) -> None:
    rows = made(ontology, tmp_path)
    accept_all(rows)
    sheet = read_rows(saved(rows, tmp_path))
    moved = A1.replace(". Small", ".  Small")
    with pytest.raises(InputError) as error:
        rated_reports(sheet, {**TEXTS, Key("a1"): moved}, ontology)
    assert error.value.place.endswith("rated.csv:3")
    assert "row 2, report 'a1': the sheet has 'pleural effusion', its place" in error.value.message
    assert "rated.csv:4: row 3, report 'a1'" in error.value.message
    behind = {**TEXTS, Key("a1"): A1 + "\n"}
    assert [len(report.facts) for report in rated_reports(sheet, behind, ontology)] == [3, 0]


def test_a_blinded_sheet_is_read_with_its_own_key(ontology: Ontology, tmp_path: Path) -> None:
    sources = [Source(key, text, None, "") for key, text in TEXTS.items()]
    for name, given in (("s", sources), ("t", [replace(sources[0], text="A nodule."), sources[1]])):
        write(make_sheet(given, ontology, blind=True), tmp_path / f"{name}.csv")
    write(make_sheet(sources, ontology), tmp_path / "open.csv")
    own, other = (read_key(key_path(tmp_path / f"{name}.csv")) for name in "st")
    assert {row.key for row in read_rows(tmp_path / "s.csv", own).rows} == set(TEXTS)
    for sheet, key, message in (
        ("s", None, "can't be read without its key"),
        ("s", other, "t.key.csv is the key of another sheet"),
        ("open", own, "the sheet isn't blinded"),
    ):
        with pytest.raises(InputError, match=message) as error:
            read_rows(tmp_path / f"{sheet}.csv", key)
        assert error.value.place.endswith(f"{sheet}.csv:2")
        assert error.value.hint
    with pytest.raises(InputError, match="no key of a sheet"):
        read_key(tmp_path / "s.csv")


def test_an_empty_report_that_is_not_empty_needs_a_fact(rated) -> None:
    with pytest.raises(InputError, match="no fact is added"):
        rated(lambda rows: of(rows, "none").update(rating="reject"))


def test_sampling_and_blinding(ontology: Ontology, tmp_path: Path) -> None:
    sources = [Source(Key(f"id{n}", system), A1, None, "") for n in range(20) for system in ("one", "two")]
    drawn = make_sheet(sources, ontology, sample=7, seed=3)
    assert drawn.reports == 7
    assert drawn == make_sheet(sources, ontology, sample=7, seed=3)
    assert drawn != make_sheet(sources, ontology, sample=7, seed=4)
    assert make_sheet(sources, ontology, sample=99).reports == 40
    blind = make_sheet(sources, ontology, blind=True)
    write(blind, tmp_path / "s.csv")
    page = (tmp_path / "s.csv").read_text(encoding="utf-8-sig")
    assert not any(word in page for word in ("id1", "one", "two"))
    key = read_key(key_path(tmp_path / "s.csv"))
    assert sorted(key.reports.values()) == sorted(source.key for source in sources)
    assert list(key.reports.values()) != [source.key for source in sources]
    rows = read_rows(tmp_path / "s.csv", key)
    assert {row.key for row in rows.rows} == set(key.reports.values())
    assert {row.key.system for row in rows.of_system("one", "s").rows} == {"one"}
    with pytest.raises(CabsError, match="no system 'three'"):
        rows.of_system("three", "s")


def test_frozen_facts(rated, ontology: Ontology, tmp_path: Path) -> None:
    reports = rated(lambda rows: rows[2].update(rating="reject"))
    path = tmp_path / "f.jsonl"
    header = freeze(reports, path, ontology, raters="A. Reader")
    assert (header.reports, header.rated, header.accepted, header.rejected) == (2, 3, 2, 1)
    file = read_fact_file(path)
    assert file.header == header
    assert file.reports["a1"].facts == reports[0].parsed
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0], *reversed(lines[1:])]))
    assert read_fact_file(path).header == header
    path.write_text("\n".join([lines[0], lines[1].replace('"right"', '"left"'), lines[2]]))
    with pytest.raises(InputError, match="changed after it was frozen"):
        read_fact_file(path)
    path.write_text("\n".join([lines[0].replace('"reports": 2', '"reports": "2"'), *lines[1:]]))
    with pytest.raises(InputError, match="field 'reports' holds text"):
        read_fact_file(path)


def test_frozen_without_text(rated, ontology: Ontology, tmp_path: Path) -> None:
    freeze(rated(), tmp_path / "f.jsonl", ontology, text=False)
    page = (tmp_path / "f.jsonl").read_text()
    assert not any(words in page for words in ("right upper lobe", "9 mm", "Small"))
    assert read_fact_file(tmp_path / "f.jsonl").reports["a1"].facts.facts[0].location.ids == ("rul",)  # type: ignore[union-attr]


def test_only_whole_reports_are_frozen_and_one_system(rated, ontology: Ontology, tmp_path: Path) -> None:
    header = freeze(rated(lambda rows: rows[1].update(rating=""), allow_unrated=True), tmp_path / "f", ontology)
    assert header.reports == 1
    twice = [RatedReport(Key("a", system), A1, (), (), 0, None, 0, 0, ()) for system in ("x", "y")]
    with pytest.raises(InputError, match="rated for several systems"):
        freeze(twice, tmp_path / "f", ontology)
    with pytest.raises(InputError, match="nothing to freeze"):
        freeze([], tmp_path / "f", ontology)


def test_sources(tmp_path: Path) -> None:
    path = tmp_path / "facts.jsonl"
    path.write_text(json.dumps({"id": "a1", "facts": [{"name": "pulmonary nodule", "mention": "nodule"}]}))
    with pytest.raises(InputError, match="the text of report 'a1' is not known"):
        read_sources(path)
    (source,) = read_sources(path, TEXTS)
    assert (source.text, source.facts is None) == (A1, False)
    path.write_text('{"id": "a", "report": "x"}\n{"id": "a", "report": "y", "system": "s"}\n')
    assert read_texts(path) == {Key("a"): "x", Key("a", "s"): "y"}
    path.write_text('{"id": "a", "report": "x"}\n{"id": "a", "report": "y"}\n')
    with pytest.raises(InputError, match="report 'a' comes twice"):
        read_sources(path)
