# SPDX-License-Identifier: Apache-2.0
"""Write the frozen lexicons of the templates: ``lexicon.lock.tsv``.

``python tools/lexicon_lock.py [FOLDER ...]`` reads the Finnish grammar of each template
and looks up every word with Voikko: the tokens of all references, every other form of
the words' paradigms (so that a wrong case is known for what it is), the parts of
compounds alone, words of closed classes, and those of the samples and of
``words.fin.txt``, a list of words that no reference has but a translation may have.
``--check`` changes nothing; it exits with 1 if a file is out of date.

On the way every form of a paradigm is compared with what Voikko reads in it: a plural
inessive that is none is an error in either mode.

For German and Czech there is no analyser that may be brought along. Their lexicons,
``lexicon.ger.lock.tsv`` and ``lexicon.cze.lock.tsv``, come from the paradigms of the
grammars themselves and from ``common/words.ger.tsv`` and ``common/words.cze.tsv``; the
last column says from which.
"""

from __future__ import annotations

import argparse
import dataclasses
import sys
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import cast

from tertium.automata.expressions import BIND, Choice, Sequence, Token
from tertium.grammars.authoring.samples import read_samples
from tertium.grammars.gf import Grammar, load_grammar, terms
from tertium.grammars.gf.evaluating import Evaluator, Table, Value, expanded
from tertium.grammars.gf.shapes import FunctionType
from tertium.grammars.morphology import Analyser, Analysis, load_analyser
from tertium.grammars.morphology.features import from_ud, read_features
from tertium.grammars.morphology.tsv import Entry, parse_lexicon

TEMPLATES = Path(__file__).resolve().parents[1] / "src/tertium/grammars/templates"
LOCK = "lexicon.lock.tsv"
HEADER = ("lemma", "pos", "features", "form", "parts", "generator+version")
NUMBERS = {"SG": "Sing", "PL": "Plur"}

#: Words of closed classes, which may occur in any translation.
CLOSED = """
    ei en et emme ette eivät on ovat oli olivat ollut olleet ole olla olisi ja
    sekä tai vai mutta vaan että jotta jos kun koska vaikka kuin niin kuitenkin
    silti myös vain jo nyt vielä enää hyvin tosi aika liian ehkä sitten siis hän
    hänen häntä hänellä hänelle he heidän heitä heillä heille se sen sitä siinä
    siitä siihen sillä siltä sille ne niiden niitä niissä niistä niihin niillä
    niiltä niille tämä tämän tätä tässä tästä tähän tällä nämä näiden näitä näissä
    näistä tuo tuon tuota joka jonka jota jossa josta johon jolla jolle jotka
    joiden joita joissa joista joilla kaikki kaikkien kaikkia mikä mitä yksi yhden
    yhtä kaksi kahden minä minun me meidän sinä te kanssa jälkeen ennen aikana
    takia vuoksi ansiosta mukaan ilman kohti vastaan välillä
"""

#: A form of a paradigm and the number and case it stands at.
Cell = tuple[str, str, str]


class SlipError(Exception):
    """A form of a grammar that the analyser reads otherwise."""


def opers(term: object, seen: dict[int, terms.Oper]) -> None:
    """Collect the operations that a term needs, and those that they need."""
    if isinstance(term, terms.Oper):
        if id(term) not in seen:
            seen[id(term)] = term
            opers(term.term, seen)
    elif isinstance(term, dict):
        for part in term.values():
            opers(part, seen)
    elif isinstance(term, (tuple, list)):
        for part in term:
            opers(part, seen)
    elif dataclasses.is_dataclass(term) and not isinstance(
        term, (Token, Sequence, Choice)
    ):
        for field in dataclasses.fields(term):
            if field.name != "at":
                opers(getattr(term, field.name), seen)


def constants(grammar: Grammar, language: str) -> Iterator[Value]:
    """Yield the values of linearisations without arguments."""
    evaluator = Evaluator(merging=True)
    for lin in grammar.concretes[language].lins.values():
        if not lin.variables:
            yield from evaluator.values(lin.body, {})


def words_of(grammar: Grammar, language: str) -> Iterator[Value]:
    """Yield the values of operations without arguments, each a word by itself."""
    evaluator = Evaluator(merging=True)
    known: dict[int, terms.Oper] = {}
    for lin in grammar.concretes[language].lins.values():
        opers(lin.body, known)
    for oper in known.values():
        if not isinstance(oper.type, FunctionType) and oper.term is not None:
            yield from evaluator.values(oper.term, {})


def values(grammar: Grammar, language: str) -> Iterator[Value]:
    """Yield the values of all words of a language: operations and constants."""
    yield from constants(grammar, language)
    yield from words_of(grammar, language)


def texts(value: Value, keys: tuple[str, ...] = ()) -> Iterator[Cell | tuple[str]]:
    """Yield the words of a value, those of paradigms with number and case."""
    if isinstance(value, Table):
        for key, part in value.items():
            yield from texts(part, (*keys, str(key[0]).upper()))
    elif isinstance(value, dict):
        for part in value.values():
            yield from texts(part, keys)
    elif isinstance(value, (Token, Sequence, Choice)):
        for tokens in expanded(value):
            words = [token.text for token in tokens]
            if BIND.text in words:
                continue
            if len(words) == 1 and len(keys) == 2 and keys[0] in NUMBERS:
                yield words[0], keys[0], keys[1]
            else:
                yield from ((word,) for word in words)


def compound_parts(form: str, reading: Analysis) -> Iterator[str]:
    """Yield the parts of a compound as words of their own."""
    *first, last = reading.parts
    yield from first
    yield last
    for begin in range(1, len(form)):
        yield form[begin:]
        yield form[:begin].rstrip("-")


def features(reading: Analysis) -> str:
    """Return the features of a reading, named as in Universal Dependencies."""
    named = {
        "Case": reading.case.title(),
        "Number": NUMBERS.get(reading.number, ""),
        "Person": reading.person,
        "Tense": reading.tense.title(),
    }
    if reading.mood.startswith("INF"):
        named |= {"VerbForm": "Inf", "InfForm": reading.mood[3:]}
    elif reading.pos == "PTCP":
        named["VerbForm"] = "Part"
    else:
        named["Mood"] = reading.mood.title()
    return "|".join(f"{k}={v}" for k, v in sorted(named.items()) if v) or "_"


def row(form: str, reading: Analysis, generator: str) -> str:
    pos = {"PTCP": "VERB", "": "_"}.get(reading.pos, reading.pos)
    shown = features(reading)
    cells = (
        *(reading.lemma, pos, shown, form),
        *("+".join(reading.parts) or "_", generator),
    )
    again = from_ud(reading.lemma, pos, read_features(shown), reading.parts)
    if again != (reading,):
        message = f"{form}: {reading} would be read back as {again}"
        raise SlipError(message)
    return "\t".join(cells)


def check_paradigm(cells: set[Cell], analyser: Analyser) -> Iterator[str]:
    """Yield what is wrong with a word's forms, each with its number and case."""
    shared: set[str] | None = None
    for form, number, case in sorted(cells):
        readings = analyser.analyse(form)
        lemmas = {
            one.lemma for one in readings if (one.number, one.case) == (number, case)
        }
        if not lemmas:
            seen = ", ".join(f"{one.lemma} {one.number} {one.case}" for one in readings)
            yield f"{form} is not {number} {case}: {seen or 'unknown'}"
        else:
            shared = lemmas if shared is None else shared & lemmas
    # Synonyms are one value too: they have several nominatives.
    words = {form for form, *place in cells if place == ["SG", "NOM"]}
    if len(words) == 1 and shared is not None and not shared:
        yield f"the forms of {words.pop()} have no lemma in common"


def likely_words(folder: Path) -> set[str]:
    """Return words that translations may hold: of samples, and of ``words.fin.txt``."""
    listed = folder / "words.fin.txt"
    lines = listed.read_text(encoding="utf-8").splitlines() if listed.is_file() else []
    for path in folder.glob("*.fin.txt"):
        if path != listed:
            lines += [sample.sentence for sample in read_samples(path)]
    return {
        word.strip(",.")
        for line in lines
        if not line.startswith("#")
        for word in line.split()
    }


def lock(
    grammar: Grammar,
    analyser: Analyser,
    language: str = "Fin",
    likely: Collection[str] = (),
) -> str:
    """Return the lexicon of a grammar; with words not of the grammar, but likely.

    Raises
    ------
    SlipError
        If a token is unknown, or a form is not what its paradigm says.
    """
    used = {
        token
        for automaton in grammar.sets(language).values()
        for token in automaton.symbols
        if any(map(str.isalnum, token))
    }
    paradigms = [set(texts(value)) for value in values(grammar, language)]
    words = {word for paradigm in paradigms for word in paradigm}
    slips = [
        slip
        for paradigm in paradigms
        for slip in check_paradigm({one for one in paradigm if len(one) == 3}, analyser)
    ]
    slips = list(dict.fromkeys(slips))
    slips += [f"{one} is unknown" for one in sorted(used) if not analyser.analyse(one)]
    if slips:
        raise SlipError("\n".join(slips))
    forms = {*used, *CLOSED.split(), *likely, *(word[0] for word in words)}
    for form in sorted(forms):
        for reading in analyser.analyse(form):
            if reading.parts:
                wanted = set(reading.parts)
                forms |= {
                    part
                    for part in compound_parts(form, reading)
                    if any(one.lemma in wanted for one in analyser.analyse(part))
                }
    rows = {
        row(form, reading, analyser.name)
        for form in forms
        for reading in analyser.analyse(form)
    }
    return "\n".join(["\t".join(HEADER), *sorted(rows)]) + "\n"


#: Languages whose lexicons come from paradigms.
OWN = ("Ger", "Cze")
CASE_NAMES = ("NOM", "GEN", "DAT", "ACC", "LOC", "INS")


def cells(value: Value, keys: tuple[str, ...] = ()) -> Iterator[Cell]:
    """Yield the single words of a table with number and case, whatever else it has."""
    if isinstance(value, Table):
        for key, part in value.items():
            yield from cells(part, (*keys, str(key[0]).upper()))
    elif isinstance(value, (Token, Sequence, Choice)):
        number = next((key for key in keys if key in NUMBERS), "")
        case = next((key for key in keys if key in CASE_NAMES), "")
        for tokens in expanded(value):
            if len(tokens) == 1:
                yield tokens[0].text, number, case


def paradigm(value: Value, words: dict[str, Entry]) -> Iterator[Entry]:
    """Yield the forms of a noun (with a gender) or an adjective (with genders)."""
    if isinstance(value, Table) or not isinstance(value, dict):
        return
    record = cast("dict[str, Value]", value)
    forms = list(dict.fromkeys(cells(record.get("s", ()))))
    if "pred" in record:
        forms = [(form, "", "") for form, *_ in cells(record["pred"])] + forms
    if not any(number for _, number, _ in forms):
        return
    lemma = forms[0][0]
    known = words.get(lemma)
    pos = known.pos if known else "NOUN" if "g" in record else "ADJ"
    parts = known.parts if known else ()
    for form, number, case in forms:
        named = {"Case": case.title(), "Number": NUMBERS.get(number, "")}
        shown = "|".join(f"{k}={v}" for k, v in named.items() if v) or "_"
        yield Entry(form, lemma, pos, shown, parts)
        if parts and lemma.casefold().endswith(parts[-1].casefold()):
            # The last part alone, in all forms, and the first as it is written.
            first = len(lemma) - len(parts[-1])
            last = form[first:]
            yield Entry(
                last.capitalize() if pos == "NOUN" else last, parts[-1], pos, shown
            )
            yield Entry(form[:first], parts[0], pos, "_")


def lock_own(grammar: Grammar, language: str) -> str:
    """Return the lexicon of a grammar, from its paradigms and the table of words.

    Raises
    ------
    SlipError
        If a token is in neither.
    """
    table = TEMPLATES / "common" / f"words.{language.lower()}.tsv"
    listed = list(parse_lexicon(table.read_text(encoding="utf-8").splitlines()))
    words = {entry.form: entry for entry in listed}
    entries = {
        (entry, f"Common{language}.gf")
        for value in words_of(grammar, language)
        for entry in paradigm(value, words)
    }
    inflected = {entry.form for entry, _ in entries}
    entries |= {
        (entry, table.name)
        for entry in listed
        if not entry.parts and (entry.features or entry.form not in inflected)
    }
    known = {entry.form for entry, _ in entries}
    used = {
        token
        for automaton in grammar.sets(language).values()
        for token in automaton.symbols
        if any(map(str.isalnum, token))
    }
    if used - known:
        message = f"not in {table.name}: " + ", ".join(sorted(used - known))
        raise SlipError(message)
    rows = {
        "\t".join(
            (
                *(entry.lemma, entry.pos or "_", entry.features or "_", entry.form),
                *("+".join(entry.parts) or "_", generator),
            )
        )
        for entry, generator in entries
    }
    return "\n".join(["\t".join(HEADER), *sorted(rows)]) + "\n"


def lexicons(folder: Path, analyser: Analyser) -> Iterator[tuple[Path, str]]:
    """Yield the files of a template and what must stand in them."""
    grammar = load_grammar(folder)
    yield folder / LOCK, lock(grammar, analyser, likely=likely_words(folder))
    for language in OWN:
        if language in grammar.languages:
            name = f"lexicon.{language.lower()}.lock.tsv"
            yield folder / name, lock_own(grammar, language)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path, help="default: all templates")
    parser.add_argument("--check", action="store_true", help="change nothing")
    arguments = parser.parse_args()
    every = sorted(path.parent for path in TEMPLATES.glob("*/template.toml"))
    analyser = load_analyser("voikko")
    status = 0
    for folder in arguments.folders or every:
        try:
            files = list(lexicons(folder, analyser))
        except SlipError as error:
            print(f"{folder.name}:\n{error}", file=sys.stderr)
            status = 1
            continue
        for path, text in files:
            fresh = path.is_file() and path.read_text(encoding="utf-8") == text
            if arguments.check and not fresh:
                tool = Path(__file__).name
                print(f"{path} is out of date; run {tool}", file=sys.stderr)
                status = 1
            elif not fresh:
                path.write_text(text, encoding="utf-8")
                print(f"{path}: {text.count(chr(10)) - 1} readings")
    return status


if __name__ == "__main__":
    sys.exit(main())
