# SPDX-License-Identifier: Apache-2.0
"""Texts that are scored together, and the layers that metrics share.

Words are aligned and sentences parsed once for all metrics that ask for the same:
a batch keeps what was computed from its texts.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cached_property
from itertools import chain
from typing import TypeAlias, TypeVar, cast

from tertium.data.annotated import layer
from tertium.errors import InputError

__all__ = ["Batch", "References", "lone_surrogate"]

#: One reference, or several, for every segment.
References: TypeAlias = "Sequence[str] | Sequence[Sequence[str]]"

_Layer = TypeVar("_Layer")


class Batch:
    """Outputs of systems for the same segments, their references, and layers.

    Parameters
    ----------
    systems : iterable of sequences of str
        The outputs of every system.
    references : sequence of str or of sequences of str
        One reference, or several, for every segment; empty tuples if there are none.
    sources, docs, ids : sequence of str, optional
        The source text, the document and the id of every segment.
    names : sequence of str, optional
        The names of the systems.
    numbers : sequence of int, optional
        The places of the segments in their test set, from 0.
    langpair : str, optional
        The languages, such as ``en-de``.

    Raises
    ------
    InputError
        If there are not as many references or sources as outputs.

    Examples
    --------
    >>> batch = Batch([["b a", "c"]], ["a b", "c"])
    >>> len(batch), batch.nested
    (2, [('a b',), ('c',)])
    >>> batch.layer("lengths", lambda: [len(text) for text in batch.texts])
    [3, 1, 3, 1]
    >>> batch.layer("lengths", lambda: [])
    [3, 1, 3, 1]
    """

    def __init__(
        self,
        systems: Iterable[Sequence[str]],
        references: References,
        *,
        sources: Sequence[str] | None = None,
        docs: Sequence[str] | None = None,
        ids: Sequence[str] | None = None,
        names: Sequence[str] | None = None,
        numbers: Sequence[int] | None = None,
        langpair: str | None = None,
    ) -> None:
        self.references = cast(
            "list[str | tuple[str, ...]]", _listed("references", references)
        )
        self.systems: list[list[str]] = [_listed("hypotheses", one) for one in systems]
        for texts in self.systems:
            if len(texts) != len(self.references):
                raise InputError(_mismatch(texts, self.references))
        self.sources = self._column("sources", sources)
        self.docs = self._column("docs", docs)
        self.ids = self._column("ids", ids)
        self.names = None if names is None else list(names)
        self.numbers = range(len(self)) if numbers is None else numbers
        self.langpair = langpair
        self._layers: dict[Hashable, object] = {}

    def _column(self, what: str, texts: Sequence[str] | None) -> list[str] | None:
        if texts is None:
            return None
        column = _listed(what, texts)
        if len(column) != len(self.references):
            raise InputError(
                f"{len(column)} {what} but {len(self.references)} references; give one "
                "per segment"
            )
        return column

    def part(self, systems: Sequence[int], segments: Sequence[int]) -> Batch:
        """Return some systems and segments, by their numbers, without layers."""

        def some(column: list[str] | None) -> list[str] | None:
            return None if column is None else [column[j] for j in segments]

        return Batch(
            [[self.systems[i][j] for j in segments] for i in systems],
            [self.references[j] for j in segments],
            sources=some(self.sources),
            docs=some(self.docs),
            ids=some(self.ids),
            names=None if self.names is None else [self.names[i] for i in systems],
            numbers=[self.numbers[j] for j in segments],
            langpair=self.langpair,
        )

    def __len__(self) -> int:
        """Return the number of segments."""
        return len(self.references)

    @cached_property
    def nested(self) -> list[tuple[str, ...]]:
        """The references of every segment."""
        return [(refs,) if isinstance(refs, str) else refs for refs in self.references]

    @cached_property
    def texts(self) -> list[str]:
        """All references, then the outputs of every system: the order of the core."""
        return list(chain(*self.nested, *self.systems))

    @property
    def single(self) -> tuple[list[str], list[str]]:
        """The outputs of the one system, and the one reference of each."""
        (hyps,) = self.systems
        return hyps, cast("list[str]", self.references)

    def layer(self, recipe: Hashable, make: Callable[[], _Layer]) -> _Layer:
        """Return what a recipe makes; make it if that has not been done yet.

        Parameters
        ----------
        recipe : hashable
            All that the layer depends on, besides the texts.
        make : callable
        """
        if recipe not in self._layers:
            self._layers[recipe] = make()
        return cast("_Layer", self._layers[recipe])

    def brings(self, name: str) -> bool:
        """Return whether any text has a layer (see :mod:`tertium.data.annotated`)."""
        # Most batches are plain texts, which is seen from their types alone.
        plain = self.layer("plain", lambda: set(map(type, self.texts)) <= {str})
        return not plain and any(layer(text, name) is not None for text in self.texts)


def lone_surrogate(
    systems: Sequence[Sequence[str]], refs: Sequence[str | Sequence[str]]
) -> InputError:
    """Return the error for texts that are not Unicode, with the place of the first."""
    columns: list[tuple[str, Sequence[str | Sequence[str]]]]
    columns = [*(("hypothesis", hyps) for hyps in systems), ("reference", refs)]
    for kind, texts in columns:
        for index, text in enumerate(texts):
            joined = text if isinstance(text, str) else "".join(text)
            if any("\ud800" <= char <= "\udfff" for char in joined):
                return InputError(
                    f"{kind} {index} holds half of a surrogate pair, which is not a "
                    "character; decode the text with errors='replace'"
                )
    return InputError("a text holds half of a surrogate pair, which is not a character")


def _listed(what: str, texts: Sequence[str] | References) -> list[str]:
    if isinstance(texts, (str, bytes)):
        message = f"{what} are one text, not a list; put it in [ ]"
        raise InputError(message)
    return cast("list[str]", texts if isinstance(texts, list) else list(texts))


def _mismatch(hyps: list[str], refs: list[str | tuple[str, ...]]) -> str:
    inner = {len(ref) for ref in refs if not isinstance(ref, str)}
    if refs and inner == {len(hyps)}:
        return (
            f"references seem to be transposed: {len(refs)} lists of {len(hyps)}; "
            f"give {len(hyps)} lists of {len(refs)}, as list(zip(*references)) does"
        )
    longer: Sequence[object] = hyps if len(hyps) > len(refs) else refs
    kind = "hypothesis" if longer is hyps else "reference"
    first = min(len(hyps), len(refs))
    text = str(longer[first])
    shown = text if len(text) <= 60 else f"{text[:57]}..."
    return (
        f"{len(hyps)} hypotheses but {len(refs)} references (first extra {kind}, "
        f"index {first}: {shown!r}); give one entry of references per segment"
    )
