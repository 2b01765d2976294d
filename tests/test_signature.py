"""Signatures: one line, there and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabs.errors import SettingError
from cabs.matching import Settings
from cabs.metrics.intervals import Resampling
from cabs.signature import Signature, parse_signature, sign
from cabs.version import __version__

words = st.text(max_size=12)
names = st.text(min_size=1, max_size=8).filter(lambda name: name not in ("cabs", "onto", "parser"))


def signed() -> Signature:
    settings = Settings(match="hierarchical", kinds=("abnormality", "device"))
    parameters = (*settings.items(), *Resampling(seed=7).items())
    return sign(ontology_version="1.0.0", ontology_hash="0123456789abcdef" * 4, parser="rules", parameters=parameters)


def test_it_is_one_readable_line() -> None:
    assert str(signed()) == (
        f"cabs:{__version__}|onto:1.0.0/0123456789ab|parser:rules|match:hierarchical|location_extra:ignore"
        "|attributes_extra:clinical|scope:report|kinds:abnormality+device|fidelity_over:reference"
        "|fm_over:consistent|fm_base:union|ci:bca@0.95|n_boot:2000|seed:7"
    )


def test_it_parses_back_to_settings() -> None:
    back = parse_signature(str(signed()))
    assert back == signed()
    assert Settings.from_items(back.items) == Settings(match="hierarchical", kinds=("abnormality", "device"))


@given(words, words, words, words, st.dictionaries(names, words, max_size=4))
def test_any_signature_comes_back(version, onto, digest, parser, parameters) -> None:  # type: ignore[no-untyped-def]
    one = Signature(version, onto, digest, parser, tuple(parameters.items()))
    assert parse_signature(str(one)) == one
    assert "\n" not in str(one)


def test_signatures_of_other_versions_are_read_and_unknown_parts_kept() -> None:
    line = "cabs:9.9.9|onto:3.0.0/ffff|parser:llm@gpt|match:strict|made_up:x%7Cy|facts:abcd"
    assert str(parse_signature(line)) == line
    assert parse_signature(line).items["made_up"] == "x|y"
    assert Settings.from_items(parse_signature(line).items) == Settings()


def test_differences_are_named() -> None:
    one = signed()
    other = Signature("9.9.9", one.ontology_version, one.ontology_hash, "llm", one.parameters[1:])
    assert one.differences(other) == (
        ("cabs", __version__, "9.9.9"),
        ("parser", "rules", "llm"),
        ("match", "hierarchical", ""),
    )
    assert one.differences(one) == ()


@pytest.mark.parametrize(
    "line",
    [
        "",
        "f1",
        "cabs:1",
        "onto:1/a|cabs:1|parser:x",
        "cabs:1|onto:1|parser:x",
        "cabs:1|onto:1/a|parser:x|y",
        "cabs:1|onto:1/a|parser:x|a:1|a:2",
    ],
)
def test_what_is_no_signature_is_refused(line: str) -> None:
    with pytest.raises(SettingError, match="no signature"):
        parse_signature(line)


def test_names_are_unique() -> None:
    with pytest.raises(SettingError, match="twice"):
        Signature("1", "1", "a", "rules", (("parser", "x"),))
