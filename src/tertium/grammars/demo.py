# SPDX-License-Identifier: Apache-2.0
"""The grammar demo: bundled templates, a test set, and outputs of imitated systems.

The folder ``demo/grammar`` of the package has ``testset.jsonl``, written by ``tertium
grammar testset`` from bundled templates, and one file per system, named after it:
``NAME.txt`` with one line per segment, or ``NAME.jsonl`` by id.
"""

from __future__ import annotations

from pathlib import Path

from tertium.data import io
from tertium.errors import InputError
from tertium.grammars.authoring.bundled import bundled_templates
from tertium.grammars.authoring.template import load_template
from tertium.grammars.sets.exchange import read_sources
from tertium.grammars.sets.testset import (
    GrammarTestset,
    read_systems,
    with_template_references,
)

__all__ = ["read_demo"]


def read_demo(target: str = "Fin") -> tuple[GrammarTestset, dict[str, list[str]]]:
    """Return the test set of the demo, and the outputs of its systems.

    Examples
    --------
    >>> testset, systems = read_demo()
    >>> len(testset.segments), sorted(systems)
    (60, ['cases', 'compounds', 'omissions', 'order'])
    """
    folder = Path(io.demo_path()).parent / "grammar"
    try:
        segments = read_sources(folder / "testset.jsonl")
    except InputError as error:
        message = f"the demo files are missing ({error}); install Tertium again"
        raise InputError(message) from None
    known = bundled_templates()
    names = dict.fromkeys(segment.template for segment in segments)
    templates = [load_template(known.get(name, name)) for name in names]
    # Anything else there, such as README.md, is for people.
    files = {
        path.stem: path
        for path in sorted(folder.iterdir())
        if path.suffix in (".txt", ".jsonl") and path.name != "testset.jsonl"
    }
    testset = with_template_references(segments, templates, target)
    return testset, read_systems(files, segments)
