# SPDX-License-Identifier: Apache-2.0
"""The documentation: what its pages show is what happens."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

import tertium
from docs import build, diagrams, examples, pages, pictures, reference, screenshots
from docs.metric_pages import metric_path
from support.tiny_bert import real_model
from tertium.cli import VERBS
from tertium.errors import InputError
from tertium.metrics import metric_class
from tertium.metrics.aligned import AlignedMetric

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]


PAGES = {str(path.relative_to(ROOT)): path for path in examples.pages()}


@pytest.fixture(scope="module")
def generated() -> dict[str, str]:
    """Return the generated pages."""
    return pages.generated()


def read(page: str) -> str:
    return PAGES[page].read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES)
def test_examples_print_what_the_page_shows(page, tmp_path):
    """If this is a change you want: python -m docs.build --update."""
    if page.endswith("bertscore.md"):
        real_model()
    assert examples.rerun(read(page), tmp_path) == read(page)


def test_commands_that_are_not_run_have_options_that_exist():
    assert sum(examples.check_shell(read(page)) for page in PAGES) > 60


@pytest.mark.parametrize(
    "line",
    [
        "tertium score demo --no-such",
        "time tertium score demo --no-such > out.txt 2> log.txt",
        "LC_ALL=C TERTIUM_CACHE=x tertium score demo --no-such",
        "TOKEN=$(tertium score demo --no-such -q)  # comment",
        'for m in bleu chrf; do tertium score demo -m "$m" --no-such; done',
        "cd news && tertium score demo --no-such",
        "cat a.txt | tertium score demo --no-such | sort",
    ],
)
def test_options_that_do_not_exist_are_found_wherever_a_command_stands(line):
    assert examples.check_shell(f"```sh\n{line.replace(' --no-such', '')}\n```\n") == 1
    with pytest.raises(InputError, match="unrecognized arguments: --no-such"):
        examples.check_shell(f"```sh\n{line}\n```\n")


@pytest.mark.parametrize("page", PAGES)
def test_extras_are_installed_the_same_way_everywhere(page):
    """Once Tertium is installed, this adds an extra, from a clone too."""
    for extra in re.findall(r"pip install (?:-U )?'([^']+)'", read(page)):
        assert re.fullmatch(r"tertium\[[a-z,-]+\]", extra)


def test_there_are_examples():
    text = "".join(read(page) for page in PAGES if page.startswith("docs"))
    assert text.count("\n$ tertium ") > 40
    assert text.count("\n>>> ") > 30


@pytest.mark.parametrize("page", PAGES)
def test_pages_do_not_reveal_the_machine_they_were_made_on(page):
    assert not re.search(r"/(?:home|root|tmp|work|Users)/|localhost", read(page))


def test_every_verb_is_shown():
    text = "".join(read(page) for page in PAGES if page.startswith("docs"))
    for verb in VERBS:
        shown = rf"^\$ (?:cat \S+ \| )?tertium {verb} "
        assert re.search(shown, text, re.MULTILINE), verb


def test_every_metric_has_a_page_with_its_facts(generated):
    for name in tertium.metric_names():
        cls = metric_class(name)
        page = next(
            text for text in generated.values() if text.startswith(f"# {name}\n")
        )
        for fact in (cls.equal_to, cls.empty, cls.cost, cls.paper):
            assert fact.replace("|", "\\|") in page, name
        for key in cls.settings:
            assert f"| `{key}` |" in page, name
        assert f"\n$ tertium score demo -m {name}" in page, name
        assert f"[`{name}`](" in generated["metrics/index.md"]


def test_metrics_over_aligned_words_have_a_diagram(generated):
    for name in tertium.metric_names():
        page = generated[metric_path(name)]
        if issubclass(metric_class(name), AlignedMetric):
            assert '<figure class="diagram">' in page, name
            assert "<svg xmlns=" in page, name
        # Raw HTML ends at an empty line in Markdown.
        for figure in re.findall("<figure.*?</figure>", page, re.DOTALL):
            assert "\n\n" not in figure, name
            assert not re.search("(?:href|src)=", figure), name


@pytest.mark.parametrize("page", PAGES)
def test_diagrams_that_a_page_asks_for_are_made(page):
    text = read(page)
    filled = pages.fill(text)
    assert filled.count("<svg ") == text.count("<!-- diagram ")
    assert "<!-- diagram" not in filled


def test_pictures_come_from_a_command_or_a_test():
    source = (ROOT / pictures.TEST).read_text(encoding="utf-8")
    assert len(pictures.wanted()) > 5
    for name in set(pictures.wanted()) - screenshots.names():
        assert f'"{name.removeprefix("guide-")}")' in source, name


def test_pictures_are_shown_or_left_out(tmp_path, monkeypatch):
    monkeypatch.setattr(pictures, "FOLDER", tmp_path)
    text = "a\n\n<!-- picture guide-join: Names & links -->\n\nb\n"
    assert pictures.fill(text) == "a\n\n\n\nb\n"
    (tmp_path / "guide-join.png").touch()
    assert "![Names &amp; links](../pictures/guide-join.png)" in pictures.fill(text)


def test_every_guide_shows_a_figure_near_its_top():
    lists = {"docs/guides/formats.md", "docs/guides/upgrading.md"}
    for page in PAGES:
        if page.startswith("docs/guides/") and page not in lists:
            opening = "\n".join(read(page).splitlines()[:40])
            assert re.search("<!-- (?:diagram|picture) ", opening), page


def test_the_gallery_shows_all_that_is_drawn():
    gallery = read("docs/gallery.md")
    for name in ("alignment", "forest", "tree", "dependencies", "derp", "automaton"):
        assert f"<!-- diagram {name} " in gallery
    for name in screenshots.names():
        assert f"<!-- picture {name}: " in gallery


def test_a_picture_from_a_command_names_it(tmp_path, monkeypatch):
    monkeypatch.setattr(pictures, "FOLDER", tmp_path)
    (tmp_path / "report-score.png").touch()
    filled = pictures.fill("<!-- picture report-score: Scores -->", "")
    assert "![Scores](pictures/report-score.png)" in filled
    assert "`tertium score demo -m bleu" in filled


def test_charts_of_one_run_have_captions_of_their_own():
    assert screenshots.caption("chart-kappa").endswith("--plot kappa=kappa.png")


def test_a_failed_command_is_reported(tmp_path, monkeypatch):
    shot = screenshots.Shot("tertium score nothing.tsv", "report.html")
    monkeypatch.setitem(screenshots.SHOTS, "report-score", shot)
    with pytest.raises(RuntimeError, match=r"nothing\.tsv"):
        screenshots.make({"report-score"}, tmp_path)


def test_the_staged_site_has_every_page_of_the_navigation(tmp_path):
    build.stage(tmp_path / "site")
    navigation = (tmp_path / "site" / "mkdocs.yml").read_text(encoding="utf-8")
    named = re.findall(r": (\S+\.md)$", navigation, re.MULTILINE)
    top = tmp_path / "site" / "pages"
    there = {file.relative_to(top).as_posix() for file in top.rglob("*.md")}
    assert set(named) == there
    assert "metrics/bleu.md" in named
    assert (top / "extra.css").is_file()
    assert (top / "diagrams.css").is_file()


def test_the_readme_is_short_and_its_picture_current():
    text = read("README.md")
    assert len(text.splitlines()) <= 150
    assert "](docs/explain.svg)" in text
    picture = (ROOT / "docs" / "explain.svg").read_text(encoding="utf-8")
    assert picture == diagrams.readme_picture()


def test_speeds_in_the_readme_are_those_of_the_benchmark():
    results = (ROOT / "bench" / "RESULTS.md").read_text(encoding="utf-8")
    ratios = re.findall(r"\| (\d+\.\d)x \|", results)
    measured = set(ratios) | {f"{float(ratio):.0f}" for ratio in ratios}
    shown = re.findall(r"(\d+(?:\.\d)?)×", read("README.md"))
    assert len(shown) > 5
    assert set(shown) <= measured


def test_links_of_the_readme_lead_somewhere():
    for link in re.findall(r"\]\(([^)#:]+)\)", read("README.md")):
        assert (ROOT / link).exists(), link


def test_pages_are_built_where_there_is_no_browser(tmp_path, monkeypatch):
    monkeypatch.setattr(pictures, "FOLDER", tmp_path)
    monkeypatch.delenv("TERTIUM_CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "are left out: no browser; apt install chromium" in pictures.make()


def test_every_column_of_the_database_is_explained(generated):
    rows = re.findall(r"^\| `\w+` \|.*$", generated["database.md"], re.MULTILINE)
    assert len(rows) > 80
    for row in rows:
        assert not re.search(r"\|\s*\|$", row), row


def test_the_guide_shows_every_recipe_for_clusters():
    filled = pages.fill(read("docs/guides/cluster.md"))
    recipes = sorted((ROOT / "docs" / "recipes" / "cluster").iterdir())
    assert len(recipes) == 5
    for recipe in recipes:
        assert recipe.read_text(encoding="utf-8") in filled
        assert f"(../recipes/cluster/{recipe.name})" in filled


def test_settings_of_tasks_are_in_the_guide():
    from tertium.campaigns.tasks import TASKS

    page = read("docs/guides/campaign-tasks.md")
    for name in TASKS:
        assert f"\n## {name}\n" in page
        assert f"<!-- settings of {name} -->" in page
    filled = pages.fill(page)
    assert "| `detokenise` | `true` | show punctuation" in filled
    assert "<!--" not in filled


def test_published_scores_of_grammars_are_those_of_the_benchmark():
    from bench.published.evalgen import table
    from tertium.grammars.search.edits import EditCosts

    assert "\n".join(table(EditCosts())) in read("docs/guides/grammar-evaluation.md")


def test_diagrams_have_colours_for_dark_pages():
    style = diagrams.style()
    assert '[data-md-color-scheme="slate"] .diagram svg .blue{' in style


def test_names_of_further_modules_in_the_reference_are_public(generated):
    for module, names in reference.MODULES.items():
        public = importlib.import_module(module).__all__
        for name in names:
            assert name in public
            assert f"{module}.{name}" in generated["reference.md"]


def test_the_pages_of_built_in_metrics_name_their_rows(generated):
    for path, text in generated.items():
        if path.startswith("metrics/") and path != "metrics/index.md":
            assert "not named" not in text, path


def test_every_public_name_is_in_the_reference(generated):
    for name in set(tertium.__all__) - {"__version__"}:
        assert f"\n### {name}\n" in generated["reference.md"]
        assert f"tertium.{name}" in generated["reference.md"]


def test_the_navigation_names_every_page(generated):
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    written = [page.removeprefix("docs/") for page in PAGES if page.startswith("docs/")]
    for page in (*written, *generated):
        if not page.startswith("metrics/"):
            assert f": {page}\n" in navigation, page


def test_links_between_pages_lead_somewhere(generated):
    known = {path.resolve() for path in PAGES.values()}
    known |= {(ROOT / "docs" / page).resolve() for page in generated}
    for page, path in PAGES.items():
        if page.startswith("docs/"):
            for link in re.findall(r"\]\(([^)#:]+\.md)", read(page)):
                assert (path.parent / link).resolve() in known, (page, link)


@pytest.mark.parametrize(
    ("printed", "shown", "fit"),
    [
        ("a\nb\n", "a\nb\n", True),
        ("a\nb\nc\n", "a\n...\n", True),
        ("a\nb\nc\n", "a\n...\nc\n", True),
        ("a\n", "...\na\n", True),
        ("a\nb\n", "a\n", False),
        ("a\nb\nc\n", "...\nb\n", False),
        ("1.5\n", "1x5\n", False),
    ],
)
def test_an_ellipsis_stands_for_any_lines(printed, shown, fit):
    assert examples.fits(printed, shown) is fit


@pytest.mark.parametrize(
    ("printed", "shown", "corrected"),
    [
        ("A\nb\nc\n", "a\n...\n", "A\n...\n"),
        ("a\nb\nC\n", "...\nc\n", "...\nC\n"),
        ("A\nb\nc\nD\n", "a\n...\nd\n", "A\n...\nD\n"),
        ("x\ny\ncat 2\nz\n", "...\ncat 1\n...\n", "...\ncat 2\n...\n"),
        ("a\nB\n", "a\nb\n", "a\nB\n"),
        ("", "a\n...\n", ""),
    ],
)
def test_changed_output_keeps_its_ellipses(printed, shown, corrected):
    assert examples._corrected(printed, shown) == corrected


def test_output_that_changed_is_written_anew(tmp_path):
    page = "```console\n$ tertium --version\nold\n```\n\n```pycon\n>>> 1 + 1\n3\n```\n"
    new = examples.rerun(page, tmp_path)
    assert f"$ tertium --version\ntertium {tertium.__version__}\n```" in new
    assert ">>> 1 + 1\n2\n```" in new


def test_a_command_that_cannot_be_run_is_rejected(tmp_path):
    with pytest.raises(ValueError, match="put it into a block of `sh`"):
        examples.rerun("```console\n$ rm -rf x\n```\n", tmp_path)


def test_a_page_leaves_nothing_behind(tmp_path):
    here, names = Path.cwd(), tertium.metric_names()
    examples.rerun(read("CONTRIBUTING.md"), tmp_path)
    assert Path.cwd() == here
    assert tertium.metric_names() == names


def test_the_licence_is_the_apache_license_in_full():
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert "Version 2.0, January 2004" in text
    assert "END OF TERMS AND CONDITIONS" in text
    assert "Copyright [yyyy] [name of copyright owner]" in text
