# SPDX-License-Identifier: Apache-2.0
"""Several preordering models as one.

Each model gives the probability that a word comes before another. The combination is a
weighted product of these and of their complements, normalised: its log-odds are the
weighted sum of the models' log-odds (a logarithmic opinion pool; Hinton 1999). The
weights make the gold orders of sentences most likely that no model has learnt from.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tertium._seed import SEED
from tertium.errors import FormatError, InputError
from tertium.preorder.archive import number_members, read_model, write_model
from tertium.preorder.gold import Gold, gold_orders
from tertium.preorder.parsing.constraints import checked_constraints
from tertium.preorder.parsing.risk import least_risk

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.align.links import Links
    from tertium.preorder.model import Preorderer, Reordering
    from tertium.preorder.parsing.constraints import Constraints
    from tertium.preorder.unaligned import UnalignedWords

    Matrices = Sequence[NDArray[np.float64]]

__all__ = ["Combined", "combine_expectations", "fit_weights", "train_combined"]

#: No model is surer than this, so that none can outvote all others.
_SURE = 0.999
#: Newton's method stops after so many steps; a few are enough.
_STEPS = 25
#: Keeps the weights of models apart that always agree.
_RIDGE = 1e-6


class Combined:
    """Several models whose probabilities are combined.

    Parameters
    ----------
    models : sequence of Preorderer
    weights : sequence of float
        One per model, as :func:`fit_weights` finds them.
    settings : mapping, optional
        How they were trained, as JSON values.
    """

    kind = "combined"

    def __init__(
        self,
        models: Sequence[Preorderer],
        weights: Sequence[float],
        settings: Mapping[str, object] | None = None,
    ) -> None:
        if not models or len(models) != len(weights):
            raise InputError(
                f"there are {len(models)} models and {len(weights)} weights; give one "
                "weight per model, and at least one model"
            )
        self.models = tuple(models)
        self.weights = tuple(map(float, weights))
        self.settings = dict(settings or {})

    def __repr__(self) -> str:
        parts = zip(self.models, self.weights, strict=True)
        return f"Combined({', '.join(f'{m.kind} {w:.3f}' for m, w in parts)})"

    @property
    def unaligned(self) -> UnalignedWords | None:
        """Which words have no counterpart: what the first model that knows says."""
        tables = (model.unaligned for model in self.models)
        return next((table for table in tables if table is not None), None)

    def expectations(
        self,
        sentences: Sequence[Sequence[str]],
        *,
        constraints: Constraints | Sequence[Constraints | None] | None = None,
        threads: int | None = None,
    ) -> list[NDArray[np.float64]]:
        """Return, for each sentence, the probabilities that words come before others.

        Entry (i, j) of a matrix is P(word i before word j). Two opposite entries sum to
        1; the diagonal is 0. With constraints, the probabilities of each model are
        conditional on them, and pairs whose order they fix are certain.
        """
        each = [
            model.expectations(sentences, constraints=constraints, threads=threads)
            for model in self.models
        ]
        combined = combine_expectations(each, self.weights)
        checked = checked_constraints(constraints, [len(words) for words in sentences])
        for limits, matrix in zip(checked, combined, strict=False):
            limits.settle(matrix)
        return combined

    def apply(
        self,
        sentences: Sequence[Sequence[str]],
        *,
        constraints: Constraints | Sequence[Constraints | None] | None = None,
        threads: int | None = None,
    ) -> list[Reordering]:
        """Return the order of least risk of each sentence."""
        matrices = self.expectations(
            sentences, constraints=constraints, threads=threads
        )
        return least_risk(matrices, constraints=constraints, threads=threads)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write all models to one file that :func:`tertium.preorder.load` reads."""
        header = {"weights": list(self.weights), "settings": self.settings}
        arrays = {}
        with tempfile.TemporaryDirectory() as folder:
            for number, model in enumerate(self.models):
                part = Path(folder, str(number))
                model.save(part)
                arrays[f"model{number}"] = np.frombuffer(part.read_bytes(), np.uint8)
        write_model(path, self.kind, header, arrays)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Combined:
        """Read what :meth:`save` wrote.

        Raises
        ------
        FormatError
            If the file is not a model of this kind.
        """
        from tertium.preorder.model import load

        header, arrays = read_model(path, cls.kind)
        weights, settings = header.get("weights"), header.get("settings")
        names = [f"model{number}" for number in range(len(arrays))]
        if (
            not isinstance(weights, list)
            or not isinstance(settings, dict)
            or len(weights) != len(names)
            or not {*names} <= {*arrays}
        ):
            raise FormatError(
                "this combination of models is damaged; train it again",
                path=os.fspath(path),
            )
        models = []
        with tempfile.TemporaryDirectory() as folder:
            for name in names:
                part = Path(folder, name)
                part.write_bytes(arrays[name].tobytes())
                models.append(load(part))
        return cls(models, weights, settings)


def combine_expectations(
    expectations: Sequence[Matrices], weights: Sequence[float]
) -> list[NDArray[np.float64]]:
    """Return the probabilities of several models as those of one.

    Parameters
    ----------
    expectations : sequence of sequences of ndarray
        For each model, the matrices of all sentences.
    weights : sequence of float
        Of the models.

    Examples
    --------
    >>> low, high = np.array([[0, 0.5], [0.5, 0]]), np.array([[0, 0.8], [0.2, 0]])
    >>> combine_expectations([[low], [high]], [1, 0.5])[0].round(3).tolist()
    [[0.0, 0.667], [0.333, 0.0]]
    """
    combined = []
    for matrices in zip(*expectations, strict=True):
        odds = sum(
            weight * _log_odds(matrix)
            for weight, matrix in zip(weights, matrices, strict=True)
        )
        matrix = 1 / (1 + np.exp(-odds))
        np.fill_diagonal(matrix, 0)
        combined.append(matrix)
    return combined


def fit_weights(expectations: Sequence[Matrices], gold: Sequence[Gold]) -> list[float]:
    """Return the weights with which gold orders are most likely.

    This is logistic regression on the pairs of words of each sentence. All sentences
    count the same.

    Parameters
    ----------
    expectations : sequence of sequences of ndarray
        For each model, the matrices of all sentences.
    gold : sequence of Gold

    Raises
    ------
    InputError
        If no sentence has two words.

    Examples
    --------
    >>> sure, unsure = np.array([[0, 0.9], [0.1, 0]]), np.array([[0, 0.6], [0.4, 0]])
    >>> orders = [Gold((0, 1), (0.0, 1.0))] * 4 + [Gold((1, 0), (1.0, 0.0))]
    >>> [round(weight, 2) for weight in fit_weights([[sure] * 5], orders)]
    [0.63]
    """
    parts, shares = [], []
    for order, *matrices in zip((g.order for g in gold), *expectations, strict=True):
        if len(order) < 2:
            continue
        places = np.array(order)
        earlier, later = (places[side] for side in np.triu_indices(len(places), 1))
        odds = np.stack([_log_odds(matrix)[earlier, later] for matrix in matrices], 1)
        parts.append(odds)
        shares.append(np.full(len(odds), 1 / len(odds)))
    if not parts:
        message = "no sentence has two words; there is nothing to fit weights to"
        raise InputError(message)
    return _regress(np.concatenate(parts), np.concatenate(shares))


def _regress(odds: NDArray[np.float64], shares: NDArray[np.float64]) -> list[float]:
    """Return weights that make every row of log-odds a success (Newton's method)."""
    size = odds.shape[1]
    weights = np.full(size, 1 / size)
    for _ in range(_STEPS):
        success = 1 / (1 + np.exp(-odds @ weights))
        slope = odds.T @ (shares * (1 - success)) - _RIDGE * weights
        curve = (odds * (shares * success * (1 - success))[:, None]).T @ odds
        step = np.linalg.solve(curve + _RIDGE * np.eye(size), slope)
        weights += step
        if np.abs(step).max() < 1e-9:
            break
    return [float(weight) for weight in weights]


def _log_odds(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    clipped = np.clip(matrix, 1 - _SURE, _SURE)
    return np.asarray(np.log(clipped) - np.log1p(-clipped))


def train_combined(
    sentences: Sequence[Sequence[str]],
    links: Sequence[Links],
    *,
    members: Sequence[str] = ("btg", "btg", "grammar"),
    held_out: int = 40,
    settings: Mapping[str, Mapping[str, object]] | None = None,
    seed: int = SEED,
    threads: int | None = None,
    progress: Callable[[str, int, int | None], None] | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
) -> Combined:
    """Train several models and their weights.

    Parameters
    ----------
    sentences : sequence of sequences of str
        The words of each source sentence.
    links : sequence of Links
        (source, target), words counted from 0.
    members : sequence of {"btg", "grammar"}
        The models. Two of a kind differ in their seeds.
    held_out : int
        Weights are fitted to every n-th sentence; models learn from the others.
    settings : mapping, optional
        Settings of each kind of model, such as ``{"btg": {"iterations": 3}}``.
    seed : int
        Of the first model; the next has the next seed.
    threads : int, optional
        All processors by default; the model does not depend on it.
    progress : callable, optional
        Called with what is counted, how many are done, and of how many.
    checkpoint : str or path, optional
        Where models keep the state of training; the number of the model is added to
        the name.

    Raises
    ------
    InputError
        If a setting is invalid, or links do not fit the sentences.

    Examples
    --------
    >>> sentences = ["she reads books".split(), "he reads".split()] * 12
    >>> links = [((0, 0), (1, 2), (2, 1)), ((0, 0), (1, 1))] * 12
    >>> small = {"btg": {"rate": 0.1, "slots": 2**10}}
    >>> model = train_combined(sentences, links, members=["btg", "btg"], held_out=3,
    ...                        settings=small)
    >>> model.apply(["he reads books".split()])[0].order
    (0, 2, 1)
    """
    from tertium.preorder.training import train

    if held_out < 2:
        raise InputError(
            f"held_out={held_out} keeps no sentence to learn from; give a number above "
            "1 to fit weights to every n-th sentence",
            options=("held_out",),
        )
    if not members:
        raise InputError("a combination needs members; name at least one model")
    gold = gold_orders(sentences, links)
    learnt = [i for i in range(len(sentences)) if (i + 1) % held_out]
    apart = [i for i in range(len(sentences)) if not (i + 1) % held_out]
    models = [
        train(
            [sentences[i] for i in learnt],
            [links[i] for i in learnt],
            model=member,
            seed=seed + number,
            threads=threads,
            progress=progress,
            checkpoint=checkpoint and f"{os.fspath(checkpoint)}.{number}",
            **(settings or {}).get(member, {}),
        )
        for number, member in enumerate(members)
    ]
    each = [
        model.expectations([sentences[i] for i in apart], threads=threads)
        for model in models
    ]
    weights = fit_weights(each, [gold[i] for i in apart])
    record = {
        "members": list(members),
        "held_out": held_out,
        "seed": seed,
        "models": [
            {"model": member, "weight": weight}
            for member, weight in zip(members, weights, strict=True)
        ],
        "log": _training_log(models),
    }
    return Combined(models, weights, record)


def _training_log(models: Sequence[Preorderer]) -> list[dict[str, object]]:
    """Return the figures of every iteration of all members, which they keep."""
    logs = []
    for model in models:
        grammars = getattr(model, "grammars", [getattr(model, "grammar", model)])
        kind = "grammar" if model.kind == "grammars" else model.kind
        logs += [(one.settings.get("log", []), kind) for one in grammars]
    return [row for rows in number_members(logs) for row in rows]
