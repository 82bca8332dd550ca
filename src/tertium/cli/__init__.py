# SPDX-License-Identifier: Apache-2.0
"""The command line: ``tertium VERB``, one file or folder per verb.

Start-up time is part of the interface, so this file imports next to nothing: a
verb is imported when it is called, and ``tertium --help`` imports none. (Typer
would load Pydantic for every call, which takes longer than scoring.)
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from importlib import import_module

__all__ = ["VERBS", "main"]

#: Verb and what it does, in the order of the help text.
VERBS = {
    "score": "score systems against references",
    "compare": "test which systems differ: all pairs, corrected, with clusters",
    "report": "write one page: which system is better, where, and why",
    "explain": "show why a segment has its score: sentences, diagrams, a page",
    "parts": "cut sentences into short parts, and find their translations",
    "campaign": "collect human judgements in a web application",
    "judgements": "import, describe, export and merge human judgements",
    "judge": "have a language model judge outputs: ESA, MQM, direct assessment",
    "agree": "measure how far human judges agree, and which stand out",
    "rank": "rank systems by human judgements: scores, rank ranges, clusters",
    "reuse": "score new systems from stored judgements of other systems",
    "correlate": "correlate metrics with human judgements: tests, reports",
    "train": "train a metric on human judgements, and explain what it learnt",
    "grammar": "write reference sets as grammars, and find errors with them",
    "nbest": "describe, merge and convert n-best lists; find the best in them",
    "mbr": "choose the best of n hypotheses: minimum Bayes risk by any metric",
    "rerank": "choose the best of n by weighted features, QE scores or a model",
    "tune": "tune the weights of a decoder, and answer tuners line by line",
    "preorder": "put source words into the order of the target language",
    "align": "link words of texts: outputs, references, translations",
    "parse": "parse texts into dependency trees; train and test parsers",
    "permute": "damage word order on purpose: move, swap and replace words",
    "reproduce": "compute published tables and figures again",
    "repeat": "run a recorded command again: equal, different, or what is missing",
    "cite": "describe a recorded run for a paper: a paragraph and BibTeX",
    "metrics": "list the metrics, or explain one",
    "check": "look for mistakes in a test set before scoring it",
    "resegment": "cut outputs into the lines of the reference",
    "convert": "convert between the formats of test sets",
    "cache": "show how large the cache of results is, and clear it",
    "completion": "print a script that completes commands in bash, zsh or fish",
    "functionwords": "list the frequent words of a text, as METEOR needs them",
    "wordlist": "make and show the word lists that BEER reads",
    "sacrebleu": "accept sacreBLEU's command line and print the same numbers",
}

#: Verbs under their old names.
_RENAMED = {"segments": "parts", "tuner": "tune serve"}

_EXAMPLES = """\
examples:
  tertium score -r ref.txt -i A=a.txt B=b.txt -m bleu chrf ter
  tertium compare demo -m bleu chrf++
  tertium metrics chrf
  tertium VERB --help                    every verb has examples
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code.

    0: done. 1: a check failed, or the output cannot be written. 2: wrong usage or
    input. 130: interrupted.
    """
    from tertium.cli.shared.streams import abandon_output, prepare_streams, write_utf8

    program = argv is None
    if program:
        gc.set_threshold(50_000)  # Loading a verb makes objects, and no garbage.
        prepare_streams()
    else:
        write_utf8()  # The streams are our caller's.
    from tertium.errors import OutputError, TertiumError

    try:
        try:
            return _dispatch(sys.argv[1:] if argv is None else list(argv))
        finally:
            # Also after --help, which ends with SystemExit: what fails must fail now.
            sys.stdout.flush()
    except (OutputError, BrokenPipeError) as error:
        if program:
            abandon_output()
        # A reader that closes the pipe has seen enough: not a failure.
        return 0 if isinstance(error, BrokenPipeError) else _say(error, 1)
    except TertiumError as error:
        from tertium.cli.shared.advice import with_flags

        return _say(with_flags(error), 2)
    except KeyboardInterrupt:
        if program:
            # The program is about to end: ignore another Ctrl-C.
            import signal

            signal.signal(signal.SIGINT, signal.SIG_IGN)
        return _say("interrupted; nothing was written", 130)
    except (OSError, MemoryError, RecursionError, UnicodeDecodeError) as error:
        from tertium.cli.shared.failures import describe

        return _say(*describe(error))
    except Exception:
        if not program:
            raise
        from tertium.cli.shared.failures import report_bug

        return report_bug()


def _dispatch(arguments: list[str]) -> int:
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        sys.stdout.write(_help())
        return 0 if arguments else 2
    verb, rest = arguments[0], arguments[1:]
    if verb in ("-V", "--version"):
        from tertium._version import __version__

        sys.stdout.write(f"tertium {__version__}\n")
        return 0
    if verb not in VERBS:
        from tertium.errors import InputError, UnknownNameError

        if verb in _RENAMED:
            raise InputError(f"the verb {verb} is now called {_RENAMED[verb]}")
        raise UnknownNameError("verb", verb, VERBS)
    module = import_module(f"tertium.cli.{verb}")
    if os.path.isfile("tertium.toml") or _names_config(rest):
        from tertium.cli.shared.config import configured

        rest = configured(verb, rest, module.command)
        arguments = [verb, *rest]
    if any(word.startswith("--record") for word in rest):
        from tertium.cli.shared.recording import record_place, run_recorded

        if (place := record_place(rest)) is not None:
            return run_recorded(place, arguments, module.command)
    return int(module.command(rest))


def _names_config(words: Sequence[str]) -> bool:
    return any(word.startswith(("--config", "--no-config")) for word in words)


def _say(message: object, code: int) -> int:
    sys.stderr.write(f"tertium: {message}\n")
    return code


def _help() -> str:
    width = max(map(len, VERBS))
    verbs = "".join(f"  {verb:<{width}}  {about}\n" for verb, about in VERBS.items())
    return (
        "usage: tertium VERB ...\n\n"
        "Evaluate machine translation, and the metrics used to evaluate it.\n\n"
        f"verbs:\n{verbs}\n{_EXAMPLES}\n"
        "options:\n  -h, --help     show this text\n"
        "  -V, --version  show the version\n\n"
        "Options of verbs can be kept in tertium.toml: a table per verb, [score],\n"
        "with the long names of options; see --config in the help of a verb.\n"
    )
