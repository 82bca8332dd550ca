# SPDX-License-Identifier: Apache-2.0
"""What outputs are measured with: a test set, and references for its segments."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tertium.cli.grammar import inputs
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.automata.automaton import Automaton
    from tertium.grammars.analysis import FixedReferenceSets, TemplateReferenceSets
    from tertium.grammars.exchange import SourceSentence
    from tertium.grammars.template import Template

__all__ = ["ANY", "Material", "add_material", "from_templates", "read_material"]

#: Stands for all variable sets of a template together.
ANY = "*"


@dataclass(frozen=True)
class Material:
    """Segments, and the sets of references that belong to them."""

    segments: list[SourceSentence]
    references: TemplateReferenceSets | FixedReferenceSets
    templates: list[Template]

    def automaton(self, template: str, codes: str) -> Automaton:
        """Return the references of a set, or of all sets of a template."""
        if codes != ANY:
            return self.references.automaton(template, codes)
        (own,) = (one for one in self.templates if one.id == template)
        return own.grammar.sentences(self._target(template))

    def constructions(
        self, template: str, codes: str, tokens: Sequence[str]
    ) -> tuple[str, ...]:
        """Return the functions that make a reference; none without a grammar."""
        if codes != ANY:
            return self.references.of_reference(template, codes, tokens)
        (own,) = (one for one in self.templates if one.id == template)
        found = (
            name
            for codes in own.grammar.sets(self._target(template))
            for name in self.references.of_reference(
                template, ",".join(sorted(codes)), tokens
            )
        )
        return tuple(dict.fromkeys(found))

    def _target(self, template: str) -> str:
        from tertium.grammars.analysis import TemplateReferenceSets

        if isinstance(self.references, TemplateReferenceSets):
            return self.references.target(template)
        raise InputError("references without a grammar have no variable sets")


def add_material(parser: argparse.ArgumentParser) -> None:
    """Add the options that name templates or references, and a test set."""
    parser.add_argument(
        "names", nargs="*", metavar="TEMPLATE", help="where references come from"
    )
    parser.add_argument(
        "--references",
        nargs="+",
        metavar="FILE",
        help="instead of templates: light notation, OpenFst text, lattices, JSON "
        "lines, with ids of segments as in the test set, or in its order",
    )
    parser.add_argument(
        "--input-format",
        metavar="FORMAT",
        default="auto",
        help="of --references (default: told from the file)",
    )
    inputs.add_testset(parser, required=False)
    inputs.add_outside(parser)
    parser.add_argument(
        "--target",
        metavar="LANG",
        default="",
        help="the target language, such as Fin (default: the first of each template)",
    )


def read_material(args: argparse.Namespace) -> Material:
    """Return what the options of :func:`add_material` name."""
    from tertium.grammars.exchange import read_sources

    if bool(args.names) == bool(args.references):
        what = "both templates and" if args.names else "neither templates nor"
        raise InputError(f"{what} --references; give one of them")
    segments = None if args.testset is None else read_sources(args.testset)
    if args.references:
        return _from_references(args, segments)
    if segments is None:
        message = (
            "no test set; give -t testset.jsonl, as `tertium grammar testset` writes it"
        )
        raise InputError(message)
    templates = inputs.load_templates(args.names, args)
    return from_templates(segments, templates, args.target)


def from_templates(
    segments: list[SourceSentence], templates: list[Template], target: str
) -> Material:
    """Return segments with references of templates.

    Raises
    ------
    InputError
        When a segment is of another template or of an unknown variable set.
    """
    from tertium.grammars.analysis import TemplateReferenceSets

    found = Material(segments, TemplateReferenceSets(templates, target), templates)
    for own in segments:
        if not own.template:
            message = (
                f"the segment {own.id!r} names no template; give -t testset.jsonl, as "
                "`tertium grammar testset` writes it beside the files for systems"
            )
            raise InputError(message)
    for template, codes in dict.fromkeys((own.template, own.set) for own in segments):
        found.automaton(template, codes)
    return found


def _from_references(
    args: argparse.Namespace, segments: list[SourceSentence] | None
) -> Material:
    from tertium.grammars.analysis import FixedReferenceSets
    from tertium.grammars.exchange import SourceSentence
    from tertium.grammars.reference_files import read_reference_sets

    sets = read_reference_sets(
        *args.references,
        input_format=args.input_format,
        allow_outside=args.allow_outside,
    )
    inputs.remark_notes(args, sets)
    if segments is None:
        segments = [SourceSentence(own.id, "", own.id, "") for own in sets]
    by_id = {own.id: own.automaton for own in sets}
    if not by_id.keys() & {own.id for own in segments} and len(sets) == len(segments):
        by_id = {own.id: one.automaton for own, one in zip(segments, sets, strict=True)}
    lacking = [own.id for own in segments if own.id not in by_id]
    if lacking:
        message = (
            f"{args.references[0]} has no references for {len(lacking):,} of "
            f"{len(segments):,} segments (first: {lacking[0]!r}); give ids as in the "
            "test set, or as many segments in its order"
        )
        raise InputError(message)
    # Every segment has a set of its own, called after it.
    renamed = [replace(own, set=own.id) for own in segments]
    given = {(own.template, own.set): by_id[own.id] for own in renamed}
    return Material(renamed, FixedReferenceSets(given), [])
