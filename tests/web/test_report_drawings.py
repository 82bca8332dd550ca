# SPDX-License-Identifier: Apache-2.0
"""The drawings of ``tertium report`` in a real browser, against Python's trees."""

from __future__ import annotations

import shlex
from itertools import permutations

import numpy as np
import pytest

from support.accessibility import NARROW, faults, too_wide
from support.report_systems import small_report, tree_report
from tertium.analysis.words import split
from tertium.order import Permutation, PermutationForest, PermutationTree
from tertium.report.explain.findings import find
from tertium.report.explain.relations import kept_relations
from tertium.report.explain.surface import ngram_hits, word_edits
from tertium.report.explain.views import Dependencies, MatchView, Pairing, Tree

#: What every output has, with or without a dependency tree.
ALWAYS = ("findings", "alignment", "permutation tree", "edits and n-grams")
_TREES = "all => all.map(one => Drawings.brackets(Drawings.permutationTree(one)))"


@pytest.fixture(scope="module")
def small():
    return small_report()


@pytest.fixture(scope="module")
def file(small, tmp_path_factory):
    path = tmp_path_factory.mktemp("drawings") / "report.html"
    path.write_text(small.to_html(title="trees"), encoding="utf-8")
    return path


def flat(values) -> str:
    return str(PermutationTree.flat(Permutation.one_based(values)))


def nested(rng, size: int) -> list[int]:
    """Return a permutation with blocks in blocks, which random ones hardly have."""
    if size < 3:
        return (1 + rng.permutation(size)).tolist()
    parts = int(rng.integers(2, min(size, 6) + 1))
    cuts = np.sort(rng.choice(np.arange(1, size), parts - 1, replace=False))
    sizes = np.diff([0, *cuts, size]).tolist()
    ranks = rng.permutation(parts).tolist()
    below = [sum(s for s, r in zip(sizes, ranks, strict=True) if r < k) for k in ranks]
    return [
        start + value
        for start, length in zip(below, sizes, strict=True)
        for value in nested(rng, length)
    ]


def test_trees_of_all_short_permutations_are_those_of_python(visit_file, file):
    every = [[*each] for n in range(1, 8) for each in permutations(range(1, n + 1))]
    page = visit_file(file)
    assert page.evaluate(_TREES, every) == [flat(each) for each in every]


def test_trees_of_long_permutations_are_those_of_python(visit_file, file):
    rng = np.random.default_rng(12345)
    some = [nested(rng, int(rng.integers(8, 200))) for _ in range(600)]
    some += [(1 + rng.permutation(n)).tolist() for n in (4, 9, 10, 11, 50, 120)]
    some += [[*range(1, 121)], [*range(120, 0, -1)]]
    kinds = {node.kind for each in some for node in _nodes(each)}
    assert kinds == {"leaf", "straight", "inverted", "prime"}
    page = visit_file(file)
    assert page.evaluate(_TREES, some) == [flat(each) for each in some]


def _nodes(values):
    return PermutationTree.flat(Permutation.one_based(values)).nodes()


def test_every_output_has_the_permutation_tree_of_its_links(visit_file, file, small):
    page = visit_file(file)
    for number in range(10):
        for name, labels in small.labels.items():
            links = [link for link in labels.links[number].tolist() if link >= 0]
            values = [1 + sorted(links).index(link) for link in links]
            row = page.locator(f"#segment-{number + 1} .row", has_text=name)
            row.get_by_text("permutation tree", exact=True).click()
            drawn = row.get_by_role("img", name="Permutation tree of")
            tree = PermutationTree.flat(Permutation.one_based(values))
            assert drawn.get_attribute("aria-label") == (
                f"Permutation tree of {name}: {tree}"
            )
            inner = [node for node in tree.nodes() if not node.is_leaf]
            assert drawn.locator("text.operator").count() == len(inner)
            ranks = drawn.locator("text.rank").all_text_contents()
            assert sorted(map(int, ranks)) == sorted(values)
            words = len(split(small.testset.systems[name][number]))
            words += len(split(small.testset.references[number][0]))
            loose = words - 2 * len(links)
            assert drawn.locator("rect.loose").count() == loose
            caption = row.locator("figcaption").text_content()
            assert ("Dashed: not aligned." in caption) == (loose > 0)


def test_an_output_without_aligned_words_has_no_tree(visit_file, file):
    page = visit_file(file, "#segment-14")
    row = page.locator("#segment-14 .row", has_text="Birch")
    row.get_by_text("permutation tree", exact=True).click()
    drawn = row.get_by_role("img", name="Birch: no word is aligned")
    drawn.wait_for()
    assert drawn.locator("text").count() == 6
    assert drawn.locator("text.operator").count() == 0


def test_drawings_are_opened_and_scrolled_by_keyboard(visit_file, file):
    page = visit_file(file)
    row = page.locator("#segment-7 .row", has_text="Alder")
    row.get_by_text("alignment", exact=True).focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    row.get_by_role("region", name="Permutation tree of Alder").wait_for()
    page.keyboard.press("Tab")
    label = page.evaluate("document.activeElement.ariaLabel")
    assert label == "Permutation tree of Alder"


def test_captions_have_the_command_that_explains_more(visit_file, file, tree_file):
    row = visit_file(file).locator("#segment-7 .row", has_text="Alder")
    row.get_by_text("alignment", exact=True).click()
    words = shlex.split(row.locator("figcaption code").text_content())
    assert words[2:4] == ["--hyp", "In winter it often snows."]
    # Trees are in files that the page does not know.
    row = visit_file(tree_file).locator("#segment-2 .row", has_text="Alder")
    row.get_by_text("alignment", exact=True).click()
    command = row.locator("figcaption code")
    assert command.text_content() == (
        "tertium explain --segments 2 --system Alder --match exact+stem --language en"
    )
    assert "with the files of this report" in row.locator("figcaption").text_content()
    # Options are not divided: each of them is one box.
    for option in command.locator("span").all():
        assert option.evaluate("each => each.getClientRects().length") == 1


def test_drawings_have_the_whole_width_right_of_the_names(visit_file, file):
    page = visit_file(file)
    row = page.locator("#segment-3 .row", has_text="Birch")
    row.get_by_text("alignment", exact=True).click()
    right = "each => each.getBoundingClientRect().right"
    figure = row.locator("figure").evaluate(right)
    assert figure >= row.locator(".cost").evaluate(right) - 1


def test_permutation_trees_are_counted_as_in_python(visit_file, file):
    every = [[*each] for n in range(1, 7) for each in permutations(range(1, n + 1))]
    every.append([*range(40, 0, -1)])
    page = visit_file(file)
    script = """all => all.map((one) =>
        Drawings.trees(Drawings.permutationTree(one)).toString())"""
    assert page.evaluate(script, every) == [
        str(PermutationForest(Permutation.one_based(each)).count) for each in every
    ]


# ------------------------------------------------------------- findings and edits

_FOUND = "all => all.map((one) => Findings.find(one).map(Findings.text))"


def paired(texts, links):
    """Return what the script looks at, and what Python says about it."""
    hyp, ref = map(split, texts)
    matches = tuple(
        MatchView(
            (h, h + 1),
            (r, r + 1),
            "exact" if hyp[h].lower() == ref[r].lower() else "stem",
        )
        for h, r in enumerate(links)
        if r >= 0
    )
    view = {"words": [hyp, ref], "links": links, "texts": list(texts)}
    findings = find(Pairing(tuple(hyp), tuple(ref), matches), texts=texts)
    return view, [finding.text for finding in findings]


def random_pair(rng):
    """Return two texts with some words in common, and links between words."""
    stock = [*"abcdefgh", "a", "The", "the", ",", ".", "walk"]
    ref = [stock[n] for n in rng.integers(0, len(stock), rng.integers(0, 14))]
    keep = [w for w in range(len(ref)) if rng.random() < rng.choice([0.3, 0.8, 1])]
    order = [keep[place - 1] for place in nested(rng, len(keep))] if keep else []
    hyp, links = [], []
    for r in order:
        while rng.random() < 0.15:
            hyp.append("x")
            links.append(-1)
        word = ref[r]
        changed = rng.random()
        hyp.append(
            word.swapcase() if changed < 0.1 else "walked" if word == "walk" else word
        )
        links.append(r)
    space = "  " if rng.random() < 0.1 else " "
    return (space.join(hyp), " ".join(ref)), links


def test_findings_are_those_of_explain(visit_file, file, small):
    rng = np.random.default_rng(4)
    pairs = [paired(*random_pair(rng)) for _ in range(1500)]
    pairs += [paired(("a .", "a."), [0, 1]), paired(("", ""), [])]
    for name, labels in small.labels.items():
        for number, (ref,) in enumerate(small.testset.references):
            texts = (small.testset.systems[name][number], ref)
            pairs.append(paired(texts, labels.links[number].tolist()))
    shown = visit_file(file).evaluate(_FOUND, [view for view, _ in pairs])
    for (view, expected), sentences in zip(pairs, shown, strict=True):
        assert sentences == expected, view
    every = " ".join(text for _, texts in pairs for text in texts)
    for words in (
        " moved before ", " moved after ", " shuffled; ", " reverse order",
        " changed places ", " missing; ", " extra; ", " where the reference has ",
        "(same stem)",
        "Only the case", "only spaces", "is empty", "in the order of", "counterpart",
    ):  # fmt: skip
        assert words in every


def test_findings_and_edits_are_shown_in_words(visit_file, file):
    page = visit_file(file)
    row = page.locator("#segment-7 .row", has_text="Alder")
    row.get_by_text("findings", exact=True).click()
    first = row.locator(".findings li").first
    assert "The block In winter moved before it often snows." in first.inner_text()
    assert first.locator("em").all_text_contents() == ["In winter", "it often snows"]
    row.get_by_text("edits and n-grams", exact=True).click()
    row.locator(".edits").wait_for()
    assert row.locator(".edits del").all_text_contents()
    assert row.locator(".edits ins").all_text_contents()
    cells = row.get_by_role("table", name="N-grams").locator("tr:nth-child(1) td")
    assert cells.all_text_contents() == ["1", "6 of 6", "none"]


def test_edits_and_ngrams_are_those_of_explain(visit_file, file):
    rng = np.random.default_rng(5)
    pairs = [
        [[*rng.choice([*"abcd"], rng.integers(0, 12)).tolist()] for _ in range(2)]
        for _ in range(800)
    ]
    page = visit_file(file)
    shown = page.evaluate("all => all.map((one) => Edits.edits(...one))", pairs)
    assert shown == [
        [
            [-1 if e.hyp is None else e.hyp, -1 if e.ref is None else e.ref]
            for e in word_edits(*pair)
        ]
        for pair in pairs
    ]
    script = "all => all.map((one) => [1, 2, 3, 4].map((n) => Edits.hits(...one, n)))"
    assert page.evaluate(script, pairs) == [
        [list(hits.found) for hits in ngram_hits(*pair)] for pair in pairs
    ]


# --------------------------------------------------------------- dependency trees


@pytest.fixture(scope="module")
def with_trees():
    return tree_report()


@pytest.fixture(scope="module")
def tree_file(with_trees, tmp_path_factory):
    path = tmp_path_factory.mktemp("dependencies") / "report.html"
    path.write_text(with_trees.to_html(title="trees"), encoding="utf-8")
    return path


#: Aligned words of the trees of output and reference in the first segment.
LINKS = {
    "Alder": [(0, 0), (3, 3), (5, 4), (6, 5), (7, 6)],
    "Birch": [(0, 4), (1, 5), (2, 1), (3, 2), (4, 3), (5, 0), (6, 6)],
    "Cedar": [(0, 0), (3, 3), (5, 6)],
}


@pytest.mark.parametrize("name", LINKS)
def test_dependencies_change_as_explain_says(visit_file, tree_file, with_trees, name):
    page = visit_file(tree_file)
    row = page.locator("#segment-1 .row", has_text=name)
    row.get_by_text("dependency trees", exact=True).click()
    drawn = row.get_by_role("img", name=f"Dependency trees of {name}")
    drawn.wait_for()
    sides = [with_trees.testset.systems[name][0], with_trees.testset.references[0][0]]
    trees = [text.layers["tree"] for text in sides]
    views = [Tree(tree.forms, tree.heads, tree.deprels) for tree in trees]
    links = LINKS[name]
    both = Dependencies(*views, flat=False)
    expected = []
    for side, tree, linked in zip(
        ("hyp", "ref"), trees, zip(*links, strict=True), strict=True
    ):
        kept = kept_relations(both, side, links)
        expected += [
            "" if kept[word] else "changed" if word in linked else "loose"
            for word in range(len(tree))
        ]
    arcs = drawn.locator("path.arc").evaluate_all(
        "all => all.map(one => one.getAttribute('class').replace(/^arc ?/, ''))"
    )
    assert arcs == expected
    assert {"", "loose"} <= set(expected) or "changed" in expected
    labels = drawn.locator("text.relation").all_text_contents()
    assert labels == [name for tree in trees for name in tree.deprels]
    shown = drawn.locator("text:not(.relation)").all_text_contents()
    assert shown == [form for tree in trees for form in tree.forms]
    assert drawn.locator("line").count() == len(links)
    caption = row.locator("figcaption").text_content()
    assert ("Orange" in caption) == ("changed" in expected)
    assert ("Red" in caption) == ("loose" in expected)


def test_trees_are_drawn_only_where_they_are_given(visit_file, file, tree_file):
    page = visit_file(tree_file)
    row = page.locator("#segment-2 .row", has_text="Birch")
    row.get_by_text("dependency tree", exact=True).click()
    drawn = row.get_by_role("img", name="Dependency tree of Birch")
    drawn.wait_for()
    assert drawn.locator("path.arc").count() == 7
    assert drawn.locator("line, .loose, .changed").count() == 0
    third = page.locator("#segment-3 summary").all_text_contents()
    assert third == [*ALWAYS] * 3
    assert visit_file(file).get_by_text("dependency tree").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_drawings_shut_nobody_out(visit_file, tree_file, picture, scheme):
    page = visit_file(tree_file, color_scheme=scheme)
    page.add_style_tag(content=".segment { content-visibility: visible !important; }")
    for summary in page.locator("#segment-1 .drawing summary").all():
        summary.click()
    picture(page, f"report-drawings-{scheme}")
    assert faults(page) == {}
    page.set_viewport_size(NARROW)
    assert too_wide(page) == 0
    scroll = page.locator("#segment-1 .drawing .scroll").last
    assert scroll.evaluate("each => each.scrollWidth > each.clientWidth")
    picture(page, f"report-drawings-phone-{scheme}")
