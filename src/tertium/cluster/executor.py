# SPDX-License-Identifier: Apache-2.0
"""A cluster as the place where chunks are done."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from types import TracebackType
from typing import TYPE_CHECKING, TypeVar, cast

from tertium.cluster.places import place
from tertium.cluster.session import connect, task_name

if TYPE_CHECKING:
    from tertium.cluster.session import OnNote, Session

__all__ = ["Cluster"]

_Chunk = TypeVar("_Chunk")
_Result = TypeVar("_Result")


class Cluster:
    """The workers of a Dask cluster (extra ``cluster``).

    Results are equal to those of one thread, to the last bit. A script that starts a
    local cluster must guard its own start with ``if __name__ == "__main__":``.

    Parameters
    ----------
    where : str
        ``local:N`` for N workers on this machine, the address of a scheduler, the file
        that a scheduler wrote, or a ``.toml`` file (see :mod:`tertium.cluster.places`).
    on_note : callable, optional
        Called with a note if a queue keeps the first worker waiting.

    Raises
    ------
    InputError
        When `where` describes no cluster; later when nobody answers there.

    Examples
    --------
    Everything in the block is done there::

        with tertium.cluster.Cluster("local:4") as cluster, tertium.use(cluster):
            tertium.score(systems, references, metrics=["bleu", "chrf"])
    """

    def __init__(self, where: str, *, on_note: OnNote | None = None) -> None:
        self._place = place(where)
        self._on_note = on_note
        self._session: Session | None = None

    def __enter__(self) -> Cluster:
        """Connect, and start what is to be started."""
        if self._session is None:
            self._session = connect(self._place, on_note=self._on_note)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End what was started."""
        if self._session is not None:
            self._session.close()
            self._session = None

    def map(
        self, function: Callable[[_Chunk], _Result], chunks: Iterable[_Chunk]
    ) -> Iterator[_Result]:
        """Yield the results in the order of the chunks.

        Outside of a ``with`` block the cluster is started and ended each time.
        """
        if self._session is None:
            with self:
                yield from self.map(function, chunks)
            return
        from tertium.cluster.flow import results_in_order

        name = task_name()
        self._session.publish(name, function)
        try:
            for result in results_in_order(self._session, name, iter(chunks)):
                yield cast("_Result", result)
        finally:
            self._session.withdraw(name)
