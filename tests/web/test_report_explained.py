# SPDX-License-Identifier: Apache-2.0
"""DERP paths and losses of trained metrics on report pages, against ``explain``."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from support.accessibility import NARROW, faults, too_wide
from support.report_systems import texts, trees
from tertium.analysis.report import report
from tertium.data import Testset
from tertium.data.annotated import Annotated
from tertium.learn.rankers import Polynomial
from tertium.report.analysis import derp_paths, trained_losses
from tertium.report.analysis.data import segment_data
from tertium.report.explain import explain
from tertium.report.explain.losses import loss_rows
from tertium.report.explain.terminal_trees import path_text
from tertium.report.explain.views import PathEdge, Paths
from tertium.trees import DependencyTree, derp

BEER = "beer:language=en"
_COMPARE = """all => all.map(({trees, links, settings}) => {
    const found = Paths.compare(trees, links, settings);
    return [found.edges.map(({hyp, ref, cost, limit}) => [hyp, ref, cost, limit]),
        found.edges.map(({paths}) => paths.map((one) => one &&
            [one.up, one.forward, one.down])), Paths.equation(found, settings)];
})"""


def random_tree(rng, size: int) -> DependencyTree:
    """Return a tree whose words come in any order, with punctuation among them."""
    order = rng.permutation(size).tolist()
    heads = [0] * size
    for place, word in enumerate(order[1:], start=1):
        heads[word] = 1 + order[int(rng.integers(0, place))]
    if size > 4 and rng.random() < 0.2:
        heads[order[-1]] = 0  # a second root
    forms = [str(form) for form in rng.choice(["a", "b", ",", "``", "-", "5"], size)]
    names = ["nsubj", "nsubj:pass", "obj", "det"]
    return DependencyTree(forms, heads, [str(each) for each in rng.choice(names, size)])


def random_links(rng, sizes: tuple[int, int]) -> list[list[int]]:
    """Return links, mostly of one word with one word."""
    number = min(sizes)
    hyps = rng.permutation(sizes[0])[:number].tolist()
    refs = rng.permutation(sizes[1])[:number].tolist()
    links = [[h, r] for h, r in zip(hyps, refs, strict=True) if rng.random() < 0.8]
    if rng.random() < 0.4:
        more = [[int(rng.integers(0, size)) for size in sizes] for _ in range(3)]
        links += [link for link in more if link not in links]
    return sorted(links)


def plain(tree: DependencyTree) -> dict[str, object]:
    return {
        "forms": list(tree.forms),
        "heads": [head - 1 for head in tree.heads],
        "labels": list(tree.deprels),
    }


@pytest.fixture(scope="module")
def flat(tmp_path_factory):
    """Return a report with flattened trees and a trained metric, and its page."""
    testset = texts()
    references = [(*refs, "Something else.") for refs in testset.references]
    made = report(
        replace(testset, references=references),
        metrics=["chrf", "derp:flat=yes", BEER],
        resamples=50,
    )
    path = tmp_path_factory.mktemp("explained") / "report.html"
    path.write_text(made.to_html(), encoding="utf-8")
    return made, path


def test_spanning_trees_are_those_of_python(visit_file, flat):
    rng = np.random.default_rng(12345)
    cases, expected = [], []
    for _ in range(800):
        sizes = (int(rng.integers(1, 12)), int(rng.integers(1, 12)))
        pair = [random_tree(rng, size) for size in sizes]
        links = random_links(rng, sizes)
        settings = {
            "flat": bool(rng.random() < 0.2),
            "labels": str(rng.choice(["full", "universal", "none"])),
            "ignore_punct": bool(rng.random() < 0.3),
            "normalise": str(rng.choice(["max", "spanning", "dependency"])),
            "degenerate": str(rng.choice(["keep", "zero"])),
        }
        made = derp(*pair, links, **settings)
        counted = {"spanning": made.ref_aligned - 1, "dependency": made.ref_words - 1}
        number = max(0, counted.get(settings["normalise"], 0))
        edges = [
            [[*edge.hyp], [*edge.ref], edge.disparity, edge.max_disparity]
            for edge in made.edges
        ]
        paths = [
            [
                path and [list(path.chi), path.direction == "α", list(path.omega)]
                for path in (edge.hyp_path, edge.ref_path)
            ]
            for edge in made.edges
        ]
        views = [_edge(edge) for edge in made.edges]
        view = Paths(tuple(views), False, made.score, made.degenerate, number)
        cases.append({"trees": [*map(plain, pair)], "links": links})
        cases[-1]["settings"] = settings
        expected.append([edges, paths, view.equation])
    page = visit_file(flat[1])
    for case, shown, wanted in zip(
        cases, page.evaluate(_COMPARE, cases), expected, strict=True
    ):
        assert shown == wanted, case
    degenerate = [text for *_, text in expected if "by definition" in text]
    assert 0 < len(degenerate) < len(expected) / 2


def _edge(edge):
    none = ((), "", ())
    return PathEdge(edge.hyp, edge.ref, none, none, edge.disparity, edge.max_disparity)


def best(made, name: str, number: int, spec: str) -> int:
    """Return the first reference whose own score is that of the segment."""
    testset, metric = made.testset, made.scorers[spec]
    hyp, refs = testset.systems[name][number], testset.references[number]
    (wanted,) = metric.rows(metric.checked([[hyp]], [refs]))[0].tolist()
    rows = [
        metric.rows(metric.checked([[hyp]], [[ref]]))[0][0].tolist() for ref in refs
    ]
    return rows.index(wanted)


def explained(made, name: str, number: int, spec: str):
    """Return the explanation of an output against the reference on the page."""
    testset = made.testset
    return explain(
        testset.systems[name][number],
        list(testset.references[number]),
        metrics=[spec],
        reference=best(made, name, number, spec) if "derp" in spec else None,
    )


def assert_paths(page, made, name: str, number: int, spec: str, summary: str) -> None:
    one = explained(made, name, number, spec)
    paths, words = one.paths, one.pairing(one.paths).ref
    row = page.locator(f"#segment-{number + 1} .row", has_text=name)
    row.get_by_text(summary, exact=True).click()
    figure = row.locator("figure", has_text="DERP")
    figure.wait_for()
    rows = figure.get_by_role("table", name="Paths").locator("tbody tr").all()
    shown = [each.locator("td").all_text_contents() for each in rows]
    assert shown == [
        [
            f"{edge.cost:g} / {edge.limit:g}" if edge.limit else "shared",
            f"{words[edge.ref[0]]} – {words[edge.ref[1]]}",
            path_text(edge.hyp_path, flat=paths.flat),
            path_text(edge.ref_path, flat=paths.flat),
        ]
        for edge in paths.edges
    ]
    image = figure.get_by_role("img", name="DERP spanning tree")
    assert image.get_attribute("aria-label").endswith(paths.equation)
    labels = image.locator("text.relation").all_text_contents()
    assert sorted(labels) == sorted(f"{e.cost:g}/{e.limit:g}" for e in paths.edges)
    drawn = image.locator("text:not(.relation)").all_text_contents()
    assert drawn == [*one.pairing(paths).hyp, *words]
    assert image.locator("line").count() == len(one.pairing(paths).links)


def test_flat_paths_are_those_of_explain(visit_file, flat):
    made, path = flat
    page = visit_file(path)
    for number in range(10):
        for name in made.testset.systems:
            assert_paths(page, made, name, number, "derp:flat=yes", "fDERP paths")


def test_paths_are_those_of_the_best_reference(visit_file, tmp_path):
    # By word errors the first reference is nearest to Alder; by derp, the second.
    refs = ("e b y", "f b a")
    outputs = {"Alder": ["a c b"], "Cedar": ["e b y"]}
    made = report(outputs, [refs], metrics=["derp:flat=yes"], resamples=20)
    path = tmp_path / "best.html"
    path.write_text(made.to_html(), encoding="utf-8")
    page = visit_file(path)
    (paths,) = segment_data(made)["paths"]
    wanted = [best(made, name, 0, "derp:flat=yes") for name in outputs]
    assert paths["chosen"] == wanted == [1, 0]
    assert [one.chosen[0] for one in made.labels.values()] == [0, 0]
    assert_paths(page, made, "Alder", 0, "derp:flat=yes", "fDERP paths")
    caption = page.locator("figcaption").text_content()
    assert "reference 2, which scores best" in caption
    assert "--reference 2" in caption


def test_paths_of_given_trees_are_those_of_explain(visit_file, tmp_path):
    testset = trees()
    one = {name: lines[:1] for name, lines in testset.systems.items()}
    made = report(
        Testset(systems=one, references=testset.references[:1], langpair="de-en"),
        metrics=["derp:normalise=dependency,ignore_punct=yes"],
        resamples=50,
    )
    path = tmp_path / "trees.html"
    path.write_text(made.to_html(), encoding="utf-8")
    page = visit_file(path)
    (spec,) = made.scorers
    for name in one:
        assert_paths(page, made, name, 0, spec, "DERP paths")


def test_losses_are_those_of_explain(visit_file, flat):
    made, path = flat
    page = visit_file(path)
    listed = 0
    for number in range(10):
        for name in made.testset.systems:
            row = page.locator(f"#segment-{number + 1} .row", has_text=name)
            summary = row.get_by_text("what beer lost", exact=True)
            losses = explained(made, name, number, BEER).losses
            if not losses:
                assert summary.count() == 0
                continue
            listed += 1
            summary.click()
            figure = row.locator("figure", has_text="what it lost")
            figure.wait_for()
            cells = figure.locator("tbody tr").all()
            shown = [each.locator("td").all_text_contents() for each in cells]
            assert shown == [
                [each.amount.replace("-", "\u2212"), each.text]
                for each in loss_rows(losses[0])
            ]
            caption = figure.locator("figcaption").text_content()
            assert f"{losses[0].score:.4f}" in caption
            command = figure.locator("figcaption code").text_content()
            assert command.endswith(f" -m {BEER}")
    assert 15 < listed < 30  # copies of the reference lost nothing


def test_losses_of_large_test_sets_are_those_of_the_largest_gaps(monkeypatch, flat):
    made, _ = flat
    assert trained_losses.loss_scope(made) == ""
    monkeypatch.setattr(trained_losses, "_OUTPUTS", 8)
    (columns,) = trained_losses.loss_columns(made)
    names = list(made.testset.systems)
    a, b = (names.index(name) for name in made.focus)
    gaps = np.abs(made.segments[BEER][a] - made.segments[BEER][b])
    largest = set(np.argsort(-gaps, kind="stable")[:4].tolist())
    assert {number for number, *_ in columns["outputs"]} <= largest
    assert {system for _, system, *_ in columns["outputs"]} <= {a, b}
    scope = trained_losses.loss_scope(made)
    assert "listed for Cedar and Alder in the 4 segments where they differ most" in (
        scope.replace("Alder and Cedar", "Cedar and Alder")
    )
    assert scope in made.to_html()
    model = replace(made.scorers[BEER].trained, ranker=Polynomial(2, 1.0, (), 0))
    monkeypatch.setattr(made.scorers[BEER], "trained", model)
    assert trained_losses.loss_scope(made) == ""
    assert trained_losses.loss_columns(made) == []


def test_outputs_that_the_script_cannot_compare_have_no_paths(monkeypatch):
    linked = Annotated("b a", {"links": (((0, 0), (0, 1), (1, 1)),)})
    one = Testset.build([("a b",)], {"A": [linked], "B": [linked]})
    for ordinality, line in (("contract", "\t0-0 0-1 1-1"), ("exact", " ")):
        made = report(one, metrics=[f"derp:flat=yes,ordinality={ordinality}"])
        (paths,) = segment_data(made)["paths"]
        assert paths["links"] == [line, line]
    # As many as twice the words that are drawn, and one more.
    for most, links, line in ((2, 4, "\t0-0 0-1 1-0 1-1"), (3, 6, None), (3, 7, " ")):
        monkeypatch.setattr(derp_paths, "MOST", most)
        pairs = [(h, r) for h in range(most) for r in range(most)][:links]
        text = " ".join("abc"[:most])
        linked = Annotated(text, {"links": (tuple(pairs),)})
        one = Testset.build([(text,)], {"A": [linked], "B": [linked]})
        made = report(one, metrics=["derp:flat=yes"])
        (paths,) = segment_data(made)["paths"]
        assert paths["links"][0] == (
            line or "\t" + " ".join(f"{h}-{r}" for h, r in pairs)
        )
    monkeypatch.setattr(derp_paths, "MOST", 1)
    (paths,) = segment_data(made)["paths"]
    assert paths["links"] == [" ", " "]
    several = report(Testset.build([("a b",)], {"A": ["b a"], "B": ["a"]}))
    assert segment_data(several)["paths"] == segment_data(several)["losses"] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_paths_and_losses_shut_nobody_out(visit_file, flat, picture, scheme):
    page = visit_file(flat[1], color_scheme=scheme)
    page.add_style_tag(content=".segment { content-visibility: visible !important; }")
    page.get_by_text("fDERP paths", exact=True).first.click()
    page.get_by_text("what beer lost", exact=True).first.click()
    picture(page, f"report-explained-{scheme}")
    assert faults(page) == {}
    page.set_viewport_size(NARROW)
    assert too_wide(page) == 0
    picture(page, f"report-explained-phone-{scheme}")
