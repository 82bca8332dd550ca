# SPDX-License-Identifier: Apache-2.0
"""The reordering grammar: a latent-variable grammar of permutation trees.

It is learnt from sentences and word links alone (Stanojević 2017, chapter 3).
"""

from __future__ import annotations

from tertium._lazy import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tertium.preorder.grammar.alternatives import Alternatives, combine_links
    from tertium.preorder.grammar.exchange import read_text, write_text
    from tertium.preorder.grammar.model import Grammar
    from tertium.preorder.grammar.operators import OPERATORS, VARIANTS, Operator
    from tertium.preorder.grammar.terminals import UNKNOWN, Lexicon
    from tertium.preorder.grammar.training import (
        GrammarSettings,
        Iteration,
        train_grammar,
    )

__all__ = [
    "OPERATORS",
    "UNKNOWN",
    "VARIANTS",
    "Alternatives",
    "Grammar",
    "GrammarSettings",
    "Iteration",
    "Lexicon",
    "Operator",
    "combine_links",
    "read_text",
    "train_grammar",
    "write_text",
]

__getattr__, __dir__ = lazy(
    __name__,
    {
        ".alternatives": ["Alternatives", "combine_links"],
        ".exchange": ["read_text", "write_text"],
        ".model": ["Grammar"],
        ".operators": ["OPERATORS", "VARIANTS", "Operator"],
        ".terminals": ["UNKNOWN", "Lexicon"],
        ".training": ["GrammarSettings", "Iteration", "train_grammar"],
    },
)
