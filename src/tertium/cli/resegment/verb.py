# SPDX-License-Identifier: Apache-2.0
"""``tertium resegment``: outputs in the lines of the reference."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from tertium._files import check_places
from tertium.cli.shared import flags, values
from tertium.cli.shared.parsers import note_facts
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.remarks import remark_note
from tertium.cli.shared.render import emit_json, render
from tertium.cli.shared.values import Remarks, frozen
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.data.segmentation import Resegmentation

__all__ = ["Options", "add_resegmenting", "command"]

_ABOUT = """\
Cut an output into the lines of its reference: for systems that translate whole
documents, or put line breaks elsewhere. All words are kept, in their order; only white
space at cuts is lost.

--by words (the default) cuts anywhere, such that the word edit distance from the
reference is the smallest (the idea of mwerSegmenter; exact). Among equal cuts, segments
rather end where a sentence of the output ends, then where a line does. --by similarity
links whole lines first, one to four with one or two with two, by the characters that
they share; documents may have 4,000 lines, and more where few are missing.

Documents are cut one by one: by the ids in the files (JSON lines, SGML), by --docs and
--output-docs, or, if the output has one line per document or a blank line between
documents and that fits, in order.
"""

_EXAMPLES = """\
  tertium resegment -r ref.txt -i out.txt -o out.matched.txt
  tertium resegment -r ref.txt --docs docs.txt -i documents.jsonl -o out.txt
  tertium resegment -r ref.txt -i out.txt -f tsv -o segments.tsv
  tertium resegment -r ref.txt -i out.txt --by similarity -o out.txt --merge ref.merged
  tertium score -r ref.txt -i A=a.txt B=b.jsonl --resegment

JSON lines have one document each: {"doc_id": ID, "hypothesis": TEXT}, as WMT25 and
WMT26 publish outputs, or a test set with src_text and refs. Lines of an output end at
line ends, <p> and <br>; segments of a reference are its paragraphs, between blank lines
or in <p>. Documents without a reference are left out.

The JSON has one object: {"tertium": VERSION, "by", "unchanged", "lines", "documents",
"documents_by", "edits", "matched": share of words, "uncertain": [segment], "segments":
[{"text", "document", "words", "reference_words", "matched", "edits", "places",
"margins", "inside_sentence", "certainty"}], "links": [{"segments", "lines",
"similarity"}]}. Pairs are about start and end: how many places are as good, how many
edits the second-best one costs (0 to 2), and whether it lies inside a sentence. A
segment with a certainty below 0.5 is uncertain.
"""

_FORMATS = ("text", *flags.FORMATS)


@frozen
class Options(Remarks):
    """The options of ``tertium resegment``."""

    references: list[str]
    system: str
    docs: str | None
    output_docs: str | None
    by: str
    exact: bool
    text_key: str | None
    always: bool
    merge: str | None
    format: str
    output: str | None
    threads: int | None


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    from tertium.data.lines import display, open_lines
    from tertium.data.segmentation import read_documents, resegment
    from tertium.data.segmentation.testsets import read_references

    options = values.parse(_parser(), argv, Options)
    _check(options)
    known = read_references(options.references, options.docs, text_key=options.text_key)
    refs, docs = known.texts, known.docs
    output = known.matching(read_documents(options.system, text_key=options.text_key))
    output_docs = output.docs
    if options.output_docs is not None:
        output_docs = list(open_lines(options.output_docs))
    with Progress("segments", quiet=options.quiet) as progress:
        result = resegment(
            refs,
            output.lines,
            docs=docs,
            output_docs=output_docs,
            by=options.by,
            exact=options.exact,
            always=options.always,
            threads=options.threads,
            progress=progress,
        )
    _write(options, refs, result)
    note_facts(by=result.by, segments=len(result.segments))
    for note in result.notes(display(options.system)):
        remark_note(options, note)
    return 0


def _check(options: Options) -> None:
    """Reject options that do not go together, before long work."""
    read = [*options.references, options.system, options.docs, options.output_docs]
    check_places(read, [options.output, options.merge])
    if options.merge is not None:
        if options.by != "similarity":
            message = "--merge joins lines that are linked; add --by similarity"
            raise InputError(message)
        if options.format != "text" or len(options.references) > 1:
            message = "--merge writes the lines of one reference; omit -f, and give one"
            raise InputError(message)


def _write(
    options: Options, refs: Sequence[Sequence[str]], result: Resegmentation
) -> None:
    if options.format == "json":
        emit_json(result.to_dict(), options.output)
    elif options.format != "text":
        from tertium.report.tables.segmentation import segmentation_tables
        from tertium.report.tables.style import Style

        tables = segmentation_tables(result, Style(options.format, None))
        render(tables, options.format, output=options.output)
    elif options.merge is not None:
        from tertium.data.lines import write_lines

        merged, texts = result.merged(refs)
        write_lines(options.merge, (texts[0] for texts in merged))
        _write_text(texts, options.output)
    else:
        _write_text(result.texts, options.output)


def _write_text(lines: Iterable[str], output: str | None) -> None:
    if output is None or output == "-":
        sys.stdout.writelines(f"{line}\n" for line in lines)
        return
    from tertium.data.lines import write_lines

    write_lines(output, lines)


def add_resegmenting(parser: argparse._ActionsContainer) -> None:
    """Add the options that say how outputs are cut."""
    parser.add_argument(
        "--by",
        choices=("words", "similarity"),
        default="words",
        help="cut anywhere by word edit distance, or link whole lines first (default: "
        "words)",
    )
    flags.add_switch(
        parser,
        "--exact",
        help="compare words as they are written; by default case, punctuation around "
        "words and tags such as <p> do not count",
    )
    parser.add_argument(
        "--text-key",
        metavar="KEY",
        help="the key of texts in .jsonl files (default: hypothesis, translation, "
        "output, reference, ref, target, tgt_text, tgt or text)",
    )


def _parser() -> argparse.ArgumentParser:
    parser = flags.parser("resegment", _ABOUT, _EXAMPLES)
    parser.add_argument(
        "-r",
        "--references",
        nargs="+",
        action="extend",
        required=True,
        metavar="FILE",
        help="references whose lines the output gets: text, SGML or .jsonl with one "
        "document per line (also .gz .xz .bz2 .zst; - is stdin)",
    )
    parser.add_argument(
        "-i",
        "--system",
        required=True,
        metavar="FILE",
        help="the output, in the same formats",
    )
    parser.add_argument(
        "--docs", metavar="FILE", help="the document id of every reference line"
    )
    parser.add_argument(
        "--output-docs", metavar="FILE", help="the document id of every output line"
    )
    add_resegmenting(parser)
    flags.add_switch(
        parser,
        "--always",
        help="also cut an output that has as many lines as the reference",
    )
    parser.add_argument(
        "--merge",
        metavar="FILE",
        help="with --by similarity: write one line per group of linked lines, and the "
        "reference in the same lines to FILE",
    )
    parser.add_argument(
        "-f",
        "--format",
        choices=_FORMATS,
        default="text",
        help="text: the output in lines; json; or a table of segments with how sure "
        "they are (default: text)",
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write there, not stdout"
    )
    flags.add_threads(parser)
    return parser
