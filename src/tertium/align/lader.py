# SPDX-License-Identifier: Apache-2.0
"""Link files of the preorderer Lader (Neubig et al. 2012): ``5-4 ||| 0-0 1-3``.

The numbers of source and target words come first, then links as in Pharaoh's format.
"""

from __future__ import annotations

import re

from tertium._messages import quote
from tertium.align.links import Links, check_links
from tertium.align.pharaoh import parse_pharaoh
from tertium.errors import InputError

__all__ = ["is_lader", "parse_lader"]

_SIZES = re.compile(r"\s*([0-9]{1,9})-([0-9]{1,9})\s*")


def is_lader(line: str) -> bool:
    """Return whether a line is in Lader's format.

    Examples
    --------
    >>> is_lader("2-1 ||| 0-0"), is_lader("0-0 1-0")
    (True, False)
    """
    return "|||" in line


def parse_lader(line: str) -> tuple[int, int, Links]:
    """Return the numbers of source and target words, and the links of a line.

    Raises
    ------
    InputError
        If the line has no sizes, or a link is invalid or outside its text.

    Examples
    --------
    >>> parse_lader("2-1 ||| 1-0")
    (2, 1, (Link(hyp=1, ref=0, weight=1.0, sure=True),))
    """
    head, _, tail = line.partition("|||")
    sizes = _SIZES.fullmatch(head)
    if sizes is None:
        raise InputError(
            f"{quote(head.strip())} is not a pair of lengths; Lader's lines look like "
            "`5-4 ||| 0-0 1-3`: source words, target words, links"
        )
    source, target = int(sizes[1]), int(sizes[2])
    links = parse_pharaoh(tail)
    check_links(links, source, target)
    return source, target, links
