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
    from tertium.preorder.baselines import baseline_orders, head_final_order
    from tertium.preorder.gold import Gold, gold_orders
    from tertium.preorder.measures import measure_orders
    from tertium.preorder.model import Preorderer, Reordering, load
    from tertium.preorder.results import OrderScores
    from tertium.preorder.scoring import score_orders
    from tertium.preorder.training import train

__all__ = [
    "Gold",
    "OrderScores",
    "Preorderer",
    "Reordering",
    "baseline_orders",
    "gold_orders",
    "head_final_order",
    "load",
    "measure_orders",
    "score_orders",
    "train",
]

__getattr__, __dir__ = lazy(
    __name__,
    {
        ".baselines": ["baseline_orders", "head_final_order"],
        ".gold": ["Gold", "gold_orders"],
        ".model": ["Preorderer", "Reordering", "load"],
        ".results": ["OrderScores"],
        ".measures": ["measure_orders"],
        ".scoring": ["score_orders"],
        ".training": ["train"],
    },
)
