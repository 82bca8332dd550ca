# SPDX-License-Identifier: Apache-2.0
"""An explanation: the views of one segment, as text, diagrams or a page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from tertium._notebook import Shown
from tertium._version import __version__
from tertium.errors import UnknownNameError
from tertium.report.explain.views import (
    Dependencies,
    Finding,
    Matching,
    MatchView,
    NgramHits,
    Order,
    Pairing,
    Paths,
    WordEdit,
)

if TYPE_CHECKING:
    from tertium.learn.losses import ScoreLosses
    from tertium.metrics.parts import ScoreParts

__all__ = ["LONGEST", "Explanation", "Score"]

#: Diagrams of longer texts are illegible and slow to draw.
LONGEST = 200


@dataclass(frozen=True)
class Score:
    """The score of the segment by one metric."""

    spec: str
    label: str
    value: float | None
    higher_is_better: bool
    shown: str
    signature: str = ""


@dataclass(frozen=True, repr=False)
class Explanation(Shown):
    """Why a segment has its score.

    Attributes
    ----------
    hyp, ref : tuple of str
        The words.
    hyp_text, ref_text : str
        The texts.
    findings : tuple of Finding
        One plain sentence each: order, words, forms, relations, and within each kind
        the heaviest first.
    scores : tuple of Score
        Of the segment, by every metric.
    losses : tuple of ScoreLosses
        What the score of every trained metric lost, by group of features, each
        against the reference that the metric found best.
    parts : tuple of ScoreParts
        What the scores of metrics with several parts consist of.
    matches : tuple of MatchView
        The alignment, and that of every view that has no `pairing` of its own.
    metric : str
        The metric whose words and alignment these are, or "" if there is none.
    order : Order or None
        The permutation, its trees and its scores.
    dependencies : Dependencies or None
        Both trees and DTED's edit script.
    paths : Paths or None
        DERP's spanning tree.
    ngrams : tuple of NgramHits
        For n from 1 to 4.
    edits : tuple of WordEdit
        What turns the output into the reference word by word.
    others : tuple of Matching, Order, Dependencies or Paths
        Views of further metrics of the same kind, such as a second variant of DTED;
        each names its `metric`.
    source, system, segment
        Labels of the segment; segments are counted from 1.
    reference, references : int
        Which reference is explained, counted from 0, and how many there are.
    settings : mapping
        How words were tokenized, aligned and parsed.
    """

    hyp: tuple[str, ...]
    ref: tuple[str, ...]
    hyp_text: str
    ref_text: str
    findings: tuple[Finding, ...] = ()
    scores: tuple[Score, ...] = ()
    losses: tuple[ScoreLosses, ...] = ()
    parts: tuple[ScoreParts, ...] = ()
    matches: tuple[MatchView, ...] = ()
    order: Order | None = None
    dependencies: Dependencies | None = None
    paths: Paths | None = None
    ngrams: tuple[NgramHits, ...] = ()
    edits: tuple[WordEdit, ...] = ()
    metric: str = ""
    others: tuple[Matching | Order | Dependencies | Paths, ...] = ()
    source: str | None = None
    system: str | None = None
    segment: int | None = None
    reference: int = 0
    references: int = 1
    settings: Mapping[str, str] = field(default_factory=dict)

    @property
    def same(self) -> bool:
        """Whether output and reference have the same words; diagrams are omitted."""
        return [finding.kind for finding in self.findings] in (
            ["same"],
            ["same", "punctuation"],
        )

    @property
    def too_long(self) -> str:
        """Why there are no diagrams: too many words; otherwise an empty string."""
        if max(len(self.hyp), len(self.ref)) <= LONGEST:
            return ""
        return (
            f"{len(self.hyp):,} output words and {len(self.ref):,} reference words are "
            f"too many (the limit is {LONGEST}); the JSON output has all views"
        )

    def pairing(self, view: Order | Dependencies | Paths | None = None) -> Pairing:
        """Return the words and links of a view."""
        seen = None if view is None else view.pairing
        return seen or Pairing(self.hyp, self.ref, self.matches)

    @property
    def labels(self) -> list[str]:
        """The name of every score: its label, or its spec if two share a label."""
        names = [score.label for score in self.scores]
        return [
            score.spec if names.count(score.label) > 1 else score.label
            for score in self.scores
        ]

    def each(self, diagram: str) -> list[tuple[str, Explanation]]:
        """Return what a diagram shows: once for every metric of its kind.

        Returns
        -------
        list of (str, Explanation)
            The spec of the metric, and the explanation with the view of that metric
            instead of the first; one item with the spec "" if there are no others.
        """
        kind, field_name = _VIEWS_BY_DIAGRAM[diagram]
        others = [view for view in self.others if isinstance(view, kind)]
        if not others:
            return [("", self)]
        first = getattr(self, field_name) if field_name else self
        views = [(first.metric, self)]
        for view in others:
            fields: dict[str, Any] = {field_name: view}
            if isinstance(view, Matching):
                words = view.pairing
                fields = {"hyp": words.hyp, "ref": words.ref, "matches": words.matches}
            views.append((view.metric, replace(self, **fields)))
        return views

    @property
    def name(self) -> str:
        """A short name: segment and system if they are known."""
        parts = [] if self.segment is None else [f"segment {self.segment}"]
        if self.system is not None:
            parts.append(f"system {self.system}")
        return ", ".join(parts) or "this text"

    def to_dict(self) -> dict[str, Any]:
        """Return the object that ``tertium explain -f json`` prints for a segment."""
        from tertium.report.explain.plain import plain, plain_others

        out = plain(self)
        out["others"] = plain_others(self.others)
        for plain_finding, finding in zip(out["findings"], self.findings, strict=True):
            plain_finding["text"] = finding.text
        return {"tertium": __version__, **out}

    def to_text(self, *, width: int = 80, colour: bool = False) -> str:
        """Return text for a terminal."""
        from tertium.report.explain.terminal import render_text

        return render_text(self, width=width, colour=colour)

    def to_svg(self, diagram: str = "forest") -> str:
        """Return a diagram by name; see :data:`tertium.report.explain.DIAGRAMS`.

        Raises
        ------
        UnknownNameError
            If there is no such diagram.
        InputError
            If there are more than :data:`LONGEST` words.
        """
        from tertium.report.explain.diagrams import DIAGRAMS, draw

        if diagram not in DIAGRAMS:
            raise UnknownNameError("diagram", diagram, DIAGRAMS)
        return draw(self, diagram).to_svg()

    def to_html(self) -> str:
        """Return a self-contained HTML page."""
        from tertium.report.explain.page import render_page

        return render_page([self], title="Why this score?")

    def __repr__(self) -> str:
        from tertium.report.explain.findings import shorten

        lines = [f"<Explanation of {self.name}>"]
        return "\n".join(
            [*lines, *(finding.text for finding in shorten(self.findings))]
        )

    def to_json(self, *, indent: int | None = 2) -> str:
        """Return :meth:`to_dict` as JSON."""
        import json

        return json.dumps(self.to_dict(), ensure_ascii=False, indent=indent)


#: The kind of view that a diagram shows, and the attribute with the first of them.
_VIEWS_BY_DIAGRAM: dict[str, tuple[type, str]] = {
    "alignment": (Matching, ""),
    "tree": (Order, "order"),
    "forest": (Order, "order"),
    "dependencies": (Dependencies, "dependencies"),
    "derp": (Paths, "paths"),
}
