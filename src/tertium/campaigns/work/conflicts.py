# SPDX-License-Identifier: Apache-2.0
"""Why a draft or a judgement is rejected."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext as _

from tertium.errors import TertiumError

__all__ = ["AlreadyJudgedError", "DraftError", "LongDraftError", "NotLeasedError"]


class NotLeasedError(TertiumError):
    """The assignment is over: done, skipped, or deleted."""


class AlreadyJudgedError(NotLeasedError):
    """The person has already submitted another judgement.

    Parameters
    ----------
    answer : dict
        The answer that stands.
    """

    def __init__(self, answer: Mapping[str, object]) -> None:
        self.answer = answer
        super().__init__(
            _(
                "You have already submitted an answer for this item. This page now "
                "shows that answer; what you entered here was not stored."
            )
        )


class DraftError(TertiumError, ValueError):
    """A draft that cannot be kept."""


class LongDraftError(DraftError):
    """A draft longer than any answer can be."""
