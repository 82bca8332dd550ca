# SPDX-License-Identifier: Apache-2.0
"""sacreBLEU's options as a dataclass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.metrics.settings import Value

__all__ = ["SacreBleuOptions"]

_DEFAULT_TRIALS = {"bs": 1000, "ar": 10_000}


@dataclass(frozen=True, kw_only=True)
class SacreBleuOptions:
    """sacreBLEU's options, under the names that its own parser gives them.

    Parameters
    ----------
    refs : sequence of str
        Reference files.
    input : sequence of str, optional
        System outputs; None for standard input.
    metrics : sequence of {"bleu", "chrf", "ter"}

    Notes
    -----
    All other options are documented by ``tertium sacrebleu --help``.

    Raises
    ------
    InputError
        When options exclude each other.

    Examples
    --------
    >>> SacreBleuOptions(refs=["ref.txt"], paired_bs=True).trials
    1000
    """

    refs: Sequence[str]
    input: Sequence[str] | None = None
    num_refs: int = 1
    encoding: str = "utf-8"
    metrics: Sequence[str] = ("bleu",)
    sentence_level: bool = False
    langpair: str | None = None
    bleu_smooth_method: str = "exp"
    bleu_smooth_value: float | None = None
    bleu_tokenize: str | None = None
    bleu_lowercase: bool = False
    force: bool = False
    chrf_char_order: int = 6
    chrf_word_order: int = 0
    chrf_beta: int = 2
    chrf_whitespace: bool = False
    chrf_lowercase: bool = False
    chrf_eps_smoothing: bool = False
    ter_case_sensitive: bool = False
    ter_asian_support: bool = False
    ter_no_punct: bool = False
    ter_normalized: bool = False
    confidence: bool = False
    confidence_n: int = 1000
    paired_ar: bool = False
    paired_bs: bool = False
    paired_ar_n: int = 10_000
    paired_bs_n: int = 1000
    short: bool = False
    score_only: bool = False
    width: int = 1
    format: str = "json"

    def __post_init__(self) -> None:
        if self.width < 0:
            message = f"width={self.width} is not a number of decimal places; give 0 or"
            raise InputError(f"{message} more", options=("width",))
        if self.sentence_level and len(set(self.metrics)) > 1:
            message = "sentence_level=True takes one metric; run it once per metric"
            raise InputError(message, options=("sentence_level",))
        if self.sentence_level and (self.confidence or self.test):
            message = (
                "sentence_level=True has no statistical tests; omit it, or the test"
            )
            raise InputError(message, options=("sentence_level",))

    @property
    def test(self) -> str | None:
        """The paired test by its name in signatures."""
        return "bs" if self.paired_bs else "ar" if self.paired_ar else None

    @property
    def trials(self) -> int:
        """The trials of the paired test."""
        trials = self.paired_bs_n if self.paired_bs else self.paired_ar_n
        # sacreBLEU runs the default number as well, but then reports "0 trials".
        return trials if trials > 0 else _DEFAULT_TRIALS[self.test or "ar"]

    @property
    def settings(self) -> dict[str, Value]:
        """The settings of metrics, with the name of their metric before them."""
        prefixes = ("bleu_", "chrf_", "ter_")
        names = [field.name for field in fields(self)]
        settings = {
            name: getattr(self, name) for name in names if name.startswith(prefixes)
        }
        return {**settings, "bleu_effective_order": self.sentence_level}
