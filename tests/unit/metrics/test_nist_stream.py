# SPDX-License-Identifier: Apache-2.0
"""NIST fitted to references that come in parts."""

from __future__ import annotations

import pickle

from hypothesis import given
from hypothesis import strategies as st

import tertium
from tertium.engine import Processes, score_stream

TEXT = st.lists(st.sampled_from(["a", "b", "the", "cat", "čt"]), max_size=8).map(
    " ".join
)
SEGMENT = st.tuples(TEXT, st.lists(TEXT, min_size=1, max_size=2).map(tuple))


@given(st.lists(SEGMENT, min_size=1, max_size=12), st.integers(1, 12), st.booleans())
def test_parts_give_the_same_rows_as_all_references(segments, size, lowercase):
    hyps, refs = [hyp for hyp, _ in segments], [refs for _, refs in segments]
    metric = tertium.metric(f"nist:lowercase={'yes' if lowercase else 'no'}")
    fitting = metric.fitting()
    for start in range(0, len(refs), size):
        fitting.observe(refs[start : start + size])
    whole = metric.prepare(refs).statistics(hyps, refs)
    fitted = fitting.fitted()
    assert fitted.statistics(hyps, refs).tobytes() == whole.tobytes()
    assert fitted.prepare(["something else"]) is fitted
    # References were not kept, so the counts travel.
    copy = pickle.loads(pickle.dumps(fitted))
    assert copy.spec == metric.spec
    assert copy.statistics(hyps, refs).tobytes() == whole.tobytes()


def test_processes_get_the_counts_of_a_streamed_test_set():
    demo = tertium.read("demo")
    whole = tertium.score(demo, metrics=["nist"])
    table = score_stream(
        lambda: demo.chunks(17), metrics=["nist", "bleu"], executor=Processes(2)
    )
    for name, scores in table.systems.items():
        assert scores["nist"].score == whole.systems[name]["nist"].score
