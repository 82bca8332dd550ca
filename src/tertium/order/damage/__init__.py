# SPDX-License-Identifier: Apache-2.0
"""Sentences damaged on purpose, with a known kind and degree of damage.

McCaffery 2017, 6.2.3: words are moved (`order`), exchanged (`swap`), moved as phrases
(`phrase`) or replaced (`choice`), so that annotators and metrics can be tested on
errors of known size. `both` is `choice` followed by `order` (6.4).

>>> from tertium.order.damage import Source, permute
>>> made = permute(Source.parse("The cat sat on the mat."), "order", 2, seed=1)
>>> made.text
'cat sat The the on mat.'
>>> made.permutation, [edit.op for edit in made.edits]
(Permutation(2 3 1 5 4 6), ['move', 'move'])
"""

from __future__ import annotations

from tertium.order.damage.edits import Edit, replay
from tertium.order.damage.files import (
    PermutedFile,
    PermutedStream,
    permute_file,
    stream_permuted,
)
from tertium.order.damage.generate import (
    DEGREES,
    KINDS,
    Permuted,
    generate,
    permute,
)
from tertium.order.damage.truecase import Truecaser
from tertium.order.damage.words import PUNCTUATION, Source, Word, split_tokens

__all__ = [
    "DEGREES",
    "KINDS",
    "PUNCTUATION",
    "Edit",
    "Permuted",
    "PermutedFile",
    "PermutedStream",
    "Source",
    "Truecaser",
    "Word",
    "generate",
    "permute",
    "permute_file",
    "replay",
    "split_tokens",
    "stream_permuted",
]
