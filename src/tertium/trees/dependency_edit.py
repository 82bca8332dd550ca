# SPDX-License-Identifier: Apache-2.0
"""DTED of two dependency trees, with its edit script (McCaffery 2017, chapter 4)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from tertium import _core
from tertium.errors import InputError, UnknownNameError
from tertium.trees._links import check_pair
from tertium.trees.tree import DependencyTree

__all__ = ["DtedOperation", "DtedResult", "dted"]

DTED_VARIANTS = ("b", "c", "co", "cl")
DTED_ALIASES = {"o": "co", "l": "cl"}
#: All names of variants; those with f flatten the trees.
DTED_NAMES = (*DTED_VARIANTS, "fb", "fc", "fco", "fcl", "o", "l", "fo", "fl")
WEIGHTINGS = ("log", "proportional", "inverse")
ROOTS = ("forest", "virtual")
DEGENERATE = ("keep", "drop", "zero")

_Kind: TypeAlias = Literal["match", "rename", "delete", "insert"]


@dataclass(frozen=True)
class DtedOperation:
    """One operation of an edit script.

    Parameters
    ----------
    kind : {"match", "rename", "delete", "insert"}
        A match pairs linked words, a rename other words; a deletion removes a word
        of the output, an insertion adds a word of the reference.
    hyp, ref : int or None
        The words, counted from 0.
    aligned : bool
        Whether one of the words has a link, so the operation counts as aligned.
    cost : int
        The number of operations it counts as.
    """

    kind: _Kind
    hyp: int | None
    ref: int | None
    aligned: bool
    cost: int


@dataclass(frozen=True)
class DtedResult:
    """The score of two trees and how it was computed.

    Parameters
    ----------
    score : float
        From 0 to 1, higher is better.
    variant : {"b", "c", "co", "cl"}
    flat : bool
    dist : int
        The operations of the cheapest edit script.
    dist_a, dist_na : int or None
        For ``co`` and ``cl``: aligned and unaligned operations.
    words, aligned : int
        Words and aligned words of both trees together.
    prop : float
        Their quotient.
    weight : float
        For ``cl``: the weight of unaligned operations; 0 for other variants.
    degenerate : bool
        Whether the score is arbitrary, for lack of words (b, c, cl) or of aligned
        words (co).
    operations : tuple of DtedOperation
        A cheapest edit script: first operations on words of the output, in order,
        then insertions.
    """

    score: float
    variant: str
    flat: bool
    dist: int
    dist_a: int | None
    dist_na: int | None
    words: int
    aligned: int
    prop: float
    weight: float
    degenerate: bool
    operations: tuple[DtedOperation, ...]

    @property
    def hyp_operations(self) -> dict[int, DtedOperation]:
        """The operation of each word of the output; ignored words have none."""
        return {op.hyp: op for op in self.operations if op.hyp is not None}

    @property
    def ref_operations(self) -> dict[int, DtedOperation]:
        """The operation of each word of the reference."""
        return {op.ref: op for op in self.operations if op.ref is not None}


def dted(
    hyp: DependencyTree,
    ref: DependencyTree,
    links: Iterable[Sequence[float]],
    *,
    variant: str = "c",
    flat: bool = False,
    weighting: str = "log",
    log_base: float = 0.1,
    cap: float = 0.9,
    mismatch: int = 1,
    roots: str = "forest",
    binarise: bool = False,
    ignore_punct: bool = False,
    degenerate: str = "keep",
) -> DtedResult:
    """Return the DTED of two trees with a cheapest edit script.

    Parameters
    ----------
    hyp, ref : DependencyTree
        The trees of the output and of the reference.
    links : iterable of (int, int)
        Aligned words of the output and of the reference, counted from 0, such as
        :data:`tertium.align.Links`.
    variant : str
        ``b``: every operation costs 1, even pairing equal words. ``c``: pairing
        linked words is free. ``co``: operations on aligned words come first, and
        only they make up the score. ``cl``: as ``co``, but the score weights both
        kinds. ``o`` and ``l`` are short for ``co`` and ``cl``; a leading
        ``f`` flattens.
    flat : bool
        Whether to flatten the trees: each word depends on the preceding one.
    weighting : {"log", "proportional", "inverse"}
        The weight of unaligned operations in ``cl``: ``min(cap, log_base**prop)``
        (1 if nothing is aligned), ``prop`` as the thesis says, or ``1 - prop``.
    mismatch : {1, 2}
        The operations that the pairing of two aligned words without link counts,
        in ``c``, ``co`` and ``cl``.
    roots : {"forest", "virtual"}
        Several roots are a forest, or hang on a node that costs nothing; both give
        the same distance.
    binarise : bool
        Whether to make trees binary by nodes that cost nothing (4.2.2). It changes
        no distance.
    ignore_punct : bool
        Whether to leave out words of punctuation; their dependents move up.
    degenerate : {"keep", "drop", "zero"}
        The score without foundation: as the formula has it, or 0.

    Raises
    ------
    InputError
        If an argument is not a tree, a link lies outside, or a choice is unknown.

    Examples
    --------
    >>> hyp = DependencyTree.flat("one rabbit was very happy".split())
    >>> ref = DependencyTree.flat("he was one happy bunny".split())
    >>> result = dted(hyp, ref, [(0, 2), (2, 1), (4, 3)], variant="co")
    >>> round(result.score, 4), result.dist_a, result.dist_na
    (0.6667, 2, 2)
    >>> [op.kind for op in result.operations][:3]
    ['rename', 'delete', 'match']

    References
    ----------
    McCaffery 2017, The mat sat on the cat, chapter 4.
    """
    variant, flat = read_variant(variant, flat=flat)
    options = make_options(
        variant=variant,
        flat=flat,
        weighting=weighting,
        log_base=log_base,
        cap=cap,
        mismatch=mismatch,
        roots=roots,
        binarise=binarise,
        ignore_punct=ignore_punct,
        degenerate=degenerate,
    )
    pairs = check_pair(hyp, ref, links)
    try:
        outcome, partners = _core.dted_mapping(
            options,
            list(hyp.forms),
            [] if flat else list(hyp.heads),
            list(ref.forms),
            [] if flat else list(ref.heads),
            pairs,
        )
    except ValueError as error:
        raise InputError(str(error)) from None
    split = variant in ("co", "cl")
    # As in a row of the metric; a mapping has the formula's value.
    unfounded = outcome.degenerate and degenerate != "keep"
    return DtedResult(
        score=0.0 if unfounded else outcome.score,
        variant=variant,
        flat=flat,
        dist=outcome.dist,
        dist_a=outcome.dist_a if split else None,
        dist_na=outcome.dist_na if split else None,
        words=outcome.words,
        aligned=outcome.aligned,
        prop=outcome.prop,
        weight=outcome.weight,
        degenerate=outcome.degenerate,
        operations=_operations(
            (hyp.forms, ref.forms),
            pairs,
            partners,
            variant=variant,
            mismatch=mismatch,
            ignore_punct=ignore_punct,
        ),
    )


def read_variant(name: str, *, flat: bool) -> tuple[str, bool]:
    """Return the variant behind a name, and whether trees are flattened."""
    if name not in DTED_NAMES:
        raise UnknownNameError("DTED variant", name, DTED_NAMES)
    plain = name.removeprefix("f")
    return DTED_ALIASES.get(plain, plain), flat or plain != name


def make_options(
    *,
    variant: str,
    flat: bool,
    weighting: str,
    log_base: float,
    cap: float,
    mismatch: int,
    roots: str,
    binarise: bool,
    ignore_punct: bool,
    degenerate: str = "keep",
) -> _core.DtedOptions:
    """Return the checked options of the kernel."""
    for what, name, known in (
        ("weighting", weighting, WEIGHTINGS),
        ("treatment of roots", roots, ROOTS),
        ("treatment of degenerate segments", degenerate, DEGENERATE),
    ):
        if name not in known:
            raise UnknownNameError(what, name, known)
    if mismatch not in (1, 2):
        message = f"mismatch must be 1 or 2, not {mismatch!r}"
        raise InputError(message)
    if not (0 < log_base <= 1 and 0 <= cap <= 1):
        message = (
            f"log_base {log_base!r} and cap {cap!r} do not give a weight; choose a "
            "base above 0, both at most 1"
        )
        raise InputError(message)
    return _core.DtedOptions(
        variant=variant,
        flat=flat,
        weighting=weighting,
        log_base=log_base,
        cap=cap,
        mismatch=mismatch,
        virtual_root=roots == "virtual",
        binarise=binarise,
        ignore_punct=ignore_punct,
        degenerate=degenerate,
    )


def _operations(
    forms: tuple[tuple[str, ...], tuple[str, ...]],
    pairs: list[tuple[int, int]],
    partners: list[int],
    *,
    variant: str,
    mismatch: int,
    ignore_punct: bool,
) -> tuple[DtedOperation, ...]:
    kept = [
        [not (ignore_punct and _core.is_punctuation(form)) for form in operation]
        for operation in forms
    ]
    linked = {(h, r) for h, r in pairs if kept[0][h] and kept[1][r]}
    hyp_aligned = {h for h, _ in linked}
    ref_aligned = {r for _, r in linked}
    out = []
    for h, r in enumerate(partners):
        if not kept[0][h]:
            continue
        if r < 0:
            out.append(DtedOperation("delete", h, None, h in hyp_aligned, 1))
            continue
        both = h in hyp_aligned and r in ref_aligned
        either = h in hyp_aligned or r in ref_aligned
        if (h, r) in linked:
            cost = 1 if variant == "b" else 0
            out.append(DtedOperation("match", h, r, True, cost))
        else:
            cost = mismatch if both and variant != "b" else 1
            out.append(DtedOperation("rename", h, r, either, cost))
    paired = set(partners)
    for r, keep in enumerate(kept[1]):
        if keep and r not in paired:
            out.append(DtedOperation("insert", None, r, r in ref_aligned, 1))
    return tuple(out)
