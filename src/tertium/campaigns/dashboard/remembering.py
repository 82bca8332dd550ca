# SPDX-License-Identifier: Apache-2.0
"""Results that take long, kept until the judgements of a campaign change.

Kept in memory: every process of a server has its own, and a restart forgets. Results
are made in a thread of their own, so that no page waits for long.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from threading import Event, Lock, Thread
from time import monotonic
from typing import Generic, TypeAlias, TypeVar

from django.db import connection
from django.db.models import Max

from tertium.campaigns.models import Assignment, Background, Campaign, Why

__all__ = ["LEAST", "MANY", "PATIENCE", "Memory", "State", "state_of"]

#: Seconds for which a result stands although there are newer judgements. It stands
#: longer, `_SHARE` times as long as it took, so that pages stay a small load.
LEAST = 5.0
#: Seconds that a page waits for a result, if it can be there by then.
PATIENCE = 4.0
#: Judgements of which results are not waited for: they take longer than anybody waits.
MANY = 10_000
_SHARE = 10.0
_MOST = 64  # results kept

_Result = TypeVar("_Result")
#: What changes whenever figures may: how many judgements there are, the last line of
#: the log (items loaded, people deleted), surveys that were finished.
State: TypeAlias = "tuple[int, int, int]"
# Number and birth of a campaign, and a variant: numbers are used again once a
# database is emptied.
_Key: TypeAlias = "tuple[int, datetime, str]"


def state_of(campaign: Campaign) -> State:
    """Return what changes whenever figures of a campaign may."""
    # What is done, which an index has: a judgement is one of these, never changed.
    # Training counts in no figure.
    done = Assignment.objects.filter(member__campaign=campaign, state="done")
    judged = done.exclude(why=Why.TRAINING).count()
    logged = campaign.event_set.aggregate(last=Max("pk"))["last"]
    finished = Background.objects.filter(
        member__campaign=campaign, finished__isnull=False
    ).count()
    return judged, logged or 0, finished


@dataclass
class _Kept(Generic[_Result]):
    state: State
    result: _Result
    until: float


class _Making:
    """A result that is being made."""

    def __init__(self) -> None:
        self.over = Event()
        self.error: Exception | None = None


class Memory(Generic[_Result]):
    """Keeps one kind of result, of every campaign.

    Parameters
    ----------
    quick : bool
        Whether a result is soon there, however many judgements there are: pages wait
        for it, and it does not stand for `LEAST` seconds.
    """

    def __init__(self, *, quick: bool = False) -> None:
        self._quick = quick
        self._kept: OrderedDict[_Key, _Kept[_Result]] = OrderedDict()
        self._making: dict[_Key, _Making] = {}
        self._lock = Lock()

    def get(
        self,
        campaign: Campaign,
        make: Callable[[], _Result],
        *,
        state: State | None = None,
        variant: str = "",
    ) -> _Result | None:
        """Return a result, made anew if judgements came and the old one had its time.

        A page waits for a new result for `PATIENCE` seconds; then, while somebody else
        makes one, or with `MANY` judgements, it gets the old one, or None where there
        is none.

        Parameters
        ----------
        make : callable
            Makes the result.
        state : tuple, optional
            Of :func:`state_of`, where it is known already.
        variant : str, optional
            Tells results of one campaign apart, such as by language.
        """
        key = (campaign.pk, campaign.created, variant)
        state = state_of(campaign) if state is None else state
        with self._lock:
            kept = self._kept.get(key)
            if kept is not None and (kept.state == state or monotonic() < kept.until):
                self._kept.move_to_end(key)
                return kept.result
            making = self._making.get(key)
            mine = making is None
            if making is None:
                making = self._making[key] = _Making()
        if not mine:
            if kept is not None:
                return kept.result
        # What a transaction has not written yet no other thread can see.
        elif connection.in_atomic_block:
            self._make(key, state, make, making)
            making.over.set()
        else:
            Thread(
                target=self._in_thread, args=(key, state, make, making), daemon=True
            ).start()
        making.over.wait(PATIENCE if self._quick or state[0] < MANY else 0.0)
        if making.error is not None:
            raise making.error
        with self._lock:
            kept = self._kept.get(key)
            return None if kept is None else kept.result

    def _in_thread(
        self, key: _Key, state: State, make: Callable[[], _Result], making: _Making
    ) -> None:
        try:
            self._make(key, state, make, making)
        except Exception as error:
            making.error = error
        finally:
            connection.close()
            making.over.set()

    def _make(
        self, key: _Key, state: State, make: Callable[[], _Result], making: _Making
    ) -> None:
        start = monotonic()
        try:
            result = make()
            took = monotonic() - start
            until = monotonic() + max(0.0 if self._quick else LEAST, _SHARE * took)
            with self._lock:
                # Not if it was forgotten meanwhile, as after somebody was deleted.
                if self._making.get(key) is making:
                    self._kept[key] = _Kept(state, result, until)
                    self._kept.move_to_end(key)
                while len(self._kept) > _MOST:
                    self._kept.popitem(last=False)
        finally:
            with self._lock:
                if self._making.get(key) is making:
                    del self._making[key]

    def forget(self, campaign: Campaign) -> None:
        """Forget the results of a campaign, those under way too."""
        identity = (campaign.pk, campaign.created)
        with self._lock:
            self._kept = OrderedDict(
                (key, kept) for key, kept in self._kept.items() if key[:2] != identity
            )
            self._making = {
                key: making
                for key, making in self._making.items()
                if key[:2] != identity
            }
