# SPDX-License-Identifier: Apache-2.0
"""What there is to say about a test set that was read, in words."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tertium.data.testset import Testset

__all__ = ["note_texts", "repeated_ids_text"]


def note_texts(testset: Testset) -> Iterator[str]:
    """Yield the notes of a test set as sentences."""
    for note in testset.notes:
        if note.code == "not-systems":
            yield _not_systems(note.values)


def _not_systems(values: Mapping[str, Any]) -> str:
    columns: Mapping[str, str] = values["columns"]
    listed = ", ".join(f"{name!r} ({reason})" for name, reason in columns.items())
    names = " ".join(map(shlex.quote, [*values["systems"], *columns]))
    return (
        f"not read as systems: {listed}; to read every column as a system, add "
        f"--systems-columns {names}"
    )


def repeated_ids_text(pairs: Sequence[tuple[int, int]]) -> str:
    """Return a sentence about segments with the id of an earlier one."""
    first, second = pairs[0]
    who = "1 segment has" if len(pairs) == 1 else f"{len(pairs):,} segments have"
    return (
        f"{who} the id of an earlier one (first: segment {second} has that of segment "
        f"{first}); all are used, but judgements and layers that go by id can meet the "
        "wrong one"
    )
