# SPDX-License-Identifier: Apache-2.0
"""The parameter file of Z-MERT, which names the features of its lists.

A line is ``NAME ||| START Opt|Fix MIN MAX RANDOM_MIN RANDOM_MAX``; the last one,
``normalization = none``, says how weights are scaled. The lists are those of
:mod:`tertium.tuning.formats.moses` without labels: values stand in the order of the
parameters.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tertium._messages import quote
from tertium.data.formats.nbest import BAR
from tertium.data.lines import StrPath, display, open_lines
from tertium.errors import FormatError

__all__ = ["Parameter", "parameter_lines", "read_parameters"]


@dataclass(frozen=True)
class Parameter:
    """A weight as Z-MERT describes it.

    Parameters
    ----------
    name : str
        Of the feature.
    start : float
        The weight to start from.
    fixed : bool
        Whether tuning leaves it alone.
    low, high : float
        Its limits.
    """

    name: str
    start: float
    fixed: bool = False
    low: float = -math.inf
    high: float = math.inf


def read_parameters(path: StrPath) -> list[Parameter]:
    r"""Return the parameters of a file such as ``params.txt``.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "params.txt")
    ...     size = file.write_text("LM ||| 0.1 Opt -Inf +Inf -1 +1\n")
    ...     read_parameters(file)
    [Parameter(name='LM', start=0.1, fixed=False, low=-inf, high=inf)]
    """
    parameters: list[Parameter] = []
    for number, line in enumerate(open_lines(path), start=1):
        name, bar, rest = line.partition(BAR)
        if not bar and (not line.strip() or line.startswith("normalization")):
            continue
        try:
            start, kind, low, high, *_ = rest.split()
            parameter = Parameter(
                name.strip(), float(start), kind == "Fix", float(low), float(high)
            )
        except ValueError:
            what = f"{quote(line)} is not a parameter; write NAME ||| START Opt MIN MAX"
            raise FormatError(what, path=display(path), line=number) from None
        if kind not in ("Opt", "Fix") or not parameter.name:
            what = f"{quote(line)} has no name or neither Opt nor Fix; add it"
            raise FormatError(what, path=display(path), line=number)
        if any(parameter.name == other.name for other in parameters):
            what = f"the name {quote(parameter.name)} is there twice; rename one"
            raise FormatError(what, path=display(path), line=number)
        parameters.append(parameter)
    if not parameters:
        what = "the file has no parameters; write NAME ||| START Opt MIN MAX"
        raise FormatError(what, path=display(path))
    return parameters


def parameter_lines(parameters: Sequence[Parameter]) -> Iterator[str]:
    """Yield the lines of a parameter file; random starts are between -1 and 1."""
    for each in parameters:
        kind = "Fix" if each.fixed else "Opt"
        low, high = (_limit(value) for value in (each.low, each.high))
        yield f"{each.name} {BAR} {each.start!r} {kind} {low} {high} -1 +1"
    yield "normalization = none"


def _limit(value: float) -> str:
    if math.isinf(value):
        return "+Inf" if value > 0 else "-Inf"
    return repr(value)
