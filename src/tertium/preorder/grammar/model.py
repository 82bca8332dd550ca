# SPDX-License-Identifier: Apache-2.0
"""The reordering grammar as arrays (Stanojević 2017, section 3.3).

Every operator is split into latent states. The children of a state are slots: a slot
expands into a state of any operator, or emits a terminal. States are numbered operator
by operator; slots operator by operator, child by child, state by state.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from tertium import _core
from tertium.errors import FormatError, InputError
from tertium.preorder.archive import read_model, write_model
from tertium.preorder.grammar.operators import Operator
from tertium.preorder.grammar.terminals import Lexicon

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Grammar"]

_ARRAYS = {
    "root": np.float64,
    "unary": np.float64,
    "first": np.uint32,
    "slot": np.uint32,
    "value": np.float64,
    "slot_backoff": np.float64,
    "terminal_backoff": np.float64,
}


@dataclass(frozen=True, eq=False)
class Grammar:
    """A grammar that reorders source sentences.

    Parameters
    ----------
    operators : tuple of Operator
    splits : tuple of int
        The number of states of each operator.
    terminals : tuple of str
        Words, multiword units with spaces between their words, and the terminals of
        unknown words (see :mod:`tertium.preorder.grammar.terminals`).
    root : ndarray
        The probability that each state is the root.
    unary : ndarray, slots by states
        The probability that each slot expands into each state.
    first, slot, value : ndarray
        Terminal t is emitted by the slots ``slot[first[t]:first[t + 1]]`` with the
        probabilities in `value`.
    slot_backoff, terminal_backoff : ndarray
        Every slot also emits every terminal with the product of the two.
    settings : mapping, optional
        How the grammar was trained, as JSON values.

    Raises
    ------
    InputError
        If sizes do not fit together, or values are not probabilities.
    """

    operators: tuple[Operator, ...]
    splits: tuple[int, ...]
    terminals: tuple[str, ...]
    root: NDArray[np.float64]
    unary: NDArray[np.float64]
    first: NDArray[np.uint32]
    slot: NDArray[np.uint32]
    value: NDArray[np.float64]
    slot_backoff: NDArray[np.float64]
    terminal_backoff: NDArray[np.float64]
    settings: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, dtype in _ARRAYS.items():
            array = np.ascontiguousarray(getattr(self, name), dtype=dtype)
            if not np.all((array >= 0) & (array < np.inf)):
                raise InputError(f"{name} of the grammar has values below 0 or NaN")
            array.setflags(write=False)
            object.__setattr__(self, name, array)
        if len(self.terminals) + 1 != len(self.first):
            raise InputError(
                f"the grammar has {len(self.terminals)} terminals, but emissions of "
                f"{len(self.first) - 1}; give one list of slots per terminal"
            )
        _ = self.kernel  # checks the rest

    def __getstate__(self) -> dict[str, object]:
        made = ("kernel", "lexicon")  # again where it is needed
        return {name: value for name, value in vars(self).items() if name not in made}

    # --------------------------------------------------------------------- shape

    @cached_property
    def kernel(self) -> _core.ReorderingGrammar:
        """The same grammar in the core."""
        try:
            return _core.ReorderingGrammar(
                *shape_arguments(self.operators, self.splits),
                self.root,
                self.unary.ravel(),
                self.first,
                self.slot,
                self.value,
                self.slot_backoff,
                self.terminal_backoff,
            )
        except ValueError as error:
            raise InputError(f"the grammar is not complete: {error}") from None

    @cached_property
    def lexicon(self) -> Lexicon:
        """The numbers of its terminals."""
        return Lexicon(self.terminals)

    @property
    def states(self) -> tuple[str, ...]:
        """The names of the states, such as ``P21_0``."""
        return tuple(name for name, _, _ in self._states())

    @property
    def slots(self) -> tuple[str, ...]:
        """The names of the slots, such as ``P21*1_0`` for the first child."""
        return tuple(
            f"{operator.name}*{child + 1}_{k}"
            for operator, count in zip(self.operators, self.splits, strict=True)
            for child in range(operator.arity)
            for k in range(count)
        )

    def _states(self) -> Iterator[tuple[str, Operator, int]]:
        for operator, count in zip(self.operators, self.splits, strict=True):
            for k in range(count):
                yield f"{operator.name}_{k}", operator, k

    # ------------------------------------------------------------- probabilities

    def emissions(self, terminal: str) -> NDArray[np.float64]:
        """Return the probability that each slot emits a terminal.

        A word the grammar does not know counts as unknown.

        Raises
        ------
        InputError
            For a multiword unit that is not a terminal.
        """
        number = self.lexicon.unit(terminal.split(" "))
        if number is None:
            raise InputError(f"{terminal!r} is not a terminal of the grammar")
        return self.kernel.emissions(number)

    def mass(self) -> NDArray[np.float64]:
        """Return the total probability of each slot: 1 for all that were trained."""
        emitted = np.bincount(self.slot, self.value, len(self.slot_backoff))
        backoff = self.slot_backoff * self.terminal_backoff.sum()
        return np.asarray(self.unary.sum(axis=1) + emitted + backoff)

    # --------------------------------------------------------------------- files

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the grammar to a model file; see :mod:`tertium.preorder.archive`."""
        write_model(path, "grammar", *self.to_parts())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Grammar:
        """Read a grammar that :meth:`save` wrote.

        Raises
        ------
        FormatError
            If the file is missing, damaged, or a model of another kind.
        """
        return cls.from_parts(*read_model(path, "grammar"), path=path)

    def to_parts(self) -> tuple[dict[str, object], dict[str, NDArray[np.generic]]]:
        """Return the grammar as JSON values and arrays."""
        header: dict[str, object] = {
            "operators": [item.name for item in self.operators],
            "ranks": [list(item.ranks) for item in self.operators],
            "emitters": [item.emitter for item in self.operators],
            "splits": list(self.splits),
            "settings": dict(self.settings),
            "terminals": list(self.terminals),
        }
        return header, {name: getattr(self, name) for name in _ARRAYS}

    @classmethod
    def from_parts(
        cls,
        header: Mapping[str, object],
        arrays: Mapping[str, NDArray[np.generic]],
        *,
        path: str | os.PathLike[str],
    ) -> Grammar:
        """Return the grammar of what :meth:`to_parts` returned.

        Raises
        ------
        FormatError
            If a part is missing or damaged, with the path.
        """
        try:
            items = zip(
                _listed(header, "operators"),
                _listed(header, "ranks"),
                _listed(header, "emitters"),
                strict=True,
            )
            return cls(
                tuple(Operator(str(n), tuple(r), int(e)) for n, r, e in items),
                tuple(map(int, _listed(header, "splits"))),
                tuple(map(str, _listed(header, "terminals"))),
                **{name: arrays[name] for name in _ARRAYS},  # type: ignore[arg-type]
                settings=dict(header["settings"]),  # type: ignore[call-overload]
            )
        except (KeyError, TypeError, ValueError) as error:
            raise FormatError(
                f"the grammar in this file is damaged ({error}); train it again",
                path=os.fspath(path),
            ) from None


def shape_arguments(
    operators: Sequence[Operator], splits: Sequence[int]
) -> tuple[list[tuple[int, ...]], list[int], list[int]]:
    """Return operators and splits as the core takes them."""
    return (
        [operator.ranks for operator in operators],
        [operator.emitter for operator in operators],
        list(splits),
    )


def _listed(header: Mapping[str, object], name: str) -> list:  # type: ignore[type-arg]
    value = header[name]
    if not isinstance(value, list):
        raise TypeError(f"{name} is not a list")
    return value
