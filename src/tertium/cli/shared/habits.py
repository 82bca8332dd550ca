# SPDX-License-Identifier: Apache-2.0
"""Test sets in places where argparse does not look for them.

People type ``score -m bleu demo``, where -m takes everything that follows, and
``score ref.txt -i out.txt``, as with sacreBLEU. What is unambiguous is understood;
otherwise the message has the line to type.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from itertools import islice

from tertium.errors import InputError

__all__ = ["settle", "unrecognised"]

_READ = (
    "testset",
    "testsets",
    "references",
    "systems",
    "permutations",
    "trees",
    "ref_trees",
    "sets",
    "scores",
    "mtme",
    "hyp",
    "permutation",
)


def settle(
    parser: argparse.ArgumentParser, args: argparse.Namespace, argv: Sequence[str]
) -> None:
    """Put a test set that an option took, or a lone reference, where it belongs.

    Raises
    ------
    InputError
        With the line to type, if only the user can tell the files apart.
    """
    where = _positional(parser)
    if where:
        _take_back(parser, args, where)
    if where == "testset" and hasattr(args, "references"):
        _settle_columns(parser, args, argv)


def unrecognised(
    parser: argparse.ArgumentParser,
    args: argparse.Namespace,
    extra: Sequence[str],
    argv: Sequence[str],
) -> InputError | None:
    """Return an error with the line to type for files that no option names."""
    if any(word.startswith("-") for word in extra):
        return None
    if _positional(parser) == "testset":
        named = [word for word in (args.testset, *extra) if word is not None]
        rest = [word for word in argv if word not in named]
        if len(named) < 2 or not all(map(_is_column, named)) or args.references:
            return None
        line = _line(parser, ["-r", named[0], "-i", *named[1:], *rest])
        return InputError(f"which file is what? If {named[0]} is the reference: {line}")
    if hasattr(args, "testsets") and all(map(_is_testset, extra)):
        rest = [word for word in argv if word not in extra]
        line = _line(parser, ["-t", *extra, *rest])
        return InputError(f"{extra[0]} has no option before it; test sets: {line}")
    return None


def _positional(parser: argparse.ArgumentParser) -> str | None:
    """Return the name of the argument that is a test set, if there is one."""
    for action in parser._actions:
        if not action.option_strings and action.dest in ("testset", "testsets"):
            return action.dest
    return None


def _take_back(
    parser: argparse.ArgumentParser, args: argparse.Namespace, where: str
) -> None:
    """Take back a test set that an option with several values took as its last."""
    if any(getattr(args, name, None) for name in _READ):
        return
    for action in parser._actions:
        values = getattr(args, action.dest, None)
        if action.nargs != "+" or not isinstance(values, list) or not values:
            continue
        if values is action.default or "FILE" in str(action.metavar):
            continue
        last = values[-1]
        if not isinstance(last, str) or not _is_testset(last):
            continue
        if action.dest == "metrics" and _is_metric(last):
            continue
        if not values[:-1]:
            option = action.option_strings[0]
            message = f"{option} has {last}, a test set, and nothing else; give both"
            raise InputError(f"{message}: {parser.prog} {last} {option} ...")
        setattr(args, action.dest, values[:-1])
        setattr(args, where, last if where == "testset" else [last])
        return


def _settle_columns(
    parser: argparse.ArgumentParser, args: argparse.Namespace, argv: Sequence[str]
) -> None:
    _reject_batches([args.testset, *(args.references or ()), *(args.systems or ())])
    if args.testset is not None and _is_column(args.testset):
        if args.references is None and args.systems is not None:
            args.references, args.testset = [args.testset], None
        elif args.systems is None and args.references is not None:
            args.systems, args.testset = [args.testset], None
        elif args.references is None and hasattr(args, "metrics"):
            rest = [word for word in argv if word != args.testset]
            line = _line(parser, ["-r", args.testset, "-i", "OUTPUT", *rest])
            message = (
                f"{args.testset} holds one text; give outputs with -i (- is stdin)"
            )
            raise InputError(f"{message}: {line}")
    others = [name for name in _READ if name != "references"]
    if (
        hasattr(args, "metrics")
        and len(args.references or ()) > 1
        and not any(getattr(args, name, None) for name in others)
    ):
        last = args.references[-1]
        place = len(argv) - 1 - list(argv)[::-1].index(last)
        line = _line(parser, [*argv[:place], "-i", *argv[place:]])
        message = f"no systems; -r took all files. If {last} is the output of a system"
        raise InputError(f"{message}: {line}")


def _reject_batches(paths: Sequence[str | None]) -> None:
    """Raise an error if a file holds Appraise batches instead of texts."""
    from tertium.data.formats import extension_of
    from tertium.data.lines import open_lines

    for path in paths:
        if path and extension_of(path) == ".json" and os.path.isfile(path):
            from tertium.judgements.formats.appraise_batches import refuse_batches

            refuse_batches(path, list(islice(open_lines(path), 5)))


def _line(parser: argparse.ArgumentParser, argv: Sequence[str]) -> str:
    import shlex

    return f"{parser.prog} {' '.join(map(shlex.quote, argv))}"


def _is_metric(spec: str) -> bool:
    from tertium.metrics import metric_names

    name = spec.partition(":")[0].lower()
    return name in (known.lower() for known in metric_names())


def _is_testset(path: str) -> bool:
    from tertium.data.formats import WHOLE, format_of
    from tertium.data.io import wants_demo

    return (
        wants_demo(path)
        or os.path.isdir(path)
        or (os.path.isfile(path) and format_of(path) in WHOLE)
    )


def _is_column(path: str) -> bool:
    from tertium.data.formats import UNREADABLE, WHOLE, extension_of, format_of

    readable = format_of(path) not in WHOLE and extension_of(path) not in UNREADABLE
    return readable and os.path.isfile(path)
