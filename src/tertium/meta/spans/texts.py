# SPDX-License-Identifier: Apache-2.0
"""The texts of annotated outputs, as far as anybody knows them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tertium.data.segment_ids import judged_numbers
from tertium.meta.spans.inputs import Compared, Marked, Output

if TYPE_CHECKING:
    from tertium.data.testset import Testset

__all__ = ["UNKNOWN", "OutputText", "output_texts"]

#: Stands for a character of an output that nobody knows.
UNKNOWN = "·"


@dataclass(frozen=True)
class OutputText:
    """The text of an output.

    Parameters
    ----------
    text : str
        With :data:`UNKNOWN` for characters that nobody knows.
    known : bool
        Whether it is the whole text.
    source : str
        Empty if unknown.
    place : int, optional
        Where the segment stands in the test set.
    """

    text: str
    known: bool
    source: str = ""
    place: int | None = None


def output_texts(
    compared: Compared, testset: Testset | None = None
) -> dict[Output, OutputText]:
    """Return the texts of all outputs.

    They come from the test set, else from the judgements or predictions. Of an output
    without a text, as many characters are shown as it has, or up to the last mark, and
    of these only marked ones can be known.
    """
    places = {}
    if testset is not None:
        judged = ((output.system, output.segment) for output in compared.outputs)
        places = judged_numbers(testset, judged)
    sides = (compared.human, *compared.metrics.values())
    return {
        output: _from_testset(output, testset, places) or _from_marks(output, sides)
        for output in compared.outputs
    }


def _from_testset(
    output: Output, testset: Testset | None, places: dict[tuple[str, str], int]
) -> OutputText | None:
    place = places.get((output.system, output.segment))
    if testset is None or place is None or output.system not in testset.systems:
        return None
    source = "" if testset.sources is None else testset.sources[place]
    return OutputText(testset.systems[output.system][place], True, source, place)


def _from_marks(output: Output, sides: Iterable[Marked]) -> OutputText:
    length = 0
    pieces: dict[int, str] = {}
    for marked in sides:
        if output in marked.texts:
            source, text = marked.texts[output]
            return OutputText(text, True, source)
        pieces |= marked.pieces.get(output, {})
        for annotation in marked.annotations.get(output, {}).values():
            ends = [mark.end for mark in annotation.marks]
            length = max(length, annotation.length or 0, *ends, 0)
    characters = [UNKNOWN] * length
    for start, piece in pieces.items():
        characters[start : start + len(piece)] = piece[: max(0, length - start)]
    return OutputText("".join(characters), False)
