# SPDX-License-Identifier: Apache-2.0
"""``tertium explain``: why a segment has its score, in words and drawings."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tertium.cli.explain.choice import choose, read_list
from tertium.cli.explain.options import METRICS, alignment, parse
from tertium.cli.explain.output import write
from tertium.cli.shared import flags
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.remarks import remark
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.data.testset import Testset
    from tertium.report.explain.explained import Explanation
    from tertium.trees.parsers import Parser

__all__ = ["METRICS", "command"]


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    args = parse(argv)
    write(list(_explanations(args)), args)
    return 0


def _explanations(args: argparse.Namespace) -> Iterator[Explanation]:
    from tertium.report.explain import explain_permutation

    if args.permutation is not None:
        from tertium.order.files import parse_permutation

        values = args.permutation.replace(",", " ")
        perm = parse_permutation(values, base=0 if args.zero_based else 1)
        yield explain_permutation(perm, metrics=args.metrics)
        return
    parser = _load_parser(args)
    if args.hyp is not None:
        yield _explain(args, args.hyp, args.ref, parser=parser)
        return
    places = read_list(args.list) if args.list is not None else None
    if places is not None and not places:
        remark(args, f"{args.list} lists no segment; nothing to explain")
    if places is not None and not args.metrics:
        # The metrics by which the list was made.
        args.metrics = list(dict.fromkeys(p.metric for p in places if p.metric))
    testset = _read(args)
    if not any(testset.references):
        message = "the test set has no references; give them with -r"
        raise InputError(message)
    chosen = choose(args, testset, places)
    with Progress("segments", quiet=args.quiet) as progress:
        for done, (segment, system) in enumerate(chosen, start=1):
            index = segment - 1
            yield _explain(
                args,
                testset.systems[system][index],
                testset.references[index],
                parser=parser,
                source=testset.sources[index] if testset.sources else None,
                system=system,
                segment=segment,
            )
            progress(done)


def _explain(
    args: argparse.Namespace,
    hyp: str,
    refs: Sequence[str],
    *,
    parser: Parser | None,
    source: str | None = None,
    system: str | None = None,
    segment: int | None = None,
) -> Explanation:
    from tertium.data.annotated import layer
    from tertium.report.explain import explain, explain_permutation

    perm = layer(hyp, "permutation")
    if isinstance(perm, tuple):
        return explain_permutation(
            perm, metrics=args.metrics, system=system, segment=segment
        )
    return explain(
        hyp,
        list(refs),
        metrics=args.metrics or METRICS,
        alignment=alignment(args),
        parser=parser,
        variant=args.variant,
        reference=None if args.reference is None else args.reference - 1,
        source=source,
        system=system,
        segment=segment,
    )


def _read(args: argparse.Namespace) -> Testset:
    if args.permutations is None:
        return flags.read_testset(args)
    from tertium.data.testset import join
    from tertium.order.files import stream_permutations

    files = flags.named_files(args.permutations)
    return join(stream_permutations(files, base=0 if args.zero_based else 1))


def _load_parser(args: argparse.Namespace) -> Parser | None:
    if not args.parser:
        return None
    from tertium.trees.parsers import load_parser

    return load_parser(args.parser, args.model or "", tokenize=args.tokenize or "own")
