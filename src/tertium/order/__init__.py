# SPDX-License-Identifier: Apache-2.0
"""Permutations, permutation trees and permutation forests.

>>> from tertium.order import Permutation, PermutationForest, PermutationTree
>>> perm = Permutation.parse("2 4 5 6 1 3")
>>> str(PermutationTree.flat(perm))
'(2413 2 (12 4 5 6) 1 3)'
>>> PermutationForest(perm).count
2
"""

from __future__ import annotations

from tertium.order.files import permutation_testset
from tertium.order.forest import Entry, PermutationForest
from tertium.order.node import Node
from tertium.order.permutation import Permutation, Reduction, reduce_matches
from tertium.order.tree import PermutationTree

__all__ = [
    "Entry",
    "Node",
    "Permutation",
    "PermutationForest",
    "PermutationTree",
    "Reduction",
    "permutation_testset",
    "reduce_matches",
]
