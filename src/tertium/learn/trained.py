# SPDX-License-Identifier: Apache-2.0
"""The result of training: a model, and how well it does on held-out segments."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from tertium._version import __version__
from tertium.engine.base import Result
from tertium.errors import InputError
from tertium.learn.model import Model
from tertium.learn.validation import Agreement, summary

if TYPE_CHECKING:
    from tertium.notes import Note

__all__ = ["Trained", "validation_figures"]

_KEYS = ("pairs", "tau", "accuracy")


@dataclass(frozen=True, repr=False)
class Trained(Result):
    """A trained metric, or models compared by cross-validation.

    Parameters
    ----------
    profile : str
        The name of the profile.
    model : Model, optional
        None after cross-validation.
    figures : tuple of Agreement
        One per metric and source that was held out; the model is called ``trained``.
    left_out : {"language", "year"}, optional
        What cross-validation left out in turn.
    notes : tuple of Note
        What was left out when test sets and judgements were read.
    """

    profile: str
    model: Model | None
    figures: tuple[Agreement, ...]
    left_out: str | None = None
    notes: tuple[Note, ...] = ()

    @property
    def validation(self) -> dict[str, object]:
        """The figures as plain data, metric to source to values."""
        return summary(self.figures)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model file, for ``beer:model=PATH``.

        Raises
        ------
        InputError
            After cross-validation, which keeps no model.
        """
        if self.model is None:
            raise InputError("cross-validation keeps no model; train without it")
        self.model.save(path)

    def to_dict(self) -> dict[str, Any]:
        """Return plain dictionaries, lists, texts and numbers."""
        out: dict[str, Any] = {"tertium": __version__, "profile": self.profile}
        if self.model is None:
            out["left_out"] = self.left_out
        else:
            out["training"] = self.model.training
        return out | {"validation": self.validation}

    def _records(self) -> list[dict[str, Any]]:
        return [asdict(each) for each in self.figures]

    def __repr__(self) -> str:
        what = f"cross-validated by {self.left_out}" if self.left_out else "trained"
        sources = len({each.source for each in self.figures})
        return f"<{what} {self.profile}, validated on {sources} held-out sources>"


def validation_figures(validation: Mapping[str, object]) -> list[Agreement]:
    """Return the figures in a model file; those in another form are left out."""
    figures = []
    for metric, sources in validation.items():
        for source, values in sources.items() if isinstance(sources, Mapping) else ():
            if not isinstance(values, Mapping):
                continue
            pairs, tau, accuracy = (values.get(key) for key in _KEYS)
            if (
                isinstance(pairs, int)
                and isinstance(tau, float | int)
                and isinstance(accuracy, float | int)
            ):
                figures.append(Agreement(str(source), metric, pairs, tau, accuracy))
    return figures
