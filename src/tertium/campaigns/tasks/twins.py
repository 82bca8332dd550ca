# SPDX-License-Identifier: Apache-2.0
"""Attention checks: twins of items, damaged or copied from the reference.

A damaged twin has a stretch of words from another segment in place of its own, as the
"bad references" of WMT (Bojar et al. 2017, section on direct assessment): who reads
sees the damage. In a copy of the reference there should be little to find fault with.

Every item has one twin at most, and a segment one copy at most: nobody is asked the
same again and again. Twins depend on the seed and on what stands before in the test
set, so a set that grows at its end keeps the twins it has.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import NamedTuple

from tertium.campaigns.config import CampaignConfig
from tertium.campaigns.tasks.base import ItemDraft, TaskOption
from tertium.campaigns.tasks.testsets import Shown, digest, output_drafts, read_shown

__all__ = ["BAD", "CHECKS", "COPY", "Damaged", "damage", "outputs_and_twins", "twins"]

#: What the metadata of a check says under ``check``.
BAD, COPY = "bad", "copy"

#: The settings of tasks that have these checks.
CHECKS = {
    BAD: TaskOption(True, "checks: outputs with a stretch of words from elsewhere"),
    "copies": TaskOption(True, "checks: copies of the reference"),
}

_ATTEMPTS = 20
# Scripts that are written without spaces: words are single characters there.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff"
    "\uf900-\ufaff\U00020000-\U0003ffff]"
)


def outputs_and_twins(
    config: CampaignConfig, options: Mapping[str, object]
) -> Iterator[ItemDraft]:
    """Yield an item for every output of a segment, then the checks that are wanted."""
    segments = list(read_shown(config))
    for shown in segments:
        yield from output_drafts(shown)
    bad, copies = options[BAD] is True, options["copies"] is True
    yield from twins(segments, config.seed, bad=bad, copies=copies)


def twins(
    segments: Sequence[Shown], seed: int, *, bad: bool, copies: bool
) -> Iterator[ItemDraft]:
    """Yield the checks of a test set."""
    fillers = [_filler(shown) for shown in segments]
    for place, shown in enumerate(segments):
        drafts = list(output_drafts(shown))
        rng = Random(f"{seed}:copy:{shown.segment}")
        copied = None
        # Where there is one output only, half of the segments have a copy.
        wanted = copies and (not bad or len(drafts) > 1 or rng.random() < 0.5)
        if wanted and drafts and _is_new(shown.reference, shown):
            # By name, not by place: another system moves nothing.
            copied = min(drafts, key=lambda draft: digest(str(seed), draft.key))
            yield _twin(shown, copied, shown.reference, COPY)
        for draft in drafts if bad else ():
            if draft is not copied:
                output = str(draft.content["output"])
                draft_rng = Random(f"{seed}:bad:{draft.key}")
                # What stands before; the first segment has only what follows.
                others = fillers[:place] if place else fillers[1:2]
                damaged = damage(output, others, draft_rng)
                if damaged is not None and _is_new(damaged.text, shown):
                    where = [damaged.start, damaged.end]
                    yield _twin(shown, draft, damaged.text, BAD, damage=where)


def _filler(shown: Shown) -> str:
    return shown.reference or next(iter(shown.candidates), "")


def _is_new(text: str, shown: Shown) -> bool:
    """Return whether no system wrote that: else it were an item, not a check."""
    known = {" ".join(output.split()) for output in shown.candidates}
    return bool(text.strip()) and " ".join(text.split()) not in known


def _twin(
    shown: Shown, base: ItemDraft, text: str, check: str, **meta: object
) -> ItemDraft:
    fingerprint = digest(shown.segment, text)
    return ItemDraft(
        key=f"{base.key}:{check}:{fingerprint}"
        if check == BAD
        else _copy_key(shown, fingerprint),
        segment=shown.segment,
        document=shown.document,
        content={**shown.text(), "output": text},
        meta={"check": check, "base": base.key, **meta},
        kind="check",
        base=base.key,
    )


def _copy_key(shown: Shown, fingerprint: str) -> str:
    return f"{shown.segment[:160]}:{COPY}:{fingerprint}"


class Damaged(NamedTuple):
    """A text, and where in it the foreign words are."""

    text: str
    start: int
    end: int


def damage(text: str, others: Sequence[str], rng: Random) -> Damaged | None:
    """Return a text with a stretch of words replaced by one from another text.

    The first and the last word stay where there is room. Scripts without spaces are
    cut into characters.

    Parameters
    ----------
    text : str
    others : sequence of str
        Texts of other segments in the same language.
    rng : random.Random

    Returns
    -------
    Damaged or None
        None when there is nothing to replace, or nothing else to put there.

    Examples
    --------
    >>> damage("a b c d e", ["v w x y z"], Random(1))
    Damaged(text='a x y d e', start=2, end=5)
    """
    pieces = _units(text)
    if not pieces or not others:
        return None
    number = _replaced(len(pieces))
    inner = number + 2 <= len(pieces)
    for _ in range(_ATTEMPTS):
        start = rng.randint(int(inner), len(pieces) - number - int(inner))
        first, last = pieces[start][0], pieces[start + number - 1][1]
        other = rng.choice(others)
        units = _units(other)
        if not units:
            continue
        length = min(number, len(units))
        begin = rng.randint(0, len(units) - length)
        stretch = other[units[begin][0] : units[begin + length - 1][1]]
        if _words(stretch).isdisjoint(_words(text[first:last])):
            made = text[:first] + stretch + text[last:]
            return Damaged(made, first, first + len(stretch))
    return None


def _words(text: str) -> set[str]:
    return {text[a:b].casefold() for a, b in _units(text)}


def _replaced(length: int) -> int:
    """Return how many words to replace: about as many as WMT does since 2016."""
    for most, number in ((1, 1), (5, 2), (8, 3), (15, 4), (20, 5)):
        if length <= most:
            return number
    return length // 4


def _units(text: str) -> list[tuple[int, int]]:
    letters = sum(not char.isspace() for char in text)
    if 2 * len(_UNSPACED.findall(text)) <= letters:
        return [match.span() for match in re.finditer(r"\S+", text)]
    units: list[tuple[int, int]] = []
    for place, char in enumerate(text):
        if char.isspace():
            continue
        if units and units[-1][1] == place and unicodedata.category(char)[0] == "M":
            units[-1] = (units[-1][0], place + 1)  # a mark belongs to its letter
        else:
            units.append((place, place + 1))
    return units
