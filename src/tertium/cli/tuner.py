# SPDX-License-Identifier: Apache-2.0
"""``tertium tuner``: answers a tuner line by line, as BEER and METEOR do.

The line protocol is that of BEER 2.0 (``EVAL``, ``EVAL BEST``, ``MARGIN``, ``EXIT``),
with summable statistics beside it for tuners that score whole corpora (MERT).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from tertium._messages import count
from tertium.cli.shared import flags
from tertium.errors import InputError, TertiumError, UnknownNameError

if TYPE_CHECKING:
    from tertium.metrics import Metric

__all__ = ["answers", "command"]

_ABOUT = """\
Answer a tuner, or any other program, line by line: a request on standard input gives
one line on standard output, at once. The metric is loaded once.
"""

_EXAMPLES = """\
  tertium tuner -m beer
  tertium tuner -m beer:model=my.json
  printf 'EVAL ||| a cat ||| the cat ||| a cat\\n' | tertium tuner -m chrf

requests, with ||| between their parts:
  EVAL ||| HYP ||| REF ||| REF ...         a score for every reference
  EVAL BEST ||| HYP ||| REF ||| REF ...    the best of them
  MARGIN ||| HYP ||| REF ...               the raw value before scaling (beer alone)
  MARGIN BEST ||| HYP ||| REF ...          the highest of them
  STATS ||| HYP ||| REF ||| REF ...        statistics of a segment, which can be added
  SCORE ||| NUMBERS                        the score of such statistics, or of sums
  EXIT                                     end, as does the end of the input

Numbers have a space between them. What cannot be answered gives a line that starts with
ERROR, and the next request is read.
"""

_BETWEEN = "|||"


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    from tertium.metrics import metric

    parser = flags.parser("tuner", _ABOUT, _EXAMPLES)
    parser.add_argument(
        "-m",
        "--metric",
        default="beer",
        metavar="SPEC",
        help="name or name:key=value,key=value (default: beer; all: `tertium metrics`)",
    )
    own = metric(parser.parse_args(argv).metric)
    if own.needs_corpus:
        message = (
            f"{own.name} weighs words by all references, which a tuner sends one by "
            "one; take another metric, such as beer or sentbleu"
        )
        raise InputError(message)
    if sys.stdin is None:
        raise InputError("standard input is closed; send requests, one per line")
    for answer in answers(own, sys.stdin.buffer):
        sys.stdout.write(f"{answer}\n")
        sys.stdout.flush()  # the other side waits for it
    return 0


def answers(metric: Metric, lines: Iterable[bytes]) -> Iterator[str]:
    """Yield one line for every request, until EXIT or the end."""
    kinds = _requests(metric)
    for line in lines:
        try:
            name, *parts = map(str.strip, line.decode("utf-8").split(_BETWEEN))
            if name == "EXIT" and not parts:
                return
            if name not in kinds:
                raise UnknownNameError("request", name, [*kinds, "EXIT"])
            yield " ".join(repr(float(value)) for value in kinds[name](parts))
        except UnicodeDecodeError as error:
            yield f"ERROR byte {error.start + 1} of the line is no UTF-8; send UTF-8"
        except TertiumError as error:
            yield f"ERROR {' '.join(str(error).split())}"


def _requests(metric: Metric) -> dict[str, Callable[[list[str]], Iterable[float]]]:
    """Return the function behind every request, from its parts to numbers."""

    def scores(parts: list[str]) -> list[float]:
        hyp, refs = _texts(parts)
        found = metric.segment_scores([hyp] * len(refs), refs, threads=1)
        return [_defined(float(score)) for score in found]

    def margins(parts: list[str]) -> list[float]:
        from tertium.learn.beer import Beer

        if not isinstance(metric, Beer):
            raise InputError(f"{metric.name} has no values before scaling; send EVAL")
        hyp, refs = _texts(parts)
        return metric.margins([hyp] * len(refs), refs)

    def statistics(parts: list[str]) -> list[float]:
        hyp, refs = _texts(parts)
        rows = metric.statistics([hyp], [tuple(refs)], threads=1)
        return [float(value) for value in rows[0]]

    best = max if metric.higher_is_better else min
    return {
        "EVAL": scores,
        "EVAL BEST": lambda parts: [best(scores(parts))],
        "MARGIN": margins,
        "MARGIN BEST": lambda parts: [max(margins(parts))],
        "STATS": statistics,
        "SCORE": lambda parts: [_from_statistics(metric, parts)],
    }


def _texts(parts: list[str]) -> tuple[str, list[str]]:
    """Return the text and its references."""
    if len(parts) < 2:
        message = (
            f"the request has {count(len(parts), 'text')}; send HYP ||| REF, "
            "with more references after it"
        )
        raise InputError(message)
    return parts[0], parts[1:]


def _from_statistics(metric: Metric, parts: list[str]) -> float:
    """Return the score of numbers as STATS gives them."""
    import numpy as np

    try:
        (text,) = parts
        row = np.array([float(number) for number in text.split()])
    except ValueError:
        message = "the request is not SCORE ||| NUMBERS; send what STATS gave, or sums"
        raise InputError(message) from None
    width = len(metric.statistics([""], [""], threads=1)[0])
    if len(row) != width or not np.isfinite(row).all():
        message = (
            f"{metric.name} has {width} statistics, and {len(row)} came; send as many, "
            "all finite"
        )
        raise InputError(message)
    return _defined(float(np.asarray(metric.from_statistics(row))))


def _defined(score: float) -> float:
    if score != score:
        raise InputError("there is nothing to measure in these texts; send others")
    return score
