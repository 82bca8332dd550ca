# SPDX-License-Identifier: Apache-2.0
"""An output cut as the reference is, with how sure that is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tertium._messages import count
from tertium._version import __version__
from tertium.data.segmentation.joining import joined
from tertium.errors import InputError
from tertium.notes import Note

__all__ = ["POOR", "SURE", "LinkedLines", "MatchedSegment", "Resegmentation"]

#: Segments with a lower certainty are called uncertain.
SURE = 0.5

#: With a lower share of words that match, an output may be that of other texts.
POOR = 0.1

_LISTED = 10  # segments that a note names


@dataclass(frozen=True)
class MatchedSegment:
    """A segment of the reference, and the part of an output that belongs to it.

    Parameters
    ----------
    text : str
        The part of the output, as one line.
    document : str
        Its document; empty where there are none.
    words, reference_words : int
        Words of the part, and of the closest reference.
    matched : int
        Words that are equal, by minimum edit distance.
    edits : int
        Insertions, deletions and substitutions.
    places : tuple of int
        How many places would do as well, with as few edits in the whole document, for
        its start and for its end; 1 where there is no other.
    margins : tuple of int
        Edits that the second-best place costs, for its start and its end: 0 to 2.
    inside_sentence : tuple of bool
        Whether start and end lie inside a sentence of the output, by its punctuation,
        though the reference ends a sentence there.
    similarity : float, optional
        Of the group of lines that it was found in, if lines were linked.
    """

    text: str
    document: str
    words: int
    reference_words: int
    matched: int
    edits: int
    places: tuple[int, int]
    margins: tuple[int, int]
    inside_sentence: tuple[bool, bool]
    similarity: float | None = None

    @property
    def matched_share(self) -> float:
        """The F1 of matched words; 1 if there is nothing to match."""
        size = self.words + self.reference_words
        return 2 * self.matched / size if size else 1.0

    @property
    def certainty(self) -> float:
        """How sure start and end are, from 0 to 1.

        The smallest of: twice the share of matched words; two divided by the number of
        places that would do as well, for the worse of start and end (two equal places
        cost nothing, since the word at an edge is often replaced); a quarter if one of
        them lies inside a sentence; one.
        """
        inside = 0.25 if any(self.inside_sentence) else 1.0
        return min(inside, 2 * self.matched_share, 2 / max(self.places))

    def to_dict(self) -> dict[str, Any]:
        """Return the figures, as the JSON has them."""
        figures: dict[str, Any] = {
            "text": self.text,
            "document": self.document or None,
            "words": self.words,
            "reference_words": self.reference_words,
            "matched": self.matched,
            "edits": self.edits,
            "places": list(self.places),
            "margins": list(self.margins),
            "inside_sentence": list(self.inside_sentence),
            "certainty": self.certainty,
        }
        if self.similarity is not None:
            figures["similarity"] = self.similarity
        return figures


@dataclass(frozen=True)
class LinkedLines:
    """Lines of the reference and of the output that belong together, counted from 0.

    Parameters
    ----------
    segments : tuple of int
        Of the whole reference; empty for lines that nothing is like.
    lines : tuple of int
        Of the whole output, blank ones counted.
    similarity : float
    """

    segments: tuple[int, ...]
    lines: tuple[int, ...]
    similarity: float

    @property
    def kind(self) -> str:
        """How many lines are linked, such as ``1-2``."""
        return f"{len(self.segments)}-{len(self.lines)}"


@dataclass(frozen=True)
class Resegmentation:
    """The result of :func:`~tertium.data.segmentation.resegment`.

    Parameters
    ----------
    segments : list of MatchedSegment
        One per segment of the reference, in its order.
    lines : int
        How many lines the output had.
    documents : int
        How many documents were cut on their own, or there are, if nothing was cut.
    documents_by : str
        How they were found: ``ids``, ``lines`` (one per document), ``blank lines`` or
        ``nothing`` (all is one document).
    by : str
        ``words`` or ``similarity``.
    links : list of LinkedLines
        By similarity: the links between lines.
    unchanged : bool
        Whether the output had the lines of the reference, and was left as it is.
    docs_unused : bool
        Whether the segments have documents, but those of the output are unknown.
    """

    segments: list[MatchedSegment]
    lines: int
    documents: int
    documents_by: str
    by: str
    links: Sequence[LinkedLines] = ()
    unchanged: bool = False
    docs_unused: bool = False

    @property
    def texts(self) -> list[str]:
        """The output, one line per segment of the reference."""
        return [segment.text for segment in self.segments]

    @property
    def matched_share(self) -> float:
        """The F1 of matched words in the whole text; 1 for an empty one."""
        size = sum(one.words + one.reference_words for one in self.segments)
        matched = sum(one.matched for one in self.segments)
        return 2 * matched / size if size else 1.0

    @property
    def edits(self) -> int:
        """The sum of edits."""
        return sum(segment.edits for segment in self.segments)

    def uncertain(self, below: float = SURE) -> list[int]:
        """Return the indices of segments whose certainty is lower, counted from 0."""
        if self.unchanged:
            return []
        return [k for k, one in enumerate(self.segments) if one.certainty < below]

    def notes(self, system: str) -> list[Note]:
        """Return what a user should know: what was done, and what is uncertain.

        Parameters
        ----------
        system : str
            What to call the output.
        """
        share = 100 * self.matched_share
        poor = [Note("poor-match", {"system": system, "share": share})]
        poor = poor if self.matched_share < POOR else []
        if self.unchanged:
            return [Note("not-resegmented", {"system": system, "share": share}), *poor]
        values = {
            "system": system,
            "by": self.by,
            "lines": count(self.lines, "line"),
            "segments": count(len(self.segments), "segment"),
            "documents": self._documents(),
            "share": share,
        }
        notes = [Note("resegmented", values), *poor]
        if self.docs_unused:
            notes.append(Note("unused-documents", {"system": system}))
        if indices := self.uncertain():
            numbers = [f"{index + 1:,}" for index in indices[:_LISTED]]
            if len(indices) > _LISTED:
                numbers.append("...")
            values = {"system": system, "count": len(indices), "numbers": numbers}
            notes.append(Note("uncertain-segments", values))
        return notes

    def _documents(self) -> str:
        number = count(self.documents, "document")
        return number if self.documents < 2 else f"{number} (by {self.documents_by})"

    def merged(
        self, references: Sequence[Sequence[str]]
    ) -> tuple[list[tuple[str, ...]], list[str]]:
        """Return references and output with one line per group of linked lines.

        Parameters
        ----------
        references : sequence of sequences of str
            Those that were matched.

        Raises
        ------
        InputError
            If lines were not linked.
        """
        if self.unchanged and self.by == "similarity":
            message = (
                "the output has as many lines as the reference and was left as it is, "
                "so that no lines are linked; to link them, set always=True"
            )
            raise InputError(message, options=("always",))
        if self.by != "similarity":
            message = "only lines linked by similarity can be merged"
            raise InputError(message, options=("by",))
        groups = [link.segments for link in self.links if link.segments]
        refs = [
            tuple(
                joined(column)
                for column in zip(*(references[k] for k in group), strict=True)
            )
            for group in groups
        ]
        texts = self.texts
        return refs, [joined([texts[k] for k in group]) for group in groups]

    def summary(self) -> dict[str, Any]:
        """Return what was done and how sure it is, without texts."""
        return {
            "by": self.by,
            "unchanged": self.unchanged,
            "lines": self.lines,
            "documents": self.documents,
            "documents_by": self.documents_by,
            "edits": self.edits,
            "matched": self.matched_share,
            "uncertain": [index + 1 for index in self.uncertain()],
        }

    def to_dict(self) -> dict[str, Any]:
        """Return the object that ``tertium resegment -f json`` prints."""
        return {
            "tertium": __version__,
            **self.summary(),
            "segments": [segment.to_dict() for segment in self.segments],
            "links": [
                {
                    "segments": [index + 1 for index in link.segments],
                    "lines": [index + 1 for index in link.lines],
                    "similarity": link.similarity,
                }
                for link in self.links
            ],
        }
