# SPDX-License-Identifier: Apache-2.0
"""Reorderings, and model files."""

from __future__ import annotations

import numpy as np
import pytest

from tertium.errors import FormatError, InputError
from tertium.preorder import Reordering, load
from tertium.preorder.archive import read_header, read_model, write_model
from tertium.preorder.model import check_order


def test_a_reordering_puts_words_in_their_new_order():
    reordering = Reordering((2, 0, 3, 1))
    assert reordering.reorder(["w", "x", "y", "z"]) == ["y", "w", "z", "x"]
    assert reordering.permutation == (2, 4, 1, 3)


def test_a_sentence_of_another_length_is_rejected():
    with pytest.raises(InputError, match="2 positions, the sentence 3 words"):
        Reordering((1, 0)).reorder(["a", "b", "c"])


@pytest.mark.parametrize("order", [(0, 0, 1), (1, 2, 3), (0, 1), (-1, 0, 1)])
def test_what_is_not_an_order_is_rejected(order):
    with pytest.raises(InputError, match="the order"):
        check_order(order, 3)


def test_a_model_file_keeps_header_and_arrays(tmp_path):
    arrays = {"root": np.arange(3.0), "slots/names": np.array(["é", "b"])}
    write_model(tmp_path / "m", "grammar", {"splits": [30, 3]}, arrays)
    header, kept = read_model(tmp_path / "m", "grammar")
    assert header["splits"] == [30, 3]
    assert {k: v.tolist() for k, v in kept.items()} == {
        k: v.tolist() for k, v in arrays.items()
    }


def test_equal_models_are_equal_files(tmp_path):
    for name in ("a", "b"):
        write_model(tmp_path / name, "btg", {}, {"weights": np.ones(5)})
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_objects_are_never_pickled(tmp_path):
    with pytest.raises(ValueError, match="allow_pickle"):
        write_model(tmp_path / "m", "btg", {}, {"a": np.array([{}])})
    assert not list(tmp_path.iterdir())


def test_files_that_are_not_models_are_rejected(tmp_path):
    text = tmp_path / "text"
    text.write_text("not a model\n")
    for path in (text, tmp_path, tmp_path / "missing"):
        with pytest.raises(FormatError, match="preorder train"):
            read_header(path)


def test_models_of_another_kind_or_version_are_rejected(tmp_path):
    write_model(tmp_path / "m", "oracle", {}, {})
    with pytest.raises(FormatError, match="unknown kind 'oracle'"):
        load(tmp_path / "m")
    with pytest.raises(FormatError, match="not 'btg'"):
        read_model(tmp_path / "m", "btg")
    write_model(tmp_path / "n", "btg", {"format": 2}, {})
    with pytest.raises(FormatError, match="this version reads 1"):
        load(tmp_path / "n")
