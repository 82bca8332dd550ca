# SPDX-License-Identifier: Apache-2.0
"""Predictions that ignore quality: what a measure gives for nothing.

``PROBE-nothing`` marks nothing, ``PROBE-everything`` every output from end to end,
``PROBE-random`` as many spans as a random human annotation has, with its lengths, at
random places, and ``PROBE-absent`` every word that the references lack. The latter
needs a test set.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from tertium.data.segment_ids import judged_numbers
from tertium.errors import InputError
from tertium.judgements.spans.matching import Annotation, Mark
from tertium.meta.spans.inputs import Marked, Output

if TYPE_CHECKING:
    from tertium.data.testset import Testset

__all__ = ["PROBES", "probe_outputs"]

#: The names of the probes.
PROBES = ("PROBE-nothing", "PROBE-everything", "PROBE-random", "PROBE-absent")

_WORD = re.compile(r"\w+")


def probe_outputs(
    outputs: Sequence[Output],
    human: Marked,
    testset: Testset | None = None,
    *,
    seed: int,
) -> dict[str, Marked]:
    """Return the probes' annotations of outputs.

    Raises
    ------
    InputError
        If the length of an output is unknown.
    """
    texts = _texts(outputs, testset)
    lengths = _lengths(outputs, human, texts)
    probes: dict[str, Mapping[Output, Annotation]] = {
        "PROBE-nothing": {output: Annotation() for output in outputs},
        "PROBE-everything": {
            output: Annotation((Mark(0, length, "major"),) if length else ())
            for output, length in lengths.items()
        },
        "PROBE-random": _random(outputs, human, lengths, seed),
    }
    if testset is not None:
        probes["PROBE-absent"] = {
            output: absent_words(texts[output], references)
            for output, references in _references(outputs, testset).items()
        }
    return {
        name: Marked({output: {"": each} for output, each in marks.items()}, {})
        for name, marks in probes.items()
    }


def absent_words(text: str, references: Sequence[str]) -> Annotation:
    """Return a minor mark on every run of words that no reference has.

    Examples
    --------
    >>> absent_words("a big red dog", ["the red dog"]).marks
    (Mark(start=0, end=5, severity='minor', category=''),)
    """
    known = {word.lower() for each in references for word in _WORD.findall(each)}
    marks: list[Mark] = []
    joined = False
    for match in _WORD.finditer(text):
        absent = match.group().lower() not in known
        if absent and joined:
            marks[-1] = marks[-1]._replace(end=match.end())
        elif absent:
            marks.append(Mark(match.start(), match.end(), "minor"))
        joined = absent
    return Annotation(tuple(marks), length=len(text))


def _random(
    outputs: Sequence[Output],
    human: Marked,
    lengths: Mapping[Output, int],
    seed: int,
) -> dict[Output, Annotation]:
    pool = [each for out in outputs for each in human.annotations[out].values()]
    generator = np.random.default_rng(seed)
    annotations = {}
    for output in outputs:
        length = lengths[output]
        marks = []
        for mark in pool[int(generator.integers(len(pool)))].marks:
            size = min(mark.end - mark.start, length)
            if size:
                start = int(generator.integers(length - size + 1))
                marks.append(Mark(start, start + size, mark.severity, mark.category))
        annotations[output] = Annotation(tuple(marks), length=length)
    return annotations


def _indices(outputs: Sequence[Output], testset: Testset) -> dict[Output, int]:
    names = {output: (output.system, output.segment) for output in outputs}
    numbers = judged_numbers(testset, names.values())
    return {each: numbers[name] for each, name in names.items() if name in numbers}


def known_lengths(
    outputs: Sequence[Output], human: Marked, testset: Testset | None = None
) -> dict[Output, int]:
    """Return the code points of outputs where judgements or the test set have them."""
    indices = {} if testset is None else _indices(outputs, testset)
    systems = {} if testset is None else testset.systems
    lengths = {}
    for output in outputs:
        annotated = (each.length for each in human.annotations[output].values())
        length = next((each for each in annotated if each is not None), None)
        if output in indices and output.system in systems:
            length = len(systems[output.system][indices[output]])
        elif output in human.texts:
            length = len(human.texts[output][1])
        if length is not None:
            lengths[output] = length
    return lengths


def _texts(outputs: Sequence[Output], testset: Testset | None) -> dict[Output, str]:
    if testset is None:
        return {}
    indices = _indices(outputs, testset)
    texts = {}
    for output in outputs:
        if output not in indices or output.system not in testset.systems:
            message = (
                f"the test set has no output of {output.system} for segment "
                f"{output.segment!r}; give the test set that was judged"
            )
            raise InputError(message, options=("testsets",))
        texts[output] = testset.systems[output.system][indices[output]]
    return texts


def _references(
    outputs: Sequence[Output], testset: Testset
) -> dict[Output, Sequence[str]]:
    indices = _indices(outputs, testset)
    return {each: testset.references[indices[each]] for each in outputs}


def _lengths(
    outputs: Sequence[Output], human: Marked, texts: Mapping[Output, str]
) -> dict[Output, int]:
    lengths = known_lengths(outputs, human) | {o: len(t) for o, t in texts.items()}
    for output in outputs:
        if output not in lengths:
            message = (
                f"the length of {output.system}'s output for segment "
                f"{output.segment!r} is unknown, and probes need it; give the test set"
            )
            raise InputError(message, options=("testsets",))
    return lengths
