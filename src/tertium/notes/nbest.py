# SPDX-License-Identifier: Apache-2.0
"""Templates of notes on n-best lists."""

from __future__ import annotations

__all__ = ["NBEST"]

#: English templates by code; a pair is a singular and a plural.
NBEST: dict[str, str | tuple[str, str]] = {
    "nbest-fields-ignored": (
        "%(path)s: what follows the score on %(count)s line is ignored",
        "%(path)s: what follows the score on %(count)s lines is ignored",
    ),
    "nbest-sparse-features": (
        "%(path)s: %(count)s sparse feature, which is 0 where it is missing",
        "%(path)s: %(count)s sparse features, which are 0 where they are missing",
    ),
    "nbest-keys-ignored": "%(path)s: these keys are ignored: %(names)s",
    "nbest-references-lost": (
        "the format has no place for references (%(count)s list has some)",
        "the format has no place for references (%(count)s lists have some)",
    ),
    "nbest-sources-lost": (
        "the format has no place for sources (%(count)s list has one)",
        "the format has no place for sources (%(count)s lists have one)",
    ),
    "nbest-scores-lost": (
        "the format has no place for scores (%(count)s list has some)",
        "the format has no place for scores (%(count)s lists have some)",
    ),
    "nbest-ids-lost": (
        "lists are renumbered (%(count)s list has another id)",
        "lists are renumbered (%(count)s lists have another id)",
    ),
    "nbest-names-lost": "the format has no place for names of features: %(names)s",
    "nbest-space-lost": (
        "%(count)s text has line ends or outer spaces, which become single spaces",
        "%(count)s texts have line ends or outer spaces, which become single spaces",
    ),
    "mbr-one-reference": (
        "in %(count)s of %(all)s lists one pseudo-reference has over 99 %% of the "
        "weight and decides alone; use a smaller scale to make weights more equal"
    ),
}
