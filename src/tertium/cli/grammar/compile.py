# SPDX-License-Identifier: Apache-2.0
"""``tertium grammar compile`` and ``draw``: automata as text and as drawings."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from tertium._messages import count
from tertium.cli.grammar import inputs
from tertium.cli.shared import flags
from tertium.cli.shared.remarks import remark
from tertium.cli.shared.render import emit
from tertium.errors import InputError, MissingExtraError, UnknownNameError

__all__ = ["compile", "draw"]

_COMPILE = """\
Write every variable set as a minimal automaton: TEMPLATE.SET.LANG.fst.txt, text that
OpenFst and other programs read, and symbols.txt with the words of all of them. Files
of references are compiled too, a file a segment. With -t write a JSON line for every
segment of a test set instead, with the references of its set in the target language,
for `--sets` of `tertium score`, `compare` and `correlate`.
"""

_COMPILE_EXAMPLES = """\
  tertium grammar compile weather -o automata
  tertium grammar compile segments.refs -o automata
  tertium grammar compile weather -t run/testset.jsonl -o sets.jsonl
  fstcompile --isymbols=automata/symbols.txt --osymbols=automata/symbols.txt \\
      automata/weather.1a.Fin.fst.txt | fstinfo
"""

_DRAW = """\
Draw one small automaton as SVG, or as PNG if -o ends so (extra [plots]). Of a large
set draw one construction.
"""

_DRAW_EXAMPLES = """\
  tertium grammar draw weather --set 1a --language Fin -o rain.svg
  tertium grammar draw weather --set 1a --language Fin --construction ItRains \\
      -o rain.png
  tertium grammar draw segments.refs --set 3 -o three.svg
"""


def compile(argv: Sequence[str]) -> int:  # noqa: A001  (the name of the action)
    """Run the action and return its exit code."""
    from tertium.automata.openfst import write_fsts
    from tertium.automata.segment import Segment

    parser = flags.parser("grammar compile", _COMPILE, _COMPILE_EXAMPLES)
    inputs.add_choice(parser, "what to compile")
    inputs.add_testset(parser, required=False)
    parser.add_argument(
        "-o", "--output", metavar="FOLDER", required=True, help="with -t a file"
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="no remarks")
    args = parser.parse_args(argv)
    if args.testset is not None:
        return _by_segment(args)
    found = list(inputs.pieces(args))
    written = write_fsts(
        [Segment(piece.id, piece.automaton) for piece in found], args.output
    )
    total = sum(piece.automaton.count for piece in found)
    remark(
        args,
        f"wrote {count(len(written), 'file')} to {args.output}: "
        f"{count(total, 'sentence')}",
    )
    return 0


def _by_segment(args: argparse.Namespace) -> int:
    from tertium.automata.segment import Segment
    from tertium.cli.grammar.material import from_templates
    from tertium.grammars.exchange import read_sources
    from tertium.grammars.reference_files import write_reference_sets

    if args.set is not None:
        raise InputError("-t takes the sets of its segments; leave out --set")
    if not args.output.endswith(".jsonl"):
        message = f"-t writes JSON lines, not {args.output!r}; end its name in .jsonl"
        raise InputError(message)
    templates = inputs.load_templates(args.names, args)
    inputs.check_languages(templates, args.language)
    sources = read_sources(args.testset)
    material = from_templates(sources, templates, args.language or "")
    write_reference_sets(
        args.output,
        [Segment(own.id, material.automaton(own.template, own.set)) for own in sources],
    )
    remark(
        args,
        f"wrote the sets of {count(len(sources), 'segment')} to {args.output}",
    )
    return 0


def draw(argv: Sequence[str]) -> int:
    """Run the action and return its exit code."""
    parser = flags.parser("grammar draw", _DRAW, _DRAW_EXAMPLES)
    inputs.add_choice(parser, "what to draw")
    parser.add_argument(
        "--construction", metavar="FUNCTION", help="only the sentences it makes"
    )
    parser.add_argument(
        "--words",
        type=flags.number(1, 1000),
        default=7,
        metavar="N",
        help="how many words of an arc to show (default: %(default)s)",
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write there, not stdout"
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="no remarks")
    args = parser.parse_args(argv)
    from tertium.report.draw.automaton import draw_automaton

    piece = _piece(args)
    name = piece.id if args.construction is None else f"{piece.id} {args.construction}"
    svg = draw_automaton(piece.automaton, name=name, most_words=args.words).to_svg()
    if args.output is not None and args.output.lower().endswith(".png"):
        _write_png(svg, args.output)
    else:
        emit(svg, args.output)
    if args.output is not None:
        remark(args, f"{piece.automaton!r} drawn in {args.output}")
    return 0


def _piece(args: argparse.Namespace) -> inputs.Piece:
    found = list(inputs.pieces(args))
    if len(found) > 1:
        own = ", ".join(piece.id for piece in found[:4])
        more = ", ..." if len(found) > 4 else ""
        message = (
            f"{len(found)} sets to draw ({own}{more}); choose one with --set and "
            "--language"
        )
        raise InputError(message)
    (piece,) = found
    if args.construction is None:
        return piece
    if not piece.template:
        raise InputError("--construction is about templates; leave it out")
    folders = [name for name in args.names if inputs.is_template(name)]
    template = next(
        own for own in inputs.load_templates(folders, args) if own.id == piece.template
    )
    codes = inputs.codes_of(piece.set)
    made = template.grammar.constructions(piece.language, codes)
    if args.construction not in made:
        raise UnknownNameError("construction of this set", args.construction, made)
    return inputs.Piece(
        piece.id,
        piece.template,
        piece.set,
        piece.language,
        made[args.construction],
    )


def _write_png(svg: str, path: str) -> None:
    from tertium._files import replace_file

    try:
        import vl_convert
    except ImportError as error:
        raise MissingExtraError("a drawing as PNG", extra="plots") from error
    image: bytes = vl_convert.svg_to_png(svg, scale=2)
    with replace_file(path) as file:
        file.write(image)
