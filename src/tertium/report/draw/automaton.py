# SPDX-License-Identifier: Apache-2.0
"""A small automaton from left to right, with words on its arcs.

The column of a state is its longest distance from the start. All words between two
states share one arc, one above the other. A double ring means that a sentence may end.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from tertium.automata.automaton import Automaton
from tertium.errors import InputError
from tertium.report.draw.layered import Item, place
from tertium.report.draw.legend import Entry, draw_legend, draw_note
from tertium.report.draw.lettering import shorten, text_width
from tertium.report.draw.palette import INK, KINDS, LINK, MUTED, PLAIN
from tertium.report.draw.svg import Box, Canvas, Paint

__all__ = ["draw_automaton"]

_RADIUS = 13.0
_RING = 3.5
_SIZE = 13.0
_LINE = 17.0
_WIDEST = 170.0
_MOST_STATES = 60
_MOST_ARCS = 150

_CHIP = Paint("faint", stroke="#dfe3e8", fill="#f4f6f8", width=1.0)
_FINAL = KINDS["straight"]


def draw_automaton(
    automaton: Automaton, *, name: str = "references", most_words: int = 7
) -> Canvas:
    """Return a diagram of an automaton.

    Parameters
    ----------
    automaton : Automaton
        With at most 60 states.
    name : str
        What it contains, for the title.
    most_words : int
        Words of an arc that are shown; the others are counted.

    Raises
    ------
    InputError
        If the automaton is too large for a diagram.
    """
    arcs = _bundles(automaton)
    if len(automaton) > _MOST_STATES or len(arcs) > _MOST_ARCS:
        message = (
            f"{name}: {len(automaton):,} states and {len(arcs):,} arcs are too many "
            f"for a diagram (at most {_MOST_STATES} and {_MOST_ARCS}); draw a part, "
            "such as one construction, or write OpenFst text and use fstdraw"
        )
        raise InputError(message)
    canvas = Canvas(
        f"Automaton of {name}",
        f"{_count(automaton.count, 'sentence')}; every path from the left to a double "
        "ring is one",
    )
    states, chips = _items(automaton, arcs, most_words)
    place([*states, *(item for chip in chips for item in chip.way)])
    for chip in chips:
        _draw_way(canvas, chip)
    for state, item in enumerate(states):
        _draw_state(canvas, item, state, final=automaton.finals[state])
    draw_legend(canvas, _LEGEND)
    draw_note(
        canvas,
        f"{_count(automaton.count, 'sentence')}, {_count(len(automaton), 'state')}, "
        f"{_count(automaton.arc_count, 'arc')}",
    )
    return canvas


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


# -------------------------------------------------------------------------- layout


@dataclass
class _Chip:
    """The words from one state to another, and where their line bends."""

    words: list[str]
    shown: list[str]
    source: Item
    target: Item
    #: First the words, then a bend in every further column.
    way: list[Item]


def _bundles(automaton: Automaton) -> dict[tuple[int, int], list[str]]:
    """Return the words between two states."""
    bundles: dict[tuple[int, int], list[str]] = {}
    for state, arcs in enumerate(automaton.arcs):
        for symbol, to in arcs:
            bundles.setdefault((state, to), []).append(automaton.symbols[symbol])
    return bundles


def _items(
    automaton: Automaton, arcs: dict[tuple[int, int], list[str]], most: int
) -> tuple[list[Item], list[_Chip]]:
    layer = [0] * len(automaton)
    for state, leaving in enumerate(
        automaton.arcs
    ):  # every arc leads to a higher number
        for _, to in leaving:
            layer[to] = max(layer[to], layer[state] + 1)
    states = [Item(2 * at, 2 * _RADIUS, 2 * _RADIUS, weight=2.0) for at in layer]
    chips = []
    for (source, target), words in arcs.items():
        shown = _shown(words, most)
        wide = max(text_width(word, _SIZE) for word in shown) + 14
        first, last = states[source], states[target]
        way = [Item(first.column + 1, wide, _LINE * len(shown) + 6)]
        # Long arcs should be straight rather than short.
        way += [
            Item(column, 0.0, 8.0, weight=4.0)
            for column in range(first.column + 2, last.column)
        ]
        for one, two in zip([first, *way], [*way, last], strict=True):
            one.after.append(two)
            two.before.append(one)
        chips.append(_Chip(words, shown, first, last, way))
    return states, chips


def _shown(words: list[str], most: int) -> list[str]:
    kept = words if len(words) <= most else words[: most - 1]
    shown = [shorten(word, _SIZE, _WIDEST) for word in kept]
    if len(kept) < len(words):
        shown.append(f"… and {len(words) - len(kept):,} more")
    return shown


# ------------------------------------------------------------------------- layout


def _draw_way(canvas: Canvas, chip: _Chip) -> None:
    label = chip.way[0]
    half = label.width / 2
    tip = (chip.target.x - _RADIUS, chip.target.y)
    _draw_line(canvas, [chip.source, label], (_RADIUS, half))
    _draw_line(canvas, [*chip.way, chip.target], (half, _RADIUS + 3))
    canvas.arrow(tip, "right", LINK)
    box = Box(
        label.x - half,
        label.y - label.height / 2,
        label.x + half,
        label.y + label.height / 2,
    )
    title = ", ".join(chip.words) if chip.words != chip.shown else ""
    canvas.rect(box, _CHIP, radius=6, title=title)
    y = label.y - _LINE * (len(chip.shown) - 1) / 2
    for index, word in enumerate(chip.shown):
        counted = index == len(chip.shown) - 1 and len(chip.shown) < len(chip.words)
        whole = "" if counted else chip.words[index]
        canvas.text(
            label.x,
            y,
            word,
            size=_SIZE - 1.5 if counted else _SIZE,
            italic=counted,
            paint=MUTED if counted else INK,
            title=whole,
        )
        y += _LINE


def _draw_line(canvas: Canvas, way: list[Item], inside: tuple[float, float]) -> None:
    """Draw a line from item to item: level within columns, bent between them.

    Parameters
    ----------
    inside : tuple of float
        How far from the middle of the first item, and of the last, it ends.
    """
    first, last = way[0], way[-1]
    points = [(first.x + inside[0], first.y)]
    commands = [_point("M", *points[0])]
    for one, two in itertools.pairwise(way):
        end = last.x - inside[1] if two is last else two.left
        start, stop = max(one.right, points[-1][0]), min(two.left, end)
        middle = (start + stop) / 2
        commands += [
            _point("L", start, one.y),
            _point("C", middle, one.y, middle, two.y, stop, two.y),
        ]
        points.append((stop, two.y))
    points.append((last.x - inside[1], last.y))
    commands.append(_point("L", *points[-1]))
    canvas.path("".join(commands), points, LINK, under=True)


def _point(command: str, *numbers: float) -> str:
    return command + " ".join(f"{number:.1f}" for number in numbers)


def _draw_state(canvas: Canvas, item: Item, number: int, *, final: bool) -> None:
    title = f"state {number}" + (", a sentence may end here" if final else "")
    if number == 0:
        tip = (item.x - _RADIUS, item.y)
        canvas.line((tip[0] - 26, tip[1]), (tip[0] - 3, tip[1]), LINK)
        canvas.arrow(tip, "right", LINK)
    paint = _FINAL if final else PLAIN
    canvas.circle(item.x, item.y, _RADIUS, paint, title=title)
    if final:
        ring = Paint(_FINAL.name, _FINAL.stroke, _FINAL.fill, width=1.0)
        canvas.circle(item.x, item.y, _RADIUS - _RING, ring, title=title)
    number_paint = Paint(paint.name, ink=_FINAL.ink) if final else MUTED
    canvas.text(item.x, item.y, str(number), size=9.5, paint=number_paint)


def _sign(canvas: Canvas, x: float, y: float) -> None:
    canvas.circle(x, y, 8, _FINAL)
    canvas.circle(x, y, 5.4, Paint(_FINAL.name, _FINAL.stroke, _FINAL.fill, width=1.0))


def _words(canvas: Canvas, x: float, y: float) -> None:
    canvas.rect(Box(x - 10, y - 8, x + 10, y + 8), _CHIP, radius=4)


_LEGEND: list[Entry] = [
    (_sign, 18, "a sentence may end here"),
    (_words, 22, "one of these words"),
]
