# SPDX-License-Identifier: Apache-2.0
"""N-best lists as JSON Lines, one object per segment, as sampling scripts write them.

``{"id": "7", "src": "..", "refs": [".."], "hyps": [{"text": "..", "features":
{"lm": -1.5}, "score": -2.0}]}``. Only ``id`` and ``hyps`` are needed; a hypothesis may
be a text alone, and the id an integer. Features and score, where there are any, are on
every hypothesis of the file or of the list. Other keys are ignored, with a note.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from tertium._messages import quote
from tertium.data.files import OnNote
from tertium.data.formats.jsonl import json_kind, json_object
from tertium.data.line_places import FilePiece, PlacedLines
from tertium.data.lines import StrPath, display
from tertium.errors import FormatError
from tertium.notes import Note
from tertium.tuning.lists import NBestList
from tertium.tuning.placed import placed

__all__ = ["stream", "text_line"]

_Object = dict[str, object]

_LIST_KEYS = {"id", "src", "refs", "hyps"}
_HYP_KEYS = {"text", "features", "score"}


def stream(
    lines: Iterable[str],
    *,
    path: StrPath,
    places: PlacedLines | None = None,
    on_note: OnNote | None = None,
) -> Iterator[NBestList]:
    """Yield the lists of a file, of which no more than one is in memory.

    Parameters
    ----------
    lines : iterable of str
        All lines of the file.
    path : str or path
        The file, for messages.
    places : PlacedLines, optional
        Where lines come from: texts then know their place.
    on_note : callable, optional
        Called at the end of the file with what was ignored.

    Examples
    --------
    >>> [made] = stream(['{"id": 7, "hyps": ["a cat", "cat"]}'], path="a.jsonl")
    >>> made.id, made.texts
    ('7', ['a cat', 'cat'])
    """
    reader = _Reader(path)
    for number, line in enumerate(lines, start=1):
        piece = None if places is None else places.piece()
        yield reader.nbest_list(line, number, piece)
    if on_note is not None and reader.unknown:
        names = list(reader.unknown)
        on_note(Note("nbest-keys-ignored", {"path": display(path), "names": names}))


class _Reader:
    """Turn lines into lists, all with the features of the first."""

    def __init__(self, path: StrPath) -> None:
        self.path = display(path)
        self.names: tuple[str, ...] = ()
        self.number = 0
        self.seen: dict[str, int] = {}
        self.unknown: dict[str, None] = {}  # in the order of their appearance

    def nbest_list(
        self, line: str, number: int, piece: FilePiece | None = None
    ) -> NBestList:
        """Return the list of a line."""
        self.number = number
        row = json_object(line, path=self.path, number=number)
        name = self._id(row)
        self.unknown.update(dict.fromkeys(row.keys() - _LIST_KEYS))
        hyps = row.get("hyps")
        if not isinstance(hyps, list) or not hyps:
            raise self._error(
                f"the list {name} has no hypotheses; fill in or remove it"
            )
        objects = [self._hypothesis(hyp, i) for i, hyp in enumerate(hyps, start=1)]
        if not self.seen:
            self.names = tuple(self._object(objects[0], 1))
        self.seen[name] = number
        table = [self._features(hyp, i) for i, hyp in enumerate(objects, start=1)]
        return NBestList(
            name,
            placed([str(hyp["text"]) for hyp in objects], piece),
            self.names,
            np.array(table, dtype=np.float64).reshape(len(table), len(self.names)),
            self._scores(objects),
            source=self._source(row),
            references=self._references(row),
        )

    def _id(self, row: _Object) -> str:
        name = row.get("id")
        if type(name) is int:
            name = str(name)
        if not isinstance(name, str) or not name:
            raise self._error('there is no "id"; give every list one, text or integer')
        if name in self.seen:
            what = f"the id {quote(name)} is also on line {self.seen[name]}"
            raise self._error(f"{what}; put all hypotheses of a segment on one line")
        return name

    def _hypothesis(self, value: object, number: int) -> _Object:
        hyp = {"text": value} if isinstance(value, str) else value
        if not isinstance(hyp, dict) or not isinstance(hyp.get("text"), str):
            raise self._error(
                f"hypothesis {number} has no text; write "
                '{"text": "..", "features": {..}, "score": -1}'
            )
        self.unknown.update(dict.fromkeys(hyp.keys() - _HYP_KEYS))
        return hyp

    def _object(self, hyp: _Object, number: int) -> _Object:
        features = hyp.get("features") or {}
        if not isinstance(features, dict):
            what = f'"features" of hypothesis {number} is {json_kind(features)}'
            raise self._error(f'{what}; write {{"NAME": NUMBER}}')
        return features

    def _features(self, hyp: _Object, number: int) -> list[float]:
        features = self._object(hyp, number)
        if len(features) != len(self.names):
            raise self._ragged(features, number, self.names)
        try:
            values = [features[name] for name in self.names]
        except KeyError:
            raise self._ragged(features, number, self.names) from None
        return [
            self._finite(value, name, number)
            for name, value in zip(self.names, values, strict=True)
        ]

    def _ragged(
        self, features: _Object, number: int, names: Sequence[str]
    ) -> FormatError:
        missing = [
            f"{quote(name)} is missing" for name in names if name not in features
        ]
        new = [f"{quote(name)} is new" for name in features if name not in names]
        return self._error(
            f"the features of hypothesis {number} differ from the first: "
            f"{(missing + new)[0]}; give every hypothesis the same features"
        )

    def _finite(self, value: object, name: str, number: int) -> float:
        if type(value) is float or type(value) is int:
            try:
                finite = float(value)
            except OverflowError:
                finite = math.inf
            if math.isfinite(finite):
                return finite
            shown = repr(finite)
        else:
            shown = json_kind(value)
        raise self._error(
            f"{quote(name)} of hypothesis {number} is {shown}, not a finite number; "
            "remove the hypothesis or replace the value"
        )

    def _scores(self, hyps: Sequence[_Object]) -> np.ndarray | None:
        scores = [hyp.get("score") for hyp in hyps]
        if all(score is None for score in scores):
            return None
        if None in scores:
            what = f"hypothesis {scores.index(None) + 1} has no score, others have one"
            raise self._error(f"{what}; score every hypothesis or none")
        return np.array(
            [self._finite(s, "score", i) for i, s in enumerate(scores, start=1)]
        )

    def _source(self, row: _Object) -> str | None:
        source = row.get("src")
        if source is not None and not isinstance(source, str):
            raise self._error(f'"src" is {json_kind(source)}; make it a text')
        return source

    def _references(self, row: _Object) -> tuple[str, ...]:
        refs = row.get("refs") or []
        if isinstance(refs, str):
            refs = [refs]
        if not isinstance(refs, list) or not all(isinstance(r, str) for r in refs):
            raise self._error('"refs" is not a list of texts; make it one')
        return tuple(refs)

    def _error(self, what: str) -> FormatError:
        return FormatError(what, path=self.path, line=self.number)


def text_line(made: NBestList) -> str:
    """Return the line of a list."""
    row: _Object = {"id": made.id}
    if made.source is not None:
        row["src"] = made.source
    if made.references:
        row["refs"] = list(made.references)
    row["hyps"] = [_hypothesis(made, i) for i in range(len(made))]
    return json.dumps(row, ensure_ascii=False)


def _hypothesis(made: NBestList, row: int) -> _Object:
    hyp: _Object = {"text": made.texts[row]}
    if made.names:
        values = made.features[row].tolist()
        hyp["features"] = dict(zip(made.names, values, strict=True))
    if made.scores is not None:
        hyp["score"] = float(made.scores[row])
    return hyp
