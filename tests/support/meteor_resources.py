# SPDX-License-Identifier: Apache-2.0
"""Synonyms and paraphrases of English, as METEOR has them."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from conftest import missing
from tertium.errors import InputError
from tertium.text.wordnet import find_wordnet

__all__ = ["paraphrase_table", "wordnet"]


def wordnet() -> str:
    """Return the folder of WordNet's files, or skip the test."""
    try:
        return find_wordnet()
    except InputError as error:
        missing(str(error))


def paraphrase_table() -> Path:
    """Return the table inside the package pycocoevalcap, or skip the test."""
    package = importlib.util.find_spec("pycocoevalcap")
    if package is None or not package.submodule_search_locations:
        missing("no paraphrase table; make .venv/.meteor")
    folder = Path(package.submodule_search_locations[0])
    return folder / "meteor" / "data" / "paraphrase-en.gz"
