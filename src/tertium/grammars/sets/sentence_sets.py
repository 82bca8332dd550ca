# SPDX-License-Identifier: Apache-2.0
"""Sentence sets of templates and reference files: samples, counts, automata."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from tertium._seed import SEED
from tertium._version import __version__
from tertium.automata.openfst import write_fsts
from tertium.automata.segment import Segment
from tertium.data.lines import StrPath
from tertium.errors import InputError, UnknownNameError
from tertium.grammars.authoring.catalogue import (
    check_language,
    is_template,
    load_templates,
)
from tertium.grammars.authoring.template import Template
from tertium.grammars.gf.grammar import Grammar
from tertium.grammars.gf.variables import VariableSet, parse_set
from tertium.grammars.sets.exchange import as_paths, set_label
from tertium.grammars.sets.reference_files import read_reference_sets

if TYPE_CHECKING:
    from tertium.automata.automaton import Automaton

__all__ = [
    "SentenceCounts",
    "SentenceSample",
    "SentenceSet",
    "SentenceSets",
    "parse_label",
    "read_sentence_sets",
]


@dataclass(frozen=True)
class SentenceSet:
    """The sentences of a variable set in one language, or of one segment.

    Attributes
    ----------
    id : str
        ``TEMPLATE.SET.LANGUAGE``, or the segment id.
    template, language : str
        Empty for sets from reference files.
    set : str
        The variable set, or the segment id.
    automaton : Automaton
        The sentences.
    grammar : Grammar or None
        The grammar that makes them.
    """

    id: str
    template: str
    set: str
    language: str
    automaton: Automaton
    grammar: Grammar | None = field(default=None, repr=False, compare=False)

    def construction(self, name: str) -> SentenceSet:
        """Return the sentences that one construction makes.

        Raises
        ------
        InputError
            When the set has no grammar, or the grammar no such construction.
        """
        if self.grammar is None:
            message = "only templates have constructions; omit it"
            raise InputError(message, options=("construction",))
        made = self.grammar.constructions(self.language, parse_label(self.set))
        if name not in made:
            raise UnknownNameError("construction of this set", name, made)
        return replace(self, automaton=made[name])

    def to_dict(self) -> dict[str, str]:
        """Return what identifies the set, without its sentences."""
        return {
            "template": self.template,
            "set": self.set,
            "language": self.language,
        }


@dataclass(frozen=True)
class SentenceSample:
    """Sentences sampled from sets.

    Attributes
    ----------
    sentences : tuple of (SentenceSet, str)
        Every sentence with its set.
    seed : int
        The seed of the sample.
    """

    sentences: tuple[tuple[SentenceSet, str], ...]
    seed: int

    def to_json(self) -> dict[str, object]:
        """Return the sample with the keys ``tertium``, ``seed`` and ``sample``."""
        rows = [{**one.to_dict(), "sentence": text} for one, text in self.sentences]
        return {"tertium": __version__, "seed": self.seed, "sample": rows}


@dataclass(frozen=True)
class SentenceCounts:
    """How many sentences sets have.

    Attributes
    ----------
    sets : tuple of SentenceSet
        The sets.
    total : dict of str to int
        Sentences by language; ``references`` for reference files.
    """

    sets: tuple[SentenceSet, ...]
    total: dict[str, int]

    def to_json(self) -> dict[str, object]:
        """Return the counts with the keys ``tertium``, ``sets`` and ``total``."""
        rows = [
            {
                **one.to_dict(),
                "sentences": one.automaton.count,
                "states": len(one.automaton),
                "arcs": one.automaton.arc_count,
            }
            for one in self.sets
        ]
        return {"tertium": __version__, "sets": rows, "total": self.total}


@dataclass(frozen=True)
class SentenceSets:
    """Sentence sets, and notes on what files contain and the sets do not."""

    sets: tuple[SentenceSet, ...]
    notes: tuple[str, ...] = ()

    def single(self) -> SentenceSet:
        """Return the only set.

        Raises
        ------
        InputError
            When there are several.
        """
        if len(self.sets) > 1:
            ids = ", ".join(one.id for one in self.sets[:4])
            more = ", ..." if len(self.sets) > 4 else ""
            message = f"there are {len(self.sets)} sets ({ids}{more}); choose one"
            raise InputError(message, options=("set", "language"))
        return self.sets[0]

    def sample(self, size: int = 3, *, seed: int = SEED) -> SentenceSample:
        """Return sentences sampled uniformly from every set, none twice.

        A larger sample with the same seed begins with the smaller one.

        Parameters
        ----------
        size : int
            How many sentences per set.
        seed : int
            The seed of the sample.
        """
        sentences = tuple(
            (one, " ".join(tokens))
            for one in self.sets
            for tokens in one.automaton.sample(size, seed)
        )
        return SentenceSample(sentences, seed)

    def count(self) -> SentenceCounts:
        """Return the exact number of sentences, however many there are."""
        total: dict[str, int] = {}
        for one in self.sets:
            key = one.language or "references"
            total[key] = total.get(key, 0) + one.automaton.count
        return SentenceCounts(self.sets, total)

    def write(self, folder: StrPath) -> list[str]:
        """Write every set as OpenFst text, with a common symbol table.

        Returns
        -------
        list of str
            The paths of the files.
        """
        return write_fsts([Segment(one.id, one.automaton) for one in self.sets], folder)


def parse_label(label: str) -> VariableSet:
    """Return the variable set that a label names; ``-`` has no variables.

    Examples
    --------
    >>> sorted(parse_label("2b,1a")), parse_label("-")
    (['1a', '2b'], frozenset())
    """
    return parse_set("" if label == "-" else label)


def read_sentence_sets(
    names: StrPath | Sequence[StrPath],
    *,
    set: str | None = None,  # noqa: A002 (the name of the flag)
    language: str | None = None,
    input_format: str = "auto",
    allow_outside: bool = False,
) -> SentenceSets:
    """Return the sentence sets of templates and reference files.

    Parameters
    ----------
    names : str, path, or sequence of these
        Templates as :func:`tertium.grammars.find_templates` finds them, and reference
        files. References of one segment id are united.
    set : str, optional
        Only this variable set, such as ``1a,2b``, or the segment with this id.
    language : str, optional
        Only this language of templates.
    input_format : str
        The format of reference files; detected by default.
    allow_outside : bool
        Whether files may be read from outside their folder.

    Raises
    ------
    InputError
        When there is no such file, language or set.

    Examples
    --------
    >>> size = read_sentence_sets("size", set="1a,2a,3a", language="Eng")
    >>> size.single().id
    'size.1a,2a,3a.Eng'
    >>> len(size.sample(2).sentences)
    2
    >>> list(size.count().total)
    ['Eng']
    """
    paths = as_paths(names)
    files = [name for name in paths if not is_template(name)]
    templates = load_templates(
        [name for name in paths if is_template(name)], allow_outside=allow_outside
    )
    check_language(templates, language)
    if files and language:
        message = f"{files[0]} is not a template, so it has no language; omit it"
        raise InputError(message, options=("language",))
    sets = [
        one for template in templates for one in _of_template(template, set, language)
    ]
    known = [
        set_label(codes)
        for template in templates
        for codes in template.grammar.sets(template.source)
    ]
    notes: list[str] = []
    if files:
        # All at once, as `evaluate` reads them: sets of one id are united.
        segments = read_reference_sets(
            *files, input_format=input_format, allow_outside=allow_outside
        )
        known += [segment.id for segment in segments]
        notes += [note for segment in segments for note in segment.notes]
        sets += [
            SentenceSet(segment.id, "", segment.id, "", segment.automaton)
            for segment in segments
            if set in (None, segment.id)
        ]
    if not sets:
        raise UnknownNameError("set", str(set), dict.fromkeys(known), most=8)
    return SentenceSets(tuple(sets), tuple(notes))


def _of_template(
    template: Template, label: str | None, only: str | None
) -> Iterator[SentenceSet]:
    wanted = None if label is None else parse_label(label)
    for language in template.languages:
        if only not in (None, language):
            continue
        for codes, automaton in template.grammar.sets(language).items():
            if wanted in (None, codes):
                name = set_label(codes)
                yield SentenceSet(
                    f"{template.id}.{name}.{language}",
                    template.id,
                    name,
                    language,
                    automaton,
                    template.grammar,
                )
