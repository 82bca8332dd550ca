# SPDX-License-Identifier: Apache-2.0
"""The papers of metrics and tests, as BibTeX (``papers.bib``)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

__all__ = ["METHODS", "PAPERS", "Paper", "papers"]

_FORESTS = ("stanojevic-2014-evaluating",)
_SHAPES = ("stanojevic-2017-permutation",)
_STRUCTURE = ("mccaffery-2017-mat",)

#: Who to cite for a metric: keys of ``papers.bib``, the definition first. There is none
#: for scores of other programs, which have their own.
PAPERS: Mapping[str, tuple[str, ...]] = {
    "aligned-percentage": _STRUCTURE,
    "amber": ("chen-2011-amber",),
    "avg-arity": _SHAPES,
    "beer": ("stanojevic-2014-beer", "stanojevic-2017-permutation"),
    "bertscore": ("zhang-2020-bertscore",),
    "bleu": ("papineni-2002-bleu", "post-2018-call"),
    "bleu-nrc": ("chen-2014-systematic", "papineni-2002-bleu"),
    "bleu1": ("papineni-2002-bleu",),
    "cder": ("leusch-2006-cder",),
    "characTER": ("wang-2016-character",),
    "chrf": ("popovic-2015-chrf",),
    "chrf++": ("popovic-2017-chrf",),
    "dependency-f": ("gautam-2014-layered",),
    "derp": _STRUCTURE,
    "dted": _STRUCTURE,
    "evalgen": ("nieminen-2018-multilingual",),
    "exactmatch": ("machacek-2014-measures",),
    "external": (),
    "fuzzy": ("talbot-2011-lightweight",),
    "hamming": ("birch-2010-lrscore",),
    "headword-chain": ("liu-2005-syntactic",),
    "inverted-ratio": _SHAPES,
    "kendall": ("lapata-2006-automatic", "birch-2010-lrscore"),
    "layered": ("gautam-2014-layered", "machacek-2014-measures"),
    "link-tau": _STRUCTURE,
    "llm": ("kocmi-2023-large", "kocmi-2024-error"),
    "log-pets": _SHAPES,
    "lrscore": ("birch-2010-lrscore",),
    "max-op": _SHAPES,
    "mean": ("machacek-2014-measures",),
    "meteor": ("denkowski-2014-meteor", "banerjee-2005-meteor"),
    "meteor-chunking": _STRUCTURE,
    "n-pets": _SHAPES,
    "nist": ("doddington-2002-automatic",),
    "pef": _FORESTS,
    "penalizeunknown": ("machacek-2014-measures",),
    "per": ("tillmann-1997-accelerated",),
    "pet": _FORESTS,
    "pet-size": _SHAPES,
    "recpef": _FORESTS,
    "recpet": _FORESTS,
    "ribes": ("isozaki-2010-automatic",),
    "rouge-s": ("lin-2004-rouge",),
    "scores": (),
    "segranksbleu": ("machacek-2014-measures",),
    "semantic-esa": ("gabrilovich-2007-computing", "gonzalez-2014-ipa"),
    "sentbleu": ("papineni-2002-bleu",),
    "sentbleu-plus1": ("lin-2004-orange", "machacek-2014-measures"),
    "spearman": _FORESTS,
    "sqrt-kendall": ("birch-2010-metrics",),
    "straight-ratio": _SHAPES,
    "ter": ("snover-2006-study",),
    "ulam": ("ulam-1972-ideas", "birch-2010-metrics"),
    "wer": ("niessen-2000-evaluation",),
}

_BTG = ("nakagawa-2015-efficient",)
_GRAMMARS = ("stanojevic-2015-reordering", "stanojevic-2017-permutation")

#: Who to cite for tests, corrections, settings and the methods of verbs, likewise.
METHODS: Mapping[str, tuple[str, ...]] = {
    "bootstrap": ("koehn-2004-statistical",),
    "randomisation": ("riezler-2005-pitfalls",),
    "holm": ("holm-1979-simple",),
    "bh": ("benjamini-1995-controlling",),
    "structure=projected": ("hwa-2005-bootstrapping",),
    # mbr
    "mbr": ("kumar-2004-minimum", "eikema-2022-sampling"),
    "aggregate": ("denero-2009-fast", "vamvas-2024-linear"),
    "pruned": ("cheng-2023-faster",),
    "keep": ("fernandes-2022-quality",),
    # agree
    "pooled-kappa": ("machacek-2014-measures",),
    "alpha": ("hayes-2007-answering",),
    "span-alpha": ("hayes-2007-answering",),
    "icc": ("shrout-1979-intraclass",),
    "fleiss": ("fleiss-1971-measuring",),
    # rank
    "wins": ("callison-burch-2012-findings",),
    "wins-or-ties": ("bojar-2011-grain",),
    "expected-wins": ("koehn-2012-simulating", "bojar-2013-findings"),
    "rank-ranges": ("koehn-2012-simulating",),
    "bradley-terry": ("davidson-1970-extending",),
    "trueskill": ("sakaguchi-2014-efficient",),
    "hopkins-may": ("hopkins-2013-models",),
    "z": ("graham-2013-continuous",),
    "mqm": ("freitag-2021-experts",),
    # reuse
    "judged-exact": ("machacek-2014-measures",),
    "judged-closest": ("machacek-2014-measures",),
    # train and tune
    "beer": ("stanojevic-2014-beer", "stanojevic-2017-permutation"),
    "mert": ("och-2003-minimum",),
    "pro": ("hopkins-2011-tuning",),
    "mira": ("cherry-2012-batch",),
    # preorder and resegment
    "order-tau": PAPERS["kendall"],
    "order-tau-linked": PAPERS["kendall"],
    "order-fuzzy": PAPERS["fuzzy"],
    "order-frs": PAPERS["fuzzy"],
    "order-hamming": PAPERS["hamming"],
    "order-spearman": PAPERS["spearman"],
    "order-ulam": PAPERS["ulam"],
    "btg": _BTG,
    "grammar": _GRAMMARS,
    "grammars": _GRAMMARS,
    "combined": (*_BTG, *_GRAMMARS),
    "cut-by-words": ("matusov-2005-evaluating",),
}

_ENTRY = re.compile(r"@(\w+)\{([^,]+),\n(.*?)\n\}", re.DOTALL)
_FIELD = re.compile(r"^  (\w+) = \{(.*)\},?$", re.MULTILINE)


@dataclass(frozen=True)
class Paper:
    """An entry of ``papers.bib``.

    Attributes
    ----------
    key : str
    bibtex : str
        The entry as it stands in the file.
    fields : mapping of str to str
    """

    key: str
    bibtex: str
    fields: Mapping[str, str]

    @property
    def short(self) -> str:
        """Authors and year, as running text cites them.

        Examples
        --------
        >>> papers()["papineni-2002-bleu"].short
        'Papineni et al., 2002'
        >>> papers()["stanojevic-2014-beer"].short
        "Stanojević and Sima'an, 2014"
        """
        names = [
            name.partition(",")[0] for name in self.fields["author"].split(" and ")
        ]
        who = names[0] if len(names) == 1 else " and ".join(names[:2])
        who = f"{names[0]} et al." if len(names) > 2 else who
        return f"{who}, {self.fields['year']}"


@cache
def papers() -> dict[str, Paper]:
    """Return all papers by key."""
    text = resources.files(__name__).joinpath("papers.bib").read_text(encoding="utf-8")
    return {
        match[2]: Paper(match[2], match[0], dict(_FIELD.findall(match[3])))
        for match in _ENTRY.finditer(text)
    }
