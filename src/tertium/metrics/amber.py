# SPDX-License-Identifier: Apache-2.0
"""AMBER (Chen and Kuhn 2011): n-gram precision, recall and F, times ten penalties.

The text is scored in eight forms, and the score is their mean. Formulas follow Macháček
2014, 4.2.1, who names neither weights nor penalties. The defaults of penalties,
exponents, θ, α, γ and β have not been checked with the paper itself; all are settings.
Other details are settled as follows:

- *Forms.* ``words``: tokens in lower case; ``stems``: Snowball stems; ``prefixes`` and
  ``suffixes``: four characters of each word; ``prefix-split`` and ``suffix-split``: the
  same and the rest of the word, as two tokens; ``pieces``: the word cut every four
  characters; ``windows``: all its substrings of four. Words of up to four characters
  are kept.
- *AvgP* adds one to matches and n-grams from n = 2 on, so that segments have a score.
  Orders longer than both texts are left out.
- *Chunks* are matched words minus matched pairs of words; a copy has none.
- *Continuity* is e^(c-1), where c is the share of matched n-grams that continue one.
- *Order* is that of words which RIBES identifies; fewer than two have no penalty. In a
  corpus, segments weigh as many words as are identified.
- Penalties are multiplied with their exponents, which do not add up to 1.

Of several references the one with the best score counts, form by form.
"""

from __future__ import annotations

from collections.abc import Sequence

from tertium import _core
from tertium.errors import InputError, UnknownNameError
from tertium.metrics.parts import ScorePart, ScoreParts
from tertium.metrics.settings import Setting, Value, setting
from tertium.metrics.words import WordMetric
from tertium.text.tokenizers import TOKENIZERS, tokenize

__all__ = ["Amber"]

_FORMS = (
    "words", "stems", "prefixes", "suffixes", "prefix-split", "suffix-split", "pieces",
    "windows",
)  # fmt: skip

#: What separates a line from its stems, for the kernel.
_STEMS = "\x1e"

#: The exponents of the penalties, in the order of the kernel.
_PENALTIES: dict[str, Setting] = {
    name: setting(default, f"exponent of the penalty for {about}", minimum=0)
    for name, default, about in (
        ("brevity", 0.3, "short text, in words"),
        ("redundancy", 0.1, "long text, in words"),
        ("char_brevity", 0.15, "short text, in characters"),
        ("char_redundancy", 0.05, "long text, in characters"),
        ("short_words", 0.1, "too many or few words of at most 3 characters"),
        ("long_words", 0.2, "too many or few words of 4 characters and more"),
        ("chunks", 1.0, "many chunks"),
        ("continuity", 0.8, "n-grams that do not continue others"),
        ("spearman", 0.5, "word order, by Spearman's rho"),
        ("kendall", 2.0, "word order, by Kendall's tau"),
    )
}


#: Weights that leave one of the three averages.
_AVERAGES = {
    "AvgP": {"theta_precision": 1.0, "theta_mean": 0.0, "theta_f": 0.0},
    "Fmean": {"theta_precision": 0.0, "theta_mean": 1.0, "theta_f": 0.0},
    "AvgF": {"theta_precision": 0.0, "theta_mean": 0.0, "theta_f": 1.0},
}
#: Smaller losses are shown as 0.
_SEEN = 0.0005


class Amber(WordMetric, settings=_PENALTIES):
    """AMBER; the row holds one block of counts per form.

    Matches and n-grams by order; lengths of the shorter and the longer text in words
    and characters; differences in short and long words; chunks; aligned words.
    """

    name = "amber"
    summary = "n-gram precision, recall and F in eight forms of the text, penalised"
    formula = (
        "mean over forms of (θ₁·AvgP + θ₂·Fmean + θ₃·AvgF) · Π penaltyᵢ^wᵢ; AvgP = "
        "geometric mean of pₙ, Fmean = F of mean pₙ and mean rₙ, AvgF = mean of Fₙ; "
        "F = PR/(αP + (1-α)R), n ≤ 4; penalties: lengths in words and characters, "
        "short and long words, chunks, continuity, Spearman and Kendall; all counts "
        "summed over segments"
    )
    paper = "Chen and Kuhn 2011, AMBER: A Modified BLEU, Enhanced Ranking Metric"
    equal_to = (
        "the definition in Macháček 2014, 4.2.1; forms and details that it leaves open "
        "are Tertium's, and the authors' program was not at hand"
    )
    cost = "words² for the order of words, eight times"
    longest = 100_000
    empty = "0 for an empty hypothesis or reference"
    punctuation = (
        "cut off as words of their own by tokenize=13a; tokenize=none leaves marks on "
        "their words"
    )
    bounds = (0.0, 1.0)
    unit = 1.0
    copy_exception = "a copy of a text without words gets 0"

    tokenize: str = setting("13a", "the tokeniser", choices=TOKENIZERS)
    lowercase: bool = setting(True, "whether to ignore case")
    forms: str = setting("+".join(_FORMS), "forms of the text, joined by +")
    language: str = setting("en", "the language of stems; other languages: no stems")
    max_ngram_order: int = setting(4, "the longest n-grams", minimum=1, maximum=64)
    alpha: float = setting(0.9, "weight of recall in F", minimum=0, maximum=1)
    theta_precision: float = setting(0.3, "weight of AvgP", minimum=0)
    theta_mean: float = setting(0.5, "weight of Fmean", minimum=0)
    theta_f: float = setting(0.2, "weight of AvgF", minimum=0)
    gamma: float = setting(0.1, "greatest chunk penalty", minimum=0, maximum=1)
    beta: float = setting(3.0, "shape of the chunk penalty", minimum=0)

    def __init__(self, **values: Value) -> None:
        super().__init__(**values)
        total = self.theta_precision + self.theta_mean + self.theta_f
        if abs(total - 1) > 1e-9:
            message = (
                f"amber: theta_precision, theta_mean and theta_f add up to {total:g}; "
                "they are weights of a mean, so make it 1"
            )
            raise InputError(message)

    @property
    def form_names(self) -> list[str]:
        """The forms of the text that are scored."""
        names = [name.strip() for name in self.forms.split("+")]
        for name in names:
            if name not in _FORMS:
                raise UnknownNameError("form of amber", name, _FORMS)
        if len(set(names)) < len(names):
            message = f"amber: forms={self.forms} has a form twice; keep one"
            raise InputError(message)
        if "stems" in names and not self._has_stems:
            names.remove("stems")
        if not names:
            message = (
                f"amber: Snowball has no stems of language={self.language}; choose "
                "other forms, such as words"
            )
            raise InputError(message)
        return names

    @property
    def _has_stems(self) -> bool:
        from tertium.align.matchers import stemmer_name

        try:
            stemmer_name(self.language)
        except UnknownNameError:
            return False
        return True

    def make_kernel(self) -> _core.Kernel:
        """Return the kernel for the settings."""
        return _core.amber(
            tokenize=self.kernel_tokenizer,
            forms=self.form_names,
            max_ngram_order=self.max_ngram_order,
            alpha=self.alpha,
            theta=(self.theta_precision, self.theta_mean, self.theta_f),
            gamma=self.gamma,
            beta=self.beta,
            weights=[getattr(self, name) for name in _PENALTIES],
        )

    def preprocess(self, lines: list[str]) -> list[str]:
        """Return the lines, each followed by its stems where they are a form."""
        lines = super().preprocess(lines)
        if "stems" not in self.form_names:
            return lines
        words_by_line = tokenize(lines, self.kernel_tokenizer)
        stems = self._stems(words_by_line)
        return [
            f"{line}{_STEMS}{' '.join([stems[word] for word in words])}"
            for line, words in zip(lines, words_by_line, strict=True)
        ]

    def _stems(self, words_by_line: list[list[str]]) -> dict[str, str]:
        from tertium.align.matchers import StemMatcher

        words = list(set().union(*words_by_line))
        return dict(zip(words, StemMatcher(self.language).stems(words), strict=True))

    def score_parts(self, hyp: str, refs: Sequence[str]) -> ScoreParts:
        """Return the n-gram score and what each penalty takes off."""
        row = self.statistics([hyp], [tuple(refs)])[0].tolist()
        score = self.from_statistics(row)
        free = dict.fromkeys(_PENALTIES, 0.0)
        whole = self._changed(**free).from_statistics(row)
        each = ", ".join(
            f"{label} {self._changed(**free, **theta).from_statistics(row):.3f}"
            for label, theta in _AVERAGES.items()
        )
        lost = [
            (score - self._changed(**{key: 0.0}).from_statistics(row), key)
            for key in _PENALTIES
        ]
        parts = [ScorePart(whole, f"n-grams: {each}")]
        parts += [
            ScorePart(loss, self.settings[key].about.partition(" for ")[2])
            for loss, key in sorted(lost)
            if loss < -_SEEN
        ]
        heading = "n-grams before penalties, and what each penalty alone takes off"
        return ScoreParts(self.spec, score, heading, tuple(parts))

    def _changed(self, **values: float) -> Amber:
        """Return the metric with other settings."""
        return Amber(**{**{key: getattr(self, key) for key in self.settings}, **values})

    def signature_fields(self) -> dict[str, str]:
        """Return the settings, with the forms that are scored."""
        fields = super().signature_fields()
        thetas = ("theta_precision", "theta_mean", "theta_f")
        penalties = "+".join([fields.pop(key) for key in _PENALTIES])
        theta = "+".join([fields.pop(key) for key in thetas])
        return {
            **fields,
            "forms": "+".join(self.form_names),
            "theta": theta,
            "penalties": penalties,
        }

    @property
    def label(self) -> str:
        """AMBER."""
        return "AMBER"
