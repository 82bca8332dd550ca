# SPDX-License-Identifier: Apache-2.0
"""``tertium grammar compile`` and ``draw``: automata as text and as diagrams."""

from __future__ import annotations

from collections.abc import Sequence

from tertium._messages import count
from tertium.cli.grammar import inputs
from tertium.cli.grammar.show import read_sets
from tertium.cli.shared import flags, values
from tertium.cli.shared.remarks import remark
from tertium.cli.shared.render import emit
from tertium.cli.shared.values import frozen
from tertium.errors import InputError, MissingExtraError

__all__ = ["compile", "draw"]

_COMPILE = """\
Write every variable set as a minimal automaton: TEMPLATE.SET.LANG.fst.txt, text that
OpenFst and other programs read, and symbols.txt with the words of all of them.
Reference files are compiled too, one file per segment. With -t write one JSON line per
segment of a test set instead, with the reference set in the target language, for
`--sets` of `tertium score`, `compare` and `correlate`.
"""

_COMPILE_EXAMPLES = """\
  tertium grammar compile weather -o automata
  tertium grammar compile segments.refs -o automata
  tertium grammar compile weather -t run/testset.jsonl -o sets.jsonl
  fstcompile --isymbols=automata/symbols.txt --osymbols=automata/symbols.txt \\
      automata/weather.1a.Fin.fst.txt | fstinfo
"""

_DRAW = """\
Draw one small automaton as SVG, or as PNG if -o ends in .png (extra [plots]). Of a
large set draw one construction.
"""

_DRAW_EXAMPLES = """\
  tertium grammar draw weather --set 1a --language Fin -o rain.svg
  tertium grammar draw weather --set 1a --language Fin --construction ItRains \\
      -o rain.png
  tertium grammar draw segments.refs --set 3 -o three.svg
"""


@frozen
class CompileOptions(inputs.SetChoice):
    """The options of ``compile``."""

    testset: str | None
    output: str


@frozen
class DrawOptions(inputs.SetChoice):
    """The options of ``draw``."""

    construction: str | None
    words: int
    output: str | None


def compile(argv: Sequence[str]) -> int:  # noqa: A001  (the name of the action)
    """Run the action and return its exit code."""
    parser = flags.parser("grammar compile", _COMPILE, _COMPILE_EXAMPLES)
    inputs.add_choice(parser, "what to compile")
    inputs.add_testset(parser, required=False)
    parser.add_argument(
        "-o", "--output", metavar="FOLDER", required=True, help="with -t a file"
    )
    options = values.parse(parser, argv, CompileOptions)
    if options.testset is not None:
        _compile_testset(options, options.testset)
        return 0
    sets = read_sets(options)
    files = count(len(sets.write(options.output)), "file")
    sentences = count(sum(one.automaton.count for one in sets.sets), "sentence")
    remark(options, f"wrote {files} to {options.output}: {sentences}")
    return 0


def _compile_testset(options: CompileOptions, testset: str) -> None:
    from tertium.grammars.sets.reference_files import write_reference_sets
    from tertium.grammars.sets.testset import compile_testset

    if options.set is not None:
        raise InputError("-t uses the variable sets of its segments; omit --set")
    if not options.output.endswith(".jsonl"):
        message = (
            f"-t writes JSON lines, not {options.output!r}; end its name in .jsonl"
        )
        raise InputError(message)
    segments = compile_testset(
        options.names,
        testset=testset,
        language=options.language,
        allow_outside=options.allow_outside,
    )
    write_reference_sets(options.output, segments)
    sets = count(len(segments), "segment")
    remark(options, f"wrote the reference sets of {sets} to {options.output}")


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
    options = values.parse(parser, argv, DrawOptions)
    from tertium.report.draw.automaton import draw_automaton

    one = read_sets(options).single()
    name = one.id
    if options.construction is not None:
        one = one.construction(options.construction)
        name = f"{one.id} {options.construction}"
    svg = draw_automaton(one.automaton, name=name, most_words=options.words).to_svg()
    if options.output is not None and options.output.lower().endswith(".png"):
        _write_png(svg, options.output)
    else:
        emit(svg, options.output)
    if options.output is not None:
        remark(options, f"wrote a diagram of {one.automaton!r} to {options.output}")
    return 0


def _write_png(svg: str, path: str) -> None:
    from tertium._files import replace_file

    try:
        import vl_convert
    except ImportError as error:
        raise MissingExtraError("a diagram as PNG", extra="plots") from error
    image: bytes = vl_convert.svg_to_png(svg, scale=2)
    with replace_file(path) as file:
        file.write(image)
