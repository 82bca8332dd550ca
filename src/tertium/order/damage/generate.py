# SPDX-License-Identifier: Apache-2.0
"""Permutations of sentences, sampled reproducibly.

Each sentence, kind and degree has its own random numbers, derived from the seed and
the text: other sentences or degrees do not change a result. Equal sentences are
distinguished by their count.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from tertium._seed import SEED
from tertium.errors import InputError, UnknownNameError
from tertium.order.damage import kinds as _kinds
from tertium.order.damage.edits import Arrangement, Edit
from tertium.order.damage.truecase import Truecaser, has_capital, large
from tertium.order.damage.words import Source
from tertium.order.permutation import Permutation

__all__ = ["DEGREES", "KINDS", "Permuted", "generate", "permute"]

#: Kinds and what they do.
KINDS = {
    "order": "move words by as many places as the degree says, then by one less, ...",
    "swap": "exchange pairs of words with the same part of speech",
    "phrase": "move subtrees of at most nine words to the edges of others",
    "choice": "replace words by words of a hypothesis with the same part of speech",
    "both": "choice, then order on the result",
}
#: The degrees of the thesis; beyond them, sentences become meaningless.
DEGREES = tuple(range(1, 19))

_ATTEMPTS = 100  # until a sentence differs from its source


@dataclass(frozen=True)
class Permuted:
    """A permuted sentence.

    Parameters
    ----------
    kind : str
        A key of `KINDS`.
    degree : int
        The number of words moved or replaced; for `both`, replaced and moved.
    seed : int
    source, text : str
        The sentence before and after.
    permutation : Permutation
        The number of each word in the source. Punctuation has no number.
    edits : tuple of Edit
        The edits; :func:`replay` repeats them.
    """

    kind: str
    degree: int
    seed: int
    source: str
    text: str
    permutation: Permutation
    edits: tuple[Edit, ...]

    def record(self) -> dict[str, object]:
        """Return the line of the log as JSON has it."""
        return {
            "kind": self.kind,
            "degree": self.degree,
            "seed": self.seed,
            "source": self.source,
            "text": self.text,
            "permutation": list(self.permutation),
            "edits": [edit.record() for edit in self.edits],
        }


def permute(
    source: Source,
    kind: str,
    degree: int,
    *,
    seed: int = SEED,
    hyp: Source | None = None,
    truecaser: Truecaser | None = None,
    copy: int = 1,
) -> Permuted | None:
    """Return a permuted sentence, or None where the sentence has none.

    Parameters
    ----------
    source : Source
        The sentence, with tags for swap, choice and both, with heads for phrase.
    kind : str
        A key of `KINDS`.
    degree : int
        The number of words to move or replace.
    seed : int
    hyp : Source, optional
        A translation with tags, which choice and both take words from.
    truecaser : Truecaser, optional
        Corrects the case of first letters at the end; the first word gets a capital if
        that of the source has one. Without a truecaser, no letter changes.
    copy : int
        Another number gives another result.

    Raises
    ------
    InputError
        When tags, heads or a hypothesis are missing, or the degree is below 1.

    Examples
    --------
    >>> source = Source.parse("dogs chase cats", tags=["NOUN", "VERB", "NOUN"])
    >>> permute(source, "swap", 2).text
    'cats chase dogs'
    >>> permute(source, "swap", 4) is None
    True
    """
    if kind not in KINDS:
        raise UnknownNameError("kind of permutation", kind, KINDS)
    if degree < 1:
        message = f"degree {degree} moves no word; give an integer from 1"
        raise InputError(message)
    _check_layers(source, kind, hyp)
    if not _kinds.admits(source, kind, degree, hyp=hyp):
        return None
    before = [core.casefold() for core in source.cores]
    rng = _stream(source.text, kind, degree, seed, copy)
    # Moves may cancel out, and a sample may be a dead end.
    for _ in range(_ATTEMPTS):
        permuted = Arrangement(source)
        could = _edit(permuted, source, kind, degree, rng, hyp)
        if could and [core.casefold() for core in permuted.cores] != before:
            break
    else:
        return None
    if truecaser is not None:
        _correct_case(permuted, source, truecaser)
    return Permuted(
        kind,
        degree,
        seed,
        source.text,
        permuted.text,
        Permutation.zero_based(permuted.order),
        tuple(permuted.edits),
    )


def generate(
    sources: Iterable[Source],
    *,
    kinds: Sequence[str] = ("order",),
    degrees: Sequence[int] = DEGREES,
    seed: int = SEED,
    hyps: Iterable[Source] | None = None,
    truecaser: Truecaser | None = None,
    repeated: Container[int] | None = None,
) -> Iterator[tuple[int, Permuted]]:
    """Yield the permutations of sentences, with their numbers from 1.

    Parameters
    ----------
    sources : iterable of Source
    kinds : sequence of str
        Keys of `KINDS`.
    degrees : sequence of int
        Degrees that a sentence does not admit yield nothing.
    seed : int
    hyps : iterable of Source, optional
        A translation of each sentence, for choice and both.
    truecaser : Truecaser, optional
    repeated : container of int, optional
        The hashes of all texts that occur more than once, so that no others have to be
        remembered. By default all texts are.

    Raises
    ------
    InputError
        As :func:`permute`, with the number of the sentence; or when the numbers of
        sentences and hypotheses differ.
    """
    seen: Counter[str] = Counter()
    others = None if hyps is None else iter(hyps)
    number = 0
    for number, source in enumerate(sources, 1):
        hyp = None if others is None else next(others, None)
        if others is not None and hyp is None:
            message = f"there is no hypothesis for sentence {number}; give one for each"
            raise InputError(message)
        text = source.text
        copy = 1
        if repeated is None or hash(text) in repeated:
            seen[text] += 1
            copy = seen[text]
        for kind in kinds:
            for degree in degrees:
                try:
                    permuted = permute(
                        source,
                        kind,
                        degree,
                        seed=seed,
                        hyp=hyp,
                        truecaser=truecaser,
                        copy=copy,
                    )
                except UnknownNameError:
                    raise
                except InputError as error:
                    raise InputError(f"sentence {number}: {error}") from None
                if permuted is not None:
                    yield number, permuted
    if others is not None and next(others, None) is not None:
        message = f"there are more hypotheses than the {number} sentences; give as many"
        raise InputError(message)


def _edit(
    made: Arrangement,
    source: Source,
    kind: str,
    degree: int,
    rng: Random,
    hyp: Source | None,
) -> bool:
    """Apply the edits of a kind; return False at a dead end."""
    if kind == "swap":
        return _kinds.swap(made, degree, rng, tags=source.tags)
    if kind == "phrase":
        return _kinds.phrase(made, degree, rng, heads=source.heads)
    if hyp is not None and kind in ("choice", "both"):
        tags = source.tags
        if not _kinds.choice(made, degree, rng, tags=tags, source=source, hyp=hyp):
            return False
    return kind == "choice" or _kinds.order(made, degree, rng)


def _check_layers(source: Source, kind: str, hyp: Source | None) -> None:
    if not source.words:
        return
    if kind in ("swap", "choice", "both") and not source.tags:
        raise InputError(f"{kind} needs parts of speech; give sentences with tags")
    if kind == "phrase" and not source.heads:
        raise InputError("phrase needs trees; give sentences with heads")
    if kind in ("choice", "both"):
        if hyp is None:
            raise InputError(f"{kind} takes words from a hypothesis; give one")
        if hyp.words and not hyp.tags:
            message = f"{kind} needs parts of speech; give a hypothesis with tags"
            raise InputError(message)


def _correct_case(made: Arrangement, source: Source, truecaser: Truecaser) -> None:
    for place, core in enumerate(made.cores):
        new = truecaser.true(core)
        if place == 0 and has_capital(source.cores[0]):
            new = large(new)
        if new != core:
            made.replace(place, new, op="case")


def _stream(text: str, kind: str, degree: int, seed: int, copy: int) -> Random:
    """Return the random numbers of one sentence, kind and degree."""
    key = f"{seed}\n{kind}\n{degree}\n{copy}\n{text}"
    digest = hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest()
    return Random(int.from_bytes(digest, "big"))  # noqa: S311 (no secret)
