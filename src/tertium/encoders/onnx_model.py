# SPDX-License-Identifier: Apache-2.0
"""Vectors of texts by any encoder in an ONNX file, with its tokeniser beside it.

The graph takes ``input_ids``, and ``attention_mask``, ``token_type_ids`` and
``position_ids`` if it has them. It gives states of the last layer
(``last_hidden_state``), and of others if they are outputs: ``hidden_states.4`` or
``layer4``.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from tertium.encoders.cutters import find_cutter, longest_input
from tertium.encoders.encoder import BATCH, Encoder, Session, load_session
from tertium.encoders.files import read_json
from tertium.errors import FormatError, InputError, MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

__all__ = ["OnnxEncoder"]

_LAST = ("last_hidden_state", "token_embeddings")
_LAYER = re.compile(r"(?:hidden_states?|layer)[._]?([0-9]+)")
_WIDTHS = {"tensor(int64)": "int64", "tensor(int32)": "int32"}


class OnnxEncoder(Encoder):
    """An encoder in an ONNX file; pieces at both ends get vectors.

    Parameters
    ----------
    path : str
        Of the graph.
    folder : str
        With ``vocab.txt`` or ``tokenizer.json``, and the configuration if there is one.
    layer : int, optional
        The layer of the vectors; by default the last.

    Raises
    ------
    FormatError
        If the graph or the tokeniser cannot be read, or is of another kind.
    InputError
        If the graph does not give that layer.
    MissingExtraError
        If onnxruntime, or tokenizers, is missing.
    """

    text, ends = False, True

    def __init__(self, path: str, folder: str, *, layer: int | None = None) -> None:
        self._path = path
        self._set_up(find_cutter(folder), positions=longest_input(folder))
        try:
            self._session = load_session(path)
        except MissingExtraError:
            raise
        except Exception as error:
            what = f"cannot be loaded ({error}); export the model again"
            raise FormatError(what, path=path) from None
        self._widths = dict(self._inputs(self._session))
        depth = _depth(folder)
        self._output = self._chosen(self._session, layer, depth)
        self.layer = depth if layer is None else layer
        self._batch = BATCH if self._batches_are_exact() else 1

    def _inputs(self, session: Session) -> Iterator[tuple[str, str]]:
        """Yield names and types of inputs."""
        for node in session.get_inputs():
            if node.name not in _FEEDS or node.type not in _WIDTHS:
                what = (
                    f"takes {node.name} ({node.type}); export a text encoder that takes"
                    " input_ids, attention_mask and token_type_ids"
                )
                raise FormatError(what, path=self._path)
            yield node.name, _WIDTHS[node.type]

    def _chosen(self, session: Session, layer: int | None, depth: int) -> str:
        """Return the output with the states of a layer."""
        names = [node.name for node in session.get_outputs() if len(node.shape) == 3]
        names = names or [node.name for node in session.get_outputs()]
        layers = {
            int(match[1]): name for name in names if (match := _LAYER.fullmatch(name))
        }
        last = next((name for name in _LAST if name in names), "")
        if not last and layers:
            last = layers[max(layers)]
        if not last and len(names) == 1:
            last = names[0]
        if layer is not None and layer in layers:
            return layers[layer]
        if last and (layer is None or layer == depth):
            return last
        if layer is None:
            what = f"has no output last_hidden_state, but {', '.join(names)}"
            raise FormatError(f"{what}; export an encoder", path=self._path)
        message = (
            f"{self._path} does not give the states of layer {layer}, but "
            f"{', '.join(names)}; omit the layer for the last one, or export "
            f"hidden_states.{layer}"
        )
        raise InputError(message)

    def _outputs(self, ids: NDArray[np.int64]) -> list[NDArray[np.float32]]:
        feed = {
            name: _FEEDS[name](ids).astype(width)
            for name, width in self._widths.items()
        }
        return self._session.run([self._output], feed)


def _ones(ids: NDArray[np.int64]) -> NDArray[np.int64]:
    import numpy as np

    return np.ones_like(ids)


def _zeros(ids: NDArray[np.int64]) -> NDArray[np.int64]:
    import numpy as np

    return np.zeros_like(ids)


def _places(ids: NDArray[np.int64]) -> NDArray[np.int64]:
    import numpy as np

    return np.broadcast_to(np.arange(ids.shape[1]), ids.shape)


#: What inputs are given; nothing is padded, so that all of the mask is 1.
_FEEDS = {
    "input_ids": lambda ids: ids,
    "ids": lambda ids: ids,
    "attention_mask": _ones,
    "token_type_ids": _zeros,
    "position_ids": _places,
}


def _depth(folder: str) -> int:
    """Return the number of layers that the configuration states; -1 if none does."""
    path = os.path.join(folder, "config.json")
    depth = read_json(path).get("num_hidden_layers") if os.path.exists(path) else None
    return depth if isinstance(depth, int) else -1
