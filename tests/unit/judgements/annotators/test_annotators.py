# SPDX-License-Identifier: Apache-2.0
"""Profiles of judges: speed, habits, and what is worth a look."""

from __future__ import annotations

from datetime import datetime, timedelta

import numpy as np
import pytest

from tertium.errors import InputError, UnknownNameError
from tertium.judgements import Judgements, Place, Ranking, Rating, Span
from tertium.judgements.agreement.overview import agree
from tertium.judgements.annotators.profiles import speed
from tertium.judgements.estimates import sample_weights
from tertium.stats.resample import Bootstrap, interval


def campaign(odd, *, judges=7, segments=60, seed=4):
    """Return rankings of judges; `odd` may change those of the last one."""
    rng = np.random.default_rng(seed)
    records = []
    for segment in range(segments):
        quality = rng.normal(size=4)
        for judge in range(judges):
            seen = quality + 0.5 * rng.normal(size=4)
            ranks = (-seen).argsort().argsort() + 1
            seconds = float(rng.uniform(25, 60))
            if judge == judges - 1:
                ranks, seconds = odd(rng, ranks, seconds)
            places = (Place((s,), int(r)) for s, r in zip("ABCD", ranks, strict=True))
            records.append(
                Ranking(
                    tuple(places), str(segment), judge=f"j{judge}", duration=seconds
                )
            )
    return Judgements.from_iterable(records)


def flags(report):
    return {p.judge: [flag.kind for flag in p.flags] for p in report.judges if p.flags}


def test_ordinary_judges_have_no_flags():
    report = agree(campaign(lambda rng, ranks, seconds: (ranks, seconds)))
    assert flags(report) == {}


def test_a_judge_who_throws_dice_disagrees_with_everyone():
    def dice(rng, ranks, seconds):
        return rng.permutation(4) + 1, seconds

    report = agree(campaign(dice))
    assert set(flags(report)) == {"j6"}
    assert "alone" in flags(report)["j6"]
    reasons = " ".join(flag.reason for flag in report.judges[-1].flags)
    assert "all 6 partners agree better with others" in reasons


def test_a_judge_who_turns_the_scale_round_is_below_chance():
    report = agree(campaign(lambda rng, ranks, seconds: (5 - ranks, seconds)))
    assert "chance" in flags(report)["j6"]


def test_a_judge_in_haste_is_seen():
    report = agree(campaign(lambda rng, ranks, seconds: (ranks, seconds / 10)))
    assert flags(report)["j6"] == ["fast", "rushed"]


def test_a_judge_who_ties_all_is_seen():
    report = agree(campaign(lambda rng, ranks, seconds: (ranks * 0 + 1, seconds)))
    assert "ties" in flags(report)["j6"]
    reasons = [flag.reason for flag in report.judges[-1].flags]
    assert "calls everything a tie" in reasons


def test_a_judge_who_contradicts_himself_is_seen():
    rng = np.random.default_rng(4)
    records = []
    for segment in range(100):
        for judge in ("steady", "steady too", "fickle"):
            for _ in range(2):
                ranks = rng.permutation(3) + 1 if judge == "fickle" else (1, 2, 3)
                places = zip("ABC", map(int, ranks), strict=True)
                places = tuple(Place((s,), r) for s, r in places)
                records.append(Ranking(places, str(segment), judge=judge))
    report = agree(Judgements.from_iterable(records))
    assert flags(report)["fickle"] == ["chance", "inconsistent"]
    reasons = [flag.reason for flag in report.judges[0].flags]
    assert reasons[1].startswith("does not repeat earlier judgements (κ with self ")
    assert "steady" not in flags(report)


# ------------------------------------------------------------------------- speed


def hasty(seconds, *, words=None, text=None, judgements=6):
    """Return what one judge did, alone, each judgement in the same time."""
    meta = None if words is None else f'{{"words": {words}}}'
    places = (Place(("A",), 1, text=text), Place(("B",), 2, text=text))
    return Judgements.from_iterable(
        Ranking(places, str(n), judge="j", duration=seconds, meta=meta)
        for n in range(judgements)
    )


@pytest.mark.parametrize(
    ("judged", "seen"),
    [
        (hasty(0.7, words=24), True),  # 34 words per second
        (hasty(1.4, words=16), True),  # 11
        (hasty(1.6, words=16), False),  # 10 can be skimmed
        (hasty(0.7, words=24, judgements=4), False),  # too few to say anything
        (hasty(0.7), False),  # nobody knows what was shown
        (hasty(0.7, text="these are four words"), True),  # 8 in all
        (hasty(1.0, text="these are four words"), False),
        (hasty(1.0, words=30, text="short"), True),  # what was shown is more than that
    ],
)
def test_whoever_cannot_have_read_is_seen_without_other_judges(judged, seen):
    (profile,) = agree(judged).judges
    assert ("rushed" in [flag.kind for flag in profile.flags]) is seen
    if seen:
        (flag,) = [flag for flag in profile.flags if flag.kind == "rushed"]
        assert flag.reason == (
            "6 of 6 judgements showed more than 10 words per second, too many to read"
        )


def test_ratings_that_cannot_have_been_read_are_seen():
    judged = Judgements.from_iterable(
        Rating("A", n, "DA", str(n), judge="j", duration=0.7, meta='{"words": 20}')
        for n in range(8)
    )
    (profile,) = agree(judged).judges
    assert "rushed" in [flag.kind for flag in profile.flags]
    assert (profile.speed.worded, profile.speed.unread) == (8, 8)


def test_a_few_quick_judgements_are_nothing():
    result = speed(np.full(40, 1.0), words=np.array([11.0] * 9 + [9.0] * 31))
    assert (result.worded, result.unread) == (40, 9)
    records = [
        Rating(
            "A",
            n,
            "DA",
            str(n),
            judge="j",
            duration=1.0,
            meta=f'{{"words": {11 if n < 9 else 9}}}',
        )
        for n in range(40)
    ]
    (profile,) = agree(Judgements.from_iterable(records)).judges
    assert "rushed" not in [flag.kind for flag in profile.flags]


def test_judgements_of_ten_minutes_are_left_out_of_the_median():
    result = speed(np.array([10.0, 20.0, 30.0, 599.9, 600.0, 5000.0, np.nan]))
    assert result.median.value == pytest.approx(25.0)
    assert (result.timed, result.long) == (4, 2)


def test_no_times_no_median():
    assert "no times" in speed(np.array([np.nan])).median.reason
    assert "600 s" in speed(np.array([700.0])).median.reason


def test_the_interval_of_the_median_is_that_of_a_long_bootstrap():
    rng = np.random.default_rng(0)
    times = rng.exponential(40, 31)
    result = speed(times, bootstrap=Bootstrap())
    drawn = np.median(rng.choice(times, (20_000, 31)), axis=1)
    low, high = np.quantile(drawn, (0.025, 0.975), method="nearest")
    ordered = np.sort(times).tolist()
    for ours, theirs in zip(result.median.interval, (low, high), strict=True):
        assert abs(ordered.index(ours) - ordered.index(theirs)) <= 1


# ------------------------------------------------------------------------- ratings


def rated(*, judges=6, segments=40, seed=0, odd=None):
    rng = np.random.default_rng(seed)
    start = datetime(2026, 5, 1)
    records = []
    for segment in range(segments):
        for system in "AB":
            quality = rng.normal(60, 15)
            for judge in range(judges):
                score = float(np.clip(quality + rng.normal(judge, 6), 0, 100))
                if odd is not None and judge == judges - 1:
                    score = odd(rng, score)
                time = start + timedelta(minutes=10 * segment + judge)
                records.append(
                    Rating(
                        system,
                        score,
                        "DA",
                        str(segment),
                        judge=f"j{judge}",
                        time=time,
                        langpair="de-en" if segment % 2 else "en-de",
                    )
                )
    return Judgements.from_iterable(records)


def test_habits_of_ordinary_judges_are_described():
    report = agree(rated())
    assert flags(report) == {}
    use = report.judges[0].usage["DA"]
    assert (use.ratings, use.shared, use.repeated) == (80, 80, 0)
    assert use.correlation.value > 0.8
    assert use.lenience < report.judges[5].usage["DA"].lenience
    assert report.whole.rankings is None
    one = report.whole.ratings["DA"]
    assert (one.ratings, one.units, one.judges) == (480, 80, 6)
    assert "nominal" not in one.alpha
    assert one.fleiss is None
    assert "rated an output twice" in one.intra.reason


@pytest.mark.parametrize(
    ("odd", "kind"),
    [
        (lambda rng, score: 50.0, "one value"),
        (lambda rng, score: 100.0 if rng.random() < 0.95 else score, "favourite value"),
        (lambda rng, score: 100 - score, "chance"),
        (lambda rng, score: score / 4, "strict"),
    ],
)
def test_odd_habits_are_seen(odd, kind):
    result = flags(agree(rated(odd=odd)))
    assert kind in result["j5"]
    assert set(result) == {"j5"}


def test_habits_have_the_intervals_of_a_plain_bootstrap():
    table = rated(segments=25)
    run = Bootstrap(100)
    use = agree(table, intervals=True, resamples=100).judges[2].usage["DA"]
    results = [r for r in table.iterate("ratings") if r.judge == "j2"]
    # Tables number segments by language pair, then by name.
    names = sorted({(r.langpair, r.segment) for r in results})
    by_segment = [[r.score for r in results if r.segment == name] for _, name in names]
    drawn = []
    for block in sample_weights(len(names), run):
        for weights in block:
            scores = np.concatenate(
                [s * int(w) for s, w in zip(by_segment, weights, strict=True)]
            )
            drawn.append((scores.mean(), scores.std(ddof=1)))
    means, deviations = np.array(drawn).T
    assert use.intervals["mean"] == pytest.approx(interval(means), abs=1e-9)
    assert use.intervals["sd"] == pytest.approx(interval(deviations), abs=1e-9)
    low, high = use.intervals["lenience"]
    assert low < use.lenience < high
    assert "wobble" not in use.intervals  # nothing was rated twice
    assert agree(table).judges[2].usage["DA"].intervals == {}


def test_groups_by_language_pair_and_time_and_intervals():
    report = agree(rated(), by="langpair", intervals=True, resamples=50)
    assert [group.name for group in report.groups] == ["all", "de-en", "en-de"]
    for group in report.groups:
        for one in group.ratings["DA"].alpha.values():
            assert one.interval[0] < one.value < one.interval[1]
    slices = agree(rated(), by="time", slices=3).groups[1:]
    assert len(slices) == 3
    assert slices[0].name.startswith("2026-05-01 00:00 - ")
    assert sum(group.ratings["DA"].ratings for group in slices) == 480


def test_repeated_ratings_are_intra():
    table = Judgements.from_iterable(
        Rating(system, score + again, "DA", "1", judge=judge)
        for system, score in (("A", 10.0), ("B", 50.0), ("C", 90.0))
        for judge in "xy"
        for again in (0, 4)
    )
    report = agree(table)
    one = report.whole.ratings["DA"]
    assert one.intra.value > 0.98
    assert one.alpha["interval"].value == 1.0  # first ratings only
    use = report.judges[0].usage["DA"]
    assert (use.repeated, use.wobble) == (3, 4.0)


def test_adjustment_is_reported_with_alpha_before_and_after():
    report = agree(rated(), adjust="judge+segment")
    one = report.adjusted["DA"]
    assert one.after.value > one.before.value
    assert one.to_dict()["variances"].keys() == {"judge", "segment", "residual"}


def test_what_cannot_be_asked_is_refused():
    with pytest.raises(InputError, match="no rankings or ratings"):
        agree(Judgements.from_iterable([]))
    with pytest.raises(InputError, match="no judgement names its judge"):
        agree(Judgements.from_iterable([Span("A", "x", "Major", "1")]))
    with pytest.raises(UnknownNameError, match="grouping"):
        agree(rated(segments=2), by="system")
    with pytest.raises(UnknownNameError, match="adjustment"):
        agree(rated(segments=2), adjust="x")
    with pytest.raises(InputError, match="scale 'MQM'"):
        agree(rated(segments=2), scale="MQM")


def test_remarks_name_what_was_left_out():
    place = (Place(("A",), 1), Place(("B",), 2))
    table = Judgements.from_iterable(
        [
            Ranking(place, "1", judge="a"),
            Ranking(place, "1"),
            Ranking((Place((), 1), Place((), 2)), "1", judge="a"),
            Rating("A", 1.0, "DA", "1"),
            Rating("A", 2.0, "DA", "1", judge="b"),
            Span("A", "x", "Major", "1"),
        ]
    )
    report = agree(table, by="time", pairs=True, adjust="z")
    text = " ".join(map(str, report.notes))
    for part in ("1 rankings have no judge", "1 ratings have no judge", "2 places"):
        assert part in text
    assert "no judgement has a time" in text
    assert "1 error span left out" in text
    assert report.adjusted["DA"].after.value is None


def test_outputs_without_an_error_are_no_spans():
    marks = [
        Span("A", "no-error", "no-error", "1", judge="a"),
        Span("A", "no-error", "no-error", "1", judge="b"),
        Span("B", "x", "Major", "1", judge="a"),
        Span("B", "No-error", "No-error", "1", judge="b"),
    ]
    report = agree(Judgements.from_iterable(marks))
    assert list(map(str, report.notes)) == ["1 error span compared by cost, as in MQM"]
    assert report.whole.ratings["MQM"].ratings == 4
    rated = [*marks, Rating("A", 80.0, "ESA", "1", judge="a")]
    (note,) = agree(Judgements.from_iterable(rated)).notes
    assert str(note) == (
        "1 error span left out; select the scale MQM to compare them by cost"
    )
    clean = [*marks[:2], *rated[4:]]
    assert agree(Judgements.from_iterable(clean)).notes == ()
