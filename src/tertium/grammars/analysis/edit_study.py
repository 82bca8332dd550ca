# SPDX-License-Identifier: Apache-2.0
"""Whether annotators mark the words that corrections edit: a study with people.

Outputs with few edits are chosen and written for a campaign (``tertium campaign new
--task edits``); later the exported answers are compared with the corrections.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tertium._seed import SEED
from tertium._version import __version__
from tertium.data.lines import StrPath
from tertium.errors import InputError
from tertium.grammars.analysis.annotation import (
    MOST,
    AnnotationItem,
    annotation_items,
    compare_annotations,
    read_answers,
    read_items,
    write_items,
    write_key,
)
from tertium.grammars.authoring.catalogue import Templates
from tertium.grammars.comparison import evaluate
from tertium.grammars.morphology import Analyser
from tertium.grammars.search.edits import EditCosts
from tertium.grammars.sets.exchange import make_folder
from tertium.grammars.sets.testset import Sources, Systems
from tertium.judgements.agreement.positions import PlaceReport, PlaceScore

__all__ = [
    "ITEMS",
    "KEY",
    "AnnotationReport",
    "AnnotationSelection",
    "choose_items",
    "compare_answers",
]

#: The files of a study: for annotators, and for the comparison.
ITEMS, KEY = "items.jsonl", "key.jsonl"


@dataclass(frozen=True)
class AnnotationSelection:
    """Outputs chosen for annotators.

    Attributes
    ----------
    items : tuple of AnnotationItem
        The outputs, each with where its correction edits.
    notes : tuple of str
        What reference files contain and the reference sets do not.
    """

    items: tuple[AnnotationItem, ...]
    notes: tuple[str, ...] = ()

    def write(self, folder: StrPath) -> None:
        """Write ``items.jsonl`` for a campaign, and ``key.jsonl`` for later."""
        make_folder(folder)
        write_items(self.items, Path(folder, ITEMS))
        write_key(self.items, Path(folder, KEY))


def choose_items(
    systems: Systems,
    templates: Templates = (),
    *,
    references: StrPath | Sequence[StrPath] = (),
    testset: Sources | None = None,
    target: str = "",
    input_format: str = "auto",
    analyser: Analyser | str | None = None,
    costs: EditCosts | str = "default",
    most: int = MOST,
    number: int | None = None,
    seed: int = SEED,
    allow_commands: bool = False,
    allow_outside: bool = False,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> AnnotationSelection:
    """Correct outputs, and return those with few edits for annotators.

    Parameters
    ----------
    systems, templates, references, testset, target, input_format
        As in :func:`tertium.evaluate`.
    analyser, costs, allow_commands, allow_outside, threads, progress
        As in :func:`tertium.evaluate`.
    most : int
        Leave out outputs with more automatic edits.
    number : int, optional
        How many items to sample; all by default.
    seed : int
        The seed of the sample.

    Raises
    ------
    InputError
        When every output has too many edits.

    Examples
    --------
    >>> from tertium.grammars import SourceSentence
    >>> sentence = SourceSentence("1", "size", "1a,2a,3a", "The digger is enormous.")
    >>> outputs = {"A": ["Kaivuri on valtavan, mutta liikkuu hyvin tarkasti."]}
    >>> selection = choose_items(outputs, "size", testset=[sentence])
    >>> sorted(selection.items[0].places.tokens)
    [2]
    """
    evaluation = evaluate(
        systems,
        templates,
        references=references,
        testset=testset,
        target=target,
        input_format=input_format,
        analyser=analyser,
        costs=costs,
        resamples=0,
        moves=(),
        allow_commands=allow_commands,
        allow_outside=allow_outside,
        threads=threads,
        progress=progress,
    )
    items = annotation_items(evaluation.segments, most=most, size=number, seed=seed)
    if not items:
        message = f"every output has more than {most} edits; allow more"
        raise InputError(message, options=("most",))
    return AnnotationSelection(tuple(items), evaluation.notes)


@dataclass(frozen=True)
class AnnotationReport:
    """Corrections compared with what annotators marked.

    Attributes
    ----------
    items : int
        How many outputs the study has.
    places : PlaceReport
        Precision, recall and F, by annotator and together.
    """

    items: int
    places: PlaceReport

    def to_json(self) -> dict[str, object]:
        """Return ``tertium``, ``items``, ``annotators``, ``together`` and ``among``."""
        return {
            "tertium": __version__,
            "items": self.items,
            "annotators": {
                name: _score_dict(score)
                for name, score in self.places.annotators.items()
            },
            "together": _score_dict(self.places.pooled),
            "among": _score_dict(self.places.among),
        }


def _score_dict(score: PlaceScore) -> dict[str, object]:
    return {
        "outputs": score.segments,
        "right": score.right,
        "wrong": score.wrong,
        "missed": score.missed,
        "precision": score.precision,
        "recall": score.recall,
        "f": score.f,
    }


def compare_answers(folder: StrPath, answers: StrPath) -> AnnotationReport:
    """Compare what annotators marked with what corrections edit.

    Parameters
    ----------
    folder : str or path
        The folder that :meth:`AnnotationSelection.write` wrote, or its ``key.jsonl``.
    answers : str or path
        The answers that a campaign exported.

    Raises
    ------
    InputError
        When there is no answer on these items.
    """
    key = Path(folder, KEY) if Path(folder).is_dir() else Path(folder)
    items = read_items(key)
    annotators = read_answers(answers, items)
    if not annotators:
        message = (
            f"{answers} has no answer on the items of {folder}; give the export of the "
            "campaign that was made from them"
        )
        raise InputError(message)
    return AnnotationReport(len(items), compare_annotations(items, annotators))
