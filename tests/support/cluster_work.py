# SPDX-License-Identifier: Apache-2.0
"""What workers of tests do; they import it by name."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path

from tertium.errors import InputError


def square(number):
    return number * number


def slowly(number):
    time.sleep(0.05)
    return number * number


def reject(number):
    raise InputError(f"{number} is rejected", options=("references",))


@dataclass(frozen=True)
class Once:
    """Does something to its process the first time that it meets a number."""

    folder: Path
    at: int = 0

    def __call__(self, number):
        mark = self.folder / type(self).__name__
        if number == self.at and not mark.exists():
            mark.touch()
            self.harm()
        time.sleep(0.01)
        return number * number

    def harm(self):
        raise NotImplementedError


class DieOnce(Once):
    def harm(self):
        os.kill(os.getpid(), signal.SIGKILL)


@dataclass(frozen=True)
class DieAtEach:
    """Ends its process the first time that it meets each of some numbers."""

    folder: Path
    numbers: frozenset[int]

    def __call__(self, chunk):
        for number in chunk:
            mark = self.folder / str(number)
            if number in self.numbers and not mark.exists():
                mark.touch()
                os.kill(os.getpid(), signal.SIGKILL)
        return [number * number for number in chunk]


class FreezeOnce(Once):
    def harm(self):
        os.kill(os.getpid(), signal.SIGSTOP)


class Poison(Once):
    def __call__(self, number):
        if number == self.at:
            os.kill(os.getpid(), signal.SIGKILL)
        return number * number


@dataclass(frozen=True)
class Greedy:
    """Takes memory for one of the numbers, as a large chunk would."""

    at: int
    megabytes: int

    def __call__(self, number):
        if number == self.at:
            held = bytearray(self.megabytes << 20)
            held[::4096] = b"x" * len(held[::4096])
            time.sleep(1.5)
        return number * number


@dataclass(frozen=True)
class Counted:
    """Leaves a mark for every number that it was called with."""

    folder: Path
    pause: float = 0.0

    def __call__(self, number):
        (self.folder / f"{number}-{time.monotonic_ns()}").touch()
        time.sleep(self.pause)
        return number * number
