# SPDX-License-Identifier: Apache-2.0
"""Layers that a user brings as files beside a test set: links, trees, sets.

A layer joins its texts while they stream by: its file is read in step with the
chunks, so memory does not grow with it. To add one: an option in `add_layers`, its
files in `layer_paths`, and a function like `_with_alignments` in `apply_layers`.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator, Mapping, Sequence, Sized
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias

from tertium.cli.shared.set_layer import add_sets, check_sets, set_paths, with_sets
from tertium.cli.shared.tree_layer import (
    add_trees,
    tree_options,
    tree_paths,
    with_tree_files,
)
from tertium.errors import FormatError, InputError

if TYPE_CHECKING:
    from tertium.align.links import Links
    from tertium.data.testset import Testset
    from tertium.metrics import Metric

__all__ = [
    "add_layers",
    "apply_layers",
    "check_layers",
    "check_links_options",
    "layer_paths",
    "metric_parts",
    "named_files",
    "systems_of",
]

_Chunks: TypeAlias = "Callable[[], Iterator[Testset]]"


def add_layers(parser: argparse.ArgumentParser) -> None:
    """Add the options that bring layers."""
    group = parser.add_argument_group("layers")
    group.add_argument(
        "--alignments",
        nargs="+",
        action="extend",
        metavar="[NAME=]FILE[,FILE]",
        help="links of a system's words with those of the reference, for metrics over "
        "aligned words: one line per segment such as `0-0 2-1` (Pharaoh), output "
        "first, counting the words of --trees and --ref-trees, or else words cut at "
        "white space; one file per reference; NAME may be omitted where there is one "
        "system",
    )
    group.add_argument(
        "--one-based", action="store_true", help="links count words from 1, not 0"
    )
    group.add_argument(
        "--sure-only",
        action="store_true",
        help="leave out links that are only possible (1p2), which otherwise count as "
        "sure ones do",
    )
    add_trees(group)
    add_sets(group)


def layer_paths(args: argparse.Namespace) -> list[str]:
    """Return the files of all layers, as they were named."""
    given = named_files(getattr(args, "alignments", None), "--alignments")
    links = [path for paths in given.values() for path in paths]
    return [*links, *tree_paths(args), *set_paths(args)]


def apply_layers(args: argparse.Namespace, chunks: _Chunks) -> _Chunks:
    """Return a function that streams the test set with its layers."""
    # Trees first: links count the words of a tree where there is one.
    chunks = with_tree_files(args, chunks)
    if getattr(args, "alignments", None):
        files = named_files(args.alignments, "--alignments")
        chunks = _with_alignments(
            chunks, files, base=int(args.one_based), sure_only=args.sure_only
        )
    return with_sets(args, chunks)


def check_layers(args: argparse.Namespace, metrics: Mapping[str, Metric]) -> None:
    """Refuse layers that no metric reads, or whose words a metric cuts otherwise."""
    check_links_options(args)
    named = [metric for own in metrics.values() for metric in metric_parts(own)]
    _check_trees_are_read(args, named)
    # They may bring the references.
    check_sets(args, named, needed=not (args.testset or args.references))
    if not args.alignments:
        return
    if not any("links" in metric.layers for metric in named):
        raise InputError(
            f"none of {', '.join(metrics)} reads links; leave out --alignments, or "
            "name a metric over aligned words such as aligned-percentage or pef"
        )
    from tertium.metrics.aligned import AlignedMetric

    for metric in named:
        if not isinstance(metric, AlignedMetric):
            continue
        if tree_paths(args):
            if "tree" not in metric.layers:
                raise InputError(
                    f"with --trees, --alignments counts the words of trees, which "
                    f"{metric.spec} does not read; score it in a run without --trees"
                )
        elif metric.word_splitter(linked=True) != "none":
            raise InputError(
                f"--alignments counts words cut at white space, and {metric.spec} cuts "
                f"by {metric.tokenize}; tokenise the texts first and use tokenize=none"
            )


def check_links_options(args: argparse.Namespace) -> None:
    """Refuse options about links where there are none."""
    for name in ("one_based", "sure_only"):
        if getattr(args, name) and not args.alignments:
            option = f"--{name.replace('_', '-')}"
            raise InputError(f"{option} is about --alignments; give them, or leave it")


def _check_trees_are_read(args: argparse.Namespace, metrics: Sequence[Metric]) -> None:
    # Files of trees may bring the texts.
    if any("tree" in metric.layers for metric in metrics):
        return
    texts = {"--trees": args.systems, "--ref-trees": args.references}
    for (option, given), own in zip(texts.items(), tree_options(args), strict=True):
        if own and (args.testset or given):
            raise InputError(
                f"none of {', '.join(metric.spec for metric in metrics)} reads trees; "
                f"leave out {option}, or name a metric over trees such as dted or derp"
            )


def metric_parts(metric: Metric) -> Iterator[Metric]:
    """Yield a metric, or those that it is a mean of."""
    from tertium.metrics.mean import Mean

    if not isinstance(metric, Mean):
        yield metric
        return
    for part, _ in metric.parts:
        yield from metric_parts(part)


def named_files(items: Sequence[str] | None, option: str) -> dict[str, list[str]]:
    """Return the files of every system of ``NAME=FILE,FILE``; no name is ``""``."""
    found: dict[str, list[str]] = {}
    for item in items or ():
        name, equals, rest = item.partition("=")
        # A file whose own name has an equals sign or a comma is meant as it stands.
        if not equals or os.path.exists(item):
            name, rest = "", item
        paths = [rest] if os.path.exists(rest) else rest.split(",")
        if not all(paths):
            raise InputError(f"{option} {item} names no file; give NAME=FILE")
        found.setdefault(name, []).extend(paths)
    return found


def systems_of(
    files: Mapping[str, list[str]], chunk: Testset, option: str
) -> dict[str, list[str]]:
    """Return the files by systems of the test set; refuse names it lacks."""
    known = list(chunk.systems)
    out = {}
    for name, paths in files.items():
        if not name and len(known) == 1:
            name = known[0]
        elif not name:
            raise InputError(
                f"{option} {','.join(paths)} does not say of which system; give "
                f"NAME={','.join(paths)} with one of {', '.join(known)}"
            )
        if name not in known:
            raise InputError(
                f"{option} names system {name!r}, which is not there; choose from "
                f"{', '.join(known)}"
            )
        if name in out:
            raise InputError(f"{option} names system {name!r} in two ways; keep one")
        out[name] = paths
    return out


def _with_alignments(
    open_chunks: _Chunks,
    files: Mapping[str, list[str]],
    *,
    base: int,
    sure_only: bool,
) -> _Chunks:
    from tertium.align.links import with_links
    from tertium.align.pharaoh import stream_pharaoh
    from tertium.data.annotated import Annotated

    def opened() -> Iterator[Testset]:
        streams: dict[str, list[Iterator[Links]]] = {}
        chosen: dict[str, list[str]] = {}
        done = 0
        for chunk in open_chunks():
            if not chosen:
                chosen = systems_of(files, chunk, "--alignments")
                streams = {
                    name: [stream_pharaoh(path, base=base) for path in paths]
                    for name, paths in chosen.items()
                }
            systems = dict(chunk.systems)
            for name, paths in chosen.items():
                _check_references(chunk, paths, name, done)
                columns = [
                    _take(stream, path, chunk, name, ref, done)
                    for ref, (stream, path) in enumerate(
                        zip(streams[name], paths, strict=True)
                    )
                ]
                if sure_only:
                    columns = [[_sure(own) for own in column] for column in columns]
                linked = with_links(systems[name], *columns)
                if sure_only:  # Said in signatures.
                    linked = [
                        Annotated(text, {**text.layers, "sure": True})
                        for text in linked
                    ]
                systems[name] = list(linked)
            done += len(chunk)
            yield replace(chunk, systems=systems)
        for name, paths in chosen.items():
            for stream, path in zip(streams[name], paths, strict=True):
                _check_end(stream, path, done)

    return opened


def _take(
    stream: Iterator[Links],
    path: str,
    chunk: Testset,
    name: str,
    ref: int,
    done: int,
) -> list[Links]:
    """Return the links of a chunk, each checked against its texts."""
    from tertium._messages import count
    from tertium.align.pharaoh import check_segments
    from tertium.data.lines import display

    column = list(islice(stream, len(chunk)))
    if len(column) < len(chunk):
        raise FormatError(
            f"the links end after {count(done + len(column), 'line')}, the test set "
            "has more segments; give one line per segment, blank if there are no links",
            path=display(path),
        )
    hyps = [_counted(text) for text in chunk.systems[name]]
    texts = [_counted(refs[ref]) for refs in chunk.references]
    check_segments(column, hyps, texts, path=path, line=done + 1)
    return column


def _sure(links: Links) -> Links:
    return tuple(link for link in links if link.sure)


def _counted(text: str) -> str:
    """Return a text of as many words as links count: those of the tree, if any."""
    from tertium.data.annotated import layer

    tree = layer(text, "tree")
    return " ".join("-" * len(tree)) if isinstance(tree, Sized) else text


def _check_references(
    chunk: Testset, paths: Sequence[str], name: str, done: int
) -> None:
    from tertium._messages import count

    for number, refs in enumerate(chunk.references, start=done + 1):
        if len(refs) != len(paths):
            raise InputError(
                f"--alignments has {count(len(paths), 'file')} for system {name!r}, "
                f"and segment {number} has {count(len(refs), 'reference')}; give one "
                f"file per reference, as {name}=FILE,FILE"
            )


def _check_end(stream: Iterator[Links], path: str, done: int) -> None:
    from tertium.data.lines import display

    if next(stream, None) is not None:
        raise FormatError(
            f"there are links beyond the {done} segments of the test set; "
            "give one line per segment",
            path=display(path),
            line=done + 1,
        )
