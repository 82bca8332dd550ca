# SPDX-License-Identifier: Apache-2.0
"""``tertium align``: links between words, made, joined, converted and judged."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from tertium._messages import count
from tertium.cli.align.options import SETTINGS, SYMMETRISE, parse
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.remarks import remark
from tertium.cli.shared.render import Table, emit, render
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.align import Aligner, AlignmentQuality, BilingualAligner, Links


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    args = parse(argv)
    with Progress("segments", quiet=args.quiet) as progress:
        segments = _segments(args, progress)
        if args.gold is None:
            _write(segments, args, args.output)
            return 0
        found = list(segments)
    quality = _judge(found, args)
    if args.output is not None:
        _write(found, args, args.output)
    _show(quality, args)
    return 0


def _segments(args: argparse.Namespace, progress: Progress) -> Iterable[Links]:
    if args.bilingual:
        return _bilingual(args)
    if args.pivot is not None:
        return _pivot(args)
    if args.links is not None:
        return _given(args)
    return _monolingual(args, progress)


def _aligner(args: argparse.Namespace) -> Aligner:
    """Return the aligner of outputs and references; its settings are all here."""
    from tertium.align import Aligner
    from tertium.errors import UnknownNameError
    from tertium.text.tokenizers import NATIVE_TOKENIZERS

    if args.tokenize not in NATIVE_TOKENIZERS:
        raise UnknownNameError("tokeniser", args.tokenize, NATIVE_TOKENIZERS)
    try:
        return Aligner(
            tokenize=args.tokenize,
            lowercase=not args.case,
            aligner=args.aligner,
            match=args.match,
            language=args.language,
            synonyms=args.synonyms,
            paraphrases=args.paraphrases,
        )
    except InputError as error:
        # Settings go by other names here: match=exact is --match exact.
        names = "|".join(SETTINGS)
        said = re.sub(rf"\b({names})=", r"--\1 ", str(error))
        raise InputError(said) from None


def _monolingual(args: argparse.Namespace, progress: Progress) -> Iterator[Links]:
    from tertium.align import from_matches
    from tertium.data import stream

    aligner = _aligner(args)
    if args.tokenize != "none":
        remark(
            args,
            f"these links count words cut by {args.tokenize}; `tertium score "
            "--alignments` counts words cut at white space, so for it tokenise the "
            "texts first and leave out --tokenize",
        )
    done = 0
    systems = [("system", args.systems)]
    for chunk in stream(references=[args.references], systems=systems):
        hyps = chunk.systems["system"]
        pairs = aligner.pairs([hyps], chunk.references, threads=args.threads)
        for index in range(len(chunk)):
            yield from_matches(pairs.matches(0, index, 0))
        done += len(chunk)
        progress(done)


def _bilingual(args: argparse.Namespace) -> list[Links]:
    from tertium.align import CommandAligner, Eflomal, align_bilingual
    from tertium.data import read

    aligner: BilingualAligner
    if args.command:
        aligner = CommandAligner(args.command)
    else:
        aligner = Eflomal(priors=args.priors)
    texts = read(sources=args.source, references=[args.target])
    targets = [refs[0] for refs in texts.references]
    size = count(len(targets), "segment")
    remark(args, f"aligning {size} in both directions, which may take a while")
    return align_bilingual(
        texts.sources or [],
        targets,
        aligner=aligner,
        symmetrise=args.symmetrise or SYMMETRISE,
    )


def _pivot(args: argparse.Namespace) -> list[Links]:
    from tertium.align import compose_all

    first, second = args.pivot
    src = _text(args.source)
    return compose_all(
        _read(first, args, "links", src, _text(args.systems)),
        _read(second, args, "links", src, _text(args.references)),
        combine=args.combine or "max",
    )


def _given(args: argparse.Namespace) -> list[Links]:
    from tertium.align import symmetrise_all

    left = _text(args.source if args.systems is None else args.systems)
    right = _text(args.target if args.references is None else args.references)
    found = [_read(path, args, "links", left, right) for path in args.links]
    if len(found) == 1:
        return found[0]
    return symmetrise_all(found[0], found[1], method=args.symmetrise or SYMMETRISE)


def _text(path: str | None) -> list[str] | None:
    from tertium.data import read

    return None if path is None else [r[0] for r in read(references=[path]).references]


def _read(
    path: str,
    args: argparse.Namespace,
    role: str,
    hyps: Sequence[str] | None = None,
    refs: Sequence[str] | None = None,
) -> list[Links]:
    from tertium.align import read_naacl, read_pharaoh

    if args.input_format == "naacl":
        return read_naacl(path, hyps=hyps, refs=refs)
    return read_pharaoh(path, base=_base(args, role), hyps=hyps, refs=refs)


def _base(args: argparse.Namespace, role: str) -> int:
    """Return the number of the first word in files of a role."""
    named = args.one_based
    return 0 if named is None else int(not named or role in named)


def _judge(found: Sequence[Links], args: argparse.Namespace) -> AlignmentQuality:
    from tertium.align import alignment_quality, read_naacl

    if args.input_format == "naacl":
        gold = read_naacl(args.gold, segments=len(found))
    else:
        gold = _read(args.gold, args, "gold")
    return alignment_quality(found, gold)


def _write(
    segments: Iterable[Links], args: argparse.Namespace, output: str | None
) -> None:
    from tertium.align.naacl import write_naacl
    from tertium.align.pharaoh import write_pharaoh

    place = "-" if output is None else output
    if args.format == "json":
        links = [[link._asdict() for link in own] for own in segments]
        emit(_json({"links": links}), output)
    elif args.format == "naacl":
        write_naacl(place, segments)
    else:
        write_pharaoh(place, segments, base=_base(args, "output"))


def _show(quality: AlignmentQuality, args: argparse.Namespace) -> None:
    counts = {"links": quality.found, "sure": quality.sure}
    counts["possible"] = quality.possible
    shares = {"precision": quality.precision, "recall": quality.recall}
    shares |= {"f1": quality.f1, "aer": quality.aer}
    if args.format == "json":
        emit(_json({"quality": {**counts, **shares}}), None)
        return
    row = [f"{n:,}" for n in counts.values()] + [f"{x:.4f}" for x in shares.values()]
    head = [*counts, "precision", "recall", "F1", "AER ↓"]
    render([Table(head, [row], left=0)], "table")


def _json(content: dict[str, object]) -> str:
    from tertium._version import __version__

    return json.dumps({"tertium": __version__, **content}, ensure_ascii=False)
