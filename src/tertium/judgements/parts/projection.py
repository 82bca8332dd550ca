# SPDX-License-Identifier: Apache-2.0
"""The translation of each part in each output, by word alignment.

Macháček (2014), section 2.1: the translation of a part consists of all words linked to
one of its words, in the order of the output. There may be gaps between them. Equal
translations (case-sensitive) are one *candidate*, which is judged once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tertium.align.links import Links, check_links
from tertium.errors import InputError
from tertium.judgements.parts.extraction import Indices
from tertium.judgements.parts.sentences import SentenceParts

__all__ = ["Candidates", "Image", "Origin", "Projection", "image", "project"]


@dataclass(frozen=True)
class Image:
    """The translation of a part in one output.

    Parameters
    ----------
    indices : tuple of int
        The places of its words in the output, counted from 0, in ascending order.
    text : str
        Those words, joined by spaces.
    linked : tuple of int
        The linked places; fewer than `indices` if gaps were filled.
    """

    indices: Indices
    text: str
    linked: Indices

    @property
    def has_gaps(self) -> bool:
        """Whether there are unlinked words between the linked ones."""
        return self.linked[-1] - self.linked[0] + 1 != len(self.linked)


@dataclass(frozen=True)
class Origin:
    """The system that wrote a candidate, hidden from annotators.

    Parameters
    ----------
    sentence : str
    part : str
        The words of the part in the source.
    source_indices : tuple of int
    system : str
    image : Image
    """

    sentence: str
    part: str
    source_indices: Indices
    system: str
    image: Image


@dataclass(frozen=True)
class Candidates:
    """The different translations of one part, without the systems.

    Parameters
    ----------
    indices : tuple of int
        The places of its words in the source.
    text : str
        Those words, joined by spaces.
    candidates : tuple of str
        Sorted as strings, so that the order does not reveal the systems.
    """

    indices: Indices
    text: str
    candidates: tuple[str, ...]


@dataclass(frozen=True)
class Projection:
    """Parts with their candidates, and separately the systems that wrote them.

    Parameters
    ----------
    sentences : tuple of (SentenceParts, tuple of Candidates)
        Every sentence with the candidates of its parts; parts that no system
        translated have none.
    origins : tuple of Origin
        Ordered by sentence, part and system.
    missing : tuple of (str, tuple of int, str)
        Sentence, part and system without a link.
    systems : tuple of str
    """

    sentences: tuple[tuple[SentenceParts, tuple[Candidates, ...]], ...]
    origins: tuple[Origin, ...]
    missing: tuple[tuple[str, Indices, str], ...]
    systems: tuple[str, ...]


def image(
    indices: Indices, links: Links, words: Sequence[str], *, fill: bool = False
) -> Image | None:
    """Return the translation of a part, None if it has no link.

    Parameters
    ----------
    indices : tuple of int
        Places of words in the source, counted from 0.
    links : Links
        Links between source and output; the source comes first.
    words : sequence of str
        The output.
    fill : bool
        Whether to include the words in gaps.

    Raises
    ------
    InputError
        When a link points outside the output.

    Examples
    --------
    >>> from tertium.align import parse_pharaoh
    >>> phrase = image((1, 2), parse_pharaoh("0-1 1-2 2-0"), ["c", "a", "b"])
    >>> phrase.text, phrase.has_gaps
    ('c b', True)
    """
    wanted = set(indices)
    linked = sorted({link.ref for link in links if link.hyp in wanted})
    if not linked:
        return None
    if linked[-1] >= len(words):
        message = (
            f"a link points to word {linked[-1]} of {len(words)}; words are counted "
            "from 0, and the source comes first"
        )
        raise InputError(message)
    places = range(linked[0], linked[-1] + 1) if fill else linked
    text = " ".join(words[place] for place in places)
    return Image(tuple(places), text, tuple(linked))


def project(
    sentences: Iterable[SentenceParts],
    outputs: Mapping[str, Sequence[str]],
    links: Mapping[str, Sequence[Links]],
    *,
    fill: bool = False,
) -> Projection:
    """Return the candidates of each part.

    Parameters
    ----------
    sentences : iterable of SentenceParts
    outputs : mapping of str to sequence of str
        The outputs of each system, tokenised by white space.
    links : mapping of str to sequence of Links
        For the same systems, the links between source and output.
    fill : bool
        Whether to include the words in gaps of a translation.

    Raises
    ------
    InputError
        When systems or numbers of sentences differ, or a link points outside its texts.

    Examples
    --------
    >>> from tertium.align import parse_pharaoh
    >>> one = SentenceParts("1", ("a", "red", "kite", "rose"), ((0, 1, 2),))
    >>> projection = project([one], {"A": ["x y z"], "B": ["x y w"], "C": ["x y v"]},
    ...     {name: [parse_pharaoh("1-0 2-1 3-2")] for name in "ABC"})
    >>> projection.sentences[0][1][0].candidates, len(projection.origins)
    (('x y',), 3)
    """
    sentences = tuple(sentences)
    _check(sentences, outputs, links)
    words = {name: [text.split() for text in texts] for name, texts in outputs.items()}
    rows = []
    origins: list[Origin] = []
    missing = []
    for index, sentence in enumerate(sentences):
        for name in outputs:
            _check_inside(sentence, name, links[name][index], words[name][index])
        candidates = []
        for indices in sentence.parts:
            part = sentence.text(indices)
            texts = set()
            for name in outputs:
                phrase = image(
                    indices, links[name][index], words[name][index], fill=fill
                )
                if phrase is None:
                    missing.append((sentence.sentence, indices, name))
                    continue
                texts.add(phrase.text)
                origins.append(Origin(sentence.sentence, part, indices, name, phrase))
            candidates.append(Candidates(indices, part, tuple(sorted(texts))))
        rows.append((sentence, tuple(candidates)))
    return Projection(tuple(rows), tuple(origins), tuple(missing), tuple(outputs))


def _check(
    sentences: Sequence[SentenceParts],
    outputs: Mapping[str, Sequence[str]],
    links: Mapping[str, Sequence[Links]],
) -> None:
    if not outputs:
        raise InputError("there are no systems; give at least one output")
    different = sorted(set(outputs) ^ set(links))
    if different:
        what = "links, but no output" if different[0] in links else "no links"
        message = f"system {different[0]} has {what}; give both for every system"
        raise InputError(message)
    for kind, texts in (("outputs", outputs), ("lines of links", links)):
        for name, lines in texts.items():
            if len(lines) != len(sentences):
                message = (
                    f"there are {len(sentences)} sentences, but {len(lines)} {kind} "
                    f"for system {name}; give one per sentence"
                )
                raise InputError(message)
    names = [sentence.sentence for sentence in sentences]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        message = f"two sentences are called {twice}; give each a unique name"
        raise InputError(message)


def _check_inside(
    sentence: SentenceParts, system: str, links: Links, words: Sequence[str]
) -> None:
    try:
        check_links(links, len(sentence.words), len(words))
    except InputError as error:
        message = f"sentence {sentence.sentence} of system {system}: {error}"
        raise InputError(message) from None
