# SPDX-License-Identifier: Apache-2.0
"""Link files in the format of the NAACL 2003 and ACL 2005 shared tasks.

One link per line: ``sentence source target [S|P] [probability]``, all counted from 1,
in any order of sentences. A word linked with 0 (the empty word) has no link.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from tertium._messages import quote
from tertium.align.links import Link, Links, as_links
from tertium.align.pharaoh import check_segments
from tertium.data.lines import StrPath, display, open_lines, write_lines
from tertium.errors import FormatError, InputError

__all__ = ["naacl_lines", "read_naacl", "write_naacl"]

_MOST = 10**9  # More than any file has sentences, or any sentence words.


def read_naacl(
    path: StrPath,
    *,
    segments: int | None = None,
    hyps: Sequence[str] | None = None,
    refs: Sequence[str] | None = None,
) -> list[Links]:
    r"""Return the links of each sentence.

    Parameters
    ----------
    path : str or path
        The file, which may be compressed.
    segments : int, optional
        The number of sentences; by default, the last one that has a link. (The format
        does not record how many without links follow.)
    hyps, refs : sequence of str, optional
        The texts that the links belong to; they give the number of sentences.

    Raises
    ------
    FormatError
        With file and line.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "gold.naacl")
    ...     size = file.write_text("1 1 2 S\n3 2 1 P 0.5\n")
    ...     [[tuple(link) for link in links] for links in read_naacl(file)]
    [[(0, 1, 1.0, True)], [], [(1, 0, 0.5, False)]]
    """
    for texts in (hyps, refs):
        if segments is None and texts is not None:
            segments = len(texts)
    by_sentence: dict[int, list[Link]] = {}
    last = 0
    for number, line in enumerate(open_lines(path), start=1):
        if not line.strip():
            continue
        try:
            sentence, link = _parse(line)
            if segments is not None and sentence > segments:
                raise InputError(
                    f"there is no sentence {sentence}, the text has {segments}; "
                    "check that text and links belong together"
                )
        except InputError as error:
            raise FormatError(str(error), path=display(path), line=number) from None
        last = max(last, sentence)
        if link is not None:
            by_sentence.setdefault(sentence, []).append(link)
    size = last if segments is None else segments
    if segments is None and size > 10 * len(by_sentence) + 10**6:
        # A mistyped number must not fill the memory.
        raise FormatError(
            f"sentence {size} is far beyond the {len(by_sentence)} with links; "
            "the first column numbers sentences from 1",
            path=display(path),
        )
    links = [as_links(by_sentence.get(sentence, ())) for sentence in range(1, size + 1)]
    check_segments(links, hyps, refs, path=path, line=None)
    return links


def naacl_lines(segments: Iterable[Links]) -> Iterator[str]:
    """Yield the lines of a file, with weights other than 1."""
    for number, links in enumerate(segments, start=1):
        for hyp, ref, weight, sure in links:
            tail = f" {weight!r}" if weight != 1.0 else ""
            yield f"{number} {hyp + 1} {ref + 1} {'S' if sure else 'P'}{tail}"


def write_naacl(path: StrPath, segments: Iterable[Links]) -> None:
    """Write links; the file appears when it is complete."""
    write_lines(path, naacl_lines(segments))


def _parse(line: str) -> tuple[int, Link | None]:
    fields = line.split()
    if not 3 <= len(fields) <= 5:
        raise _no_link(line)
    sentence, hyp, ref = (_whole(field, line) for field in fields[:3])
    if sentence == 0:
        raise InputError("there is no sentence 0; sentences are counted from 1")
    sure, weight = True, 1.0
    rest = fields[3:]
    if rest and rest[0] in ("S", "P", "s", "p"):
        sure = rest.pop(0) in ("S", "s")
    if len(rest) > 1:
        raise _no_link(line)
    if rest:
        try:
            weight = float(rest[0])
        except ValueError:
            raise _no_link(line) from None
        if not 0 <= weight < float("inf"):
            raise _no_link(line)
    if hyp == 0 or ref == 0:
        return sentence, None
    return sentence, Link(hyp - 1, ref - 1, weight, sure)


def _whole(field: str, line: str) -> int:
    if not (field.isascii() and field.isdigit() and len(field) < 11):
        raise _no_link(line)
    if int(field) > _MOST:
        raise _no_link(line)
    return int(field)


def _no_link(line: str) -> InputError:
    return InputError(
        f"{quote(line)} is not a link; a line is: sentence source target [S|P] "
        "[probability], counted from 1"
    )
