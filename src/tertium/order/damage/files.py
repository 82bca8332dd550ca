# SPDX-License-Identifier: Apache-2.0
"""Sentences of a file, damaged on purpose; parses are read from CoNLL-U."""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import starmap

from tertium._seed import SEED
from tertium.data.formats import extension_of
from tertium.data.lines import StrPath, display, open_lines
from tertium.errors import InputError
from tertium.order.damage.generate import DEGREES, Permuted, generate
from tertium.order.damage.truecase import Truecaser
from tertium.order.damage.words import Source

__all__ = [
    "PermutedFile",
    "PermutedStream",
    "permute_file",
    "read_sources",
    "stream_permuted",
]

_TAGGED = ("swap", "choice", "both")
_REPLACING = ("choice", "both")


@dataclass(frozen=True)
class PermutedStream:
    """The results of all sentences, kinds and degrees, made as they are asked for.

    Parameters
    ----------
    results : iterable of (int, Permuted)
        Each with the number of its sentence, counted from 1.
    sentences : int
        The number of sentences in the file.
    attempts : int
        Sentences times kinds times degrees; some have no result, as the sentence has
        too few words.
    punctuation : str
        As for `permute_file`.
    """

    results: Iterable[tuple[int, Permuted]]
    sentences: int
    attempts: int
    punctuation: str

    def record(self, number: int, result: Permuted) -> dict[str, object]:
        """Return the line of the log for a result, as JSON has it."""
        # Replaying the edits needs to know what counts as punctuation.
        setting = {"segment": number, "punctuation": self.punctuation}
        return {**setting, **result.record()}


@dataclass(frozen=True)
class PermutedFile(PermutedStream):
    """The results of all sentences, kinds and degrees.

    Parameters
    ----------
    results : tuple of (int, Permuted)
    sentences, attempts : int
    punctuation : str
        As for `PermutedStream`.
    """

    results: tuple[tuple[int, Permuted], ...]

    def records(self) -> Iterator[dict[str, object]]:
        """Yield the line of the log for each result, as JSON has it."""
        return starmap(self.record, self.results)


def permute_file(
    file: StrPath,
    *,
    kinds: Sequence[str] = ("order",),
    degrees: Sequence[int] = DEGREES,
    hyp: StrPath | None = None,
    tags: str = "upos",
    truecase: Sequence[StrPath] | None = None,
    no_truecase: bool = False,
    punctuation: str = "thesis",
    seed: int = SEED,
    progress: Callable[[int], object] | None = None,
) -> PermutedFile:
    r"""Return the sentences of a file, damaged in all kinds and degrees.

    Parameters
    ----------
    file : str or path
        One sentence per line, or CoNLL-U if it ends in ``.conllu``.
    kinds : sequence of str
        Keys of `KINDS`. All but order need CoNLL-U.
    degrees : sequence of int
    hyp : str or path, optional
        A translation of each sentence as CoNLL-U, for the kinds choice and both.
    tags : {"upos", "xpos"}
        The column of CoNLL-U that has the part of speech.
    truecase : sequence of paths, optional
        Texts to learn the use of capitals from; by default `file` itself.
    no_truecase : bool
        Whether to leave capitals as they are.
    punctuation : {"thesis", "wide"}
        A key of `PUNCTUATION`.
    seed : int
    progress : callable, optional
        Called with the number of the sentence at hand.

    Raises
    ------
    InputError
        When the kinds need something that the files do not have.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "a.txt")
    ...     _ = path.write_text("The cat sat on the mat.\n")
    ...     permuted = permute_file(path, degrees=[2], seed=1)
    >>> permuted.results[0][1].text, permuted.attempts
    ('Cat sat the the on mat.', 1)
    """
    stream = stream_permuted(
        file,
        kinds=kinds,
        degrees=degrees,
        hyp=hyp,
        tags=tags,
        truecase=truecase,
        no_truecase=no_truecase,
        punctuation=punctuation,
        seed=seed,
        progress=progress,
    )
    results = tuple(stream.results)
    return PermutedFile(results, stream.sentences, stream.attempts, punctuation)


def stream_permuted(
    file: StrPath,
    *,
    kinds: Sequence[str] = ("order",),
    degrees: Sequence[int] = DEGREES,
    hyp: StrPath | None = None,
    tags: str = "upos",
    truecase: Sequence[StrPath] | None = None,
    no_truecase: bool = False,
    punctuation: str = "thesis",
    seed: int = SEED,
    progress: Callable[[int], object] | None = None,
) -> PermutedStream:
    """Return what `permute_file` does, with results that are made one by one.

    Files are read and checked as a whole first, but their sentences stay on disk, so
    that memory hardly grows with them. Parameters and errors are those of
    `permute_file`.
    """
    from tertium.data.kept import Kept

    hashes = array("q")
    read = read_sources(file, tags=tags, punctuation=punctuation)
    sources = Kept(_hashed(read, hashes))
    hyps = None
    if hyp is not None:
        hyps = Kept(read_sources(hyp, tags=tags, punctuation=punctuation))
        if len(hyps) != len(sources):
            message = (
                f"{file} has {len(sources)} sentences, {hyp} has {len(hyps)}; give one "
                "hypothesis per sentence"
            )
            raise InputError(message)
    _check_hyp(kinds, hyp)
    _check_layers(display(file), sources, kinds, tags)
    if hyps is not None and hyp is not None:
        _check_layers(display(hyp), hyps, [k for k in kinds if k in _TAGGED], tags)
    truecaser = None
    if not no_truecase:
        texts: Iterable[Source] = sources
        if truecase:
            texts = (
                source
                for path in truecase
                for source in read_sources(path, tags=tags, punctuation=punctuation)
            )
        lines = (source.text for source in texts)
        truecaser = Truecaser.train(lines, punctuation=punctuation)
    results = generate(
        sources,
        kinds=kinds,
        degrees=degrees,
        seed=seed,
        hyps=hyps,
        truecaser=truecaser,
        repeated=_repeated(hashes),
    )
    if progress is not None:
        results = _reported(results, progress)
    attempts = len(sources) * len(kinds) * len(degrees)
    return PermutedStream(results, len(sources), attempts, punctuation)


def _reported(
    results: Iterable[tuple[int, Permuted]], progress: Callable[[int], object]
) -> Iterator[tuple[int, Permuted]]:
    """Yield results, and report the number of the sentence of each."""
    for result in results:
        progress(result[0])
        yield result


def _hashed(sources: Iterable[Source], hashes: array[int]) -> Iterator[Source]:
    """Yield sentences, and note the hashes of their texts."""
    for source in sources:
        hashes.append(hash(source.text))
        yield source


def _repeated(hashes: array[int]) -> frozenset[int]:
    """Return the hashes that occur more than once."""
    import numpy as np

    ordered = np.sort(np.frombuffer(hashes, np.int64))
    return frozenset(ordered[1:][ordered[1:] == ordered[:-1]].tolist())


def read_sources(
    path: StrPath, *, tags: str = "upos", punctuation: str = "thesis"
) -> Iterator[Source]:
    """Yield the sentences of a text or of a CoNLL-U file.

    Parameters
    ----------
    path : str or path
    tags, punctuation : str
        As for `permute_file`.
    """
    if extension_of(os.fspath(path)) != ".conllu":
        for line in open_lines(path):
            yield Source.parse(line, punctuation=punctuation)
        return
    from tertium.trees.parses import read_first_parses

    for sentence in read_first_parses(path):
        tree = sentence.tree
        column = tree.upos if tags == "upos" else tree.xpos
        yield Source.from_parse(
            sentence.tokens,
            heads=tree.heads,
            tags=() if set(column) <= {"_"} else column,
            puncts={i for i in range(1, len(tree) + 1) if tree.is_punct(i)},
            punctuation=punctuation,
        )


def _check_hyp(kinds: Sequence[str], hyp: StrPath | None) -> None:
    replacing = [kind for kind in kinds if kind in _REPLACING]
    if replacing and hyp is None:
        message = (
            f"{replacing[0]} takes words from a translation; give one per sentence, as "
            "CoNLL-U"
        )
        raise InputError(message, options=("hyp",))
    if hyp is not None and not replacing:
        message = "hyp is for the kinds choice and both; omit it, or add one of them"
        raise InputError(message, options=("hyp", "kinds"))


def _check_layers(
    name: str, sources: Sequence[Source], kinds: Sequence[str], tags: str
) -> None:
    """Reject, before any work, sentences without the layers that kinds need."""
    tagged = [kind for kind in kinds if kind in _TAGGED]
    if not tagged and "phrase" not in kinds:
        return
    for number, source in enumerate(sources, 1):
        if not source.words:
            continue
        if "phrase" in kinds and not source.heads:
            what, kind = "trees", "phrase"
        elif tagged and not source.tags:
            what, kind = "parts of speech", tagged[0]
        else:
            continue
        message = f"{name}: sentence {number} has no {what}, which {kind} needs"
        if source.heads:
            column = f"fill the column {tags.upper()}, or choose another"
            raise InputError(f"{message}; {column}", options=("tags",))
        raise InputError(
            f"{message}; give a .conllu file with them; `tertium parse` makes one"
        )
