# SPDX-License-Identifier: Apache-2.0
"""A client of Dask that leaves less behind."""

from __future__ import annotations

from typing import Any

from distributed import Client

__all__ = ["Connection"]


class Connection(Client):  # type: ignore[misc]  # which has no types
    """A client whose tasks the scheduler keeps no notes on.

    For every task that is submitted, the scheduler would note for ever that the client
    calls it a future.
    """

    def _graph_to_futures(self, *arguments: Any, **options: Any) -> Any:
        if "span_metadata" in options:
            options["span_metadata"] = {}
        return super()._graph_to_futures(*arguments, **options)
