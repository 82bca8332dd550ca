# SPDX-License-Identifier: Apache-2.0
"""Write the test set of ``tertium grammar demo``, and check the systems' outputs.

``python tools/grammar_demo.py testset`` chooses the sources: of every template the
sentences of all variable sets go into one pool, a few of each set, and those that
differ most are taken. The outputs in ``src/tertium/demo/grammar`` are written by hand;
``python tools/grammar_demo.py words`` lists their words that no reference has in
``words.fin.txt`` of each template, for ``tools/lexicon_lock.py``.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tertium.grammars.authoring.template import Template, load_template
from tertium.grammars.gf.variables import VariableSet, show_set
from tertium.grammars.morphology import load_analyser
from tertium.grammars.search.tokens import bare_tokens
from tertium.grammars.sets.exchange import (
    SourceSentence,
    read_outputs,
    read_sources,
    segment_id,
    sentence_text,
    write_sources,
)
from tertium.grammars.sets.selection import diverse

ROOT = Path(__file__).resolve().parents[1] / "src/tertium"
FOLDER = ROOT / "demo" / "grammar"
TEMPLATES = ("size", "trust", "differences", "exercise", "vessel", "snow", "shop")
QUOTAS = dict.fromkeys(TEMPLATES, 8) | {"vessel": 10, "snow": 10}
SEED = 7
HEADER = """\
# Words of translations that no reference has: wrong choices, and inflected forms of
# them. Written by tools/grammar_demo.py from the outputs of the demo.
"""


def pool(template: Template) -> dict[tuple[str, ...], VariableSet]:
    """Return a few sentences of every variable set, each with another seed."""
    sentences: dict[tuple[str, ...], VariableSet] = {}
    for number, (codes, one) in enumerate(template.grammar.sets("Eng").items()):
        for sentence in one.sample(6, seed=SEED + number):
            sentences[sentence] = codes
    return sentences


def chosen(template: Template) -> list[SourceSentence]:
    """Return sentences of a template that differ, of different sets."""
    sentences = pool(template)
    taken: list[SourceSentence] = []
    used: dict[VariableSet, int] = {}
    for sentence in diverse(sentences, threshold=0.45, seed=SEED):
        codes = sentences[sentence]
        if codes in used:
            continue
        number = used[codes] = 0
        made = template.grammar.constructions("Eng", codes)
        taken.append(
            SourceSentence(
                segment_id(template.id, codes, "Eng", number),
                template.id,
                show_set(codes),
                sentence_text(sentence),
                tuple(name for name, one in made.items() if sentence in one),
            )
        )
        if len(taken) == QUOTAS[template.id]:
            break
    return taken


def templates() -> dict[str, Template]:
    return {
        name: load_template(ROOT / "grammars/templates" / name) for name in TEMPLATES
    }


def write_testset() -> None:
    every = [source for template in templates().values() for source in chosen(template)]
    write_sources(FOLDER / "testset.jsonl", every)
    print(f"{len(every)} sources")


def write_words() -> None:
    """Write the words of outputs that the grammars do not have."""
    sources = read_sources(FOLDER / "testset.jsonl")
    ids = [chosen_source.id for chosen_source in sources]
    voikko = load_analyser("voikko")
    used: dict[str, set[str]] = {name: set() for name in TEMPLATES}
    for path in sorted(FOLDER.rglob("*.txt")):
        for source, output in zip(sources, read_outputs(path, ids), strict=True):
            used[source.template] |= {word.lower() for word in bare_tokens(output)}
    for name, template in templates().items():
        known = {
            word.lower()
            for automaton in template.grammar.sets("Fin").values()
            for symbol in automaton.symbols
            for word in bare_tokens(symbol)
        }
        words = sorted(word for word in used[name] - known if voikko.analyse(word))
        text = HEADER + "".join(f"{word}\n" for word in words)
        (template.folder / "words.fin.txt").write_text(text, encoding="utf-8")
        print(f"{name}: {len(words)} words")


if __name__ == "__main__":
    {"testset": write_testset, "words": write_words}[sys.argv[1]]()
