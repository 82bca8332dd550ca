# SPDX-License-Identifier: Apache-2.0
"""Features of Universal Dependencies as analyses.

``Case=Nom|Number=Sing`` as in CoNLL-U; a value may list several
(``Case=Acc,Nom``), and then there are as many readings.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from tertium.errors import InputError
from tertium.grammars.morphology.base import VERBAL, Analysis

__all__ = ["from_ud", "read_features", "unique"]

_NUMBERS = {"Sing": "SG", "Plur": "PL"}
_FIELDS = {
    "Case": "case",
    "Number": "number",
    "Tense": "tense",
    "Person": "person",
    "Mood": "mood",
}
_NONE = ("", "_")


def read_features(text: str) -> dict[str, str]:
    """Return the features of a text such as ``Case=Nom|Number=Sing``.

    Raises
    ------
    InputError
        When a part is not NAME=VALUE.
    """
    if text in _NONE:
        return {}
    features = {}
    for part in text.split("|"):
        name, equals, value = part.partition("=")
        if not (name and equals and value):
            message = f"{part!r} is not a feature; write Case=Nom|Number=Sing, or _"
            raise InputError(message)
        features[name] = value
    return features


def from_ud(
    lemma: str, pos: str, features: dict[str, str], parts: tuple[str, ...] = ()
) -> tuple[Analysis, ...]:
    """Return the readings of a word with the tags of Universal Dependencies."""
    form = features.get("VerbForm", "")
    kind = "PTCP" if form == "Part" else "" if pos in _NONE else pos
    named = {
        field: [_short(name, value) for value in features[name].split(",")]
        for name, field in _FIELDS.items()
        if name in features
    }
    if kind in VERBAL:
        if form in ("Inf", "Ger", "Sup", "Conv") and "mood" not in named:
            # The kind of infinitive is its mood: the Finnish ones are several.
            named["mood"] = [form.upper() + features.get("InfForm", "")]
        if features.get("Voice") == "Pass" and "person" not in named:
            named["person"] = ["4"]
    return unique(
        Analysis(lemma, kind, parts=parts, **dict(zip(named, values, strict=True)))
        for values in product(*named.values())
    )


def unique(analyses: Iterable[Analysis]) -> tuple[Analysis, ...]:
    """Return the readings in their order, each once."""
    return tuple(dict.fromkeys(analyses))


def _short(name: str, value: str) -> str:
    return _NUMBERS.get(value, value.upper()) if name == "Number" else value.upper()
