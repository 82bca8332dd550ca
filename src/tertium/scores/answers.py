# SPDX-License-Identifier: Apache-2.0
"""Answers of a program, kept on disk batch by batch.

Batches end where the content of a segment says so, as blocks of a cache do: after one
segment was inserted, most batches are the same as before. Each is stored as soon as it
is answered, so that a run that was killed goes on where it stopped.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Mapping, Sequence
from typing import Any

from tertium._executor import report
from tertium.cache.blocks import blocks
from tertium.cache.fingerprints import fingerprint
from tertium.cache.keys import digest
from tertium.cache.store import Cache, default_cache
from tertium.errors import ProgramError
from tertium.scores.config import ProgramConfig
from tertium.scores.program import Program, running

__all__ = ["KIND", "Item", "ask", "config_key"]

#: The kind of entry in a cache.
KIND = "external"

#: What a program gets for a segment: texts by name.
Item = Mapping[str, Any]


def config_key(config: ProgramConfig) -> bytes:
    """Return the key of all that answers depend on besides the segments."""
    files = [fingerprint(path) or "" for path in config.paths()]
    facts = [config.command, config.needs, config.version, config.files]
    return digest(KIND, *facts, files)


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
    key = config_key(config)
    digests = [digest(item)[:16] for item in items]
    batches = [
        range(start, min(start + config.batch_size, block.stop))
        for block in blocks(digests)
        for start in range(block.start, block.stop, config.batch_size)
    ]
    scores = [math.nan] * len(items)
    missing: list[tuple[range, bytes]] = []
    for batch in batches:
        entry = digest(key, b"".join(digests[batch.start : batch.stop]))
        known = None if cache is None else _read(cache, entry, len(batch))
        if known is None:
            missing.append((batch, entry))
        else:
            scores[batch.start : batch.stop] = known
    total = sum(len(batch) for batch, _ in missing)
    done = 0
    for batch, entry in _joined(missing, config) if cache is None else missing:
        lines = [json.dumps(items[i], ensure_ascii=False) for i in batch]
        answers = _answer(config, lines)
        values = [
            _score(config, answer, places[i])
            for i, answer in zip(batch, answers, strict=True)
        ]
        scores[batch.start : batch.stop] = values
        if cache is not None:
            cache.put(KIND, entry, struct.pack(f"<{len(values)}d", *values))
        done += len(batch)
        report(f"answers of {config.name}", done, total)
    return scores


def _joined(
    missing: Sequence[tuple[range, bytes]], config: ProgramConfig
) -> list[tuple[range, bytes]]:
    """Return batches of full size, where nothing is stored."""
    if not missing:
        return []
    stop, size = missing[-1][0].stop, config.batch_size
    return [(range(at, min(at + size, stop)), b"") for at in range(0, stop, size)]


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
    if not number or not math.isfinite(value):
        raise ProgramError(
            f"{config.name} answered {line.strip()[:80]!r} for {place}; it must write "
            'a finite number, or {"score": NUMBER}, per line'
        )
    low, high = config.bounds
    if not low <= value <= high:
        raise ProgramError(
            f"{config.name} answered {value} for {place}, which is not between the "
            f"bounds of its configuration, {low:g} and {high:g}; correct these"
        )
    return float(value)


def _read(cache: Cache, entry: bytes, length: int) -> tuple[float, ...] | None:
    value = cache.get(KIND, entry)
    if value is None:
        return None
    if len(value) != 8 * length:
        cache.drop(KIND, entry)
        return None
    return struct.unpack(f"<{length}d", value)
