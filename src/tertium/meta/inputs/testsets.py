# SPDX-License-Identifier: Apache-2.0
"""Test sets by language pair, matched with the language pairs of judgements."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

from tertium._executor import elsewhere
from tertium.data.kept import keep_on_disk
from tertium.data.origins import with_origin
from tertium.data.testset import Testset
from tertium.errors import InputError
from tertium.judgements.formats.names import file_langpair
from tertium.judgements.reading import reject_judgements
from tertium.notes import Note

__all__ = [
    "OnNote",
    "TestsetLike",
    "common_pairs",
    "named_by_judgements",
    "read_testset",
    "read_testsets",
]

#: Texts, or where they are: a file, or ``demo``.
TestsetLike: TypeAlias = "Testset | str | os.PathLike[str]"
#: Called with every note as soon as it is known.
OnNote: TypeAlias = Callable[[Note], None]


def read_testset(
    testset: TestsetLike,
    *,
    systems_columns: Sequence[str] | None = None,
    on_disk: bool = False,
) -> Testset:
    """Return a test set with the language pair that its file name states.

    Parameters
    ----------
    testset : Testset or path
        ``demo`` stands for the bundled test set.
    systems_columns : sequence of str, optional
        As in :func:`tertium.read`.
    on_disk : bool
        Whether texts of more than one chunk stay on disk
        (see :mod:`tertium.data.kept`).

    Raises
    ------
    InputError
        If it cannot be read, or holds judgements.

    Examples
    --------
    >>> list(read_testset("demo").systems)
    ['good', 'order', 'words', 'copy']
    """
    from tertium.data import TestsetFiles

    if isinstance(testset, Testset):
        return testset
    files = TestsetFiles(path=testset, systems_columns=systems_columns)
    try:
        # Before they are read: whoever changes them then is noticed.
        origin = files.origin() if elsewhere() else None
        read = keep_on_disk(files.stream()) if on_disk else files.read()
    except InputError:
        reject_judgements(os.fspath(testset))
        raise
    if not any(read.references):
        # A list of pairwise judgements looks like a table of systems.
        reject_judgements(os.fspath(testset))
    if read.langpair is None:
        read = replace(read, langpair=file_langpair(os.fspath(testset)))
    return with_origin(read, origin) if origin else read


def read_testsets(
    testsets: Sequence[TestsetLike],
    *,
    systems_columns: Sequence[str] | None = None,
    on_disk: bool = False,
    on_note: OnNote,
) -> dict[str | None, Testset]:
    """Return test sets by their language pairs.

    Raises
    ------
    InputError
        If two test sets have the same language pair, or one cannot be read.
    """
    by_pair: dict[str | None, Testset] = {}
    names: dict[str | None, str] = {}
    for number, item in enumerate(testsets, start=1):
        testset = read_testset(item, systems_columns=systems_columns, on_disk=on_disk)
        for note in testset.notes:
            on_note(note)
        pair = testset.langpair
        name = f"test set {number}" if isinstance(item, Testset) else os.fspath(item)
        if pair in by_pair:
            message = (
                f"{names[pair]} and {name} are both of {pair or 'no language pair'}; "
                "give one test set per language pair, and name files such as de-en.tsv"
            )
            raise InputError(message)
        by_pair[pair], names[pair] = testset, name
    return by_pair


def named_by_judgements(
    testsets: dict[str | None, Testset], langpairs: Sequence[str]
) -> dict[str | None, Testset]:
    """Return test sets, where a single nameless one has the only language pair."""
    if list(testsets) == [None] and len(langpairs) == 1:
        return {langpairs[0]: testsets[None]}
    return testsets


def common_pairs(
    known: Sequence[str], testsets: dict[str | None, Testset], *, on_note: OnNote
) -> list[str | None]:
    """Return the language pairs that have texts and judgements.

    Parameters
    ----------
    known : sequence of str
        The language pairs of the judgements.
    testsets : dict
    on_note : callable
        Called with a note on those that have only one of the two.

    Raises
    ------
    InputError
        If no language pair has both.
    """
    if not known or not testsets:
        return list(known) or list(testsets)
    pairs = [pair for pair in testsets if pair in known]
    if not pairs:
        named = ", ".join(str(pair or "unnamed") for pair in testsets)
        message = (
            f"judgements are of {', '.join(known)}, test sets of {named}; name files "
            "after their language pair, such as de-en.tsv, or choose language pairs"
        )
        raise InputError(message, options=("langpair",))
    for code, lonely in (
        ("pair-without-testset", [pair for pair in known if pair not in testsets]),
        ("pair-without-judgements", [pair for pair in testsets if pair not in known]),
    ):
        if lonely:
            listed = ", ".join(str(pair or "unnamed") for pair in lonely)
            on_note(Note(code, {"langpairs": listed}))
    return list(pairs)
