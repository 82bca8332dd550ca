# SPDX-License-Identifier: Apache-2.0
"""Files of judgements as verbs read them: bad rows are set aside, with a remark."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tertium.cli import options

if TYPE_CHECKING:
    from tertium.judgements import Given, Judgements

__all__ = ["read_leniently"]


def read_leniently(
    paths: Sequence[str], args: argparse.Namespace, *, given: Given | None = None
) -> Judgements:
    """Return the judgements of stores and files, without the rows that are bad.

    Parameters
    ----------
    paths : sequence of str
        ``demo`` stands for the bundled judgements, unless there is such a file.
    args : argparse.Namespace
        Of the verb: ``quiet``, and ``input_format`` where it has that option.
    given : Given, optional
        What files do not say; stores stay as they are.
    """
    from tertium.judgements import import_judgements, merge, read_store
    from tertium.judgements.store import is_store

    kind = getattr(args, "input_format", None)
    parts = []
    for path in _paths(paths):
        if is_store(path):
            parts.append(read_store(path))
            continue
        found = import_judgements([path], format=kind, given=given)
        if found.bad:
            file, first = found.bad[0]
            options.remark(
                args,
                f"{path}: {options.count(len(found.bad), 'row')} left out, the first "
                f"at {file}:{first.line} ({first.reason}); `tertium judgements "
                "import` lists them",
            )
        parts.append(found.judgements)
    return parts[0] if len(parts) == 1 else merge(parts)


def _paths(named: Sequence[str]) -> Iterator[str]:
    from tertium.judgements import demo_files

    for name in named:
        if name == "demo" and not os.path.exists(name):
            yield from demo_files()
        else:
            yield name
