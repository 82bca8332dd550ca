# SPDX-License-Identifier: Apache-2.0
"""Ids that tell all segments of a test set apart."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["full_ids"]


def full_ids(ids: Sequence[str], docs: Sequence[str] | None) -> Sequence[str]:
    """Return the ids, or ``DOCUMENT/ID`` where they start anew in every document.

    Examples
    --------
    >>> full_ids(["1", "2"], ["a", "b"])
    ['1', '2']
    >>> full_ids(["1", "1"], ["a", "b"])
    ['a/1', 'b/1']
    """
    if docs is None or len(set(ids)) == len(ids):
        return ids
    return [f"{doc}/{own}" for doc, own in zip(docs, ids, strict=True)]
