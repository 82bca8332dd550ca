# SPDX-License-Identifier: Apache-2.0
"""Remarks of the library as data, rendered where a person reads them.

A note is a code with values. Its English text is a template in the module of the room
that writes it, such as :mod:`tertium.notes.judgements`. ``str(note)`` is English; the
annotation server looks the template up in its translations and fills in the values.

A template uses the notation of ``%``: ``%(share).0f`` formats a number, ``%(count)s``
writes an integer with separators (1,234) and a sequence of names with commas. A pair of
templates is a singular and a plural; the value ``count`` chooses between them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TypeAlias

__all__ = ["Note", "Template", "templates"]

#: A text, or its singular and its plural.
Template: TypeAlias = "str | tuple[str, str]"


@dataclass(frozen=True)
class Note:
    """One remark on a result.

    Parameters
    ----------
    code : str
        A key of :func:`templates`.
    values : mapping of str to object
        What the template names: numbers, texts, sequences of texts, other notes.

    Examples
    --------
    >>> str(Note("ties-only"))
    'calls everything a tie'
    >>> str(Note("z-no-judge", {"count": 1200}))
    'left out by z: 1,200 ratings have no judge'
    """

    code: str
    values: Mapping[str, object] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        str(self)  # an unknown code or value fails here

    @property
    def template(self) -> Template:
        """The English text with places for values."""
        return templates()[self.code]

    @property
    def count(self) -> int:
        """The number that chooses between singular and plural."""
        return int(str(self.values["count"]))

    def fill(self, text: str, render: Callable[[Note], str] = str) -> str:
        """Return a text, such as a translated template, with the values filled in.

        Parameters
        ----------
        text : str
        render : callable
            Renders the notes among the values.
        """
        return text % {name: _shown(x, render) for name, x in self.values.items()}

    def __str__(self) -> str:
        template = self.template
        if isinstance(template, tuple):
            template = template[self.count != 1]
        return self.fill(template)


class _Grouped(int):
    """An integer that is written with separators between thousands."""

    def __str__(self) -> str:
        return f"{int(self):,}"


def _shown(value: object, render: Callable[[Note], str]) -> object:
    if isinstance(value, Note):
        return render(value)
    if isinstance(value, int):
        return _Grouped(value)
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return value


@cache
def templates() -> Mapping[str, Template]:
    """Return the English templates of all notes by code."""
    from tertium.notes.analysis import ANALYSIS
    from tertium.notes.cache import CACHE
    from tertium.notes.campaigns import CAMPAIGNS
    from tertium.notes.cluster import CLUSTER
    from tertium.notes.data import DATA
    from tertium.notes.engine import ENGINE
    from tertium.notes.judgements import JUDGEMENTS
    from tertium.notes.learn import LEARN
    from tertium.notes.llm import LLM
    from tertium.notes.meta import META
    from tertium.notes.nbest import NBEST
    from tertium.notes.preorder import PREORDER
    from tertium.notes.tuning import TUNING

    return {
        **ANALYSIS, **CACHE, **CAMPAIGNS, **CLUSTER, **DATA, **ENGINE, **JUDGEMENTS,
        **LEARN, **LLM, **META, **NBEST, **PREORDER, **TUNING,
    }  # fmt: skip
