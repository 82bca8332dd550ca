# SPDX-License-Identifier: Apache-2.0
"""Training of any preordering model from sentences and word links."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from tertium._seed import SEED
from tertium.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from tertium.align.links import Links
    from tertium.preorder.model import Preorderer

    OnProgress: TypeAlias = Callable[[str, int, int | None], None]
    Trainer: TypeAlias = Callable[..., Preorderer]

__all__ = ["DEFAULT_MODEL", "MODELS", "model_settings", "train"]

MODELS = ("btg", "grammar")
#: The most accurate one.
DEFAULT_MODEL = "btg"

_COMMON = {"sentences", "links", "seed", "threads", "progress", "checkpoint"}


def train(
    sentences: Sequence[Sequence[str]],
    links: Sequence[Links],
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
    links : sequence of Links
        (source, target), words counted from 0.
    model : {"btg", "grammar"}
        A discriminative bracketing transduction grammar
        (:func:`tertium.preorder.btg.training.train_btg`), or a latent-variable grammar
        of permutation trees
        (:func:`tertium.preorder.parsing.ensemble.train_grammars`).
    seed : int
    threads : int, optional
        All processors by default; the model does not depend on it.
    progress : callable, optional
        Called with what is counted, how many are done, and of how many.
    checkpoint : str or path, optional
        A file with the state after every iteration. Training that was stopped
        continues from it and returns the same model.
    **settings
        Of the model, as its function has them.

    Raises
    ------
    InputError
        If a setting is unknown or invalid, or links do not fit the sentences.

    Examples
    --------
    >>> from tertium.align.pharaoh import parse_pharaoh
    >>> sentences = ["she reads books".split(), "he reads".split()] * 8
    >>> links = [parse_pharaoh("0-0 1-2 2-1"), parse_pharaoh("0-0 1-1")] * 8
    >>> learnt = train(sentences, links, model="grammar", splits=(2, 1), unknown=0)
    >>> learnt.apply(["he reads books".split()])[0].order
    (0, 2, 1)
    """
    known = model_settings(model)
    for name in settings:
        if name not in known:
            raise InputError(
                f"the model {model} has no setting {name!r}; it has "
                f"{', '.join(sorted(known))}",
                options=(name,),
            )
    return _trainer(model)(
        sentences,
        links,
        seed=seed,
        threads=threads,
        progress=progress,
        checkpoint=checkpoint,
        **settings,
    )


def model_settings(model: str) -> set[str]:
    """Return the names of a model's settings.

    Examples
    --------
    >>> "variant" in model_settings("grammar")
    True
    """
    names = {*inspect.signature(_trainer(model)).parameters}
    if model == "grammar":  # passes its settings on
        from tertium.preorder.grammar import train_grammar

        names = (names - {"settings"}) | {*inspect.signature(train_grammar).parameters}
    return names - _COMMON


def _trainer(model: str) -> Trainer:
    if model not in MODELS:
        raise UnknownNameError("model", model, MODELS)
    if model == "btg":
        from tertium.preorder.btg.training import train_btg

        return train_btg
    from tertium.preorder.parsing.ensemble import train_grammars

    return train_grammars
