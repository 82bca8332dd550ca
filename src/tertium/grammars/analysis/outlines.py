# SPDX-License-Identifier: Apache-2.0
"""Results as JSON objects."""

from __future__ import annotations

from dataclasses import asdict

from tertium.grammars.analysis.ambiguity import Ambiguity
from tertium.grammars.analysis.differences import Difference
from tertium.grammars.analysis.systems import SystemResult
from tertium.grammars.search.edits import UNIT

__all__ = ["difference_outline", "system_outline"]


def system_outline(system: SystemResult) -> dict[str, object]:
    """Return a system as a JSON object.

    ``name, human, score, interval, cost, ref_tokens, hyp_tokens, outside`` (the share
    of output words that are not in the lexicon), ``segments, exact, unproven, edits``;
    ``counts`` (every joined token is an edit) and ``expected`` (a compound written as
    several words is one error) by edit; ``taxonomy`` and ``expected_taxonomy``, errors
    by category; ``cases`` (``order``, ``counts``: one row per case used, one column per
    case needed); ``recurrence`` (``distinct``, ``total``,
    ``top``); ``transfers`` (by template: ``sources``, ``targets``, ``counts``,
    ``segments``, ``kept``); ``kept``; ``ambiguity`` and ``ambiguity_by_edits``;
    ``templates`` (``template, score, cost, ref_tokens, segments, exact, counts``).
    """
    return {
        "name": system.name,
        "human": system.human,
        "score": system.score,
        "interval": list(system.interval) if system.interval else None,
        "cost": system.cost / UNIT,
        "ref_tokens": system.ref_tokens,
        "hyp_tokens": system.hyp_tokens,
        "outside": system.outside,
        "segments": system.segments,
        "exact": system.exact,
        "unproven": system.unproven,
        "edits": system.edits,
        "counts": {kind.label: count for kind, count in system.counts.items()},
        "expected": {kind.label: count for kind, count in system.expected.items()},
        "taxonomy": system.taxonomy,
        "expected_taxonomy": system.expected_taxonomy,
        "cases": {
            "order": list(system.cases.cases),
            "counts": [list(row) for row in system.cases.counts],
        },
        "recurrence": {
            "distinct": system.recurrence.distinct,
            "total": system.recurrence.total,
            "top": [
                {**asdict(edit), "kind": edit.kind.label, "category": edit.category}
                for edit in system.recurrence.top
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
            for each in system.transfers
        ],
        "kept": system.kept,
        "ambiguity": _ambiguity(system.ambiguity),
        "ambiguity_by_edits": {
            str(edits): _ambiguity(each)
            for edits, each in system.ambiguity_by_edits.items()
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
            for part in system.templates
        ],
    }


def difference_outline(difference: Difference) -> dict[str, object]:
    """Return a difference as a JSON object: the fields of :class:`Difference`."""
    return {
        **asdict(difference),
        "interval": list(difference.interval) if difference.interval else None,
    }


def _ambiguity(result: Ambiguity | None) -> dict[str, object] | None:
    if result is None:
        return None
    return {
        "segments": result.segments,
        "close": list(result.close),
        "close_is_least": result.close_is_least,
        "tied": result.tied,
        "least": result.least,
    }
