# SPDX-License-Identifier: Apache-2.0
"""``tertium wordlist``: how frequent the words of a language are, for `beer`."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence

from tertium._messages import count
from tertium.cli.shared import flags, values
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.remarks import remark
from tertium.cli.shared.render import emit
from tertium.cli.shared.values import frozen
from tertium.errors import InputError

__all__ = ["command"]

_ABOUT = """\
Make a word list for trained metrics from plain text, or from the package wordfreq. With
the list of the target language, `beer` recognises words that were left untranslated.
"""

_EXAMPLES = """\
  tertium wordlist news.fr.gz wiki.fr.zst -l fr -o fr.words --licence "CC BY 4.0"
  tertium wordlist --wordfreq -l fr -o fr.words
  tertium train -t *-fr.tsv.gz -J *-fr.tsv --resource wordlist=fr.words -o fr.json
  tertium score -r ref.fr -i out.fr -m beer:model=fr.json,wordlist=fr.words
  tertium wordlist --show en house Haus
  tertium wordlist --show fr.words

A list holds fingerprints of words, three bytes per word, not the words themselves.
Words rarer than once in ten million (Zipf value 2) are left out. --show prints what a
list is and, for every word, its Zipf value: 6 is once in a thousand words, 3 once in a
million, 0 not in the list.
"""


@frozen
class Options(values.Remarks):
    """The options of the verb."""

    files: list[str]
    language: str | None
    wordfreq: bool
    show: str | None
    source: str | None
    licence: str
    least: float
    output: str | None


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    options = values.parse(_parser(), argv, Options)
    return _show(options) if options.show else _make(options)


def _show(options: Options) -> int:
    from tertium.text.wordlists import find_word_list

    words = find_word_list(options.show or "")
    lines = [
        f"language     {words.language}",
        f"words        {words.words:,}",
        f"source       {words.source}",
        f"licence      {words.licence}",
        f"fingerprint  {words.fingerprint}",
        *(f"{words.zipf(word.lower()):.1f}  {word}" for word in options.files),
    ]
    emit("".join(f"{line}\n" for line in lines), options.output)
    return 0


def _make(options: Options) -> int:
    from tertium._files import check_places
    from tertium.text.wordlists import make_word_list

    if options.language is None or options.output is None:
        raise InputError("a word list needs its language and a file; give -l and -o")
    if options.wordfreq == bool(options.files):
        raise InputError("give text files, or --wordfreq, and not both")
    check_places(options.files, [options.output])
    frequencies, source, licence = _frequencies(options)
    words = make_word_list(
        frequencies,
        language=options.language.lower(),
        source=options.source or source,
        licence=licence,
        least=options.least,
    )
    words.save(options.output)
    remark(options, f"{count(words.words, 'word')} written to {options.output}")
    return 0


def _frequencies(options: Options) -> tuple[Mapping[str, float], str, str]:
    """Return counted words, what they were counted in, and its licence."""
    from tertium.data import open_lines
    from tertium.text import wordlists

    if options.wordfreq:
        language = options.language or ""
        return (
            wordlists.wordfreq_frequencies(language),
            wordlists.WORDFREQ_SOURCE,
            wordlists.WORDFREQ_LICENCE,
        )
    with Progress("lines", quiet=options.quiet) as progress:
        counts = wordlists.count_lexemes(
            (line for file in options.files for line in open_lines(file)),
            progress=progress,
        )
    names = ", ".join(file.rpartition("/")[2] for file in options.files)
    return counts, names, options.licence


def _parser() -> argparse.ArgumentParser:
    from tertium.text.wordlists import LEAST_ZIPF

    parser = flags.parser("wordlist", _ABOUT, _EXAMPLES)
    parser.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help="plain text, also .gz .xz .bz2 .zst; - is stdin; with --show, words",
    )
    parser.add_argument("-l", "--language", metavar="CODE", help="such as fr")
    parser.add_argument(
        "--wordfreq", action="store_true", help="take the frequencies of wordfreq"
    )
    parser.add_argument(
        "--show", metavar="LIST", help="describe a list: a language or a file"
    )
    parser.add_argument(
        "--source", metavar="TEXT", help="what was counted (default: the file names)"
    )
    parser.add_argument(
        "--licence",
        default="as the text",
        metavar="TEXT",
        help="the terms of the text, stored in the list",
    )
    parser.add_argument(
        "--least",
        type=float,
        default=LEAST_ZIPF,
        metavar="ZIPF",
        help=f"leave out rarer words (default: {LEAST_ZIPF:g})",
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="the word list; with --show, the text"
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress")
    return parser
