# SPDX-License-Identifier: Apache-2.0
"""Findings on words: missing, extra and replaced ones, and those in another form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias
from unicodedata import category

from tertium.report.explain.views import Finding, MatchView
from tertium.report.explain.wording import MARK, Quote, is_mark, quote, say, weight

__all__ = [
    "Gap", "form_findings", "gap_findings", "mark_findings", "pair_gaps",
    "without_counterpart",
]  # fmt: skip

# Another form of the right word, and another case, weigh less than a wrong word.
_FORM = 0.5
_CASE = 0.1

# At equal weight, missing words come first.
_RANKS = {"missing": 0, "replaced": 1, "extra": 2}


@dataclass(frozen=True)
class Gap:
    """Unaligned neighbours: of the output, of the reference, or facing each other."""

    hyp: tuple[int, ...]
    ref: tuple[int, ...]


def without_counterpart(
    hyp: Sequence[str], ref: Sequence[str], gaps: Sequence[Gap]
) -> tuple[float, Finding] | None:
    """Return how many words lack a counterpart, if they are many or in many places.

    Otherwise only the largest gap of an unrelated text would be reported.
    """
    loose = [h for gap in gaps for h in gap.hyp]
    lost = [r for gap in gaps for r in gap.ref]
    if len(loose) == len(hyp):
        text = "No word of the output is aligned with a word of the reference."
        return weight(hyp, loose) + weight(ref, lost), say("words", text)
    share = (len(loose) + len(lost)) / (len(hyp) + len(ref))
    if len(gaps) < 2 or share < 1 / 4:
        return None
    kept = len(hyp) - len(loose)
    if share > 1 / 2:
        text = (
            f"Only {kept} of the output's {len(hyp)} words {_have(kept)} a "
            f"counterpart among the reference's {len(ref)}."
        )
    elif loose and lost:
        text = (
            f"{len(loose)} of the output's {len(hyp)} words and {len(lost)} of the "
            f"reference's {len(ref)} have no counterpart."
        )
    elif loose:
        text = f"{len(loose)} of the output's {len(hyp)} words are extra."
    else:
        text = f"{len(lost)} of the reference's {len(ref)} words are missing."
    return max(weight(hyp, loose), weight(ref, lost)), say("words", text)


def _have(number: int) -> str:
    return "has" if number == 1 else "have"


def pair_gaps(
    hyp: Sequence[str], ref: Sequence[str], matches: Sequence[MatchView]
) -> list[Gap]:
    """Return stretches of unaligned words, in pairs where they face each other.

    Two stretches face each other if their neighbours are aligned with each other on
    both sides, or else on one side; the edges of the texts count as neighbours.
    """
    links = {pair for match in matches for pair in match.pairs}
    links |= {(-1, -1), (len(hyp), len(ref))}
    mates: dict[int, list[int]] = {}
    for h, r in links:
        mates.setdefault(h, []).append(r)
    loose = _stretches(len(hyp), {h for h, _ in links})
    lost = _stretches(len(ref), {r for _, r in links})
    starts = {other[0]: number for number, other in enumerate(lost)}
    ends = {other[-1]: number for number, other in enumerate(lost)}
    near = {
        stretch: sorted(
            {starts[r + 1] for r in mates.get(stretch[0] - 1, ()) if r + 1 in starts}
            | {ends[r - 1] for r in mates.get(stretch[-1] + 1, ()) if r - 1 in ends}
        )
        for stretch in loose
    }
    gaps: list[Gap] = []
    taken: set[int] = set()
    left = list(loose)
    for quality in (3, 2, 1):
        for stretch in list(left):
            for number in near[stretch]:
                if number not in taken and (
                    _facing(stretch, lost[number], links, len(hyp)) >= quality
                ):
                    gaps.append(Gap(stretch, lost[number]))
                    taken.add(number)
                    left.remove(stretch)
                    break
    gaps += [Gap(stretch, ()) for stretch in left]
    gaps += [Gap((), other) for n, other in enumerate(lost) if n not in taken]
    return gaps


def _facing(
    one: tuple[int, ...],
    other: tuple[int, ...],
    links: set[tuple[int, int]],
    size: int,
) -> int:
    """Return 3 for both sides, 2 for a side with a word, 1 for an edge, or 0."""
    left = (one[0] - 1, other[0] - 1)
    right = (one[-1] + 1, other[-1] + 1)
    if left in links and right in links:
        return 3
    if (left in links and left[0] >= 0) or (right in links and right[0] < size):
        return 2
    return 1 if left in links or right in links else 0


def _stretches(size: int, aligned: set[int]) -> list[tuple[int, ...]]:
    stretches: list[list[int]] = []
    for index in range(size):
        if index in aligned:
            continue
        if stretches and stretches[-1][-1] == index - 1:
            stretches[-1].append(index)
        else:
            stretches.append([index])
    return [tuple(stretch) for stretch in stretches]


def gap_findings(
    hyp: Sequence[str], ref: Sequence[str], gaps: Sequence[Gap]
) -> list[tuple[float, Finding]]:
    """Return one finding per gap, each with the weight of its longer side."""
    findings = []
    for gap in gaps:
        if gap.hyp and gap.ref:
            findings.append(
                say(
                    "replaced",
                    "The output has ", quote(hyp, gap.hyp),
                    " where the reference has ", quote(ref, gap.ref), ".",
                    hyp=gap.hyp, ref=gap.ref,
                )
            )  # fmt: skip
        elif gap.ref:
            findings.append(_lone("missing", "reference", ref, gap.ref))
        else:
            findings.append(_lone("extra", "output", hyp, gap.hyp))
    # At equal weight, in the order of the text.
    findings.sort(
        key=lambda finding: (_RANKS[finding.kind], (finding.ref or finding.hyp)[0])
    )
    return [
        (max(weight(hyp, finding.hyp), weight(ref, finding.ref)), finding)
        for finding in findings
    ]


def _lone(kind: str, side: str, words: Sequence[str], span: tuple[int, ...]) -> Finding:
    noun = (
        "punctuation mark" if all(is_mark(words[index]) for index in span) else "word"
    )
    verb, it = ("is", "it") if len(span) == 1 else ("are", "them")
    noun += "" if len(span) == 1 else "s"
    before, after = span[0] - 1, span[-1] + 1
    if before < 0 and after >= len(words):
        where: list[str] = [f"the {side} has nothing else"]
    elif before < 0:
        where = [f"the {side} has {it} at the start, before ", Quote(words[after])]
    elif after >= len(words):
        where = [f"the {side} has {it} at the end, after ", Quote(words[before])]
    else:
        where = [
            f"the {side} has {it} between ", Quote(words[before]), " and ",
            Quote(words[after]),
        ]  # fmt: skip
    spans = {"ref": span} if side == "reference" else {"hyp": span}
    return say(
        kind, f"The {noun} ", quote(words, span), f" {verb} {kind}; ", *where, ".",
        **spans,
    )  # fmt: skip


def form_findings(
    hyp: Sequence[str], ref: Sequence[str], matches: Sequence[MatchView]
) -> list[tuple[float, Finding]]:
    """Return words in another form or case, each with its weight."""
    findings: list[tuple[float, Finding]] = []
    case = []
    for match in matches:
        one, other = range(*match.hyp), range(*match.ref)
        here, there = quote(hyp, one), quote(ref, other)
        if here == there:
            continue
        if here.lower() == there.lower():
            case.append((here, there, one, other))
            continue
        reason = _REASONS.get(match.matcher, f"matched by {match.matcher}")
        if match.matcher == "exact":
            reason = "aligned"
        form = say(
            "form", "The output has ", here, " for ", there, f" ({reason}).",
            hyp=one, ref=other,
        )  # fmt: skip
        findings.append((_FORM * weight(ref, other), form))
    case = _uncrossed(case)
    if case:
        pieces: list[str] = ["Only the case differs: the output has "]
        for number, (here, there, _, _) in enumerate(case):
            pieces += [", " if number else "", here, " for ", there]
        words = [r for _, _, _, other in case for r in other]
        finding = say(
            "case", *pieces, ".",
            hyp=[h for _, _, one, _ in case for h in one], ref=words,
        )  # fmt: skip
        findings.append((_CASE * weight(ref, words), finding))
    return findings


_Case: TypeAlias = "tuple[Quote, Quote, range, range]"


def _uncrossed(case: Sequence[_Case]) -> list[_Case]:
    """Return words in another case without those that the output has elsewhere.

    *The* for *the* beside *the* for *The* only means that links cross.
    """
    rest: list[_Case] = []
    for item in case:
        twins = [one for one in rest if one[:2] == (item[1], item[0])]
        if twins:
            rest.remove(twins[0])
        else:
            rest.append(item)
    return rest


def mark_findings(
    hyp: Sequence[str], ref: Sequence[str], texts: tuple[str, str]
) -> list[tuple[float, Finding]]:
    """Return which punctuation differs, apart from marks that count as words."""
    one, other = (
        _marks(text) - _marks("".join(words))
        for text, words in zip(texts, (hyp, ref), strict=True)
    )
    parts: list[str] = []
    for verb, marks in (("lacks ", other - one), ("adds ", one - other)):
        if marks:
            shown = Quote(" ".join(marks.elements()))
            parts += [" and " if parts else "", verb, shown]
    if not parts:
        return []
    weighs = MARK * max((one - other).total(), (other - one).total())
    finding = say("punctuation", "Punctuation differs: the output ", *parts, ".")
    return [(weighs, finding)]


def _marks(text: str) -> Counter[str]:
    return Counter(char for char in text if category(char).startswith("P"))


_REASONS = {"stem": "same stem", "synonym": "a synonym", "paraphrase": "a paraphrase"}
