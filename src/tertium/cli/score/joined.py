# SPDX-License-Identifier: Apache-2.0
"""``tertium score --joined``: documents as one text each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from tertium.cli.shared.executors import threads_of
from tertium.cli.shared.inputs import runs_of
from tertium.cli.shared.values import Layers
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.cli.score.verb import Options
    from tertium.data.testset import Testset
    from tertium.engine.chunks import Chunk
    from tertium.engine.results import ScoreTable

__all__ = ["read_whole", "score_whole"]


def read_whole(
    options: Options, chunks: Callable[[], Iterable[Chunk]]
) -> tuple[Callable[[], Iterable[Chunk]], Testset]:
    """Return the texts in chunks that can be read again, and as a whole."""
    from tertium.data.testset import CHUNK, join
    from tertium.engine.chunks import texts_of

    if options.permutations is not None or any(
        getattr(options, name) for name in Layers.__annotations__
    ):
        message = (
            "--joined makes new texts, which have no layers; omit --permutations, "
            "--alignments, --trees, --ref-trees and --sets"
        )
        raise InputError(message)
    whole = join(map(texts_of, chunks()))
    return lambda: whole.chunks(CHUNK), whole


def score_whole(
    options: Options, whole: Testset, facts: Mapping[str, str]
) -> ScoreTable:
    """Return the scores of joined documents."""
    from tertium.engine.joined import score_joined

    return score_joined(
        whole,
        metrics=options.metrics,
        threads=threads_of(options, options.threads),
        runs=runs_of(options),
        facts=facts,
    )
