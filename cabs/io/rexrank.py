"""Reports kept as sections: ReXrank's per-study JSON (`section_findings`, `section_impression`,
`model_prediction`)."""

from __future__ import annotations

from cabs.io.fields import clean_text, field_of, missing
from cabs.io.record import Record

HEADINGS = {"findings": "Findings:", "impression": "Impression:"}


def sections_text(record: Record) -> str | None:
    """One text with headings from a record's sections, or None where it has no section at all. A section that
    is null or NaN is left out."""
    parts, any_field = [], False
    for role, heading in HEADINGS.items():
        found = field_of(record, role)
        if found is None:
            continue
        any_field = True
        name, value = found
        if not missing(value):
            text = clean_text(value, name, record.place)
            if text.strip():
                parts.append(f"{heading} {text}")
    return "\n".join(parts) if any_field else None
