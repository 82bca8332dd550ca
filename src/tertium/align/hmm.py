# SPDX-License-Identifier: Apache-2.0
"""The built-in bilingual aligner: model 1 and the hidden Markov model, with agreement.

Both directions are learnt together by EM: a few iterations of model 1 (Brown et al.
1993), then of the hidden Markov model (Vogel et al. 1996) with NULL (Och and Ney 2003),
in which a pair of words counts by the product of its posteriors in both directions
(Liang et al. 2006). The translations of a word have a Dirichlet prior whose mean is
those of its stem, which have a sparse prior that trusts stems spelt alike; and most of
what a pair of words in a sentence adds to its count is ignored when that sentence is
read again, as rare words would explain anything otherwise. There is no chance in it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from tertium import _core
from tertium.align.links import Link, Links
from tertium.align.vocabulary import Vocabulary, check_sizes, number_words
from tertium.data.lines import StrPath
from tertium.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tertium.align.vocabulary import Sentences

    _Lists = tuple[
        NDArray[np.int64], NDArray[np.int32], NDArray[np.int32], NDArray[np.float64]
    ]

__all__ = ["HmmAligner", "HmmModel"]

#: Jumps beyond this distance are alike.
_WINDOW = 40

#: Pairs of words with smaller expected counts in both directions are not kept.
_LEAST = 0.01

#: Chosen by alignment error on the Romanian-English and Chinese-English gold sets:
#: the prior of any pair of stems; what is added if they are spelt alike; the
#: occurrences of a word that its stem counts as; how much of its own count a pair
#: ignores.
_PRIOR, _LIKENESS, _BACK_OFF, _HELD_OUT = 2e-4, 3.0, 10.0, 0.8
_NULL_PRIOR, _JUMP_PRIOR = 0.03, 5.0


@dataclass(frozen=True, kw_only=True)
class HmmAligner:
    """An aligner that learns from the texts that it aligns.

    Two runs give the same links, on any number of threads.

    Parameters
    ----------
    model1_iterations, hmm_iterations : int
        Iterations of EM with model 1, and then with the hidden Markov model.
    stem_length : int
        Lower-cased words with the same first characters share what is learnt about
        rare ones.
    null_probability : float
        How likely a word has no counterpart, before anything is known about it.
    most_cells : int
        The most pairs of words in sentence pairs to learn from, at about 20 bytes
        each. If texts have more, sentence pairs at equal distances are learnt from.
    threads : int, optional
        All cores by default.
    progress : callable, optional
        Called with the number of finished iterations and that of all.

    Examples
    --------
    >>> sources = ["das haus", "das buch", "ein buch", "das alte haus"]
    >>> targets = ["the house", "the book", "a book", "the old house"]
    >>> forward, backward = HmmAligner().align(sources, targets)
    >>> [(link.hyp, link.ref) for link in forward[3]]
    [(0, 0), (1, 1), (2, 2)]
    >>> model = HmmAligner().fit(sources, targets)
    >>> [(link.hyp, link.ref) for link in model.align(["ein haus"], ["a house"])[0][0]]
    [(0, 0), (1, 1)]

    References
    ----------
    Brown, Della Pietra, Della Pietra and Mercer (1993). The mathematics of statistical
    machine translation. Vogel, Ney and Tillmann (1996). HMM-based word alignment in
    statistical translation. Och and Ney (2003). A systematic comparison of various
    statistical alignment models. Liang, Taskar and Klein (2006). Alignment by
    agreement.
    """

    model1_iterations: int = 3
    hmm_iterations: int = 5
    stem_length: int = 5
    null_probability: float = 0.15
    most_cells: int = 100_000_000
    threads: int | None = None
    progress: Callable[[int, int], object] | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        for name in ("model1_iterations", "hmm_iterations"):
            if getattr(self, name) < 0:
                value = getattr(self, name)
                raise InputError(f"{name} must be 0 or more, not {value}")
        if self.model1_iterations + self.hmm_iterations == 0:
            raise InputError("there must be an iteration, or nothing is learnt")
        if self.stem_length < 1:
            raise InputError(
                f"a stem has at least one character, not {self.stem_length}"
            )
        if not 0 <= self.null_probability < 1:
            raise InputError(
                "null_probability must be at least 0 and below 1, not "
                f"{self.null_probability}"
            )
        if self.most_cells < 1:
            raise InputError(f"most_cells must be 1 or more, not {self.most_cells}")

    def align(
        self, sources: Sequence[str], targets: Sequence[str]
    ) -> tuple[list[Links], list[Links]]:
        """Learn, and return the links of each segment, in both directions."""
        model = self.fit(sources, targets)
        return model.align(sources, targets, threads=self.threads)

    def soft_links(
        self, sources: Sequence[str], targets: Sequence[str], *, threshold: float = 0.1
    ) -> list[Links]:
        """Learn, and return all links that are likely, with their probabilities.

        Parameters
        ----------
        sources, targets : sequence of str
        threshold : float
            The smallest probability of a link: the geometric mean of those that it
            has in the two directions.
        """
        _check_threshold(threshold)
        model = self.fit(sources, targets)
        return model.soft_links(
            sources, targets, threshold=threshold, threads=self.threads
        )

    def fit(self, sources: Sequence[str], targets: Sequence[str]) -> HmmModel:
        """Learn, and return what was learnt, to align other texts.

        Raises
        ------
        InputError
            When the texts differ in length.
        """
        check_sizes(sources, targets)
        step = _step(sources, targets, self.most_cells)
        left, left_numbers = number_words(sources[::step])
        right, right_numbers = number_words(targets[::step])
        words = (
            Vocabulary.of(left_numbers, left, self.stem_length),
            Vocabulary.of(right_numbers, right, self.stem_length),
        )
        training = _core.BilingualTraining(
            left,
            right,
            words[0].stems(),
            words[1].stems(),
            _WINDOW,
            _settings(self.null_probability),
            self.threads or 0,
        )
        total = self.model1_iterations + self.hmm_iterations
        likelihoods = []
        for done in range(total):
            ordered = done >= self.model1_iterations
            # Model 1 without agreement: it has not seen enough to agree on.
            values = training.iterate(ordered, ordered, self.threads or 0)
            likelihoods.append((values[0], values[1]))
            if self.progress is not None:
                self.progress(done + 1, total)
        return HmmModel(
            words,
            _kept(training),
            self.null_probability,
            likelihoods=tuple(likelihoods),
        )


class HmmModel:
    """What an :class:`HmmAligner` has learnt: aligns any texts of its languages.

    Made by :meth:`HmmAligner.fit` or :meth:`load`.

    Attributes
    ----------
    words : pair of Vocabulary
        The words of source and target.
    likelihoods : tuple of pairs of float
        The log-likelihoods of both directions before each iteration.
    """

    def __init__(
        self,
        words: tuple[Vocabulary, Vocabulary],
        arrays: dict[str, NDArray[np.generic]],
        null_probability: float,
        *,
        likelihoods: tuple[tuple[float, float], ...] = (),
    ) -> None:
        self.words = words
        self.null_probability = null_probability
        self.likelihoods = likelihoods
        self._arrays = arrays
        self._core = _core.BilingualModel(
            words[0].stems(),
            words[1].stems(),
            arrays["rows"],
            arrays["table"],
            [arrays["counts0"], arrays["counts1"]],
            [arrays["null0"], arrays["null1"]],
            [arrays["jumps0"], arrays["jumps1"]],
            _settings(null_probability),
        )

    def align(
        self,
        sources: Sequence[str],
        targets: Sequence[str],
        *,
        threads: int | None = None,
    ) -> tuple[list[Links], list[Links]]:
        """Return the links of each segment, in both directions; nothing is learnt."""
        texts = self._read(sources, targets)
        forward, backward = self._core.links(*texts, threads or 0)
        return _links(forward), _links(backward)

    def soft_links(
        self,
        sources: Sequence[str],
        targets: Sequence[str],
        *,
        threshold: float = 0.1,
        threads: int | None = None,
    ) -> list[Links]:
        """Return all links that are likely; see :meth:`HmmAligner.soft_links`."""
        _check_threshold(threshold)
        texts = self._read(sources, targets)
        soft = self._core.soft_links(*texts, threshold, threads or 0)
        return _links(soft, weights=True)

    def save(self, path: StrPath) -> None:
        """Write the model to a file, a ZIP archive of a JSON header and arrays."""
        from tertium.align.hmm_file import write_hmm

        write_hmm(path, self, self._arrays)

    @classmethod
    def load(cls, path: StrPath) -> HmmModel:
        """Return a model that :meth:`save` wrote.

        Raises
        ------
        FormatError
            When the file is not such a model.
        """
        from tertium.align.hmm_file import read_hmm

        return read_hmm(path)

    def _read(
        self, sources: Sequence[str], targets: Sequence[str]
    ) -> tuple[Sentences, Sentences, _Known, _Known]:
        check_sizes(sources, targets)
        left, left_numbers = number_words(sources)
        right, right_numbers = number_words(targets)
        known = (
            self.words[0].look_up(left_numbers),
            self.words[1].look_up(right_numbers),
        )
        return left, right, *known


if TYPE_CHECKING:
    _Known = tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float64], list[str]]


def _kept(training: _core.BilingualTraining) -> dict[str, NDArray[np.generic]]:
    """Return what was learnt, without pairs of words that hardly count."""
    import numpy as np

    rows, table = training.table()
    counts = training.counts(0), training.counts(1)
    kept = (counts[0] >= _LEAST) | (counts[1] >= _LEAST)
    before = np.concatenate([[0], np.cumsum(kept)]).astype(np.int64)
    arrays: dict[str, NDArray[np.generic]] = {
        "rows": before[rows],
        "table": table[kept],
    }
    for d in (0, 1):
        arrays[f"counts{d}"] = counts[d][kept]
        arrays[f"null{d}"] = training.null_counts(d)
        arrays[f"jumps{d}"] = training.jumps(d)
    return arrays


def _settings(null_probability: float) -> list[float]:
    """Return the settings in the order of the core."""
    smoothing = [_PRIOR, _LIKENESS, _BACK_OFF, _HELD_OUT]
    return [*smoothing, null_probability, _NULL_PRIOR, _JUMP_PRIOR]


def _step(sources: Sequence[str], targets: Sequence[str], most: int) -> int:
    """Return the distance of the sentence pairs to learn from."""
    # Bytes are a bound that is cheap: a word has at least one, and a space.
    bound = sum(
        (len(source) // 2 + 1) * (len(target) // 2 + 1)
        for source, target in zip(sources, targets, strict=True)
    )
    if bound <= most:
        return 1
    cells = sum(
        len(source.split()) * len(target.split())
        for source, target in zip(sources, targets, strict=True)
    )
    return max(1, -(-cells // most))


def _links(lists: _Lists, *, weights: bool = False) -> list[Links]:
    first, sources, targets, values = (array.tolist() for array in lists)
    if weights:
        links = [*map(Link, sources, targets, values)]
    else:
        links = [*map(Link, sources, targets)]
    return [tuple(links[start:end]) for start, end in pairwise(first)]


def _check_threshold(threshold: float) -> None:
    if not 0 < threshold <= 1:
        raise InputError(
            f"threshold must be above 0 and at most 1, not {threshold}; 0.1 is usual"
        )
