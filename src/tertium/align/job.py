# SPDX-License-Identifier: Apache-2.0
"""Links from files: aligned, composed, symmetrised or only read."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tertium.align.job_checks import check_job
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.align.aligner import Aligner
    from tertium.align.bilingual import BilingualAligner
    from tertium.align.links import Links
    from tertium.align.quality import AlignmentQuality
    from tertium.data.lines import StrPath

__all__ = ["DEFAULT_SYMMETRISATION", "AlignmentJob"]

DEFAULT_SYMMETRISATION = "grow-diag-final-and"


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
        Whether to align `source` with `target`, by a bilingual aligner or `command`.
    pivot : pair of paths, optional
        Links between source and output, and between source and reference.
    links : sequence of one or two paths, optional
        Existing links; with two files forward and backward links, the same text first
        in both.
    tokenize, case, match, language, synonyms, paraphrases, aligner : optional
        Settings of the monolingual :class:`Aligner`; `case` is True if case matters.
        With `bilingual`, `aligner` is ``builtin`` (default) or ``eflomal``.
    symmetrise : str, optional
        How links of both directions become one set (default: grow-diag-final-and).
    combine : {"max", "sum"}, optional
        How `pivot` combines the weights of several paths (default: max).
    command : str, optional
        A program to run instead; see :class:`CommandAligner`.
    priors : path, optional
        Priors of eflomal, which they choose.
    model : path, optional
        What the built-in aligner learnt before: align with it instead of learning.
    save_model : path, optional
        Where to write what the built-in aligner learns.
    soft : float, optional
        Return all links of at least this probability, with it as their weight; see
        :meth:`HmmAligner.soft_links`.
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
    model: StrPath | None = None
    save_model: StrPath | None = None
    soft: float | None = None
    gold: StrPath | None = None
    input_format: str | None = None
    one_based: Sequence[str] | None = None

    def __post_init__(self) -> None:
        check_job(self)

    @property
    def inputs(self) -> list[str]:
        """All files to be read."""
        paths = [self.systems, self.references, self.source, self.target, self.gold]
        paths += [*(self.pivot or ()), *(self.links or ()), self.priors]
        paths += [self.model]
        return [os.fspath(path) for path in paths if path is not None]

    @property
    def outputs(self) -> list[str]:
        """All files to be written."""
        return [] if self.save_model is None else [os.fspath(self.save_model)]

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
        progress: Callable[..., object] | None = None,
    ) -> Iterable[Links]:
        """Return the links of all segments.

        Parameters
        ----------
        threads : int, optional
            All cores by default; programs are not told.
        progress : callable, optional
            Called with the number of segments that the monolingual aligner has done,
            or with the iterations of the built-in bilingual one and their number.

        Returns
        -------
        iterable of Links
            The monolingual aligner yields them while it reads. Those that the built-in
            bilingual one learns are cached (see :mod:`tertium.cache`).
        """
        if self.bilingual:
            return self._translations(threads, progress)
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

    def _translations(
        self, threads: int | None, progress: Callable[..., object] | None
    ) -> list[Links]:
        from tertium.align.kept import kept_links
        from tertium.data import read

        texts = read(sources=self.source, references=self.target)
        sources, targets = texts.sources or [], [refs[0] for refs in texts.references]

        def align() -> list[Links]:
            return self._aligned(sources, targets, threads, progress)

        others = (self.command, self.priors, self.model, self.save_model)
        if self.aligner == "eflomal" or any(other is not None for other in others):
            return align()
        return kept_links(sources, targets, [self.symmetrise, self.soft], align)

    def _aligned(
        self,
        sources: Sequence[str],
        targets: Sequence[str],
        threads: int | None,
        progress: Callable[..., object] | None,
    ) -> list[Links]:
        from tertium.align.bilingual import align_bilingual
        from tertium.align.hmm import HmmModel

        aligner = self._bilingual_aligner(sources, targets, threads, progress)
        if self.soft is not None and isinstance(aligner, HmmModel):
            return aligner.soft_links(
                sources, targets, threshold=self.soft, threads=threads
            )
        return align_bilingual(
            sources,
            targets,
            aligner=aligner,
            symmetrise=self.symmetrise or DEFAULT_SYMMETRISATION,
        )

    def _bilingual_aligner(
        self,
        sources: Sequence[str],
        targets: Sequence[str],
        threads: int | None,
        progress: Callable[..., object] | None,
    ) -> BilingualAligner:
        from tertium.align.bilingual import CommandAligner, Eflomal
        from tertium.align.hmm import HmmAligner, HmmModel

        if self.command:
            return CommandAligner(self.command)
        if self.aligner == "eflomal" or self.priors is not None:
            return Eflomal(priors=self.priors)
        if self.model is not None:
            return HmmModel.load(self.model)
        model = HmmAligner(threads=threads, progress=progress).fit(sources, targets)
        if self.save_model is not None:
            model.save(self.save_model)
        return model

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
