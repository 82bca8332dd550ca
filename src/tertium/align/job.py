# SPDX-License-Identifier: Apache-2.0
"""Links from files: aligned, composed, symmetrised or only read."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.align.aligner import Aligner
    from tertium.align.bilingual import BilingualAligner
    from tertium.align.links import Links
    from tertium.align.quality import AlignmentQuality
    from tertium.data.lines import StrPath

__all__ = ["DEFAULT_SYMMETRISATION", "AlignmentJob"]

DEFAULT_SYMMETRISATION = "grow-diag-final-and"

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


@dataclass(frozen=True, kw_only=True)
class AlignmentJob:
    r"""The files and settings that links are made from.

    There are four ways to make links: by default `systems` is aligned with
    `references`, texts of one language. With `bilingual`, `source` is aligned with
    its translation `target`. With `pivot`, links between source and output and between
    source and reference are composed. With `links`, one file is read, or two files
    with both directions are symmetrised.

    Parameters
    ----------
    systems, references, source, target : path, optional
        Texts. With `links` and `pivot`, links are checked against them.
    bilingual : bool
        Whether to align `source` with `target`, by eflomal or `command`.
    pivot : pair of paths, optional
        Links between source and output, and between source and reference.
    links : sequence of one or two paths, optional
        Existing links; with two files forward and backward links, the same text first
        in both.
    tokenize, case, match, language, synonyms, paraphrases, aligner : optional
        Settings of the monolingual :class:`Aligner`; `case` is True if case matters.
    symmetrise : str, optional
        How links of both directions become one set (default: grow-diag-final-and).
    combine : {"max", "sum"}, optional
        How `pivot` combines the weights of several paths (default: max).
    command : str, optional
        A program to run instead of eflomal; see :class:`CommandAligner`.
    priors : path, optional
        Priors of eflomal.
    gold : path, optional
        Manual links, for :meth:`quality`.
    input_format : {"pharaoh", "naacl"}, optional
        The format of all link files (default: pharaoh).
    one_based : sequence of {"links", "gold", "output"}, optional
        The Pharaoh files that count words from 1; all of them if it is empty.

    Raises
    ------
    InputError
        When texts are missing, or an option has no effect.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as name:
    ...     out, ref = pathlib.Path(name, "out.txt"), pathlib.Path(name, "ref.txt")
    ...     sizes = out.write_text("noon at\n"), ref.write_text("at noon\n")
    ...     links = list(AlignmentJob(systems=out, references=ref).run())
    >>> [(link.hyp, link.ref) for link in links[0]]
    [(0, 1), (1, 0)]
    """

    systems: StrPath | None = None
    references: StrPath | None = None
    source: StrPath | None = None
    target: StrPath | None = None
    bilingual: bool = False
    pivot: Sequence[StrPath] | None = None
    links: Sequence[StrPath] | None = None
    tokenize: str | None = None
    case: bool | None = None
    match: str | None = None
    language: str | None = None
    synonyms: str | None = None
    paraphrases: str | None = None
    aligner: str | None = None
    symmetrise: str | None = None
    combine: str | None = None
    command: str | None = None
    priors: StrPath | None = None
    gold: StrPath | None = None
    input_format: str | None = None
    one_based: Sequence[str] | None = None

    def __post_init__(self) -> None:
        names = ("bilingual", "pivot", "links")
        ways = [name for name in names if getattr(self, name)]
        if len(ways) > 1:
            raise InputError("give only one of bilingual, pivot and links")
        _check_texts(self)
        _check_settings(self, *ways)
        _check_both_directions(self)
        _check_link_files(self)

    @property
    def inputs(self) -> list[str]:
        """All files to be read."""
        paths = [self.systems, self.references, self.source, self.target, self.gold]
        paths += [*(self.pivot or ()), *(self.links or ()), self.priors]
        return [os.fspath(path) for path in paths if path is not None]

    def first_word(self, role: str) -> int:
        """Return the number of the first word in Pharaoh files of a role.

        Parameters
        ----------
        role : {"links", "gold", "output"}
        """
        if self.one_based is None:
            return 0
        return int(not self.one_based or role in self.one_based)

    def run(
        self,
        *,
        threads: int | None = None,
        progress: Callable[[int], object] | None = None,
    ) -> Iterable[Links]:
        """Return the links of all segments.

        Parameters
        ----------
        threads : int, optional
            For the monolingual aligner; all cores by default.
        progress : callable, optional
            Called with the number of segments that the monolingual aligner has done.

        Returns
        -------
        iterable of Links
            The monolingual aligner yields them while it reads.
        """
        if self.bilingual:
            return self._translations()
        if self.pivot is not None:
            return self._composed(*self.pivot)
        if self.links is not None:
            return self._symmetrised(self.links)
        return self._monolingual(self.monolingual_aligner(), threads, progress)

    def quality(self, links: Sequence[Links]) -> AlignmentQuality:
        """Return the quality of links, compared with the manual links of `gold`."""
        from tertium.align.naacl import read_naacl
        from tertium.align.quality import alignment_quality

        if self.gold is None:
            raise InputError("there are no manual links to compare with; give gold")
        if self.input_format == "naacl":
            return alignment_quality(links, read_naacl(self.gold, segments=len(links)))
        return alignment_quality(links, self._read(self.gold, "gold"))

    def monolingual_aligner(self) -> Aligner:
        """Return the aligner of outputs and references."""
        from tertium.align.aligner import Aligner

        return Aligner(
            tokenize=self.tokenize or "none",
            lowercase=not self.case,
            aligner=self.aligner or "beam",
            match=self.match or "exact",
            language=self.language or "en",
            synonyms=self.synonyms or "",
            paraphrases=self.paraphrases or "",
        )

    def _monolingual(
        self,
        aligner: Aligner,
        threads: int | None,
        progress: Callable[[int], object] | None,
    ) -> Iterator[Links]:
        from tertium.align.links import from_matches
        from tertium.data import stream

        done = 0
        texts = {"system": self.systems or ""}
        for chunk in stream(references=self.references, systems=texts):
            hyps = chunk.systems["system"]
            pairs = aligner.pairs([hyps], chunk.references, threads=threads)
            for index in range(len(chunk)):
                yield from_matches(pairs.matches(0, index, 0))
            done += len(chunk)
            if progress is not None:
                progress(done)

    def _translations(self) -> list[Links]:
        from tertium.align.bilingual import CommandAligner, Eflomal, align_bilingual
        from tertium.data import read

        aligner: BilingualAligner
        if self.command:
            aligner = CommandAligner(self.command)
        else:
            aligner = Eflomal(priors=self.priors)
        texts = read(sources=self.source, references=self.target)
        return align_bilingual(
            texts.sources or [],
            [refs[0] for refs in texts.references],
            aligner=aligner,
            symmetrise=self.symmetrise or DEFAULT_SYMMETRISATION,
        )

    def _composed(self, src_sys: StrPath, src_ref: StrPath) -> list[Links]:
        from tertium.align.pivot import compose_all

        sources = _text(self.source)
        return compose_all(
            self._read(src_sys, "links", sources, _text(self.systems)),
            self._read(src_ref, "links", sources, _text(self.references)),
            combine=self.combine or "max",
        )

    def _symmetrised(self, paths: Sequence[StrPath]) -> list[Links]:
        from tertium.align.symmetrisation import symmetrise_all

        left = _text(self.source if self.systems is None else self.systems)
        right = _text(self.target if self.references is None else self.references)
        first, *others = [self._read(path, "links", left, right) for path in paths]
        method = self.symmetrise or DEFAULT_SYMMETRISATION
        return symmetrise_all(first, others[0], method=method) if others else first

    def _read(
        self,
        path: StrPath,
        role: str,
        hyps: Sequence[str] | None = None,
        refs: Sequence[str] | None = None,
    ) -> list[Links]:
        from tertium.align.naacl import read_naacl
        from tertium.align.pharaoh import read_pharaoh

        if self.input_format == "naacl":
            return read_naacl(path, hyps=hyps, refs=refs)
        return read_pharaoh(path, base=self.first_word(role), hyps=hyps, refs=refs)


def _text(path: StrPath | None) -> list[str] | None:
    from tertium.data import read

    if path is None:
        return None
    return [refs[0] for refs in read(references=path).references]


# -------------------------------------------------------------------------- checks


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
    if job.command and job.priors:
        message = "priors are for eflomal, which command replaces; omit one of the two"
        raise InputError(message, options=("priors", "command"))


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
