# SPDX-License-Identifier: Apache-2.0
"""Names in the code, as readers see them in their language."""

from __future__ import annotations

from django.utils.translation import gettext as _

__all__ = ["action_label", "flag_label", "label"]


def flag_label(kind: str) -> str:
    """Return what stands out about a judge, in a word or two."""
    return {
        "fast": _("fast"),
        "slow": _("slow"),
        "rushed": _("rushed"),
        "chance": _("chance"),
        "low agreement": _("low agreement"),
        "inconsistent": _("inconsistent"),
        "alone": _("alone"),
        "ties": _("ties"),
        "one value": _("one value"),
        "favourite value": _("favourite value"),
        "lenient": _("lenient"),
        "strict": _("strict"),
        "checks": _("missed checks"),
    }[kind]


def label(name: str) -> str:
    """Return a role, a state, a reason or a field in the reader's language.

    A name without a label, such as a column of somebody's file, is shown as it is.
    """
    labels = {
        "manager": _("manager"),
        "annotator": _("annotator"),
        "observer": _("observer"),
        "leased": _("under way"),
        "done": _("done"),
        "skipped": _("skipped"),
        "expired": _("taken back"),
        "first": _("first"),
        "intra": _("again, by the same"),
        "inter": _("again, by another"),
        "check": _("check"),
        "training": _("training"),
        "late": _("late"),
        "work": _("work"),
        # Texts of an item.
        "source": _("Source"),
        "reference": _("Reference"),
        "before": _("Preceding source text"),
        "output": _("Translation"),
        "hypothesis": _("Translation"),
        # Details in the log.
        "role": _("role"),
        "added": _("added"),
        "format": _("Format"),
        "judgements": _("judgements"),
    }
    return labels.get(str(name), str(name))


def action_label(name: str) -> str:
    """Return an action in the log in the reader's language."""
    labels = {
        "join": _("joined"),
        "invite": _("created an invitation"),
        "revoke": _("withdrew an invitation"),
        "pause": _("paused the campaign"),
        "resume": _("opened the campaign"),
        "close": _("closed the campaign"),
        "pause-member": _("paused a person"),
        "resume-member": _("resumed a person"),
        "delete-member": _("deleted a person"),
        "release": _("took an item back"),
        "offer-again": _("offered an item again"),
        "give": _("assigned an item"),
        "new-link": _("created a personal link"),
        "new-token": _("created a token"),
        "revoke-token": _("revoked a token"),
        "load": _("loaded items"),
        "import": _("imported judgements"),
        "export": _("exported the judgements"),
    }
    return labels.get(str(name), str(name))
