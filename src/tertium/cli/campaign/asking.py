# SPDX-License-Identifier: Apache-2.0
"""Actions of ``tertium campaign`` that ask a language model."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tertium._messages import count
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.remarks import remark
from tertium.cli.shared.values import Remarks

__all__ = ["asking"]


@contextmanager
def asking(options: Remarks, config: Path) -> Iterator[Progress]:
    """Show how many requests are answered; after Ctrl-C, say what is kept.

    Parameters
    ----------
    config : Path
        The configuration, which is there once a model is asked.
    """
    try:
        with Progress("requests", quiet=options.quiet) as progress:
            yield progress
    except KeyboardInterrupt as error:
        from tertium.llm.asking import InterruptedAsking

        if isinstance(error, InterruptedAsking):
            from tertium.campaigns.config import read_config
            from tertium.campaigns.starting import load_command

            kept = f"{count(error.answered, 'new answer')} kept, {error.left:,} left"
            command = load_command(read_config(config, allow_outside=True))
            remark(options, f"{kept}; `{command}` goes on")
        raise
