# SPDX-License-Identifier: Apache-2.0
"""N-best lists in the format of Moses: ``NUMBER ||| TEXT ||| FEATURES ||| SCORE``.

The number is that of the sentence, counted from 0; the lines of a sentence are
adjacent, best first. What follows the text may be missing, and is not kept.
"""

from __future__ import annotations

from tertium._messages import quote
from tertium.data.lines import StrPath, display, open_lines
from tertium.errors import FormatError

__all__ = ["read_nbest"]

_BAR = "|||"


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
    last = -1
    for number, line in enumerate(open_lines(path), start=1):
        head, *rest = line.split(_BAR)
        name = head.strip()
        if not rest or not (name.isascii() and name.isdecimal()):
            what = (
                f"{quote(line)} is not a line of an n-best list; write NUMBER ||| "
                "TEXT, sentences counted from 0"
            )
            raise FormatError(what, path=display(path), line=number)
        sentence = int(name)
        if sentence < last:
            what = f"sentence {sentence} comes after {last}; sort the list by sentence"
            raise FormatError(what, path=display(path), line=number)
        if sentence > last + 1_000_000:
            what = f"sentence {sentence} comes after {last}; count sentences from 0"
            raise FormatError(what, path=display(path), line=number)
        last = sentence
        sentences.extend([] for _ in range(sentence + 1 - len(sentences)))
        sentences[sentence].append(" ".join(rest[0].split()))
    return sentences
