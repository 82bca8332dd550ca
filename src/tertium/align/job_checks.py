# SPDX-License-Identifier: Apache-2.0
"""Checks of the files and settings of an alignment job, before any work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.align.job import AlignmentJob

__all__ = ["BILINGUAL_ALIGNERS", "check_job"]

#: Settings of the monolingual aligner. Only that way of making links reads them.
_ALIGNER_SETTINGS = (
    "tokenize",
    "case",
    "match",
    "language",
    "synonyms",
    "paraphrases",
    "aligner",
)
_LANGUAGE_INDEPENDENT = {"exact", "paraphrase"}

#: Aligners of texts with their translations; the first is the default.
BILINGUAL_ALIGNERS = ("builtin", "eflomal")


def check_job(job: AlignmentJob) -> None:
    """Reject missing texts, and options that would have no effect.

    Raises
    ------
    InputError
        With the options to change.
    """
    names = ("bilingual", "pivot", "links")
    ways = [name for name in names if getattr(job, name)]
    if len(ways) > 1:
        raise InputError("give only one of bilingual, pivot and links")
    _check_texts(job)
    _check_settings(job, *ways)
    _check_both_directions(job)
    _check_bilingual(job)
    _check_link_files(job)


def _check_texts(job: AlignmentJob) -> None:
    """Reject missing texts, and texts that would not be read."""
    monolingual = not (job.bilingual or job.pivot or job.links)
    if job.bilingual and (job.source is None or job.target is None):
        message = "bilingual=True needs two texts; give source and target"
        raise InputError(message, options=("bilingual", "source", "target"))
    if monolingual and (job.systems is None or job.references is None):
        raise InputError(
            "nothing to align; give outputs and references, or one of bilingual, pivot "
            "and links",
            options=("systems", "references"),
        )
    if monolingual and (job.source or job.target):
        message = "source and target are read with bilingual, pivot and links only"
        raise InputError(f"{message}; choose one of these")
    if job.bilingual and (job.systems or job.references):
        message = (
            "bilingual=True aligns source with target; omit systems and references"
        )
        raise InputError(message, options=("bilingual",))
    if job.pivot and job.target:
        message = "pivot checks links by source, systems and references; omit target"
        raise InputError(message, options=("target",))
    if job.links:
        for one, other in (("source", "systems"), ("target", "references")):
            if getattr(job, one) and getattr(job, other):
                message = f"links can be checked by {one} or by {other}; omit one"
                raise InputError(message, options=(one, other))


def _check_settings(job: AlignmentJob, way: str = "") -> None:
    """Reject settings of the monolingual aligner that would not be read."""
    names = [name for name in _ALIGNER_SETTINGS if getattr(job, name) is not None]
    if way == "bilingual" and job.aligner in BILINGUAL_ALIGNERS:
        names.remove("aligner")
    if way and names:
        raise InputError(
            f"with {way}, outputs are not aligned with references, so "
            f"{', '.join(names)} would have no effect; omit "
            f"{'it' if len(names) == 1 else 'them'}",
            options=names,
        )
    if job.language and set((job.match or "exact").split("+")) <= _LANGUAGE_INDEPENDENT:
        raise InputError(
            "language is read by the matchers stem and synonym only; omit it, or name "
            "them, as match=exact+stem",
            options=("language", "match"),
        )


def _check_both_directions(job: AlignmentJob) -> None:
    """Reject settings of ways to make links that were not chosen."""
    if job.links is not None and len(job.links) > 2:
        message = "links takes one file, or forward and backward links"
        raise InputError(message, options=("links",))
    if not job.bilingual and (job.command or job.priors):
        message = "command and priors need bilingual=True; add it"
        raise InputError(message, options=("bilingual",))
    if job.symmetrise and not job.bilingual and len(job.links or ()) < 2:
        raise InputError(
            "symmetrise joins links of both directions, and there is only one; omit "
            "it, or give bilingual=True or two link files",
            options=("symmetrise", "bilingual"),
        )
    if job.combine and job.pivot is None:
        message = "combine has an effect with pivot only; omit it"
        raise InputError(message, options=("combine",))


def _check_bilingual(job: AlignmentJob) -> None:
    """Reject settings of bilingual aligners that were not chosen."""
    builtin = {"model": job.model, "save_model": job.save_model, "soft": job.soft}
    names = [name for name, value in builtin.items() if value is not None]
    if not job.bilingual:
        if job.aligner in BILINGUAL_ALIGNERS:
            message = f"the aligner {job.aligner} needs bilingual=True; add it"
            raise InputError(message, options=("aligner", "bilingual"))
        if names:
            message = f"{' and '.join(names)} need bilingual=True; add it"
            raise InputError(message, options=(*names, "bilingual"))
        return
    if job.command and (job.priors or job.aligner):
        name = "priors" if job.priors else "aligner"
        message = f"{name} is not for the program of command; omit one of the two"
        raise InputError(message, options=(name, "command"))
    if job.priors and job.aligner == "builtin":
        message = "priors are for eflomal, not for the built-in aligner; omit one"
        raise InputError(message, options=("priors", "aligner"))
    if names and (job.command or job.priors or job.aligner == "eflomal"):
        raise InputError(
            f"{' and '.join(names)} need the built-in aligner; omit command, priors "
            "and aligner=eflomal",
            options=(*names, "command", "priors", "aligner"),
        )
    if job.model is not None and job.save_model is not None:
        message = "with model, nothing is learnt that save_model could write; omit one"
        raise InputError(message, options=("model", "save_model"))
    if job.soft is not None and job.symmetrise:
        message = "soft links join both directions already; omit symmetrise"
        raise InputError(message, options=("soft", "symmetrise"))
    if job.soft is not None and not 0 < job.soft <= 1:
        raise InputError(
            f"soft must be above 0 and at most 1, not {job.soft}; 0.1 is usual",
            options=("soft",),
        )


def _check_link_files(job: AlignmentJob) -> None:
    """Reject settings of link files that are not read."""
    files = {"links": job.links or job.pivot, "gold": job.gold, "output": True}
    if job.input_format is not None and not (files["links"] or files["gold"]):
        message = "input_format is the format of link files, and none is read; omit it"
        raise InputError(message, options=("input_format",))
    for role in job.one_based or ():
        if not files[role]:
            message = f"one_based={role}: there is no such file; omit it"
            raise InputError(message, options=("one_based",))
