# SPDX-License-Identifier: Apache-2.0
"""Every text of the server is there in every language."""

from __future__ import annotations

import importlib.util
import io
import re
from pathlib import Path

import pytest
from babel.messages.mofile import read_mo

from tertium.campaigns.rendering import TEMPLATES

TOOL = Path(__file__).resolve().parents[3] / "tools" / "translations.py"
LANGUAGES = ("cs", "de", "fi")


@pytest.fixture(scope="module")
def translations():
    spec = importlib.util.spec_from_file_location("translations", TOOL)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def wanted(translations):
    return translations.texts()


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_is_untranslated(translations, wanted, language):
    assert translations.missing(language, wanted) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_compiled_files_are_those_of_the_texts(translations, language):
    def texts(file):  # the head has the version of Babel
        return [(m.context, m.id, m.string) for m in read_mo(file) if m.id]

    with translations.place(language).with_suffix(".mo").open("rb") as file:
        assert texts(file) == texts(io.BytesIO(translations.compiled(language)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_translations_keep_what_is_filled_in(translations, language):
    fields = re.compile(r"%\(\w+\)(?:\.\d+)?[a-z]|%[sd%]|\{\w*\}")
    for message in translations.read(language):
        if not message.id:
            continue
        ids = message.id if isinstance(message.id, tuple) else (message.id,)
        output = (
            message.string if isinstance(message.string, tuple) else (message.string,)
        )
        wanted = set(fields.findall(ids[-1]))
        for text in output:
            assert set(fields.findall(text)) <= wanted, (language, text)
        assert set(fields.findall(output[-1])) == wanted, (language, output)


def test_the_templates_of_notes_are_among_the_texts(wanted):
    assert all(wanted.get(template) for template in TEMPLATES.values())


@pytest.mark.parametrize(
    "place", ["annotators", "ranking/systems.py", "ranking/ratings.py"]
)
def test_notes_on_judges_and_rankings_are_among_the_translated_ones(place):
    path = TOOL.parents[1] / "src" / "tertium" / "judgements" / place
    files = path.glob("*.py") if path.is_dir() else [path]
    source = "\n".join(file.read_text(encoding="utf-8") for file in files)
    codes = set(re.findall(r'\bNote\(\s*"([a-z-]+)"', source))
    assert codes
    assert codes <= TEMPLATES.keys()


def test_the_tool_finds_a_text_that_nobody_translated(translations, wanted):
    wanted_more = translations.texts()
    wanted_more.add("a text that nobody translated")
    for language in LANGUAGES:
        result = translations.missing(language, wanted_more)
        assert "a text that nobody translated" in result


def test_templates_have_no_words_outside_translations():
    """Words between tags must come from `translate`, or from data."""
    skipped = re.compile(
        r"\{%\s*(blocktranslate|comment)\b.*?\{%\s*end\1\s*%\}"
        r"|\{% block body_class %\}\w*|\{%.*?%\}|\{\{.*?\}\}"
        r"|\{#.*?#\}|<!--.*?-->|<(script|style)\b.*?</\2>|<[^>]*>|&\w+;",
        re.DOTALL,
    )
    allowed = {"Tertium"}
    results = []
    for path in sorted(TOOL.parents[1].glob("src/tertium/campaigns/**/*.html")):
        text = skipped.sub(" ", path.read_text(encoding="utf-8"))
        words = set(re.findall(r"[^\W\d_]{2,}", text)) - allowed
        if words:
            results.append((path.name, sorted(words)))
    assert results == []
