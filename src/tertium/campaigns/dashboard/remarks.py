# SPDX-License-Identifier: Apache-2.0
"""What :mod:`tertium.judgements` remarks in English, in the reader's language.

That room knows nothing of languages: flags, notes and reasons are finished sentences
there. Each is found here by its words, what was filled in is taken over. A sentence
that nobody listed is shown as it is.
"""

from __future__ import annotations

import re
from functools import lru_cache

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

__all__ = ["REMARKS", "deed", "remark", "said"]

#: Sentences of other rooms, for translators to find. ``on`` is a scale or nothing.
REMARKS = (
    # Kinds of flags.
    gettext_noop("fast"),
    gettext_noop("slow"),
    gettext_noop("rushed"),
    gettext_noop("chance"),
    gettext_noop("low agreement"),
    gettext_noop("inconsistent"),
    gettext_noop("alone"),
    gettext_noop("ties"),
    gettext_noop("one value"),
    gettext_noop("favourite value"),
    gettext_noop("lenient"),
    gettext_noop("strict"),
    # Reasons of flags.
    gettext_noop("half the judgements took %(n)s s or less; all judges: %(all)s s"),
    gettext_noop("half the judgements took %(n)s s or more; all judges: %(all)s s"),
    gettext_noop(
        "%(n)s of %(all)s judgements took less than %(s)s s, a fifth of the usual time"
    ),
    gettext_noop(
        "%(n)s of %(all)s judgements showed more than %(s)s words per second, too many "
        "to read"
    ),
    gettext_noop(
        "agrees with others no better than chance (κ %(kappa)s, on %(n)s comparisons)"
    ),
    gettext_noop(
        "agrees with others hardly better than chance "
        "(κ %(kappa)s, on %(n)s comparisons)"
    ),
    gettext_noop(
        "agrees with others far less than other judges do "
        "(κ %(kappa)s, on %(n)s comparisons; pooled %(all)s)"
    ),
    gettext_noop(
        "does not repeat own judgements "
        "(κ with self %(kappa)s on %(n)s comparisons, with others %(others)s)"
    ),
    gettext_noop(
        "does not repeat own judgements (κ with self %(kappa)s on %(n)s comparisons)"
    ),
    gettext_noop("all %(n)s partners agree better with others than with this judge"),
    gettext_noop("calls everything a tie"),
    gettext_noop("%(share)s of comparisons are ties; other judges: %(usual)s"),
    gettext_noop("gave %(value)s to all %(n)s outputs%(on)s"),
    gettext_noop("%(share)s of ratings are %(value)s%(on)s"),
    gettext_noop("%(value)s above others on the same outputs%(on)s"),
    gettext_noop("%(value)s below others on the same outputs%(on)s"),
    gettext_noop(
        "does not go along with the mean of others (r %(r)s on %(n)s outputs%(on)s)"
    ),
    # Notes of rankings of systems.
    gettext_noop("no score for %(systems)s: nothing decides about them"),
    gettext_noop("no judge is known, so z is relative to all ratings"),
    gettext_noop(
        "rankings of whole segments and of parts of them are counted together"
    ),
    gettext_noop("left out by z: %(judge)s, fewer than two scores"),
    gettext_noop("left out by z: %(judge)s, all scores are the same"),
    gettext_noop("left out by z: %(n)s rating has no judge"),
    gettext_noop("left out by z: %(n)s ratings have no judge"),
    # Why there is no ranking of systems.
    gettext_noop(
        "%(method)s needs comparisons, and there are no rankings of two systems or "
        "more; for ratings take mean or z, for error spans mqm"
    ),
    gettext_noop(
        "judgements of several language pairs (%(pairs)s); take one at a time, with "
        "judgements.filter(langpair=...), None for unknown"
    ),
    # Formats of exports.
    gettext_noop("every answer with all that is known of it, a line of JSON each"),
    gettext_noop("a store of Parquet tables, for agree, rank and correlate"),
    gettext_noop("the same tables as one SQLite file"),
    gettext_noop("one table, a row for every candidate, rating or mark"),
    gettext_noop("the same table, separated by tabs"),
    gettext_noop("the same table, as a workbook of Excel or LibreOffice"),
    gettext_noop("all kinds with all fields, one JSON object a line"),
    gettext_noop("WMT rankings, several systems a row (2007 to 2016)"),
    gettext_noop("WMT rankings, two systems a row"),
    gettext_noop("rankings as SYSTEM[,SYSTEM]=RANK entries (WMT 2015 and 2016)"),
    gettext_noop(
        "SegRanks: ranks of candidates by segment, without judges and systems"
    ),
    gettext_noop("errors with category and severity, MQM as Google publishes it"),
    gettext_noop("a folder of mt-metrics-eval, or one of its LP.NAME.seg.score files"),
    gettext_noop(
        "any ratings: a table with system, segment, judge and score, or one column "
        "a scale"
    ),
    gettext_noop("lists of pairs: seg better worse, or seg a b and one of < = >"),
    gettext_noop("those of a survey who agreed to archiving, anonymous, a table"),
    gettext_noop("what a survey showed, as a test set for score and correlate"),
    gettext_noop("what every column of the exports of a survey means, as Markdown"),
    # What formats have no place for.
    gettext_noop("rankings of a single system"),
    gettext_noop("systems"),
    gettext_noop("judges"),
    gettext_noop("documents"),
    gettext_noop("language pairs"),
    gettext_noop("campaigns"),
    gettext_noop("times"),
    gettext_noop("durations"),
    gettext_noop("texts"),
    gettext_noop("texts without a position"),
    gettext_noop("metadata"),
    gettext_noop("metadata but `hit`"),
    gettext_noop("metadata that is no JSON object"),
    gettext_noop("garbage (becomes the worst rank)"),
    gettext_noop("garbage (its rank stays)"),
    gettext_noop("equal outputs (become ties)"),
    gettext_noop("ranks (only their order stays)"),
    gettext_noop("ratings of one output (their mean stays)"),
    gettext_noop("ratings of documents and checks"),
    gettext_noop("attention checks"),
    gettext_noop("training"),
)

_FIELD = re.compile(r"%\((\w+)\)s")


@lru_cache(maxsize=1)
def _patterns() -> list[tuple[re.Pattern[str], str]]:
    found = []
    for text in REMARKS:
        pieces = _FIELD.split(text)  # text, name, text, name, ..., text
        pattern = "".join(
            re.escape(piece)
            if place % 2 == 0
            else (r"(?P<on>(?: \(.*\))?)" if piece == "on" else rf"(?P<{piece}>.+?)")
            for place, piece in enumerate(pieces)
        )
        found.append((re.compile(pattern, re.DOTALL), text))
    return found


def remark(text: str) -> str:
    """Return a sentence of another room in the reader's language.

    Linear in the number of sentences, which is small.

    Examples
    --------
    >>> remark("gave 3 to all 12 outputs (adequacy)")
    'gave 3 to all 12 outputs (adequacy)'
    """
    for pattern, known in _patterns():
        if found := pattern.fullmatch(text):
            said = _(known)
            return said % found.groupdict() if found.groupdict() else said
    return text


def said(name: str) -> str:
    """Return a role, a state, a reason or a field in the reader's language."""
    words = {
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
        # What is in items.
        "source": _("Source"),
        "reference": _("Reference"),
        "before": _("What the source says before"),
        "output": _("Translation"),
        "hypothesis": _("Translation"),
        # What is in the log.
        "role": _("role"),
        "added": _("added"),
        "format": _("Format"),
        "judgements": _("judgements"),
    }
    return words.get(str(name), str(name))


def deed(name: str) -> str:
    """Return an action of the log in the reader's language."""
    words = {
        "join": _("joined"),
        "invite": _("made an invitation"),
        "revoke": _("withdrew an invitation"),
        "pause": _("paused the campaign"),
        "resume": _("opened the campaign"),
        "close": _("closed the campaign"),
        "pause-member": _("paused a person"),
        "resume-member": _("let a person go on"),
        "delete-member": _("deleted a person"),
        "release": _("took an item back"),
        "offer-again": _("offered an item again"),
        "give": _("gave an item"),
        "new-link": _("made a personal link"),
        "new-token": _("made a token"),
        "revoke-token": _("withdrew a token"),
        "load": _("loaded items"),
        "import": _("imported judgements"),
        "export": _("exported the judgements"),
    }
    return words.get(str(name), str(name))
