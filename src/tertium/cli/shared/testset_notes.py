# SPDX-License-Identifier: Apache-2.0
"""What there is to say about a test set that was read, in words."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tertium.data.testset import Note

__all__ = ["note_texts", "repeated_ids_text"]


def note_texts(notes: Iterable[Note], *, config: str = "") -> Iterator[str]:
    """Yield notes as sentences.

    Parameters
    ----------
    notes : iterable of Note
    config : str
        The configuration of a campaign that names the systems, if there is one;
        otherwise a flag does.
    """
    for note in notes:
        if note.code == "not-systems":
            yield _not_systems(note.values, config)


def _not_systems(values: Mapping[str, Any], config: str) -> str:
    columns: Mapping[str, str] = values["columns"]
    listed = ", ".join(f"{name!r} ({reason})" for name, reason in columns.items())
    names = [*values["systems"], *columns]
    cure = f"add --systems-columns {' '.join(map(shlex.quote, names))}"
    if config:
        cure = f'set systems = "{", ".join(names)}" in {config}'
    return f"not read as systems: {listed}; to read every column as a system, {cure}"


def repeated_ids_text(pairs: Sequence[tuple[int, int]]) -> str:
    """Return a sentence about segments with the id of an earlier one."""
    first, second = pairs[0]
    who = "1 segment has" if len(pairs) == 1 else f"{len(pairs):,} segments have"
    return (
        f"{who} the id of an earlier one (first: segment {second} has that of segment "
        f"{first}); all are used, but judgements and layers that go by id can meet the "
        "wrong one"
    )
