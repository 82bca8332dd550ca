# SPDX-License-Identifier: Apache-2.0
"""Training of any preordering model from sentences and word links."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, TypeAlias

from tertium._seed import SEED
from tertium.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from tertium.align.links import Links
    from tertium.preorder.grammar.alternatives import Alternatives
    from tertium.preorder.model import Preorderer

    OnProgress: TypeAlias = Callable[[str, int, int | None], None]
    Trainer: TypeAlias = Callable[..., Preorderer]

__all__ = ["DEFAULT_MODEL", "MODELS", "model_settings", "train"]

MODELS = ("btg", "grammar", "combined")
#: Nearly as accurate as a combination, and much faster.
DEFAULT_MODEL = "btg"

#: The sentences that a combination fits its weights to: every so many-th.
_HELD_OUT = 40

_COMMON = {"sentences", "links", "seed", "threads", "progress", "checkpoint"}


def train(
    sentences: Sequence[Sequence[str]],
    links: Sequence[Links] | Sequence[Alternatives],
    *,
    model: str = DEFAULT_MODEL,
    seed: int = SEED,
    threads: int | None = None,
    progress: OnProgress | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    **settings: object,
) -> Preorderer:
    """Learn to reorder from sentences and word links.

    Parameters
    ----------
    sentences : sequence of sequences of str
        The words of each source sentence.
    links : sequence of Links, or of Alternatives
        (source, target), words counted from 0. Grammars also learn from alternatives
        (:class:`tertium.preorder.grammar.Alternatives`).
    model : {"btg", "grammar", "combined"}
        A discriminative bracketing transduction grammar, with the settings of
        :class:`tertium.preorder.btg.training.BtgSettings`; a latent-variable grammar of
        permutation trees (:func:`tertium.preorder.parsing.ensemble.train_grammars`); or
        both (:func:`tertium.preorder.combination.train_combined`).
    seed : int
    threads : int, optional
        All processors by default; the model does not depend on it.
    progress : callable, optional
        Called with what is counted, how many are done, and of how many.
    checkpoint : str or path, optional
        A file with the state after every iteration. Training that was stopped
        continues from it and returns the same model.
    **settings
        Of the model, as its class or function has them; those of its members for a
        combination.

    Raises
    ------
    InputError
        If a setting is unknown or invalid, or links do not fit the sentences.

    Examples
    --------
    >>> from tertium.align.pharaoh import parse_pharaoh
    >>> sentences = ["she reads books".split(), "he reads".split()] * 8
    >>> links = [parse_pharaoh("0-0 1-2 2-1"), parse_pharaoh("0-0 1-1")] * 8
    >>> settings = {"splits": (2, 1), "unknown": 0, "restarts": 1}
    >>> learnt = train(sentences, links, model="grammar", **settings)
    >>> learnt.apply(["he reads books".split()])[0].order
    (0, 2, 1)
    """
    trainer, chosen = _trainer(model), settings
    if model != "grammar":
        _check_links(links)
    if model == "combined":
        # A small text, too, keeps sentences to fit weights to.
        few = max(2, min(_HELD_OUT, len(sentences) // 5))
        chosen = _distributed({"held_out": few, **settings})
    _check_settings(model, settings)
    return trainer(
        sentences,
        links,
        seed=seed,
        threads=threads,
        progress=progress,
        checkpoint=checkpoint,
        **chosen,
    )


def model_settings(model: str) -> set[str]:
    """Return the names of a model's settings.

    Examples
    --------
    >>> "variant" in model_settings("grammar"), "variant" in model_settings("btg")
    (True, False)
    """
    names = {*inspect.signature(_trainer(model)).parameters} - _COMMON
    if model == "btg":
        from tertium.preorder.btg.training import BtgSettings

        names |= {setting.name for setting in fields(BtgSettings)} - _COMMON
    if model == "grammar":
        from tertium.preorder.grammar import train_grammar

        names |= {*inspect.signature(train_grammar).parameters} - _COMMON
    if model == "combined":
        names |= model_settings("btg") | model_settings("grammar")
    return names - {"settings"}


def _check_links(links: Sequence[object]) -> None:
    from tertium.preorder.grammar.alternatives import Alternatives

    if any(isinstance(item, Alternatives) for item in links):
        raise InputError(
            "only the model grammar learns from alternative links; choose it, or give "
            "one alternative",
            options=("links",),
        )


def _check_settings(model: str, settings: Mapping[str, object]) -> None:
    known = model_settings(model)
    for name in settings:
        if name not in known:
            raise InputError(
                f"the model {model} has no setting {name!r}; it has "
                f"{', '.join(sorted(known))}",
                options=(name,),
            )


def _distributed(settings: Mapping[str, object]) -> dict[str, object]:
    """Return the settings of a combination, with those of its members."""
    mine = {*inspect.signature(_trainer("combined")).parameters}
    members = {
        kind: {
            name: value
            for name, value in settings.items()
            if name not in mine and name in model_settings(kind)
        }
        for kind in ("btg", "grammar")
    }
    rest = {name: value for name, value in settings.items() if name in mine}
    return {**rest, "settings": members}


def _trainer(model: str) -> Trainer:
    if model not in MODELS:
        raise UnknownNameError("model", model, MODELS)
    if model == "btg":
        from tertium.preorder.btg.training import train_btg

        return train_btg
    if model == "combined":
        from tertium.preorder.combination import train_combined

        return train_combined
    from tertium.preorder.parsing.ensemble import train_grammars

    return train_grammars
