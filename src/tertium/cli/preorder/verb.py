# SPDX-License-Identifier: Apache-2.0
"""``tertium preorder``: source words in the order of the target language."""

from __future__ import annotations

from collections.abc import Sequence

from tertium.cli.shared.actions import Action, run_action

__all__ = ["command"]

_ACTIONS = {
    "align": Action("link the words of a text with its translation", "align:align"),
    "extract": Action(
        "show what a corpus can teach: phrases, operators, coverage", "extract:extract"
    ),
    "train": Action("learn to reorder from sentences and word links", "train:train"),
    "apply": Action("reorder a text by a trained model", "apply:apply"),
    "nbest": Action("write the least risky orders of every sentence", "nbest:nbest"),
    "lattice": Action(
        "write many orders of a sentence as a lattice", "lattice:lattice"
    ),
    "gold": Action("reorder a text as its word links say", "gold:gold"),
    "score": Action("score predicted orders against word links", "score:score"),
    "explain": Action(
        "show trees, blocks and probabilities of reordered sentences", "explain:explain"
    ),
    "demo": Action("train on a bundled corpus, and show the result", "demo:demo"),
}

_HELP = """\
usage: tertium preorder ACTION ...

Put the words of a source text into the order of the target language before it is
translated. Models learn from sentences and word links; no parser is needed.

actions:
{actions}
examples:
  tertium preorder train -s train.en --links train.gdfa -o model
  tertium preorder apply model test.en -f orders -o test.orders
  tertium preorder score test.orders -s test.en --links test.gdfa
  tertium preorder ACTION --help     every action has examples
"""


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    return run_action("preorder", _ACTIONS, argv, _HELP)
