# SPDX-License-Identifier: Apache-2.0
"""Templates of notes on clusters."""

from __future__ import annotations

__all__ = ["CLUSTER"]

#: English templates by code.
CLUSTER = {
    "cluster-queued": "no job of the cluster has started yet; waiting for the queue "
    "(a job that failed says why in the folder log_directory)",
}
