# SPDX-License-Identifier: Apache-2.0
"""``tertium grammar``: reference sets from grammars, and error analysis with them."""

from __future__ import annotations

from collections.abc import Sequence

from tertium.cli.shared.actions import Action, run_action

__all__ = ["ACTIONS", "command"]

ACTIONS = {
    "new": Action(
        "write a template, or a light notation file, to start from", "new:new"
    ),
    "check": Action("look for mistakes in templates", "check:check"),
    "watch": Action("check templates again whenever a file is saved", "check:watch"),
    "show": Action("print the sentences of constructions side by side", "show:show"),
    "sample": Action("print sentences sampled uniformly", "show:sample"),
    "count": Action("count sentences, exactly", "show:count"),
    "compile": Action("write automata as OpenFst text", "compile:compile"),
    "draw": Action("draw a small automaton", "compile:draw"),
    "coverage": Action(
        "list human translations that the grammar rejects", "coverage:coverage"
    ),
    "attest": Action("look up in a corpus what the grammar makes", "attest:attest"),
    "testset": Action(
        "choose sources, write files for systems to translate", "testset:testset"
    ),
    "evaluate": Action(
        "correct outputs, compare systems, write a report", "evaluate:evaluate"
    ),
    "annotate": Action("compare edits with what annotators mark", "annotate:annotate"),
    "growth": Action("BLEU against 1, 10, 100 ... references", "runs:growth"),
    "sensitivity": Action(
        "do small changes of sources change outputs a lot?", "runs:sensitivity"
    ),
    "demo": Action("evaluate four imitated systems and open the report", "demo:demo"),
}

_HELP = """\
usage: tertium grammar ACTION ...

Describe correct translations by paraphrase grammars, find the nearest one
for every output, and classify its errors (extra [grammar]).

actions:
{actions}
TEMPLATE is a folder with template.toml, a folder of such folders, or the name of a
bundled template; REFERENCES is a file in light notation, OpenFst text, a lattice,
a confusion network, or JSON lines.

examples:
  tertium grammar demo                         try it: one command
  tertium grammar new weather && tertium grammar check weather
  tertium grammar testset weather -n 100 -o run
  tertium grammar evaluate weather -t run/testset.jsonl -i A=a.txt B=b.txt
  tertium grammar ACTION --help                examples of every action
"""


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    return run_action("grammar", ACTIONS, argv, _HELP)
