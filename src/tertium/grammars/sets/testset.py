# SPDX-License-Identifier: Apache-2.0
"""A test set with the reference sets of its segments, and outputs of systems."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from tertium.automata.segment import Segment
from tertium.data.formats.columns import system_name
from tertium.data.lines import StrPath
from tertium.errors import InputError
from tertium.grammars.authoring.catalogue import (
    Templates,
    as_list,
    check_language,
    load_templates,
)
from tertium.grammars.authoring.template import Template
from tertium.grammars.sets.exchange import (
    SourceSentence,
    as_paths,
    read_outputs,
    read_sources,
)
from tertium.grammars.sets.reference_files import read_reference_sets
from tertium.grammars.sets.reference_sets import (
    FixedReferenceSets,
    TemplateReferenceSets,
)

__all__ = [
    "GrammarTestset",
    "Sources",
    "Systems",
    "compile_testset",
    "read_grammar_testset",
    "read_segments",
    "read_systems",
    "with_template_references",
]

#: ``testset.jsonl``, or its sentences.
Sources = StrPath | Sequence[SourceSentence]

#: Outputs of systems: files by name, or outputs in the order of segments.
Systems = (
    Mapping[str, StrPath | Sequence[str]]
    | StrPath
    | Sequence[StrPath | tuple[str, StrPath]]
)


@dataclass(frozen=True)
class GrammarTestset:
    """Segments, and the reference set of each.

    Attributes
    ----------
    segments : tuple of SourceSentence
        The sentences to translate.
    references : TemplateReferenceSets or FixedReferenceSets
        Their reference sets, by template and variable set.
    templates : tuple of Template
        Where references come from; empty for reference files.
    target : str
        The target language; empty for the first of each template.
    notes : tuple of str
        What reference files contain and the sets do not.
    """

    segments: tuple[SourceSentence, ...]
    references: TemplateReferenceSets | FixedReferenceSets
    templates: tuple[Template, ...] = ()
    target: str = ""
    notes: tuple[str, ...] = ()

    def reference_sets(self) -> list[Segment]:
        """Return the reference set of every segment, in their order."""
        return [
            Segment(one.id, self.references.automaton(one.template, one.set))
            for one in self.segments
        ]


def read_grammar_testset(
    templates: Templates = (),
    *,
    references: StrPath | Sequence[StrPath] = (),
    testset: Sources | None = None,
    target: str = "",
    input_format: str = "auto",
    allow_commands: bool = False,
    allow_outside: bool = False,
) -> GrammarTestset:
    """Return a test set with the reference sets of its segments.

    Parameters
    ----------
    templates : Template, str, path, or sequence of these
        Where references come from, as :func:`tertium.grammars.load_templates` takes
        them.
    references : path or sequence of paths
        Instead of templates: reference files, with segment ids as in the test set, or
        in its order.
    testset : path or sequence of SourceSentence, optional
        ``testset.jsonl``; without it, reference files are the test set.
    target : str
        The target language, such as ``Fin``; the first of each template by default.
    input_format : str
        The format of reference files; detected by default.
    allow_commands : bool
        Whether the analysers that templates name may start programs or load models
        that can run code.
    allow_outside : bool
        Whether files may be read from outside their folder.

    Raises
    ------
    InputError
        When there are both templates and reference files or neither, no test set, or
        segments without references.

    Examples
    --------
    >>> from tertium.grammars import SourceSentence
    >>> sentence = SourceSentence("1", "size", "1a,2a,3a", "The excavator is huge.")
    >>> testset = read_grammar_testset("size", testset=[sentence], target="Fin")
    >>> testset.reference_sets()[0].automaton.count > 100
    True
    """
    files = as_paths(references)
    if bool(as_list(templates)) == bool(files):
        what = "neither templates nor" if not files else "both templates and"
        message = f"{what} reference files; give one of the two"
        raise InputError(message, options=("references",))
    segments = None if testset is None else read_segments(testset)
    if files:
        return _of_files(
            files, segments, input_format=input_format, allow_outside=allow_outside
        )
    if segments is None:
        message = (
            "no test set; give testset.jsonl, written by `tertium grammar testset`"
        )
        raise InputError(message, options=("testset",))
    loaded = load_templates(
        templates, allow_commands=allow_commands, allow_outside=allow_outside
    )
    return with_template_references(segments, loaded, target)


def read_segments(testset: Sources) -> list[SourceSentence]:
    """Return the sentences of a test set, from its file or as they are."""
    if isinstance(testset, str | os.PathLike):
        return read_sources(testset)
    return list(testset)


def with_template_references(
    segments: Sequence[SourceSentence], templates: Sequence[Template], target: str = ""
) -> GrammarTestset:
    """Return segments with the reference sets of templates.

    Raises
    ------
    InputError
        When a segment names no template, another template, or an unknown variable
        set.
    """
    references = TemplateReferenceSets(templates, target)
    for one in segments:
        if not one.template:
            message = (
                f"the segment {one.id!r} names no template; give testset.jsonl, which "
                "`tertium grammar testset` writes next to the files for systems"
            )
            raise InputError(message, options=("testset",))
    for template, codes in dict.fromkeys((one.template, one.set) for one in segments):
        references.automaton(template, codes)
    return GrammarTestset(tuple(segments), references, tuple(templates), target)


def _of_files(
    files: Sequence[StrPath],
    segments: Sequence[SourceSentence] | None,
    *,
    input_format: str,
    allow_outside: bool,
) -> GrammarTestset:
    sets = read_reference_sets(
        *files, input_format=input_format, allow_outside=allow_outside
    )
    if segments is None:
        segments = [SourceSentence(one.id, "", one.id, "") for one in sets]
    by_id = {one.id: one.automaton for one in sets}
    ids = [segment.id for segment in segments]
    if not by_id.keys() & set(ids) and len(sets) == len(ids):
        by_id = {name: one.automaton for name, one in zip(ids, sets, strict=True)}
    missing = [name for name in ids if name not in by_id]
    if missing:
        message = (
            f"{files[0]} has no references for {len(missing):,} of {len(ids):,} "
            f"segments (first: {missing[0]!r}); use the ids of the test set, or give "
            "as many segments in its order"
        )
        raise InputError(message)
    # Every segment has a set of its own, named after it.
    renamed = tuple(replace(segment, set=segment.id) for segment in segments)
    fixed = {(one.template, one.set): by_id[one.id] for one in renamed}
    notes = tuple(note for one in sets for note in one.notes)
    return GrammarTestset(renamed, FixedReferenceSets(fixed), notes=notes)


def compile_testset(
    templates: Templates,
    *,
    testset: Sources,
    language: str | None = None,
    allow_outside: bool = False,
) -> list[Segment]:
    """Return the reference set of every segment of a test set.

    Parameters
    ----------
    templates : Template, str, path, or sequence of these
        Where references come from.
    testset : path or sequence of SourceSentence
        ``testset.jsonl``.
    language : str, optional
        The target language; the first of each template by default.
    allow_outside : bool
        Whether templates may read files outside their folder.

    Examples
    --------
    >>> from tertium.grammars import SourceSentence
    >>> sentence = SourceSentence("1", "size", "1a,2a,3a", "The excavator is huge.")
    >>> [segment.id for segment in compile_testset("size", testset=[sentence])]
    ['1']
    """
    loaded = load_templates(templates, allow_outside=allow_outside)
    check_language(loaded, language)
    return with_template_references(
        read_segments(testset), loaded, language or ""
    ).reference_sets()


def read_systems(
    systems: Systems, segments: Sequence[SourceSentence]
) -> dict[str, list[str]]:
    """Return the outputs of every system, in the order of segments.

    Parameters
    ----------
    systems : mapping of name to path or outputs, or sequence
        Files with one line per segment, or JSON lines by id (``.jsonl``). Files
        without a name are named after the file.
    segments : sequence of SourceSentence
        The segments.

    Raises
    ------
    InputError
        When two systems have the same name, or outputs are missing.

    Examples
    --------
    >>> segments = [SourceSentence("1", "", "1", "ein Ball")]
    >>> read_systems({"A": ["a ball"]}, segments)
    {'A': ['a ball']}
    """
    ids = [segment.id for segment in segments]
    outputs: dict[str, list[str]] = {}
    for name, source in _named(systems):
        if name in outputs:
            message = f"two systems are called {name!r}; give each its own name"
            raise InputError(message, options=("systems",))
        if isinstance(source, str | os.PathLike):
            outputs[name] = read_outputs(source, ids)
        else:
            outputs[name] = list(source)
    return outputs


def _named(systems: Systems) -> list[tuple[str, StrPath | Sequence[str]]]:
    if isinstance(systems, Mapping):
        return list(systems.items())
    if isinstance(systems, str | os.PathLike):
        return [(system_name(systems), systems)]
    return [
        item if isinstance(item, tuple) else (system_name(item), item)
        for item in systems
    ]
