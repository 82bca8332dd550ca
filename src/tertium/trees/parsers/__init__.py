# SPDX-License-Identifier: Apache-2.0
"""Parsers behind one small protocol: UDPipe, spaCy and Stanza.

Each adapter is a file; its package is imported when a parser is loaded.
"""

from __future__ import annotations

import importlib
import os
from typing import cast

from tertium.errors import InputError, UnknownNameError
from tertium.trees.parsers.base import ModelParser, Parser
from tertium.trees.parsers.models import HOW_TO_GET_A_MODEL

__all__ = ["PARSERS", "ModelParser", "Parser", "load_parser"]

#: The parsers by name, with the class of each.
PARSERS = {
    "spacy": ("tertium.trees.parsers.spacy", "SpacyParser"),
    "stanza": ("tertium.trees.parsers.stanza", "StanzaParser"),
    "udpipe": ("tertium.trees.parsers.udpipe", "UDPipeParser"),
}


def load_parser(name: str, model: str, *, tokenize: str = "own") -> ModelParser:
    """Return a parser with its model, loaded and tested on one word.

    Parameters
    ----------
    name : str
        ``udpipe``, ``spacy`` or ``stanza``.
    model : str
        A path, or for spaCy and Stanza the name of an installed model.
    tokenize : str
        The tokeniser: ``own`` is that of the model (white space if it has none),
        ``none`` splits at white space, others are ``13a`` and so on.

    Raises
    ------
    UnknownNameError
        If the parser or the tokeniser is unknown.
    MissingExtraError
        If its package is not installed.
    InputError
        If the model is missing, of another kind, or cannot parse.
    """
    if name not in PARSERS:
        raise UnknownNameError("parser", name, PARSERS)
    if not model:
        hint = HOW_TO_GET_A_MODEL[name]
        message = f"the parser {name} needs a model; give model=MODEL ({hint})"
        raise InputError(message, options=("model",))
    module, attribute = PARSERS[name]
    parser = getattr(importlib.import_module(module), attribute)
    # In a spec string the shell does not expand ~.
    return cast("ModelParser", parser(os.path.expanduser(model), tokenize=tokenize))
