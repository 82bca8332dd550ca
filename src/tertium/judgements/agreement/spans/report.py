# SPDX-License-Identifier: Apache-2.0
"""Agreement on error spans: all judges, each, every two, and their habits."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from tertium._seed import SEED
from tertium._version import __version__
from tertium.errors import InputError, UnknownNameError
from tertium.judgements.agreement.spans.figures import (
    SpanAgreement,
    compare,
    span_agreement,
)
from tertium.judgements.agreement.spans.outputs import (
    Pair,
    judged_outputs,
    pairs_of,
)
from tertium.judgements.annotators.span_habits import SpanHabits, span_habits
from tertium.judgements.estimates import need_scipy
from tertium.judgements.selection import campaign_notes, check_read
from tertium.notes import Note
from tertium.stats.resample import Bootstrap, check_run

if TYPE_CHECKING:
    from tertium.judgements.tables import Judgements

__all__ = ["UNITS", "SpanReport", "agree_on_spans"]

UNITS = ("document", "segment")


@dataclass(frozen=True)
class SpanReport:
    """The result of :func:`agree_on_spans`.

    Parameters
    ----------
    inter, intra : SpanAgreement
        Between judges, and of judges with themselves.
    judges : dict of str to dict of str to SpanAgreement
        ``inter`` and ``intra`` of every judge who shares outputs, with all others.
    pairs : dict of (str, str) to SpanAgreement
        Every two judges who share outputs.
    habits : list of SpanHabits
        One per judge.
    unit : {"document", "segment"}
        What was resampled.
    bootstrap : Bootstrap, optional
    notes : tuple of Note
    """

    inter: SpanAgreement
    intra: SpanAgreement
    judges: dict[str, dict[str, SpanAgreement]]
    pairs: dict[tuple[str, str], SpanAgreement]
    habits: list[SpanHabits]
    unit: str
    bootstrap: Bootstrap | None
    notes: tuple[Note | str, ...] = ()

    def to_dict(self) -> dict[str, object]:
        """Return what JSON shows; see ``tertium agree --help``."""
        run = None if self.bootstrap is None else asdict(self.bootstrap)
        return {
            "bootstrap": None if run is None else {**run, "unit": self.unit},
            "inter": self.inter.to_dict(),
            "intra": self.intra.to_dict(),
            "judges": [
                {
                    "judge": habits.judge,
                    "inter": self._of(habits.judge, "inter"),
                    "intra": self._of(habits.judge, "intra"),
                    "habits": habits.to_dict(),
                }
                for habits in self.habits
            ],
            "pairs": [
                {"a": a, "b": b, **one.to_dict()} for (a, b), one in self.pairs.items()
            ],
            "remarks": [str(note) for note in self.notes],
        }

    def _of(self, judge: str, kind: str) -> dict[str, object] | None:
        one = self.judges.get(judge, {}).get(kind)
        return None if one is None else one.to_dict()

    def to_json(self) -> str:
        """Return the JSON that ``tertium agree --spans -f json`` writes."""
        shown = {"tertium": __version__, **self.to_dict()}
        return json.dumps(shown, ensure_ascii=False, indent=2)


def agree_on_spans(
    judgements: Judgements,
    *,
    texts: Mapping[tuple[str, str], str] | None = None,
    unit: str = "document",
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = SEED,
) -> SpanReport:
    """Return how far judges agree on error spans, and how they mark errors.

    Parameters
    ----------
    judgements : Judgements
        With spans of known judges.
    texts : mapping of (system, segment) to str, optional
        The outputs. Agreement by chance depends on their lengths; without them, the
        metadata of spans is asked, then the largest end is taken, which a note says.
    unit : {"document", "segment"}
        What intervals resample: segments anyway where no document is known.
    resamples : int
        0 for no intervals.
    confidence : float
    seed : int

    Raises
    ------
    InputError
        When there are no spans of known judges.

    Notes
    -----
    Linear in the pairs of annotations, apart from sorting. Chance is corrected by
    Krippendorff's alpha for unitising, which has a closed form for agreement by
    chance; gamma (Mathet et al. 2015) samples it and solves an assignment problem for
    every sample.

    Examples
    --------
    >>> from tertium.judgements import Judgements, Span
    >>> spans = [
    ...     Span("A", "", "minor", "1", 0, 4, judge="anna"),
    ...     Span("A", "", "minor", "1", 2, 4, judge="ben"),
    ... ]
    >>> report = agree_on_spans(Judgements.from_iterable(spans), resamples=0)
    >>> round(report.inter.figures["character_f1"].value, 3)
    0.667
    """
    need_scipy("agreement on spans")
    check_read(judgements)
    if unit not in UNITS:
        raise UnknownNameError("unit of resampling", unit, UNITS)
    bootstrap = None
    if resamples:
        check_run(resamples, seed)
        bootstrap = Bootstrap(resamples, seed, confidence)
    judged, notes = judged_outputs(judgements, texts=texts)
    if not judged:
        message = (
            "there are no error spans of known judges; import judgements with spans, "
            "such as ESA or MQM"
        )
        raise InputError(message)
    inter, intra = pairs_of(judged)
    if not any(pair.first.output.document for pair in (*inter, *intra)):
        unit = "segment"
    more: list[Note | str] = [*campaign_notes(judgements), *notes]
    if not inter:
        more.append(Note("no-shared-spans"))
    return SpanReport(
        *_overview(_Rows(inter), _Rows(intra), unit, bootstrap),
        span_habits(judged),
        unit,
        bootstrap,
        tuple(more),
    )


class _Rows:
    """Pairs of annotations, each compared once for all the figures that it is in."""

    def __init__(self, pairs: list[Pair]) -> None:
        self.pairs = pairs
        self.compared = compare(pairs)

    def agreement(
        self, unit: str, bootstrap: Bootstrap | None, which: Sequence[int] | None = None
    ) -> SpanAgreement:
        """Return the figures of some pairs, or of all."""
        chosen = range(len(self.pairs)) if which is None else which
        return span_agreement(
            [self.pairs[i] for i in chosen],
            unit=unit,
            bootstrap=bootstrap,
            compared=[self.compared[i] for i in chosen],
        )


def _overview(
    inter: _Rows, intra: _Rows, unit: str, bootstrap: Bootstrap | None
) -> tuple[
    SpanAgreement,
    SpanAgreement,
    dict[str, dict[str, SpanAgreement]],
    dict[tuple[str, str], SpanAgreement],
]:
    """Return the agreement of all, of each judge, and of every two."""
    judges: dict[str, dict[str, SpanAgreement]] = {}
    for kind, rows in (("inter", inter), ("intra", intra)):
        of: dict[str, list[int]] = {}
        for i, pair in enumerate(rows.pairs):
            for judge in set(pair.judges):
                of.setdefault(judge, []).append(i)
        for judge in sorted(of):
            one = rows.agreement(unit, bootstrap, of[judge])
            judges.setdefault(judge, {})[kind] = one
    both: dict[tuple[str, str], list[int]] = {}
    for i, pair in enumerate(inter.pairs):
        both.setdefault(pair.judges, []).append(i)
    return (
        inter.agreement(unit, bootstrap),
        intra.agreement(unit, bootstrap),
        judges,
        {
            names: inter.agreement(unit, bootstrap, both[names])
            for names in sorted(both)
        },
    )
