# SPDX-License-Identifier: Apache-2.0
"""Links from files, in the four ways."""

from __future__ import annotations

import pytest

from tertium.align import AlignmentJob, format_pharaoh
from tertium.errors import InputError


@pytest.fixture
def texts(write_lines):
    """Write an output, its reference and its source."""
    return {
        "systems": write_lines("out.txt", ["sat The cat"]),
        "references": write_lines("ref.txt", ["the cat sat"]),
        "source": write_lines("src.txt", ["le chat assis"]),
    }


def made(job: AlignmentJob) -> list[str]:
    return list(map(format_pharaoh, job.run()))


def test_outputs_are_aligned_with_references(texts):
    del texts["source"]
    counts = []
    job = AlignmentJob(**texts, case=True)
    assert list(map(format_pharaoh, job.run(progress=counts.append))) == ["0-2 2-1"]
    assert counts == [1]
    assert made(AlignmentJob(**texts)) == ["0-2 1-0 2-1"]


def test_links_are_composed_over_the_source(texts, write_lines):
    pivot = [write_lines("a.links", ["1-1"]), write_lines("b.links", ["1-3"])]
    job = AlignmentJob(**texts, pivot=pivot, one_based=["links"])
    assert made(job) == ["0-2"]
    assert (job.first_word("links"), job.first_word("gold")) == (1, 0)


def test_links_of_both_directions_are_symmetrised(write_lines):
    links = [write_lines("a.links", ["0-0 1-1"]), write_lines("b.links", ["1-1 2-2"])]
    assert made(AlignmentJob(links=links, symmetrise="intersection")) == ["1-1"]
    assert made(AlignmentJob(links=links[:1])) == ["0-0 1-1"]


def test_translations_are_aligned_by_a_command(texts):
    job = AlignmentJob(
        bilingual=True,
        source=texts["source"],
        target=texts["references"],
        command="sed s/.*/0-0/",
    )
    assert made(job) == ["0-0"]


def test_links_are_evaluated_against_manual_links(write_lines):
    links = write_lines("a.links", ["0-0 1-1"])
    gold = write_lines("gold.links", ["1-1 2p2"])
    job = AlignmentJob(links=[links], gold=gold, one_based=["gold"])
    assert job.inputs == [str(gold), str(links)]
    assert job.quality(list(job.run())).to_dict() == {
        "links": 2,
        "sure": 1,
        "possible": 2,
        "precision": 1.0,
        "recall": 1.0,
        "f1": 1.0,
        "aer": 0.0,
    }
    with pytest.raises(InputError, match="no manual links"):
        AlignmentJob(links=[links]).quality([])


@pytest.mark.parametrize(
    ("options", "message", "names"),
    [
        ({"systems": "a"}, "nothing to align", ("systems", "references")),
        ({"links": ["a"], "pivot": ["a", "b"]}, "only one of bilingual", ()),
        ({"links": ["a"], "case": True}, "case would have no effect", ("case",)),
        ({"links": ["a"], "combine": "sum"}, "with pivot only", ("combine",)),
        ({"links": ["a"], "one_based": ["gold"]}, "one_based=gold", ("one_based",)),
    ],
)
def test_options_without_effect_are_rejected(options, message, names):
    with pytest.raises(InputError, match=message) as caught:
        AlignmentJob(**options)
    assert caught.value.options == names
