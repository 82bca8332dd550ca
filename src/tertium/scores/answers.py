# SPDX-License-Identifier: Apache-2.0
"""Answers of a program, each kept on disk as soon as its batch is answered.

A run that was killed goes on where it stopped, and whatever has the same segments, in
any order and with any other systems, does not ask again.
"""

from __future__ import annotations

import json
import math
import os
import shutil
import struct
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from tertium._executor import report
from tertium.cache.fingerprints import fingerprint
from tertium.cache.keys import digest
from tertium.cache.store import Cache, default_cache
from tertium.errors import ProgramError
from tertium.scores.config import ProgramConfig
from tertium.scores.program import Program, running

__all__ = ["KIND", "Item", "ask", "cache_key", "config_key"]

#: The kind of entry in a cache.
KIND = "external"

_NUMBER = struct.Struct("<d")

#: What a program gets for a segment: texts by name.
Item = Mapping[str, Any]


def config_key(config: ProgramConfig) -> bytes:
    """Return the key of command and files, the same wherever their folder is."""
    files = [fingerprint(path) or "" for path in config.paths()]
    facts = [config.command, config.needs, config.version, config.files]
    return digest(KIND, *facts, files)


def cache_key(config: ProgramConfig) -> bytes:
    """Return the key of all that answers depend on besides the segments.

    A program may read what lies in its folder, and its name may stand for another one
    on another path.
    """
    program = config.command[0]
    if not os.path.dirname(program):
        program = shutil.which(program) or program
    program = os.path.join(config.folder, program)
    facts: list[object] = [os.path.realpath(config.folder), program]
    with suppress(OSError):
        status = os.stat(program)
        facts += [status.st_size, status.st_mtime_ns]
    return digest(config_key(config), facts)


def ask(
    config: ProgramConfig, items: Sequence[Item], places: Sequence[str]
) -> list[float]:
    """Return the score of every item.

    Parameters
    ----------
    config : ProgramConfig
    items : sequence of mappings
        All different.
    places : sequence of str
        Which segment each is of, for messages.

    Raises
    ------
    ProgramError
        If the program fails, or an answer is not a finite number.
    """
    cache = default_cache() if config.cache else None
    key = cache_key(config)
    entries = [digest(key, item) for item in items]
    scores = [None if cache is None else _read(cache, entry) for entry in entries]
    missing = [i for i, score in enumerate(scores) if score is None]
    for start in range(0, len(missing), config.batch_size):
        batch = missing[start : start + config.batch_size]
        lines = [json.dumps(items[i], ensure_ascii=False) for i in batch]
        answers = _answer(config, lines)
        values = [
            _score(config, answer, places[i])
            for i, answer in zip(batch, answers, strict=True)
        ]
        for i, value in zip(batch, values, strict=True):
            scores[i] = value
            if cache is not None:
                cache.put(KIND, entries[i], _NUMBER.pack(value))
        report(f"answers of {config.name}", start + len(batch), len(missing))
    return [score for score in scores if score is not None]


def _answer(config: ProgramConfig, lines: Sequence[str]) -> list[str]:
    if config.keep_running:
        return running(config).answer(lines, last=False)
    program = Program(config)
    try:
        return program.answer(lines, last=True)
    finally:
        program.stop()


def _score(config: ProgramConfig, line: str, place: str) -> float:
    """Return the number in an answer: a number, or an object with ``score``."""
    try:
        value = json.loads(line)
    except ValueError:
        value = line.strip()
    if isinstance(value, dict):
        value = value.get("score")
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if number:
        try:
            value = float(value)
        except OverflowError:  # an integer of hundreds of digits
            value = math.inf
    if not number or not math.isfinite(value):
        raise ProgramError(
            f"{config.name} answered {line.strip()[:80]!r} for {place}; it must write "
            'a finite number, or {"score": NUMBER}, per line'
        )
    low, high = config.bounds
    if not low <= value <= high:
        raise ProgramError(
            f"{config.name} answered {value:g} for {place}, which is not between the "
            f"bounds of its configuration, {low:g} and {high:g}; correct these"
        )
    return float(value)


def _read(cache: Cache, entry: bytes) -> float | None:
    value = cache.get(KIND, entry)
    if value is None:
        return None
    if len(value) != _NUMBER.size:
        cache.drop(KIND, entry)
        return None
    return float(_NUMBER.unpack(value)[0])
