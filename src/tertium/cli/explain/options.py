# SPDX-License-Identifier: Apache-2.0
"""The options of ``tertium explain``, and which of them go together."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace

from tertium.cli.shared import flags, values
from tertium.cli.shared.inputs import add_input, add_layers
from tertium.cli.shared.values import Input, Layers, frozen
from tertium.errors import InputError

__all__ = ["DIAGRAMS", "METRICS", "Options", "parse"]

_ABOUT = """\
Show why a segment has its score: findings in plain sentences, what a trained metric
(beer) took off for what, the alignment matrix, the permutation with its trees, both
dependency trees with what DTED mapped, DERP's spanning tree, n-gram hits and word
edits. As text, diagrams, a page or JSON. With --spans, mark where outputs are wrong and
how badly, by comparing them with references.
"""

_EXAMPLES = """\
  tertium explain demo --system order --segment 3
  tertium explain --hyp "at noon we meet" --ref "we meet at noon"
  tertium explain demo --system words --segment 30 -m beer:language=de
  tertium explain --permutation "2 4 5 6 1 3" -m recpef:beta=0.3 kendall
  tertium explain -r ref.txt -i a.txt --segments 3,7,10-12 -f html -o page.html
  tertium explain demo --system order --segment 3 -f svg -o diagrams
  tertium explain demo --system order --segment 3 -f svg --draw forest > forest.svg
  tertium explain -r ref.txt -i a.txt --segment 3 --trees a.conllu --ref-trees r.conllu
  tertium explain -r ref.txt -i a.txt --segment 3 -p udpipe --model english.udpipe
  tertium score demo -m bleu --worst 5 -f tsv | tertium explain demo --list - -f html
  tertium explain demo --spans --system words --segment 19
  tertium explain --spans -s src.txt -r ref.txt -i a.txt -l en-de -f json
  tertium explain --spans en-de.tsv --predictions baseline.en-de.jsonl

The JSON has one object: {"tertium": VERSION, "segments": [{"hyp", "ref", "findings":
[{"kind", "text", ...}], "scores", "losses": [{"metric", "score", "reference", "losses":
[{"group", "loss", "share", "points", "note": {"code", "values", "text"}, "words"}]}],
"parts": [{"metric", "score", "heading", "parts": [{"value", "text"}]}], "matches",
"order": {"permutation", "forest", "tree", "trees", "scores"},
"dependencies", "paths", "ngrams", "edits", "others": [{"view", "metric", ...}], ...}]}.
Words and references count from 0, segments from 1; trees are lists of nodes, parents
first; a path between words of more than 100 labels is null. "others" are views of
further metrics of one kind: with two variants of dted, both are shown. "points" of the
score are null where it is not linear in its features (below 0.1, older models); "share"
is the part of all losses.

With --spans, errors are found by a trained model. Minor ones are underlined by ~, major
ones by ^. It compares words with references (other words, forms and places), and with
the source (untranslated words); -l, or the name of the test set, chooses stems and word
frequencies. The score is from 0 to 100. --predictions writes a file that `tertium
correlate --spans` reads, in the format of WMT 2026; readers take the language pair from
its name. The JSON is
{"tertium", "model", "segments": [{"system", "segment", "name", "hyp", "refs", "score",
"spans": [{"start", "end", "severity", "category", "probability", "text"}]}]}; positions
are code points, the end is exclusive, and they are null for missing content.
"""

#: Those of :func:`tertium.explain`.
METRICS = ("pef", "sentbleu", "chrf", "ter")
DIAGRAMS = ("alignment", "tree", "forest", "dependencies", "derp")


@frozen
class Options(Input, Layers):
    """The options of ``tertium explain``."""

    hyp: str | None
    ref: Sequence[str] | None
    src: str | None
    permutation: str | None
    permutations: Sequence[str] | None
    zero_based: bool
    segments: str | None
    system: Sequence[str] | None
    list: str | None
    reference: int | None
    metrics: Sequence[str]
    tokenize: str | None
    match: str | None
    language: str | None
    synonyms: str | None
    paraphrases: str | None
    cased: bool
    parser: str | None
    model: str | None
    variant: str | None
    format: str
    output: str | None
    draw: Sequence[str] | None
    all: bool
    spans: bool
    predictions: str | None
    span_model: str | None
    span_threshold: float | None

    def alignment(self) -> dict[str, str | bool]:
        """Return the settings of the aligner that the user chose."""
        named = {
            "tokenize": self.tokenize,
            "match": self.match,
            "language": self.language,
            "synonyms": self.synonyms,
            "paraphrases": self.paraphrases,
            "lowercase": False if self.cased else None,
        }
        return {name: value for name, value in named.items() if value is not None}


def parse(argv: Sequence[str]) -> Options:
    """Return the options, which go together."""
    options = values.parse(_parser(), argv, Options)
    if options.metrics is METRICS:
        # Not asked for: a list of segments or the tokeniser may say otherwise.
        options = replace(options, metrics=[])
    _check(options)
    return options


def _parser() -> argparse.ArgumentParser:
    parser = flags.parser("explain", _ABOUT, _EXAMPLES)
    add_input(parser)
    parser.add_argument("--hyp", metavar="TEXT", help="one output, given as text")
    parser.add_argument(
        "--ref", metavar="TEXT", nargs="+", help="its reference or references"
    )
    parser.add_argument("--src", metavar="TEXT", help="its source, for --spans")
    parser.add_argument(
        "--permutation", metavar="VALUES", help='an order alone, such as "2 4 1 3"'
    )
    parser.add_argument(
        "--permutations",
        nargs="+",
        action="extend",
        metavar="[NAME=]FILE",
        help="permutation files, one permutation per line",
    )
    flags.add_switch(parser, "--zero-based", help="values of permutations begin at 0")
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
        type=flags.number(1),
        metavar="N",
        help="which of several references (default: the best under the first metric)",
    )
    flags.add_metrics(parser, METRICS)
    _add_alignment(parser)
    add_layers(parser)
    _add_trees(parser)
    _add_spans(parser)
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
        help="write there, not stdout; a folder for several diagrams",
    )
    parser.add_argument(
        "--draw",
        nargs="+",
        choices=DIAGRAMS,
        metavar="NAME",
        help=f"only these diagrams: {' '.join(DIAGRAMS)}",
    )
    flags.add_switch(
        parser,
        "--all",
        help="all findings and losses, not only the most important (JSON always has "
        "all)",
    )
    flags.add_switch(parser, "-q", "--quiet", help="no progress and no remarks")
    return parser


def _add_alignment(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group(
        "alignment", "by default, as in each metric that aligns words"
    )
    group.add_argument(
        "--tokenize", metavar="NAME", help="the tokeniser (words, 13a, none, ...)"
    )
    group.add_argument(
        "--match", metavar="NAMES", help="matchers such as exact+stem (default: exact)"
    )
    group.add_argument("--language", metavar="CODE", help="the language of stems")
    group.add_argument("--synonyms", metavar="FOLDER", help="WordNet's files")
    group.add_argument("--paraphrases", metavar="FILE", help="a table of paraphrases")
    flags.add_switch(group, "--cased", help="words of different case do not match")


def _add_trees(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group(
        "parsers", "without trees or a parser, trees are flattened"
    )
    group.add_argument("-p", "--parser", metavar="NAME", help="udpipe, spacy or stanza")
    group.add_argument("--model", metavar="PATH", help="the parser's model")
    group.add_argument(
        "--variant", metavar="NAME", help="of DTED: b, c, co or cl (default: cl)"
    )


def _add_spans(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("error spans")
    flags.add_switch(group, "--spans", help="mark errors in outputs, as text or JSON")
    group.add_argument(
        "--predictions",
        metavar="FILE",
        help="write the spans and scores of all outputs there (wmt26-predictions)",
    )
    group.add_argument(
        "--span-model", metavar="FILE", help="a span model (default: spans-1)"
    )
    group.add_argument(
        "--span-threshold",
        type=float,
        metavar="P",
        help="mark words that are wrong with at least this probability (default: that "
        "of the model, chosen for the best F on long texts; a lower one marks more)",
    )


def _check(options: Options) -> None:
    for name in ("predictions", "span_model", "span_threshold", "src"):
        if getattr(options, name) is not None and not options.spans:
            flag = name.replace("_", "-")
            raise InputError(f"--{flag} is about error spans; add --spans, or omit it")
    kinds = [
        options.permutation is not None,
        options.hyp is not None or options.ref is not None,
        options.permutations is not None,
        any((options.testset, options.references, options.systems, options.trees)),
    ]
    if sum(kinds) > 1:
        message = (
            "give a test set, --hyp with --ref, --permutation or --permutations; only "
            "one of them"
        )
        raise InputError(message)
    if (options.hyp is None) != (options.ref is None):
        message = "an output and its reference belong together; give --hyp and --ref"
        raise InputError(message)
    if not any(kinds):
        message = (
            "nothing to explain; give a test set before the options (try: demo), "
            "references with -r and systems with -i, --hyp with --ref, or --permutation"
        )
        raise InputError(message)
    if options.permutation is not None or options.hyp is not None:
        _check_alone(options)
    if options.permutation is not None or options.permutations is not None:
        _check_orders(options)
    elif options.zero_based:
        message = (
            "--zero-based is about --permutation and --permutations; give one, or "
            "omit it"
        )
        raise InputError(message)
    if options.all and options.format == "svg":
        message = "--all is about findings, and diagrams have none; omit it"
        raise InputError(message)
    if (options.one_based or options.sure_only) and not options.alignments:
        flag = "--one-based" if options.one_based else "--sure-only"
        raise InputError(f"{flag} is about --alignments; give them, or omit it")
    if options.model and not options.parser:
        message = f"--model {options.model} needs the name of its parser; add -p udpipe"
        raise InputError(message)
    if options.list is not None and options.segments is not None:
        message = "--list and --segments both choose segments; give one of them"
        raise InputError(message)


def _check_alone(options: Options) -> None:
    """Reject options about test sets where the segment is on the command line."""
    what = "--hyp" if options.hyp is not None else "--permutation"
    names = ("segments", "system", "list", "source", "docs", "alignments", "ref_trees")
    for name in names:
        if getattr(options, name) is not None:
            message = (
                f"--{name.replace('_', '-')} is about a test set, and {what} gives one "
                "segment here; omit it"
            )
            raise InputError(message)


def _check_orders(options: Options) -> None:
    """Reject options about texts where there are only permutations."""
    names = ("parser", "model", "variant", "reference")
    for name in (*options.alignment(), *(n for n in names if getattr(options, n))):
        option = "cased" if name == "lowercase" else name
        message = f"--{option} is about texts, and there are only permutations; omit it"
        raise InputError(message)
