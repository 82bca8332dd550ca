# SPDX-License-Identifier: Apache-2.0
"""The JSON that SegRanks exports (Macháček 2014, appendix B).

``{"ID,SOURCE SEGMENT": [{"CANDIDATE": RANK, ...}, ...]}``: one object an annotation,
ranks from 1, garbage N + 1 for N candidates; its database held 100. Judges, times and
systems are not in it: :func:`tertium.judgements.attach_systems` adds systems. A key
that occurs twice is read twice, though JSON would keep one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from tertium._files import replace_file
from tertium.data.lines import display, open_lines
from tertium.errors import FormatError, InputError
from tertium.judgements.formats.format import (
    Format,
    ImportOptions,
    Numbered,
    unnumbered,
)
from tertium.judgements.formats.names import file_langpair
from tertium.judgements.judgement import Bad, Place, Ranking
from tertium.judgements.tables import Judgements

__all__ = ["LEGACY_JSON"]

_STORED_GARBAGE = 100
# {"ID,SEGMENT": [{
_START = re.compile(r'\s*\{\s*"[^",]+,(?:[^"\\]|\\.)+"\s*:\s*\[\s*\{')

Pairs = list[tuple[str, object]]


class _Object:
    """A JSON object with its keys in order, repeated ones included."""

    def __init__(self, pairs: Pairs) -> None:
        self.pairs = pairs


def _read(path: str, options: ImportOptions) -> Iterator[Numbered]:
    text = "\n".join(open_lines(path))
    try:
        whole = json.loads(text, object_pairs_hook=_Object)
    except (ValueError, RecursionError) as error:
        what = f"not JSON ({error}); a comma before a closing bracket is one too many"
        line = error.lineno if isinstance(error, json.JSONDecodeError) else None
        raise FormatError(what, path=display(path), line=line) from None
    if not isinstance(whole, _Object):
        what = "no JSON object of segments; check the format"
        raise FormatError(what, path=display(path), line=1)
    options = options._replace(langpair=options.langpair or file_langpair(path))
    lines = _Lines(text)
    for key, several in whole.pairs:
        line = lines.of(key)
        for annotation in several if isinstance(several, list) else [None]:
            try:
                yield line, _ranking(key, annotation, options)
            except ValueError as error:
                yield line, Bad(line, str(error), _shown(key, annotation))


def _ranking(key: str, annotation: object, options: ImportOptions) -> Ranking:
    segment, comma, part = key.partition(",")
    if not comma or not segment or not part:
        message = f"the key {key!r} is not ID,SOURCE SEGMENT"
        raise ValueError(message)
    if not isinstance(annotation, _Object):
        message = f"{key!r}: an annotation is an object of candidates and ranks"
        raise ValueError(message)
    candidates = annotation.pairs
    if not candidates or len(dict(candidates)) != len(candidates):
        message = f"{key!r}: no candidates, or one of them twice"
        raise ValueError(message)
    garbage = len(candidates) + 1
    places = []
    for candidate, rank in candidates:
        if type(rank) is not int or not (
            1 <= rank <= garbage or rank == _STORED_GARBAGE
        ):
            message = (
                f"{key!r}: rank {rank!r} of {candidate!r} is none from 1 to {garbage}"
            )
            raise ValueError(message)
        thrown = rank >= garbage
        places.append(Place((), garbage if thrown else rank, thrown, candidate))
    return Ranking(
        tuple(places),
        segment.strip(),
        part.strip(),
        langpair=options.langpair,
        campaign=options.campaign,
    )


class _Lines:
    """Where keys stand, asked for in the order of the text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.line = 1

    def of(self, key: str) -> int:
        """Return the line of a key; that of the key before if it is spelt oddly."""
        for ascii_only in (False, True):
            place = self.text.find(json.dumps(key, ensure_ascii=ascii_only), self.at)
            if place >= 0:
                self.line += self.text.count("\n", self.at, place)
                self.at = place + 1
                break
        return self.line


def _shown(key: str, annotation: object) -> str:
    def plain(value: object) -> object:
        return dict(value.pairs) if isinstance(value, _Object) else repr(value)

    return json.dumps({key: [annotation]}, ensure_ascii=False, default=plain)


def _fits(path: str, head: Sequence[str]) -> bool:  # noqa: ARG001
    if _START.match(" ".join(head)) is None:
        return False
    try:  # A line of JSON lines may begin like this, and have other values, too.
        first = json.loads(head[0])
    except (ValueError, RecursionError):
        return True
    return isinstance(first, dict) and all(isinstance(v, list) for v in first.values())


def _write(judgements: Judgements, path: str) -> None:
    """Write one object of all annotations, garbage as N + 1."""
    rankings: dict[str, list[dict[str, int]]] = {}
    for ranking in judgements.iterate("rankings"):
        if not isinstance(ranking, Ranking):
            continue
        ranks = {
            place.text: len(ranking.places) + 1 if place.garbage else place.rank
            for place in ranking.places
            if place.text is not None
        }
        if len(ranks) != len(ranking.places):
            message = (
                f"cannot write {path}: a candidate of segment {ranking.segment} has no "
                "text, or another has the same; write tertium-jsonl"
            )
            raise InputError(message)
        if "," in ranking.segment or ranking.part is None:
            message = (
                f"cannot write {path}: segment {ranking.segment!r} has a comma or "
                "names no part; write tertium-jsonl"
            )
            raise InputError(message)
        rankings.setdefault(f"{ranking.segment},{ranking.part}", []).append(ranks)
    with replace_file(path) as file:
        file.write(json.dumps(rankings, ensure_ascii=False, indent=1).encode() + b"\n")


LEGACY_JSON = Format(
    "legacy-json",
    _fits,
    unnumbered(_read),
    _write,
    kinds=("rankings",),
    numbered=_read,
    loses=(
        "system",
        "judge",
        "document",
        "langpair",
        "campaign",
        "time",
        "duration",
        "meta",
    ),
)
