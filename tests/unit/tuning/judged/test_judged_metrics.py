# SPDX-License-Identifier: Apache-2.0
"""Metrics over stored rankings: EXACTMATCH, PENALIZEUNKNOWN, SEGRANKSBLEU."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tertium
from oracles import judged as oracle
from tertium.errors import InputError
from tertium.judgements import Judgements, Place, Ranking, write_store
from tertium.tuning.judged.matching import extra_words
from tertium.tuning.judged.metrics import (
    ExactMatch,
    PenalizeUnknown,
    hit_rate,
)
from tertium.tuning.judged.parts import judged_parts
from tertium.tuning.judged.segranksbleu import SegRanksBleu

REFS = ["the old man bought a new car yesterday", "we met at the airport"]


def ranking(segment, part, *places, **more):
    """Return a ranking of (text, rank, systems) or (text, rank)."""
    listed = tuple(
        Place(tuple(systems[0]) if systems else (), rank, text=text)
        for text, rank, *systems in places
    )
    return Ranking(listed, segment, part, **more)


@pytest.fixture
def stored(tmp_path):
    """Return a function that writes rankings and returns the path."""

    def write(*rankings: Ranking) -> str:
        path = tmp_path / f"store{len(list(tmp_path.iterdir()))}"
        write_store(Judgements.from_iterable(rankings), path)
        return str(path)

    return write


@pytest.fixture
def man(stored):
    return stored(
        ranking("1", "der alte Mann", ("an elderly man", 1, "AB"), ("the old", 2, "C")),
        ranking("1", "ein Auto", ("a brand new car", 1, "A"), ("car", 2, "BC")),
        ranking("2", "wir", ("we met", 2, "A"), ("met", 1, "B"), ("us", 3, "C")),
    )


def test_segranksbleu_counts_n_grams_of_good_candidates(man):
    """Matches 6, 4, 2, 0 become 9, 8, 5, 1."""
    hyp = "an elderly man bought a brand new car yesterday"
    metric = tertium.metric(f"segranksbleu:judgements={man},smooth_method=none")
    row = metric.statistics([hyp, REFS[1]], REFS)[0]
    assert list(row) == [9, 8, 9, 8, 5, 1, 9, 8, 7, 6]
    assert metric.from_statistics(row) == pytest.approx(58.739, abs=5e-4)
    bleu = tertium.metric("bleu:smooth_method=none")
    assert list(bleu.statistics([hyp], REFS[:1])[0][2:6]) == [6, 4, 2, 0]
    assert bleu.corpus_score([hyp], REFS[:1]) == 0


def test_bleu_with_the_same_settings_stands_beside_segranksbleu(man):
    spec = f"segranksbleu:judgements={man},lowercase=yes"
    table = tertium.score({"A": REFS}, REFS, metrics=[spec])
    assert list(table.systems["A"]) == [spec, "bleu:lowercase=yes"]
    both = tertium.score({"A": REFS}, REFS, metrics=["bleu:lowercase=yes", spec])
    assert list(both.systems["A"]) == ["bleu:lowercase=yes", spec]


def test_wins_are_those_of_the_longest_candidate_that_occurs(man):
    metric = tertium.metric(f"exactmatch:judgements={man}")
    hyps = ["The old man has an elderly man and a car.", "we met at us"]
    rows = metric.statistics(hyps, REFS)
    # an elderly man beats C; car loses to A; we met, longer than us, loses to B alone.
    assert rows.tolist() == [[1, 2, 2, 2], [1, 2, 1, 1]]
    assert metric.corpus_score(hyps, REFS) == 0.5
    assert metric.hit_rate(rows.sum(axis=0)) == 1


def test_a_miss_loses_to_every_system_or_counts_for_nothing(man):
    hyps = ["nothing", "we met"]
    exact = tertium.metric(f"exactmatch:judgements={man}")
    assert exact.statistics(hyps, REFS).tolist() == [[0, 0, 0, 2], [1, 2, 1, 1]]
    unknown = tertium.metric(f"penalizeunknown:judgements={man}")
    assert unknown.statistics(hyps, REFS).tolist() == [[0, 6, 0, 2], [1, 2, 1, 1]]
    assert unknown.corpus_score(hyps, REFS) == 1 / 8
    scores = tertium.score({"A": hyps}, REFS, metrics=[exact], segments=True)
    assert scores.systems["A"][exact.spec].segments == [None, 0.5]


def test_every_ranking_of_a_part_counts_but_a_miss_once(stored):
    twice = [ranking("1", "p", ("a b", 1, "A"), ("c", 2, "B"), judge=j) for j in "xy"]
    other = ranking("1", "q", ("z", 1, "A"), ("y", 2, "B"))
    store = stored(twice[0], other, twice[1])
    unknown = tertium.metric(f"penalizeunknown:judgements={store}")
    rows = unknown.statistics(["a b"], ["r"])
    assert rows.tolist() == [[2, 4, 1, 2]]
    assert unknown.statistics(["z"], ["r"]).tolist() == [[1, 3, 1, 2]]


def test_ranks_count_once_for_every_system_that_wrote_a_candidate():
    """Macháček (2014), section 3.1: "the huge volume" by ten systems."""
    places = (
        Place(("CU-TectoMT",), 1, text="velkému objemu"),
        Place(("commercial1",), 5, True, "obrovské hlasitosti"),
        Place(("a", "b", "c", "d"), 2, text="obrovský objem"),
        Place(("e", "f", "g", "h"), 2, text="obrovské množství"),
    )
    stored = Judgements.from_iterable([Ranking(places, "1", "the huge volume")])
    (part,) = judged_parts(stored).segments["1"]
    counts = {text: (wins, decided) for text, wins, decided in part.candidates}
    assert counts == {
        "velkému objemu": (9, 9),
        "obrovské hlasitosti": (0, 9),
        "obrovský objem": (1, 2),
        "obrovské množství": (1, 2),
    }
    assert part.systems == 10


def test_garbage_loses_and_is_never_good():
    places = Place(("A",), 1, True, "a b"), Place(("B",), 2, text="c")
    thrown = Place(("A",), 1, True, "a b"), Place(("B",), 1, True, text="c")
    stored = Judgements.from_iterable([Ranking(places, "1", "p")])
    (part,) = judged_parts(stored).segments["1"]
    assert part.good == ("c",)
    assert [tuple(each) for each in part.candidates] == [("a b", 0, 1), ("c", 1, 1)]
    (part,) = judged_parts(
        Judgements.from_iterable([Ranking(thrown, "1", "p")])
    ).segments["1"]
    assert part.good == ()


def test_words_are_compared_unless_characters_are_asked_for(stored):
    store = stored(ranking("1", "p", ("art", 1, "A"), ("x", 2, "B")))
    assert (
        tertium.metric(f"exactmatch:judgements={store}").corpus_score(
            ["a party"], ["r"]
        )
        == 0
    )
    characters = tertium.metric(f"exactmatch:judgements={store},compat=char")
    assert characters.corpus_score(["a party"], ["r"]) == 1
    with pytest.raises(InputError, match="omit compat=char or gaps"):
        tertium.metric("exactmatch:compat=char,gaps=2")


def test_candidates_with_gaps_are_found_where_gaps_are_allowed(stored):
    store = stored(ranking("1", "p", ("turn off", 1, "A"), ("x", 2, "B")))
    for gaps, score in ((0, 0), (1, 0), (2, 1)):
        metric = tertium.metric(f"exactmatch:judgements={store},gaps={gaps}")
        assert metric.corpus_score(["Turn, turn the light off"], ["r"]) == score


def test_punctuation_and_case_follow_the_tokeniser(stored):
    store = stored(ranking("1", "p", ("the End .", 1, "A"), ("x", 2, "B")))
    for more, score in (("", 1), (",tokenize=none", 0), (",lowercase=yes", 1)):
        metric = tertium.metric(f"exactmatch:judgements={store}{more}")
        assert metric.corpus_score(["Not the End."], ["r"]) == score
    lower = tertium.metric(f"exactmatch:judgements={store},lowercase=yes")
    assert lower.corpus_score(["Not THE END."], ["r"]) == 1


# ------------------------------------------------------------ which segment is meant


def test_segments_go_by_the_ids_of_a_test_set_or_are_counted(man):
    hyps = {"A": ["we met", "an elderly man"]}
    testset = tertium.Testset.build(REFS[::-1], hyps, ids=["2", "1"])
    spec = f"exactmatch:judgements={man}"
    score = tertium.score(testset, metrics=[spec]).systems["A"][spec].score
    assert score == 2 / 3
    swapped = tertium.Testset.build(REFS[::-1], hyps)
    score = tertium.score(swapped, metrics=[spec]).systems["A"][spec].score
    assert score == 0
    hyps["B"] = ["no", "nothing"]
    testset = tertium.Testset.build(REFS[::-1], hyps, ids=["2", "1"])
    compared = tertium.compare(testset, metrics=[spec], resamples=10)
    assert compared.scores["A"][spec].score == 2 / 3


def test_a_named_test_set_tells_segments_in_any_order_and_number(man, tmp_path):
    file = tmp_path / "ref.jsonl"
    file.write_text("".join(f'{{"ref": "{ref}", "tgt": {{}}}}\n' for ref in REFS))
    metric = tertium.metric(f"exactmatch:judgements={man},testset={file}")
    assert not metric.needs_corpus
    assert metric.corpus_score(["we met"], REFS[1:]) == 0.5
    assert metric.statistics(["we met"], ["unknown"]).tolist() == [[0, 0, 0, 0]]
    both = metric.corpus_score(["we met", "an elderly man"], REFS[::-1])
    assert both == 2 / 3


def test_texts_come_from_the_test_set_where_rankings_name_systems_alone(demo):
    metric = tertium.metric("exactmatch:judgements=demo,testset=demo")
    wins = tertium.rank(Judgements.read("demo"), method="wins", resamples=0)
    judged = {each.system: each.score for each in wins.rankings["en-de"][0].systems}
    score = metric.corpus_score(demo.systems["good"], demo.references)
    assert score == pytest.approx(judged["good"])


def test_a_fitted_metric_survives_pickling(man):
    metric = tertium.metric(f"exactmatch:judgements={man}").prepare(REFS)
    again = pickle.loads(pickle.dumps(metric))
    assert again.statistics(["we met"], REFS[1:]).tolist() == [[1, 2, 1, 1]]


def test_a_mean_with_bleu_has_a_hit_rate(man):
    metric = tertium.metric(f"mean:bleu*0.5+(exactmatch:judgements={man})*0.5")
    hyps = [REFS[0], "we met at the station"]
    bleu = tertium.metric("bleu").corpus_score(hyps, REFS)
    exact = tertium.metric(f"exactmatch:judgements={man}").corpus_score(hyps, REFS)
    assert metric.corpus_score(hyps, REFS) == pytest.approx((bleu + 100 * exact) / 2)
    row = metric.prepare(REFS).statistics(hyps, REFS).sum(axis=0)
    assert hit_rate(metric, row) == pytest.approx(1.0)
    assert hit_rate(tertium.metric("bleu"), row[:10]) is None
    assert hit_rate(tertium.metric(f"exactmatch:judgements={man}"), [0.0] * 4) is None


def test_statistics_of_n_best_lists_need_the_whole_test_set_once(man):
    from tertium.tuning.lists import NBestList, statistics

    lists = [
        NBestList(str(i), texts, (), np.zeros((len(texts), 0)), references=(ref,))
        for i, (texts, ref) in enumerate(
            zip([["an elderly man", "no"], ["we met"]], REFS, strict=True)
        )
    ]
    metric = tertium.metric(f"exactmatch:judgements={man}").prepare(REFS)
    first, second = statistics(lists, metric)
    assert first.tolist() == [[1, 1, 1, 2], [0, 0, 0, 2]]
    assert second.tolist() == [[1, 2, 1, 1]]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("exactmatch", "name them: exactmatch:judgements=STORE"),
        ("segranksbleu:judgements=nowhere", "nowhere"),
        ("exactmatch:judgements=demo", "name the test set with the outputs"),
    ],
)
def test_unusable_judgements_are_reported(spec, message):
    with pytest.raises(tertium.TertiumError, match=message):
        tertium.metric(spec).corpus_score(["a"], ["a"])


def test_segments_that_do_not_fit_and_several_language_pairs_are_reported(stored):
    places = ("a", 1, "A"), ("b", 2, "B")
    store = stored(ranking("doc-7", "p", *places))
    with pytest.raises(InputError, match=r"such as 'doc-7', the test set has '1'"):
        tertium.metric(f"exactmatch:judgements={store}").corpus_score(["a"], ["a"])
    both = stored(*(ranking("1", "p", *places, langpair=p) for p in ("de-en", "cs-en")))
    with pytest.raises(InputError, match="choose one as langpair=PAIR"):
        tertium.metric(f"exactmatch:judgements={both}").corpus_score(["a"], ["a"])
    one = tertium.metric(f"exactmatch:judgements={both},langpair=cs-en")
    assert one.corpus_score(["a"], ["a"]) == 1


def test_a_part_of_the_judged_test_set_is_not_counted_from_one(man):
    metric = tertium.metric(f"exactmatch:judgements={man}")
    with pytest.raises(InputError, match=r"ranks segment 2, the test set has only 1"):
        metric.corpus_score(["we met"], REFS[1:])


def test_sums_need_a_fitted_metric(man):
    from tertium.data.batch import Batch

    with pytest.raises(InputError, match="needs all references first"):
        tertium.metric(f"exactmatch:judgements={man}").sums(Batch([REFS], REFS))


# ----------------------------------------------------------------- against the twins

words = st.lists(st.sampled_from("abc"), min_size=1, max_size=4).map(tuple)
rankings = st.lists(
    st.tuples(words, st.integers(1, 3), st.integers(1, 2)),
    min_size=1,
    max_size=4,
    unique_by=lambda place: place[0],
)
parts = st.lists(st.lists(rankings, min_size=1, max_size=2), min_size=1, max_size=2)
outputs = st.lists(st.sampled_from("abcd"), max_size=6)


def store_of(segment_parts):
    stored = []
    for number, several in enumerate(segment_parts):
        for ranked in several:
            places = [(" ".join(w), rank, "ABCD"[:n]) for w, rank, n in ranked]
            stored.append(ranking("1", f"part {number}", *places))
    return judged_parts(Judgements.from_iterable(stored))


@settings(max_examples=60)
@given(parts, outputs, st.integers(0, 2), st.booleans())
def test_rows_equal_those_of_the_twin(segment_parts, output, gaps, penalty):
    metric = (PenalizeUnknown if penalty else ExactMatch)(gaps=gaps)
    metric.stored = store_of(segment_parts)
    row = metric.statistics([" ".join(output)], ["the reference"])[0]
    expected = oracle.exact_match(segment_parts, output, gaps=gaps, penalty=penalty)
    assert tuple(row) == expected


@settings(max_examples=60)
@given(parts, outputs, outputs)
def test_segranksbleu_is_never_below_bleu(segment_parts, output, reference):
    store = store_of(segment_parts)
    metric = SegRanksBleu()
    metric.stored = store
    hyp, ref = " ".join(output), " ".join(reference) or "d"
    row = metric.statistics([hyp], [ref])[0]
    good = [text.split() for part in store.segments["1"] for text in part.good]
    for order in range(1, 5):
        count = oracle.matches(output, [ref.split()], good, order)
        assert row[1 + order] == count
    plain = tertium.metric("bleu")
    assert metric.from_statistics(row) >= plain.corpus_score([hyp], [ref])
    assert row[1] == len(ref.split())


@given(words, outputs)
def test_the_closest_match_has_the_fewest_words_between(wanted, output):
    extra = extra_words(wanted, output)
    for gaps in range(len(output) + 1):
        assert oracle.occurs(wanted, output, gaps) == (
            extra is not None and extra <= gaps
        )
