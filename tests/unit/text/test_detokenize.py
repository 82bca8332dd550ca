# SPDX-License-Identifier: Apache-2.0
"""Tokens as people read them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.text.detokenize import detokenize

THIN = "\u202f"

CASES = [
    ("en", "Well , it 's 5 % of $ 12 .", "Well, it's 5% of $12."),
    ("en", "He did n't say & quot ;", "He didn't say & quot;"),
    ("en", "the dogs ’ ( old ) house", "the dogs’ (old) house"),
    ("en", "“ Go ! ” he said", "“Go!” he said"),
    ("en", "&quot; AT &amp; T &quot; rose", '"AT & T" rose'),
    ("en", "a well @-@ known and / or &#91; 3 &#93;", "a well-known and / or [3]"),
    ("en", "-LRB- see `` it '' -RRB-", "(see “it”)"),
    ("en", '" Yes " and " no " .', '"Yes" and "no".'),
    # One mark alone says nothing, unless it stands at an end.
    ("en", 'said " he went', 'said " he went'),
    ("en", '" he went', '"he went'),
    ("en", "the dogs ' tails", "the dogs' tails"),
    ("en", "dogs &apos; tails and cats &apos; ears", "dogs' tails and cats' ears"),
    ("en", "' the dogs ' tails ' , she said", "'the dogs' tails', she said"),
    ("en", "' dogs ' are animals", "'dogs' are animals"),
    ("en", "she says ' hello ' to us", "she says 'hello' to us"),
    ("en", "the dogs ' ' big ' tails", "the dogs' 'big' tails"),
    ("en", "a ' b", "a ' b"),
    ("", "the dogs ' tails", "the dogs ' tails"),
    ("en", 'he went "', 'he went"'),
    ("cs", "Stálo to 5 % , řekl : „ Ano “ .", "Stálo to 5 %, řekl: „Ano“."),
    ("cs", "Řekl » ano « a odešel …", "Řekl »ano« a odešel…"),
    ("cs", "konec věty “", "konec věty“"),
    ("de", "Er rief : ‚ Halt ! ‘", "Er rief: ‚Halt!‘"),
    ("fi", "Hän sanoi ” ei ” , muttei » kyllä »", "Hän sanoi ”ei”, muttei »kyllä»"),
    ("fr", "l' homme dit : « Oui ! »",
     f"l'homme dit{THIN}: «{THIN}Oui{THIN}!{THIN}»"),
    ("fr-CA", "5 % , qu’ il dit", f"5{THIN}%, qu’il dit"),
    ("it", "dell' acqua", "dell'acqua"),
    ("es", "¿ Qué ? ¡ « Sí » !", "¿Qué? ¡«Sí»!"),
    ("ar", "نعم ، هذا صحيح ؟", "نعم، هذا صحيح؟"),
    ("zh", "我们 走 。 OK 吗 ？", "我们走。 OK 吗？"),
    ("", "« Oui » , „ ano “ , “ so ”", "«Oui», „ano“, “ so”"),
    ("", "5 % of l' eau", "5 % of l' eau"),
    ("en", ". . .", "..."),
    ("en", "", ""),
    ("cs", "řekl `` ahoj '' a šel .", "řekl “ahoj” a šel."),
    ("", "he said : `` no . ''", "he said: “no.”"),
]  # fmt: skip


@pytest.mark.parametrize(("language", "tokens", "text"), CASES)
def test_text_is_as_people_write_it(language, tokens, text):
    assert detokenize(tokens.split(), language).text == text


SIGNS = "„ “ ” ‘ ’ « » \" ' ( ) , . % $ 5 & &amp; &quot; @-@ -LRB- 's l' a 吗"
tokens = st.lists(
    st.one_of(
        st.sampled_from(SIGNS.split()),
        st.text(min_size=1, max_size=5).filter(lambda text: text.split() == [text]),
    ),
    max_size=12,
)
languages = st.sampled_from(["", "en", "cs", "de", "fr", "fi", "zh", "ar"])


@given(tokens, languages)
def test_every_token_keeps_its_place(words, language):
    detokenized = detokenize(words, language)
    assert len(detokenized.spans) == len(words)
    at = 0
    for word, (start, end) in zip(words, detokenized.spans, strict=True):
        assert detokenized.text[at:start] in ("", " ", THIN)
        if not set(word) & set("&@`'-"):  # no escape: shown as it is
            assert detokenized.text[start:end] == word
        at = end
    assert at == len(detokenized.text)


@given(tokens, languages, st.sets(st.integers(0, 11)))
def test_pieces_are_the_text_and_marks_the_tokens(words, language, marked):
    detokenized = detokenize(words, language)
    pieces = detokenized.pieces(marked)
    assert "".join(text for text, _ in pieces) == detokenized.text
    assert all(text for text, _ in pieces)
    on = [flag for text, flag in pieces for _ in text]
    for token, (start, end) in enumerate(detokenized.spans):
        assert on[start:end] == [token in marked] * (end - start)
    # Nothing else is marked but gaps between two marked tokens.
    for left in range(len(words) - 1):
        gap = on[detokenized.spans[left][1] : detokenized.spans[left + 1][0]]
        assert gap == [{left, left + 1} <= marked] * len(gap)
