# SPDX-License-Identifier: Apache-2.0
"""Documents as one text each."""

from __future__ import annotations

from collections.abc import Sequence

from tertium.data.segmentation.units import join_lines
from tertium.data.testset import Testset

__all__ = ["joined", "joined_documents"]


def joined_documents(testset: Testset) -> Testset:
    """Return a test set with one segment per document.

    Texts are joined by a space; by nothing between characters of scripts without
    spaces. Where segments have different numbers of references, the first ones that
    all segments of a document have are used. Layers are left out.

    Raises
    ------
    InputError
        If the test set has no document ids.

    Examples
    --------
    >>> parts = Testset.build(["a b", "c", "d"], {"A": ["a", "", "e"]}, docs=[*"xxy"])
    >>> whole = joined_documents(parts)
    >>> whole.references, whole.systems, whole.ids
    ([('a b c',), ('d',)], {'A': ['a', 'e']}, ['x', 'y'])
    """
    groups = testset.documents()
    members = list(groups.values())

    def join(column: Sequence[str]) -> list[str]:
        return [joined([column[k] for k in group]) for group in members]

    references = [
        tuple(
            joined(texts)
            # Deliberately not strict: the fewest references count.
            for texts in zip(*(testset.references[k] for k in group), strict=False)
        )
        for group in members
    ]
    names = list(groups)
    return Testset(
        references,
        {name: join(texts) for name, texts in testset.systems.items()},
        sources=None if testset.sources is None else join(testset.sources),
        docs=names,
        ids=list(names),
        langpair=testset.langpair,
    )


def joined(texts: Sequence[str]) -> str:
    """Return texts as one line."""
    return join_lines("\n".join(text for text in texts if text.strip()))
