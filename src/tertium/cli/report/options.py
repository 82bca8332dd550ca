# SPDX-License-Identifier: Apache-2.0
"""The options of ``tertium report``."""

from __future__ import annotations

import os
from collections.abc import Sequence

from tertium.cli.shared import flags, values
from tertium.cli.shared.caching import add_cache
from tertium.cli.shared.inputs import add_input, add_layers, add_mtme
from tertium.cli.shared.values import Caching, Resegmented, frozen
from tertium.errors import InputError

__all__ = ["FORMATS", "Options", "parse"]

FORMATS = ("html", "json", "csv", "xlsx")
#: Extensions of what a report is not written as.
_OTHERS = frozenset(
    [".doc", ".docx", ".jsonl", ".md", ".parquet", ".pdf", ".tex", ".tsv", ".txt"]
)

_ABOUT = """\
Write one page on which system is better, how sure that is, where systems differ
and what they do differently, down to single segments. The page is one HTML file
that loads nothing: it can be sent, kept and read without a network.
"""

_EXAMPLES = """\
  tertium report demo -o report.html
  tertium report -r ref.txt -s src.txt -i A=a.txt B=b.txt -l en-de -o report.html
  tertium report newstest.jsonl -m chrf bleu ter --focus A B -o report.html --open
  tertium report newstest.jsonl --test randomisation --by-document -o report.html
  tertium report newstest.jsonl --tags domain.txt --training train.de -o report.html
  tertium report -r ref.txt -i A=a1.txt,a2.txt B=b1.txt,b2.txt -o report.html
  tertium report -r ref.txt -i A=a.txt B=b.jsonl --resegment -o report.html
  tertium report --ref-trees ref.conllu --trees A=a.conllu B=b.conllu -o report.html
  tertium report demo -o report.json
  tertium report demo -o report.xlsx

--focus names the two systems whose differences are looked at (default: the two that
are best by the first metric). --test and --correction are for pairs of systems, as in
`tertium compare`; groups of segments, words and errors have a bootstrap with Holm's
correction. With several runs of a system (NAME=FILE,FILE,...), "Systems" compares
means as `tertium compare` does; all else shows the first run.
With --trees and --ref-trees, the page has words by part of speech, and draws trees.
The JSON is that of `tertium compare`, with the scores of segments, "headline",
"cautions", "language" (of stems), "focus", "checks" (findings of `tertium check`),
"buckets" (scores of groups of segments), "words", "ngrams", "errors" (with "segments":
how many every output has), "gaps" (how often judges agreed with such a difference,
which may be chance where "better" is null),
"length_ratios", "habits" and "agreement" (of metrics); with --resegment also
"resegmented", as in `tertium score`. Segments of bleu have sentence BLEU (sentbleu).
With fewer than 20 segments, the bootstrap tests nothing, and p-values are null.
"""


@frozen
class Options(Resegmented, Caching):
    """The options of ``tertium report``."""

    focus: list[str] | None
    tags: list[str] | None
    training: str | None
    language: str | None
    test: str
    resamples: int | None
    correction: str
    alpha: float
    by_document: bool
    data_hash: bool
    title: str | None
    format: str | None
    output: str | None
    open: bool

    @property
    def written(self) -> str:
        """The format: as chosen, or by the extension of the file.

        Raises
        ------
        InputError
            If the file has the extension of something else that people expect.
        """
        if self.format is not None:
            return self.format
        extension = os.path.splitext(self.output or "")[1].lower()
        if extension[1:] in FORMATS:
            return extension[1:]
        if extension not in _OTHERS:  # such as report.2026-11-19
            return "html"
        raise InputError(
            f"a report is not written as {extension}; name a file that ends in "
            f".{', .'.join(FORMATS[:-1])} or .{FORMATS[-1]}, or choose with -f"
        )


def parse(argv: Sequence[str]) -> Options:
    """Return the options on a command line."""
    parser = flags.parser("report", _ABOUT, _EXAMPLES)
    add_input(parser, runs=True)
    add_mtme(parser)
    flags.add_metrics(parser, ("bleu", "chrf", "ter"))
    flags.add_scores(parser)
    parser.add_argument(
        "--focus",
        nargs=2,
        metavar=("A", "B"),
        help="the two systems whose differences are looked at",
    )
    parser.add_argument(
        "--tags",
        nargs="+",
        action="extend",
        metavar="[NAME=]FILE",
        help="group segments by these as well: a text file with one tag per segment, "
        "or a .tsv or .csv file with a header, one column per kind of tag",
    )
    parser.add_argument(
        "--training",
        metavar="FILE",
        help="the target side of the training corpus: words are rare or unseen there, "
        "not in the references",
    )
    parser.add_argument(
        "--language",
        metavar="CODE",
        help="of outputs and references, such as de, so that inflected forms are "
        "recognised (default: the target of the language pair)",
    )
    flags.add_tests(parser)
    flags.add_resegment(parser)
    flags.add_data_hash(parser)
    flags.add_run(parser)
    add_cache(parser, "statistics of segments, and trees of parsers,")
    parser.add_argument(
        "--title", metavar="TEXT", help="on the page (default: the test set's name)"
    )
    parser.add_argument(
        "-f",
        "--format",
        choices=FORMATS,
        help="(default: html, or as the extension of FILE says); csv: scores of groups "
        "of segments; xlsx: all scores, tests, groups and outputs",
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write there, not stdout"
    )
    flags.add_switch(parser, "--open", help="show the page in a browser")
    add_layers(parser)
    return values.parse(parser, argv, Options)
