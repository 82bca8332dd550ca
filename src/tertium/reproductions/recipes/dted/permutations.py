# SPDX-License-Identifier: Apache-2.0
"""McCaffery 2017: permuted sentences, table 6.1 and figure 7.7."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np

import tertium
from tertium._seed import SEED
from tertium.data.annotated import Annotated
from tertium.order.damage import Permuted, Source, Truecaser, generate, permute
from tertium.order.damage.edits import Arrangement
from tertium.reproductions.data import Data
from tertium.reproductions.exhibit import Cell, Claim, Exhibit, Outcome
from tertium.reproductions.recipes.dted.corpora import read_into_english
from tertium.reproductions.recipes.dted.judged import model_path
from tertium.stats import spearman
from tertium.text.tokenizers import tokenize
from tertium.trees import DependencyTree
from tertium.trees.parsers import load_parser

__all__ = ["degrees", "printed_permutations"]

KINDS = ("order", "swap", "phrase", "choice")
_DEGREES = (2, 4, 6, 8, 10, 12)
_SENTENCES = 200
_SHORTEST, _LONGEST = 10, 30  # words
_WORDS = "tokenize=13a,match=exact+stem,language=en"
_TOOLS = {
    "fc DTED": f"dted:variant=c,flat=yes,{_WORDS}",
    "fco DTED": f"dted:variant=co,flat=yes,{_WORDS}",
    "fcl DTED": f"dted:variant=cl,flat=yes,{_WORDS}",
    "fDERP": f"derp:flat=yes,{_WORDS}",
    "τ": f"link-tau:{_WORDS}",
    "BLEU": "sentbleu",
    "METEOR": "meteor:normalize=no,match=exact+stem",
    "METEOR (chunks)": "meteor-chunking:normalize=no,match=exact+stem",
}
_STRUCTURED = {
    "c DTED": "dted:variant=c,match=exact+stem,language=en",
    "DERP": "derp:match=exact+stem,language=en",
}
_FB = f"dted:variant=b,flat=yes,{_WORDS}"

# The reference of table 6.1, with tags and heads that admit its printed moves.
_REFERENCE = (
    "At the same time she's a usurper and wants to cook him to death, adds Bajgar."
)
_TAGS = "IN DT JJ NN PRP DT NN CC VBZ TO NN PRP TO NN VBZ NNP"
_HEADS = "9 4 4 1 9 7 5 9 15 11 9 11 14 11 0 15"
_ROWS = {
    "order, row 1": (
        "At the same she's time a usurper and wants to Cook him to death, adds Bajgar."
    ),
    "order, row 2": (
        "At same time and she's a the usurper wants to Cook adds him death Bajgar to."
    ),
    "swap, row 4": (
        "At the same time she's a usurper and wants to death him to Cook, adds Bajgar."
    ),
    "phrase, row 5": (
        "At she's a usurper and wants to Cook the same time him to death, adds Bajgar."
    ),
    "phrase, row 6": (
        "To Cook him to death at she's a usurper the same time and wants, adds Bajgar."
    ),
    "choice, row 7": (
        "Of the same husband take an usurper and wants to Cook he to death, adds "
        "Bajgar."
    ),
}
_LAST = "Usurper Bajgar time to adds death to same and the at a him she's wants Cook."


def printed_permutations(_: Exhibit, __: Data) -> Outcome:
    """Table 6.1: edits that make its sentences, and how many words they change."""
    source = Source.parse(_REFERENCE, tags=_TAGS.split(), heads=_numbers(_HEADS))
    cells, claims = [], []
    for row, edit in _EDITS.items():
        made = Arrangement(source)
        edit(made)
        changed = sum(len(one.words) for one in made.edits)
        if row.startswith("swap"):
            changed = 2
        cells.append(Cell(row, "degree", changed, against="degree"))
        text = _cased(made.text)
        claims.append(
            Claim(f"{row} is what these edits make", text == _ROWS[row], text)
        )
    drawn = permute(source, "order", 15)
    same = drawn is not None and _bag(drawn.text) == _bag(_LAST)
    claims.append(Claim("row 3, order of degree 15, has the same words", same))
    return Outcome(tuple(cells), tuple(claims))


def _place(made: Arrangement, word: str) -> int:
    """Return where a word stands, the last time."""
    return max(at for at, core in enumerate(made.cores) if core == word)


def _move(*steps: str) -> Callable[[Arrangement], None]:
    def edit(made: Arrangement) -> None:
        for step in steps:
            word, distance = step.split()
            at = _place(made, word)
            made.move(at, at + int(distance))

    return edit


def _swap(made: Arrangement) -> None:
    made.swap(_place(made, "cook"), _place(made, "death"))


def _one_phrase(made: Arrangement) -> None:
    made.move_phrase(1, 8, 3)  # "the same time" after the eleventh word


def _two_phrases(made: Arrangement) -> None:
    made.move_phrase(9, 0, 5)  # "to cook him to death" to the front
    made.move_phrase(_place(made, "the"), _place(made, "and") - 3, 3)


def _replace(made: Arrangement) -> None:
    new = {"At": "of", "time": "husband", "she's": "take", "a": "an", "him": "he"}
    for old, word in new.items():
        made.replace(_place(made, old), word)


_EDITS: dict[str, Callable[[Arrangement], None]] = {
    "order, row 1": _move("time +1"),
    "order, row 2": _move("the +5", "and -4", "to +3", "adds -2", "usurper +1"),
    "swap, row 4": _swap,
    "phrase, row 5": _one_phrase,
    "phrase, row 6": _two_phrases,
    "choice, row 7": _replace,
}


def _cased(text: str) -> str:
    """Return a text with the capitals of the table: names, “Cook”, the first word."""
    words = [
        word.replace("cook", "Cook") if word.strip(".,") in ("cook", "Bajgar") else
        word.lower()
        for word in text.split()
    ]  # fmt: skip
    return " ".join([words[0][:1].upper() + words[0][1:], *words[1:]])


def _bag(text: str) -> Counter[str]:
    return Counter(text.lower().replace(".", "").replace(",", "").split())


def _numbers(text: str) -> list[int]:
    return [int(number) for number in text.split()]


# ----------------------------------------------------------------------- figure 7.7


def degrees(exhibit: Exhibit, data: Data) -> Outcome:
    """Figure 7.7: tools against degrees, and how often flattened b departs from .5."""
    made = _permuted(data.path("wmt17").parent)
    generator = np.random.default_rng(SEED)
    away = {}
    cells = []
    for kind, (permuted, _) in made.items():
        scores = tertium.metric(_FB).segment_scores(
            [one.text for one in permuted], [one.source for one in permuted]
        )
        departs = np.abs(np.asarray(scores) - 0.5) > 1e-9
        away[kind] = 100 * float(departs.mean())
        draws = generator.binomial(len(departs), departs.mean(), 1000) / len(departs)
        low, high = 100 * np.percentile(draws, (2.5, 97.5))
        column = "departs from .5, %"
        known = column if kind in exhibit.published else None
        cells.append(
            Cell(kind, column, away[kind], float(low), float(high), known,
                 part="flattened b DTED")
        )  # fmt: skip
    rhos = {}
    for kind, (permuted, trees) in made.items():
        rhos[kind] = _against_degree(permuted, trees)
        cells += [
            Cell(kind, tool, value, part="Spearman's ρ with the degree, falling")
            for tool, value in rhos[kind].items()
        ]
    tools = list(rhos["order"])
    weak = {k: max(abs(rhos[k][t]) for t in ("BLEU", "METEOR")) for k in rhos}
    claims = (
        Claim("flattened b departs from .5 most often for order, then phrase, then "
              "choice", away["order"] > away["phrase"] > away["choice"],
              ", ".join(f"{kind} {value:.1f} %" for kind, value in away.items())),
        Claim("swaps hardly ever change the number of words",
              away["swap"] < min(away["order"], away["phrase"]),
              f"{away['swap']:.1f} %"),
        Claim("all tools see order and swap errors (ρ of .5 or more)",
              all(rhos[kind][tool] >= 0.5 for kind in ("order", "swap")
                  for tool in tools),
              f"lowest {min(min(rhos[k].values()) for k in ('order', 'swap')):.2f}"),
        Claim("BLEU and METEOR see the size of moved phrases less than the number of "
              "moved words", weak["phrase"] < weak["order"],
              f"{weak['phrase']:.2f} against {weak['order']:.2f}"),
        Claim("τ sees less of choice than of order",
              abs(rhos["choice"]["τ"]) < rhos["order"]["τ"],
              f"{rhos['choice']['τ']:.2f} against {rhos['order']['τ']:.2f}"),
        *(
            Claim(f"flattening hurts DERP on {kind} permutations",
                  rhos[kind]["fDERP"] < rhos[kind]["DERP"],
                  f"{rhos[kind]['fDERP']:.2f} against {rhos[kind]['DERP']:.2f}")
            for kind in ("order", "swap")
        ),
    )  # fmt: skip
    return Outcome(tuple(cells), claims)


def _against_degree(
    permuted: list[Permuted], trees: list[DependencyTree]
) -> dict[str, float]:
    """Return how scores fall with the degree, by tool."""
    hyps = [one.text for one in permuted]
    refs = [one.source for one in permuted]
    fall = [-float(one.degree) for one in permuted]
    known = dict(zip([*hyps, *refs], trees, strict=True))
    rhos = {}
    for tool, spec in {**_STRUCTURED, **_TOOLS}.items():
        if tool in _STRUCTURED:
            sides = [
                [Annotated(t, {"tree": known[t]}) for t in s] for s in (hyps, refs)
            ]
            values = tertium.metric(spec).segment_scores(*sides)
        else:
            values = tertium.metric(spec).segment_scores(hyps, refs)
        scores = np.nan_to_num(np.asarray(values, float)).tolist()
        rhos[tool] = spearman(fall, scores) or 0.0
    return rhos


@cache
def _permuted(folder: Path) -> dict[str, tuple[list[Permuted], list[DependencyTree]]]:
    """Return permutations of references by kind, with trees of both sides."""
    data = Data(folder)
    parser = load_parser("udpipe", model_path(data, "udpipe"))
    refs: dict[str, str] = {}
    for year in ("15", "16"):
        for judged in read_into_english(folder, year):
            outputs = next(iter(judged.systems.values()))
            refs |= {
                ref: hyp
                for ref, hyp in zip(judged.references, outputs, strict=True)
                if _SHORTEST <= len(ref.split()) <= _LONGEST and hyp
            }
    step = max(1, len(refs) // _SENTENCES)
    chosen = list(refs)[::step][:_SENTENCES]

    def source(text: str) -> Source:
        tokens: list[tuple[str, tuple[int, ...]]] = []
        words: list[str] = []
        for token, parts in zip(
            text.split(), tokenize(text.split(), "13a"), strict=True
        ):
            first = len(words) + 1
            words += parts
            tokens.append((token, tuple(range(first, len(words) + 1))))
        (tree,) = parser.parse_words([words])
        puncts = {i for i, tag in enumerate(tree.upos, 1) if tag == "PUNCT"}
        return Source.from_parse(
            tokens, heads=tree.heads, tags=tree.upos, puncts=puncts
        )

    sources = [source(text) for text in chosen]
    hyps = [source(refs[text]) for text in chosen]
    truecaser = Truecaser.train(chosen)
    made = {}
    for kind in KINDS:
        permuted = [
            one
            for _, one in generate(
                sources, kinds=[kind], degrees=_DEGREES, hyps=hyps, truecaser=truecaser
            )
        ]
        texts = [one.text for one in permuted] + [one.source for one in permuted]
        unique = list(dict.fromkeys(texts))
        trees = parser.parse_words(tokenize(unique, "13a"))
        known = dict(zip(unique, trees, strict=True))
        made[kind] = (permuted, [known[text] for text in texts])
    return made
