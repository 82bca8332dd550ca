# SPDX-License-Identifier: Apache-2.0
"""Names of metrics that Tertium does not run."""

from __future__ import annotations

import pytest

from tertium.errors import InputError
from tertium.metrics import metric, metric_class, metric_names


@pytest.mark.parametrize(
    "name",
    [
        "comet",
        "COMET22",
        "wmt22-comet-da",
        "Unbabel/wmt22-cometkiwi-da",
        "xcomet-xl",
        "cometkiwi",
        "bleurt",
        "BLEURT-20",
        "metricx-24-hybrid",
        "yisi-1",
        "gemba-mqm",
    ],
)
def test_neural_metrics_say_how_to_bring_their_scores(name: str) -> None:
    with pytest.raises(InputError, match="needs a neural model") as caught:
        metric(name)
    lines = str(caught.value).splitlines()
    assert len(lines) == 3
    assert max(map(len, lines)) <= 106
    assert "--scores FILE" in lines[0]
    assert "scores:file=FILE" in lines[0]
    assert "external:config=comet.toml" in lines[1]
    for built_in in ("bertscore", "llm"):
        assert f"-m {built_in}" in lines[2]
        assert built_in in metric_names()


@pytest.mark.parametrize("name", ["nope", "xyzzy"])
def test_only_near_names_are_suggested(name: str) -> None:
    with pytest.raises(InputError) as caught:
        metric(name)
    assert "did you mean" not in str(caught.value)


def test_a_misspelt_metric_is_not_taken_for_a_neural_one() -> None:
    with pytest.raises(InputError, match="did you mean meteor"):
        metric("meteo")


def test_bertscore_is_found_by_the_name_of_its_package() -> None:
    with pytest.raises(InputError, match="did you mean bertscore"):
        metric("bert-score")


def test_a_registered_metric_may_have_the_name_of_a_neural_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from tertium.metrics import registry

    bleu = metric_class("bleu")
    monkeypatch.setitem(registry._registered, "comet", bleu)
    assert metric_class("comet") is bleu
