# SPDX-License-Identifier: Apache-2.0
"""Preordering: words of a source sentence in the order of its translation.

Models learn from sentences and word links alone; :func:`load` reads any of them.

>>> from tertium.preorder import Reordering
>>> Reordering((0, 2, 1)).reorder("she reads books".split())
['she', 'books', 'reads']
"""

from __future__ import annotations

from tertium._lazy import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tertium.preorder.model import Preorderer, Reordering, load

__all__ = ["Preorderer", "Reordering", "load"]

__getattr__, __dir__ = lazy(__name__, {".model": ["Preorderer", "Reordering", "load"]})
