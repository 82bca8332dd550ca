# SPDX-License-Identifier: Apache-2.0
"""Confusion networks as reference automata.

``read_mesh``
    Those of SRILM (``numaligns``, ``align``), several per file.
``read_sausages``
    The same, written by hand: one line ``red|green|<eps>`` per place, an empty line
    between segments.
"""

from __future__ import annotations

import re

from tertium.automata.automaton import Automaton
from tertium.automata.diagram import Diagram
from tertium.automata.expressions import EMPTY, Expression, choice, literal, sequence
from tertium.automata.lattices import LatticeFile, word_token
from tertium.automata.segment import Segment
from tertium.data.lines import StrPath

__all__ = ["read_mesh", "read_sausages"]

_NUMBER = re.compile("[0-9]{1,6}")


def read_mesh(path: StrPath) -> list[Segment]:
    """Return the confusion networks of SRILM in a file, by name or number."""
    file = LatticeFile(path)
    segments: list[Segment] = []
    name, size = "", 0
    places: dict[int, Expression] = {}

    def finish() -> None:
        if not size and not places:
            return
        gaps = [place for place in range(size) if place not in places]
        if gaps or len(places) > size:
            what = f"numaligns is {size}, but place {(gaps or [max(places)])[0]} is "
            raise file.error(what + ("missing" if gaps else "there") + "; correct it")
        whole = sequence([places[place] for place in range(size)])
        label = name or str(len(segments) + 1)
        segments.append(Segment(label, _compiled(whole)))

    for line in file:
        key, *rest = line.split() or [""]
        if key in ("name", "numaligns") and (places or (key == "name" and size)):
            finish()
            name, size, places = "", 0, {}
        if key == "name":
            name = " ".join(rest)
        elif key == "numaligns":
            if len(rest) != 1 or not _NUMBER.fullmatch(rest[0]):
                raise file.error("numaligns needs a number; write numaligns N")
            size = int(rest[0])
        elif key == "align":
            if len(rest) < 3 or len(rest) % 2 == 0 or not _NUMBER.fullmatch(rest[0]):
                raise file.error("not a place; write align PLACE WORD SCORE ...")
            if int(rest[0]) in places:
                raise file.error(f"place {rest[0]} occurs twice; number places again")
            words = [file.word(word) for word in rest[1::2]]
            places[int(rest[0])] = choice(
                [EMPTY if word is None else literal(word) for word in words]
            )
        elif key not in ("", "posterior", "reference", "hyps", "info", "time"):
            raise file.error(
                f"{key!r} does not start a line of a confusion network; remove it"
            )
    finish()
    return segments


def read_sausages(path: StrPath) -> list[Segment]:
    """Return confusion networks written by hand, numbered from 1."""
    file = LatticeFile(path)
    segments: list[Segment] = []
    places: list[Expression] = []

    def finish() -> None:
        if places:
            label = str(len(segments) + 1)
            segments.append(Segment(label, _compiled(sequence(places))))
            places.clear()

    for line in file:
        if not line.strip():
            finish()
        elif not line.lstrip().startswith("#"):
            words = [
                [w for w in part.split() if word_token(w)] for part in line.split("|")
            ]
            places.append(choice([literal(" ".join(some)) for some in words]))
    finish()
    return segments


def _compiled(expression: Expression) -> Automaton:
    # BIND is not interpreted: a token of a file is a token, whatever it looks like.
    diagram = Diagram()
    return Automaton.from_diagram(diagram, diagram.add(expression))
