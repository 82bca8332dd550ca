# SPDX-License-Identifier: Apache-2.0
"""Networks from pairs: RankNet and the margin network."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tertium.errors import InputError, UnknownNameError
from tertium.learn.objectives.descent import Plan, search
from tertium.learn.objectives.forms import NetworkForm
from tertium.learn.objectives.linear import Fit

if TYPE_CHECKING:
    from tertium.learn.examples import Examples
    from tertium.learn.rankers import Network

__all__ = ["NETWORK_LOSSES", "fit_network"]

#: By name, with the loss of pairs that each stands for.
NETWORK_LOSSES = {"ranknet": "logistic", "margin": "margin"}


def fit_network(
    examples: Examples,
    *,
    loss: str = "ranknet",
    hidden: int = 15,
    valid: Examples | None = None,
    nonnegative: Sequence[int] | None = None,
    plan: Plan | None = None,
    threads: int | None = None,
) -> Fit:
    """Return a network with one hidden layer.

    Parameters
    ----------
    examples : Examples
    loss : str
        ``ranknet``: log(1 + e^-Δ); ``margin``: max(0, 1 - Δ). Margins alone are
        sometimes worse, the thesis says.
    hidden : int
        Hidden nodes.
    valid : Examples, optional
        Held-out pairs. A search ends when their tau stops rising, and the restart of
        the highest tau wins; without them the one of the lowest loss does.
    nonnegative : sequence of int, optional
        The signs of the profile: every node then pushes every feature that way only,
        so that no text can beat an exact copy.
    plan : Plan, optional
        Three restarts of up to 300 steps by default.
    threads : int, optional
    """
    if loss not in NETWORK_LOSSES:
        raise UnknownNameError("loss of a network", loss, NETWORK_LOSSES)
    if hidden < 1:
        raise InputError(f"{hidden} hidden nodes; give 1 or more")
    descent = plan or Plan(steps=300, restarts=3)
    form = NetworkForm(examples.features.shape[1], hidden, threads=threads)
    parameters, means, record = search(
        form,
        examples.features,
        descent,
        examples=examples,
        loss=NETWORK_LOSSES[loss],
        valid=valid,
        nonnegative=nonnegative,
    )
    ranker = _centred(form.ranker(parameters, means), examples)
    facts: dict[str, object] = {
        "learner": loss,
        "hidden": hidden,
        "pairs": len(examples),
    }
    return Fit(ranker, facts | record)


def _centred(ranker: Network, examples: Examples) -> Network:
    """Return the network whose mean value over the candidates is 0."""
    mean = float(ranker.raw(examples.features).mean())
    return replace(ranker, bias=ranker.bias - mean)
