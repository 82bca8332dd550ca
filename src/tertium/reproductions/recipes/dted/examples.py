# SPDX-License-Identifier: Apache-2.0
"""McCaffery 2017, chapter 4: worked examples of DTED."""

from __future__ import annotations

from collections import Counter

from tertium.errors import UnknownNameError
from tertium.reproductions.data import Data
from tertium.reproductions.exhibit import Cell, Claim, Exhibit, Outcome
from tertium.reproductions.recipes.dted.trees import (
    CELLIST,
    CELLIST_USUAL,
    JANE,
    JANE_CHAINS,
    RABBIT,
    SHERLOCK,
    TreePair,
    tree_of,
)
from tertium.trees import DependencyTree, DtedResult, derp, dted

__all__ = [
    "all_variants",
    "binarisation",
    "cellist_b",
    "cellist_c",
    "cellist_scores",
    "flags",
    "flattening",
    "jane",
    "operations",
    "rabbit",
]

_VARIANTS = ("b", "c", "co", "cl", "fb", "fc", "fco", "fcl")
#: A sentence of our own whose verb has five dependents.
_WIDE = tree_of(
    "last year the old baker sold warm bread cheaply there .",
    "2 6 5 5 6 0 8 6 6 6 6",
)


def flattening(_: Exhibit, __: Data) -> Outcome:
    """Figure 3.2: every word becomes the child of the word before it."""
    flat = DependencyTree.flat(_WIDE.forms)
    size = len(_WIDE)
    star = DependencyTree(_WIDE.forms[::-1], (0,) + (1,) * (size - 1), _WIDE.deprels)
    chain = DependencyTree.flat(star.forms)
    links = [(size - 1 - i, i) for i in range(size)]
    same = (
        dted(star, _WIDE, links, variant="fc").dist
        == dted(chain, flat, links, variant="c").dist
    )
    return Outcome(
        claims=(
            Claim(
                "the head of every word is the word before it",
                flat.heads == tuple(range(len(_WIDE))),
                " ".join(map(str, flat.heads)),
            ),
            Claim("flattened scores do not depend on the trees", same),
        )
    )


def operations(_: Exhibit, __: Data) -> Outcome:
    """Figure 4.1: rename, delete and insert cost one each."""
    small = tree_of("a b c", "0 1 1")
    cases = {
        "rename": (tree_of("a b d", "0 1 1"), small, [(0, 0), (1, 1)]),
        "delete": (tree_of("a b c d", "0 1 1 1"), small, [(0, 0), (1, 1), (2, 2)]),
        "insert": (tree_of("a b", "0 1"), small, [(0, 0), (1, 1)]),
    }
    claims = []
    for kind, (hyp, ref, links) in cases.items():
        result = dted(hyp, ref, links, variant="c")
        paid = [op.kind for op in result.operations if op.cost]
        text = f"one {kind} turns one tree into the other"
        claims.append(Claim(text, paid == [kind], f"{result.dist} operation"))
    return Outcome(claims=tuple(claims))


def binarisation(_: Exhibit, __: Data) -> Outcome:
    """Figure 4.3: trees made binary have the same distances."""
    pairs = {"figure 4.7": CELLIST, "figure 5.1": SHERLOCK}
    ours = TreePair(
        tree_of("the baker sold bread there last year .", "2 3 0 3 3 7 3 3"),
        _WIDE,
        "1-3 2-5 3-6 4-8 5-10 6-1 7-2 8-11",
    )
    pairs["a verb with five dependents"] = ours
    claims = []
    for name, pair in pairs.items():
        values = [
            [
                dted(pair.hyp, pair.ref, pair.pairs, variant=v, binarise=binary).score
                for v in _VARIANTS
            ]
            for binary in (False, True)
        ]
        claims.append(
            Claim(
                f"{name}: all variants score the same with binary trees",
                values[0] == values[1],
                ", ".join(f"{value:.3f}" for value in values[1]),
            )
        )
    return Outcome(claims=tuple(claims))


def flags(_: Exhibit, __: Data) -> Outcome:
    """Figure 4.4: which flags there are, and that o and l imply c."""
    claims = []
    for short, full in (("o", "co"), ("l", "cl")):
        one, other = (_result(CELLIST, name) for name in (short, full))
        claims.append(Claim(f"{short} is {full}", one.score == other.score))
    rejected = []
    for name in ("bo", "bl", "col"):
        try:
            _result(CELLIST, name)
        except UnknownNameError:
            rejected.append(name)
    claims.append(
        Claim("b excludes o and l, o excludes l", rejected == ["bo", "bl", "col"])
    )
    return Outcome(claims=tuple(claims))


def jane(_: Exhibit, __: Data) -> Outcome:
    """Figure 4.5: what it costs to match the two Janes."""
    cells = []
    for row, pair in {"usual trees": JANE, "chains": JANE_CHAINS}.items():
        only = _result(pair, "co")
        values = {
            "b": _result(pair, "b").dist,
            "c": _result(pair, "c").dist,
            "co aligned": only.dist_a or 0,
            "co unaligned": only.dist_na or 0,
        }
        cells += [
            Cell(row, name, value, against=name) for name, value in values.items()
        ]
    text = "giving priority to aligned words costs more in all than c"
    only, all_alike = _result(JANE_CHAINS, "co"), _result(JANE_CHAINS, "c")
    claim = Claim(text, (only.dist_na or 0) > all_alike.dist, "for chains")
    return Outcome(tuple(cells), (claim,))


def rabbit(_: Exhibit, __: Data) -> Outcome:
    """Figure 4.6: which words can be matched."""
    result = _result(RABBIT, "fco")
    matched = {
        RABBIT.hyp.forms[op.hyp]
        for op in result.operations
        if op.kind == "match" and op.hyp is not None
    }
    return Outcome(
        claims=(
            Claim(
                "was and happy are matched, One is not",
                matched == {"was", "happy"},
                ", ".join(sorted(matched)),
            ),
        )
    )


def cellist_scores(_: Exhibit, __: Data) -> Outcome:
    """Equations 4.6 to 4.12."""
    values = {
        "b": _result(CELLIST, "b").score,
        "fb": _result(CELLIST, "fb").score,
        "c, fc": _result(CELLIST, "c").score,
        "co, fco": _result(CELLIST, "co").score,
        "prop": _result(CELLIST, "cl").prop,
        "log": _result(CELLIST, "cl").weight,
        "cl, fcl": _result(CELLIST, "cl").score,
    }
    cells = [Cell(row, "value", x, against="value") for row, x in values.items()]
    same = all(
        _result(CELLIST, name).score == _result(CELLIST, f"f{name}").score
        for name in ("c", "co", "cl")
    )
    usual = [_result(CELLIST_USUAL, name).score for name in ("c", "co", "cl")]
    return Outcome(
        tuple(cells),
        (
            Claim("flattening does not change c, co and cl here", same),
            Claim(
                "so it is with Ms attached to Mälkki, as parsers do",
                all(
                    _result(CELLIST_USUAL, name).score
                    == _result(CELLIST_USUAL, f"f{name}").score
                    for name in ("c", "co", "cl")
                ),
                ", ".join(f"{value:.3f}" for value in usual),
                decisive=False,
            ),
        ),
    )


def cellist_b(exhibit: Exhibit, _: Data) -> Outcome:
    """Table 4.1: operations of b."""
    cells = []
    for row in exhibit.published:
        result = _result(CELLIST, row)
        kinds = Counter(op.kind for op in result.operations)
        values = {
            "matched": kinds["match"] + kinds["rename"],
            "deleted": kinds["delete"] + kinds["insert"],
            "cost": result.dist,
        }
        cells += [
            Cell(row, name, value, against=name) for name, value in values.items()
        ]
    return Outcome(tuple(cells))


def cellist_c(exhibit: Exhibit, _: Data) -> Outcome:
    """Table 4.2: operations of c, co and cl."""
    cells = []
    for row in exhibit.published:
        result = _result(CELLIST, row)
        kinds = Counter(op.kind for op in result.operations)
        values: dict[str, int | None] = {
            "matched free": kinds["match"],
            "matched at a cost": kinds["rename"],
            "deleted": kinds["delete"] + kinds["insert"],
            "aligned cost": result.dist_a,
            "unaligned cost": result.dist_na,
        }
        cells += [
            Cell(row, name, value, against=name)
            for name, value in values.items()
            if value is not None
        ]
    costs = {name: _result(CELLIST, name).dist for name in ("c", "fc")}
    claim = Claim(
        "c costs seven operations, flattened or not",
        set(costs.values()) == {7},
        ", ".join(f"{name} {cost}" for name, cost in costs.items()),
    )
    return Outcome(tuple(cells), (claim,))


def all_variants(_: Exhibit, __: Data) -> Outcome:
    """Table 7.3: every variant scores a pair of trees."""
    scores = {name: _result(SHERLOCK, name).score for name in _VARIANTS}
    paths = [
        derp(SHERLOCK.hyp, SHERLOCK.ref, SHERLOCK.pairs, flat=flat).score
        for flat in (False, True)
    ]
    known = {"DTED": len(scores), "DERP": len(paths)}
    shown = ", ".join(f"{name} {score:.3f}" for name, score in scores.items())
    cells = [Cell(row, "variants", n, against="variants") for row, n in known.items()]
    claim = Claim(
        "all scores are between 0 and 1",
        all(0 <= score <= 1 for score in (*scores.values(), *paths)),
        f"{shown}, DERP {paths[0]:.3f}, fDERP {paths[1]:.3f}",
    )
    return Outcome(tuple(cells), (claim,))


def _result(pair: TreePair, variant: str) -> DtedResult:
    return dted(pair.hyp, pair.ref, pair.pairs, variant=variant)
