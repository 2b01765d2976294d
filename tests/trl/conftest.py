"""A model of some forty thousand parameters and its tokenizer, made on the spot: nothing comes from a hub."""

from __future__ import annotations

import pytest

from tests.rewards.adapters.tiny import tiny_model, tiny_tokenizer


@pytest.fixture(scope="session")
def tokenizer():
    return tiny_tokenizer()


@pytest.fixture
def model(tokenizer):
    return tiny_model(tokenizer)
