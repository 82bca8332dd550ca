# SPDX-License-Identifier: Apache-2.0
"""Datasets larger than memory: a folder of shards with a manifest.

Shards are JSONL or Parquet files, or folders of plain text, perhaps compressed; each
can be read alone. ``manifest.json`` has the rows, size and SHA-256 of each. A folder is
read wherever a test set is; ``write_partitions`` makes one.
"""

from __future__ import annotations

from tertium._lazy import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tertium.data.partitions.manifest import Manifest, Shard, ShardFile
    from tertium.data.partitions.reading import Partitions, open_partitions
    from tertium.data.partitions.shards import ShardSlice, is_partitioned
    from tertium.data.partitions.writing import write_line_shards, write_partitions

__all__ = [
    "Manifest",
    "Partitions",
    "Shard",
    "ShardFile",
    "ShardSlice",
    "is_partitioned",
    "open_partitions",
    "write_line_shards",
    "write_partitions",
]

__getattr__, __dir__ = lazy(
    __name__,
    {
        ".manifest": ("Manifest", "Shard", "ShardFile"),
        ".reading": ("Partitions", "open_partitions"),
        ".shards": ("ShardSlice", "is_partitioned"),
        ".writing": ("write_line_shards", "write_partitions"),
    },
)
