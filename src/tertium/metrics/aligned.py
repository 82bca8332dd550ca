# SPDX-License-Identifier: Apache-2.0
"""What metrics over aligned words share: the aligner and its settings."""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, ClassVar, overload

from tertium import _core
from tertium._messages import quote
from tertium.align.aligner import ALIGNERS, AlignerSettings, aligner
from tertium.align.matchers import (
    BUILTIN_MATCHERS,
    check_resources,
    split_match,
    stemmer_name,
)
from tertium.data.annotated import layer
from tertium.data.batch import Batch, References, lone_surrogate
from tertium.errors import InputError
from tertium.metrics.base import Metric
from tertium.metrics.kernels import kernel_scores
from tertium.metrics.settings import Value, setting
from tertium.metrics.treebank import treebank
from tertium.text.tokenizers import NATIVE_TOKENIZERS, tokenize, tokenizer_signature

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from tertium.metrics.base import Rows

__all__ = ["DEFAULT_TOKENIZER", "AlignedMetric", "AlignedPercentage", "LinkTau"]

#: Words without punctuation, in any script: word order must not depend on a full stop.
#: bench/studies/order_tokens.py compares it with others.
DEFAULT_TOKENIZER = "words"
#: The default tokeniser, or white space where outputs bring links.
AUTO = "auto"


class AlignedMetric(Metric):
    """A metric whose kernel reads aligned pairs of texts.

    Of several references the one with the best score counts.
    """

    _kernel: _core.PairKernel

    layers: ClassVar[tuple[str, ...]] = ("links", "tree")
    longest: ClassVar[int | None] = 100_000
    #: Settings that name a parser and its model.
    parser_settings: ClassVar[tuple[str, ...]] = ()
    punctuation = (
        "left out, except inside words and numbers (don't, 1,000.50); tokenize=13a "
        "makes marks words of their own, none leaves them on their words; given trees "
        "bring their own words, given links count words at white space, or those of "
        "tokenize if it is set"
    )

    tokenize: str = setting(
        AUTO,
        "the tokeniser of texts; auto: words, or none where links are given",
        choices=(AUTO, *NATIVE_TOKENIZERS),
    )
    lowercase: bool = setting(True, "whether to ignore case")
    aligner: str = setting("beam", "how words are aligned", choices=ALIGNERS)
    match: str = setting("exact", "matchers: exact+stem+synonym+paraphrase")
    language: str = setting("en", "the language of stems")
    synonyms: str = setting(
        "",
        "the folder of WordNet's files, for synonym",
        external=True,
        names=("auto",),
    )
    paraphrases: str = setting("", "a paraphrase table, for paraphrase", external=True)
    beam: int = setting(40, "states that the aligner keeps", minimum=1)

    def __init__(self, **values: Value) -> None:
        super().__init__(**values)
        self._kernel = self.make_kernel()
        names = split_match(self.match)
        if self.aligner == "context" and names != ("exact",):
            message = f"{self.name}: aligner=context knows match=exact only"
            raise InputError(message)
        try:
            check_resources(
                self.match, synonyms=self.synonyms, paraphrases=self.paraphrases
            )
        except InputError as error:
            raise InputError(f"{self.name}: {error}") from None
        if "stem" in names:
            stemmer_name(self.language)

    @abstractmethod
    def make_kernel(self) -> _core.PairKernel:
        """Return the kernel for the settings."""

    @property
    def width(self) -> int:
        """The number of statistics in a row."""
        return self._kernel.width

    def check(self, batch: Batch) -> None:
        """Raise an error if texts are too long, or some of them bring no tree."""
        super().check(batch)
        self.check_trees(batch)

    def check_trees(self, batch: Batch) -> None:
        """Raise an error if some texts bring trees, whose words count, and some none.

        Raises
        ------
        InputError
        """
        if "tree" not in self.layers or not batch.brings("tree"):
            return
        for text in batch.texts:
            if layer(text, "tree") is None:
                message = (
                    f"{self.spec}: {quote(text)} has no dependency tree, and other "
                    "texts have one; give every text a tree, or score this metric in a "
                    "separate run without trees"
                )
                raise InputError(message, options=("trees", "ref_trees"))

    def statistics(
        self, hyps: Sequence[str], refs: References, *, threads: int | None = None
    ) -> Rows:
        """Return one row of statistics per segment; see :class:`Metric`."""
        return self.rows(self.checked([hyps], refs), threads=threads)[0]

    @overload
    def from_statistics(self, rows: list[float]) -> float: ...
    @overload
    def from_statistics(self, rows: ArrayLike) -> float | Rows: ...
    def from_statistics(self, rows: ArrayLike) -> float | Rows:
        """Return the score of a row, or of every row along the last axis."""
        return kernel_scores(self._kernel, rows, metric=self)

    def pairs(self, batch: Batch, *, threads: int | None = None) -> _core.Pairs:
        """Return the texts as aligned pairs, for every system and reference."""
        try:
            return self.align(batch, threads=threads)
        except UnicodeEncodeError as error:
            raise lone_surrogate(batch.systems, batch.references) from error
        except InputError:
            raise
        except (ValueError, IndexError) as error:
            raise InputError(str(error)) from None

    def align(self, batch: Batch, *, threads: int | None = None) -> _core.Pairs:
        """Return the texts as aligned pairs; metrics that align alike share them.

        Texts that bring trees are read as the words of these. Where an output brings
        links, the texts of its segment are cut at white space, unless a tokeniser is
        asked for, whose words the links count then. All systems are cut alike.
        """
        if "tree" in self.layers and batch.brings("tree"):
            shared = treebank("", "", "", self.shared_settings)
            return shared.pairs(batch, threads=threads)
        settings = self.aligner_settings
        if self.word_splitter(linked=True) == "none" and batch.brings("links"):
            linked = [
                any(layer(hyp, "links") is not None for hyp in hyps)
                for hyps in zip(*batch.systems, strict=True)
            ]
            if not all(linked):
                return batch.layer(
                    ("linked", settings), lambda: self._mixed(batch, linked, threads)
                )
            settings = self.shared_settings
        made = aligner(**settings._asdict())
        return batch.layer(
            ("aligned", settings),
            lambda: made.pairs(batch.systems, batch.nested, threads=threads),
        )

    def _mixed(
        self, batch: Batch, linked: Sequence[bool], threads: int | None
    ) -> _core.Pairs:
        """Return pairs of which some are cut at white space, as their links want it."""
        names = [self.word_splitter(linked=is_linked) for is_linked in linked]
        return aligner(**self.shared_settings._asdict()).token_pairs(
            [_cut(hyps, names) for hyps in batch.systems],
            [
                _cut(refs, [name] * len(refs))
                for refs, name in zip(batch.nested, names, strict=True)
            ],
            systems=batch.systems,
            threads=threads,
        )

    def word_splitter(self, *, linked: bool) -> str:
        """Return the tokeniser of texts, whose output may bring links."""
        if self.tokenize != AUTO:
            return self.tokenize
        return "none" if linked else DEFAULT_TOKENIZER

    @property
    def aligner_settings(self) -> AlignerSettings:
        """The settings that are the aligner's."""
        values = {name: getattr(self, name) for name in AlignerSettings._fields}
        return AlignerSettings(
            **{**values, "tokenize": self.word_splitter(linked=False)}
        )

    @property
    def shared_settings(self) -> AlignerSettings:
        """The aligner's settings for words that were cut before."""
        return self.aligner_settings._replace(tokenize="none")

    def rows(self, batch: Batch, *, threads: int | None = None) -> list[Rows]:
        """Return the rows of every system; texts are aligned once."""
        pairs = self.pairs(batch, threads=threads)
        with self.own_errors():
            return self._kernel.rows(pairs, threads or 0)

    def sums(self, batch: Batch, *, threads: int | None = None) -> list[_core.Sums]:
        """Return the exact sum of the rows of every system; rows are not kept."""
        pairs = self.pairs(batch, threads=threads)
        with self.own_errors():
            return self._kernel.sums(pairs, threads or 0)

    def reference_scores(
        self, hyps: Sequence[str], refs: References, *, threads: int | None = None
    ) -> list[list[float]]:
        """Return the score of every segment against each of its references.

        Parameters
        ----------
        hyps : sequence of str
        refs : sequence of str or of sequences of str
            One reference, or several, for every segment.
        threads : int, optional
            All cores by default.

        Returns
        -------
        list of lists of float
            In the order of the references. The best one, of those that say something
            (see :attr:`empty`), is the segment's score.

        Raises
        ------
        InputError
            As :meth:`segment_scores` does.

        Examples
        --------
        >>> import tertium
        >>> metric = tertium.metric("kendall")
        >>> metric.reference_scores(["b a c"], [["a b c", "b a c"]])
        [[0.6666666666666667, 1.0]]
        >>> metric.segment_scores(["b a c"], [["a b c", "b a c"]]).tolist()
        [1.0]
        """
        import numpy as np

        pairs = self.pairs(self.checked([hyps], refs), threads=threads)
        with self.own_errors():
            rows = self._kernel.reference_rows(pairs, threads or 0)[0]
        scores = iter(np.asarray(self.from_statistics(rows)).tolist())
        counts = [1 if isinstance(texts, str) else len(texts) for texts in refs]
        return [list(islice(scores, count)) for count in counts]

    @contextmanager
    def own_errors(self) -> Iterator[None]:
        """Turn errors of the kernel (texts too long, say) into errors of ours."""
        try:
            yield
        except ValueError as error:
            raise InputError(f"{self.spec}: {error}") from None

    def resources(self) -> Mapping[str, str] | None:
        """Return the tables of the matchers; see :class:`Metric`."""
        from tertium.metrics.resources import (
            default_resources,
            joined_resources,
            wordnet_resource,
        )

        names = split_match(self.match)
        if not set(BUILTIN_MATCHERS).issuperset(names):
            return None  # Who knows what a registered matcher reads?
        parts = [default_resources(self, without=("synonyms", *self.parser_settings))]
        if "synonym" in names:
            parts.append(wordnet_resource(self.synonyms))
        return joined_resources(parts)

    def signature_fields(self) -> dict[str, str]:
        """Return the settings as fields of a signature."""
        fields = super().signature_fields()
        for name in AlignerSettings._fields:
            del fields[name]
        case = "lc" if self.lowercase else "mixed"
        splitter = self.word_splitter(linked=False)
        shared = {"case": case, "tok": tokenizer_signature(splitter)}
        if self.aligner == "context":
            shared["align"] = "context"
        else:
            shared["match"] = self._match_signature()
            if self.aligner != "beam":
                shared["align"] = self.aligner
            if self.beam != type(self).settings["beam"].default:
                shared["beam"] = str(self.beam)
        return {**shared, **fields}

    def signature_for(self, **run: str) -> str:
        """Return the signature; of what was given, not how it would be made."""
        made = run.pop("parser", "")
        layers = run.get("given", "").split("+")
        hidden: set[str] = set()
        if "links" in layers or "sure-links" in layers:
            hidden = {"match", "align", "beam"}
        if "permutation" in layers:
            hidden = {"match", "align", "beam", "case", "tok"}
        fields = dict(f.split(":", 1) for f in super().signature_for(**run).split("|"))
        if any(name.endswith("links") for name in layers) and "tok" in fields:
            fields["tok"] = tokenizer_signature(self.word_splitter(linked=True))
        if "tree" in layers and fields.get("trees", "given") == "given":
            # Trees bring their words; a file may say which parser made them.
            key = "trees" if "trees" in fields else "tok"
            fields[key] = f"given({made})" if made else "given"
            fields = {"trees" if k == key else k: v for k, v in fields.items()}
        return "|".join(f"{k}:{v}" for k, v in fields.items() if k not in hidden)

    def _match_signature(self) -> str:
        """Return the matchers, each with what it depends on."""
        details = {
            "stem": self.language,
            "synonym": os.path.basename(self.synonyms.rstrip("/")),
            "paraphrase": os.path.basename(self.paraphrases),
        }
        return "+".join(
            f"{name}({details[name]})" if details.get(name) else name
            for name in split_match(self.match)
        )


def _cut(texts: Sequence[str], tokenizers: Sequence[str]) -> list[list[str]]:
    """Return the words of every text, each cut by a tokeniser of its own."""
    pairs = zip(texts, tokenizers, strict=True)
    return [tokenize([text], name)[0] for text, name in pairs]


class AlignedPercentage(AlignedMetric):
    """The share of aligned words; the row is (aligned words, words)."""

    name = "aligned-percentage"
    summary = "share of words, of output and reference together, that are aligned"
    formula = "(aligned words of hyp + of ref) / (|hyp| + |ref|), summed over segments"
    paper = "McCaffery 2017, The mat sat on the cat, 3.5.1"
    equal_to = "the thesis's worked example"
    cost = "that of the aligner"
    empty = "0 if both are empty or nothing is aligned"
    bounds = (0.0, 1.0)
    unit = 1.0
    copy_exception = (
        "a copy of an empty reference has no words to align, and aligner=context "
        "leaves out repeated words that no context makes unique"
    )

    def make_kernel(self) -> _core.PairKernel:
        """Return the kernel."""
        return _core.aligned_percentage()

    @property
    def label(self) -> str:
        """Aligned."""
        return "Aligned"


class LinkTau(AlignedMetric):
    """Kendall's tau over pairs of links; the row is (tau, 1, 0), or (0, 0, 1).

    Segments where it is undefined, for lack of two links that share no word, have
    no weight in the mean; the last column counts them.
    """

    name = "link-tau"
    summary = "rank correlation of aligned words, over all pairs of links"
    formula = (
        "τ = (concordant - discordant) / (concordant + discordant) over pairs of links "
        "that share no word; corpus = mean over segments where it is defined"
    )
    paper = "McCaffery 2017, The mat sat on the cat, 3.5.2"
    equal_to = "the thesis's worked example, its printed sign corrected"
    cost = "that of the aligner, and links · log links"
    empty = "0, without weight in the mean, where there are no two links to compare"
    bounds = (-1.0, 1.0)
    unit = 1.0
    weight_column = 1
    degenerate_column = 2
    copy_exception = "a copy of fewer than two words has no pair of links"

    def make_kernel(self) -> _core.PairKernel:
        """Return the kernel."""
        return _core.link_tau()

    @property
    def label(self) -> str:
        """Link τ."""
        return "Link τ"
