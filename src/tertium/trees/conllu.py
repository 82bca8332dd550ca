# SPDX-License-Identifier: Apache-2.0
"""CoNLL-U, the format of Universal Dependencies, read and written without loss.

https://universaldependencies.org/format.html. Comments, multiword tokens, empty
nodes, enhanced dependencies and the last column are kept unchanged, so a file
that is read and written again has the same bytes (with LF and one blank line after
each sentence).

There are two extensions of the format. Several roots are allowed, as a segment of a
test set may have several sentences. And a block of comments with ``# text`` but without
words is an empty segment.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from tertium.data.lines import StrPath, display, open_lines, write_lines
from tertium.errors import FormatError, InputError
from tertium.trees.tree import DependencyTree, faulty_head

__all__ = ["Sentence", "parse_conllu", "read_conllu", "write_conllu"]

_ID, _FORM, _LEMMA, _UPOS, _XPOS, _FEATS, _HEAD, _DEPREL, _DEPS, _MISC = range(10)
_COLUMNS = 10

# Nine digits are enough for any sentence.
_COUNT = r"[1-9][0-9]{0,8}"
_RANGE = re.compile(rf"({_COUNT})-({_COUNT})")
_EMPTY = re.compile(rf"(0|{_COUNT})\.({_COUNT})")
_NUMBER = re.compile(rf"0|{_COUNT}")


@dataclass(frozen=True)
class Sentence:
    r"""One block of a CoNLL-U file.

    Parameters
    ----------
    comments : tuple of str
        The lines that start with ``#``, unchanged.
    rows : tuple of tuples of ten str
        All other lines: words, multiword tokens such as ``3-4`` and empty nodes
        such as ``8.1``.

    Examples
    --------
    >>> sentence = Sentence.from_tree(
    ...     DependencyTree(("cats", "sleep"), (2, 0), ("nsubj", "root")),
    ...     text="cats sleep", sent_id="1")
    >>> [line.replace("\t", " ") for line in sentence.lines()]
    ['# sent_id = 1', '# text = cats sleep', '1 cats _ _ _ _ 2 nsubj _ _', '2 sleep _ _ _ _ 0 root _ _']
    >>> sentence.text, sentence.tree.heads
    ('cats sleep', (2, 0))
    """  # noqa: E501

    comments: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    #: The line where the block starts, if it comes from a file.
    line: int | None = field(default=None, compare=False, repr=False)

    @classmethod
    def from_tree(
        cls, tree: DependencyTree, *, text: str | None = None, sent_id: str = ""
    ) -> Sentence:
        """Return the sentence of a tree.

        Parameters
        ----------
        tree : DependencyTree
        text : str, optional
            The original text; spaces are then marked in the last column if the words
            are found in it.
        sent_id : str
        """
        comments = [f"# sent_id = {_cell(sent_id)}"] if sent_id else []
        if text is not None:
            comments.append(f"# text = {' '.join(text.split())}")
        elif not len(tree):
            comments.append("# text = ")
        blank = ("_",) * len(tree)
        misc = _spaces(tree.forms, text) if text is not None else blank
        heads = [str(head) for head in tree.heads]
        columns = (
            [str(number) for number in range(1, len(tree) + 1)],
            [_cell(form) for form in tree.forms],
            *(
                [_cell(value) for value in values] or blank
                for values in (tree.lemmas, tree.upos, tree.xpos, tree.feats)
            ),
            heads,
            [_cell(name) for name in tree.deprels],
            blank,
            misc,
        )
        return cls(tuple(comments), tuple(zip(*columns, strict=True)))

    @cached_property
    def words(self) -> tuple[tuple[str, ...], ...]:
        """The rows of words, without multiword tokens and empty nodes."""
        return tuple(row for row in self.rows if row[_ID].isdigit())

    @cached_property
    def tree(self) -> DependencyTree:
        """The basic tree."""
        words = self.words
        if not words:
            return DependencyTree((), (), ())
        columns = tuple(zip(*words, strict=True))
        return DependencyTree(
            columns[_FORM],
            tuple(map(int, columns[_HEAD])),
            columns[_DEPREL],
            upos=columns[_UPOS],
            xpos=columns[_XPOS],
            lemmas=columns[_LEMMA],
            feats=columns[_FEATS],
        )

    @property
    def sent_id(self) -> str | None:
        """The value of ``# sent_id``."""
        return self.comment("sent_id")

    @property
    def text(self) -> str:
        """The value of ``# text``, or else the joined forms."""
        value = self.comment("text")
        return self.surface if value is None else value

    @property
    def surface(self) -> str:
        """The text of the forms, joined according to ``SpaceAfter=No``."""
        return " ".join(token for token, _ in self.tokens)

    @property
    def tokens(self) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """The tokens between spaces, each with the numbers of its words."""
        tokens: list[tuple[str, tuple[int, ...]]] = []
        covered = 0
        glued = False
        for row in self.rows:
            name = row[_ID]
            if "." in name or (name.isdigit() and int(name) <= covered):
                continue
            low, _, high = name.partition("-")
            covered = int(high or low)
            token, numbers = tokens.pop() if glued else ("", ())
            numbers = (*numbers, *range(int(low), covered + 1))
            tokens.append((token + row[_FORM], numbers))
            glued = "SpaceAfter=No" in row[_MISC].split("|")
        return tuple(tokens)

    def comment(self, key: str) -> str | None:
        """Return the value of the comment ``# key = value``, or None."""
        for line in self.comments:
            name, equals, value = line[1:].partition("=")
            if equals and name.strip() == key:
                return value.strip()
        return None

    def with_tree(self, tree: DependencyTree) -> Sentence:
        """Return the sentence with other heads and relations for the same words.

        Enhanced dependencies, which depend on the old ones, are dropped.
        """
        if len(tree) != len(self.words):
            message = (
                f"the sentence has {len(self.words)} words, the tree {len(tree)}; "
                "parse its words, not its text"
            )
            raise InputError(message)
        new = iter(zip(tree.heads, tree.deprels, strict=True))
        rows = []
        for row in self.rows:
            if "." in row[_ID]:
                continue
            if row[_ID].isdigit():
                head, name = next(new)
                row = (*row[:_HEAD], str(head), _cell(name), "_", row[_MISC])
            rows.append(row)
        return Sentence(self.comments, tuple(rows))

    def lines(self) -> Iterator[str]:
        """Yield the lines of the block, without the blank one at its end."""
        yield from self.comments
        for row in self.rows:
            yield "\t".join(row)

    def __str__(self) -> str:
        return "\n".join(self.lines())


def read_conllu(path: StrPath) -> Iterator[Sentence]:
    """Yield the sentences of a CoNLL-U file, which may be compressed.

    Parameters
    ----------
    path : str or path
        The file; ``-`` for standard input.

    Raises
    ------
    FormatError
        With file and line, if something is not CoNLL-U or not a tree.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "a.conllu.gz")
    ...     tree = DependencyTree(("cats", "sleep"), (2, 0), ("nsubj", "root"))
    ...     write_conllu(file, [Sentence.from_tree(tree)])
    ...     [sentence.text for sentence in read_conllu(file)]
    ['cats sleep']
    """
    return parse_conllu(open_lines(path), name=display(path))


def parse_conllu(lines: Iterable[str], *, name: str = "<text>") -> Iterator[Sentence]:
    """Yield the sentences in lines of CoNLL-U; `name` is for messages."""
    block: list[str] = []
    first = 1
    number = 0
    for number, line in enumerate(lines, 1):
        if line and not line.isspace():
            if not block:
                first = number
            block.append(line)
        elif block:
            yield _sentence(block, first, name)
            block = []
    if block:  # The last blank line may be missing.
        yield _sentence(block, first, name)


def write_conllu(path: StrPath, sentences: Iterable[Sentence]) -> None:
    """Write sentences to a file, compressed as its extension says.

    The file appears when it is complete, or not at all; ``-`` is standard output.
    """
    write_lines(path, _all_lines(sentences))


def _all_lines(sentences: Iterable[Sentence]) -> Iterator[str]:
    for sentence in sentences:
        yield from sentence.lines()
        yield ""


def _sentence(block: list[str], first: int, name: str) -> Sentence:
    """Return the checked sentence of a block that starts at line `first`."""
    comments: list[str] = []
    rows: list[tuple[str, ...]] = []
    heads: list[int] = []
    places: list[int] = []  # the line of each word
    covered = empty = 0
    for number, line in enumerate(block, first):
        if line[0] == "#" and not rows:
            comments.append(line)
            continue
        row = tuple(line.split("\t"))
        if len(row) != _COLUMNS:
            raise _wrong_columns(row, line, path=name, number=number)
        if "" in row:
            empty_column = row.index("") + 1
            what = f"column {empty_column} is empty; write _ where there is no value"
            raise FormatError(what, path=name, line=number)
        rows.append(row)
        if row[_ID] == str(len(heads) + 1):
            heads.append(_head(row[_HEAD], path=name, number=number))
            places.append(number)
            empty = 0
        elif (match := _RANGE.fullmatch(row[_ID])) is not None:
            low, high = int(match[1]), int(match[2])
            if low != len(heads) + 1 or high < low or low <= covered:
                what = (
                    f"multiword token {row[_ID]} does not start at word "
                    f"{max(len(heads), covered) + 1} or runs backwards; number "
                    "words from 1"
                )
                raise FormatError(what, path=name, line=number)
            covered = high
        elif (match := _EMPTY.fullmatch(row[_ID])) is not None:
            empty += 1
            if (int(match[1]), int(match[2])) != (len(heads), empty):
                what = (
                    f"empty node {row[_ID]} should be {len(heads)}.{empty}; number "
                    "them after the word they follow"
                )
                raise FormatError(what, path=name, line=number)
        else:
            what = (
                f"id {row[_ID]!r} should be {len(heads) + 1}; number words from 1 "
                "in each sentence, and put a blank line between sentences"
            )
            raise FormatError(what, path=name, line=number)
    if covered > len(heads):
        what = (
            f"a multiword token runs to word {covered}, but there are only "
            f"{len(heads)} words; correct its range"
        )
        raise FormatError(what, path=name, line=first)
    sentence = Sentence(tuple(comments), tuple(rows), line=first)
    if not heads and (rows or sentence.comment("text") is None):
        what = (
            "the block has no words; join comments with the sentence below, or write "
            "'# text =' for an empty segment"
        )
        raise FormatError(what, path=name, line=first)
    fault = faulty_head(heads)
    if fault is not None:
        word, why = fault
        what = f"word {word}: {why}; correct the column HEAD"
        raise FormatError(what, path=name, line=places[word - 1])
    return sentence


def _head(text: str, *, path: str, number: int) -> int:
    if _NUMBER.fullmatch(text) is None:
        what = f"head {text!r} is not an integer"
        cure = "parse the text first" if text == "_" else "0 is the root"
        raise FormatError(f"{what}; {cure}", path=path, line=number)
    return int(text)


def _wrong_columns(
    row: Sequence[str], line: str, *, path: str, number: int
) -> FormatError:
    if line.startswith("#"):
        cure = "comments come before the words"
    elif len(row) == 1 and len(line.split()) >= _COLUMNS:
        cure = "separate them by tabs, not spaces"
    elif len(row) == 1:
        cure = "is this plain text? Parse it with `tertium parse`"
    else:
        cure = "separate them by single tabs, with _ where there is no value"
    columns = f"{len(row)} column{'s' * (len(row) != 1)}"
    what = f"{columns} instead of {_COLUMNS}; {cure}"
    return FormatError(what, path=path, line=number)


def _cell(text: str) -> str:
    """Return a valid value of a column."""
    if "\t" in text or "\n" in text or "\r" in text:
        message = f"{text!r} has a tab or line end, which CoNLL-U cannot contain"
        raise InputError(f"{message}; split words there")
    return text or "_"


def _spaces(forms: Sequence[str], text: str) -> tuple[str, ...]:
    """Return the last column, which marks words without a following space."""
    misc = []
    at = 0
    for form in forms:
        while at < len(text) and text[at].isspace():
            at += 1
        if not text.startswith(form, at):  # The parser changed the words.
            return ("_",) * len(forms)
        at += len(form)
        joined = at < len(text) and not text[at].isspace()
        misc.append("SpaceAfter=No" if joined else "_")
    return tuple(misc)
