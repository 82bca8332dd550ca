# SPDX-License-Identifier: Apache-2.0
"""Gaming the shipped `beer` model: no trick beats a good translation.

Every segment has a source, a reference and a translation that a person would call
good; each trick must score lower than that translation, segment by segment.
"""

from __future__ import annotations

import pytest

import tertium
from tertium.learn.shipped import shipped_languages

#: Source, reference, good translation; by target language.
SEGMENTS = {
    "en": [
        (
            "Der Zug nach Hamburg fährt heute wegen eines Sturms eine Stunde später.",
            "The train to Hamburg leaves an hour late today because of a storm.",
            "The train to Hamburg departs one hour later today because of a storm.",
        ),
        (
            "Sie hat den Brief gelesen und ihn dann wortlos in die Schublade gelegt.",
            "She read the letter and then put it in the drawer without a word.",
            "She has read the letter and then put it into the drawer without a word.",
        ),
        (
            "Die meisten Besucher kamen, obwohl es den ganzen Tag regnete.",
            "Most of the visitors came although it rained all day.",
            "Most visitors came, although it was raining all day.",
        ),
        (
            "Kannst du mir bitte das Salz geben?",
            "Could you pass me the salt, please?",
            "Can you please pass me the salt?",
        ),
    ],
    "de": [
        (
            "The museum by the river is closed on Mondays and public holidays.",
            "Das Museum am Fluss ist montags und an Feiertagen geschlossen.",
            "Das Museum am Fluss ist am Montag und an Feiertagen geschlossen.",
        ),
        (
            "Nobody knew why the lights in the old mill were still burning.",
            "Niemand wusste, warum in der alten Mühle noch Licht brannte.",
            "Keiner wusste, warum das Licht in der alten Mühle noch brannte.",
        ),
        (
            "The farmers are waiting for rain, but the sky remains blue.",
            "Die Bauern warten auf Regen, doch der Himmel bleibt blau.",
            "Die Bauern warten auf den Regen, aber der Himmel bleibt blau.",
        ),
        (
            "Please close the window before you leave.",
            "Bitte schließen Sie das Fenster, bevor Sie gehen.",
            "Schließen Sie bitte das Fenster, bevor Sie gehen.",
        ),
    ],
}
FREQUENT = {"en": "the of and to in a", "de": "der die und in den von"}


def half(text: str) -> str:
    words = text.split()
    return " ".join(words[: len(words) // 2])


TRICKS = {
    "the source": lambda source, _ref, _hyp, _lang: source,
    "nothing": lambda *_: "",
    "one letter": lambda *_: "e",
    "one frequent word": lambda _source, _ref, _hyp, lang: FREQUENT[lang].split()[0],
    "frequent words": lambda _source, _ref, _hyp, lang: FREQUENT[lang] * 2,
    "letters at random": lambda *_: "zq xvj kwq pfz jjh qqx vzk",
    "signs": lambda *_: "!!! ??? ... ,,, ;;; :::",
    "digits": lambda *_: "12 345 6789 0 11 222",
    "no spaces": lambda _source, _ref, hyp, _lang: hyp.replace(" ", ""),
    "the words sorted": lambda _source, _ref, hyp, _lang: " ".join(sorted(hyp.split())),
    "the letters reversed": lambda _source, ref, _hyp, _lang: ref[::-1],
    "padding": lambda _source, _ref, hyp, lang: f"{hyp} {FREQUENT[lang]}",
    "the translation twice": lambda _source, _ref, hyp, _lang: f"{hyp} {hyp}",
    "half of the translation": lambda _source, _ref, hyp, _lang: half(hyp),
}


def metrics():
    """Return the pooled model and those of a language, whichever are shipped."""
    results = [lang for lang in shipped_languages("beer-4") if lang in SEGMENTS]
    pooled = [("beer", lang) for lang in SEGMENTS]
    return pooled + [(f"beer:language={lang}", lang) for lang in results]


def symmetric_metrics():
    """Return the models of beer-3.0, whose features are symmetric."""
    languages = [lang for lang in shipped_languages("beer-3.0") if lang in SEGMENTS]
    pooled = [("beer:profile=beer-3.0", lang) for lang in SEGMENTS]
    return pooled + [(f"{pooled[0][0]},language={lang}", lang) for lang in languages]


def score(spec: str, hyp: str, ref: str) -> float:
    return tertium.metric(spec).corpus_score([hyp], [ref])


@pytest.mark.parametrize(("spec", "lang"), metrics())
@pytest.mark.parametrize("trick", TRICKS)
def test_a_good_translation_beats_every_trick(spec, lang, trick):
    for source, ref, hyp in SEGMENTS[lang]:
        made = TRICKS[trick](source, ref, hyp, lang)
        assert score(spec, made, ref) < score(spec, hyp, ref), (made, hyp)


@pytest.mark.parametrize(("spec", "lang"), metrics())
def test_a_good_translation_beats_that_of_another_segment(spec, lang):
    refs = [ref for _, ref, _ in SEGMENTS[lang]]
    for _, ref, hyp in SEGMENTS[lang]:
        for other in refs:
            if other != ref:
                assert score(spec, other, ref) < score(spec, hyp, ref), (other, hyp)


@pytest.mark.parametrize(("spec", "lang"), metrics())
def test_nothing_scores_above_the_reference(spec, lang):
    for source, ref, hyp in SEGMENTS[lang]:
        assert score(spec, ref, ref) == 1
        assert score(spec, hyp, ref) < 1
        for make in TRICKS.values():
            assert score(spec, make(source, ref, hyp, lang), ref) < 1


@pytest.mark.parametrize(("spec", "lang"), symmetric_metrics())
def test_a_word_too_many_costs_what_a_word_too_few_does(spec, lang):
    """Symmetric features: who drops a word gains nothing over who adds one."""
    for _, ref, _ in SEGMENTS[lang]:
        words = ref.split()
        for place in range(len(words)):
            shorter = " ".join(words[:place] + words[place + 1 :])
            too_few, too_many = score(spec, shorter, ref), score(spec, ref, shorter)
            assert too_few == pytest.approx(too_many, abs=1e-12)
            assert too_few < 1


@pytest.mark.parametrize(("spec", "lang"), metrics())
def test_repeating_or_cutting_the_reference_costs(spec, lang):
    """Both need the reference, so nobody can win that way, but none may be free."""
    for _, ref, _ in SEGMENTS[lang]:
        words = ref.split()
        cut = [score(spec, " ".join(words[:n]), ref) for n in range(len(words), -1, -1)]
        assert cut == sorted(cut, reverse=True)
        scores = [score(spec, " ".join([ref] * n), ref) for n in range(1, 6)]
        assert scores == sorted(scores, reverse=True)
        assert scores[1] < 0.9


@pytest.mark.parametrize(("spec", "lang"), metrics())
def test_more_padding_never_helps(spec, lang):
    for _, ref, hyp in SEGMENTS[lang]:
        scores = [score(spec, hyp + " zq" * n, ref) for n in range(12)]
        assert scores == sorted(scores, reverse=True)
        assert len(set(scores)) == len(scores)
