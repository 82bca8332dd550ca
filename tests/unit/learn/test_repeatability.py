# SPDX-License-Identifier: Apache-2.0
"""Models are the same for any number of threads, of ours and of BLAS."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from support.learning_data import random_examples, small_profile
from tertium.learn.model import Model
from tertium.learn.objectives import (
    Plan,
    fit_linear,
    fit_network,
    fit_polynomial,
    fit_svm_grid,
)
from tertium.learn.scalers import Scaler

pytestmark = pytest.mark.slow

SIGNS = small_profile().signs


def learnt(threads: int) -> list[str]:
    """Return the files of models of all learners; enough rows for several blocks."""
    from support.learning_data import random_systems
    from tertium.learn.objectives import fit_joint

    size = {"pairs": 1500, "candidates": 2100}
    train, valid = random_examples(19, **size), random_examples(20, **size)
    systems = random_systems(19, candidates=2100, size=900)
    plan = Plan(steps=6, restarts=2)
    fits = [
        fit_linear(train, threads=threads),
        fit_linear(train, loss="svm", nonnegative=SIGNS, threads=threads),
        fit_svm_grid(train, valid, grid=[0.01, 1.0], threads=threads),
        fit_network(train, valid=valid, plan=plan, threads=threads),
        fit_joint(train, systems, plan=plan, threads=threads),
        fit_polynomial(train, valid, grid=[1.0], gammas=[1.0], threads=threads),
    ]
    return [
        Model(small_profile(), fit.ranker, Scaler(), None, fit.record).dumps()
        for fit in fits
    ]


def test_models_are_the_same_bytes_for_any_number_of_threads(monkeypatch):
    # or small products would stay on one thread
    monkeypatch.setattr("tertium.learn.objectives.products._ENOUGH", 0)
    one = learnt(1)
    assert learnt(2) == one
    assert learnt(4) == one


BLAS = """
import hashlib, sys
sys.path.insert(0, sys.argv[1])
import numpy as np
from support.learning_data import random_systems
from tertium.learn.examples import Examples
from tertium.learn.objectives import Plan, fit_joint, fit_linear, fit_network
from tertium.learn.objectives.minimum import minimise

random = np.random.default_rng(1)
pairs = random.integers(9000, size=(2, 12000))
examples = Examples(random.random((9000, 57)), *pairs)
systems = random_systems(1, candidates=9000, size=2000)
fits = [
    fit_linear(examples),
    fit_linear(examples, loss="svm", nonnegative=[1] * 57),
    fit_network(examples, plan=Plan(steps=3)),
    fit_joint(examples, systems, plan=Plan(steps=5)),
]
ends = [repr(fit.ranker) for fit in fits]
a, c = random.uniform(0.1, 50, 20000), random.normal(size=20000)
far, _ = minimise(lambda x: (float((a * (x - c) ** 2).sum()), 2 * a * (x - c)), 0 * a)
assert np.abs(far - c).max() < 1e-6
print([hashlib.md5(e.encode()).hexdigest() for e in [*ends, repr(far.tolist())]])
"""


def test_models_do_not_depend_on_the_threads_of_blas():
    tests = Path(__file__).parents[2]
    result = set()
    for count in ("1", "4"):
        one = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"), count)
        command = [sys.executable, "-c", BLAS, str(tests)]
        done = subprocess.run(
            command, capture_output=True, text=True, check=True, env=os.environ | one
        )
        result.add(done.stdout)
    assert len(result) == 1
