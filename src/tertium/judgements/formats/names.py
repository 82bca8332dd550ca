# SPDX-License-Identifier: Apache-2.0
"""Names of systems, languages and language pairs, as files of judgements spell them."""

from __future__ import annotations

import os
import re

__all__ = ["file_langpair", "language", "system_name"]

_LANGUAGES = {
    "czech": "cs", "english": "en", "finnish": "fi", "french": "fr", "german": "de",
    "hindi": "hi", "romanian": "ro", "russian": "ru", "spanish": "es", "turkish": "tr",
    "latvian": "lv", "chinese": "zh", "estonian": "et", "hungarian": "hu",
    "haitian creole": "ht",
    "ces": "cs", "cze": "cs", "eng": "en", "fin": "fi", "fre": "fr", "fra": "fr",
    "deu": "de", "ger": "de", "hin": "hi", "ron": "ro", "rum": "ro", "rus": "ru",
    "spa": "es", "tur": "tr", "hun": "hu", "lav": "lv", "zho": "zh", "est": "et",
}  # fmt: skip
_TESTSET = re.compile(r"^news[A-Za-z]+\d{4}\.")  # newstest, newsdiscusstest ...
_PAIR = re.compile(r"\.[a-z]{2}-[a-z]{2}(\.txt)?$")
_IN_FILE = re.compile(r"(?:^|[._])([a-z]{2,3})-([a-z]{2,3})(?=[._]|$)")


def system_name(text: str) -> str:
    """Return the name of a system without test set and language pair.

    Examples
    --------
    >>> system_name("newstest2014.cu-depfix.3452.en-cs")
    'cu-depfix.3452'
    """
    return _PAIR.sub("", _TESTSET.sub("", text))


def is_wmt_name(text: str) -> bool:
    """Return whether a name has test set and language pair in it."""
    return bool(_TESTSET.search(text) and _PAIR.search(text))


def language(text: str) -> str:
    """Return the ISO code of a language given by name or code.

    Examples
    --------
    >>> language("Czech"), language("deu"), language("en")
    ('cs', 'de', 'en')
    """
    return _LANGUAGES.get(text.lower(), text.lower())


def file_langpair(path: str) -> str | None:
    """Return the language pair that a file name states, if it does.

    Examples
    --------
    >>> file_langpair("wmt15/de-en.rankings.tsv.gz"), file_langpair("wmt15.deu-eng.csv")
    ('de-en', 'de-en')
    >>> file_langpair("my-pairs.tsv")
    """
    for source, target in _IN_FILE.findall(os.path.basename(path)):
        codes = [language(source), language(target)]
        if all(len(code) == 2 for code in codes):
            return "-".join(codes)
    return None
