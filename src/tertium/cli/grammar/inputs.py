# SPDX-License-Identifier: Apache-2.0
"""Options that several actions of ``tertium grammar`` share."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from tertium._seed import SEED
from tertium.cli.shared import flags
from tertium.cli.shared.remarks import remark
from tertium.cli.shared.values import OptionGroup, Remarks

__all__ = [
    "EditModel",
    "EvaluationInput",
    "Outside",
    "SetChoice",
    "add_choice",
    "add_commands",
    "add_edit_model",
    "add_evaluation_input",
    "add_outside",
    "add_quiet",
    "add_seed",
    "add_systems",
    "add_testset",
    "remark_notes",
]

#: How many notes on reference files are shown; a folder can have thousands.
_NOTES = 6


class Outside(OptionGroup):
    """Whether templates may read files outside their folder."""

    allow_outside: bool


class SetChoice(Outside, Remarks):
    """Sentence sets of templates and reference files."""

    names: list[str]
    set: str | None
    language: str | None
    input_format: str


class EvaluationInput(Outside):
    """Templates or reference files, and a test set."""

    names: list[str]
    references: list[str]
    input_format: str
    testset: str | None
    target: str


class EditModel(OptionGroup):
    """How words are analysed, and what edits cost."""

    analyser: str | None
    allow_commands: bool
    costs: str


def add_outside(parser: argparse.ArgumentParser) -> None:
    """Add the option that lets templates read files anywhere."""
    flags.add_switch(
        parser,
        "--allow-outside",
        help="let templates and light notation read files outside their folder",
    )


def add_commands(parser: argparse.ArgumentParser) -> None:
    """Add the option that lets templates run code."""
    flags.add_switch(
        parser,
        "--allow-commands",
        help="let analysers that template.toml names start programs and load models "
        "that can run code",
    )


def add_choice(parser: argparse.ArgumentParser, what: str) -> None:
    """Add the options of :class:`SetChoice`."""
    parser.add_argument(
        "names",
        nargs="+",
        metavar="TEMPLATE|REFERENCES",
        help=f"{what}: templates, or reference files",
    )
    parser.add_argument(
        "--set",
        metavar="CODES",
        help="only this variable set, such as 1a,2b, or the segment with this id",
    )
    parser.add_argument(
        "--language", metavar="LANG", help="only this language of templates"
    )
    parser.add_argument(
        "--input-format",
        metavar="FORMAT",
        default="auto",
        help="the format of reference files: light, plain, jsonl, fst, plf, slf, "
        "mesh, sausage (default: detected)",
    )
    add_outside(parser)
    add_quiet(parser)


def add_evaluation_input(parser: argparse.ArgumentParser) -> None:
    """Add the options of :class:`EvaluationInput`."""
    parser.add_argument(
        "names", nargs="*", metavar="TEMPLATE", help="where references come from"
    )
    parser.add_argument(
        "--references",
        nargs="+",
        default=[],
        metavar="FILE",
        help="instead of templates: light notation, OpenFst text, lattices, JSON "
        "lines, with segment ids as in the test set, or in its order",
    )
    parser.add_argument(
        "--input-format",
        metavar="FORMAT",
        default="auto",
        help="the format of --references (default: detected)",
    )
    add_testset(parser, required=False)
    add_outside(parser)
    parser.add_argument(
        "--target",
        metavar="LANG",
        default="",
        help="the target language, such as Fin (default: the first of each template)",
    )


def add_testset(parser: argparse.ArgumentParser, *, required: bool = True) -> None:
    """Add the option that names a test set."""
    parser.add_argument(
        "-t",
        "--testset",
        metavar="FILE",
        required=required,
        help="testset.jsonl, as `tertium grammar testset` writes it",
    )


def add_systems(
    parser: argparse.ArgumentParser, what: str, *, required: bool = True
) -> None:
    """Add the option that names outputs of systems or people."""
    parser.add_argument(
        "-i",
        "--systems",
        nargs="+",
        action="extend",
        required=required,
        metavar="[NAME=]FILE",
        help=f"{what}: one line per segment, or JSON lines by id (.jsonl)",
    )


def add_edit_model(parser: argparse.ArgumentParser) -> None:
    """Add the options of :class:`EditModel`."""
    parser.add_argument(
        "--analyser",
        metavar="SPEC",
        help="what analyses words of the target language: tsv:FILE, unimorph:FILE, "
        "voikko, udpipe:MODEL, spacy:MODEL, stanza:MODEL, command:COMMAND, none "
        "(default: what templates name)",
    )
    add_commands(parser)
    parser.add_argument(
        "--costs",
        metavar="PROFILE",
        default="default",
        help="edit costs: default, thesis-table or fig8, with changes such as "
        "default,move=0.5,window=3 (default: %(default)s)",
    )


def add_seed(parser: argparse.ArgumentParser) -> None:
    """Add the seed of an action that uses no threads."""
    parser.add_argument(
        "--seed", type=flags.number(0), default=SEED, help=f"(default: {SEED})"
    )


def add_quiet(parser: argparse.ArgumentParser) -> None:
    """Add the option that leaves out remarks."""
    parser.add_argument("-q", "--quiet", action="store_true", help="no remarks")


def remark_notes(options: Remarks, notes: Sequence[str]) -> None:
    """Write what reference files contain and the sets do not, the first few notes."""
    for note in notes[:_NOTES]:
        remark(options, note)
    if len(notes) > _NOTES:
        remark(options, f"... and {len(notes) - _NOTES:,} more of this kind")
