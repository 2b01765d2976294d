"""Where the ontology's data directory is."""

from __future__ import annotations

from pathlib import Path

from cabs.errors import OntologyError

MARKER = "ontology.yaml"
"""The manifest that makes a folder an ontology."""


PACKAGE = Path(__file__).resolve().parents[1]


def locate(path: str | Path | None = None) -> Path:
    """The folder with the data: `path` itself, else the packaged copy, else the checkout's `ontology/`.

    Raises OntologyError where there is none. An editable install has no packaged copy, a wheel no sibling
    folder.
    """
    if path is not None:
        return _checked(Path(path))
    for folder in (PACKAGE / "_ontology", PACKAGE.parent / "ontology"):
        if (folder / MARKER).is_file():
            return folder
    raise OntologyError(
        "the ontology's data files are missing from this installation",
        place=str(PACKAGE),
        hint="reinstall cabs, or name a folder with --ontology PATH or load_ontology(PATH)",
    )


def _checked(folder: Path) -> Path:
    if not folder.is_dir():
        raise OntologyError("no such folder", place=str(folder), hint=f"name a folder that holds {MARKER}")
    if not (folder / MARKER).is_file():
        raise OntologyError(f"not an ontology: {MARKER} is missing", place=str(folder), hint="name its top folder")
    return folder
