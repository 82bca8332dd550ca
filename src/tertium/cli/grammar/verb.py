# SPDX-License-Identifier: Apache-2.0
"""``tertium grammar``: reference sets from grammars, and error analysis with them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module

from tertium.errors import UnknownNameError

__all__ = ["command"]

#: Action, what it does, and its module.
_ACTIONS = {
    "new": ("write a template, or a light notation file, to start from", "new"),
    "check": ("look for mistakes in templates", "check"),
    "watch": ("check templates again whenever a file is saved", "check"),
    "show": ("print the sentences of constructions side by side", "show"),
    "sample": ("print sentences sampled uniformly", "show"),
    "count": ("count sentences, exactly", "show"),
    "compile": ("write automata as OpenFst text", "compile"),
    "draw": ("draw a small automaton", "compile"),
    "coverage": ("list human translations that the grammar rejects", "coverage"),
    "attest": ("look up in a corpus what the grammar makes", "attest"),
    "testset": ("choose sources, write files for systems to translate", "testset"),
    "evaluate": ("correct outputs, compare systems, write a report", "evaluate"),
    "annotate": ("compare edits with what annotators mark", "annotate"),
    "growth": ("BLEU against 1, 10, 100 ... references", "runs"),
    "sensitivity": ("do small changes of sources change outputs a lot?", "runs"),
    "demo": ("evaluate four imitated systems and open the report", "demo"),
}

_WHERE = """\
TEMPLATE is a folder with template.toml, a folder of such folders, or the name of a
bundled template; REFERENCES is a file in light notation, OpenFst text, a lattice,
a confusion network, or JSON lines.
"""


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    if not argv:
        sys.stdout.write(_help())
        return 2
    if argv[0] in ("-h", "--help"):
        sys.stdout.write(_help())
        raise SystemExit(0)
    if argv[0] not in _ACTIONS:
        raise UnknownNameError("action of tertium grammar", argv[0], _ACTIONS)
    module = import_module(f"tertium.cli.grammar.{_ACTIONS[argv[0]][1]}")
    return int(getattr(module, argv[0])(argv[1:]))


def _help() -> str:
    width = max(map(len, _ACTIONS))
    listed = "".join(
        f"  {name:<{width}}  {what}\n" for name, (what, _) in _ACTIONS.items()
    )
    return (
        "usage: tertium grammar ACTION ...\n\n"
        "Describe correct translations by paraphrase grammars, find the nearest one\n"
        "for every output, and classify its errors (extra [grammar]).\n\n"
        f"actions:\n{listed}\n{_WHERE}\nexamples:\n"
        "  tertium grammar demo                         try it: one command\n"
        "  tertium grammar new weather && tertium grammar check weather\n"
        "  tertium grammar testset weather -n 100 -o run\n"
        "  tertium grammar evaluate weather -t run/testset.jsonl -i A=a.txt B=b.txt\n"
        "  tertium grammar ACTION --help                examples of every action\n"
    )
