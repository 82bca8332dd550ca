# SPDX-License-Identifier: Apache-2.0
"""The settings of training a reordering grammar."""

from __future__ import annotations

from dataclasses import dataclass

from tertium._seed import SEED
from tertium.errors import InputError

__all__ = ["GrammarSettings"]


@dataclass(frozen=True)
class GrammarSettings:
    """How a grammar is trained; see :func:`train_grammar`."""

    variant: str = "itg"
    splits: tuple[int, int] = (30, 3)
    rounds: int = 0
    iterations: int = 30
    seed: int = SEED
    held_out: int = 0
    patience: int = 3
    attach: str = "right"
    height: str = "low"
    unknown: int = 3
    suffixes: int = 0
    backoff: float = 5.0
    backoff_classes: int = 100
    smoothing: float = 0.01
    floor: float = 0.001
    prior: tuple[float, float] | None = None
    max_words: int = 50

    def __post_init__(self) -> None:
        for name, least in (
            ("rounds", 0),
            ("iterations", 0),
            ("held_out", 0),
            ("patience", 1),
            ("unknown", 0),
            ("suffixes", 0),
            ("backoff", 0),
            ("backoff_classes", 1),
            ("max_words", 2),
        ):
            if getattr(self, name) < least:
                value = getattr(self, name)
                raise InputError(f"{name} is {value}; give a number from {least}")
        if len(self.splits) != 2 or min(self.splits) < 1:
            raise InputError(
                f"splits are {self.splits}; give two positive integers: states of "
                "binary operators, and of others"
            )
        if self.held_out == 1:
            raise InputError("held_out is 1, which leaves nothing to learn from")
        for name in ("smoothing", "floor"):
            if not 0 <= getattr(self, name) < 1:
                value = getattr(self, name)
                raise InputError(f"{name} is {value}; give a number from 0 to below 1")
        if self.prior is not None and (len(self.prior) != 2 or min(self.prior) <= 0):
            raise InputError(
                f"prior is {self.prior}; give two positive numbers: for expansions of "
                "slots, and for their emissions"
            )
