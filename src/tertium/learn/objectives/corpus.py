# SPDX-License-Identifier: Apache-2.0
"""Corpus ranking with human margins, alone and joint with sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from tertium.errors import InputError
from tertium.learn.objectives.descent import Plan, search
from tertium.learn.objectives.forms import Form, LinearForm, NetworkForm
from tertium.learn.objectives.linear import Fit
from tertium.learn.objectives.losses import Corpora

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tertium.learn.examples import Examples, SystemPairs

    Rows: TypeAlias = NDArray[np.float64]

__all__ = ["fit_corpus", "fit_joint"]


def fit_corpus(
    examples: Examples,
    systems: SystemPairs,
    *,
    hidden: int = 0,
    valid: Examples | None = None,
    nonnegative: Sequence[int] | None = None,
    plan: Plan | None = None,
    threads: int | None = None,
) -> Fit:
    """Return the ranker that orders corpora as judges do, by their margins.

    Parameters
    ----------
    examples : Examples
        Only its features count here: `systems` names their rows.
    systems : SystemPairs
    hidden : int
        Hidden nodes of a network; 0 for a linear ranker.
    valid : Examples, optional
        Held-out pairs of sentences, for early stopping.
    nonnegative : sequence of int, optional
        The signs of the profile, as for :func:`fit_linear`.
    plan : Plan, optional
        400 steps of Adam at a rate of 0.02 by default.
    threads : int, optional
    """
    return _fit(
        "corpus", examples, systems, 1.0, hidden, valid, nonnegative, plan, threads
    )


def fit_joint(
    examples: Examples,
    systems: SystemPairs,
    *,
    mix: float = 0.5,
    hidden: int = 0,
    valid: Examples | None = None,
    nonnegative: Sequence[int] | None = None,
    plan: Plan | None = None,
    threads: int | None = None,
) -> Fit:
    """Return the ranker of least ½ (L_sent + L_corp), as BEER 3.0 has it.

    L_sent is the margin loss on values and its weighted mean over pairs; L_corp
    is that of :func:`fit_corpus`. Values are placed on the sigmoid as
    :func:`~tertium.learn.objectives.descent.search` describes.

    Parameters
    ----------
    examples : Examples
    systems : SystemPairs
        Rows of the features of `examples`.
    mix : float
        The share of L_corp; A11 takes the mean of both.
    hidden : int
        Hidden nodes of a network; 0 for a linear ranker.
    valid : Examples, optional
        Held-out pairs of sentences, for early stopping.
    nonnegative : sequence of int, optional
        The signs of the profile, as for :func:`fit_linear`.
    plan : Plan, optional
        400 steps of Adam at a rate of 0.02 by default.
    threads : int, optional
    """
    return _fit(
        "joint", examples, systems, mix, hidden, valid, nonnegative, plan, threads
    )


def _fit(
    objective: str,
    examples: Examples,
    systems: SystemPairs,
    mix: float,
    hidden: int,
    valid: Examples | None,
    nonnegative: Sequence[int] | None,
    plan: Plan | None,
    threads: int | None,
) -> Fit:
    if not len(systems):
        raise InputError(
            "no pair of systems to learn from; give at least two systems that judges "
            "told apart"
        )
    if hidden < 0:
        raise InputError(f"{hidden} hidden nodes; give 0 for a linear ranker, or more")
    features = examples.features.shape[1]
    form: Form = (
        NetworkForm(features, hidden, threads=threads)
        if hidden
        else LinearForm(features, threads=threads)
    )
    joint = objective == "joint"
    parameters, means, record = search(
        form,
        examples.features,
        plan or Plan(),
        examples=examples if joint else None,
        corpora=Corpora(systems, len(examples.features)),
        mix=mix,
        valid=valid,
        nonnegative=nonnegative,
    )
    facts: dict[str, object] = {
        "learner": objective,
        "hidden": hidden,
        "pairs": len(examples) if joint else 0,
        "system_pairs": len(systems),
        "mix": mix,
    }
    return Fit(form.ranker(parameters, means), facts | record)
