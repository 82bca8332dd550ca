# SPDX-License-Identifier: Apache-2.0
"""Results that take long, kept until the judgements of a campaign change.

Kept in memory: every process of a server has its own, and a restart forgets.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from threading import Lock
from time import monotonic
from typing import Generic, TypeAlias, TypeVar

from django.db.models import Count, Max

from tertium.campaigns.models import Campaign, Judgement

__all__ = ["LEAST", "Memory", "state_of"]

#: Seconds for which a result stands although there are newer judgements. It stands
#: longer, `_SHARE` times as long as it took, so that pages stay a small load.
LEAST = 5.0
_SHARE = 10.0
_MOST = 64  # results kept

_Result = TypeVar("_Result")
#: Number and birth of a campaign, and a variant.
_Key: TypeAlias = "tuple[int, datetime, str]"


def state_of(campaign: Campaign) -> tuple[int, int]:
    """Return what changes whenever a judgement comes or goes."""
    found = Judgement.objects.filter(assignment__item__campaign=campaign).aggregate(
        n=Count("pk"), last=Max("pk")
    )
    return found["n"], found["last"] or 0


@dataclass
class _Kept(Generic[_Result]):
    state: tuple[int, int]
    result: _Result
    until: float


class Memory(Generic[_Result]):
    """Keeps one kind of result, of every campaign."""

    def __init__(self) -> None:
        self._kept: OrderedDict[_Key, _Kept[_Result]] = OrderedDict()
        self._making: dict[_Key, Lock] = {}
        self._lock = Lock()

    def get(
        self, campaign: Campaign, make: Callable[[], _Result], variant: str = ""
    ) -> _Result:
        """Return a result, made anew if judgements came and the old one had its time.

        While somebody else makes it, the old one is returned, if there is one.
        """
        # Numbers of campaigns are used again once a database is emptied.
        key = (campaign.pk, campaign.created, variant)
        state = state_of(campaign)
        kept = self._fresh(key, state)
        if kept is not None:
            return kept.result
        with self._lock:
            making = self._making.setdefault(key, Lock())
            old = self._kept.get(key)
        if not making.acquire(blocking=old is None):
            assert old is not None  # noqa: S101
            return old.result
        try:
            kept = self._fresh(key, state)  # another thread was quicker
            if kept is not None:
                return kept.result
            start = monotonic()
            result = make()
            took = monotonic() - start
            until = monotonic() + max(LEAST, _SHARE * took)
            with self._lock:
                self._kept[key] = _Kept(state, result, until)
                self._kept.move_to_end(key)
                while len(self._kept) > _MOST:
                    gone, _ = self._kept.popitem(last=False)
                    self._making.pop(gone, None)
            return result
        finally:
            making.release()

    def _fresh(self, key: _Key, state: tuple[int, int]) -> _Kept[_Result] | None:
        with self._lock:
            kept = self._kept.get(key)
        if kept is None or (kept.state != state and monotonic() >= kept.until):
            return None
        return kept

    def forget(self, campaign: Campaign) -> None:
        """Forget the results of a campaign."""
        own = (campaign.pk, campaign.created)
        with self._lock:
            for key in [key for key in self._kept if key[:2] == own]:
                del self._kept[key]
