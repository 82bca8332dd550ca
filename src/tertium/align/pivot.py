# SPDX-License-Identifier: Apache-2.0
"""Links through a pivot: output and reference, each aligned with the source.

Two words are linked if a word of the source is linked with both. The weight of such
a path is the product of its two links, as if they were independent.
"""

from __future__ import annotations

from collections.abc import Sequence

from tertium.align.links import Link, Links
from tertium.errors import InputError, UnknownNameError

__all__ = ["COMBINE", "compose", "compose_all"]

COMBINE = ("max", "sum")


def compose(src_hyp: Links, src_ref: Links, *, combine: str = "max") -> Links:
    """Return the links between output and reference that go through the source.

    Parameters
    ----------
    src_hyp, src_ref : Links
        Both with the source first.
    combine : str
        The weight of a link with several paths: that of the best path (``max``,
        which stays a probability), or the ``sum`` over them, as in a marginal
        probability; sums may exceed 1 where the weights of a source word do.

    Returns
    -------
    Links
        With the output first. A link is sure if both links of one path are. Words
        may have several links; :func:`reduce_links` chooses.

    Examples
    --------
    >>> from tertium.align import as_links
    >>> compose(as_links([(0, 1, 0.5)]), as_links([(0, 0, 0.5), (1, 1)]))
    (Link(hyp=1, ref=0, weight=0.25, sure=True),)
    """
    if combine not in COMBINE:
        raise UnknownNameError("way to combine paths", combine, COMBINE)
    by_source: dict[int, list[Link]] = {}
    for link in src_ref:
        by_source.setdefault(link.hyp, []).append(link)
    links: dict[tuple[int, int], Link] = {}
    for source, hyp, weight, sure in src_hyp:
        for _, ref, other, other_sure in by_source.get(source, ()):
            path = weight * other
            both = sure and other_sure
            if known := links.get((hyp, ref)):
                before = known.weight
                path = max(before, path) if combine == "max" else before + path
                both = both or known.sure
            links[hyp, ref] = Link(hyp, ref, path, both)
    return tuple(links[key] for key in sorted(links))


def compose_all(
    src_hyp: Sequence[Links], src_ref: Sequence[Links], *, combine: str = "max"
) -> list[Links]:
    """Return the composed links of each segment; see :func:`compose`."""
    if len(src_hyp) != len(src_ref):
        raise InputError(
            f"links of source and output have {len(src_hyp)} segments, those of source "
            f"and reference {len(src_ref)}; give links of the same segments"
        )
    return [
        compose(hyp, ref, combine=combine)
        for hyp, ref in zip(src_hyp, src_ref, strict=True)
    ]
