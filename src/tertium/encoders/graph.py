# SPDX-License-Identifier: Apache-2.0
"""BERT's forward pass as an ONNX graph (Devlin et al. 2019).

The graph takes numbers of pieces, texts of one length together, so that nothing is
padded. It gives the states after some layers.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tertium.errors import InputError, MissingExtraError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tertium.encoders.files import Sizes

__all__ = ["VERSION", "bert_graph"]

VERSION = 1  # Increase it when the graph changes: it is part of the cache's key.
_OPSET = 20  # the first with Gelu
_FORMAT = 9


def bert_graph(
    weights: Mapping[str, NDArray[np.float32]],
    sizes: Sizes,
    *,
    layers: Sequence[int],
) -> bytes:
    """Return a serialised graph from ``ids`` to ``layer4`` and so on.

    Parameters
    ----------
    weights : mapping of str to array
    sizes : Sizes
    layers : sequence of int
        After which layers states are wanted; 0 stands for the input embeddings. Layers
        above the last one are left out.

    Raises
    ------
    InputError
        If there is no such layer, or the weights lack a tensor.
    MissingExtraError
        If the package onnx is not installed.
    """
    if not all(0 <= layer <= sizes.layers for layer in layers):
        message = f"the model has layers 0 to {sizes.layers}, not {list(layers)}"
        raise InputError(f"{message}; change the layer")
    try:
        import onnx.helper as make
        from onnx import TensorProto
    except ImportError as error:
        from tertium.encoders.files import INSTALL, WHAT

        raise MissingExtraError(WHAT, command=INSTALL) from error
    writer = _Writer(weights, sizes)
    state = writer.embeddings()
    outputs = []
    for layer in range(max(layers) + 1):
        if layer:
            state = writer.layer(state, layer - 1)
        if layer in layers:
            outputs.append(writer.named(f"layer{layer}", state))
    graph = make.make_graph(
        writer.nodes,
        "bert",
        [make.make_tensor_value_info("ids", TensorProto.INT64, ["texts", "pieces"])],
        [make.make_tensor_value_info(o, TensorProto.FLOAT, None) for o in outputs],
        writer.constants,
    )
    opset = [make.make_opsetid("", _OPSET)]
    model = make.make_model(graph, opset_imports=opset, ir_version=_FORMAT)
    return bytes(model.SerializeToString())


class _Writer:
    """Collects nodes and constants of a graph."""

    def __init__(
        self, weights: Mapping[str, NDArray[np.float32]], sizes: Sizes
    ) -> None:
        self.weights = weights
        self.sizes = sizes
        self.nodes: list[object] = []
        self.constants: list[object] = []
        self.width = self._weight("embeddings.word_embeddings.weight").shape[1]
        self._split = self.constant([0, 0, 3, sizes.heads, self.width // sizes.heads])
        self._join = self.constant([0, 0, self.width])
        self._scale = self.constant(1 / math.sqrt(self.width // sizes.heads))

    def embeddings(self) -> str:
        """Add the sum of word, position and type embeddings, normalised."""
        places = self._weight("embeddings.position_embeddings.weight")
        kinds = self._weight("embeddings.token_type_embeddings.weight")
        zero, one, two = (self.constant([n]) for n in (0, 1, 2))
        length = self.add("Slice", self.add("Shape", "ids"), one, two)
        place = self.add("Slice", self.constant(places + kinds[0]), zero, length, zero)
        table = self.constant(self._weight("embeddings.word_embeddings.weight"))
        total = self.add("Add", self.add("Gather", table, "ids"), place)
        return self._norm(total, "embeddings.LayerNorm")

    def layer(self, state: str, number: int) -> str:
        """Add a layer: attention, then a network of one hidden layer."""
        prefix = f"encoder.layer.{number}."
        attended = self._attention(state, f"{prefix}attention.self.")
        output = self._linear(attended, f"{prefix}attention.output.dense")
        total = self.add("Add", output, state)
        state = self._norm(total, f"{prefix}attention.output.LayerNorm")
        hidden = self.add("Gelu", self._linear(state, f"{prefix}intermediate.dense"))
        output = self._linear(hidden, f"{prefix}output.dense")
        return self._norm(self.add("Add", output, state), f"{prefix}output.LayerNorm")

    def _attention(self, state: str, prefix: str) -> str:
        import numpy as np

        names = ("query", "key", "value")
        kernel = [self._weight(f"{prefix}{name}.weight").T for name in names]
        bias = [self._weight(f"{prefix}{name}.bias") for name in names]
        product = self.add("MatMul", state, self.constant(np.hstack(kernel)))
        mixed = self.add("Add", product, self.constant(np.hstack(bias)))
        parts = self.add("Reshape", mixed, self._split)
        # (query, key or value; text; head; piece; dimension)
        parts = self.add("Transpose", parts, perm=[2, 0, 3, 1, 4])
        query, key, value = (
            self.add("Gather", parts, self.constant(i), axis=0) for i in range(3)
        )
        key = self.add("Transpose", key, perm=[0, 1, 3, 2])
        scores = self.add("Mul", self.add("MatMul", query, key), self._scale)
        shares = self.add("Softmax", scores, axis=-1)
        heads = self.add("MatMul", shares, value)
        return self.add(
            "Reshape", self.add("Transpose", heads, perm=[0, 2, 1, 3]), self._join
        )

    def _linear(self, state: str, name: str) -> str:
        product = self.add(
            "MatMul", state, self.constant(self._weight(f"{name}.weight").T)
        )
        return self.add("Add", product, self.constant(self._weight(f"{name}.bias")))

    def _norm(self, state: str, name: str) -> str:
        scale = self.constant(self._weight(f"{name}.weight"))
        shift = self.constant(self._weight(f"{name}.bias"))
        epsilon = self.sizes.epsilon
        return self.add(
            "LayerNormalization", state, scale, shift, axis=-1, epsilon=epsilon
        )

    def _weight(self, name: str) -> NDArray[np.float32]:
        if name not in self.weights:
            message = f"the model has no tensor {name}; name the folder of a BERT model"
            raise InputError(message)
        return self.weights[name]

    def constant(self, value: object) -> str:
        """Add a constant: whole numbers, or single-precision ones."""
        import numpy as np
        from onnx import numpy_helper

        array = np.asarray(value)
        kind = np.int64 if array.dtype.kind == "i" else np.float32
        name = f"c{len(self.constants)}"
        tensor = numpy_helper.from_array(np.asarray(array, kind, order="C"), name)
        self.constants.append(tensor)
        return name

    def add(self, kind: str, *inputs: str, **attributes: object) -> str:
        """Add a node, and return the name of its output."""
        from onnx import helper

        name = f"n{len(self.nodes)}"
        node = helper.make_node(kind, list(inputs), [name], **attributes)
        self.nodes.append(node)
        return name

    def named(self, name: str, state: str) -> str:
        """Give an output of the graph its name, and return it."""
        from onnx import helper

        self.nodes.append(helper.make_node("Identity", [state], [name]))
        return name
