# SPDX-License-Identifier: Apache-2.0
"""Files of judgements as verbs read them: bad rows are set aside, with a remark."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tertium._messages import count
from tertium.cli.judgements.choice import choose
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.remarks import remark
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.judgements import Given, Judgements

__all__ = [
    "UNKNOWN",
    "langpairs",
    "of_langpairs",
    "read_leniently",
    "refuse_judgements",
    "refuse_twice",
    "remark_campaigns",
]

#: Judgements without a language pair, where others have one.
UNKNOWN = "unknown"


def read_leniently(
    paths: Sequence[str],
    args: argparse.Namespace,
    *,
    given: Given | None = None,
    langpair: str | None = None,
) -> Judgements:
    """Return the judgements of stores and files, without the rows that are bad.

    Parameters
    ----------
    paths : sequence of str
        ``demo`` stands for the bundled judgements, unless there is such a file.
    args : argparse.Namespace
        Of the verb: ``quiet``, ``only``, and ``input_format`` where it has that option.
    given : Given, optional
        What overrules files; stores stay as they are.
    langpair : str, optional
        For files of which no judgement has a language pair.
    """
    from tertium.judgements import import_judgements, merge, read_store
    from tertium.judgements.store import is_store

    refuse_twice(paths)
    kind = getattr(args, "input_format", None)
    parts = []
    for path in _paths(paths):
        if is_store(path):
            parts.append(read_store(path))
            continue
        with Progress("judgements", quiet=args.quiet) as progress:
            found = import_judgements(
                [path], format=kind, given=given, progress=progress
            )
        if found.bad:
            file, first = found.bad[0]
            remark(
                args,
                f"{path}: {count(len(found.bad), 'row')} left out, the first "
                f"at {file}:{first.line} ({first.reason}); `tertium judgements "
                "import` lists them",
            )
        part = found.judgements
        if langpair is not None and not part.names("langpair"):
            part = _with_langpair(part, langpair)
        parts.append(part)
    both = parts[0] if len(parts) == 1 else merge(parts)
    return choose(both, args.only)


def refuse_judgements(path: str) -> None:
    """Raise an error if judgements stand where texts are expected.

    Raises
    ------
    InputError
    """
    from tertium.judgements.importing import recognise
    from tertium.judgements.store import is_store

    what = "a store of judgements" if is_store(path) else None
    if what is None:
        if not os.path.exists(path):
            return
        try:
            kind, _ = recognise(path)
        except InputError:
            return  # what is wrong with it was said already
        what = f"judgements ({kind.name})" if kind else None
    if what is not None:
        message = (
            f"{path} holds {what}, not texts; give it with -J {path}, and a test set "
            "in its place"
        )
        raise InputError(message)


def refuse_twice(paths: Sequence[str]) -> None:
    """Raise an error if a file is named twice: its judgements would count double.

    Raises
    ------
    InputError
    """
    seen = set()
    for path in paths:
        place = os.path.realpath(path)
        if place in seen:
            raise InputError(f"{path} is given twice; keep one, or it counts double")
        seen.add(place)


def remark_campaigns(args: argparse.Namespace, judgements: Judgements) -> None:
    """Warn if judgements of several campaigns are taken together."""
    campaigns = judgements.names("campaign")
    if len(campaigns) > 1:
        remark(
            args,
            f"judgements of {', '.join(campaigns)} are taken together, and judges and "
            "systems of one name as one; choose a campaign with --only "
            f"campaign={campaigns[0]}",
        )


def langpairs(judgements: Judgements, wanted: Sequence[str] | None) -> list[str]:
    """Return the language pairs that were asked for, or all; ``[""]`` if none is known.

    Raises
    ------
    InputError
        When there are no judgements of one that was asked for.
    """
    found = judgements.names("langpair")
    if found and judgements.nameless("langpair"):
        found.append(UNKNOWN)
    for pair in wanted or ():
        if pair not in found:
            message = (
                f"no judgements of the language pair {pair}; there are "
                f"{', '.join(found) or 'none with a language pair'}"
            )
            raise InputError(message)
    return list(wanted or found or [""])


def of_langpairs(judgements: Judgements, pairs: Sequence[str]) -> Judgements:
    """Return the judgements of some of the language pairs of :func:`langpairs`."""
    if list(pairs) == [""]:
        return judgements
    known = set(judgements.names("langpair"))
    chosen = [None if p == UNKNOWN and p not in known else p for p in pairs]
    return judgements.filter(langpair=chosen)


def _with_langpair(judgements: Judgements, langpair: str) -> Judgements:
    import polars as pl

    from tertium.judgements import Judgements

    value = pl.lit(langpair).cast(pl.Categorical).alias("langpair")
    tables = judgements.tables().items()
    return Judgements(**{name: table.with_columns(value) for name, table in tables})


def _paths(named: Sequence[str]) -> Iterator[str]:
    from tertium.judgements import demo_files

    for name in named:
        if name == "demo" and not os.path.exists(name):
            yield from demo_files()
        else:
            yield name
