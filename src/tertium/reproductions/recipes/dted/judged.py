# SPDX-License-Identifier: Apache-2.0
"""McCaffery 2017, chapter 7: DTED, DERP and baselines against human judgements.

The judgements of the thesis are not public. Direct assessments of WMT17 stand in for
them: adequacy of single sentences into English, as its holistic question; no public
set asks about word order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

import tertium
from tertium._seed import SEED
from tertium.data.annotated import Annotated
from tertium.errors import InputError
from tertium.reproductions.data import Data, read_table
from tertium.reproductions.exhibit import Cell, Claim, Curve, Exhibit, Outcome
from tertium.trees import DependencyTree
from tertium.trees.parsers import load_parser

__all__ = [
    "baselines",
    "derp_scores",
    "dted_scores",
    "hypotheses",
    "model_path",
    "variants",
]

#: Models beside the folder of the data: parser to file or folder.
MODELS = {"udpipe": "en_ewt_small.udpipe", "spacy": "en_ewt_spacy"}
_STEMS, _FORMS = "match=exact+stem,language=en", "match=exact,language=en"
#: Configurations of structured variants (parser, matching), and of flat ones.
_TREES = {
    "UDPipe, stems": ("udpipe", _STEMS),
    "spaCy, stems": ("spacy", _STEMS),
    "UDPipe, forms": ("udpipe", _FORMS),
}
_FLAT = {"stems": _STEMS, "forms": _FORMS}
_DTED = ("b", "c", "co", "cl")
_PAIRS = {**{f"{name} DTED": f"f{name} DTED" for name in _DTED}, "DERP": "fDERP"}
_WORDS = "tokenize=none"
_BASELINES = {
    "aligned words": "aligned-percentage:tokenize=none,{words}",
    "τ": "link-tau:tokenize=none,{words}",
    "BLEU": "sentbleu:tokenize=none",
    "METEOR": "meteor:normalize=no,match=exact+stem",
    "METEOR (chunks)": "meteor-chunking:normalize=no,match=exact+stem",
}
_RESAMPLES = 500
#: One standard deviation of correlations (H EVAL CONF, section 7.1.2).
_SPREAD = 0.122

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Correlation:
    """Spearman's rho with its 95 % interval."""

    value: float
    low: float
    high: float


def baselines(_: Exhibit, data: Data) -> Outcome:
    """Figure 7.3: baselines and adequacy."""
    rows = {name: _rhos(data, name) for name in _BASELINES}
    cells = _cells(rows)
    values = {name: max(r.value for r in row.values()) for name, row in rows.items()}
    low = min(r.low for row in rows.values() for r in row.values())
    return Outcome(
        cells,
        (
            Claim("all baselines correlate with adequacy, significantly", low > 0,
                  f"lowest bound {low:.3f}"),
            Claim("METEOR correlates better with adequacy than its chunks alone",
                  values["METEOR"] > values["METEOR (chunks)"],
                  f"{values['METEOR']:.3f} against {values['METEOR (chunks)']:.3f}"),
            Claim("τ, which sees order alone, is below METEOR on adequacy",
                  values["τ"] < values["METEOR"],
                  f"{values['τ']:.3f} against {values['METEOR']:.3f}"),
        ),
    )  # fmt: skip


def variants(_: Exhibit, data: Data) -> Outcome:
    """Figure 7.6: all variants in all configurations."""
    rows = _variant_rows(data)
    best = {n: max(r.value for r in row.values()) for n, row in rows.items()}
    flat = [name for name in rows if name.startswith("f")]
    tree = [name for name in rows if name not in flat]
    dteds = [[name for name in part if "DTED" in name] for part in (tree, flat)]
    claims = []
    for part, names in zip(("structured", "flattened"), dteds, strict=True):
        order = sorted(names, key=lambda name: best[name])
        shown = ", ".join(f"{name} {best[name]:.3f}" for name in reversed(order))
        claims += [
            Claim(f"{part}: b is the worst DTED", "b DTED" in order[0], shown),
            Claim(f"{part}: c is better than co and cl", "c DTED" in order[-1], shown),
        ]
    claims += [
        Claim("flattening hurts DERP: its best flat configuration is below the worst "
              "structured one", *_beats(rows, "DERP", "fDERP")),
        Claim("flattening hurts b DTED", *_beats(rows, "b DTED", "fb DTED")),
        *(
            Claim(f"{name} DTED does as well flattened (ranges overlap)",
                  not _beats(rows, f"{name} DTED", f"f{name} DTED")[0],
                  _beats(rows, f"{name} DTED", f"f{name} DTED")[1])
            for name in ("c", "co", "cl")
        ),
        Claim("c DTED is better than DERP", *_beats(rows, "c DTED", "DERP")),
    ]  # fmt: skip
    return Outcome(_cells(rows), tuple(claims))


def hypotheses(exhibit: Exhibit, data: Data) -> Outcome:
    """Table 7.4: null hypotheses that are rejected, by the rules of section 7.1.1."""
    rows = _variant_rows(data)
    others = {name: _rhos(data, name) for name in _BASELINES}
    top = max(r.value for row in others.values() for r in row.values())

    def least(name: str) -> float:
        return min(r.value for r in rows[name].values())

    def most(name: str) -> float:
        return max(r.value for r in rows[name].values())

    dteds = [name for name in rows if "DTED" in name]
    derps = [name for name in rows if "DERP" in name]
    spread = max(most(name) - least(name) for name in rows)
    structured = [tree for tree, flat in _PAIRS.items() if least(tree) > most(flat)]
    first = max(rows, key=least)
    results = {
        "EVAL": (
            least(first) > top,
            f"{first} {least(first):.3f}, baselines {top:.3f}",
        ),
        "STRUC": (bool(structured), ", ".join(structured) or "none"),
        "EVAL DTED": _above(dteds, least, top),
        "EVAL DERP": _above(derps, least, top),
        "EVAL DERP beats DTED": _above(derps, least, max(map(most, dteds))),
        "EVAL CONF": (spread <= _SPREAD, f"largest difference {spread:.3f}"),
        "STRUC ALL": (
            len(structured) == len(_PAIRS),
            f"{len(structured)} of {len(_PAIRS)} variants",
        ),
    }
    cells, claims = [], []
    for row, (rejected, detail) in results.items():
        cells.append(Cell(row, "rejected", int(rejected), against="rejected"))
        same = bool(exhibit.published[row]["rejected"]) == rejected
        text = "rejected" if rejected else "not rejected"
        claims.append(Claim(f"H {row} comes out as in the thesis", same,
                            f"{text}: {detail}"))  # fmt: skip
    return Outcome(tuple(cells), tuple(claims))


def dted_scores(_: Exhibit, data: Data) -> Outcome:
    """Figure B.1: histograms of DTED."""
    names = [name for pair in _PAIRS.items() for name in pair if "DTED" in name]
    scores = {name: _first_scores(data, name) for name in names}
    top = max(float(scores[name].max()) for name in ("b DTED", "fb DTED"))
    bounded = all(x.min() >= 0 and x.max() <= 1 for x in scores.values())
    return Outcome(
        claims=(
            Claim("b never exceeds .5", top <= 0.5 + 1e-12, f"highest {top:.3f}"),
            Claim("all scores are between 0 and 1", bounded),
        ),
        curves=_histograms(scores),
        axis="score",
    )


def derp_scores(_: Exhibit, data: Data) -> Outcome:
    """Figure B.2: histograms of DERP."""
    scores = {name: _first_scores(data, name) for name in ("DERP", "fDERP")}
    bounded = all(x.min() >= 0 and x.max() <= 1 for x in scores.values())
    return Outcome(
        claims=(Claim("all scores are between 0 and 1", bounded),),
        curves=_histograms(scores),
        axis="score",
    )


def model_path(data: Data, parser: str) -> str:
    """Return a parser's model, which lies in ``models`` beside the data.

    Raises
    ------
    InputError
        When there is none.
    """
    path = data.path("wmt17").resolve().parent.parent / "models" / MODELS[parser]
    if not path.exists():
        message = f"there is no {path}; put an English {parser} model there"
        raise InputError(message)
    return str(path)


# -------------------------------------------------------------------------- claims


def _beats(
    rows: Mapping[str, Mapping[str, Correlation]], one: str, other: str
) -> tuple[bool, str]:
    """Return whether the worst of one is above the best of another, with figures."""
    low = min(r.value for r in rows[one].values())
    high = max(r.value for r in rows[other].values())
    return low > high, f"{one} at least {low:.3f}, {other} at most {high:.3f}"


def _above(
    names: Sequence[str], least: Callable[[str], float], top: float
) -> tuple[bool, str]:
    best = max(names, key=least)
    return least(best) > top, f"{best} at least {least(best):.3f}, others {top:.3f}"


def _cells(rows: Mapping[str, Mapping[str, Correlation]]) -> tuple[Cell, ...]:
    return tuple(
        Cell(name, column, r.value, r.low, r.high)
        for name, row in rows.items()
        for column, r in row.items()
    )


# -------------------------------------------------------------------------- scores


def _variant_rows(data: Data) -> dict[str, dict[str, Correlation]]:
    names = [*_PAIRS, *_PAIRS.values()]
    rows = {}
    for done, name in enumerate(names, start=1):
        rows[name] = _rhos(data, name)
        data.progress(done, len(names))
    return rows


def _rhos(data: Data, name: str) -> dict[str, Correlation]:
    """Return the correlations of a tool, one per configuration."""
    folder = data.path("wmt17")
    return {column: _rho(folder, name, column) for column in _configurations(name)}


def _configurations(name: str) -> list[str]:
    if name in _PAIRS:
        return list(_TREES)
    flat = name in _PAIRS.values() or "{words}" in _BASELINES.get(name, "")
    return list(_FLAT) if flat else ["default"]


@cache
def _rho(folder: Path, name: str, column: str) -> Correlation:
    _, _, people = _judged(folder)
    ranks = np.stack([_ranks(people), _ranks(_scores(folder, name, column))])
    size = ranks.shape[1]
    generator = np.random.default_rng(SEED)
    draws = [
        _pearson(ranks[:, generator.integers(size, size=size)])
        for _ in range(_RESAMPLES)
    ]
    low, high = np.percentile(draws, (2.5, 97.5))
    return Correlation(_pearson(ranks), float(low), float(high))


@cache
def _scores(folder: Path, name: str, column: str) -> Floats:
    hyps: Sequence[str]
    refs: Sequence[str]
    hyps, refs, _ = _judged(folder)
    if name in _BASELINES:
        spec = _BASELINES[name].format(words=_FLAT.get(column, ""))
        values = tertium.metric(spec).segment_scores(hyps, refs)
    else:
        parser, words = _TREES.get(column, ("", _FLAT.get(column, "")))
        plain = name.removeprefix("f")
        kind = "derp" if plain == "DERP" else f"dted:variant={plain.split()[0]}"
        mark = "," if ":" in kind else ":"
        flat = "yes" if plain != name else "no"
        metric = tertium.metric(f"{kind}{mark}flat={flat},{_WORDS},{words}")
        if parser:
            hyps, refs = _parsed(folder, parser)
        values = metric.segment_scores(hyps, refs)
    # Where order is not defined (less than two links), nothing is known: the mean.
    scores = np.asarray(values, float)
    return np.where(np.isnan(scores), np.nanmean(scores), scores)


@cache
def _judged(folder: Path) -> tuple[list[str], list[str], Floats]:
    """Return translations, references and human scores of all pairs."""
    rows = [
        row
        for path in sorted(folder.glob("daseg560.*-en.tsv.gz"))
        for row in read_table(path)
    ]
    if not rows:
        message = f"there is no daseg560.*-en.tsv.gz in {folder}; give another folder"
        raise InputError(message, options=("data",))
    return (
        [row["translation"] for row in rows],
        [row["reference"] for row in rows],
        np.array([float(row["HUMAN_score"]) for row in rows]),
    )


@cache
def _parsed(folder: Path, parser: str) -> tuple[list[Annotated], list[Annotated]]:
    hyps, refs, _ = _judged(folder)
    model = load_parser(parser, model_path(Data(folder.parent), parser))
    texts = list(dict.fromkeys([*hyps, *refs]))
    trees = model.parse_words([text.split() for text in texts])
    known: dict[str, DependencyTree] = dict(zip(texts, trees, strict=True))
    first, second = (
        [Annotated(text, {"tree": known[text]}) for text in side]
        for side in (hyps, refs)
    )
    return first, second


def _first_scores(data: Data, name: str) -> Floats:
    return _scores(data.path("wmt17"), name, _configurations(name)[0])


def _histograms(scores: Mapping[str, Floats]) -> tuple[Curve, ...]:
    """Return the share of scores in tenths; .5 is in the one that ends there."""
    curves = []
    for name, values in scores.items():
        tenths = np.clip(np.ceil(10 * values - 1e-9).astype(int) - 1, 0, 9)
        shares = np.bincount(tenths, minlength=10) / len(values)
        points = ((round(0.1 * i + 0.05, 2), float(y)) for i, y in enumerate(shares))
        curves.append(Curve(name, tuple(points)))
    return tuple(curves)


def _pearson(rows: Floats) -> float:
    x, y = rows - rows.mean(axis=1, keepdims=True)
    return float(x @ y / np.sqrt((x @ x) * (y @ y)))


def _ranks(values: Floats) -> Floats:
    """Return ranks, ties averaged."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    ranks: Floats = (ends - (counts - 1) / 2)[place]
    return ranks
