# SPDX-License-Identifier: Apache-2.0
"""BEER (Stanojević and Sima'an 2014): features weighted by human judgements."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, overload

from tertium.errors import InputError
from tertium.learn.features.blocks import Reduced, Resources
from tertium.learn.features.length import Length
from tertium.learn.features.units import Units
from tertium.learn.model import Model
from tertium.learn.profile import DEFAULT_PROFILE
from tertium.learn.scoring import FusedScorer, model_scorer
from tertium.learn.shipped import find_model, shipped_path
from tertium.metrics.base import Metric
from tertium.metrics.kernels import mean_scores
from tertium.metrics.settings import Value, setting
from tertium.trees.parsers import PARSERS

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from tertium import _core
    from tertium.data.batch import Batch, References
    from tertium.learn.profile import Profile
    from tertium.metrics.base import Rows

__all__ = ["Beer"]

_RESOURCES = (
    "parser",
    "parser_model",
    "synonyms",
    "paraphrases",
    "embeddings",
    "roles",
    "wordlist",
    "context",
    "static",
)


class Beer(Metric):
    """BEER; the row is (score, 1)."""

    name = "beer"
    summary = "trained on human judgements: characters, words, order and edits"
    formula = (
        "s(w · φ(hyp, ref)), φ the features of a profile, w learnt from judgements, s "
        "a scaler to 0-1; the best of several references, the mean of segments"
    )
    paper = "Stanojević and Sima'an 2014, BEER; Stanojević 2017, chapters 5 and 6"
    equal_to = "BEER 2.0 (its model folder, as model=DIR; each segment)"
    training = (
        "human rankings of WMT12, WMT15 and WMT16, released by the organisers for "
        "research. On WMT14 into English, not trained on, segment-level tau is .368, "
        "with the word list .390, with static vectors .398, with matched words .405, "
        "with word pieces in context .447; chrF has .344, METEOR .356 (bench/BEER.md)"
    )
    licences = (
        "models Apache-2.0; word lists CC BY-SA 4.0, made from wordfreq; the weights "
        "of all-MiniLM-L6-v2 Apache-2.0. WordNet and paraphrases are the user's"
    )
    cost = "linear in the length of the text; character edits length² / 64"
    empty = (
        "0 for an empty corpus; two empty texts are copies, and one alone shares no "
        "unit with the other"
    )
    bounds = (0.0, 1.0)
    unit = 1.0
    weight_column = 1

    model: str = setting(
        "", "a model file, or a model folder of BEER 2.0", external=True
    )
    profile: str = setting(DEFAULT_PROFILE, "whose model to take, if none is named")
    language: str = setting("", "the target language: takes its own model, if any")
    parser: str = setting(
        "", "the parser, for features of trees", external=True, names=tuple(PARSERS)
    )
    parser_model: str = setting("", "the parser's model", external=True)
    synonyms: str = setting(
        "",
        "the folder of WordNet's files, for synonyms",
        external=True,
        names=("auto",),
    )
    paraphrases: str = setting("", "a paraphrase table", external=True)
    embeddings: str = setting("", "a file of word vectors", external=True)
    roles: str = setting("", "a file of semantic roles", external=True)
    wordlist: str = setting(
        "", "a word list, if the model was trained with it", external=True
    )
    context: str = setting(
        "", "the folder of a BERT model, for pieces in context", external=True
    )
    static: str = setting(
        "", "a file of static word vectors in eight bits", external=True
    )

    def __init__(self, **values: Value) -> None:
        super().__init__(**values)
        #: The model behind the scores.
        self.trained = trained = self._load()
        self._scorer = model_scorer(trained, name=self._name)
        self.symmetric = trained.profile.symmetric and (  # type: ignore[misc]
            not trained.scaler.needs_identity or _copies_are_alike(trained)
        )
        self.layers = trained.profile.layers  # type: ignore[misc]
        if not trained.scaler.needs_identity:
            self.copy_exception = (  # type: ignore[misc]
                "the model was not made to give a copy of the reference 1"
            )

    def _load(self) -> Model:
        """Return the model that the settings ask for, with its resources."""
        wanted = self.profile
        if self.parser and shipped_path(f"{wanted}-parsed"):
            wanted = f"{wanted}-parsed"  # learnt from real trees, not flattened ones
        model, self._name = find_model(self.model, wanted, self.language)
        if self.model and self.profile not in (DEFAULT_PROFILE, model.profile.name):
            message = (
                f"beer: model={self.model} has the profile {model.profile.name}, not "
                f"{self.profile}; leave out profile="
            )
            raise InputError(message)
        self._check_resources(model.profile)
        self._check_language(model.profile)
        resources = {name: getattr(self, name) for name in _RESOURCES}
        equipped = model.profile.equipped(Resources(self.language, **resources))
        if equipped.names != model.profile.names:
            odd = sorted(set(equipped.names) ^ set(model.profile.names))
            message = (
                f"beer: with these settings {self._name} has other features than in "
                f"training ({', '.join(odd[:3])}); train it with the same settings"
            )
            raise InputError(message)
        self._unequipped = model
        return replace(model, profile=equipped)

    def resources(self) -> Mapping[str, str] | None:
        """Return the model and what its features read; see :class:`Metric`."""
        from tertium.learn.keys import profile_resources
        from tertium.metrics.resources import file_resources, joined_resources

        # Models that come with Tertium are part of its code.
        model = file_resources({"model": self.model} if self.model else {})
        return joined_resources([model, profile_resources(self.trained.profile)])

    @property
    def fused(self) -> bool:
        """Whether one kernel computes scores from texts on."""
        return isinstance(self._scorer, FusedScorer)

    @property
    def width(self) -> int:
        """The number of statistics in a row."""
        return 2

    def statistics(
        self, hyps: Sequence[str], refs: References, *, threads: int | None = None
    ) -> Rows:
        """Return one row of statistics per segment; see :class:`Metric`."""
        return self.rows(self.checked([hyps], refs), threads=threads)[0]

    def rows(self, batch: Batch, *, threads: int | None = None) -> list[Rows]:
        """Return the rows of every system; references are read once."""
        return self._scorer.rows(batch, threads)

    def sums(self, batch: Batch, *, threads: int | None = None) -> list[_core.Sums]:
        """Return the exact sum of the rows of every system."""
        if isinstance(self._scorer, FusedScorer):
            return self._scorer.sums(batch, threads)
        return super().sums(batch, threads=threads)

    @overload
    def from_statistics(self, rows: list[float]) -> float: ...
    @overload
    def from_statistics(self, rows: ArrayLike) -> float | Rows: ...
    def from_statistics(self, rows: ArrayLike) -> float | Rows:
        """Return the mean of a sum of rows, or of every sum along the last axis."""
        return mean_scores(rows, metric=self)

    def margins(self, hyps: Sequence[str], refs: Sequence[str]) -> list[float]:
        """Return the raw values of texts before scaling, one reference each.

        A tuner that weighs differences (PRO, MIRA) wants them: they do not crowd.
        """
        features = self.trained.profile.features(list(hyps), list(refs), threads=1)
        return [float(value) for value in self.trained.raw(features)]

    def signature_fields(self) -> dict[str, str]:
        """Return the model with its fingerprint, profile, language and resources."""
        profile = self.trained.profile
        fields = {
            "model": f"{self._name}#{self._unequipped.fingerprint}",
            "profile": profile.name,
            "lang": self.language or "any",
            "case": "lc" if profile.lowercase else "mixed",
        }
        resources = {
            name: os.path.basename(getattr(self, name).rstrip("/"))
            for name in _RESOURCES
            if getattr(self, name)
        }
        return {**fields, **resources}

    def _check_resources(self, profile: Profile) -> None:
        """Raise if something was given that no feature reads."""
        for name in _RESOURCES:
            if getattr(self, name) and name not in profile.uses:
                read = ", ".join(profile.uses) or "none of them"
                message = (
                    f"beer: no feature of {profile.name} reads {name}=; leave it out "
                    f"(its features read {read})"
                )
                raise InputError(message)

    def _check_language(self, profile: Profile) -> None:
        """Raise if features were learnt for another language than the one named."""
        for block in profile.blocks:
            whole = block.whole if isinstance(block, Reduced) else block
            known = getattr(whole, "language", "")
            if known and self.language and known.lower() != self.language.lower():
                message = (
                    f"beer: {self._name} is for the language {known}, not "
                    f"{self.language}; leave out language=, or train a model for it"
                )
                raise InputError(message)


def _copies_are_alike(model: Model) -> bool:
    """Return whether every reference has the same features against itself."""
    return all(
        (isinstance(block, Units) and block.empty == "backoff")
        or (isinstance(block, Length) and block.empty == 1)
        for block in model.profile.blocks
    )
