# SPDX-License-Identifier: Apache-2.0
"""The edit between two tokens by brute force: the best of all that apply.

Readings are compared pair by pair, without any index.
"""

from __future__ import annotations

from tertium.grammars.morphology import Analysis
from tertium.grammars.search.edits import EditCosts
from tertium.grammars.search.words import Word

ORDER = [
    "move",
    "caseshift",
    "lemma_sub",
    "comp_lemma_join",
    "unkdel",
    "unksub",
    "animacy_sub",
    "casenum_sub",
    "tensenum_sub",
    "case_sub",
    "insert",
    "delete",
    "sub",
    "outdel",
    "outsub",
    "comp_hyphen",
    "comp_split",
]
#: Parts of speech that can replace each other.
KINDRED = ({"NOUN", "PROPN"}, {"PRON", "DET"}, {"ADJ", "PTCP"}, {"NUM"})
NOMINAL = ("NOUN", "PROPN", "ADJ", "PRON", "DET", "NUM", "PTCP")


def edit(hyp: Word, ref: Word, costs: EditCosts) -> tuple[str, int, str]:
    """Return kind, cost and label."""
    if hyp.token.casefold() == ref.token.casefold():
        return "match", 0, "match"
    if _bare(hyp.token) and _bare(hyp.token) == _bare(ref.token):
        return "comp_hyphen", costs.comp_hyphen, "comp_hyphen"
    applying = ["outsub" if hyp.outside else "sub" if hyp.known else "unksub"]
    pairs = [(a, b) for a in hyp.analyses for b in ref.analyses]
    shift = ""
    if any(a.lemma == b.lemma for a, b in pairs):
        applying.append("lemma_sub")
        shift = _shift(pairs)
        if shift:
            applying.append("caseshift")
    else:
        for a, b in pairs:
            applying += _lexical(a, b, costs)
    kind = min(applying, key=lambda kind: (getattr(costs, kind), ORDER.index(kind)))
    return kind, getattr(costs, kind), shift if kind == "caseshift" else kind


def _lexical(a: Analysis, b: Analysis, costs: EditCosts) -> list[str]:
    kinds = []
    kindred = any({a.pos, b.pos} <= group for group in KINDRED)
    if kindred and _has_case(a) and _has_case(b) and a.case == b.case:
        kinds.append("case_sub")
        if a.number == b.number:
            kinds.append("casenum_sub")
            if {a.pos, b.pos} <= {"PRON", "DET"} and (
                (a.lemma, b.lemma) in costs.animacy
                or (b.lemma, a.lemma) in costs.animacy
            ):
                kinds.append("animacy_sub")
    if a.pos in ("VERB", "AUX") and b.pos in ("VERB", "AUX"):
        one = (a.tense, a.person, a.number, a.mood, a.case)
        other = (b.tense, b.person, b.number, b.mood, b.case)
        if one == other and any(one):
            kinds.append("tensenum_sub")
    return kinds


def _shift(pairs: list[tuple[Analysis, Analysis]]) -> str:
    same = [(a, b) for a, b in pairs if a.lemma == b.lemma]
    if any({a.pos, b.pos} <= {"VERB", "AUX"} for a, b in same):
        return ""
    nominal = [(a, b) for a, b in same if _has_case(a) and _has_case(b)]
    numbers = {a.number == b.number for a, b in nominal}
    if True in numbers:
        nominal = [(a, b) for a, b in nominal if a.number == b.number]
    shifts = {(a.case, b.case) for a, b in nominal}
    if not shifts or any(x == y for x, y in shifts):
        return ""
    x = "|".join(sorted({one for one, _ in shifts}))
    y = "|".join(sorted({other for _, other in shifts}))
    return f"CASESHIFT-{x}-{y}"


def _bare(token: str) -> str:
    return token.casefold().replace("-", "")


def _has_case(analysis: Analysis) -> bool:
    return analysis.pos in NOMINAL and bool(analysis.case)
