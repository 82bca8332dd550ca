# SPDX-License-Identifier: Apache-2.0
"""N-best lists as Moses writes them: ``0 ||| TEXT ||| lm= -1 tm= -2 -3 ||| -1.5``.

A label ends with ``=``, or with ``:`` in older versions, and the values after it
belong to it. Without labels, as in the lists of Z-MERT, features are called F0, F1 and
so on. Features and score may be missing, but then on every line of the file.

Sparse features, ``NAME=VALUE`` without a space, are features like others, which are 0
where they are missing. The first list must have some, and the whole file is read before
its first list is there: only then all names are known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, islice
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from tertium._messages import count, quote
from tertium.data.files import OnNote
from tertium.data.formats.nbest import BAR, nbest_fields
from tertium.data.line_places import FilePiece, PlacedLines
from tertium.data.lines import StrPath, display
from tertium.errors import FormatError, InputError
from tertium.notes import Note
from tertium.tuning.formats.sparse import SparseFeatures, has_sparse
from tertium.tuning.lists import NBestList
from tertium.tuning.placed import placed

__all__ = ["fits", "stream", "text_lines"]

_TEXT, _FEATURES, _SCORE = range(3)


def stream(
    lines: Iterable[str],
    *,
    path: StrPath,
    names: Sequence[str] | None = None,
    places: PlacedLines | None = None,
    on_note: OnNote | None = None,
) -> Iterator[NBestList]:
    """Yield the lists of a file, of which no more than one is in memory.

    Files with sparse features are read as a whole.

    Parameters
    ----------
    lines : iterable of str
        All lines of the file.
    path : str or path
        The file, for messages.
    names : sequence of str, optional
        Names of features that have no labels.
    places : PlacedLines, optional
        Where lines come from: texts then know their place.
    on_note : callable, optional
        Called at the end of the file with what was ignored.

    Examples
    --------
    >>> lines = ["0 ||| a cat ||| lm= -1 tm= -2 -3 ||| -1.5"]
    >>> [made] = stream(lines, path="a.nbest")
    >>> made.names, made.features.tolist(), made.scores.tolist()
    (('lm', 'tm_0', 'tm_1'), [[-1.0, -2.0, -3.0]], [-1.5])
    """
    reader: _Reader | None = None
    waiting: list[NBestList] = []
    start = 0
    for sentence, group in groupby(nbest_fields(lines, path=path), itemgetter(1)):
        rows = list(group)
        if reader is None:
            reader = _Reader(path, rows, names)
        piece = None
        if places is not None:
            # The line after the list, which was read to see its end, is the last one.
            piece, start = places.piece(start, places.start), places.start
        made = reader.nbest_list(sentence, rows, piece)
        if reader.sparse is None:
            yield made
        else:
            waiting.append(made)
    if reader is not None and reader.sparse is not None:
        yield from reader.sparse.complete(waiting)
    if on_note is not None and reader is not None:
        _note(reader, on_note)


def _note(reader: _Reader, on_note: Callable[[Note], None]) -> None:
    path = display(reader.path)
    if reader.ignored:
        on_note(Note("nbest-fields-ignored", {"path": path, "count": reader.ignored}))
    if reader.sparse is not None:
        values = {"path": path, "count": len(reader.sparse.names)}
        on_note(Note("nbest-sparse-features", values))


class _Reader:
    """Turn lines into lists, all with the fields and labels of the first line."""

    def __init__(
        self,
        path: StrPath,
        rows: Sequence[tuple[int, int, list[str]]],
        names: Sequence[str] | None,
    ) -> None:
        self.path = path
        number, _, fields = rows[0]
        # Whatever follows the score, such as word links, is ignored.
        self.fields = min(len(fields), _SCORE + 1)
        tokens = fields[_FEATURES].split() if len(fields) > _FEATURES else []
        self.sparse: SparseFeatures | None = None
        if any(
            has_sparse(field) for _, _, row in rows for field in row[_FEATURES:][:1]
        ):
            self.sparse = SparseFeatures(path)
            tokens = [token for token in tokens if not has_sparse(token)]
        self.size = len(tokens)
        self.labels = {i: token for i, token in enumerate(tokens) if _is_label(token)}
        self.names = self._names(number, tokens, names)
        self.line = number
        self.ignored = 0  # lines with something after the score

    def nbest_list(
        self,
        sentence: int,
        rows: Sequence[tuple[int, int, list[str]]],
        piece: FilePiece | None = None,
    ) -> NBestList:
        """Return the list of a sentence."""
        start = rows[0][0]
        columns = [fields for _, _, fields in rows]
        if any(len(fields) != self.fields for fields in columns):
            self._check_fields(rows)
        scores = None
        if self.fields > _SCORE:
            totals = [fields[_SCORE] for fields in columns]
            scores = self._numbers(totals, start, ("score",))
        values: list[str] = []
        if self.fields > _FEATURES:
            values = self._values(self._dense(columns, start), start)
        features = self._numbers(values, start, self.names)
        return NBestList(
            str(sentence),
            placed([fields[_TEXT].strip() for fields in columns], piece),
            self.names,
            features.reshape(len(rows), len(self.names)),
            scores,
        )

    def _dense(self, columns: Sequence[list[str]], start: int) -> list[str]:
        """Return the fields of features without sparse ones."""
        column = [fields[_FEATURES] for fields in columns]
        if self.sparse is not None:
            return self.sparse.take(column, start)
        for number, field in enumerate(column, start=start):
            if has_sparse(field):
                what = (
                    "the first sparse feature, NAME=VALUE, comes after lists without; "
                    f"add it to line {self.line} with the value 0"
                )
                raise FormatError(what, path=display(self.path), line=number)
        return column

    def _names(
        self, number: int, tokens: list[str], names: Sequence[str] | None
    ) -> tuple[str, ...]:
        if not self.labels:
            if names is None:
                return tuple(f"F{i}" for i in range(self.size))
            if len(names) != self.size:
                what = (
                    f"{count(self.size, 'feature value')}, but {len(names)} names; "
                    "name every feature once"
                )
                raise FormatError(what, path=display(self.path), line=number)
            return tuple(names)
        if names is not None:
            what = f"features have labels such as {quote(tokens[0])}; omit the names"
            raise FormatError(what, path=display(self.path), line=number)
        if 0 not in self.labels:
            what = f"the value {quote(tokens[0])} has no label; write LABEL= VALUE"
            raise FormatError(what, path=display(self.path), line=number)
        return self._labelled_names(number)

    def _labelled_names(self, number: int) -> tuple[str, ...]:
        made: list[str] = []
        ends = [*list(self.labels)[1:], self.size]
        for (place, label), end in zip(self.labels.items(), ends, strict=True):
            name = label[:-1]
            width = end - place - 1
            if not width:
                what = f"the label {quote(label)} has no value; write LABEL= VALUE"
                raise FormatError(what, path=display(self.path), line=number)
            made += [name] if width == 1 else [f"{name}_{i}" for i in range(width)]
        if len(set(made)) < len(made):
            twice = next(name for name in made if made.count(name) > 1)
            what = f"the feature {quote(twice)} is there twice; rename one"
            raise FormatError(what, path=display(self.path), line=number)
        return tuple(made)

    def _values(self, column: list[str], start: int) -> list[str]:
        """Return the values of all hypotheses, after checking their labels.

        All lines are split at once, with a mark after each: slices of the tokens then
        show labels and marks in their places, or somewhere a line is different.
        """
        tokens = f" {BAR} ".join([*column, ""]).split()
        step = self.size + 1
        labels = {**self.labels, self.size: BAR}
        if len(tokens) != len(column) * step or any(
            tokens[place::step] != [label] * len(column)
            for place, label in labels.items()
        ):
            raise self._ragged_features(column, start)
        for place in sorted(labels, reverse=True):
            del tokens[place::step]
            step -= 1
        return tokens

    def _numbers(
        self, tokens: list[str], start: int, names: Sequence[str]
    ) -> NDArray[np.float64]:
        try:
            numbers = np.fromiter(map(float, tokens), np.float64, count=len(tokens))
        except ValueError:
            numbers = np.array([_number(token) for token in tokens])
        wrong = np.flatnonzero(~np.isfinite(numbers))
        if len(wrong):
            row, column = divmod(int(wrong[0]), len(names))
            what = (
                f"{names[column]} is {quote(tokens[wrong[0]].strip())}, not a finite "
                "number; remove the hypothesis or replace the value"
            )
            raise FormatError(what, path=display(self.path), line=start + row)
        return numbers

    def _check_fields(self, rows: Sequence[tuple[int, int, list[str]]]) -> None:
        for number, _, fields in rows:
            if min(len(fields), _SCORE + 1) != self.fields:
                what = (
                    f"{count(len(fields) + 1, 'field')} with {BAR} between them, but "
                    f"line {self.line} has {self.fields + 1}; give features and score "
                    "on every line or none"
                )
                raise FormatError(what, path=display(self.path), line=number)
            self.ignored += len(fields) > self.fields

    def _ragged_features(self, column: list[str], start: int) -> FormatError:
        """Return an error about the first line whose features differ."""
        number, why = next(
            (number, why)
            for number, field in enumerate(column, start=start)
            if (why := self._difference(field.split()))
        )
        what = f"{why}; give every hypothesis the same features"
        return FormatError(what, path=display(self.path), line=number)

    def _difference(self, tokens: list[str]) -> str | None:
        """Return how features differ from those of the first line, if they do."""
        labels = {i: token for i, token in enumerate(tokens) if _is_label(token)}
        if len(tokens) == self.size and labels == self.labels:
            return None
        names, expected = list(labels.values()), list(self.labels.values())
        changes = [f"{name} is missing" for name in expected if name not in names]
        changes += [f"{name} is new" for name in names if name not in expected]
        if changes or names != expected:
            how = changes[0] if changes else "their order is different"
            return f"the features differ from those of line {self.line}: {how}"
        size, wanted = len(tokens) - len(names), self.size - len(expected)
        if size == wanted:
            return f"labels share the values in another way than in line {self.line}"
        return f"{count(size, 'feature value')}, but line {self.line} has {wanted}"


def _is_label(token: str) -> bool:
    return token[-1] in "=:" and len(token) > 1


def _number(token: str) -> float:
    """Return a number, or NaN for what is none."""
    try:
        return float(token)
    except ValueError:
        return np.nan


def text_lines(number: int, made: NBestList, *, labels: bool = True) -> Iterator[str]:
    """Yield the lines of a list.

    Parameters
    ----------
    number : int
        Of the sentence, counted from 0.
    made : NBestList
        Texts are on one line, without spaces around them (see :func:`fits`).
    labels : bool
        Whether to write names of features and scores, as Moses does and Z-MERT does
        not.
    """
    groups = list(_groups(made.names)) if labels else [("", len(made.names))]
    for row, text in enumerate(made.texts):
        if BAR in text:
            message = (
                f"the list {made.id} has {BAR} in the text {quote(text)}, which "
                "separates fields; replace it, or write jsonl"
            )
            raise InputError(message)
        fields = [str(number), text]
        values = map(_figure, made.features[row].tolist())
        parts = [" ".join([label, *islice(values, size)]) for label, size in groups]
        if labels and made.scores is not None:
            fields += [" ".join(parts), _figure(float(made.scores[row]))]
        elif made.names:
            fields.append(" ".join(parts).strip())
        yield f" {BAR} ".join(fields)


def fits(text: str) -> bool:
    """Return whether a field reads back as this text."""
    return text == text.strip() and "\n" not in text


def _figure(value: float) -> str:
    return repr(value).removesuffix(".0")


def _groups(names: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Yield label and number of values: ``tm_0 tm_1`` share the label ``tm=``."""
    place = 0
    while place < len(names):
        base, _, index = names[place].rpartition("_")
        width = 1
        if base and index == "0":
            while f"{base}_{width}" in names[place + width : place + width + 1]:
                width += 1
        label = base if width > 1 else names[place]
        if not label or any(map(str.isspace, label)):
            message = (
                f"the feature {quote(label)} cannot be a label of Moses: it is empty "
                "or has white space; rename it, or write jsonl"
            )
            raise InputError(message)
        yield f"{label}=", width
        place += width
