# SPDX-License-Identifier: Apache-2.0
"""Vectors of texts by a BERT model, with onnxruntime.

A vector depends on its text alone, to the last bit: every text is run by itself, in one
thread, and never padded. Several threads encode several texts. Another processor may
round differently.

A text of more pieces than the model reads is cut into windows as long as each other,
give or take a piece, and each is encoded by itself.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections import OrderedDict
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

from tertium._files import replace_file
from tertium.errors import MissingExtraError, TertiumError
from tertium.learn.bert.files import (
    INSTALL,
    WEIGHTS,
    Sizes,
    default_folder,
    read_pieces,
    read_weights,
)
from tertium.learn.bert.graph import VERSION, bert_graph
from tertium.learn.bert.pieces import CLS, SEP

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "Encoded",
    "Encoder",
    "Kept",
    "Numbers",
    "Session",
    "cache_folder",
    "find_encoder",
    "load_session",
]

#: Numbers of pieces: equal for texts that the model cannot tell apart.
Numbers: TypeAlias = "tuple[int, ...]"


class Session(Protocol):
    """What is used of onnxruntime."""

    def run(
        self, names: None, feed: dict[str, NDArray[np.int64]]
    ) -> list[NDArray[np.float32]]:
        """Return all outputs of a graph."""


class Encoded(NamedTuple):
    """Unit vectors of a text: one per piece, and one of all of it, if wanted."""

    pieces: NDArray[np.float32]
    text: NDArray[np.float32]

    @property
    def size(self) -> int:
        """Its size in bytes."""
        return self.pieces.nbytes + self.text.nbytes


class Encoder:
    """A model that encodes texts.

    Parameters
    ----------
    folder : str
        With ``model.safetensors``, ``config.json`` and ``vocab.txt``.
    layer : int
        The layer of the pieces' vectors.
    text : bool
        Whether texts get a vector: the mean of the last layer, as sentence-transformers
        has it.

    Raises
    ------
    FormatError
        If a file of the folder cannot be read.
    InputError
        If the model has no such layer.
    MissingExtraError
        If onnx or onnxruntime is missing.
    """

    def __init__(self, folder: str, *, layer: int, text: bool) -> None:
        self.sizes = Sizes.read(folder)
        self.layer, self.text = layer, text
        self._pieces = read_pieces(folder)
        self._ends = [self._pieces.numbers[end] for end in (CLS, SEP)]
        self._session = _session(folder, self.sizes, layer=layer, text=text)

    @property
    def vocabulary(self) -> int:
        """The number of pieces."""
        return len(self._pieces.numbers)

    @property
    def first(self) -> int:
        """The number of the first piece that is text, as BERT orders its vocabulary."""
        return self._pieces.numbers.get("!", 0)

    def numbers(self, text: str) -> Numbers:
        """Return the numbers of a text's pieces."""
        return tuple(self._pieces.numbers_of(text))

    def encode(self, numbers: Numbers) -> Encoded:
        """Return the vectors of a text, which has at least one piece."""
        import numpy as np

        states, total = [], np.zeros(0, np.float32)
        for window in self._windows(numbers):
            ids = np.array([[self._ends[0], *window, self._ends[1]]], np.int64)
            output = self._session.run(None, {"ids": ids})
            states.append(output[0][0, 1:-1])
            if self.text:
                mean = output[1][0] * np.float32(ids.size)
                total = mean if not total.size else total + mean
        pieces = states[0] if len(states) == 1 else np.concatenate(states)
        return Encoded(_unit(pieces), _unit(total))

    def _windows(self, numbers: Numbers) -> list[Numbers]:
        longest = self.sizes.positions - 2  # and a piece at both ends
        count = -(-len(numbers) // longest)
        ends = [len(numbers) * i // count for i in range(count + 1)]
        return [numbers[first:last] for first, last in pairwise(ends)]


class Kept:
    """Vectors of the texts that were used last, up to a number of bytes."""

    def __init__(self, encoder: Encoder, limit: int) -> None:
        self._encoder = encoder
        self._limit = limit
        self._size = 0
        self._kept: OrderedDict[Numbers, Encoded] = OrderedDict()
        self._lock = threading.Lock()

    def __call__(self, numbers: Numbers) -> Encoded:
        """Return the vectors of a text, encoded now if need be."""
        with self._lock:
            vectors = self._kept.get(numbers)
            if vectors is not None:
                self._kept.move_to_end(numbers)
                return vectors
        vectors = self._encoder.encode(numbers)
        with self._lock:
            if numbers not in self._kept:
                self._kept[numbers] = vectors
                self._size += vectors.size
            while self._size > self._limit:
                self._size -= self._kept.popitem(last=False)[1].size
        return vectors


def find_encoder(folder: str, *, layer: int, text: bool) -> Encoder:
    """Return the encoder of a folder, loaded once while its weights are the same.

    Parameters
    ----------
    folder : str
        Empty for the default model.
    layer, text
        As in :class:`Encoder`.
    """
    folder = os.path.expanduser(folder) if folder else default_folder()
    try:
        status = os.stat(os.path.join(folder, WEIGHTS))
    except OSError:
        return Encoder(folder, layer=layer, text=text)  # says what is wrong
    return _encoder(folder, layer, text, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=2)
def _encoder(folder: str, layer: int, text: bool, *_: int) -> Encoder:
    return Encoder(folder, layer=layer, text=text)


def cache_folder() -> str:
    """Return the folder of graphs; empty if caching is off (``TERTIUM_CACHE=off``)."""
    if os.environ.get("TERTIUM_CACHE") == "off":
        return ""
    root = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(root):  # As the XDG specification requires.
        root = os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(root, "tertium")


def _session(folder: str, sizes: Sizes, *, layer: int, text: bool) -> Session:
    """Return a session of a model's graph, which is written once for all processes."""
    path = _graph_path(folder, sizes, layer, text)
    if path and os.path.exists(path):
        try:
            return load_session(path)
        except MissingExtraError:
            raise
        except Exception:  # noqa: S110 - damaged: it is written again
            pass
    graph = bert_graph(read_weights(folder), sizes, layers=[layer], mean=text)
    if path:
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with replace_file(path) as file:
                file.write(graph)
        except (OSError, TertiumError):
            pass  # A read-only home must not be an error.
    return load_session(graph)


def _graph_path(folder: str, sizes: Sizes, layer: int, text: bool) -> str:
    root = cache_folder()
    if not root:
        return ""
    key = hashlib.sha256(repr((VERSION, sizes, layer, text)).encode())
    try:
        with open(os.path.join(folder, WEIGHTS), "rb") as file:
            while part := file.read(1 << 20):
                key.update(part)
    except OSError:
        return ""
    return os.path.join(root, f"bert-{key.hexdigest()[:32]}.onnx")


def load_session(graph: str | bytes) -> Session:
    """Return a session of a graph, or of its file; it runs in the caller's thread.

    Raises
    ------
    MissingExtraError
        If onnxruntime is missing.
    """
    try:
        import onnxruntime
    except ImportError as error:
        what = "the features of kind context"
        raise MissingExtraError(what, command=INSTALL) from error
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.enable_mem_pattern = False  # every length is another pattern
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(  # type: ignore[no-any-return]
        graph, options, providers=["CPUExecutionProvider"]
    )


def _unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    import numpy as np

    if not vectors.size:
        return vectors
    lengths = np.sqrt(np.sum(vectors * vectors, axis=-1, keepdims=True))
    return np.asarray(vectors / np.maximum(lengths, np.float32(1e-12)), np.float32)
