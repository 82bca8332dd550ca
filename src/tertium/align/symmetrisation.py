# SPDX-License-Identifier: Apache-2.0
"""One alignment from two directions (Och and Ney 2003; Koehn et al. 2005).

Aligners such as the IBM models link each word of one side with at most one word of
the other, so two runs, one in each direction, find different links. Their intersection
is precise, their union complete; the heuristics between them start with the
intersection and grow into the union. Growing depends on the order in which links are
visited. It is that of Koehn et al.: word by word of the target, then of the source,
including links that were just added; so results never vary.
"""

from __future__ import annotations

from collections.abc import Sequence

from tertium.align.links import Link, Links
from tertium.errors import InputError, UnknownNameError

__all__ = ["METHODS", "symmetrise", "symmetrise_all"]

METHODS = (
    "intersection",
    "union",
    "grow",
    "grow-diag",
    "grow-diag-final",
    "grow-diag-final-and",
    "forward",
    "backward",
)

_Point = tuple[int, int]

# Steps of (target, source): direct, then diagonal neighbours.
_BESIDE = ((-1, 0), (0, -1), (1, 0), (0, 1))
_CORNERS = ((-1, -1), (-1, 1), (1, -1), (1, 1))


def symmetrise(
    forward: Links, backward: Links, *, method: str = "grow-diag-final-and"
) -> Links:
    """Return the links of both directions as one alignment.

    Parameters
    ----------
    forward, backward : Links
        Both as (source, target).
    method : str
        ``intersection`` or ``union``; ``grow`` adds links of the union that are
        adjacent to existing links, if one of the two words has none; ``grow-diag``
        includes diagonal neighbours; ``-final`` then adds links, first forward, then
        backward, if one of the words has none, ``-final-and`` if neither has one;
        ``forward`` and ``backward`` use one direction only.

    Returns
    -------
    Links
        A link found in both directions has the greater weight, and is sure if it is
        in one of them.

    Examples
    --------
    >>> from tertium.align import as_links
    >>> forward, backward = as_links([(0, 0), (1, 1)]), as_links([(0, 0), (2, 1)])
    >>> [(h, r) for h, r, *_ in symmetrise(forward, backward)]
    [(0, 0), (1, 1), (2, 1)]
    >>> [(h, r) for h, r, *_ in symmetrise(forward, backward, method="intersection")]
    [(0, 0)]
    """
    _check_method(method)
    ahead, back = _by_point(forward), _by_point(backward)
    if method == "forward":
        chosen = set(ahead)
    elif method == "backward":
        chosen = set(back)
    elif method == "union":
        chosen = ahead.keys() | back.keys()
    else:
        chosen = ahead.keys() & back.keys()
        if method != "intersection":
            _grow(chosen, ahead.keys() | back.keys(), corners=method != "grow")
        if method.endswith("-final"):
            _finish(chosen, ahead, both=False)
            _finish(chosen, back, both=False)
        elif method.endswith("-final-and"):
            _finish(chosen, ahead, both=True)
            _finish(chosen, back, both=True)
    joined = []
    for point in chosen:
        links = [side[point] for side in (ahead, back) if point in side]
        weight = max(link.weight for link in links)
        sure = any(link.sure for link in links)
        joined.append(Link(point[1], point[0], weight, sure))
    return tuple(sorted(joined))


def symmetrise_all(
    forward: Sequence[Links],
    backward: Sequence[Links],
    *,
    method: str = "grow-diag-final-and",
) -> list[Links]:
    """Return the links of both directions as one alignment, for each segment."""
    _check_method(method)
    if len(forward) != len(backward):
        raise InputError(
            f"there are {len(forward)} segments forward and {len(backward)} backward; "
            "give the links of the same segments in both directions"
        )
    return [
        symmetrise(ahead, back, method=method)
        for ahead, back in zip(forward, backward, strict=True)
    ]


def _check_method(method: str) -> None:
    if method not in METHODS:
        raise UnknownNameError("way to symmetrise", method, METHODS)


def _by_point(links: Links) -> dict[_Point, Link]:
    return {(link.ref, link.hyp): link for link in links}


def _grow(chosen: set[_Point], union: set[_Point], *, corners: bool) -> None:
    # At worst one pass over the union per added link: quadratic in the links.
    steps = _BESIDE + _CORNERS if corners else _BESIDE
    targets, sources = {t for t, _ in chosen}, {s for _, s in chosen}
    order = sorted(union)
    added = True
    while added:
        added = False
        for target, source in order:
            if (target, source) not in chosen:
                continue
            for down, right in steps:
                near = (target + down, source + right)
                if near in chosen or near not in union:
                    continue
                if near[0] in targets and near[1] in sources:
                    continue
                chosen.add(near)
                targets.add(near[0])
                sources.add(near[1])
                added = True


def _finish(chosen: set[_Point], links: dict[_Point, Link], *, both: bool) -> None:
    targets, sources = {t for t, _ in chosen}, {s for _, s in chosen}
    for target, source in sorted(links):
        free = (target not in targets, source not in sources)
        if all(free) if both else any(free):
            chosen.add((target, source))
            targets.add(target)
            sources.add(source)
