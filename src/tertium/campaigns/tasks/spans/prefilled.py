# SPDX-License-Identifier: Apache-2.0
"""Pre-filled spans: errors of a file, from which annotators start."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias, cast

from tertium.campaigns.config import CampaignConfig
from tertium.campaigns.judges import CURE, judge_named, stored_marks
from tertium.campaigns.starting import load_command
from tertium.campaigns.tasks.base import ItemDraft
from tertium.campaigns.tasks.spans.answers import (
    known_severity,
    paragraphs,
    severities,
    special_marks,
)
from tertium.campaigns.tasks.spans.positions import widened
from tertium.campaigns.tasks.testsets import Shown, read_shown
from tertium.campaigns.tasks.twins import Damaged
from tertium.errors import FormatError, InputError
from tertium.judgements.judgement import NO_ERROR, Span
from tertium.notes import Note

__all__ = ["Marks", "Prefilled", "of_output", "prefilled_notes", "shifted"]

#: Marks of an output, as answers have them.
Marks: TypeAlias = "list[dict[str, object]]"


@dataclass
class Prefilled:
    """Marks of a file, fitted to the outputs and settings of a campaign.

    Parameters
    ----------
    path : Path, optional
        None where nothing is pre-filled.
    spans : dict of (segment, system) to dict of document to list of Span
        Empty documents are those of spans that name none. No span at all: the output
        was found to be without errors.
    repeated : set of str
        Segment ids that several segments of the campaign have.
    known : sequence of str
        Severities of the campaign.
    tree : collection of str
        Categories; an unknown one is left to the annotator.
    special : sequence of str
        Names of marks without a place that are not errors of the output.
    judge : str
        The language model that marked the outputs; empty: none.
    missing : bool
        Whether missing content is marked.

    Attributes
    ----------
    unplaced, unwanted : int
        Errors that were left out so far: those without a place in the output, and
        missing content where it is not marked.
    """

    path: Path | None = None
    spans: Mapping[tuple[str, str], Mapping[str, list[Span]]] = field(
        default_factory=dict
    )
    repeated: frozenset[str] = frozenset()
    known: Sequence[str] = ()
    tree: Mapping[str, str] = field(default_factory=dict)
    special: Sequence[str] = ()
    judge: str = ""
    missing: bool = True
    unplaced: int = field(default=0, init=False)
    unwanted: int = field(default=0, init=False)
    _used: bool = field(default=False, init=False)

    @classmethod
    def read(
        cls,
        config: CampaignConfig,
        options: Mapping[str, object],
        segments: Sequence[Shown],
    ) -> Prefilled:
        """Read the file that the settings name, in any format of judgements.

        Parameters
        ----------
        segments : sequence of Shown
            Those of the campaign.

        Raises
        ------
        InputError
            When it cannot be read, or has no spans.
        """
        if not (name := str(options["prefilled"])):
            return cls()
        from tertium.judgements import Judgements

        path = _existing(config, name)
        spans: dict[tuple[str, str], dict[str, list[Span]]] = {}
        for one in Judgements.read(path).iterate("spans"):
            if isinstance(one, Span):
                by_document = spans.setdefault((one.segment, one.system), {})
                theirs = by_document.setdefault(one.document or "", [])
                if one.severity.lower() not in NO_ERROR:
                    theirs.append(one)
        if not spans:
            message = f"{path} has no error spans; name a file with spans, or omit it"
            raise InputError(message)
        tree = cast("Mapping[str, str]", options.get("tree", {}))
        counts = Counter(one.segment for one in segments)
        return cls(
            path,
            spans,
            frozenset(name for name, number in counts.items() if number > 1),
            severities(options),
            tree,
            special_marks(options),
            name if judge_named(name) else "",
            bool(options["missing"]),
        )

    def of(
        self, document: str, segment: str, systems: Sequence[str], text: str
    ) -> Marks | None:
        """Return the marks of an output; None where the file says nothing about it.

        Of systems that wrote the same, the first one that the file has counts.

        Raises
        ------
        FormatError
            When a mark lies outside the output, ends before it starts, quotes other
            words, or has a severity that the campaign does not have; or when several
            segments could be meant.
        """
        for system in systems:
            theirs = self._named(document, segment, system)
            if theirs is not None:
                self._used = True
                return self._marks(theirs, text)
        return None

    def _named(self, document: str, segment: str, system: str) -> list[Span] | None:
        """Return the spans of an output: of its document, if both sides name one."""
        by_document = self.spans.get((segment, system), {})
        if document and document in by_document:
            return by_document[document]
        close = {
            name: theirs
            for name, theirs in by_document.items()
            if not (document and name)
        }
        if len(close) > 1 or (close and segment in self.repeated):
            message = (
                f"segment {segment!r} of system {system!r} is in several documents; "
                "name the document in every span and in the test set, or give every "
                "segment an id of its own"
            )
            raise FormatError(message, path=str(self.path))
        return next(iter(close.values()), None)

    def check_used(self) -> None:
        """Complain about a file of which nothing fits.

        Raises
        ------
        InputError
        """
        if self.path is not None and not self._used:
            (segment, system), by_document = next(iter(self.spans.items()))
            document = next(iter(by_document))
            place = f"document {document!r}, " if document else ""
            message = (
                f"no span of {self.path} belongs to an output of this campaign; the "
                f"first is of {place}segment {segment!r} and system {system!r}: use "
                "the names of the test set"
            )
            raise InputError(message)

    def _marks(self, spans: Iterable[Span], text: str) -> Marks:
        """Return marks that can be shown and submitted, and count the others."""
        marks = []
        for span in spans:
            if (placed := of_output(span)) is None:
                self.unplaced += 1
                continue
            mark = self._mark(placed, text)
            is_missing = mark["start"] is None and span.category not in self.special
            if is_missing and not self.missing:
                self.unwanted += 1
                continue
            marks.append(mark)
        return marks

    def _mark(self, span: Span, text: str) -> dict[str, object]:
        try:
            severity = known_severity(span.severity, self.known)
        except ValueError as error:
            where = f"segment {span.segment!r} of system {span.system!r}"
            raise FormatError(f"{where}: {error}", path=str(self.path)) from None
        mark: dict[str, object] = {"severity": severity}
        start, end = self._place(span, text)
        if start is None and span.category in self.special:
            mark["category"] = span.category
        elif self.tree:
            mark["category"] = span.category if span.category in self.tree else ""
        return {"start": start, "end": end, **mark}

    def _place(self, span: Span, text: str) -> tuple[int | None, int | None]:
        """Return where a mark lies; missing content has no place, or no length."""
        start, end = span.start, span.end
        if start is None and end is None:
            return None, None
        if start is None or end is None:
            raise self._wrong(span, "has only one end", "give start and end, or none")
        if end < start:
            raise self._wrong(span, "ends before it starts", "swap start and end")
        if start < 0 or end > len(text):
            what = f"lies outside the output, which has {len(text)} characters"
            cure = "count code points from 0, in the output of the test set"
            raise self._wrong(span, what, cure)
        if start == end:
            return None, None
        whole = widened(text, start, end)
        if whole is None:
            raise self._wrong(span, "holds only white space", "remove it")
        words = text[start:end]
        if span.text and not _quotes(span.text, words):
            what = f"marks {span.text!r}, where the output has {words!r}"
            if self.judge:
                cure = f"the text has changed: ask {self.judge} again"
                raise self._wrong(span, what, cure, options=("ask_model",))
            cure = "use the outputs that were marked, or mark these again"
            raise self._wrong(span, what, cure)
        return whole

    def _wrong(
        self, span: Span, what: str, cure: str, *, options: Sequence[str] = ()
    ) -> FormatError:
        where = f"segment {span.segment!r} of system {span.system!r}"
        message = f"{where}: the span {span.start} to {span.end} {what}; {cure}"
        return FormatError(message, path=str(self.path), options=options)


def _quotes(quotation: str, words: str) -> bool:
    """Return whether a quotation is of these words, as models quote."""
    from tertium.llm.places import locate

    wanted = words.strip()
    return locate(quotation, wanted) == (0, len(wanted))


def of_output(span: Span) -> Span | None:
    """Return an error as one of the output; None where it has no place there.

    Missing content needs no place, whichever text it quotes, and words of the source
    without a category are missing. Other words without a place are not in the output: a
    model has quoted them wrongly.
    """
    name = span.category.lower()
    is_missing = any(one in name for one in ("missing", "omission"))
    if span.side == "source":
        keeps = is_missing or not name
    elif span.text and span.start is None:
        keeps = is_missing
    else:
        return span
    return span._replace(side="target", start=None, end=None) if keeps else None


def _existing(config: CampaignConfig, name: str) -> Path:
    """Return the file that the settings name, or that of the judge's marks.

    Raises
    ------
    InputError
        When there is none, such as where a metric is named instead.
    """
    # A metric's name may look like a path outside the folder.
    path = config.path.parent / name if ":" in name else config.file(name)
    if path.exists():
        return config.file(name)
    if judge_named(name) is not None:
        if (place := stored_marks(config.path)).exists():
            return place
        message = (
            f"{config.path}: [task] prefilled = {name!r}, and the model's marks are "
            f"not in {place} yet; `{load_command(config)}` asks it"
        )
        raise InputError(message)
    message = f"{config.path}: [task] prefilled = {name!r} is not a file; {CURE}"
    raise InputError(message)


def prefilled_notes(
    config: CampaignConfig, options: Mapping[str, object], drafts: Iterable[ItemDraft]
) -> Sequence[Note]:
    """Return notes on outputs that a file leaves out, and on errors without a mark."""
    if not (name := str(options["prefilled"])):
        return ()
    # Read again, as items hold no more than what is shown.
    prefilled = Prefilled.read(config, options, list(read_shown(config)))
    covered = []
    for draft in drafts:
        for one in paragraphs(draft.content) if draft.kind == "work" else ():
            for key, text in one["outputs"].items():
                names = draft.origins[key]
                marks = prefilled.of(draft.document, one["segment"], names, text)
                covered.append(marks is not None)
    notes = []
    if not all(covered):
        values = {"path": name, "count": sum(covered), "total": len(covered)}
        notes.append(Note("prefilled-some", values))
    # What a model quoted wrongly is said when it is asked.
    if prefilled.unplaced and not prefilled.judge:
        notes.append(Note("prefilled-unlocated", {"count": prefilled.unplaced}))
    if prefilled.unwanted:
        notes.append(Note("prefilled-missing", {"count": prefilled.unwanted}))
    return notes


def shifted(marks: Marks, length: int, damaged: Damaged) -> Marks:
    """Return marks of a text where they are in a damaged copy of it.

    A mark that the damage touches is gone: the words under it are.

    Parameters
    ----------
    length : int
        Of the text.

    Examples
    --------
    >>> copy = Damaged("a xyz c", 2, 5)
    >>> shifted([{"start": 2, "end": 3}, {"start": 4, "end": 5}], 5, copy)
    [{'start': 6, 'end': 7}]
    """
    more = len(damaged.text) - length
    last = damaged.end - more  # where the replaced words ended
    kept = []
    for mark in marks:
        match mark["start"], mark["end"]:
            case int(start), int(end) if start >= last:
                kept.append({**mark, "start": start + more, "end": end + more})
            case int(), int(end) if end > damaged.start:
                continue
            case _:
                kept.append(mark)
    return kept
