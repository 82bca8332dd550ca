# SPDX-License-Identifier: Apache-2.0
"""Ratings in folders of mt-metrics-eval, version 2.

``human-scores/LP.NAME.seg.score`` has system and score, the segments of a system in
the order of the test set and ``None`` where nobody judged; NAME becomes the scale.
``documents/LP.docs`` has domain and document of every segment. Files may be
compressed, and a file of segment scores may have any name: its scale is then ``human``.
Scores of whole systems and domains are not judgements and stay unread:
see :func:`tertium.meta.read_mtme` for all that such a folder holds.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tertium.data.formats.mtme import mtme_document
from tertium.data.lines import open_lines, write_lines
from tertium.errors import FormatError, InputError
from tertium.judgements.formats.cells import NO_SCORE, score, to_meta
from tertium.judgements.formats.format import Format, ImportOptions
from tertium.judgements.formats.names import file_langpair
from tertium.judgements.judgement import Bad, Judgement, Rating
from tertium.judgements.scales import is_rating
from tertium.judgements.tables import Judgements

__all__ = ["MTME", "means", "mtme_folder", "score_lines"]

_PARTS = (
    *("documents", "human-scores", "metric-scores"),
    *("references", "sources", "system-outputs"),
)
_SCORE = re.compile(r"None|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
_FILE = re.compile(
    r"^([A-Za-z_]+-[A-Za-z_]+)\.(.+)\.seg\.score(?:\.(?:gz|xz|bz2|zst))?$"
)


def _docs(folder: Path, langpair: str) -> list[tuple[str | None, str | None]] | None:
    """Return document and metadata of every segment, if they are known."""
    files = sorted((folder / "documents").glob(f"{langpair}.docs*"))
    if not files:
        return None
    docs: list[tuple[str | None, str | None]] = []
    for line in open_lines(files[0]):
        domain, name = mtme_document(line)
        docs.append((name or None, to_meta({"domain": domain})))
    return docs


def _read(path: str, options: ImportOptions) -> Iterator[Judgement | Bad]:
    place = Path(path)
    files = [place] if place.is_file() else sorted(place.glob("human-scores/*"))
    folder = place.parent.parent if place.is_file() else place
    if place.is_file() and not _FILE.match(place.name):
        langpair = options.langpair or file_langpair(path)
        known = options._replace(langpair=langpair)
        yield from _read_file(place, langpair, options.scale or "human", None, known)
        return
    if not any(_FILE.match(file.name) for file in files):
        what = "no human-scores/LP.NAME.seg.score; give a folder of mt-metrics-eval"
        raise FormatError(what, path=path)
    for file in files:
        name = _FILE.match(file.name)
        if name is None or options.langpair not in (None, name[1]):
            continue
        yield from _read_file(file, name[1], name[2], _docs(folder, name[1]), options)


def _read_file(
    file: Path,
    langpair: str | None,
    scale: str,
    docs: Sequence[tuple[str | None, str | None]] | None,
    options: ImportOptions,
) -> Iterator[Judgement | Bad]:
    seen: dict[str, int] = defaultdict(int)
    number = 0
    for number, line in enumerate(open_lines(file), start=1):
        cells = line.split("\t") if "\t" in line else line.split()
        if len(cells) != 2:
            reason = f"{file.name}: {len(cells)} fields; system and score are due"
            yield Bad(number, reason, line)
            continue
        system, text = cells
        at = seen[system]
        seen[system] += 1
        if docs is not None and at >= len(docs):
            reason = f"{file.name}: {system} has more than the {len(docs)} segments"
            yield Bad(number, reason, line)
            continue
        if text in NO_SCORE:
            continue
        try:
            value = score(text)
        except ValueError as error:
            yield Bad(number, f"{file.name}: {error}", line)
            continue
        document, meta = docs[at] if docs is not None else (None, None)
        yield Rating(
            system,
            value,
            scale,
            str(at + 1),
            document=document,
            langpair=langpair,
            campaign=options.campaign,
            meta=meta,
        )
    due = max(seen.values(), default=0) if docs is None else len(docs)
    for system, count in seen.items():
        if count < due:
            reason = f"{file.name}: {system} has {count} scores for {due} segments"
            yield Bad(number, f"{reason}; which are missing is not known", system)


def _fits(path: str, head: Sequence[str]) -> bool:
    if os.path.isdir(path):
        return os.path.isdir(os.path.join(path, "human-scores"))
    cells = head[0].split() if head else []
    if _FILE.match(os.path.basename(path)):
        return len(cells) == 2
    return mtme_folder(path) is None and _is_segment_scores(head)


def _is_segment_scores(head: Sequence[str]) -> bool:
    """Return whether rows are of one system: score after score, or None."""
    rows = [line.split("\t") for line in head]
    if len(rows) < 2 or len({row[0] for row in rows}) > 1:
        return False
    return bool(rows[0][0].strip()) and all(
        len(row) == 2 and _SCORE.fullmatch(row[1]) for row in rows
    )


def mtme_folder(path: str) -> str | None:
    """Return the folder of mt-metrics-eval that a file is a part of, if it is one."""
    place = Path(path).absolute()
    if not place.is_file():
        return None
    parts = [place.parent, place.parent.parent]  # texts and metrics are by language
    for folder in parts:
        if folder.name in _PARTS and (folder.parent / "human-scores").is_dir():
            return os.fspath(folder.parent)
    return None


def means(judgements: Judgements) -> dict[tuple[str, str], dict[str, dict[str, float]]]:
    """Return human scores of systems and segments by language pair and scale.

    Several judges of one output count as their mean. Scores of documents and those
    that check a judge are left out.

    Raises
    ------
    InputError
        When a segment is in two documents: its number is not that of the test set.
    """
    import polars as pl

    keys = ["langpair", "scale", "system", "segment"]
    frame = (
        judgements.ratings.select(
            *(pl.col(key).cast(pl.String) for key in keys), "score", "document"
        )
        .group_by(keys, maintain_order=True)
        .agg(
            pl.col("score").mean(),
            pl.col("document").cast(pl.String).drop_nulls().unique().sort(),
        )
        .collect()
    )
    scores: dict[tuple[str, str], dict[str, dict[str, float]]] = {}
    for langpair, scale, system, segment, value, documents in frame.iter_rows():
        if is_rating(scale):
            if len(documents) > 1:
                message = (
                    f"segment {segment!r} of {system} is in the documents "
                    f"{' and '.join(documents[:2])}; give every segment a name of its "
                    "own, such as its line in the test set"
                )
                raise InputError(message)
            by_system = scores.setdefault((langpair or "", scale), {})
            by_system.setdefault(system, {})[segment] = value
    return scores


def score_lines(
    scores: Mapping[str, Mapping[str, float]], segments: Sequence[str]
) -> Iterator[str]:
    """Yield the lines of a file of segments; ``None`` where there is no score."""
    for system, by_segment in scores.items():
        for segment in segments:
            value = by_segment.get(segment)
            yield f"{system}\t{'None' if value is None else repr(value)}"


def _write(judgements: Judgements, path: str) -> None:
    """Write the ratings of a folder; texts need :func:`tertium.meta.write_mtme`."""
    scores = means(judgements)
    if not scores:
        raise InputError(f"cannot write {path}: no ratings of segments; give some")
    last: dict[str, int] = {}
    for (langpair, scale), systems in scores.items():
        if not langpair or "/" in f"{langpair}{scale}":
            message = (
                f"cannot write {path}: ratings need a language pair, and neither it "
                f"nor the scale {scale!r} a slash; import them with a language pair"
            )
            raise InputError(message)
        names = {name for by_segment in systems.values() for name in by_segment}
        wrong = sorted(name for name in names if not name.isdecimal() or int(name) < 1)
        if wrong:
            message = (
                f"cannot write {path}: segment {wrong[0]!r} is not an integer from 1; "
                "write the test set, too (tertium.meta.write_mtme)"
            )
            raise InputError(message)
        last[langpair] = max(last.get(langpair, 0), *map(int, names))
    folder = Path(path) / "human-scores"
    folder.mkdir(parents=True, exist_ok=True)
    for (langpair, scale), systems in scores.items():
        segments = [str(i) for i in range(1, last[langpair] + 1)]
        name = f"{langpair}.{scale}.seg.score"
        write_lines(folder / name, score_lines(systems, segments))


MTME = Format(
    "mtme",
    _fits,
    _read,
    _write,
    kinds=("ratings",),
    loses=(
        "judge",
        "document",
        "campaign",
        "time",
        "duration",
        "meta",
        "averaged",
        "unlike",
    ),
)
