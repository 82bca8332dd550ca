# SPDX-License-Identifier: Apache-2.0
"""The tokeniser beside a model: ``vocab.txt`` or ``tokenizer.json``.

Word pieces are cut by Tertium itself. Other tokenisers need the package tokenizers.
Those that work on bytes (RoBERTa's) get a space before the text, as bert-score has it:
the first word is written as it is elsewhere.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from tertium.encoders.files import read_json, read_pieces
from tertium.encoders.pieces import CLS, SEP, UNKNOWN, Cutter, Pieces
from tertium.errors import FormatError, MissingExtraError

__all__ = ["find_cutter", "longest_input"]

_TOKENIZER = "tokenizer.json"
_USUAL = 512  # pieces, where no file says how many
_UNLIMITED = 1 << 20  # what transformers writes for "no limit" is far more
#: Models whose positions begin after the number of the padding, which is 1.
_SHIFTED = ("camembert", "roberta", "xlm-roberta")


def find_cutter(folder: str) -> Cutter:
    """Return the tokeniser in a folder.

    Raises
    ------
    FormatError
        If there is none, or it cannot be read.
    MissingExtraError
        If it needs the package tokenizers, which is not installed.
    """
    if os.path.exists(os.path.join(folder, "vocab.txt")):
        return read_pieces(folder)
    path = os.path.join(folder, _TOKENIZER)
    if not os.path.exists(path):
        what = "has neither vocab.txt nor tokenizer.json; copy one beside the model"
        raise FormatError(what, path=folder)
    return _word_pieces(read_json(path)) or _Foreign(path)


def longest_input(folder: str, positions: int | None = None) -> int:
    """Return how many pieces a model reads, those at both ends included.

    Parameters
    ----------
    folder : str
        With ``tokenizer_config.json`` or ``config.json``, or neither.
    positions : int, optional
        What the model itself says.
    """
    limits = [] if positions is None else [positions]
    config = _read_if_there(os.path.join(folder, "config.json"))
    if positions is None and isinstance(
        size := config.get("max_position_embeddings"), int
    ):
        limits.append(size - 2 * (config.get("model_type") in _SHIFTED))
    settings = _read_if_there(os.path.join(folder, "tokenizer_config.json"))
    size = settings.get("model_max_length")
    if isinstance(size, int) and 2 < size < _UNLIMITED:
        limits.append(size)
    return min(limits, default=_USUAL)


def _read_if_there(path: str) -> dict[str, object]:
    return read_json(path) if os.path.exists(path) else {}


def _word_pieces(content: Mapping[str, Any]) -> Pieces | None:
    """Return BERT's word pieces if a ``tokenizer.json`` describes them."""
    try:
        model, normalizer = content["model"], content["normalizer"]
        lowercase = bool(normalizer["lowercase"])
        known = (
            model["type"] == "WordPiece"
            and normalizer["type"] == "BertNormalizer"
            and normalizer["strip_accents"] in (None, lowercase)
            and normalizer["clean_text"]
            and normalizer["handle_chinese_chars"]
            and content["pre_tokenizer"]["type"] == "BertPreTokenizer"
            and model["continuing_subword_prefix"] == "##"
            and {CLS, SEP, UNKNOWN} <= set(model["vocab"])
        )
        numbers = {str(piece): int(number) for piece, number in model["vocab"].items()}
    except (KeyError, TypeError, ValueError, AttributeError):
        return None
    return Pieces(numbers, lowercase=lowercase) if known else None


class _Foreign:
    """Any tokeniser, by the package tokenizers."""

    def __init__(self, path: str) -> None:
        try:
            from tokenizers import Tokenizer
        except ImportError as error:
            what = f"the tokeniser {path}, which has no word pieces of BERT,"
            raise MissingExtraError(what, command="pip install tokenizers") from error
        try:
            tokenizer = Tokenizer.from_file(path)
        except Exception as error:
            what = f"is not a tokeniser ({error}); copy it again"
            raise FormatError(what, path=path) from None
        tokenizer.no_padding()
        tokenizer.no_truncation()
        ends = tokenizer.encode("").tokens
        if len(ends) != 2:
            what = (
                f"puts {len(ends)} pieces around a text; take a model that puts one "
                "before and one after it"
            )
            raise FormatError(what, path=path)
        self._tokenizer = tokenizer
        self.numbers: Mapping[str, int] = tokenizer.get_vocab()
        self.ends: tuple[str, str] = (ends[0], ends[1])
        kind = getattr(tokenizer.pre_tokenizer, "add_prefix_space", None)
        self._before = " " if kind is False else ""

    def numbers_of(self, text: str) -> list[int]:
        """Return the numbers of a text's pieces, without those around it."""
        text = text.strip()
        if not text:
            return []
        whole = self._tokenizer.encode(self._before + text, add_special_tokens=False)
        return list(whole.ids)
