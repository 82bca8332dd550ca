# SPDX-License-Identifier: Apache-2.0
"""Makes static word vectors from a BERT model.

    python -m tertium.learn.vectors_maker [-o FILE] [--words FILE]

A word's vector is the mean over all layers and over its pieces, encoded alone. The mean
of all words is removed, the rest reduced to 128 principal components, and every row
scaled to eight bits. The words are those of the model's vocabulary, which BERT orders
by frequency, and after them those of a list. The vectors of all-MiniLM-L6-v2 are, like
its weights, under the Apache License 2.0.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from tertium.encoders.encoder import load_session
from tertium.encoders.files import (
    WEIGHTS,
    Sizes,
    default_folder,
    read_pieces,
    read_weights,
)
from tertium.encoders.graph import bert_graph
from tertium.encoders.pieces import CLS, SEP
from tertium.errors import FormatError, InputError
from tertium.learn.features.static_file import (
    NAME,
    StaticVectors,
    data_folder,
    write_static,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["main", "make_vectors", "static_vectors", "whole_words"]

_BATCH = 64
_LONGEST = 24  # pieces of a word; a longer one is left out


def make_vectors(
    path: str = "",
    *,
    words: Iterable[str] = (),
    folder: str = "",
    limit: int = 36_000,
    dimensions: int = 128,
) -> str:
    """Write a file of static word vectors, and return its path.

    Parameters
    ----------
    path : str
        Empty for the place where the block ``static`` looks for it.
    words, folder, limit, dimensions
        As in :func:`static_vectors`.
    """
    vectors = static_vectors(
        words=words, folder=folder, limit=limit, dimensions=dimensions
    )
    if not path:
        os.makedirs(data_folder(), exist_ok=True)
        path = os.path.join(data_folder(), NAME)
    write_static(path, vectors)
    return path


def static_vectors(
    *,
    words: Iterable[str] = (),
    folder: str = "",
    limit: int = 36_000,
    dimensions: int = 128,
) -> StaticVectors:
    """Return static vectors of the most frequent words.

    Parameters
    ----------
    words : iterable of str
        More words than the model's vocabulary has, the most frequent first.
    folder : str
        Of a BERT model; empty for all-MiniLM-L6-v2 from its package.
    limit : int
        The largest number of words.
    dimensions : int

    Raises
    ------
    InputError
        If there are fewer words, or the model fewer numbers, than dimensions.
    """
    folder = os.path.expanduser(folder) if folder else default_folder()
    pieces = read_pieces(folder)
    listed = [*whole_words(pieces.numbers), *(word.lower() for word in words)]
    numbers = {word: pieces.numbers_of(word) for word in listed if "\n" not in word}
    chosen = [w for w, n in numbers.items() if 0 < len(n) <= _LONGEST][:limit]
    means = _means(folder, [numbers[word] for word in chosen])
    if min(means.shape) < dimensions:
        message = (
            f"{means.shape[0]} words with {means.shape[1]} numbers do not give "
            f"{dimensions} dimensions; ask for fewer"
        )
        raise InputError(message)
    about = {
        "model": os.path.basename(os.path.dirname(os.path.abspath(folder))),
        "licence": "that of the model's weights",
        "layers": "mean of all",
        "recipe": _recipe(folder, dimensions),
    }
    return StaticVectors(chosen, _quantised(_reduced(means, dimensions)), about)


def _recipe(folder: str, dimensions: int) -> str:
    """Return a fingerprint of model and method; the words are part of the file."""
    with open(os.path.join(folder, WEIGHTS), "rb") as file:
        weights = hashlib.sha256(file.read()).hexdigest()
    return f"{weights[:12]}, mean of layers, {dimensions} components, 8 bits"


def whole_words(numbers: Mapping[str, int]) -> list[str]:
    """Return the pieces of a vocabulary that are words or punctuation, in its order.

    Letters of other scripts than Latin are left out.

    Examples
    --------
    >>> whole_words({"[CLS]": 0, "!": 1, "я": 2, "–": 3, "the": 4, "##s": 5})
    ['!', '–', 'the']
    """
    first = numbers.get("!", 0)
    return [
        piece
        for piece, number in numbers.items()
        if number >= first and not piece.startswith("##") and _wanted(piece)
    ]


def _wanted(piece: str) -> bool:
    if piece.isascii():
        return not (piece.startswith("[") and piece.endswith("]") and len(piece) > 2)
    return len(piece) == 1 and unicodedata.category(piece)[0] in "PS"


def _means(folder: str, words: Sequence[Sequence[int]]) -> NDArray[np.float64]:
    """Return the mean over layers and pieces of every word, encoded alone."""
    import numpy as np

    sizes, weights = Sizes.read(folder), read_weights(folder)
    numbers = read_pieces(folder).numbers
    every = list(range(sizes.layers + 1))
    session = load_session(bert_graph(weights, sizes, layers=every))
    width = weights["embeddings.word_embeddings.weight"].shape[1]
    out = np.zeros((len(words), width))
    by_length: dict[int, list[int]] = {}
    for place, word in enumerate(words):
        by_length.setdefault(len(word), []).append(place)
    for places in by_length.values():
        for start in range(0, len(places), _BATCH):
            part = places[start : start + _BATCH]
            ids = [[numbers[CLS], *words[place], numbers[SEP]] for place in part]
            states = session.run(None, {"ids": np.array(ids, np.int64)})
            inner = [state[:, 1:-1].mean(axis=1, dtype=np.float64) for state in states]
            out[part] = np.mean(inner, axis=0)
    return out


def _reduced(vectors: NDArray[np.float64], dimensions: int) -> NDArray[np.float64]:
    """Return the first principal components, without the mean."""
    import numpy as np

    centred = vectors - vectors.mean(axis=0)
    _, axes = np.linalg.eigh(centred.T @ centred)
    axes = axes[:, ::-1][:, :dimensions]
    # The sign of an axis is arbitrary: its largest number becomes positive.
    largest = np.abs(axes).argmax(axis=0)
    signs = np.sign(axes[largest, np.arange(axes.shape[1])])
    return np.asarray(centred @ (axes * signs))


def _quantised(vectors: NDArray[np.float64]) -> NDArray[np.int8]:
    import numpy as np

    largest = np.abs(vectors).max(axis=1, keepdims=True)
    scaled = 127 * vectors / np.maximum(largest, 1e-12)
    return np.asarray(np.round(scaled), np.int8)


def _read_words(path: str) -> list[str]:
    """Return the first word of every line."""
    try:
        with open(path, encoding="utf-8") as file:
            return [words[0] for line in file if (words := line.split())]
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8"
        what = f"cannot be read ({reason}); give one word per line"
        raise FormatError(what, path=path) from None


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the program."""
    parser = argparse.ArgumentParser(
        prog="python -m tertium.learn.vectors_maker",
        description="Make the word vectors that the features of kind static read.",
    )
    parser.add_argument(
        "-o",
        "--output",
        default="",
        metavar="FILE",
        help=f"(default: {NAME} in {data_folder()})",
    )
    parser.add_argument(
        "--words",
        metavar="FILE",
        help="more words than the model's vocabulary has: one per line, the most "
        "frequent first",
    )
    parser.add_argument(
        "--model", default="", metavar="DIR", help="a BERT model, not all-MiniLM-L6-v2"
    )
    parser.add_argument(
        "--limit", type=int, default=36_000, metavar="N", help="words (default: 36000)"
    )
    options = parser.parse_args(arguments)
    words = _read_words(options.words) if options.words else []
    make_vectors(options.output, words=words, folder=options.model, limit=options.limit)


if __name__ == "__main__":
    main()
