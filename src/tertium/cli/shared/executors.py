# SPDX-License-Identifier: Apache-2.0
"""Where a verb works: in this process, or on the cluster that the user names."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tertium.cli.shared.values import OnCluster, Place

__all__ = ["threads_of", "working", "working_at"]


def working(options: Place) -> AbstractContextManager[None]:
    """Do all chunks inside the block where `--cluster` and `--checkpoint` say."""
    return working_at(options, options.checkpoint)


@contextmanager
def working_at(options: OnCluster, checkpoint: str | None = None) -> Iterator[None]:
    """Do all chunks inside the block on a cluster, and keep them in a folder."""
    cluster = options.cluster
    if cluster is None and checkpoint is None:
        yield
        return
    from tertium._executor import Executor, use

    with ExitStack() as stack:
        executor: Executor | None = None
        workers: AbstractContextManager[object] | None = None
        if cluster is not None:
            import logging

            from tertium.cli.shared.remarks import remark_note
            from tertium.cluster import Cluster

            # Dask leaves tasks behind when it is interrupted, of which asyncio tells.
            logging.getLogger("asyncio").setLevel(logging.CRITICAL)
            listener = partial(remark_note, options)
            executor = workers = Cluster(cluster, on_note=listener)
        if checkpoint is not None:
            from tertium.cluster import Checkpointed

            executor = Checkpointed(checkpoint, executor)
        if workers is not None:  # Started last: all else can be wrong sooner.
            stack.enter_context(workers)
        stack.enter_context(use(executor))
        yield


def threads_of(options: OnCluster, threads: int | None) -> int | None:
    """Return how many threads work on a chunk: one on a cluster, unless the user says.

    A cluster has as many chunks under way as it has threads.
    """
    return 1 if threads is None and options.cluster is not None else threads
