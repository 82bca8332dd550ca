# SPDX-License-Identifier: Apache-2.0
"""EvalGen as a metric: what it costs to correct an output into the references."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property, reduce
from itertools import chain
from operator import or_
from typing import TYPE_CHECKING, overload

from tertium.automata.automaton import Automaton
from tertium.data.annotated import layer
from tertium.data.batch import Batch, References
from tertium.errors import InputError
from tertium.grammars.morphology import load_analyser
from tertium.grammars.search.edits import PROFILES, UNIT, EditCosts
from tertium.grammars.search.matching import Matcher
from tertium.grammars.search.tokens import bare_tokens
from tertium.grammars.search.words import Lexis
from tertium.metrics.base import Metric
from tertium.metrics.settings import Value, setting

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from tertium.metrics.base import Rows

__all__ = ["Evalgen"]


class Evalgen(Metric):
    """EvalGen; the row is (cost, tokens of the references chosen, unproven)."""

    name = "evalgen"
    summary = "cost of the cheapest correction into a reference set"
    formula = (
        "Σ cost / Σ tokens of the closest references; insert 0.8, leave out 0.9, "
        "replace 1.5, move 0.6; cheaper where an analyser sees the same lemma, case "
        "or tense"
    )
    paper = "Nieminen 2018, EvalGen (MA thesis, Helsinki), chapter 6"
    equal_to = "the worked examples of its specification"
    cost = "that of a best-first search, mostly words × arcs of the reference set"
    empty = "0 if both are empty; an empty reference counts as one token"
    higher_is_better = False
    bounds = (0.0, math.inf)
    unit = 1.0
    layers = ("automaton",)
    unproven_column = 2

    analyser: str = setting(
        "none",
        "what reads words: tsv:FILE, voikko, udpipe:MODEL",
        external=True,
        names=("none", "voikko"),
    )
    costs: str = setting("default", "what edits cost", choices=tuple(PROFILES))
    move: float | None = setting(
        None, "what a move costs, if not as in costs", minimum=0, maximum=10
    )
    moves: float | None = setting(
        None, "how many words may move, if not 3", minimum=0, maximum=8
    )
    window: float | None = setting(
        None, "how far a word may move, if not as in costs", minimum=0, maximum=24
    )

    def __init__(self, **values: Value) -> None:
        super().__init__(**values)
        changes = [
            f"{name}={self.settings[name].show(value)}"
            for name in ("move", "moves", "window")
            if (value := getattr(self, name)) is not None
        ]
        try:
            self._costs = EditCosts.read(",".join([self.costs, *changes]))
        except InputError as error:
            raise InputError(f"{self.name}: {error}") from None

    @cached_property
    def _lexis(self) -> Lexis:
        return Lexis(load_analyser(self.analyser))

    @property
    def width(self) -> int:
        """The number of statistics a row has."""
        return 3

    def statistics(
        self, hyps: Sequence[str], refs: References, *, threads: int | None = None
    ) -> Rows:
        """Return one row of statistics per segment; see :class:`Metric`."""
        return self.rows(self.checked([hyps], refs), threads=threads)[0]

    def rows(self, batch: Batch, *, threads: int | None = None) -> list[Rows]:
        """Return the rows of every system; a set is prepared for all of them."""
        import numpy as np

        systems, refs = batch.systems, batch.references
        rows = np.zeros((len(systems), len(refs), self.width))
        sets = [references_of(texts) for texts in refs]
        # A program that analyses is started once for all segments.
        self._lexis.prepare(
            word
            for texts in (*systems, *(automaton.symbols for automaton in sets))
            for word in chain.from_iterable(map(bare_tokens, texts))
        )
        for segment, automaton in enumerate(sets):
            matcher = Matcher(automaton, self._lexis, self._costs)
            outputs = [hyps[segment] for hyps in systems]
            for system, match in enumerate(
                matcher.closest_many(outputs, threads=threads)
            ):
                best = match.best
                row = best.cost / UNIT, len(best.reference), not match.proven
                rows[system, segment] = row
        return list(rows)

    @overload
    def from_statistics(self, rows: list[float]) -> float: ...
    @overload
    def from_statistics(self, rows: ArrayLike) -> float | Rows: ...
    def from_statistics(self, rows: ArrayLike) -> float | Rows:
        """Return the score of a row, or of every row along the last axis."""
        import numpy as np

        array = np.asarray(rows, dtype=np.float64)
        scores = array[..., 0] / np.maximum(array[..., 1], 1)
        return float(scores) if scores.ndim == 0 else scores

    def signature_fields(self) -> dict[str, str]:
        """Return the settings, the analyser with its version."""
        return {
            **super().signature_fields(),
            "analyser": self._lexis.name,
            "move": f"{self._costs.move / UNIT:g}",
            "moves": str(self._costs.moves),
            "window": str(self._costs.window),
        }

    def signature_for(self, **run: str) -> str:
        """Return the signature, with ``sets:yes`` where references carry sets."""
        if run.get("given") == "automaton":
            run = {"sets" if key == "given" else key: run[key] for key in run}
            run["sets"] = "yes"
        return super().signature_for(**run)

    @property
    def label(self) -> str:
        """The usual name."""
        return "EvalGen"


def references_of(refs: str | Sequence[str]) -> Automaton:
    """Return all references of a segment: texts, and the sets that they carry.

    A text that only stands for the set it carries (its layer ``stand-in``), or has no
    word, is not a reference of its own.
    """
    texts = [refs] if isinstance(refs, str) else refs
    carried = [layer(text, "automaton") for text in texts]
    sets = [one for one in carried if isinstance(one, Automaton)]
    if not sets:
        return Automaton.from_sentences(texts)
    plain = [
        text for text in texts if not layer(text, "stand-in") and bare_tokens(text)
    ]
    return reduce(or_, [*sets, Automaton.from_sentences(plain)] if plain else sets)
