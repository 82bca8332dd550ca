# SPDX-License-Identifier: Apache-2.0
"""The JSON of `tertium score --segments`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tertium.errors import FormatError
from tertium.meta.files.choice import ScoreRow
from tertium.meta.files.score_places import Places

__all__ = ["read_tertium_json"]


def read_tertium_json(path: str, table: Any, place: Places) -> Iterator[ScoreRow]:
    """Yield the scores of systems, and of segments if they are there."""
    try:
        facts = table.get("metrics") or {}
        for system, scores in table["systems"].items():
            for metric, score in scores.items():
                falls = facts.get(metric, {}).get("higher_is_better") is False
                row = ScoreRow(metric, None, system, None, 0.0, 1, falls=falls)
                yield row._replace(score=float(score["score"]))
                for at, value in enumerate(score.get("segments") or ()):
                    # The metric has no value there, by its definition.
                    known = value is not None
                    number = float(value) if known else float("nan")
                    name = place(system, at, 1)
                    yield row._replace(segment=name, score=number, undefined=not known)
    except KeyError as error:
        what = f"no {error} where `tertium score -f json` writes one; give that, or TSV"
        raise FormatError(what, path=path) from None
    except FormatError:
        raise
    except (
        ValueError,
        TypeError,
        AttributeError,
        RecursionError,
        OverflowError,
    ) as error:
        what = f"not what `tertium score -f json` writes ({error}); give that, or TSV"
        raise FormatError(what, path=path) from None
