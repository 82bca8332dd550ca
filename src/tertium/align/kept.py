# SPDX-License-Identifier: Apache-2.0
"""Links of the built-in bilingual aligner, kept: learning them takes long.

They depend on all sentence pairs together, so they are one entry of the cache.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from tertium.align.links import Link
from tertium.cache.fingerprints import code_fingerprint
from tertium.cache.keys import digest, text_digest
from tertium.cache.store import default_cache

if TYPE_CHECKING:
    from tertium.align.links import Links

__all__ = ["kept_links"]

_KIND = "links"


def kept_links(
    sources: Sequence[str],
    targets: Sequence[str],
    settings: Sequence[object],
    align: Callable[[], list[Links]],
) -> list[Links]:
    """Return links from the cache of slow layers, or make them and keep them.

    Parameters
    ----------
    sources, targets : sequence of str
        Sentence pairs.
    settings : sequence
        All that links depend on besides these.
    align : callable
    """
    cache = default_cache()
    if cache is None:
        return align()
    key = digest(
        code_fingerprint(), list(settings), text_digest(sources), text_digest(targets)
    )
    value = cache.get(_KIND, key)
    if value is not None:
        known = _unpacked(value)
        if known is not None and len(known) == len(sources):
            return known
        cache.drop(_KIND, key)
    made = align()
    text = json.dumps([list(segment) for segment in made], separators=(",", ":"))
    cache.put(_KIND, key, zlib.compress(text.encode(), 1))
    return made


def _unpacked(value: bytes) -> list[Links] | None:
    """Return the links of an entry, None if it holds something else."""
    try:
        segments = json.loads(zlib.decompress(value))
        return [tuple(Link(*link) for link in segment) for segment in segments]
    except (zlib.error, ValueError, TypeError, RecursionError):
        return None
