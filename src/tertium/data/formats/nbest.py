# SPDX-License-Identifier: Apache-2.0
"""N-best lists in the format of Moses: ``NUMBER ||| TEXT ||| FEATURES ||| SCORE``.

The number is that of the sentence, counted from 0; the lines of a sentence are
adjacent, best first. What follows the text may be missing. ``read_nbest`` keeps the
texts only; :mod:`tertium.tuning.reading` also reads features and scores.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tertium._messages import quote
from tertium.data.lines import StrPath, display, open_lines
from tertium.errors import FormatError

__all__ = ["BAR", "nbest_fields", "read_nbest"]

#: What separates the fields of a line.
BAR = "|||"


def read_nbest(path: StrPath) -> list[list[str]]:
    r"""Return the candidates of every sentence, in the order of the list.

    Parameters
    ----------
    path : str or path
        May be compressed; ``-`` is standard input.

    Returns
    -------
    list of list of str
        A sentence without candidates has an empty list.

    Raises
    ------
    FormatError
        When a line is none of a list, with its number.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "a.nbest")
    ...     size = file.write_text("0 ||| a cat ||| lm: -1 ||| -2\n1 ||| two dogs\n")
    ...     read_nbest(file)
    [['a cat'], ['two dogs']]
    """
    sentences: list[list[str]] = []
    for _, sentence, fields in nbest_fields(open_lines(path), path=path):
        sentences.extend([] for _ in range(sentence + 1 - len(sentences)))
        sentences[sentence].append(" ".join(fields[0].split()))
    return sentences


def nbest_fields(
    lines: Iterable[str], *, path: StrPath
) -> Iterator[tuple[int, int, list[str]]]:
    """Yield line number, sentence and the other fields of every line, unstripped.

    Parameters
    ----------
    lines : iterable of str
        All lines of a list.
    path : str or path
        Where they are from, for messages.

    Raises
    ------
    FormatError
        When a line is none of a list, or sentences are not in order.

    Examples
    --------
    >>> list(nbest_fields(["0 ||| a cat ||| lm= -1"], path="a.nbest"))
    [(1, 0, [' a cat ', ' lm= -1'])]
    """
    sentence, before = -1, ""
    for number, line in enumerate(lines, start=1):
        head, *fields = line.split(BAR)
        if head != before or not fields:  # Most lines repeat the number before them.
            name = head.strip()
            if not fields or not (name.isascii() and name.isdecimal()):
                what = (
                    f"{quote(line)} is not a line of an n-best list; write NUMBER ||| "
                    "TEXT, sentences counted from 0"
                )
                raise FormatError(what, path=display(path), line=number)
            if cure := _out_of_order(int(name), sentence):
                what = f"sentence {name} comes after {sentence}; {cure}"
                raise FormatError(what, path=display(path), line=number)
            sentence, before = int(name), head
        yield number, sentence, fields


def _out_of_order(sentence: int, before: int) -> str | None:
    """Return what to do about a number that cannot follow another."""
    if sentence < before:
        return "sort the list by sentence"
    if sentence > before + 1_000_000:
        return "count sentences from 0"
    return None
