# SPDX-License-Identifier: Apache-2.0
"""``tertium score --resegment``: outputs in other lines than the references."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from tertium.cli.shared.remarks import remark_note
from tertium.cli.shared.resegmented import read_resegmented

if TYPE_CHECKING:
    from tertium.cli.score.verb import Options
    from tertium.data.segmentation import Resegmentation
    from tertium.engine.chunks import Chunk

__all__ = ["read_chunks"]


def read_chunks(
    options: Options,
) -> tuple[Callable[[], Iterable[Chunk]], dict[str, Resegmentation]]:
    """Return chunks of the test set with its outputs cut, and how that was done."""
    from tertium.data.testset import CHUNK

    testset, results = read_resegmented(options)
    for note in testset.notes:
        remark_note(options, note)
    for name, result in results.items():
        for note in result.notes(name):
            remark_note(options, note)
    return lambda: testset.chunks(CHUNK), results
