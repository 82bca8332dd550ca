# SPDX-License-Identifier: Apache-2.0
"""Remarks of the library as data, rendered where a person reads them.

A note is a code with values. Its English text is a template in the module of the room
that writes it, such as :mod:`tertium.notes.judgements`. ``str(note)`` is English; the
annotation server looks the template up in its translations and fills in the values.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from tertium.notes.data import DATA
from tertium.notes.engine import ENGINE
from tertium.notes.judgements import JUDGEMENTS
from tertium.notes.meta import META

__all__ = ["Note", "templates"]


@dataclass(frozen=True)
class Note:
    """One remark on a result.

    Examples
    --------
    >>> note = Note("ties-only")
    >>> str(note)
    'calls everything a tie'
    """

    code: str
    values: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        templates()[self.code] % self.values  # an unknown code or value fails here

    @property
    def template(self) -> str:
        """The English text with places for values, in the notation of ``%``."""
        return templates()[self.code]

    def __str__(self) -> str:
        return self.template % self.values


@cache
def templates() -> Mapping[str, str]:
    """Return the English templates of all notes by code."""
    return {**DATA, **ENGINE, **JUDGEMENTS, **META}
