# SPDX-License-Identifier: Apache-2.0
"""Results as objects of JSON."""

from __future__ import annotations

from dataclasses import asdict

from tertium.grammars.analysis.ambiguity import Ambiguity
from tertium.grammars.analysis.differences import Difference
from tertium.grammars.analysis.systems import SystemResult
from tertium.grammars.edits import UNIT

__all__ = ["difference_outline", "system_outline"]


def system_outline(own: SystemResult) -> dict[str, object]:
    """Return a system as an object of JSON.

    ``name, human, score, interval, cost, ref_tokens, hyp_tokens, outside`` (the share
    of output words that are not in the lexicon), ``segments, exact, unproven, edits``;
    ``counts`` (every joined token is an edit) and ``expected`` (a compound written
    apart is one error) by edit; ``taxonomy`` and ``expected_taxonomy``, errors by
    category; ``cases`` (``order``, ``counts``: a row for the
    case found, a column for the one needed); ``recurrence`` (``distinct``, ``total``,
    ``top``); ``transfers`` (by template: ``sources``, ``targets``, ``counts``,
    ``segments``, ``kept``); ``kept``; ``ambiguity`` and ``ambiguity_by_edits``;
    ``templates`` (``template, score, cost, ref_tokens, segments, exact, counts``).
    """
    return {
        "name": own.name,
        "human": own.human,
        "score": own.score,
        "interval": list(own.interval) if own.interval else None,
        "cost": own.cost / UNIT,
        "ref_tokens": own.ref_tokens,
        "hyp_tokens": own.hyp_tokens,
        "outside": own.outside,
        "segments": own.segments,
        "exact": own.exact,
        "unproven": own.unproven,
        "edits": own.edits,
        "counts": {kind.label: count for kind, count in own.counts.items()},
        "expected": {kind.label: count for kind, count in own.expected.items()},
        "taxonomy": own.taxonomy,
        "expected_taxonomy": own.expected_taxonomy,
        "cases": {
            "order": list(own.cases.cases),
            "counts": [list(row) for row in own.cases.counts],
        },
        "recurrence": {
            "distinct": own.recurrence.distinct,
            "total": own.recurrence.total,
            "top": [
                {**asdict(edit), "kind": edit.kind.label, "category": edit.category}
                for edit in own.recurrence.top
            ],
        },
        "transfers": [
            {
                "template": each.template,
                "sources": list(each.sources),
                "targets": list(each.targets),
                "counts": [list(row) for row in each.counts],
                "segments": each.segments,
                "kept": each.kept,
            }
            for each in own.transfers
        ],
        "kept": own.kept,
        "ambiguity": _ambiguity(own.ambiguity),
        "ambiguity_by_edits": {
            str(edits): _ambiguity(each)
            for edits, each in own.ambiguity_by_edits.items()
        },
        "templates": [
            {
                "template": part.template,
                "score": part.score,
                "cost": part.cost / UNIT,
                "ref_tokens": part.ref_tokens,
                "segments": part.segments,
                "exact": part.exact,
                "counts": {kind.label: count for kind, count in part.counts.items()},
            }
            for part in own.templates
        ],
    }


def difference_outline(own: Difference) -> dict[str, object]:
    """Return a difference as an object of JSON: the fields of :class:`Difference`."""
    return {
        **asdict(own),
        "interval": list(own.interval) if own.interval else None,
    }


def _ambiguity(own: Ambiguity | None) -> dict[str, object] | None:
    if own is None:
        return None
    return {
        "segments": own.segments,
        "close": list(own.close),
        "close_is_least": own.close_is_least,
        "tied": own.tied,
        "least": own.least,
    }
