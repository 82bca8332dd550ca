# SPDX-License-Identifier: Apache-2.0
"""Files of permutations: one per line, values separated by spaces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from tertium.data.annotated import Annotated
from tertium.data.lines import StrPath, display, open_lines
from tertium.data.testset import Testset
from tertium.errors import FormatError, InputError
from tertium.order.permutation import Permutation

__all__ = [
    "parse_permutation",
    "permutation_testset",
    "read_permutations",
    "stream_permutations",
]

_CHUNK = 10_000


def read_permutations(path: StrPath, *, base: int = 1) -> Iterator[Permutation]:
    """Yield the permutations of a file; a blank line is an empty one.

    Parameters
    ----------
    path : str or path
        The file; ``-`` for standard input. May be compressed.
    base : {1, 0}
        The lowest value.

    Raises
    ------
    FormatError
        When a line is not a permutation, with file and line.
    """
    for number, line in enumerate(open_lines(path), start=1):
        try:
            yield parse_permutation(line, base=base)
        except InputError as error:
            raise FormatError(
                str(error), path=display(path), line=number, options=error.options
            ) from None


def parse_permutation(text: str, *, base: int = 1) -> Permutation:
    """Return the permutation of a text.

    Raises
    ------
    InputError
        If it is not one; suggests ``base=0`` where that may help.
    """
    try:
        return Permutation.parse(text, base=base)
    except InputError as error:
        if base == 1 and "0" in text.split():
            message = f"{error}, or set base=0 if values count from 0"
            raise InputError(message, options=("zero_based",)) from None
        raise


def stream_permutations(
    files: Sequence[tuple[str, StrPath]], *, base: int = 1, size: int = _CHUNK
) -> Iterator[Testset]:
    """Yield chunks of a test set whose systems are permutation files.

    Parameters
    ----------
    files : sequence of pairs of name and path
        The systems.
    base : {1, 0}
        The lowest value.
    size : int
        Segments per chunk.
    """
    _check_names([name for name, _ in files])
    readers = {name: read_permutations(path, base=base) for name, path in files}
    done = 0
    while True:
        parts = {name: list(islice(reader, size)) for name, reader in readers.items()}
        lengths = {name: len(part) for name, part in parts.items()}
        if len(set(lengths.values())) > 1:
            short, long = (
                pick(lengths, key=lengths.__getitem__) for pick in (min, max)
            )
            message = (
                f"{short!r} ends after {done + lengths[short]} permutations, {long!r} "
                "has more; give one line per segment in each file"
            )
            raise InputError(message)
        count = next(iter(lengths.values()))
        if count or not done:
            yield permutation_testset(parts)
        if count < size:
            return
        done += count


def permutation_testset(
    systems: Mapping[str, Iterable[Sequence[int]]],
) -> Testset:
    """Return a test set that has permutations instead of texts.

    Metrics of word order score it as if their aligner had found the
    permutations; the reference has as many words as the permutation.

    Parameters
    ----------
    systems : mapping of name to permutations
        Values are counted from 1, unless they are of type
        :class:`~tertium.order.Permutation`.

    Raises
    ------
    InputError
        If an item is not a permutation, with system and index, or if systems differ
        in length.
    """
    columns: dict[str, list[str]] = {}
    for name, perms in systems.items():
        columns[name] = []
        if not isinstance(perms, Iterable):
            message = f"system {name!r} is {perms!r}; give one permutation per segment"
            raise InputError(message)
        for index, perm in enumerate(perms):
            if not isinstance(perm, Permutation):
                try:
                    perm = Permutation.one_based(perm)
                except InputError as error:
                    message = f"system {name!r}, segment {index}: {error}"
                    raise InputError(message) from None
            # The text identifies equal systems; no metric reads it.
            columns[name].append(Annotated(str(perm), {"permutation": perm}))
    lengths = {name: len(column) for name, column in columns.items()}
    length = max(lengths.values(), default=0)
    for name, segments in lengths.items():
        if segments < length:
            longest = max(lengths, key=lengths.__getitem__)
            message = (
                f"system {name!r} has permutations of {segments} segments, "
                f"{longest!r} of {length}; give one permutation per segment for each "
                "system"
            )
            raise InputError(message)
    return Testset([("",)] * length, columns)


def _check_names(names: Sequence[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            message = f"two systems are called {name!r}; name them with NAME=FILE"
            raise InputError(message)
