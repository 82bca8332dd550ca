# SPDX-License-Identifier: Apache-2.0
"""The commands on a report's page: how to explain an output from its files."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, count
from typing import TYPE_CHECKING

from tertium.cli.report.options import Options
from tertium.cli.shared import flags
from tertium.cli.shared.inputs import files_by_name, runs_of

if TYPE_CHECKING:
    from tertium.analysis.commands import ExplainCommand
    from tertium.data.segmentation import Resegmentation

__all__ = ["explain_commands"]

#: What a terminal obeys, even between quotes, when a command is pasted.
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_STREAMS = ("/dev/std", "/dev/fd/", "/proc/")  # regular files where redirected


def explain_commands(
    options: Options,
    systems: Sequence[str],
    resegmented: Mapping[str, Resegmentation] | None,
) -> dict[str, ExplainCommand]:
    """Return how ``tertium explain`` finds the outputs of systems, of runs the first.

    There is none for texts that it cannot read: of standard input or a pipe, of a test
    set that another program has downloaded, and with references that were cut, too;
    nor with control characters in names of files or of a system.

    Parameters
    ----------
    options : Options
    systems : sequence of str
    resegmented : mapping of str to Resegmentation, optional
        How outputs were cut, by system or run.
    """
    from tertium.analysis.commands import ExplainCommand

    if not _can_be_read(options, resegmented):
        return {}
    runs = runs_of(options)
    files = dict(flags.run_files(options.systems or ())[0])
    made = {}
    taken = {*map(_same, [*_paths(options), options.output or ""])}
    for name in systems:
        run = runs.get(name, [name])[0]
        path, before = files.get(run), ""
        cut = (resegmented or {}).get(run)
        if path is not None and cut is not None and _needs_cutting(path, cut):
            target = _target(name, taken)
            before, path = _cutting(options, path, target), target
        command = ExplainCommand((*_inputs(options, name, path),), before)
        if not any(map(_CONTROL.search, (*command.options, before))):
            made[name] = command
    return made


def _can_be_read(
    options: Options, resegmented: Mapping[str, Resegmentation] | None
) -> bool:
    if options.test_set is not None or options.reference is not None:
        return False
    references = options.references or []
    if resegmented and any(map(_has_documents, references)):
        return False
    return all(map(_is_lasting, _paths(options)))


def _paths(options: Options) -> Iterator[str]:
    """Yield the files, folders and test sets with texts and layers."""
    yield from options.references or ()
    yield from (path for _, path in flags.run_files(options.systems or ())[0])
    for argument in ("alignments", "trees"):
        for paths in (
            files_by_name(getattr(options, argument), argument) or {}
        ).values():
            yield from paths
    for more in (options.ref_trees, options.sets, options.docs):
        yield from [more] if isinstance(more, str) else more or ()
    yield from filter(None, [options.testset, options.mtme])


def _is_lasting(path: str) -> bool:
    """Return whether a path can be read again, unlike standard input or a pipe."""
    if path == "-" or os.path.abspath(path).startswith(_STREAMS):
        return False
    return not os.path.exists(path) or os.path.isfile(path) or os.path.isdir(path)


def _needs_cutting(path: str, result: Resegmentation) -> bool:
    return not result.unchanged or _has_documents(path)


def _has_documents(path: str) -> bool:
    """Return whether lines of a file are documents, or not texts at all."""
    return any(part in path for part in (".jsonl", ".sgm", ".xml"))


def _target(name: str, taken: set[str]) -> str:
    """Return a file for the cut output of a system, none of those that are taken."""
    stem = re.sub(r"[^\w.]+", "-", name).strip(".-") or "output"
    numbered = (f"{stem}-{number}.cut.txt" for number in count(2))
    targets = chain([f"{stem}.cut.txt"], numbered)
    target = next(each for each in targets if _same(each) not in taken)
    taken.add(_same(target))
    return target


def _same(path: str) -> str:
    """Return what the names of one file have in common, whatever their case."""
    return os.path.realpath(path).casefold()


def _cutting(options: Options, path: str, target: str) -> str:
    words = ["tertium", "resegment", "-r", *map(_plain, options.references or ())]
    if options.docs is not None:
        words += ["--docs", _plain(options.docs)]
    words += ["-i", _plain(path)]
    if options.resegment not in (None, "words"):
        words += ["--by", str(options.resegment)]
    return shlex.join([*words, "-o", target])


def _inputs(options: Options, name: str, path: str | None) -> Iterator[str]:
    """Yield the options that name the texts and layers of a system."""
    testset = options.testset or options.mtme
    if testset is not None:
        yield shlex.quote(_plain(testset))
    # Such a name has no place before an equals sign; explain names the system, too.
    unnamed = path is not None and ("=" in name or name.startswith("-"))
    whose = "" if unnamed else f"{name}="
    texts: Mapping[str, Sequence[str] | str | None] = {
        "-r": [*map(_plain, options.references or ())],
        "-i": None if path is None else _plain(f"{whose}{path}"),
        "-l": options.langpair if testset is not None else None,
        "--systems-columns": options.systems_columns,
        "--input-format": options.input_format,
        "--alignments": _layer(options.alignments, name, whose, "alignments"),
        "--trees": _layer(options.trees, name, whose, "trees"),
        "--ref-trees": [*map(_plain, options.ref_trees or ())],
        "--sets": [*map(_plain, options.sets or ())],
    }
    for flag, value in texts.items():
        if value:
            yield _option(flag, *([value] if isinstance(value, str) else value))
    if options.alignments:
        yield from ["--one-based"] * options.one_based
        yield from ["--sure-only"] * options.sure_only
    if path is None:
        yield _option("--system", name)


def _option(flag: str, *values: str) -> str:
    """Return an option with its values, of which a single one may begin with a dash."""
    if len(values) == 1 and values[0].startswith("-"):
        return shlex.quote(f"{flag}={values[0]}")
    return shlex.join([flag, *values])


def _plain(path: str) -> str:
    """Return a path that is not mistaken for an option."""
    return f"./{path}" if path.startswith("-") else path


def _layer(
    items: Sequence[str] | None, name: str, whose: str, argument: str
) -> str | None:
    files = files_by_name(items, argument) or {}
    paths = files.get(name)
    return f"{whose}{','.join(paths)}" if paths else None
