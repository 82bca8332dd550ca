# SPDX-License-Identifier: Apache-2.0
"""A model by its path: the files of a BERT, or an ONNX graph with its tokeniser."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import lru_cache

from tertium.cache.fingerprints import fingerprint
from tertium.cache.keys import digest
from tertium.encoders.cutters import longest_input
from tertium.encoders.encoder import Encoder, find_encoder
from tertium.encoders.files import WEIGHTS, Sizes, default_folder
from tertium.errors import FormatError

__all__ = ["DEFAULT", "Model", "find_model"]

#: The name of the default model.
DEFAULT = "all-MiniLM-L6-v2"

#: How names of files end that hold tensors of a graph.
_TENSORS = (".onnx_data", ".onnx.data")
_GRAPHS = ("model.onnx", os.path.join("onnx", "model.onnx"))


@dataclass(frozen=True)
class Model:
    """Where the files of a model are.

    Parameters
    ----------
    name : str
    folder : str
        With the tokeniser and the configuration.
    weights : str
        The file of the weights: of tensors, or a graph.
    """

    name: str
    folder: str
    weights: str

    @property
    def is_graph(self) -> bool:
        """Whether the weights are an ONNX graph."""
        return self.weights.endswith(".onnx")

    @property
    def layers(self) -> int | None:
        """The number of layers; None if only the graph knows."""
        return None if self.is_graph else Sizes.read(self.folder).layers

    @property
    def longest(self) -> int:
        """The longest input, in pieces, those at both ends included."""
        if self.is_graph:
            return longest_input(self.folder)
        return longest_input(self.folder, Sizes.read(self.folder).positions)

    @property
    def files(self) -> dict[str, str]:
        """Paths of weights and configuration by name: all but the tokeniser's files."""
        paths = [self.weights]
        config = os.path.join(self.folder, "config.json")
        if os.path.exists(config):
            paths.append(config)
        if self.is_graph:  # Large tensors lie beside the graph.
            place = os.path.dirname(self.weights) or os.curdir
            paths += [
                os.path.join(place, name)
                for name in sorted(os.listdir(place))
                if name.endswith(_TENSORS)
            ]
        return {os.path.basename(path): path for path in paths}

    @property
    def checksum(self) -> str:
        """What identifies weights and configuration: eight hexadecimal digits."""
        return self._content.hex()[:8]

    @property
    def _content(self) -> bytes:
        return digest([fingerprint(path) for path in self.files.values()])

    def encoder(self, layer: int | None) -> Encoder:
        """Return the encoder, with vectors of the pieces at both ends; loaded once.

        Parameters
        ----------
        layer : int, optional
            By default the last.
        """
        if self.is_graph:
            return _graph(self, layer, self._content)
        layer = self.layers if layer is None else layer
        return find_encoder(self.folder, layer=layer or 0, text=False, ends=True)


@lru_cache(maxsize=2)
def _graph(
    model: Model,
    layer: int | None,
    content: bytes,  # noqa: ARG001 - a key: tells versions of a file apart
) -> Encoder:
    from tertium.encoders.onnx_model import OnnxEncoder

    return OnnxEncoder(model.weights, model.folder, layer=layer)


def find_model(path: str = "") -> Model:
    """Return the model of a path.

    Parameters
    ----------
    path : str
        A folder with ``model.safetensors`` or ``model.onnx``, or an ONNX file; empty
        for all-MiniLM-L6-v2 from its package.

    Raises
    ------
    FormatError
        If there is no model.
    MissingExtraError
        If the package of the default model is not installed.
    """
    if not path:
        folder = default_folder()
        return Model(DEFAULT, folder, os.path.join(folder, WEIGHTS))
    path = os.path.expanduser(path)
    name = os.path.basename(os.path.abspath(path))
    if os.path.isfile(path) and path.endswith(".onnx"):
        folder = os.path.dirname(path)
        if os.path.basename(os.path.abspath(folder)) == "onnx":
            folder = os.path.dirname(os.path.abspath(folder))
        return Model(name.removesuffix(".onnx"), folder, path)
    for file in (WEIGHTS, *_GRAPHS):
        if os.path.isfile(weights := os.path.join(path, file)):
            return Model(name, path, weights)
    what = (
        f"has neither {WEIGHTS} nor model.onnx; name an ONNX file or the folder of a "
        "model"
    )
    raise FormatError(what, path=path)
