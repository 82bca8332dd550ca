# SPDX-License-Identifier: Apache-2.0
"""Where a model comes from and what moves its scores."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from tertium._version import __version__
from tertium.engine.base import Result
from tertium.errors import InputError
from tertium.learn.influence import GroupLoss, Influence, group_losses, influences
from tertium.learn.model import Model, load_model
from tertium.learn.resources import with_resources
from tertium.learn.trained import validation_figures
from tertium.learn.validation import Agreement

if TYPE_CHECKING:
    from tertium.data.testset import Testset

__all__ = ["ModelExplanation", "explain_model"]


@dataclass(frozen=True, repr=False)
class ModelExplanation(Result):
    """A model, its weights, and what its scores lose on some texts.

    Parameters
    ----------
    name : str
        The file, or the name of a model of the package.
    model : Model
    weights : tuple of Influence, optional
        Of linear models, the most influential first.
    losses : tuple of GroupLoss, optional
        One per system, if there are texts.
    """

    name: str
    model: Model
    weights: tuple[Influence, ...] | None = None
    losses: tuple[GroupLoss, ...] | None = None

    @property
    def figures(self) -> list[Agreement]:
        """What the model reached on held-out segments after training."""
        return validation_figures(self.model.validation)

    @property
    def groups(self) -> dict[str, float]:
        """The influence of every group of features, the most influential first."""
        groups: dict[str, float] = {}
        for each in self.weights or ():
            groups[each.group] = groups.get(each.group, 0.0) + each.influence
        return dict(sorted(groups.items(), key=lambda item: -item[1]))

    @property
    def scaling(self) -> str:
        """The kind of the scaler, by the name in the recipe."""
        kind = self.model.scaler.kind
        recipe = self.model.training.get("recipe")
        asked = recipe.get("scaling") if isinstance(recipe, Mapping) else None
        if asked in ("linear", "platt") and kind == "isotonic":
            return f"{asked}, bent at its low end"
        return kind

    @property
    def above_copy(self) -> tuple[int, int] | None:
        """How many texts have a higher raw value than a copy, and of how many.

        On these texts, or else on those that were probed in training; None where
        neither is known.
        """
        if self.losses is not None:
            return (
                sum(each.above_copy for each in self.losses),
                sum(each.texts for each in self.losses),
            )
        probe = self.model.training.get("probe")
        if not isinstance(probe, Mapping):
            return None
        counts = [probe.get(key) for key in ("above_copy", "texts")]
        above, texts = (each if isinstance(each, int) else 0 for each in counts)
        return above, texts

    def to_dict(self) -> dict[str, Any]:
        """Return plain dictionaries, lists, texts and numbers."""
        model = self.model
        out: dict[str, Any] = {
            "tertium": __version__,
            "model": self.name,
            "profile": model.profile.name,
            "licence": model.licence,
            "scaler": model.scaler.to_json(),
            "copy_is_best": model.copy_is_best,
            "training": model.training,
            "validation": model.validation,
        }
        if self.weights is not None:
            out["weights"] = [asdict(each) for each in self.weights]
        if self.losses is not None:
            out["systems"] = [asdict(each) for each in self.losses]
        return out

    def _records(self) -> list[dict[str, Any]]:
        return [asdict(each) for each in self.weights or ()]

    def __repr__(self) -> str:
        return f"<{self.name}: {self.model.profile.name}, {self.model.ranker.kind}>"


def explain_model(
    model: str | os.PathLike[str],
    testset: Testset | None = None,
    *,
    resource: Mapping[str, str] | None = None,
    threads: int | None = None,
) -> ModelExplanation:
    """Return where a model comes from and what moves its scores.

    Parameters
    ----------
    model : path
        As in :func:`tertium.learn.model.load_model`.
    testset : Testset, optional
        Texts to explain scores of; linear models only.
    resource : mapping of str to str, optional
        What features need, as in :func:`tertium.train`.
    threads : int, optional

    Raises
    ------
    InputError
        If the model cannot be read, or is not linear and there are texts.

    Examples
    --------
    >>> explanation = explain_model("beer-3.0")
    >>> explanation.weights[0].name, list(explanation.groups)[:2]
    ('char1.min', ['char', 'skip'])
    """
    name = os.fspath(model)
    loaded = load_model(model)
    profile = with_resources(loaded.profile, resource or {})
    loaded = replace(loaded, profile=profile)
    weights = influences(loaded)
    losses = None
    if testset is not None:
        if weights is None:
            message = (
                f"{name} has a {loaded.ranker.kind} ranker, whose features have no "
                "shares of a score; explain a linear model on texts"
            )
            raise InputError(message)
        losses = tuple(group_losses(loaded, testset, threads=threads))
    return ModelExplanation(
        name, loaded, None if weights is None else tuple(weights), losses
    )
