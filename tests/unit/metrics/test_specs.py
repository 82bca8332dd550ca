# SPDX-License-Identifier: Apache-2.0
"""Spec strings, settings, the registry, and the texts metrics take."""

from __future__ import annotations

import pickle
import sys
from types import ModuleType

import numpy as np
import pytest

import tertium
from tertium.cli import main
from tertium.data.batch import Batch
from tertium.metrics import Metric, metric_class, registry, setting


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("blue", "unknown metric 'blue'; did you mean bleu"),
        ("0000", "unknown metric '0000'; choose from aligned-percentage, amber"),
        ("bleu:tokenise=13a", "unknown setting of bleu 'tokenise'; did you mean token"),
        (
            "bleu:tokenize=13b",
            "unknown value of bleu: tokenize '13b'; did you mean 13a",
        ),
        ("bleu:smooth_method=exq", "'exq'; did you mean exp"),
        ("bleu:lowercase=maybe", "lowercase is yes or no, not 'maybe'"),
        ("bleu:max_ngram_order=0", "must be at least 1"),
        ("bleu:max_ngram_order=two", "is an integer, not 'two'"),
        ("chrf:beta=nan", "must be finite"),
        ("chrf:beta", "'beta' is not a setting; write chrf:key=value"),
        ("chrf:beta=1,beta=2", "beta is set twice"),
        ("chrf:char_order=0", "both 0"),
        ("mean", "mean has no parts"),
        ("mean:nist*1", "nist has no natural unit"),
        ("mean:bleu*x", "weight 'x' of bleu is not a number"),
        ("mean:bleu*-1", "must be above 0"),
        ("mean:(bleu", "parentheses"),
        ("mean:mean:bleu+chrf", "put it in parentheses: (mean:bleu)"),
        ("mean:", "mean has no parts"),
        ("", "unknown metric ''"),
    ],
)
def test_wrong_specs_name_the_cure(spec, message):
    with pytest.raises(tertium.InputError) as caught:
        tertium.metric(spec)
    assert message in str(caught.value)


def test_names_ignore_case_and_settings_take_python_values():
    assert tertium.metric("BLEU") == tertium.metric("bleu")
    assert tertium.metric("character").label == "CharacTER"
    cls = metric_class("bleu")
    assert cls(lowercase=True, max_ngram_order=2).spec == (
        "bleu:lowercase=yes,max_ngram_order=2"
    )


def test_presets_are_metrics_with_other_defaults():
    assert tertium.metric("sentbleu").signature == (
        tertium.metric("bleu:effective_order=yes").signature
    )
    assert tertium.metric("chrf++").label == "chrF2++"
    assert tertium.metric("bleu1").label == "BLEU-1"


def test_means_nest_settings_and_names_with_plus_signs():
    metric = tertium.metric("mean:chrf++*2+(bleu:tokenize=intl,lowercase=yes)+ter*1e+1")
    assert [(part.spec, weight) for part, weight in metric.parts] == [
        ("chrf++", 2.0),
        ("bleu:tokenize=intl,lowercase=yes", 1.0),
        ("ter", 10.0),
    ]


class _Length(Metric):
    """A metric as a user writes it: words of the hypothesis, capped at 10."""

    name = "test-length"
    bounds = (0.0, 10.0)
    cap: int = setting(10, "the most words that count", minimum=1)

    @property
    def width(self) -> int:
        return 2

    def statistics(self, hyps, refs, *, threads=None):
        return np.array([[min(self.cap, len(h.split())), 1.0] for h in hyps])

    def from_statistics(self, rows):
        rows = np.asarray(rows, dtype=float)
        return rows[..., 0] / rows[..., 1]


@pytest.fixture
def registered():
    tertium.register(_Length)
    yield
    registry._registered.clear()


def test_a_registered_metric_is_like_a_built_in_one(registered):
    result = tertium.score({"A": ["a b c", "a"]}, ["x", "y"], metrics=["test-length"])
    assert result["A"]["test-length"].score == 2.0
    assert "test-length" in tertium.metric_names()
    assert tertium.metric("test-length:cap=2").spec == "test-length:cap=2"


def test_settings_cannot_change_after_the_kernel_was_made():
    metric = tertium.metric("bleu")
    with pytest.raises(AttributeError, match="make a new metric"):
        metric.max_ngram_order = 2
    assert metric.max_ngram_order == 4


def test_specs_keep_every_digit_and_metrics_pickle():
    metric = tertium.metric("chrf:beta=1.2345678")
    assert metric.spec == "chrf:beta=1.2345678"
    assert metric != tertium.metric("chrf:beta=1.2345679")
    assert pickle.loads(pickle.dumps(metric)) == metric
    mean = tertium.metric("mean:bleu*0.1234567+chrf")
    assert tertium.metric(mean.spec).spec == mean.spec == "mean:bleu*0.1234567+chrf*1"


def test_a_mean_shows_all_its_parts_and_checks_its_rows():
    mean = tertium.metric("mean:(bleu:tokenize=intl)+(bleu:tokenize=13a)")
    assert mean.signature.count("bleu*1") == 2
    for wrong in (np.ones(7), [1.0] * 7, []):
        with pytest.raises(tertium.InputError, match="rows of 20 statistics"):
            mean.from_statistics(wrong)
    assert tertium.metric("mean:bleu-nrc").bounds[1] == float("inf")


def test_nist_sums_nothing_before_it_is_prepared():
    nist = tertium.metric("nist")
    with pytest.raises(tertium.InputError, match="prepare"):
        nist.sums(Batch([["a"]], ["a"]))


def test_registered_names_ignore_case_and_must_be_plain(registered):
    assert tertium.metric("TEST-Length").name == "test-length"

    class Other(_Length):
        name = "a:b"

    with pytest.raises(tertium.InputError, match="is not a name"):
        tertium.register(Other)


def test_a_taken_name_is_refused_with_both_origins(registered):
    with pytest.raises(tertium.InputError, match="taken by a registered class"):
        tertium.register(_Length)

    class Other(_Length):
        name = "BLEU"

    with pytest.raises(tertium.InputError, match="taken by a built-in metric"):
        tertium.register(Other)


class _EntryPoint:
    def __init__(self, name: str, value: str) -> None:
        self.name, self.value = name, value


@pytest.fixture
def entry_points(monkeypatch):
    """Pretend that packages offer metrics; the edge of the world."""

    def offer(*points: _EntryPoint) -> None:
        module = ModuleType("a_plug_in")
        module.Length = _Length  # type: ignore[attr-defined]
        module.wrong = "not a class"  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "a_plug_in", module)
        monkeypatch.setattr("importlib.metadata.entry_points", lambda **_: points)
        registry._plugins.cache_clear()

    yield offer
    registry._plugins.cache_clear()


def test_a_plug_in_is_found_by_its_entry_point(entry_points):
    entry_points(_EntryPoint("length", "a_plug_in:Length"))
    assert "length" in tertium.metric_names()
    assert isinstance(tertium.metric("length"), _Length)


def test_plug_ins_that_clash_or_are_no_metrics_are_refused(entry_points):
    entry_points(_EntryPoint("x", "a_plug_in:wrong"))
    with pytest.raises(tertium.InputError, match="not a subclass"):
        tertium.metric("x")
    entry_points(_EntryPoint("x", "a_plug_in:Gone"))
    with pytest.raises(tertium.InputError, match="cannot be loaded from a_plug"):
        tertium.metric("x")
    assert main(["metrics"]) == 0  # the others can still be listed
    entry_points(_EntryPoint("x", "a_plug_in:Length"), _EntryPoint("x", "b:Length"))
    with pytest.raises(tertium.InputError, match=r"from a_plug_in:Length and from b:"):
        tertium.metric("x")
    entry_points(_EntryPoint("bleu", "a_plug_in:Length"))
    with pytest.raises(tertium.InputError, match="Tertium itself"):
        tertium.metric_names()


@pytest.mark.parametrize(
    ("hyps", "refs", "message"),
    [
        ("a text", ["a text"], "hypotheses are one text"),
        (["a"], "a", "references are one text"),
        (["a", "b"], ["a"], "2 hypotheses but 1 references (first extra hypothesis"),
        (["a"], ["a", "b"], "first extra reference, index 1: 'b'"),
        (["a", "b", "c"], [["a", "b", "c"]] * 2, "seem to be transposed"),
        (["a\ud800"], ["a"], "hypothesis 0 holds half of a surrogate pair"),
        (["a"], [["a", "\udfff"]], "reference 0 holds half"),
        (["a"], [[]], "segment 0 has no reference"),
    ],
)
def test_texts_that_do_not_fit_are_refused(hyps, refs, message):
    with pytest.raises(ValueError) as caught:  # noqa: PT011  # InputError is one
        tertium.metric("bleu").statistics(hyps, refs)
    assert message in str(caught.value)


@pytest.mark.parametrize("wrong", [None, 3, b"bytes"])
def test_things_that_are_no_texts_are_named(wrong):
    with pytest.raises(TypeError, match="hypothesis 1 is of type"):
        tertium.metric("bleu").statistics(["a", wrong], ["a", "b"])
    for spec in ("chrf", "ter"):
        with pytest.raises(TypeError, match="reference"):
            tertium.metric(spec).statistics(["a"], [["a", wrong]])
        with pytest.raises(TypeError, match="hypothesis 0 is of type"):
            tertium.metric(spec).statistics([wrong], ["a"])


def test_a_fault_in_preprocessing_is_not_hidden(monkeypatch):
    """Scoring the texts unprocessed instead would give a wrong number."""

    def broken(self, lines):
        raise TypeError("a fault of the metric")

    monkeypatch.setattr("tertium.metrics.ter.Ter.preprocess", broken)
    with pytest.raises(TypeError, match="a fault of the metric"):
        tertium.metric("ter").corpus_score(["a"], ["a"])


def test_any_sequence_of_texts_will_do():
    bleu = tertium.metric("bleu")
    expected = bleu.corpus_score(["a b c d e"], ["a b c d f"])
    assert bleu.corpus_score(("a b c d e",), (("a b c d f",),)) == expected
    assert bleu.corpus_score(iter(["a b c d e"]), [["a b c d f"]]) == expected


def test_rows_of_the_wrong_width_are_refused():
    with pytest.raises(tertium.InputError, match="rows of 10 statistics"):
        tertium.metric("bleu").from_statistics(np.zeros((3, 4)))
    with pytest.raises(tertium.InputError, match="rows of 10 statistics"):
        tertium.metric("bleu").from_statistics([1.0, 2.0])
