# SPDX-License-Identifier: Apache-2.0
"""Link files in Pharaoh's format: one line per segment, ``0-0 1-2 2-1``.

Words are counted from 0, or from 1 with `base` 1. A link that annotators considered
only possible is ``1p2``, ``1?2``, ``1-2:p`` or ``1-2-P``; a sure one may also be
``1-2:s`` or ``1-2-S``. A weight follows a colon: ``1-2:0.83``.
Files are written with ``1-2`` and ``1p2``, and weights other than 1. A blank line
stands for a segment without links.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from tertium._messages import count, quote
from tertium.align.links import Link, Links, as_links, check_links
from tertium.data.lines import StrPath, display, open_lines, write_lines
from tertium.errors import FormatError, InputError

__all__ = [
    "check_segments",
    "format_pharaoh",
    "parse_pharaoh",
    "read_pharaoh",
    "stream_pharaoh",
    "write_pharaoh",
]

# Nine digits are enough for any text, and keep int() fast on any input.
_TOKEN = re.compile(
    r"([0-9]{1,9})([-p?])([0-9]{1,9})"
    r"(?::([0-9]+(?:\.[0-9]*)?(?:[eE][-+]?[0-9]{1,3})?|\.[0-9]+))?"
    r"(?:[-:]([pPsS]))?"
)


def parse_pharaoh(line: str, *, base: int = 0) -> Links:
    """Return the links of one line.

    Parameters
    ----------
    line : str
    base : int
        The number of the first word in the line: 0 or 1.

    Raises
    ------
    InputError
        For an invalid link.

    Examples
    --------
    >>> parse_pharaoh("0-0 2p1:0.5")
    (Link(hyp=0, ref=0, weight=1.0, sure=True), Link(hyp=2, ref=1, weight=0.5, \
sure=False))
    >>> parse_pharaoh("1-1", base=1) == parse_pharaoh("0-0")
    True
    """
    _check_base(base)
    return as_links(_link(token, base) for token in line.split())


def format_pharaoh(links: Links, *, base: int = 0, weights: bool = True) -> str:
    """Return links as a line.

    Parameters
    ----------
    links : Links
    base : int
        The number of the first word: 0 or 1.
    weights : bool
        Whether to write weights other than 1.

    Examples
    --------
    >>> format_pharaoh(parse_pharaoh("2?1:0.5 0-0:1"), base=1)
    '1-1 3p2:0.5'
    """
    _check_base(base)
    return " ".join(
        f"{hyp + base}{'-' if sure else 'p'}{ref + base}"
        + (f":{weight!r}" if weights and weight != 1.0 else "")
        for hyp, ref, weight, sure in links
    )


def stream_pharaoh(path: StrPath, *, base: int = 0) -> Iterator[Links]:
    """Yield the links of each line of a file, which may be compressed.

    Raises
    ------
    FormatError
        With file and line, when iteration reaches an invalid line.
    """
    _check_base(base)
    for number, line in enumerate(open_lines(path), start=1):
        try:
            yield parse_pharaoh(line, base=base)
        except InputError as error:
            raise FormatError(
                str(error), path=display(path), line=number, options=error.options
            ) from None


def read_pharaoh(
    path: StrPath,
    *,
    base: int = 0,
    hyps: Sequence[str] | None = None,
    refs: Sequence[str] | None = None,
) -> list[Links]:
    """Return the links of each line of a file.

    Parameters
    ----------
    path : str or path
        The file; ``-`` for standard input. May be compressed.
    base : int
        The number of the first word in the file: 0 or 1.
    hyps, refs : sequence of str, optional
        The texts that the links belong to, to check the links against; they are
        split at white space.

    Raises
    ------
    FormatError
        With file and line, for a link that is invalid, lies outside its texts, or
        has no text.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "a.links.gz")
    ...     write_pharaoh(file, [parse_pharaoh("0-0 1p2"), ()])
    ...     [format_pharaoh(links) for links in read_pharaoh(file)]
    ['0-0 1p2', '']
    """
    segments = list(stream_pharaoh(path, base=base))
    check_segments(segments, hyps, refs, path=path)
    return segments


def check_segments(
    segments: Sequence[Links],
    hyps: Sequence[str] | None,
    refs: Sequence[str] | None,
    *,
    path: StrPath,
    line: int | None = 1,
) -> None:
    """Raise an error if links do not fit the texts they belong to.

    Parameters
    ----------
    segments : sequence of Links
    hyps, refs : sequence of str or None
        None is not checked.
    path : str or path
        The file that the links come from, and with `line` the line of the first
        segment; None if lines are not segments.

    Raises
    ------
    FormatError
        With the file, and the line or segment.
    """
    for texts in (hyps, refs):
        if texts is not None and len(texts) != len(segments):
            raise FormatError(
                f"there are links of {count(len(segments), 'segment')} for "
                f"{count(len(texts), 'text')}; give one line per segment, blank if "
                "there are no links",
                path=display(path),
            )
    for index, links in enumerate(segments):
        if not links:
            continue
        lengths = [
            2**63 if texts is None else len(texts[index].split())
            for texts in (hyps, refs)
        ]
        try:
            check_links(links, *lengths)
        except InputError as error:
            where = "" if line is not None else f"sentence {index + 1}: "
            number = None if line is None else line + index
            what = f"{where}{error}"
            raise FormatError(what, path=display(path), line=number) from None


def write_pharaoh(
    path: StrPath, segments: Iterable[Links], *, base: int = 0, weights: bool = True
) -> None:
    """Write links, one line per segment; the file appears when it is complete.

    Raises
    ------
    InputError
        When the file cannot be written.
    """
    _check_base(base)
    write_lines(
        path, (format_pharaoh(links, base=base, weights=weights) for links in segments)
    )


@lru_cache(maxsize=1 << 14)  # The same few links occur again and again.
def _link(token: str, base: int) -> Link:
    match = _TOKEN.fullmatch(token)
    if match is None:
        raise InputError(
            f"{quote(token)} is not a link; links look like 0-0, 1p2 if only possible, "
            "or 1-2:0.83 with a weight"
            + "; lines of plain numbers are in NAACL format"
            * token.isdigit()
        )
    hyp, kind, ref, weight, mark = match.groups()
    if int(hyp) < base or int(ref) < base:
        raise InputError(
            f"link {token} counts words from 0, but links are read as counting from "
            "1 (base=1); correct one of the two",
            options=("one_based",),
        )
    sure = kind == "-" and mark not in ("p", "P")
    number = 1.0 if weight is None else float(weight)
    if number == float("inf"):
        raise InputError(f"link {token} has a weight that is too large; correct it")
    return Link(int(hyp) - base, int(ref) - base, number, sure)


def _check_base(base: int) -> None:
    if base not in (0, 1):
        raise InputError(f"words are counted from 0 or 1, not from {base}")
