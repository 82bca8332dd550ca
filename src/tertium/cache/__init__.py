# SPDX-License-Identifier: Apache-2.0
"""Results on disk, found again by what they were computed from.

Statistics of segments, features and links are kept in a :class:`Cache`, a folder that
may be deleted at any time. A result is found by a hash of all that it depends on:
texts with their layers, the metric with all its settings, the code that computes, and
the content of every resource that is read. What was damaged is computed again.
"""

from __future__ import annotations

from tertium._lazy import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tertium.cache.blocks import cached_rows
    from tertium.cache.keys import NoKeyError, digest, segment_digests
    from tertium.cache.places import default_folder, is_off, named_folder, using
    from tertium.cache.store import Cache, Usage, named_cache

__all__ = [
    "Cache",
    "NoKeyError",
    "Usage",
    "cached_rows",
    "default_folder",
    "digest",
    "is_off",
    "named_cache",
    "named_folder",
    "segment_digests",
    "using",
]

__getattr__, __dir__ = lazy(
    __name__,
    {
        ".blocks": ("cached_rows",),
        ".keys": ("NoKeyError", "digest", "segment_digests"),
        ".places": ("default_folder", "is_off", "named_folder", "using"),
        ".store": ("Cache", "Usage", "named_cache"),
    },
)
