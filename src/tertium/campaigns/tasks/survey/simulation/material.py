# SPDX-License-Identifier: Apache-2.0
"""The files of a simulated survey: the bundled example, or references of a user."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from tertium._files import replace_file
from tertium.campaigns.starting import Overrides, starter_files
from tertium.campaigns.tasks import get_task
from tertium.data import Testset, read, write
from tertium.data.formats import extension_of
from tertium.errors import InputError
from tertium.order.damage.files import read_sources
from tertium.trees.conllu import Sentence, write_conllu
from tertium.trees.parses import read_first_parses

__all__ = ["NAME", "UNCHANGED", "Material", "write_material"]

#: The campaign's name: the demonstration for people may be in the same database.
NAME = "simulated-survey"
#: The "system" of references that come without translations.
UNCHANGED = "unchanged"
_SEGMENTS = 300  # of a user's file, sampled
_SYSTEMS = 4
_WORDS = (6, 40)  # of a reference
_DEGREES = 15  # more would take known scores below 0
#: Items of a questionnaire and those that all share: the thesis, and less of it.
_SIZES = ((50, 20), (30, 12), (22, 8), (16, 6), (10, 4))
_ROOM = 0.8  # share of the sentences to plan with: not every one fits every kind
_FEWEST = 12  # sentences
_TREELESS = "order"  # All other kinds need trees.


@dataclass(frozen=True)
class Material:
    """References for a survey, with what else is known about them.

    Parameters
    ----------
    testset : Testset
        References, and systems if there are any.
    trees : sequence of Sentence
        Of the references, or empty.
    system_trees : mapping of str to sequence of Sentence
        Of the systems, or empty.
    """

    testset: Testset
    trees: Sequence[Sentence] = ()
    system_trees: Mapping[str, Sequence[Sentence]] | None = None


def write_material(
    folder: Path,
    *,
    judges: int,
    seed: int,
    kinds: Sequence[str],
    references: str | None = None,
    parser: str | None = None,
    model: str = "",
) -> Path:
    """Write the files of a survey, and return its configuration.

    Parameters
    ----------
    folder : Path
    judges : int
        How many will take part; decides how many questionnaires there are.
    seed : int
    kinds : sequence of str
        Permutations wanted.
    references : str, optional
        A test set, or one reference per line, or CoNLL-U. By default the sentences of
        the example, with trees.
    parser, model : str
        What parses `references`, for kinds other than order.

    Raises
    ------
    InputError
        When the folder has a survey, there are too few references, or all kinds need
        trees and there are none. Nothing is written then.
    """
    config = folder / "campaign.toml"
    if config.exists():
        message = f"{config} exists; choose another folder, or delete this one"
        raise InputError(message, options=("folder",))
    task = get_task("survey")
    files = starter_files(task, Overrides(seed=seed))
    options: dict[str, object] = {
        "name": NAME,
        "kinds": ", ".join(kinds),
        "reuse": True,
    }
    if references is None:
        if parser is not None:
            message = "the example has trees; give a parser with references only"
            raise InputError(message, options=("parser",))
        pairs, material = 32, None
    else:
        material = _material(references, seed=seed, parser=parser, model=model)
        if not material.trees:
            _check_kinds(kinds, references)
        for name in ("sentences.jsonl", "reference.conllu"):
            files.pop(name)
        files = {n: text for n, text in files.items() if not n.endswith(".conllu")}
        pairs = len(material.testset) * len(material.testset.systems)
    options |= _plan(pairs, judges)
    folder.mkdir(parents=True, exist_ok=True)
    if material is not None:
        options |= _write_texts(folder, material)
    # The configuration comes last: it says that there is a survey.
    files["campaign.toml"] = _with_options(files.pop("campaign.toml"), options)
    for name, text in files.items():
        with replace_file(folder / name) as file:
            file.write(text.encode())
    return config


def _check_kinds(kinds: Sequence[str], references: str) -> None:
    """Reject kinds that all need trees."""
    if _TREELESS in kinds:
        return
    *others, last = kinds
    what = f"{', '.join(others)} and {last} need" if others else f"{last} needs"
    message = (
        f"{what} trees, and {references} has none; name a parser, give a .conllu file, "
        f"or add the kind {_TREELESS}"
    )
    raise InputError(message, options=("parser",))


def _plan(pairs: int, judges: int) -> dict[str, object]:
    """Return the largest questionnaires that leave room for a few different ones.

    Half of the items are hypotheses, each with another sentence. When there are fewer
    questionnaires than judges, they are handed out again.
    """
    room = int(_ROOM * pairs)
    for items, shared in _SIZES:
        number = (room - shared // 2) // max(1, (items - shared + 1) // 2)
        if number >= min(judges, 3):
            break
    else:
        raise InputError(_too_few(pairs))
    return {
        "items": items,
        "shared": shared,
        "questionnaires": min(number, judges),
        "degrees": _DEGREES,
    }


def _too_few(sentences: int) -> str:
    return (
        f"{sentences} sentences of {_WORDS[0]} to {_WORDS[1]} words are too few for a "
        f"survey; give at least {_FEWEST} references"
    )


def _with_options(text: str, options: Mapping[str, object]) -> str:
    """Return a configuration with other values of settings that it has."""
    import json

    for name, value in options.items():
        line = f"{name} = {json.dumps(value, ensure_ascii=False)}"
        pattern = rf"(?m)^{name} = .*$"
        # "items" is a setting of the campaign, too: the last one is the task's.
        *_, last = re.finditer(pattern, text)
        text = text[: last.start()] + line + text[last.end() :]
    return text


def _material(
    references: str, *, seed: int, parser: str | None, model: str
) -> Material:
    """Return references of a file, sampled, with trees."""
    kind = extension_of(references)
    if kind == ".conllu":
        if parser is not None:
            message = f"{references} has trees; omit the parser"
            raise InputError(message, options=("parser",))
        blocks = list(read_first_parses(references))
        lines = [source.text for source in read_sources(references)]
        testset = _unchanged(lines)
        chosen = _choose(testset, seed)
        trees = [blocks[i] for i in chosen]
        return Material(_part(testset, chosen), trees, {UNCHANGED: trees})
    if kind in ("", ".txt", ".ref"):
        testset = _unchanged([source.text for source in read_sources(references)])
    else:
        testset = read(references)
        if not testset.systems:
            firsts = [(*refs, "")[0] for refs in testset.references]
            testset = _unchanged(firsts, testset.langpair)
    testset = _part(testset, _choose(testset, seed))
    if parser is None:
        return Material(testset)
    return _parsed(testset, parser, model)


def _unchanged(lines: Sequence[str], langpair: str | None = None) -> Testset:
    texts = [" ".join(line.split()) for line in lines]
    return Testset([(text,) for text in texts], {UNCHANGED: texts}, langpair=langpair)


def _choose(testset: Testset, seed: int) -> list[int]:
    """Return the places of references of a fit length, at most so many."""
    low, high = _WORDS
    fit = [
        place
        for place, refs in enumerate(testset.references)
        if refs and low <= len(refs[0].split()) <= high
    ]
    if len(fit) < _FEWEST:
        raise InputError(_too_few(len(fit)))
    Random(f"{seed}:references").shuffle(fit)
    return sorted(fit[:_SEGMENTS])


def _part(testset: Testset, chosen: Sequence[int]) -> Testset:
    """Return some segments, of the first systems, with names that fit files."""
    names = list(testset.systems)[:_SYSTEMS]
    ids = testset.ids or [str(place + 1) for place in range(len(testset))]
    return Testset(
        [(_clean(testset.references[i][0]),) for i in chosen],
        {
            re.sub(r"[^\w.-]", "_", name): [
                _clean(testset.systems[name][i]) for i in chosen
            ]
            for name in names
        },
        ids=[ids[i] for i in chosen],
        langpair=testset.langpair,
    )


def _clean(text: str) -> str:
    return " ".join(text.replace("\ufeff", "").split())


def _parsed(testset: Testset, parser: str, model: str) -> Material:
    from tertium.trees.parsing import cached_parser

    loaded = cached_parser(parser, model, processes=1)
    columns = {"": [refs[0] for refs in testset.references], **testset.systems}
    blocks = {
        name: [
            Sentence.from_tree(tree, text=text)
            for tree, text in zip(loaded.parse(texts), texts, strict=True)
        ]
        for name, texts in columns.items()
    }
    return Material(testset, blocks.pop(""), blocks)


def _write_texts(folder: Path, material: Material) -> dict[str, object]:
    """Write test set and trees, and return the settings that name them."""
    write(material.testset, str(folder / "sentences.jsonl"))
    names: dict[str, object] = {"trees": "", "system_trees": ""}
    if material.trees:
        write_conllu(str(folder / "reference.conllu"), material.trees)
        names["trees"] = "reference.conllu"
    for system, blocks in (material.system_trees or {}).items():
        write_conllu(str(folder / f"{system}.conllu"), blocks)
        names["system_trees"] = "{system}.conllu"
    return names
