# SPDX-License-Identifier: Apache-2.0
"""Actions of ``tertium campaign`` that ask a language model."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tertium._messages import count
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.remarks import remark
from tertium.cli.shared.values import Remarks

__all__ = ["asking"]


@contextmanager
def asking(options: Remarks) -> Iterator[Progress]:
    """Show how many requests are answered; after Ctrl-C, say what is kept."""
    try:
        with Progress("requests", quiet=options.quiet) as progress:
            yield progress
    except KeyboardInterrupt as error:
        from tertium.llm.asking import InterruptedAsking

        if isinstance(error, InterruptedAsking):
            kept = f"{count(error.answered, 'new answer')} kept, {error.left:,} left"
            remark(options, f"{kept}; `tertium campaign load … --ask-model` goes on")
        raise
