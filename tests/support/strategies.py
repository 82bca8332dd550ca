# SPDX-License-Identifier: Apache-2.0
"""Texts that find mistakes: few words, so that they match; all of Unicode."""

from __future__ import annotations

from hypothesis import strategies as st

_PIECES = [
    "a", "b", "c", "the", "cat", "cats", "Ünï", "naïve", "数", "据", "한국", "日本語",
    "1", "23", "1,000.5", "3-4", "-", "--", ".", "..", "...", ",", ".,", "!", "?", "¿",
    "'s", "'", '"', "(", ")", "[x]", "{", "~", "/", "&", "&amp;", "&quot;", "&lt;",
    "&amp;lt;", "<skipped>", "<", ">", "$", "€", "%", "½", "²", "…", "—", "«", "\u3001",
    "\uff0c", "\uff01", "\u30fb", "\ud55c", "İ", "ß", "Σ", "ς", "e\u0301", "😀", "👩‍👧",
]  # fmt: skip
_SPACES = [
    " ",
    " ",
    " ",
    "  ",
    "\t",
    "\u00a0",
    "\u3000",
    "\u2028",
    "\x85",
    "\x1c",
    "\n",
    "",
]

#: Words joined by all kinds of white space, or by none.
messy_lines = st.lists(
    st.tuples(st.sampled_from(_PIECES), st.sampled_from(_SPACES)), max_size=25
).map(lambda pairs: "".join(piece + space for piece, space in pairs))

#: Anything that is text.
any_lines = st.text(max_size=40)

#: Short sentences over few words, so that there are repetitions and matches.
plain_lines = st.lists(st.sampled_from(list("abcdefg")), max_size=12).map(" ".join)
short_lines = st.lists(st.sampled_from(["a", "b", "ab", "abc"]), max_size=6).map(
    " ".join
)

lines = st.one_of(messy_lines, any_lines, plain_lines)


def segments(texts=lines, *, max_refs: int = 3, max_size: int = 5):
    """Return a list of (hypothesis, references) of a test set."""
    refs = st.lists(texts, min_size=1, max_size=max_refs)
    return st.lists(st.tuples(texts, refs), min_size=1, max_size=max_size)


@st.composite
def block_permutations(draw, *, max_size: int = 90):
    """Return a permutation from 1, made by moving and turning blocks."""
    n = draw(st.integers(1, max_size))
    perm = list(range(1, n + 1))
    for _ in range(draw(st.integers(0, 8))):
        a, b, c = sorted(draw(st.tuples(*[st.integers(0, n)] * 3)))
        perm = perm[:a] + perm[b:c] + perm[a:b] + perm[c:]
        if draw(st.booleans()):
            perm[a:b] = perm[a:b][::-1]
    return tuple(perm)


#: Random ones, which are mostly prime, and structured ones.
perms = st.one_of(
    block_permutations(),
    st.integers(1, 90).flatmap(lambda n: st.permutations(range(1, n + 1))).map(tuple),
)


@st.composite
def tree_heads(draw, max_size=7):
    """Draw the heads of any tree or forest over words, projective or not."""
    n = draw(st.integers(0, max_size))
    order = draw(st.permutations(range(n)))
    out = [0] * n
    for i, word in enumerate(order):
        at = draw(st.integers(0, i))
        out[word] = 0 if at == i else order[at] + 1
    return out
