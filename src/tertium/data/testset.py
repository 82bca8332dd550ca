# SPDX-License-Identifier: Apache-2.0
"""The test set: sources, references and systems, segment by segment.

References are per segment: ``references[i]`` is the tuple of references of segment
``i``, and segments may have different numbers of them. Either every segment has one,
or none has. All columns have the same length; nothing is ever truncated.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, combinations

from tertium._messages import count, mismatch, quote
from tertium.errors import InputError

TYPE_CHECKING = False  # Not from typing, whose import takes as long as all of this.
if TYPE_CHECKING:
    from typing import TypeVar

    from tertium.data.origins import Origin
    from tertium.data.twins import Twins
    from tertium.notes import Note

    T = TypeVar("T")
    Column = tuple[str, Sequence[str] | Sequence[tuple[str, ...]]]

__all__ = ["CHUNK", "Testset", "check_size", "join", "rechunk"]

#: Segments per chunk, unless a caller asks for another number.
CHUNK = 10_000


@dataclass(frozen=True, repr=False)
class Testset:
    """Sources, references and system outputs of the same segments.

    Parameters
    ----------
    references : list of tuple of str
        One tuple per segment; empty tuples throughout when there are no references.
    systems : dict of str to list of str
        System name to its output, one item per segment.
    sources, docs, ids : list of str, optional
        Source text, document and name of every segment.
    langpair : str, optional
        Source and target language, such as ``de-en``.
    layers : dict of str to list of str
        Further columns by name, one item per segment.
    notes : tuple of Note
        What a user should know about the files; ignored when test sets are compared.

    Raises
    ------
    InputError
        When columns differ in length or hold something that is not text.

    Examples
    --------
    >>> testset = Testset([("a cat",), ("two dogs",)], {"A": ["a cat", "a dog"]})
    >>> testset
    <Testset: 2 segments, 1 reference, 1 system>
    >>> Testset([("a cat",)], {"A": ["a cat", "a dog"]})
    Traceback (most recent call last):
    tertium.errors.InputError: references has 1 segment, system 'A' has 2 (first \
extra segment 2: 'a dog'); give one per segment
    """

    __test__ = False  # The name starts with Test: pytest must not collect it.

    references: list[tuple[str, ...]]
    systems: dict[str, list[str]] = field(default_factory=dict)
    sources: list[str] | None = None
    docs: list[str] | None = None
    ids: list[str] | None = None
    langpair: str | None = None
    layers: dict[str, list[str]] = field(default_factory=dict)
    notes: tuple[Note, ...] = field(default=(), compare=False)
    #: Where all of it was read, if known; see :func:`tertium.data.origins.with_origin`.
    origin: Origin | None = field(default=None, init=False, compare=False)

    def __post_init__(self) -> None:
        """Check types and lengths."""
        _check_references(self.references)
        texts = list(self._texts())
        for label, column in texts:
            _check_text(label, column)
        shown: Column = "references", self.references
        # Without references the empty tuples are only a filler: compare texts first.
        _check_lengths([shown, *texts] if any(self.references) else [*texts, shown])

    def __len__(self) -> int:
        """Return the number of segments."""
        return len(self.references)

    def __repr__(self) -> str:
        """Return a one-line summary."""
        counts = {len(refs) for refs in self.references}
        most = max(counts, default=0)
        references = count(most, "reference")
        if len(counts) > 1:
            references = f"{min(counts)} to {references}"
        parts = [count(len(self), "segment"), references]
        parts.append(count(len(self.systems), "system"))
        if self.sources is not None:
            parts.append("sources")
        if self.docs is not None:
            parts.append(count(len(set(self.docs)), "document"))
        if self.layers:
            parts.append(f"layers {', '.join(self.layers)}")
        langpair = f" {self.langpair}" if self.langpair else ""
        return f"<Testset{langpair}: {', '.join(parts)}>"

    @classmethod
    def build(
        cls,
        references: Sequence[str] | Sequence[Sequence[str]] | None = None,
        systems: Mapping[str, Sequence[str]] | None = None,
        *,
        sources: Sequence[str] | None = None,
        docs: Sequence[str] | None = None,
        ids: Sequence[str] | None = None,
        langpair: str | None = None,
        layers: Mapping[str, Sequence[str]] | None = None,
    ) -> Testset:
        """Build a test set from any sequences; everything is optional.

        Parameters
        ----------
        references : sequence of str, or of sequences of str, optional
            For every segment its reference, or its references.
        systems, sources, docs, ids, langpair, layers
            As in the class.

        Returns
        -------
        Testset
            The test set, with copies of the columns.

        Raises
        ------
        InputError
            When columns differ in length or hold something that is not text.

        Examples
        --------
        >>> Testset.build(["a cat", ["two dogs", "a pair of dogs"]])
        <Testset: 2 segments, 1 to 2 references, 0 systems>
        """
        own_systems = {n: _own(c, f"system {n!r}") for n, c in (systems or {}).items()}
        own_layers = {n: _own(c, f"layer {n!r}") for n, c in (layers or {}).items()}
        plain = {
            label: None if column is None else _own(column, label)
            for label, column in (("sources", sources), ("docs", docs), ("ids", ids))
        }
        if references is None:
            columns = [plain["sources"], *own_systems.values(), plain["docs"]]
            columns += [plain["ids"], *own_layers.values()]
            length = next((len(c) for c in columns if c is not None), 0)
            refs: list[tuple[str, ...]] = [()] * length
        elif isinstance(references, str):
            raise _one_string("references", references)
        else:
            refs = [(r,) if isinstance(r, str) else tuple(r) for r in references]
        return cls(
            refs,
            own_systems,
            sources=plain["sources"],
            docs=plain["docs"],
            ids=plain["ids"],
            langpair=langpair,
            layers=own_layers,
        )

    def chunks(self, size: int) -> Iterator[Testset]:
        """Yield the test set in pieces of at most ``size`` segments.

        A test set without segments gives one piece, so that its systems are known.

        Examples
        --------
        >>> [len(chunk) for chunk in Testset.build(["a", "b", "c"]).chunks(2)]
        [2, 1]
        """
        check_size(size)
        for start in range(0, max(len(self), 1), size):
            yield self._take(slice(start, start + size))

    def select(self, indices: Iterable[int]) -> Testset:
        """Return the segments at ``indices`` (from 0), in that order.

        Raises
        ------
        InputError
            When there is no segment at an index.

        Examples
        --------
        >>> Testset.build(["a", "b", "c"]).select([2, 0]).references
        [('c',), ('a',)]
        """
        if (
            isinstance(indices, range)
            and indices.step == 1
            and 0 <= indices.start <= indices.stop <= len(self)
        ):
            return self._take(slice(indices.start, indices.stop))
        chosen = [operator.index(index) for index in indices]
        for index in chosen:
            if not 0 <= index < len(self):
                raise InputError(
                    f"there is no segment at index {index}; the test set has "
                    f"{count(len(self), 'segment')}, counted from 0"
                )
        return self._take(chosen)

    def documents(self) -> dict[str, list[int]]:
        """Return the indices of the segments of every document, in order.

        Raises
        ------
        InputError
            When the test set has no document ids.

        Examples
        --------
        >>> Testset.build(["a", "b", "c"], docs=["x", "y", "x"]).documents()
        {'x': [0, 2], 'y': [1]}
        """
        if self.docs is None:
            raise InputError("the test set has no document ids; give docs")
        members: dict[str, list[int]] = {}
        for index, doc in enumerate(self.docs):
            members.setdefault(doc, []).append(index)
        return members

    def twins(self) -> Twins:
        """Return which systems equal each other or a reference throughout.

        A test set without segments has none. For chunks, combine with ``&``.

        Examples
        --------
        >>> Testset.build(["a"], {"A": ["a"], "B": ["b"]}).twins().references
        frozenset({('A', 0)})
        """
        from tertium.data.twins import Twins

        width = min((len(refs) for refs in self.references), default=0)
        if not self:
            return Twins(frozenset(), frozenset())
        columns = [[refs[k] for refs in self.references] for k in range(width)]
        return Twins(
            frozenset(
                (a, b)
                for a, b in combinations(self.systems, 2)
                if self.systems[a] == self.systems[b]
            ),
            frozenset(
                (name, k)
                for name, hyps in self.systems.items()
                for k, column in enumerate(columns)
                if hyps == column
            ),
        )

    def _texts(self) -> Iterator[tuple[str, list[str]]]:
        if self.sources is not None:
            yield "sources", self.sources
        for name, hyps in self.systems.items():
            if not isinstance(name, str) or not name:
                raise InputError(f"{name!r} is not the name of a system; give a text")
            yield f"system {name!r}", hyps
        if self.docs is not None:
            yield "docs", self.docs
        if self.ids is not None:
            yield "ids", self.ids
        for name, layer in self.layers.items():
            if not isinstance(name, str) or not name:
                raise InputError(f"{name!r} is not the name of a layer; give a text")
            yield f"layer {name!r}", layer

    def _take(self, where: slice | list[int]) -> Testset:
        def take(column: list[T]) -> list[T]:
            if isinstance(where, slice):
                return column[where]
            if _is_kept(column):
                return column.take(where)  # type: ignore[attr-defined,no-any-return]
            return [column[index] for index in where]

        return Testset(
            take(self.references),
            {name: take(hyps) for name, hyps in self.systems.items()},
            sources=None if self.sources is None else take(self.sources),
            docs=None if self.docs is None else take(self.docs),
            ids=None if self.ids is None else take(self.ids),
            langpair=self.langpair,
            layers={name: take(layer) for name, layer in self.layers.items()},
            notes=self.notes,
        )


def join(chunks: Iterable[Testset]) -> Testset:
    """Return chunks of one test set as a whole; there is at least one.

    The first chunk grows in place: give chunks that nobody else holds.
    """
    pending = iter(chunks)
    first = next(pending)
    for chunk in pending:
        first.references.extend(chunk.references)
        for (_, whole), (_, piece) in zip(first._texts(), chunk._texts(), strict=True):
            whole.extend(piece)
    return first


def rechunk(chunks: Iterable[Testset], size: int) -> Iterator[Testset]:
    """Yield the same segments in chunks of ``size``, the last one perhaps smaller.

    There is always one chunk; at most one and a part of the next are held.

    Examples
    --------
    >>> parts = Testset.build(["a", "b", "c", "d", "e"]).chunks(2)
    >>> [len(chunk) for chunk in rechunk(parts, 3)]
    [3, 2]
    """
    check_size(size)
    held: list[Testset] = []
    number, done = 0, False
    for chunk in chunks:
        # An empty chunk is kept only where it is the whole test set.
        if held and not chunk:
            continue
        if held and not held[0]:
            held = []
        held.append(chunk)
        number += len(chunk)
        if number < size:
            continue
        whole = held[0] if len(held) == 1 else join(_copies(held))
        pieces = [whole] if number == size else list(whole.chunks(size))
        number %= size
        held, done = [pieces.pop()] if number else [], True
        yield from pieces
    if number or (held and not done):
        yield held[0] if len(held) == 1 else join(_copies(held))


def _copies(chunks: list[Testset]) -> Iterator[Testset]:
    """Yield chunks whose first one may grow in place."""
    yield chunks[0]._take(slice(None))
    yield from chunks[1:]


def check_size(size: int) -> None:
    """Reject a chunk size below one."""
    if size < 1:
        raise InputError(f"a chunk of {size} segments holds nothing; use 1 or more")


def _check_lengths(columns: list[Column]) -> None:
    (first, base), *others = columns
    for label, column in others:
        if len(column) != len(base):
            longer, at = max(base, column, key=len), min(len(base), len(column))
            extra = longer[at]
            raise InputError(
                mismatch(
                    (first, len(base)),
                    (label, len(column)),
                    extra=extra if isinstance(extra, str) else " | ".join(extra),
                    unit="segment",
                )
            )


def _check_references(references: list[tuple[str, ...]]) -> None:
    if isinstance(references, str):
        raise _one_string("references", references)
    if _is_kept(references):
        return
    if not {tuple}.issuperset(map(type, references)):
        number, item = next(
            (n, i) for n, i in enumerate(references, 1) if type(i) is not tuple
        )
        raise InputError(
            f"references: segment {number} is {type(item).__name__}, not a tuple of "
            "texts; use Testset.build, or give one tuple per segment"
        )
    if any(references) and not all(references):
        number = references.index(()) + 1
        raise InputError(
            f"references: segment {number} has none and others have; "
            "give all segments references, or none of them"
        )
    if not {str}.issuperset(map(type, chain.from_iterable(references))):
        for number, refs in enumerate(references, start=1):
            for ref in refs:
                if not isinstance(ref, str):
                    raise _not_text("references", number, ref)


def _check_text(label: str, column: list[str]) -> None:
    if isinstance(column, str):
        raise _one_string(label, column)
    if _is_kept(column):
        return
    # Looks at types as a set, which is several times faster than item by item.
    if not {str}.issuperset(map(type, column)):
        for number, item in enumerate(column, start=1):
            if not isinstance(item, str):
                raise _not_text(label, number, item)


def _is_kept(column: Sequence[object]) -> bool:
    """Return whether a column is on disk (see kept.py), and was checked before."""
    return getattr(column, "is_checked", False)


def _own(column: Sequence[str], label: str) -> list[str]:
    if isinstance(column, str):
        raise _one_string(label, column)
    return list(column)


def _one_string(label: str, text: str) -> InputError:
    return InputError(f"{label} is one text, {quote(text)}; give a list of texts")


def _not_text(label: str, number: int, item: object) -> InputError:
    return InputError(
        f"{label}: segment {number} is {type(item).__name__}, not text; "
        "use '' for an empty one"
    )
