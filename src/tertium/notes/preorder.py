# SPDX-License-Identifier: Apache-2.0
"""Templates of notes on preordering."""

from __future__ import annotations

__all__ = ["PREORDER"]

#: English templates by code.
PREORDER = {
    "preorder-no-parse": (
        "%(count)s sentence has no parse (%(ways)s)",
        "%(count)s sentences have no parse (%(ways)s)",
    ),
    "preorder-doubtful": (
        "%(count)s sentence kept the source order: the model was not sure enough",
        "%(count)s sentences kept the source order: the model was not sure enough",
    ),
}
