# SPDX-License-Identifier: Apache-2.0
"""Work on chunks by a Dask cluster: one machine, SSH, SLURM, Kubernetes.

``places`` reads where a cluster is, ``session`` connects, ``flow`` sends chunks and
puts results in order, ``worker`` is what runs over there, and ``checkpoint`` keeps
finished chunks on disk. Results are those of one thread to the last bit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tertium._lazy import lazy

if TYPE_CHECKING:
    from tertium.cluster.checkpoint import Checkpointed
    from tertium.cluster.executor import Cluster

__all__ = ["Checkpointed", "Cluster"]

__getattr__, __dir__ = lazy(
    __name__, {".checkpoint": ("Checkpointed",), ".executor": ("Cluster",)}
)
