# SPDX-License-Identifier: Apache-2.0
"""Several grammars as one model."""

from __future__ import annotations

import numpy as np
import pytest

from tertium.errors import FormatError, InputError
from tertium.preorder import Preorderer, load
from tertium.preorder.archive import write_model
from tertium.preorder.ensemble import GrammarEnsemble
from tertium.preorder.grammar import GrammarSettings, train_grammar, train_grammars
from tertium.preorder.parsing.model import GrammarPreorderer

SENTENCES = [s.split() for s in ("she reads books", "he reads", "he sees her")] * 4
LINKS = [[(0, 0), (1, 2), (2, 1)], [(0, 0), (1, 1)], [(0, 0), (1, 2), (2, 1)]] * 4
SETTINGS = GrammarSettings(splits=(3, 1), unknown=0, iterations=4, seed=3)


@pytest.fixture(scope="module")
def grammars():
    return train_grammars(SENTENCES, LINKS, SETTINGS, restarts=2)


def test_restarts_are_grammars_of_consecutive_seeds(grammars):
    for seed, grammar in zip((3, 4), grammars, strict=True):
        alone = train_grammar(
            SENTENCES, LINKS, splits=(3, 1), unknown=0, iterations=4, seed=seed
        )
        assert np.array_equal(grammar.unary, alone.unary)
        assert grammar.settings == alone.settings


def test_expectations_are_the_mean(grammars):
    ensemble = GrammarEnsemble(tuple(grammars))
    assert isinstance(ensemble, Preorderer)
    each = [GrammarPreorderer(g).expectations(SENTENCES[:2]) for g in grammars]
    for i, matrix in enumerate(ensemble.expectations(SENTENCES[:2])):
        assert matrix == pytest.approx((each[0][i] + each[1][i]) / 2)
    assert ensemble.apply([["he", "reads", "books"]])[0].order == (0, 2, 1)
    assert ensemble.expectations([]) == []


def test_an_ensemble_is_the_same_after_a_file(tmp_path, grammars):
    ensemble = GrammarEnsemble(tuple(grammars))
    ensemble.save(tmp_path / "model")
    read = load(tmp_path / "model")
    assert isinstance(read, GrammarEnsemble)
    for one, other in zip(read.grammars, grammars, strict=True):
        assert np.array_equal(one.value, other.value)
        assert one.settings == other.settings


def test_every_restart_continues_from_its_checkpoint(tmp_path, grammars):
    file = tmp_path / "checkpoint"
    train_grammars(SENTENCES, LINKS, SETTINGS, restarts=1, checkpoint=file)
    stages = []
    resumed = train_grammars(
        SENTENCES,
        LINKS,
        SETTINGS,
        restarts=2,
        checkpoint=file,
        progress=lambda what, done, total: stages.append((done, total)),
    )
    assert stages == [(4, 8), (4, 8), (5, 8), (6, 8), (7, 8), (8, 8)]
    assert {path.name for path in tmp_path.iterdir()} == {"checkpoint", "checkpoint.2"}
    assert np.array_equal(resumed[1].unary, grammars[1].unary)


def test_empty_ensembles_are_rejected(tmp_path):
    with pytest.raises(InputError, match="at least one"):
        GrammarEnsemble(())
    with pytest.raises(InputError, match="restarts is 0"):
        train_grammars(SENTENCES, LINKS, SETTINGS, restarts=0)
    write_model(tmp_path / "model", "grammars", {}, {})
    with pytest.raises(FormatError, match="no grammars"):
        load(tmp_path / "model")
