# SPDX-License-Identifier: Apache-2.0
"""Analysers by name: ``tsv:words.tsv``, ``voikko``, ``command:my-analyser``."""

from __future__ import annotations

import os

from tertium.errors import InputError, UnknownNameError
from tertium.grammars.morphology.base import Analyser, NoAnalyser

__all__ = ["ANALYSERS", "load_analyser"]

#: What comes before the colon, and what after it.
ANALYSERS = {
    "tsv": "FILE",
    "unimorph": "FILE",
    "voikko": "",
    "udpipe": "MODEL",
    "spacy": "MODEL",
    "stanza": "MODEL",
    "command": "COMMAND",
    "none": "",
}


def load_analyser(spec: str, *, language: str = "") -> Analyser:
    """Return the analyser that a text names.

    Parameters
    ----------
    spec : str
        ``tsv:FILE``, ``unimorph:FILE``, ``voikko``, ``udpipe:MODEL``,
        ``spacy:MODEL``, ``stanza:MODEL``, ``command:COMMAND`` or ``none``.
    language : str
        The language, where the analyser cannot tell.

    Raises
    ------
    UnknownNameError
        If nobody has heard of the analyser.
    InputError
        If what it needs is missing or wrong.

    Examples
    --------
    >>> load_analyser("none").name
    'none'
    """
    kind, _, rest = spec.partition(":")
    if kind not in ANALYSERS:
        raise UnknownNameError("analyser", kind, ANALYSERS)
    what = ANALYSERS[kind]
    if what and not rest:
        message = f"the analyser {kind} needs more; write {kind}:{what}"
        raise InputError(message)
    if kind == "none":
        if rest:
            message = f"the analyser none takes nothing; write none for {spec!r}"
            raise InputError(message)
        return NoAnalyser()
    if kind == "voikko":
        from tertium.grammars.morphology.voikko import VoikkoAnalyser

        return VoikkoAnalyser(rest or "fi")
    if kind == "command":
        from tertium.grammars.morphology.process import ProcessAnalyser

        return ProcessAnalyser(rest, language=language)
    if kind == "tsv":
        from tertium.grammars.morphology.tsv import TsvLexicon

        return TsvLexicon.read(os.path.expanduser(rest), language=language)
    if kind == "unimorph":
        from tertium.grammars.morphology.unimorph import UniMorphLexicon

        return UniMorphLexicon.read(os.path.expanduser(rest), language=language)
    from tertium.grammars.morphology.ud import UdAnalyser

    return UdAnalyser.load(kind, rest, language=language)
