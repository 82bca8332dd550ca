# SPDX-License-Identifier: Apache-2.0
"""``tertium explain``: why a segment has its score, in words and drawings."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tertium.cli import options
from tertium.cli.choice import choose, read_list
from tertium.cli.layers import add_layers, check_links_options
from tertium.cli.progress import Progress
from tertium.cli.render import emit
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.data.testset import Testset
    from tertium.report.views import Explanation
    from tertium.trees.parsers import Parser

__all__ = ["command"]

_ABOUT = """\
Show why a segment has its score: findings in plain sentences, the alignment matrix,
the permutation with its trees, both dependency trees with what DTED mapped, DERP's
spanning tree, n-gram hits and word edits. As text, drawings, a page or JSON.
"""

_EXAMPLES = """\
  tertium explain demo --system order --segment 3
  tertium explain --hyp "at noon we meet" --ref "we meet at noon"
  tertium explain --permutation "2 4 5 6 1 3" -m recpef:beta=0.3 kendall
  tertium explain -r ref.txt -i a.txt --segments 3,7,10-12 -f html -o page.html
  tertium explain demo --system order --segment 3 -f svg -o drawings
  tertium explain demo --system order --segment 3 -f svg --draw forest > forest.svg
  tertium explain -r ref.txt -i a.txt --segment 3 --trees a.conllu --ref-trees r.conllu
  tertium explain -r ref.txt -i a.txt --segment 3 -p udpipe --model english.udpipe
  tertium score demo -m bleu --worst 5 -f tsv | tertium explain demo --list - -f html

The JSON has one object: {"tertium": VERSION, "segments": [{"hyp", "ref", "findings":
[{"kind", "text", ...}], "scores", "matches", "order": {"permutation", "forest", "tree",
"trees", "scores"}, "dependencies", "paths", "ngrams", "edits", ...}]}. Words count
from 0, segments from 1; trees are lists of nodes, parents first.
"""

#: Those of :func:`tertium.explain`.
METRICS = ("pef:tokenize=13a", "sentbleu", "chrf", "ter")
_DRAWINGS = ("alignment", "tree", "forest", "dependencies", "derp")


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    args = _parse(argv)
    _check(args)
    found = list(_explanations(args))
    if args.format == "json":
        _write_json(found, args)
    elif args.format == "html":
        _write_page(found, args)
    elif args.format == "svg":
        _write_drawings(found, args)
    else:
        _write_text(found, args)
    return 0


def _parse(argv: Sequence[str]) -> argparse.Namespace:
    parser = options.parser("explain", _ABOUT, _EXAMPLES)
    options.add_input(parser)
    parser.add_argument("--hyp", metavar="TEXT", help="an output given here")
    parser.add_argument(
        "--ref", metavar="TEXT", nargs="+", help="its reference or references"
    )
    parser.add_argument(
        "--permutation", metavar="VALUES", help='an order alone, such as "2 4 1 3"'
    )
    parser.add_argument(
        "--permutations",
        nargs="+",
        action="extend",
        metavar="[NAME=]FILE",
        help="files of orders, one a line",
    )
    parser.add_argument(
        "--zero-based", action="store_true", help="values of permutations begin at 0"
    )
    choice = parser.add_argument_group("which segments")
    choice.add_argument(
        "--segments",
        "--segment",
        metavar="LIST",
        help="segments by number, counted from 1, such as 3,7,10-12",
    )
    choice.add_argument(
        "--system", nargs="+", metavar="NAME", help="systems (default: all)"
    )
    choice.add_argument(
        "--list",
        "--worst",
        metavar="FILE",
        help="segments that `tertium score --worst N -f tsv` (or json) listed; - is "
        "stdin",
    )
    choice.add_argument(
        "--reference",
        type=options.number(1),
        metavar="N",
        help="which of several references (default: the best under the first metric)",
    )
    options.add_metrics(parser, METRICS)
    _add_alignment(parser)
    add_layers(parser)
    _add_trees(parser)
    parser.add_argument(
        "-f",
        "--format",
        choices=("text", "svg", "html", "json"),
        default="text",
        help="(default: text)",
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="write there, not stdout; a folder for several drawings",
    )
    parser.add_argument(
        "--draw",
        nargs="+",
        choices=_DRAWINGS,
        metavar="NAME",
        help=f"only these drawings: {' '.join(_DRAWINGS)}",
    )
    parser.add_argument(
        "--all",
        action="store_true",
        help="all findings, not only the most important (JSON always has all)",
    )
    parser.add_argument(
        "-q", "--quiet", action="store_true", help="no progress and no remarks"
    )
    args = parser.parse_args(argv)
    if args.metrics is parser.get_default("metrics"):
        # Not asked for: a list of segments or the tokeniser may say otherwise.
        args.metrics = []
    return args


def _add_alignment(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group(
        "alignment", "as each metric that aligns words does, unless given here"
    )
    group.add_argument(
        "--tokenize", metavar="NAME", help="the tokeniser (13a, none, ...)"
    )
    group.add_argument(
        "--match", metavar="NAMES", help="matchers such as exact+stem (default: exact)"
    )
    group.add_argument("--language", metavar="CODE", help="the language of stems")
    group.add_argument("--synonyms", metavar="FOLDER", help="WordNet's files")
    group.add_argument("--paraphrases", metavar="FILE", help="a table of paraphrases")
    group.add_argument(
        "--cased", action="store_true", help="words of different case do not match"
    )


def _add_trees(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group(
        "parsers", "without trees or a parser, trees are flattened"
    )
    group.add_argument("-p", "--parser", metavar="NAME", help="udpipe, spacy or stanza")
    group.add_argument("--model", metavar="PATH", help="the parser's model")
    group.add_argument(
        "--variant", metavar="NAME", help="of DTED: b, c, co or cl (default: cl)"
    )


def _check(args: argparse.Namespace) -> None:
    given = [
        args.permutation is not None,
        args.hyp is not None or args.ref is not None,
        args.permutations is not None,
        any((args.testset, args.references, args.systems, args.trees)),
    ]
    if sum(given) > 1:
        message = (
            "give a test set, --hyp with --ref, --permutation or --permutations; only "
            "one of them"
        )
        raise InputError(message)
    if (args.hyp is None) != (args.ref is None):
        message = "an output and its reference belong together; give --hyp and --ref"
        raise InputError(message)
    if not any(given):
        message = (
            "nothing to explain; give a test set before the options (try: demo), "
            "references with -r and systems with -i, --hyp with --ref, or --permutation"
        )
        raise InputError(message)
    if args.permutation is not None or args.hyp is not None:
        _check_alone(args)
    if args.permutation is not None or args.permutations is not None:
        _check_orders(args)
    if args.zero_based and args.permutation is None and args.permutations is None:
        message = (
            "--zero-based is about --permutation and --permutations; give one, or "
            "leave it out"
        )
        raise InputError(message)
    if args.all and args.format == "svg":
        message = "--all is about findings, and drawings have none; leave it out"
        raise InputError(message)
    check_links_options(args)
    if args.alignments and not args.metrics and not args.tokenize:
        # Links count words cut at white space.
        args.tokenize = "none"
    if args.model and not args.parser:
        message = f"--model {args.model} needs the name of its parser; add -p udpipe"
        raise InputError(message)
    if args.list is not None and args.segments is not None:
        message = "--list and --segments both choose segments; give one of them"
        raise InputError(message)


def _check_alone(args: argparse.Namespace) -> None:
    """Refuse options about test sets where the segment is on the command line."""
    what = "--hyp" if args.hyp is not None else "--permutation"
    names = ("segments", "system", "list", "source", "docs", "alignments", "ref_trees")
    for name in names:
        if getattr(args, name) is not None:
            message = (
                f"--{name.replace('_', '-')} is about a test set, and {what} gives one "
                "segment here; leave it out"
            )
            raise InputError(message)


def _check_orders(args: argparse.Namespace) -> None:
    """Refuse options about texts where there are only permutations."""
    names = ("parser", "model", "variant", "reference")
    given = [*_alignment(args), *(name for name in names if getattr(args, name))]
    for name in given:
        option = "cased" if name == "lowercase" else name
        message = (
            f"--{option} is about texts, and there are only permutations; leave it out"
        )
        raise InputError(message)


# ---------------------------------------------------------------------- explanations


def _explanations(args: argparse.Namespace) -> Iterator[Explanation]:
    from tertium.report import explain_permutation

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
        options.remark(args, f"{args.list} lists no segment; nothing to explain")
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
    from tertium.report import explain, explain_permutation

    perm = layer(hyp, "permutation")
    if isinstance(perm, tuple):
        return explain_permutation(
            perm, metrics=args.metrics, system=system, segment=segment
        )
    return explain(
        hyp,
        list(refs),
        metrics=args.metrics or METRICS,
        alignment=_alignment(args),
        parser=parser,
        variant=args.variant,
        reference=None if args.reference is None else args.reference - 1,
        source=source,
        system=system,
        segment=segment,
    )


def _alignment(args: argparse.Namespace) -> dict[str, str | bool]:
    """Return the settings of the aligner that were given."""
    names = ("tokenize", "match", "language", "synonyms", "paraphrases")
    given: dict[str, str | bool] = {
        name: getattr(args, name) for name in names if getattr(args, name) is not None
    }
    if args.cased:
        given["lowercase"] = False
    return given


def _read(args: argparse.Namespace) -> Testset:
    if args.permutations is None:
        return options.read_testset(args)
    from tertium.data.testset import join
    from tertium.order.files import stream_permutations

    files = options.named_files(args.permutations)
    return join(stream_permutations(files, base=0 if args.zero_based else 1))


def _load_parser(args: argparse.Namespace) -> Parser | None:
    if not args.parser:
        return None
    from tertium.cli.parse import load

    return load(args.parser, args.model or "", tokenize=args.tokenize or "own")


# --------------------------------------------------------------------------- writing


def _write_json(found: Sequence[Explanation], args: argparse.Namespace) -> None:
    import json

    from tertium._version import __version__

    segments = []
    for explanation in found:
        own = explanation.to_dict()
        del own["tertium"]
        segments.append(own)
    out = {"tertium": __version__, "segments": segments}
    emit(json.dumps(out, ensure_ascii=False, indent=2), args.output)


def _write_page(found: Sequence[Explanation], args: argparse.Namespace) -> None:
    from tertium.report import render_page

    title = "Why this score?" if len(found) == 1 else "Why these scores?"
    drawings = args.draw or ("alignment", "forest", "dependencies", "derp")
    page = render_page(
        found, title=title, drawings=drawings, relations=_relations(args)
    )
    emit(page, args.output)
    if args.output is not None:
        options.remark(args, f"{options.count(len(found), 'segment')} in {args.output}")


def _relations(args: argparse.Namespace) -> int | None:
    from tertium.report.findings import RELATIONS

    return None if args.all else RELATIONS


def _write_drawings(found: Sequence[Explanation], args: argparse.Namespace) -> None:
    from tertium.report import DRAWINGS

    names = args.draw or list(_DRAWINGS)
    folder = args.output is not None and not args.output.endswith(".svg")
    if not folder:
        if len(names) == 1 and len(found) == 1:
            emit(DRAWINGS[names[0]](found[0]).to_svg(), args.output)
            if args.output is not None:
                options.remark(args, f"1 drawing in {args.output}")
            return
        count = len(names) * len(found)
        message = (
            f"{count} drawings need a folder; give one with -o, or one drawing of one "
            "segment, such as --draw forest"
        )
        raise InputError(message)
    try:
        os.makedirs(args.output, exist_ok=True)
    except OSError as error:
        message = (
            f"cannot make the folder {args.output} ({error.strerror}); name another"
        )
        raise InputError(message) from None
    for explanation in found:
        for name in names:
            path = os.path.join(args.output, f"{_prefix(explanation)}{name}.svg")
            emit(DRAWINGS[name](explanation).to_svg(), path)
    options.remark(
        args, f"{options.count(len(names) * len(found), 'drawing')} in {args.output}"
    )


def _prefix(explanation: Explanation) -> str:
    parts = [] if explanation.segment is None else [f"{explanation.segment:04d}"]
    if explanation.system is not None:
        # Names may hold what paths may not.
        parts.append(re.sub(r"[^\w.+-]+", "_", explanation.system))
    return "".join(f"{part}-" for part in parts)


def _write_text(found: Sequence[Explanation], args: argparse.Namespace) -> None:
    import shutil

    from tertium.report import render_text
    from tertium.report.terminal import SECTIONS

    terminal = args.output is None and sys.stdout.isatty()
    width = shutil.get_terminal_size((80, 24)).columns if terminal else 80
    colour = terminal and not os.environ.get("NO_COLOR")
    texts = [
        render_text(
            explanation,
            sections=args.draw or SECTIONS,
            width=width,
            colour=colour,
            relations=_relations(args),
        )
        for explanation in found
    ]
    rule = "─" * width
    emit(f"\n{rule}\n\n".join(texts), args.output)
