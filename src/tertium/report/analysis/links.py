# SPDX-License-Identifier: Apache-2.0
"""Links between words as one character per word, which compresses well."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

__all__ = ["link_lines"]

_UNLINKED = 0x21
_LINKED = 0x23  # the word after the one that the last linked word is linked with
_LAST = 0xD7FF  # the last character before the surrogates


def link_lines(links: Sequence[np.ndarray]) -> str:
    """Return links as one character per word, line by line.

    A word that continues where the last linked one ended is the most frequent and the
    first character; steps in either direction alternate from there.
    """
    sizes = np.array([len(each) for each in links])
    flat = np.concatenate([*links, np.zeros(0, np.int32)]).astype(np.int64)
    begins = np.repeat(np.cumsum(sizes) - sizes, sizes)
    linked = flat >= 0
    # Of every word, the last linked word before it in its segment.
    last = np.maximum.accumulate(np.where(linked, np.arange(len(flat)), -1))
    before = np.concatenate([[-1], last[:-1]]) if len(flat) else last
    known = before >= begins
    step = flat - np.where(known, flat[before] + 1, 0)
    codes = _LINKED + np.where(step >= 0, 2 * step, -2 * step - 1)
    codes = np.where(linked & (codes <= _LAST), codes, _UNLINKED)
    lines = np.insert(codes, np.cumsum(sizes)[:-1], ord("\n")) if len(sizes) else codes
    return lines.astype("<u4").tobytes().decode("utf-32-le")
