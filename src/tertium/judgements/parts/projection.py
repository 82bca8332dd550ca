# SPDX-License-Identifier: Apache-2.0
"""What every system made of a segment, found through word alignment.

Macháček (2014), section 2.1: the translation of a segment are all words linked to a
word of it, in the order of the output. They may have gaps between them. Equal
translations (case counts) are one *candidate*, judged once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tertium.align.links import Links, check_links
from tertium.errors import InputError
from tertium.judgements.parts.extraction import Indices
from tertium.judgements.parts.sentences import Segmented

__all__ = ["Candidates", "Image", "Origin", "Projection", "image", "project"]


@dataclass(frozen=True)
class Image:
    """The translation of a segment in one output.

    Parameters
    ----------
    indices : tuple of int
        Places of words in the output, counted from 0, in ascending order.
    text : str
        Those words, joined by spaces.
    linked : tuple of int
        The places that links lead to; fewer than `indices` if gaps were filled.
    """

    indices: Indices
    text: str
    linked: Indices

    @property
    def has_gaps(self) -> bool:
        """Whether words between the linked ones belong to something else."""
        return self.linked[-1] - self.linked[0] + 1 != len(self.linked)


@dataclass(frozen=True)
class Origin:
    """Which system wrote a candidate; not for the eyes of judges.

    Parameters
    ----------
    sentence : str
    part : str
        The words of the source segment.
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
    """The different translations of one segment, without the systems.

    Parameters
    ----------
    indices : tuple of int
        The words of the source segment.
    text : str
        Those words, joined by spaces.
    candidates : tuple of str
        In the order of their characters, which tells nothing of systems.
    """

    indices: Indices
    text: str
    candidates: tuple[str, ...]


@dataclass(frozen=True)
class Projection:
    """Segments with their candidates, and apart from them who wrote these.

    Parameters
    ----------
    sentences : tuple of (Segmented, tuple of Candidates)
        Every sentence with the candidates of its segments; segments that no system
        translated have none.
    origins : tuple of Origin
        By sentence, segment and system.
    missing : tuple of (str, tuple of int, str)
        Sentence, segment and system where no link leads from the segment.
    systems : tuple of str
    """

    sentences: tuple[tuple[Segmented, tuple[Candidates, ...]], ...]
    origins: tuple[Origin, ...]
    missing: tuple[tuple[str, Indices, str], ...]
    systems: tuple[str, ...]


def image(
    indices: Indices, links: Links, words: Sequence[str], *, fill: bool = False
) -> Image | None:
    """Return the translation of a segment, None if no link leads from it.

    Parameters
    ----------
    indices : tuple of int
        Words of the source, counted from 0.
    links : Links
        Links of the source with the output; the source stands first.
    words : sequence of str
        The output.
    fill : bool
        Whether to take the words in gaps too.

    Raises
    ------
    InputError
        When a link leads out of the output.

    Examples
    --------
    >>> from tertium.align import parse_pharaoh
    >>> found = image((1, 2), parse_pharaoh("0-1 1-2 2-0"), ["c", "a", "b"])
    >>> found.text, found.has_gaps
    ('c b', True)
    """
    wanted = set(indices)
    linked = sorted({link.ref for link in links if link.hyp in wanted})
    if not linked:
        return None
    if linked[-1] >= len(words):
        message = (
            f"a link leads to word {linked[-1]} of {len(words)}; words are counted "
            "from 0, and the source stands first"
        )
        raise InputError(message)
    places = range(linked[0], linked[-1] + 1) if fill else linked
    text = " ".join(words[place] for place in places)
    return Image(tuple(places), text, tuple(linked))


def project(
    sentences: Iterable[Segmented],
    outputs: Mapping[str, Sequence[str]],
    links: Mapping[str, Sequence[Links]],
    *,
    fill: bool = False,
) -> Projection:
    """Return the candidates of every segment.

    Parameters
    ----------
    sentences : iterable of Segmented
    outputs : mapping of str to sequence of str
        The outputs of every system, cut into words at white space.
    links : mapping of str to sequence of Links
        For the same systems: links of the source with each output.
    fill : bool
        Whether to take the words in gaps of a translation too.

    Raises
    ------
    InputError
        When systems or numbers of sentences differ, or a link leads out of its texts.

    Examples
    --------
    >>> from tertium.align import parse_pharaoh
    >>> one = Segmented("1", ("a", "red", "kite", "rose"), ((0, 1, 2),))
    >>> found = project([one], {"A": ["x y z"], "B": ["x y w"], "C": ["x y v"]},
    ...     {name: [parse_pharaoh("1-0 2-1 3-2")] for name in "ABC"})
    >>> found.sentences[0][1][0].candidates, len(found.origins)
    (('x y',), 3)
    """
    given = tuple(sentences)
    _check(given, outputs, links)
    cut = {name: [text.split() for text in texts] for name, texts in outputs.items()}
    rows = []
    origins: list[Origin] = []
    missing = []
    for index, sentence in enumerate(given):
        for name in outputs:
            _check_inside(sentence, name, links[name][index], cut[name][index])
        own = []
        for indices in sentence.segments:
            part = sentence.text(indices)
            texts = set()
            for name in outputs:
                found = image(indices, links[name][index], cut[name][index], fill=fill)
                if found is None:
                    missing.append((sentence.sentence, indices, name))
                    continue
                texts.add(found.text)
                origins.append(Origin(sentence.sentence, part, indices, name, found))
            own.append(Candidates(indices, part, tuple(sorted(texts))))
        rows.append((sentence, tuple(own)))
    return Projection(tuple(rows), tuple(origins), tuple(missing), tuple(outputs))


def _check(
    sentences: Sequence[Segmented],
    outputs: Mapping[str, Sequence[str]],
    links: Mapping[str, Sequence[Links]],
) -> None:
    if not outputs:
        raise InputError("there are no systems; give the output of one or more")
    different = sorted(set(outputs) ^ set(links))
    if different:
        what = "links, but no output" if different[0] in links else "no links"
        message = f"system {different[0]} has {what}; give both for every system"
        raise InputError(message)
    for kind, texts in (("outputs", outputs), ("lines of links", links)):
        for name, own in texts.items():
            if len(own) != len(sentences):
                message = (
                    f"there are {len(sentences)} sentences, and {len(own)} {kind} of "
                    f"system {name}; give one a sentence"
                )
                raise InputError(message)
    names = [sentence.sentence for sentence in sentences]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        message = f"two sentences are called {twice}; give each a name of its own"
        raise InputError(message)


def _check_inside(
    sentence: Segmented, system: str, links: Links, words: Sequence[str]
) -> None:
    try:
        check_links(links, len(sentence.words), len(words))
    except InputError as error:
        message = f"sentence {sentence.sentence} of system {system}: {error}"
        raise InputError(message) from None
