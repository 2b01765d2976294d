"""Forms are made when they are asked for, and the same whatever was asked before."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor

import pytest

from cabs.ontology import load_ontology
from cabs.parsing.forms import Forms


@pytest.fixture(scope="module")
def forms() -> Forms:
    return Forms(load_ontology())


def sample(forms: Forms, size: int) -> list[str]:
    return random.Random(7).sample(sorted(forms.texts), size)


def test_a_form_is_the_same_whatever_was_asked_before(forms: Forms) -> None:
    texts = sample(forms, 2000)
    other = Forms(load_ontology())
    made = {text: repr(forms.lower(text)) for text in texts}
    assert {text: repr(other.lower(text)) for text in reversed(texts)} == made


def test_threads_get_one_form() -> None:
    fresh = Forms(load_ontology())
    texts = sorted(fresh.texts)[:400]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: [id(fresh.lower(text)) for text in texts], range(8)))
    assert all(ids == found[0] for ids in found)


def test_unknown_texts_have_no_form(forms: Forms) -> None:
    assert forms.lower("no such words") is None
    assert forms.upper("no such words") is None
    assert forms.either("no such words") == (None, None)


def test_every_listed_text_has_a_form(forms: Forms) -> None:
    assert all(forms.upper(text) is not None for text in forms.in_capitals)
    made = [(text, forms.lower(text)) for text in sample(forms, 4000)]
    assert all(form is not None and form.text == text for text, form in made)
