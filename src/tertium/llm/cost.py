# SPDX-License-Identifier: Apache-2.0
"""Tokens and money.

Before a server has counted them, tokens are estimated: one per four bytes of UTF-8, and
four more per message. English has about four letters per token, Chinese and Russian
more tokens per letter, but also more bytes. Nothing is known about the tokeniser of a
model, so an estimate may be a third too low or too high.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

__all__ = ["Budget", "Prices", "estimate_tokens"]

_BYTES = 4
_MESSAGE = 4
_MILLION = 1_000_000
#: How much larger than estimated the input may be, until a server has counted.
_CAUTION = 1.5


def estimate_tokens(messages: Sequence[Mapping[str, str]]) -> int:
    """Return about how many tokens messages have.

    Examples
    --------
    >>> estimate_tokens([{"role": "user", "content": "How good is it?"}])
    8
    """
    sizes = (len(each["content"].encode("utf-8", "replace")) for each in messages)
    return sum(math.ceil(size / _BYTES) + _MESSAGE for size in sizes)


@dataclass(frozen=True)
class Prices:
    """What a million tokens cost, in any currency."""

    tokens_in: float
    tokens_out: float

    def cost(self, tokens_in: float, tokens_out: float) -> float:
        """Return what tokens cost.

        Examples
        --------
        >>> Prices(2, 10).cost(1000, 100)
        0.003
        """
        total = tokens_in * self.tokens_in + tokens_out * self.tokens_out
        return total / _MILLION


class Budget:
    """Money that may be spent; threads take from it before they ask.

    A request is sent only if its largest possible cost is still there: its estimated
    input, half as much again (or as much more as a server has counted for another
    request), and the largest answer.

    Parameters
    ----------
    limit : float, optional
        No limit by default.
    prices : Prices
    longest : int
        The largest number of tokens of an answer.
    """

    def __init__(self, limit: float | None, prices: Prices, longest: int) -> None:
        self.spent = 0.0
        self._limit = math.inf if limit is None else limit
        self._prices = prices
        self._longest = longest
        self._held: list[float] = []
        self._factor = _CAUTION
        self._change = threading.Condition()

    def largest(self, tokens: int) -> float:
        """Return what a request of so many estimated tokens costs at most."""
        return self._prices.cost(tokens * self._factor, self._longest)

    def take(self, tokens: int) -> float | None:
        """Hold money for a request; None if there is not enough.

        It waits while other requests hold money that they may not need.
        """
        with self._change:
            while True:
                cost = self.largest(tokens)
                if self.spent + sum(self._held) + cost <= self._limit:
                    self._held.append(cost)
                    return cost
                if not self._held:
                    return None
                self._change.wait()

    def lose(self, held: float) -> bool:
        """Pay for an attempt that was in vain; return whether another is possible.

        A server may have worked, and charge, for an answer that did not arrive.
        """
        with self._change:
            self.spent += held
            return self.spent + sum(self._held) <= self._limit

    def settle(self, held: float, tokens: int, tokens_in: int, tokens_out: int) -> None:
        """Pay for a request and free the rest of what was held for it.

        Parameters
        ----------
        held : float
        tokens : int
            What was estimated for the input.
        tokens_in, tokens_out : int
            What it was.
        """
        with self._change:
            self._factor = max(self._factor, tokens_in / max(tokens, 1))
            self.spent += self._prices.cost(tokens_in, tokens_out)
            self._free(held)

    def give_back(self, held: float) -> None:
        """Free what was held for a request that was not answered."""
        with self._change:
            self._free(held)

    def _free(self, held: float) -> None:
        self._held.remove(held)
        self._change.notify_all()
