# SPDX-License-Identifier: Apache-2.0
"""DTED, dependency tree edit distance (McCaffery 2017, chapter 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tertium import _core
from tertium.errors import InputError
from tertium.metrics.alternatives import AlternativeTreeMetric
from tertium.metrics.settings import Value, setting
from tertium.trees.dependency_edit import (
    DEGENERATE,
    DTED_NAMES,
    ROOTS,
    WEIGHTINGS,
    make_options,
    read_variant,
)

if TYPE_CHECKING:
    pass

__all__ = ["Dted"]


class Dted(AlternativeTreeMetric):
    """DTED; the row is (score · weight, weight, degenerate segments)."""

    name = "dted"
    summary = "edit operations that turn one dependency tree into the other"
    formula = (
        "b, c: 1 − dist / (|hyp| + |ref|); co: 1 − dist_a / aligned words; cl: 1 − "
        "[(1 − w) · dist_a / aligned words + w · dist_na / other words], w = min(cap, "
        "log_base^prop), prop = aligned words / words; corpus = mean"
    )
    paper = (
        "McCaffery 2017, The mat sat on the cat, chapter 4; structure=projected: Hwa "
        "et al. 2005, Bootstrapping parsers via syntactic projection across parallel "
        "texts"
    )
    equal_to = "the thesis's worked examples, where these are free of slips"
    cost = (
        "words² if flat; else words² times the depths of both trees, for every pair of "
        "parses"
    )
    empty = (
        "1 if both are empty; variant co gives 1 wherever nothing is aligned (see the "
        "setting degenerate)"
    )
    example = "dted:flat=yes"
    bounds = (0.0, 1.0)
    unit = 1.0
    weight_column = 1
    degenerate_column = 2
    copy_exception = (
        "variant b counts pairs of equal words too, so a copy gets 0.5; parses=mean "
        "compares different parses too"
    )

    variant: str = setting(
        "c", "which operations count; f flattens", choices=DTED_NAMES
    )
    weighting: str = setting(
        "log", "how cl weighs unaligned operations", choices=WEIGHTINGS
    )
    log_base: float = setting(0.1, "the base of the weight log", maximum=1)
    cap: float = setting(0.9, "the largest weight log", minimum=0, maximum=1)
    mismatch: int = setting(
        1, "operations for pairing aligned words without link", minimum=1, maximum=2
    )
    roots: str = setting("forest", "what several roots form", choices=ROOTS)
    binarise: bool = setting(False, "whether to make trees binary; changes no score")
    ignore_punct: bool = setting(False, "whether to leave out punctuation")
    degenerate: str = setting(
        "keep", "what segments without foundation count", choices=DEGENERATE
    )

    def __init__(self, **values: Value) -> None:
        name = str(values.get("variant", "c"))
        if name in DTED_NAMES and name.startswith("f"):
            # One spelling for one metric: fcl is cl with flat=yes.
            if str(values.get("flat", "yes")).lower() in ("no", "false", "off", "0"):
                message = f"dted: variant {name} is flat; leave out flat=no, or the f"
                raise InputError(message)
            values["flat"] = True
        if name in DTED_NAMES:
            values["variant"] = read_variant(name, flat=False)[0]
        super().__init__(**values)

    def make_kernel(self) -> _core.PairKernel:
        """Return the kernel for the settings."""
        return _core.dted(
            make_options(
                variant=self.variant,
                flat=self.flat,
                weighting=self.weighting,
                log_base=self.log_base,
                cap=self.cap,
                mismatch=self.mismatch,
                roots=self.roots,
                binarise=self.binarise,
                ignore_punct=self.ignore_punct,
                degenerate=self.degenerate,
            )
        )

    @property
    def label(self) -> str:
        """DTED with its variant, f if flattened."""
        return f"DTED-{'f' if self.flat else ''}{self.variant}"
