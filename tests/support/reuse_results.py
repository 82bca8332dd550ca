# SPDX-License-Identifier: Apache-2.0
"""Small results of reused judgements, for pages and tables."""

from __future__ import annotations

from tertium.judgements.reuse.results import (
    Accuracy,
    CarriedSpan,
    DistanceBin,
    Neighbour,
    NextOutput,
    Reuse,
    SegmentEstimate,
    SystemEstimate,
)
from tertium.notes import Note

CAUTION = Note("caution-closest", {"percent": 50.0})
SPAN = CarriedSpan(4, 7, "style", "minor", "A")


def new_system(name: str = "NEW", text: str = "the big cat sat") -> Reuse:
    """Return a new system with a hit, a near and a far output, and one of nothing."""
    near = Neighbour(("A", "B"), "the big dog sat", 3, -4.0)
    segments = (
        SegmentEstimate(
            "1", "it rains", True, 0, -1.0, None,
            (Neighbour((name + "2",), "it rains", 0, -1.0),),
        ),
        SegmentEstimate("2", text, False, 3, -4.0, None, (near,), (SPAN,)),
        SegmentEstimate(
            "3", "x y z", False, 30, -9.0, None,
            (Neighbour(("B",), text, 30, -9.0),),
        ),
        SegmentEstimate("4", "", False, None, None),
    )  # fmt: skip
    estimate = SystemEstimate(
        name,
        -4.67,
        interval=(-6.0, -3.0),
        outputs=4,
        hits=1,
        mean_distance=11.0,
        by_distance={0: DistanceBin(1), 3: DistanceBin(1), 30: DistanceBin(1)},
        scores={"A": -3.0, "B": -6.0},
        segments=segments,
    )
    return Reuse(
        "closest",
        "spans",
        "MQM",
        (estimate,),
        {"A": -3.0, "B": -6.0},
        next=(NextOutput(name, "3", text, 0.25, (-5.5, -3.5)),),
        langpair="en-de",
        notes=(CAUTION,),
    )


def left_out() -> Reuse:
    """Return three ranked systems, each left out; C was never ranked with others."""
    bins = {0: DistanceBin(2, 0, 2, 0), 5: DistanceBin(2, 1, 0, 1)}
    ranked = (
        SegmentEstimate(
            "1", "it rains", False, 5, 0.5, 1.0, (Neighbour(("B",), "it snows", 5, 2),)
        ),
        # The same output in another ranking.
        SegmentEstimate(
            "1", "it rains", False, 5, 0.0, 0.5, (Neighbour(("B",), "it snows", 5, 1),)
        ),
    )
    systems = (
        SystemEstimate("A", 0.7, 0.75, None, 4, 2, 2.5, bins, {"B": 0.3}, ranked),
        SystemEstimate("B", 0.5, 0.25, None, 4, 2, 2.5, bins, {"A": 0.7}),
        SystemEstimate("C", None),
    )
    return Reuse(
        "closest",
        "rankings",
        None,
        systems,
        {"A": 0.75, "B": 0.25},
        leave_one_out=True,
        accuracy=Accuracy(2, 1.0, 0.15, 0.1, 1),
        notes=(CAUTION,),
    )
