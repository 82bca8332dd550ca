# SPDX-License-Identifier: Apache-2.0
"""A list of outputs that readers filter: a form, segments, and their data.

The first segments are in the page as HTML; all of them are also data, from which
``templates/outputs.js`` shows those that a reader asks for.
"""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from tertium.report.components import Component

__all__ = [
    "FIRST", "Choice", "OutputBrowser", "OutputSegment", "output_browser", "packed",
]  # fmt: skip

#: Segments that are shown without a script, and at a time with one.
FIRST = 10

#: Characters that a page holds uncompressed. Compressed, an output takes about a
#: fourteenth, as all have the same markup.
_PLAIN = 50_000


@dataclass(frozen=True)
class Choice:
    """A drop-down list of a form; `every` is the choice of all, if there is one."""

    name: str
    label: str
    every: str
    options: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class OutputSegment(Component):
    """A source segment with one component per output; `key` is its anchor, if any."""

    source: str
    about: str
    rows: Sequence[Component]
    key: str = ""
    macro: ClassVar[str] = "segment_heading"


@dataclass(frozen=True)
class OutputBrowser(Component):
    """Outputs to look through: the first as HTML, all of them as data for a script.

    Parameters
    ----------
    choices : sequence of Choice
    segments : sequence of OutputSegment
        The first segments, which need no script.
    total : int
    data : mapping
        All segments.
    packed : str
        The data as gzip and base64, if they are large.
    example : str
        What readers may search for.
    """

    choices: Sequence[Choice]
    segments: Sequence[OutputSegment]
    total: int
    data: Mapping[str, Any]
    packed: str = ""
    example: str = "a word"
    macro: ClassVar[str] = "output_browser"


def output_browser(
    choices: Sequence[Choice],
    systems: Sequence[str],
    segments: Sequence[tuple[OutputSegment, Mapping[str, object]]],
    *,
    example: str = "a word",
) -> OutputBrowser:
    """Return the form, the first segments, and the data of all.

    Parameters
    ----------
    choices : sequence of Choice
    systems : sequence of str
    segments : sequence of (OutputSegment, mapping)
        Each with its data for the script.
    example : str
        What readers may search for.
    """
    data = {
        "systems": list(systems),
        "first": FIRST,
        "segments": [values for _, values in segments],
    }
    shown = [segment for segment, _ in segments[:FIRST]]
    return OutputBrowser(choices, shown, len(segments), data, packed(data), example)


def packed(data: Mapping[str, object]) -> str:
    """Return data as gzip and base64 if they are large, or an empty string."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    if len(text) <= _PLAIN:
        return ""
    # Halves of surrogate pairs, which JSON has no bytes for, become question marks.
    shrunk = gzip.compress(text.encode("utf-8", "replace"), 6, mtime=0)
    return base64.b64encode(shrunk).decode()
