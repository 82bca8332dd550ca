# SPDX-License-Identifier: Apache-2.0
"""What the actions of ``tertium grammar`` read: templates, references, outputs."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tertium.cli.shared import flags
from tertium.cli.shared.remarks import remark
from tertium.errors import InputError, UnknownNameError
from tertium.grammars.bundled import FILE

if TYPE_CHECKING:
    from tertium.automata.automaton import Automaton
    from tertium.automata.segment import Segment
    from tertium.grammars.edits import EditCosts
    from tertium.grammars.exchange import SourceSentence
    from tertium.grammars.gf.variables import VariableSet
    from tertium.grammars.morphology import Analyser
    from tertium.grammars.template import Template

__all__ = [
    "Piece",
    "add_analyser",
    "add_choice",
    "add_commands",
    "add_outputs",
    "add_outside",
    "add_testset",
    "analyser_of",
    "bundled",
    "check_languages",
    "codes_of",
    "costs_of",
    "find_templates",
    "in_folder",
    "is_template",
    "load_found",
    "load_templates",
    "pieces",
    "read_systems",
    "remark_notes",
]

#: So many remarks on files of references are read; a folder can have thousands.
_NOTES = 6


# ----------------------------------------------------------------------- templates


def bundled() -> dict[str, Path]:
    """Return the folders of the templates that come with the package."""
    from tertium.grammars.bundled import bundled_templates

    return bundled_templates()


def is_template(name: str) -> bool:
    """Tell whether a name is that of a template, or of a folder of templates."""
    path = Path(name)
    if path.suffix == ".gf" or path.name == FILE:
        return True  # never a file of references
    if path.is_dir():
        return bool(_inside(path)) or any(path.glob("*.gf"))
    return not path.exists() and (name == "bundled" or name in bundled())


def find_templates(names: Sequence[str]) -> list[Path]:
    """Return the folders of templates: given, below what is given, or bundled."""
    found: list[Path] = []
    for name in names:
        path = Path(name)
        if path.is_dir():
            own = _inside(path)
            if not own and any(path.glob("*.gf")):
                own = [path]  # which then says what it lacks
            if not own:
                message = (
                    f"{name} has no {FILE}, nor have the folders in it; name the "
                    "folder of a template, or make one with `tertium grammar new`"
                )
                raise InputError(message)
            found += own
        elif path.is_file() and (path.name == FILE or path.suffix == ".gf"):
            found.append(path.parent)  # a grammar is read with all its files
        elif path.exists():
            raise InputError(f"{name} is a file; name the folder of a template")
        elif name == "bundled" and bundled():
            found += bundled().values()
        elif name in bundled():
            found.append(bundled()[name])
        else:
            raise UnknownNameError("template", name, [*bundled(), "a folder"])
    return list(dict.fromkeys(found))


def _inside(path: Path) -> list[Path]:
    if (path / FILE).is_file():
        return [path]
    return [own.parent for own in sorted(path.glob(f"*/{FILE}"))]


def add_commands(parser: argparse.ArgumentParser) -> None:
    """Add the option that lets templates run code."""
    parser.add_argument(
        "--allow-commands",
        action="store_true",
        help="let analysers that template.toml names start programs and load models "
        "that can run code",
    )


def add_outside(parser: argparse.ArgumentParser) -> None:
    """Add the option that lets templates read files anywhere."""
    parser.add_argument(
        "--allow-outside",
        action="store_true",
        help="let templates and light notation read files outside their folder",
    )


def load_templates(names: Sequence[str], args: argparse.Namespace) -> list[Template]:
    """Return templates by name; options say what is allowed to them."""
    found = {path: load_found(path, name, args) for name, path in _by_name(names)}
    return list(found.values())


def _by_name(names: Sequence[str]) -> Iterator[tuple[str, Path]]:
    return ((name, path) for name in names for path in find_templates([name]))


def load_found(path: Path, name: str, args: argparse.Namespace) -> Template:
    """Return a template that was found by a name.

    Templates of one folder may share files of it if the folder itself was named.
    """
    from tertium.grammars.template import load_template

    return load_template(
        path,
        # Not every action analyses words.
        allow_commands=getattr(args, "allow_commands", False),
        allow_outside=args.allow_outside,
        root=name if path.parent == Path(name) else None,
    )


# -------------------------------------------------------------------------- pieces


@dataclass(frozen=True)
class Piece:
    """One set of sentences, from a template or from a file of references."""

    id: str
    template: str
    set: str
    language: str
    automaton: Automaton


def add_choice(parser: argparse.ArgumentParser, what: str) -> None:
    """Add the options that name sets of sentences."""
    parser.add_argument(
        "names",
        nargs="+",
        metavar="TEMPLATE|REFERENCES",
        help=f"{what}: templates, or files of references",
    )
    parser.add_argument(
        "--set",
        metavar="CODES",
        help="only this variable set, such as 1a,2b, or the segment of this id",
    )
    parser.add_argument(
        "--language", metavar="LANG", help="only this language of templates"
    )
    parser.add_argument(
        "--input-format",
        metavar="FORMAT",
        default="auto",
        help="of references: light, plain, jsonl, fst, plf, slf, mesh, sausage "
        "(default: told from the file)",
    )
    add_outside(parser)


def pieces(args: argparse.Namespace) -> Iterator[Piece]:
    """Yield the sets of sentences that options name."""
    from tertium.grammars.reference_files import read_reference_sets

    found = False
    known: list[str] = []
    files = [name for name in args.names if not is_template(name)]
    templates = load_templates([own for own in args.names if is_template(own)], args)
    check_languages(templates, args.language)
    for template in templates:
        for piece in _of_template(template, args):
            found = True
            yield piece
        known += [_shown(codes) for codes in template.grammar.sets(template.source)]
    if files and args.language:
        message = f"{files[0]} is not a template, so it has no --language; omit it"
        raise InputError(message)
    if files:
        # All at once, as `evaluate` reads them: sets of one id are united.
        segments = read_reference_sets(
            *files, input_format=args.input_format, allow_outside=args.allow_outside
        )
        remark_notes(args, segments)
        for segment in segments:
            known.append(segment.id)
            if args.set in (None, segment.id):
                found = True
                yield Piece(segment.id, "", segment.id, "", segment.automaton)
    if not found:
        raise UnknownNameError("set", args.set, dict.fromkeys(known), most=8)


def remark_notes(args: argparse.Namespace, segments: Sequence[Segment]) -> None:
    """Say what files of references have and sets do not, a few times at most."""
    notes = [note for own in segments for note in own.notes]
    for note in notes[:_NOTES]:
        remark(args, note)
    if len(notes) > _NOTES:
        remark(args, f"... and {len(notes) - _NOTES:,} more of this kind")


def check_languages(templates: Sequence[Template], language: str | None) -> None:
    """Refuse a language that no template has."""
    known = dict.fromkeys(one for own in templates for one in own.languages)
    if language and templates and language not in known:
        raise UnknownNameError("language", language, known)


def _of_template(template: Template, args: argparse.Namespace) -> Iterator[Piece]:
    from tertium.grammars.exchange import set_label

    wanted = None if args.set is None else codes_of(args.set)
    for language in template.languages:
        if args.language not in (None, language):
            continue
        for codes, automaton in template.grammar.sets(language).items():
            if wanted in (None, codes):
                label = set_label(codes)
                yield Piece(
                    f"{template.id}.{label}.{language}",
                    template.id,
                    label,
                    language,
                    automaton,
                )


def codes_of(text: str) -> VariableSet:
    """Return the variable set that an option names; - is that without variables."""
    from tertium.grammars.gf.variables import parse_set

    return parse_set("" if text == "-" else text)


def _shown(codes: VariableSet) -> str:
    from tertium.grammars.exchange import set_label

    return set_label(codes)


# ------------------------------------------------------------------------- outputs


def add_testset(parser: argparse.ArgumentParser, *, required: bool = True) -> None:
    """Add the option that names a test set."""
    parser.add_argument(
        "-t",
        "--testset",
        metavar="FILE",
        required=required,
        help="testset.jsonl, as `tertium grammar testset` writes it",
    )


def add_outputs(parser: argparse.ArgumentParser, what: str) -> None:
    """Add the option that names outputs of systems."""
    parser.add_argument(
        "-i",
        "--systems",
        nargs="+",
        action="extend",
        required=True,
        metavar="[NAME=]FILE",
        help=f"{what}: a line a segment, or JSON lines by id (.jsonl)",
    )


def read_systems(
    args: argparse.Namespace, segments: Sequence[SourceSentence]
) -> dict[str, list[str]]:
    """Return the outputs of every system, in the order of segments."""
    from tertium.grammars.exchange import read_outputs

    ids = [own.id for own in segments]
    found: dict[str, list[str]] = {}
    for name, path in flags.named_files(args.systems):
        if name in found:
            message = f"two systems are called {name!r}; name them with -i NAME=FILE"
            raise InputError(message)
        found[name] = read_outputs(path, ids)
    return found


def add_analyser(parser: argparse.ArgumentParser) -> None:
    """Add the options of the edit model."""
    parser.add_argument(
        "--analyser",
        metavar="SPEC",
        help="what reads words of the target language: tsv:FILE, unimorph:FILE, "
        "voikko, udpipe:MODEL, spacy:MODEL, stanza:MODEL, command:COMMAND, none "
        "(default: what templates name)",
    )
    add_commands(parser)
    parser.add_argument(
        "--costs",
        metavar="PROFILE",
        default="default",
        help="what edits cost: default, thesis-table or fig8, with changes such as "
        "default,move=0.5,window=3 (default: %(default)s)",
    )


def analyser_of(
    args: argparse.Namespace, templates: Mapping[str, Template] | Sequence[Template]
) -> Analyser:
    """Return the analyser asked for, or that of the templates."""
    from tertium.grammars.analysers import template_analyser
    from tertium.grammars.morphology import load_analyser

    own = list(templates.values() if isinstance(templates, Mapping) else templates)
    if args.analyser is not None or not own:
        return load_analyser(args.analyser or "none")
    return template_analyser(own, getattr(args, "target", ""))


def costs_of(args: argparse.Namespace) -> EditCosts:
    """Return the costs asked for."""
    from tertium.grammars.edits import EditCosts

    return EditCosts.read(args.costs)


def in_folder(path: str) -> None:
    """Make a folder, unless it is there."""
    try:
        os.makedirs(path, exist_ok=True)
    except OSError as error:
        message = f"cannot make the folder {path} ({error.strerror}); name another"
        raise InputError(message) from None
