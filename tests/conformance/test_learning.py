# SPDX-License-Identifier: Apache-2.0
"""Numbers for learning, worked out with a plain prototype from the thesis' formulas.

Stanojević (2017), sections 2.4, 5.4, 6.1 and 6.2.
"""

from __future__ import annotations

import numpy as np
import pytest

from oracles import learning as oracle
from tertium.judgements.ranking.wins import expected_win_ratios, win_ratios
from tertium.learn.examples import Examples, SystemPairs
from tertium.learn.objectives.descent import joint_objective
from tertium.learn.objectives.forms import LinearForm, PolynomialForm
from tertium.learn.objectives.losses import Corpora
from tertium.learn.rankers import Linear
from tertium.learn.scalers import Scaler


def test_quasi_probabilistic_and_plain_scores():
    ranker = Linear((1.5, -0.2, 0.7))
    text, copy = np.array([[0.6, 0.3, 0.5]]), np.array([[1.0, 0.0, 1.0]])
    raw, top = ranker.raw(text), ranker.raw(copy)
    assert Scaler("quasi").scores(raw, top)[0] == pytest.approx(0.533960, abs=5e-7)
    assert Scaler("quasi").score(raw[0], top[0]) == pytest.approx(0.533960, abs=5e-7)
    assert Scaler("none").scores(raw)[0] == pytest.approx(0.766741, abs=5e-7)
    assert Scaler("quasi").score(top[0], top[0]) == 1


def test_expected_wins_and_win_ratio_swap_two_systems():
    wins = np.array([[0, 6, 5], [2, 0, 3], [5, 1, 0]], dtype=float)
    ties = np.zeros((3, 3))
    expected = expected_win_ratios(wins, ties)
    assert expected == pytest.approx([0.625, 0.5, 0.375])
    assert win_ratios(wins, ties) == pytest.approx([0.6111, 0.4167, 0.4286], abs=5e-5)


BETTER = [[0.7, 0.2], [0.5, 0.1]]
WORSE = [[0.4, 0.3], [0.6, 0.4]]
WINNER = [[0.9, 0.1], [0.6, 0.2], [0.7, 0]]
LOSER = [[0.5, 0.4], [0.4, 0.2], [0.3, 0.1]]


def test_joint_loss_and_its_gradient():
    rows = np.array(BETTER + WORSE + WINNER + LOSER)
    examples = Examples(rows, np.array([0, 1]), np.array([2, 3]))
    systems = SystemPairs([np.array([4, 5, 6])], [np.array([7, 8, 9])], [0.25])
    corpora, form = Corpora(systems, len(rows)), LinearForm(2)
    point = np.array([0.8, -0.5, 0.1])

    values, _ = form.forward(point, rows)
    assert examples.differences(values) == pytest.approx([0.29, 0.07])
    assert corpora.differences(values) == pytest.approx([0.0782554], abs=5e-8)

    def parts(examples, corpora):
        return joint_objective(form, rows, examples=examples, corpora=corpora)(point)

    assert parts(examples, None)[0] == pytest.approx(0.82)
    assert parts(None, corpora)[0] == pytest.approx(0.1717446, abs=5e-8)
    loss, gradient = parts(examples, corpora)
    assert loss == pytest.approx(0.4958723, abs=5e-8)
    # The last one is .009315147 by finite differences, too; .0093152 is printed.
    assert gradient == pytest.approx([-0.0834096, 0.1170246, 0.0093152], abs=6e-8)
    slow = oracle.joint_loss(
        (0.8, -0.5), 0.1, list(zip(BETTER, WORSE, strict=True)), [(WINNER, LOSER, 0.25)]
    )
    assert slow == pytest.approx((0.82, 0.1717446, 0.4958723), abs=5e-8)
    assert loss == pytest.approx(slow[-1], abs=1e-15)


def test_polynomial_map_is_its_kernel():
    x, y = [0.2, 0.5, 0.9], [0.1, 0.3, 0.4]
    form = PolynomialForm(3, 2, 0.5)
    mapped = form.map(np.array([x, y]))
    assert mapped.shape == (2, 10)
    assert (mapped[0] * mapped[1]).sum() == pytest.approx(1.600225)
    assert oracle.polynomial_kernel(x, y, 0.5, 2) == pytest.approx(1.600225)


@pytest.mark.parametrize(
    ("features", "degree", "size"), [(57, 2, 1711), (57, 3, 34220)]
)
def test_polynomial_maps_have_the_stated_size(features, degree, size):
    assert PolynomialForm(features, degree, 1.0).size == size
