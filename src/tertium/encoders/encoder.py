# SPDX-License-Identifier: Apache-2.0
"""Vectors of texts by a BERT model, with onnxruntime.

A vector depends on its text alone, to the last bit: texts run together only with texts
of their length, so that nothing is padded, and each batch in one thread; several
threads run several batches. Where a batch gives other bits than its texts alone, which
is tested when a model is loaded, every text runs alone. Another processor may round
differently.

A text of more pieces than the model reads is cut into windows as long as each other,
give or take a piece, and each is encoded by itself.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, lru_cache
from itertools import chain, pairwise
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias, TypeVar

from tertium._files import replace_file
from tertium.cache import places
from tertium.encoders.files import (
    INSTALL,
    WEIGHTS,
    WHAT,
    Sizes,
    default_folder,
    read_pieces,
    read_weights,
)
from tertium.encoders.graph import VERSION, bert_graph
from tertium.encoders.pieces import Cutter
from tertium.errors import MissingExtraError, TertiumError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "BATCH",
    "Encoded",
    "Encoder",
    "Kept",
    "Node",
    "Numbers",
    "Session",
    "cache_folder",
    "find_encoder",
    "in_threads",
    "load_session",
]

BATCH = 16  # texts of one length that run together
_PROBES = (1, 8)  # lengths of texts that test whether batches are exact
_In = TypeVar("_In")
_Out = TypeVar("_Out")

#: Numbers of pieces: equal for texts that the model cannot tell apart.
Numbers: TypeAlias = "tuple[int, ...]"


class Node(Protocol):
    """An input or an output of a graph, in onnxruntime."""

    name: str
    type: str
    shape: Sequence[object]


class Session(Protocol):
    """What is used of onnxruntime."""

    def run(
        self, names: Sequence[str] | None, feed: Mapping[str, NDArray[np.generic]]
    ) -> list[NDArray[np.float32]]:
        """Return outputs of a graph, all of them if none is named."""

    def get_inputs(self) -> Sequence[Node]:
        """Return the inputs of a graph."""

    def get_outputs(self) -> Sequence[Node]:
        """Return the outputs of a graph."""


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
    ends : bool
        Whether the pieces at both ends of the input get vectors, too.

    Raises
    ------
    FormatError
        If a file of the folder cannot be read.
    InputError
        If the model has no such layer.
    MissingExtraError
        If onnx or onnxruntime is missing.
    """

    def __init__(
        self, folder: str, *, layer: int, text: bool, ends: bool = False
    ) -> None:
        sizes = Sizes.read(folder)
        self._set_up(read_pieces(folder), positions=sizes.positions)
        self.layer, self.text, self.ends = layer, text, ends
        layers = [layer, sizes.layers] if text else [layer]
        self._session = _session(folder, sizes, sorted(set(layers)))
        self._batch = BATCH if self._batches_are_exact() else 1

    def _set_up(self, pieces: Cutter, *, positions: int) -> None:
        self._pieces, self._positions = pieces, positions
        self._ends = [pieces.numbers[end] for end in pieces.ends]

    @property
    def vocabulary(self) -> int:
        """The number of pieces."""
        return len(self._pieces.numbers)

    @cached_property
    def pieces(self) -> Mapping[int, str]:
        """The pieces by number."""
        return {number: piece for piece, number in self._pieces.numbers.items()}

    @property
    def end_pieces(self) -> tuple[str, str]:
        """The pieces before and after a text."""
        return self._pieces.ends

    @property
    def first(self) -> int:
        """The number of the first piece that is text, as BERT orders its vocabulary."""
        return self._pieces.numbers.get("!", 0)

    def numbers(self, text: str) -> Numbers:
        """Return the numbers of a text's pieces."""
        return tuple(self._pieces.numbers_of(text))

    def encode(self, texts: Sequence[Numbers], *, threads: int = 1) -> list[Encoded]:
        """Return the vectors of texts, which have at least one piece each."""
        windows = [self._windows(numbers) for numbers in texts]
        by_length: dict[int, dict[Numbers, None]] = {}
        for window in chain.from_iterable(windows):
            by_length.setdefault(len(window), {})[window] = None
        batches = [
            group[start : start + self._batch]
            for group in map(list, by_length.values())
            for start in range(0, len(group), self._batch)
        ]
        # The longest first, so that no thread ends with one.
        batches.sort(key=lambda batch: -len(batch) * len(batch[0]))
        states: dict[Numbers, Encoded] = {}
        for batch, part in zip(
            batches, in_threads(self._run, batches, threads), strict=True
        ):
            states.update(zip(batch, part, strict=True))
        return [_joined([states[w] for w in parts]) for parts in windows]

    def _run(self, batch: Sequence[Numbers]) -> list[Encoded]:
        """Return states, and sums of the last ones, of texts of one length."""
        import numpy as np

        first, last = self._ends
        ids = np.array([[first, *numbers, last] for numbers in batch], np.int64)
        outputs = self._outputs(ids)
        # Sums are not part of the graph, where their bits depend on the batch. Copies,
        # as a slice would keep the whole batch.
        return [
            Encoded(
                (state if self.ends else state[1:-1]).copy(),
                last.sum(axis=0) if self.text else np.zeros(0, np.float32),
            )
            for state, last in zip(outputs[0], outputs[-1], strict=True)
        ]

    def _outputs(self, ids: NDArray[np.int64]) -> list[NDArray[np.float32]]:
        """Return states of the wanted layer first, and those of the last one last."""
        return self._session.run(None, {"ids": ids})

    def _batches_are_exact(self) -> bool:
        """Return whether texts have the same bits alone and in batches."""
        import numpy as np

        size = self.vocabulary
        for length in _PROBES:
            texts = [
                tuple(
                    (31 * text + 7 * place + length) % size for place in range(length)
                )
                for text in range(BATCH)
            ]
            alone = [self._run([text])[0] for text in (texts[0], texts[-1])]
            for batch in (texts, [texts[0], *texts[-2:]]):
                together = self._run(batch)
                for one, other in zip(alone, (together[0], together[-1]), strict=True):
                    if not all(map(np.array_equal, one, other)):
                        return False
        return True

    def _windows(self, numbers: Numbers) -> list[Numbers]:
        longest = self._positions - 2  # and a piece at both ends
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

    def encode(self, texts: Sequence[Numbers], *, threads: int = 1) -> list[Encoded]:
        """Return the vectors of texts, encoded now if need be."""
        with self._lock:
            vectors = {text: self._kept[text] for text in texts if text in self._kept}
        missing = list(dict.fromkeys(text for text in texts if text not in vectors))
        encoded = self._encoder.encode(missing, threads=threads)
        vectors.update(zip(missing, encoded, strict=True))
        with self._lock:
            for text, value in vectors.items():
                if text not in self._kept:
                    self._kept[text] = value
                    self._size += value.size
                self._kept.move_to_end(text)
            while self._size > self._limit:
                self._size -= self._kept.popitem(last=False)[1].size
        return [vectors[text] for text in texts]


def find_encoder(folder: str, *, layer: int, text: bool, ends: bool = False) -> Encoder:
    """Return the encoder of a folder, loaded once while its weights are the same.

    Parameters
    ----------
    folder : str
        Empty for the default model.
    layer, text, ends
        As in :class:`Encoder`.
    """
    folder = os.path.expanduser(folder) if folder else default_folder()
    try:
        status = os.stat(os.path.join(folder, WEIGHTS))
    except OSError:
        return Encoder(folder, layer=layer, text=text)  # says what is wrong
    return _encoder(folder, layer, text, ends, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=2)
def _encoder(folder: str, layer: int, text: bool, ends: bool, *_: int) -> Encoder:
    return Encoder(folder, layer=layer, text=text, ends=ends)


def cache_folder() -> str:
    """Return the folder of graphs; empty if caching is off (``TERTIUM_CACHE=off``)."""
    return places.default_folder() or ""


def _session(folder: str, sizes: Sizes, layers: list[int]) -> Session:
    """Return a session of a model's graph, which is written once for all processes."""
    path = _graph_path(folder, sizes, layers)
    if path and os.path.exists(path):
        try:
            return load_session(path)
        except MissingExtraError:
            raise
        except Exception:  # noqa: S110 - damaged: it is written again
            pass
    graph = bert_graph(read_weights(folder), sizes, layers=layers)
    if path:
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with replace_file(path) as file:
                file.write(graph)
        except (OSError, TertiumError):
            pass  # A read-only home must not be an error.
    return load_session(graph)


def _graph_path(folder: str, sizes: Sizes, layers: list[int]) -> str:
    root = cache_folder()
    if not root:
        return ""
    key = hashlib.sha256(repr((VERSION, sizes, layers)).encode())
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
        raise MissingExtraError(WHAT, command=INSTALL) from error
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.enable_mem_pattern = False  # every length is another pattern
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(  # type: ignore[no-any-return]
        graph, options, providers=["CPUExecutionProvider"]
    )


def in_threads(
    function: Callable[[_In], _Out], items: Sequence[_In], threads: int
) -> list[_Out]:
    """Return the results of a function that lets other threads run."""
    if threads == 1 or len(items) <= 1:
        return list(map(function, items))
    with ThreadPoolExecutor(min(threads, len(items))) as pool:
        return list(pool.map(function, items))


def _joined(windows: Sequence[Encoded]) -> Encoded:
    """Return the unit vectors of a text from the states of its windows."""
    import numpy as np

    pieces = np.concatenate([window.pieces for window in windows])
    text = windows[0].text
    for window in windows[1:]:
        text = text + window.text
    return Encoded(_unit(pieces), _unit(text))


def _unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    import numpy as np

    if not vectors.size:
        return vectors
    lengths = np.sqrt(np.sum(vectors * vectors, axis=-1, keepdims=True))
    return np.asarray(vectors / np.maximum(lengths, np.float32(1e-12)), np.float32)
