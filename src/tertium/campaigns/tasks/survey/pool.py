# SPDX-License-Identifier: Apache-2.0
"""The sentences that a survey samples from (McCaffery 2017, sections 6.2.3 and 6.3.4).

A system corpus is what one system made of one test set. Equally many sentences are
sampled of each; what is permuted is the reference of a sampled sentence.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

import tertium
from tertium.campaigns.config import CampaignConfig
from tertium.campaigns.tasks.survey.ranks import RankScores, read_ranks
from tertium.data import Testset, read
from tertium.errors import InputError, UnknownNameError
from tertium.order.damage import Source, Truecaser

__all__ = ["Pair", "Pool", "read_pool"]


@dataclass(frozen=True)
class Pair:
    """A hypothesis and its reference.

    Parameters
    ----------
    corpus : str
        Test set and system it was sampled from.
    systems : tuple of str
        Everybody who wrote the same hypothesis.
    reference_parse, hypothesis_parse : Source, optional
        With tags and heads, where they are known.
    copy : int
        Which of the pairs of its segment it is, from 1: equal references are
        permuted differently.
    quality : float
        chrF of the hypothesis against the reference, from 0 to 1.
    rank : float, optional
        Its score by ranks of others, such as WMT's, from 0 to 1.
    """

    corpus: str
    testset: str
    segment: str
    document: str
    language: str
    source: str
    reference: str
    hypothesis: str
    systems: tuple[str, ...]
    reference_parse: Source | None = None
    hypothesis_parse: Source | None = None
    copy: int = 1
    quality: float = 0.0
    rank: float | None = None

    @property
    def place(self) -> tuple[str, str]:
        """The segment: pairs of the same one show the same reference."""
        return self.testset, self.segment


@dataclass(frozen=True)
class Pool:
    """Sampled pairs, one of every system corpus in turn.

    Parameters
    ----------
    corpora : dict of str to int
        Sentences sampled of every system corpus.
    truecaser : Truecaser
        Of all references.
    misparsed : int
        Segments whose trees are of another text.
    """

    pairs: Sequence[Pair]
    corpora: Mapping[str, int]
    truecaser: Truecaser
    misparsed: int = 0


def read_pool(config: CampaignConfig, options: Mapping[str, object]) -> Pool:
    """Return the sampled sentences of a campaign.

    ``items`` names test sets, with commas or with ``*``; ``systems`` the systems
    wanted.

    Raises
    ------
    InputError
        When a file cannot be read, or nothing in it can be shown.
    """
    corpora: dict[str, list[Pair]] = {}
    references: list[str] = []
    misparsed = 0
    for path in _files(config):
        one = _Set(path, config, options)
        references += [refs[0] for refs in one.testset.references if refs]
        corpora |= one.corpora()
        misparsed += one.misparsed
    if not any(corpora.values()):
        message = (
            f"{config.items} has no hypothesis with a reference; give a test set with "
            "both"
        )
        raise InputError(message)
    sampled = _sample(corpora, int(str(options["per_corpus"])), config.seed)
    pairs = _with_quality(list(_deal(sampled, config.seed)))
    return Pool(
        pairs,
        {name: len(items) for name, items in sampled.items()},
        Truecaser.train(references, punctuation=str(options["punctuation"])),
        misparsed=misparsed,
    )


def _files(config: CampaignConfig) -> list[Path]:
    files: list[Path] = []
    for name in filter(None, map(str.strip, config.items.split(","))):
        path = config.file(name)
        if "*" in path.name:
            matching = sorted(path.parent.glob(path.name))
            if not matching:
                raise InputError(f"no file is called {path}; correct items")
            files += map(config.checked, matching)  # some may be links
        elif name == "demo" and not path.exists():
            files.append(Path(tertium.__file__).parent / "demo" / "demo.jsonl")
        else:
            files.append(path)
    return files


@dataclass
class _Set:
    """One test set with the trees that belong to it."""

    path: Path
    config: CampaignConfig
    options: Mapping[str, object]
    testset: Testset = field(init=False)
    misparsed: int = 0

    def __post_init__(self) -> None:
        self.testset = read(self.path)

    @property
    def name(self) -> str:
        return self.path.name.partition(".")[0]

    def corpora(self) -> dict[str, list[Pair]]:
        """Return the pairs of every system; equal outputs are one pair."""
        testset = self.testset
        firsts = [(*refs, "")[0] for refs in testset.references]
        parses = self._parses("trees", "", firsts)
        ranks = self._ranks()
        pairs: dict[str, list[Pair]] = {f"{self.name}/{n}": [] for n in self._systems()}
        known: dict[tuple[int, str], Pair] = {}
        copies: dict[int, int] = {}
        for system in self._systems():
            texts = testset.systems[system]
            own_parses = self._parses("system_trees", system, texts)
            for place, text in enumerate(texts):
                reference = firsts[place]
                if not text.split() or not reference.split():
                    continue
                if (place, text) in known:
                    continue
                copies[place] = copies.get(place, 0) + 1
                pair = Pair(
                    corpus=f"{self.name}/{system}",
                    testset=self.name,
                    segment=testset.ids[place] if testset.ids else str(place + 1),
                    document=testset.docs[place] if testset.docs else "",
                    language=self._language(),
                    source=testset.sources[place] if testset.sources else "",
                    reference=reference,
                    hypothesis=text,
                    systems=tuple(
                        other
                        for other in self._systems()
                        if testset.systems[other][place] == text
                    ),
                    reference_parse=parses[place],
                    hypothesis_parse=own_parses[place],
                    copy=copies[place],
                    rank=ranks.get((place, text)),
                )
                known[place, text] = pair
                pairs[pair.corpus].append(pair)
        return pairs

    def _language(self) -> str:
        pair = self.testset.langpair or ""
        return pair.partition("-")[0] or self.config.source

    def _systems(self) -> list[str]:
        names = [name.strip() for name in self.config.systems.split(",")]
        wanted = [name for name in names if name] or list(self.testset.systems)
        for name in wanted:
            if name not in self.testset.systems:
                raise UnknownNameError("system", name, self.testset.systems)
        return wanted

    def _file(self, pattern: str, system: str = "") -> Path:
        names = pattern.replace("{set}", self.name).replace("{system}", system)
        return self.config.file(names)

    def _ranks(self) -> RankScores:
        """Return what others thought of outputs, where a file tells."""
        if not (pattern := str(self.options["ranks"])):
            return {}
        lowest = str(self.options["lowest"])
        path = self._file(pattern)
        ranks = read_ranks(str(path), self.testset, lowest=lowest)
        if not ranks:
            message = (
                f"{path} ranks no output of {self.path}; check that segments and "
                "systems have the same names, or leave ranks empty"
            )
            raise InputError(message)
        return ranks

    def _parses(
        self, setting: str, system: str, texts: Sequence[str]
    ) -> list[Source | None]:
        """Return the sentences with tags and heads, where a file has them."""
        pattern = str(self.options[setting])
        if not pattern:
            return [None] * len(texts)
        path = self._file(pattern, system)
        sources = list(_read_parses(path, self.options))
        if len(sources) != len(texts):
            message = (
                f"{path} has {len(sources)} trees, {self.path} has {len(texts)} "
                "segments; give one per segment"
            )
            raise InputError(message)
        parses = [
            source if _same(source.text, text) else None
            for source, text in zip(sources, texts, strict=True)
        ]
        wrong = parses.count(None)
        if wrong > len(parses) / 2:
            message = (
                f"most trees of {path} are of other texts than {self.path}; check "
                f"{setting}"
            )
            raise InputError(message)
        self.misparsed += wrong
        return parses


def _read_parses(path: Path, options: Mapping[str, object]) -> Iterator[Source]:
    from tertium.trees.parses import read_first_parses

    for sentence in read_first_parses(path):
        tree = sentence.tree
        tags = tree.upos if options["tags"] == "upos" else tree.xpos
        yield Source.from_parse(
            sentence.tokens,
            heads=tree.heads,
            tags=() if set(tags) <= {"_"} else tags,
            puncts={i for i in range(1, len(tree) + 1) if tree.is_punct(i)},
            punctuation=str(options["punctuation"]),
        )


def _same(one: str, other: str) -> bool:
    """Return whether two texts differ in spaces at most."""
    return "".join(one.split()) == "".join(other.split())


def _sample(
    corpora: Mapping[str, list[Pair]], most: int, seed: int
) -> dict[str, list[Pair]]:
    """Return equally many pairs of every corpus, shuffled; 0 takes all."""
    sizes = [len(pairs) for pairs in corpora.values() if pairs]
    number = min(most, *sizes) if most and sizes else None
    sampled = {}
    for name, pairs in corpora.items():
        shuffled = list(pairs)
        # By name: another corpus more or less changes no draw.
        Random(f"{seed}:sample:{name}").shuffle(shuffled)
        sampled[name] = shuffled[:number]
    return {name: pairs for name, pairs in sampled.items() if pairs}


def _deal(corpora: Mapping[str, list[Pair]], seed: int) -> Iterator[Pair]:
    """Yield one pair of every corpus in turn, in another order every time."""
    rng = Random(f"{seed}:deal")
    for row in range(max(map(len, corpora.values()), default=0)):
        turn = [corpus[row] for corpus in corpora.values() if row < len(corpus)]
        rng.shuffle(turn)
        yield from turn


def _with_quality(pairs: list[Pair]) -> list[Pair]:
    table = tertium.score(
        {"pool": [pair.hypothesis for pair in pairs]},
        [pair.reference for pair in pairs],
        metrics="chrf",
        segments=True,
    )
    scores = table["pool"]["chrf"].segments or []
    return [
        replace(pair, quality=(score or 0.0) / 100)
        for pair, score in zip(pairs, scores, strict=True)
    ]
