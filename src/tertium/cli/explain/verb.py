# SPDX-License-Identifier: Apache-2.0
"""``tertium explain``: why a segment has its score, in words and diagrams."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tertium.cli.explain.options import METRICS, Options, parse
from tertium.cli.explain.output import write
from tertium.cli.shared import flags
from tertium.cli.shared.inputs import check_specs, keep_testset
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.remarks import remark

if TYPE_CHECKING:
    from tertium.data.testset import Testset
    from tertium.report.explain.explained import Explanation
    from tertium.trees.parsers import Parser

__all__ = ["METRICS", "command"]


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    options = parse(argv)
    if options.spans:
        from tertium.cli.explain.spans import spans_command

        return spans_command(options)
    write(list(_explanations(options)), options)
    return 0


def _explanations(options: Options) -> Iterator[Explanation]:
    from tertium.report.explain import (
        explain,
        explain_permutation,
        explain_segments,
        read_segment_list,
    )

    if options.permutation is not None:
        from tertium.order.files import parse_permutation

        numbers = options.permutation.replace(",", " ")
        perm = parse_permutation(numbers, base=0 if options.zero_based else 1)
        yield explain_permutation(perm, metrics=options.metrics)
        return
    parser = _load_parser(options)
    reference = None if options.reference is None else options.reference - 1
    if options.hyp is not None:
        yield explain(
            options.hyp,
            options.ref or (),
            metrics=options.metrics or METRICS,
            alignment=options.alignment(),
            parser=parser,
            variant=options.variant,
            reference=reference,
        )
        return
    listed = None if options.list is None else read_segment_list(options.list)
    if listed is not None and not listed:
        remark(options, f"{options.list} lists no segment; nothing to explain")
    testset = _read(options)
    with Progress("segments", quiet=options.quiet) as progress:
        yield from explain_segments(
            testset,
            segments=options.segments,
            system=options.system,
            listed=listed,
            metrics=options.metrics,
            alignment=options.alignment(),
            parser=parser,
            variant=options.variant,
            reference=reference,
            progress=progress,
        )


def _read(options: Options) -> Testset:
    if options.permutations is None:
        check_specs(options.metrics)
        return keep_testset(options, link_tokenize=_link_tokenizer(options))
    from tertium.data.kept import keep_on_disk
    from tertium.order.files import stream_permutations

    files = flags.named_files(options.permutations)
    return keep_on_disk(stream_permutations(files, base=0 if options.zero_based else 1))


def _link_tokenizer(options: Options) -> str:
    """Return the tokeniser whose words the links of --alignments count."""
    if not options.alignments:
        return "none"
    if not options.metrics:
        return options.tokenize or "none"
    from tertium.engine.inputs import as_metrics
    from tertium.engine.layers import link_tokenizer

    return link_tokenizer(as_metrics(options.metrics).values())


def _load_parser(options: Options) -> Parser | None:
    if not options.parser:
        return None
    from tertium.trees.parsers import load_parser

    tokenize = options.tokenize or "own"
    return load_parser(options.parser, options.model or "", tokenize=tokenize)
