# SPDX-License-Identifier: Apache-2.0
"""The closest reference through OpenFst's programs: hypothesis ∘ edits ∘ references.

All machines are built and composed whole, as with the Python bindings of OpenFst.
The permutations of the hypothesis are one machine; a token that moved has a symbol of
its own, because it must not be left out.
"""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from bench.peers.plain_search import PlainSearch
from tertium.grammars import Automaton, EditCosts

__all__ = ["OpenFstSearch"]

_EPS = "<eps>"


class OpenFstSearch:
    """References compiled once, in a folder of its own."""

    def __init__(self, references: Automaton, folder: Path) -> None:
        self.references = references
        self.costs = EditCosts()
        self.folder = folder
        self._moves = PlainSearch(references)._moves
        lines = [
            f"{state}\t{to}\tr{symbol}\tr{symbol}\t0"
            for state, arcs in enumerate(references.arcs)
            for symbol, to in arcs
        ]
        finals = [s for s, final in enumerate(references.finals) if final]
        lines += [f"{state}\t0" for state in finals]
        self.codes = {token: code for code, token in enumerate(references.symbols)}
        names = [f"r{symbol}" for symbol in range(len(references.symbols))]
        names += [f"h{n}{m}" for n in range(100) for m in ("", "m")]
        numbered = [f"{name} {number}" for number, name in enumerate([_EPS, *names])]
        (folder / "symbols").write_text("\n".join(numbered) + "\n")
        self._compile("references", lines)

    def cost(self, hypothesis: Sequence[str]) -> int:
        """Return the cost of the cheapest correction."""
        self._compile("hypothesis", self._permutations(len(hypothesis)))
        self._compile("edits", self._edits(hypothesis))
        run = (
            "fstcompose hypothesis.fst edits.fst | fstarcsort --sort_type=olabel | "
            "fstcompose - references.fst | fstshortestpath | fsttopsort | fstprint"
        )
        printed = self._run(run)
        # One path: the weights of its arcs, and of its end.
        rows = [line.split("\t") for line in printed.splitlines()]
        return round(sum(float(row[-1]) for row in rows if len(row) in (2, 5)))

    def _permutations(self, count: int) -> list[str]:
        numbers: dict[object, int] = {}
        waiting: list[object] = []

        def number(place: object) -> int:
            if place not in numbers:
                numbers[place] = len(numbers)
                waiting.append(place)
            return numbers[place]

        number((0, frozenset(), frozenset(), 0))
        lines, ends = [], []
        while waiting:
            place = waiting.pop()
            state = numbers[place]
            if place[0] == count and not place[2]:  # type: ignore[index]
                ends.append(f"{state}\t0")
            for token, cost, there, moved in self._moves(count, place):  # type: ignore[arg-type]
                to = number(there)
                name = _EPS if token is None else f"h{token}{'m' if moved else ''}"
                lines.append(f"{state}\t{to}\t{name}\t{name}\t{cost}")
        return lines + ends

    def _edits(self, hypothesis: Sequence[str]) -> list[str]:
        symbols = range(len(self.references.symbols))
        lines = [f"0\t0\t{_EPS}\tr{symbol}\t{self.costs.insert}" for symbol in symbols]
        for token, word in enumerate(hypothesis):
            for name in (f"h{token}", f"h{token}m"):
                for symbol in symbols:
                    same = symbol == self.codes.get(word)
                    cost = 0 if same else self.costs.sub
                    lines.append(f"0\t0\t{name}\tr{symbol}\t{cost}")
            lines.append(f"0\t0\th{token}\t{_EPS}\t{self.costs.delete}")
        return [*lines, "0\t0"]

    def _compile(self, name: str, lines: list[str]) -> None:
        (self.folder / f"{name}.txt").write_text("\n".join(lines) + "\n")
        self._run(
            f"fstcompile --isymbols=symbols --osymbols=symbols {name}.txt | "
            f"fstarcsort --sort_type=ilabel > {name}.fst"
        )

    def _run(self, command: str) -> str:
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-c", command],
            cwd=self.folder,
            check=True,
            capture_output=True,
            text=True,
        )
        return done.stdout
