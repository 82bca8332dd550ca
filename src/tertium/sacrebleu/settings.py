# SPDX-License-Identifier: Apache-2.0
"""Metrics from sacreBLEU's options."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from tertium.errors import InputError
from tertium.metrics.registry import metric_class

if TYPE_CHECKING:
    from tertium.metrics import Metric
    from tertium.metrics.settings import Value
    from tertium.sacrebleu.inputs import Remark

__all__ = ["metrics_of"]

_TOKENIZERS = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}
_SMOOTH_VALUES = {"floor": 0.1, "add-k": 1.0}


def metrics_of(
    names: Iterable[str],
    options: Mapping[str, Value],
    *,
    langpair: str | None = None,
    remark: Remark,
) -> list[Metric]:
    """Return the metrics with their settings, without duplicates.

    Parameters
    ----------
    names : iterable of str
        Some of bleu, chrf and ter.
    options : mapping of str to value
        Settings prefixed with the name of their metric, such as `chrf_beta`.
    langpair : str, optional
        Its target language selects BLEU's tokeniser, unless the options do.
    remark : callable

    Raises
    ------
    InputError
        If a value is invalid.
    """
    metrics = []
    for name in dict.fromkeys(names):
        prefix = f"{name}_"
        values = {
            key.removeprefix(prefix): value
            for key, value in options.items()
            if key.startswith(prefix)
        }
        if name == "bleu":
            values |= _smoothing(values) | _tokenizer(values, langpair, remark)
        metrics.append(metric_class(name)(**values))
    return metrics


def _smoothing(values: Mapping[str, Value]) -> dict[str, Value]:
    default = _SMOOTH_VALUES.get(str(values["smooth_method"]))
    value = values["smooth_value"]
    return {"smooth_value": default if value is None else value}


def _tokenizer(
    values: Mapping[str, Value], langpair: str | None, remark: Remark
) -> dict[str, Value]:
    chosen, default = values["tokenize"], _TOKENIZERS.get(_target(langpair))
    if chosen and default and chosen != default:
        remark(f"for {langpair} sacreBLEU recommends -tok {default}")
    return {"tokenize": chosen or default or "13a"}


def _target(langpair: str | None) -> str:
    if not langpair:
        return ""
    _, *rest = langpair.split("-")
    if not rest:
        message = f"{langpair!r} is not a language pair; give en-de, for example"
        raise InputError(message, options=("langpair",))
    return rest[0]
