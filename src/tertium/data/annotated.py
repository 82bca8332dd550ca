# SPDX-License-Identifier: Apache-2.0
"""Texts that carry layers: trees, links, permutations, reference sets.

A layer that a user has as a file travels with its text, so that nothing can get out
of step, and every function that takes texts takes these.
"""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["Annotated", "layer"]


class Annotated(str):
    """A text with layers by name.

    Parameters
    ----------
    text : str
    layers : mapping of str to object
        ``tree``: the :class:`tertium.trees.DependencyTree` of the text;
        ``parses``: several of them with probabilities, as
        :data:`tertium.trees.parses.Parses`; ``tree`` is the first;
        ``parser``: the parser that made it, if the file names it;
        ``links``: of an output, one list of links per reference, even for one;
        ``sure``: present if links that are only possible were ignored;
        ``permutation``: of an output, the order of its words;
        ``automaton``: of a reference, the reference set beside it;
        ``stand-in``: present if the text was only taken from that set;
        ``segment``: of a reference, the name of its segment.

    Examples
    --------
    >>> text = Annotated("b a", {"permutation": (2, 1)})
    >>> text.split(), layer(text, "permutation"), layer("b a", "permutation")
    (['b', 'a'], (2, 1), None)
    """

    __slots__ = ("layers",)
    layers: Mapping[str, object]

    def __new__(cls, text: str, layers: Mapping[str, object]) -> Annotated:
        """Return the text with its layers."""
        self = super().__new__(cls, text)
        self.layers = layers
        return self

    def __getnewargs__(self) -> tuple[str, Mapping[str, object]]:  # type: ignore[override]
        return str(self), self.layers


def layer(text: str, name: str) -> object | None:
    """Return a layer that the text carries, or None."""
    return text.layers.get(name) if isinstance(text, Annotated) else None
