# SPDX-License-Identifier: Apache-2.0
"""METEOR: harmonic mean of weighted precision and recall, less a penalty for order.

Denkowski and Lavie 2014 (version 1.5) by default, Banerjee and Lavie 2005 with
``version=2005``. Matches in the formula are words, averaged over both sides. A pair
that is matched throughout and in one chunk has no penalty in version 1.5.

``aligner=meteor``, the default, chooses matches as the program does; ``aligner=beam``
does what its papers say, and finds more: on WMT15 German-English with all matchers its
segment scores are .012 off those of the program.

NLTK's function of the same name is the form of 2005 with an aligner that takes
matches stage by stage; here all matchers are searched at once.
"""

from __future__ import annotations

from tertium import _core
from tertium.align.aligner import ALIGNERS
from tertium.align.matchers import split_match
from tertium.data.annotated import layer
from tertium.data.batch import Batch
from tertium.data.lines import open_lines
from tertium.errors import FormatError, InputError
from tertium.metrics.aligned import AlignedMetric
from tertium.metrics.meteor_parameters import (
    FORM_2005,
    LANGUAGES,
    TASKS,
    Parameters,
    parameters,
)
from tertium.metrics.settings import Value, setting
from tertium.text.meteor_tokens import meteor_tokenize
from tertium.text.tokenizers import NATIVE_TOKENIZERS

__all__ = ["Meteor", "MeteorChunking"]


class Meteor(AlignedMetric):
    """METEOR; the row holds the statistics that Meteor 1.5 sums.

    Words and function words of both texts; for every matcher the matched content and
    function words of both; chunks; matched words of both.
    """

    name = "meteor"
    summary = "matched words, weighted by matcher, and how few chunks they form"
    formula = (
        "(1 − γ(chunks/m)^β) · PR/(αP + (1−α)R); "
        "P = Σᵢ wᵢ(δ·content + (1−δ)·function) matched / (δ·content + (1−δ)·function)"
    )
    paper = "Denkowski & Lavie 2014, Meteor Universal; Banerjee & Lavie 2005"
    equal_to = (
        "Meteor 1.5 given the same alignment; with all four matchers nine in ten "
        "segments of WMT15 de-en agree to .001, systems to .0003"
    )
    cost = "that of the aligner"
    empty = "0 if nothing is matched, as where a text is empty"
    bounds = (0.0, 1.0)
    unit = 1.0
    copy_exception = (
        "a copy of a text without words matches nothing; in the form of 2005 even one "
        "chunk costs something"
    )

    layers = ("links",)
    punctuation = (
        "cut off as Meteor 1.5 does (-norm), and matched like words; with "
        "normalize=no words are cut by tokenize"
    )

    tokenize: str = setting(
        "none", "the tokeniser, with normalize=no", choices=NATIVE_TOKENIZERS
    )
    version: str = setting("1.5", "the form of the score", choices=("1.5", "2005"))
    aligner: str = setting(
        "meteor",
        "meteor: as the program aligns; beam: as the paper says",
        choices=ALIGNERS,
    )
    match: str = setting(
        "exact+stem", "matchers: exact+stem+synonym+paraphrase; exact for cs and other"
    )
    language: str = setting("en", f"the language: {' '.join(LANGUAGES)}")
    task: str = setting("rank", "what the parameters were tuned for", choices=TASKS)
    normalize: bool = setting(
        True, "whether to normalise and tokenise as Meteor does (-norm)"
    )
    function_words: str = setting(
        "", "a file of function words, one per line", external=True
    )
    alpha: float | None = setting(
        None, "weight of precision; by language", minimum=0, maximum=1
    )
    beta: float | None = setting(None, "shape of the penalty; by language", minimum=0)
    gamma: float | None = setting(
        None, "greatest penalty; by language", minimum=0, maximum=1
    )
    delta: float | None = setting(
        None, "weight of content words; by language", minimum=0, maximum=1
    )
    weights: str = setting("", "weights of the matchers, as 1+0.6; by language")

    def __init__(self, **values: Value) -> None:
        # Meteor has no stems for these, and Snowball not everywhere.
        if values.get("language") in ("cs", "other"):
            values.setdefault("match", "exact")
        super().__init__(**values)
        if self.normalize and self.tokenize != "none":
            message = (
                f"{self.name}: normalize=yes has a tokeniser of its own; write "
                f"normalize=no,tokenize={self.tokenize}"
            )
            raise InputError(message)
        self._words = _function_words(self.function_words)

    @property
    def parameters(self) -> Parameters:
        """The parameters in force, with the weights of the matchers used."""
        if self.version == "2005":
            published = FORM_2005
            parameters(self.language, "li")  # for the check of the language
        else:
            published = parameters(self.language, self.task)
        names = split_match(self.match)
        settings = (self.alpha, self.beta, self.gamma, self.delta)
        values = [
            default if value is None else value
            for value, default in zip(settings, published[:4], strict=True)
        ]
        # A matcher for which the language has no weight gets the
        # language-independent one.
        fallback = parameters(self.language, "li").weights
        weights = {
            name: published.weights.get(name, fallback.get(name, 0.5)) for name in names
        }
        if self.weights:
            weights = dict(zip(names, self._read_weights(len(names)), strict=True))
        return Parameters(values[0], values[1], values[2], values[3], weights)

    def _read_weights(self, count: int) -> list[float]:
        try:
            weights = [float(text) for text in self.weights.split("+")]
        except ValueError:
            weights = []
        if len(weights) != count or not all(0 <= weight <= 1 for weight in weights):
            message = (
                f"{self.name}: weights {self.weights!r} are not one number from 0 to 1 "
                f"for each of {self.match}; write weights=1+0.6"
            )
            raise InputError(message)
        return weights

    def make_kernel(self) -> _core.PairKernel:
        """Return the kernel."""
        return self._make_kernel(order_only=False)

    def _make_kernel(self, *, order_only: bool) -> _core.PairKernel:
        parameters = self.parameters
        return _core.meteor(
            list(parameters.weights.values()),
            parameters.alpha,
            parameters.beta,
            parameters.gamma,
            parameters.delta,
            self.version != "2005",
            order_only,
        )

    def align(self, batch: Batch, *, threads: int | None = None) -> _core.Pairs:
        """Return the texts as aligned pairs, with function words marked."""
        if self.normalize:
            language = self.language
            batch = batch.layer(
                ("meteor", language), lambda: _normalized(batch, language)
            )
        pairs = super().align(batch, threads=threads)
        # Other metrics share the pairs, so they are marked anew for every one.
        pairs.set_function_words(self._words)
        return pairs

    def signature_fields(self) -> dict[str, str]:
        """Return the settings as fields of a signature."""
        fields = super().signature_fields()
        parameters = self.parameters
        for name in ("version", "task", "normalize", "weights", "function_words"):
            del fields[name]
        if self.normalize:
            fields["tok"] = f"meteor-{self.language}"
        fields["form"] = self.version
        if self.version != "2005":
            fields["task"] = self.task
        for name, value in zip(parameters._fields[:4], parameters[:4], strict=True):
            fields[name] = f"{value:g}"
        fields["weights"] = "+".join(
            f"{weight:g}" for weight in parameters.weights.values()
        )
        fields["function"] = str(len(self._words)) if self._words else "none"
        return fields

    @property
    def label(self) -> str:
        """METEOR."""
        return "METEOR"


class MeteorChunking(Meteor):
    """The part of METEOR that looks at order: 1 − penalty."""

    name = "meteor-chunking"
    summary = "METEOR's penalty for order alone: how few chunks the matches form"
    formula = "1 − γ(chunks/m)^β; 0 if nothing is matched"
    paper = "McCaffery 2017, The mat sat on the cat, 3.5.4"
    equal_to = "Meteor 1.5's fragmentation penalty given the same alignment"

    def make_kernel(self) -> _core.PairKernel:
        """Return the kernel."""
        return self._make_kernel(order_only=True)

    @property
    def label(self) -> str:
        """METEOR chunks."""
        return "METEOR-ch"


def _function_words(path: str) -> frozenset[str]:
    if not path:
        return frozenset()
    words = []
    for number, line in enumerate(open_lines(path), 1):
        if len(line.split()) > 1:
            message = f"has several words, {line[:40]!r}; write one per line"
            raise FormatError(message, path=path, line=number)
        words.append(line.strip())
    return frozenset(words) - {""}


def _normalized(batch: Batch, language: str) -> Batch:
    """Return the texts as METEOR's normaliser writes them."""
    for text in batch.texts:
        if layer(text, "links") is not None:
            message = (
                f"{text!r} brings links between words at spaces, which normalising "
                "may cut; write meteor:normalize=no"
            )
            raise InputError(message)
    done = iter(meteor_tokenize(batch.texts, language))
    refs = [tuple(next(done) for _ in texts) for texts in batch.nested]
    return Batch([[next(done) for _ in hyps] for hyps in batch.systems], refs)
