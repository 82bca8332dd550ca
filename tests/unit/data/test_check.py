# SPDX-License-Identifier: Apache-2.0
"""Checks of a test set: every mistake is planted into a clean set and found."""

from __future__ import annotations

import unicodedata

import pytest

from tertium.data import Testset
from tertium.data.checks import Report, check

# Four lines per segment: source, reference, system A, system B.
_CLEAN = """\
The old lighthouse was painted white last summer.
Der alte Leuchtturm wurde im letzten Sommer weiß gestrichen.
Der alte Leuchtturm wurde letzten Sommer weiß bemalt.
Im vergangenen Sommer hat man den alten Leuchtturm weiß gestrichen.
Every morning the baker opens her shop at six.
Jeden Morgen öffnet die Bäckerin ihren Laden um sechs.
Die Bäckerin öffnet jeden Morgen um sechs ihr Geschäft.
Jeden Morgen um sechs macht die Bäckerin ihren Laden auf.
We lost the key to the garden shed.
Wir haben den Schlüssel zum Gartenschuppen verloren.
Wir verloren den Schlüssel für den Gartenschuppen.
Den Schlüssel zum Schuppen im Garten haben wir verloren.
A heavy storm broke two windows of the school.
Ein schwerer Sturm zerbrach zwei Fenster der Schule.
Ein heftiger Sturm hat zwei Fenster der Schule zerbrochen.
Zwei Fenster der Schule gingen bei einem schweren Sturm kaputt.
My uncle collects stamps from small islands.
Mein Onkel sammelt Briefmarken von kleinen Inseln.
Mein Onkel sammelt Marken kleiner Inseln.
Briefmarken von kleinen Inseln sammelt mein Onkel gern.
The train to the coast leaves from platform nine.
Der Zug an die Küste fährt von Gleis neun ab.
Der Zug zur Küste fährt vom Bahnsteig neun.
Von Gleis neun fährt der Zug an die Küste.
Nobody knew why the piano was out of tune.
Niemand wusste, warum das Klavier verstimmt war.
Keiner wusste, weshalb das Klavier verstimmt war.
Niemand konnte sagen, warum das Klavier falsch klang.
She planted three apple trees behind the barn.
Sie pflanzte drei Apfelbäume hinter der Scheune.
Hinter der Scheune hat sie drei Apfelbäume gepflanzt.
Sie setzte drei Apfelbäume hinter die Scheune.
The museum shows tools of early watchmakers.
Das Museum zeigt Werkzeuge früher Uhrmacher.
Das Museum stellt Werkzeuge der frühen Uhrmacher aus.
Werkzeuge der ersten Uhrmacher zeigt das Museum.
Cold water runs down from the glacier all year.
Das ganze Jahr fließt kaltes Wasser vom Gletscher herab.
Kaltes Wasser läuft das ganze Jahr vom Gletscher herunter.
Vom Gletscher kommt das ganze Jahr über kaltes Wasser.
The twins share one bicycle and never argue.
Die Zwillinge teilen sich ein Fahrrad und streiten nie.
Die Zwillinge teilen ein Fahrrad und zanken niemals.
Ein einziges Fahrrad teilen sich die Zwillinge ohne Streit.
He wrote the letter with green ink.
Er schrieb den Brief mit grüner Tinte.
Er hat den Brief mit grüner Tinte geschrieben.
Mit Tinte in Grün schrieb er diesen Brief.
Our neighbours keep bees on the flat roof.
Unsere Nachbarn halten Bienen auf dem Flachdach.
Unsere Nachbarn haben Bienen auf dem flachen Dach.
Auf dem Flachdach halten die Nachbarn ihre Bienen.
The doctor told him to sleep longer.
Die Ärztin riet ihm, länger zu schlafen.
Die Ärztin sagte ihm, er solle länger schlafen.
Er soll länger schlafen, riet die Ärztin.
Two ferries cross the wide river at noon.
Zwei Fähren überqueren mittags den breiten Fluss.
Mittags überqueren zwei Fähren den weiten Fluss.
Am Mittag fahren zwei Fähren über den breiten Fluss.
Her violin is older than this house.
Ihre Geige ist älter als dieses Haus.
Ihre Violine ist älter als das Haus.
Diese Geige ist älter als ihr ganzes Haus.
The children built a bridge of wet sand.
Die Kinder bauten eine Brücke aus nassem Sand.
Die Kinder haben aus nassem Sand eine Brücke gebaut.
Aus nassem Sand bauten Kinder sich eine Brücke.
I forgot the umbrella in the waiting room.
Ich habe den Regenschirm im Wartezimmer vergessen.
Ich vergaß meinen Regenschirm im Wartezimmer.
Im Wartezimmer habe ich den Schirm liegen lassen.
The cook tastes every soup before serving it.
Der Koch probiert jede Suppe vor dem Servieren.
Vor dem Servieren kostet der Koch jede Suppe.
Jede Suppe probiert der Koch, bevor er sie serviert.
A grey cat sleeps on the printing press.
Eine graue Katze schläft auf der Druckerpresse.
Auf der Druckerpresse schläft eine graue Katze.
Die graue Katze schläft gerade auf der Presse.
"""
LINES = _CLEAN.splitlines()
SOURCES, REFERENCES, A, B = (LINES[i::4] for i in range(4))


def build(references=REFERENCES, *, sources=SOURCES, **systems: list[str]) -> Testset:
    """Return the clean set with some columns replaced."""
    return Testset.build(references, {"A": A, "B": B, **systems}, sources=sources)


def put(column: list[str], *, at: tuple[int, ...], text: str) -> list[str]:
    """Return a column with another text in some segments, counted from 1."""
    return [text if n in at else old for n, old in enumerate(column, start=1)]


def brief(report: Report) -> list[str]:
    """Return every finding in a line, with the first and the number of segments."""
    return [
        f"{f.severity} {f.kind} {f.where} {list(f.examples[:3])} {f.count}"
        for f in report.findings
    ]


def test_a_clean_set_has_no_findings() -> None:
    assert check(build()).findings == []


def test_a_clean_set_without_sources_or_references_has_no_findings() -> None:
    assert check(Testset.build(REFERENCES, {"A": A})).findings == []
    assert check(Testset.build(None, {"A": A, "B": B})).findings == []
    assert check(Testset.build(REFERENCES)).findings == []


def test_an_empty_set_has_no_findings() -> None:
    assert check(Testset.build([], {"A": []})) == Report(0, [])


def test_empty_segments_of_a_system() -> None:
    report = check(build(A=put(A, at=(3, 7), text=" \u00a0")))
    assert brief(report) == ["warning empty system 'A' [3, 7] 2"]
    assert "segments 3, 7; fill them" in report.findings[0].message


def test_a_segment_without_any_reference_is_an_error() -> None:
    report = check(build(put(REFERENCES, at=(5,), text="")))
    assert brief(report) == ["error empty reference 1 [5] 1"]


def test_an_empty_second_reference_is_a_warning() -> None:
    pairs = list(zip(REFERENCES, put(B, at=(5,), text=""), strict=True))
    report = check(Testset.build(pairs, {"A": A}, sources=SOURCES))
    assert brief(report) == ["warning empty reference 2 [5] 1"]


def test_a_system_that_copies_some_sources() -> None:
    report = check(build(B=[*B[:2], *SOURCES[2:4], *B[4:]]))
    assert brief(report) == ["warning copied-source system 'B' [3, 4] 2"]


def test_a_system_that_is_the_source_is_an_error() -> None:
    report = check(build(B=SOURCES))
    assert brief(report) == ["error copied-source system 'B' [1, 2, 3] 20"]


def test_a_reference_that_is_the_source() -> None:
    report = check(build(SOURCES))
    assert brief(report) == ["error source-as-reference reference 1 [1, 2, 3] 20"]
    report = check(build([*REFERENCES[:8], SOURCES[8], *REFERENCES[9:]]))
    assert brief(report) == ["warning source-as-reference reference 1 [9] 1"]


def test_copies_are_not_a_mistake_where_source_and_target_are_one_language() -> None:
    references = [*A[:2], *REFERENCES[2:]]
    report = check(Testset.build(references, {"B": [*B[:18], *A[18:]]}, sources=A))
    assert report.findings == []


def test_a_system_that_is_the_reference_is_an_error() -> None:
    report = check(build(B=REFERENCES))
    assert brief(report) == ["error identical-to-reference system 'B' [1, 2, 3] 20"]


def test_a_system_that_mostly_is_the_reference() -> None:
    report = check(build(B=[*B[:5], *REFERENCES[5:]]))
    assert brief(report) == ["warning identical-to-reference system 'B' [6, 7, 8] 15"]


def test_identical_systems_are_one_finding() -> None:
    report = check(build(C=A, D=A))
    assert brief(report) == ["warning identical-systems systems 'A', 'C', 'D' [] 20"]


def test_repeated_sources() -> None:
    sources = [*SOURCES[:7], SOURCES[1], *SOURCES[8:]]
    report = check(
        build([*REFERENCES[:7], REFERENCES[1], *REFERENCES[8:]], sources=sources)
    )
    assert brief(report) == ["note duplicates source [8] 1"]
    assert "with the same references" in report.findings[0].message
    report = check(build(sources=sources))
    assert brief(report) == ["note duplicates source [8] 1"]
    assert "with other references" in report.findings[0].message


def test_one_output_for_many_segments() -> None:
    same = put(A, at=(2, 5, 8, 12, 17), text="Das weiß ich leider nicht.")
    assert brief(check(build(A=same))) == ["warning duplicates system 'A' [2, 5, 8] 5"]


@pytest.mark.parametrize("lines", [1, 2, 3])
def test_lines_missing_in_a_system(lines: int) -> None:
    moved = A[:7] + A[7 + lines :] + ["Ende der Datei."] * lines
    report = check(build(A=moved))
    assert brief(report) == [f"error shifted system 'A' [8, 9, 10] {13 - lines}"]
    assert "missing before segment 8" in report.findings[0].message


def test_a_line_too_many_in_a_system() -> None:
    report = check(build(A=[*A[:7], "Noch eine Zeile.", *A[7:-1]]))
    assert brief(report) == ["error shifted system 'A' [9, 10, 11] 12"]
    assert "1 line too many before segment 9" in report.findings[0].message


def test_a_shift_that_ends() -> None:
    report = check(build(A=[*A[:4], *A[5:12], "Noch eine Zeile.", *A[12:]]))
    assert brief(report) == ["error shifted system 'A' [5, 6, 7] 7"]


def test_a_shifted_reference_is_told_from_shifted_systems() -> None:
    report = check(build([*REFERENCES[:7], *REFERENCES[8:], "Ende der Datei."]))
    assert brief(report) == ["error shifted reference 1 [8, 9, 10] 12"]


def test_of_two_texts_the_reference_is_believed() -> None:
    moved = [*A[:7], *A[8:], "Ende der Datei."]
    report = check(Testset.build(REFERENCES, {"A": moved}))
    assert brief(report) == ["error shifted system 'A' [8, 9, 10] 12"]


def test_four_moved_segments_are_not_called_a_shift() -> None:
    moved = [*A[:4], *A[5:9], "Noch eine Zeile.", *A[9:]]
    assert check(build(A=moved)).findings == []


def test_a_system_in_the_language_of_the_source() -> None:
    report = check(build(A=[f"Well, {src.lower()}" for src in SOURCES]))
    assert brief(report) == ["error transposed system 'A' [] 20"]


def test_swapped_source_and_references() -> None:
    report = check(build(SOURCES, sources=REFERENCES))
    assert brief(report) == ["error transposed source [] 20"]


def test_swapped_source_and_system() -> None:
    report = check(build(A=SOURCES, sources=A))
    assert brief(report) == ["error transposed system 'A' [] 20"]
    report = check(Testset.build(REFERENCES, {"A": SOURCES}, sources=A))
    assert brief(report) == ["error transposed reference 1 [] 20"]


def test_references_the_wrong_way_round() -> None:
    report = check(Testset([tuple(REFERENCES), tuple(A)]))
    assert brief(report) == ["error transposed references [] 2"]
    assert "2 segments with 20 references each" in report.findings[0].message
    report = check(Testset([tuple(REFERENCES)]))
    assert brief(report) == ["error transposed references [] 1"]


def test_two_references_the_right_way_round_are_clean() -> None:
    assert check(Testset(list(zip(REFERENCES, A, strict=True)))).findings == []


def test_a_text_in_a_third_language() -> None:
    dutch = ["Deze", "zin", "staat", "hier", "omdat", "niemand", "iets", "anders"]
    other = [" ".join([*dutch[i % 4 :], str(i)]) for i in range(20)]
    report = check(build(A=other))
    assert brief(report) == ["warning language system 'A' [] 20"]


def test_another_script_in_a_segment() -> None:
    report = check(build(A=put(A, at=(6,), text="Поезд к морю уходит в девять.")))
    assert brief(report) == ["warning script system 'A' [6] 1"]
    expected = "mostly Cyrillic letters where the references have Latin"
    assert expected in report.findings[0].message


def test_another_script_throughout_is_an_error() -> None:
    latin, cyrillic = "abcdefghijklmnopqrstuvwxyz", "абцдефгхижклмнопкрстувшхыз"
    table = str.maketrans(latin + "äöüß", cyrillic + "аоус")
    report = check(build(A=[hyp.lower().translate(table) for hyp in A]))
    assert brief(report) == ["error script system 'A' [1, 2, 3] 20"]


def test_names_may_keep_their_script() -> None:
    name = "Экспедиция Северное Сияние"
    columns = (
        put(column, at=(6,), text=f"{name}: {number}")
        for column, number in ((REFERENCES, "neun"), (SOURCES, "nine"), (A, "Nummer 9"))
    )
    references, sources, hyps = columns
    assert check(build(references, sources=sources, A=hyps)).findings == []


def test_lookalike_letters() -> None:
    report = check(build(A=[hyp.replace("Schule", "S\u0441hule") for hyp in A]))
    assert brief(report) == ["warning script system 'A' [4] 1"]
    assert "U+0441" in report.findings[0].message


def tokenise(column: list[str]) -> list[str]:
    return [text.replace(".", " .").replace(",", " ,") for text in column]


def test_tokenised_text_on_one_side() -> None:
    report = check(build(A=tokenise(A)))
    assert brief(report) == ["warning tokenised system 'A' [1, 2, 3] 20"]
    report = check(build(tokenise(REFERENCES)))
    assert brief(report) == ["warning tokenised reference 1 [1, 2, 3] 20"]


def test_tokenised_text_everywhere_is_a_note() -> None:
    report = check(build(tokenise(REFERENCES), A=tokenise(A), B=tokenise(B)))
    assert brief(report) == ["note tokenised reference 1, system 'A', system 'B' [] 20"]


@pytest.mark.parametrize("mark", ["&apos;", "@-@", "Garten@@ haus", "▁Haus"])
def test_escapes_and_pieces_of_words_count_as_tokenised(mark: str) -> None:
    report = check(build(A=[f"{hyp[:-1]} {mark}." for hyp in A]))
    assert brief(report) == ["warning tokenised system 'A' [1, 2, 3] 20"]


@pytest.mark.parametrize(
    "char",
    [*"\u2028\u2029\x85\x0b\x0c\x1c\x1d\x1e\t\r\n\0\u200b\ufeff\ufffd", " ||| "],
)
def test_stray_separators(char: str) -> None:
    report = check(build(B=put(B, at=(11,), text=B[10].replace(" ", char, 1))))
    assert brief(report) == ["warning separators system 'B' [11] 1"]


def test_zero_width_spaces_are_part_of_thai() -> None:
    thai = ["สวัสดี\u200bครับ"]
    assert check(Testset.build(thai), only=["separators"]).findings == []


def test_the_same_finding_in_several_texts_is_one() -> None:
    marked = [["\ufeff" + column[0], *column[1:]] for column in (A, B)]
    report = check(build(A=marked[0], B=marked[1]))
    assert brief(report) == ["warning separators system 'A', system 'B' [1] 1"]


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252"])
def test_mojibake(encoding: str) -> None:
    broken = [hyp.encode().decode(encoding) for hyp in A]
    report = check(build(A=put(A, at=(2,), text=broken[1])))
    assert brief(report) == ["warning encoding system 'A' [2] 1"]
    report = check(build(A=broken), only=["encoding"])
    assert report.findings[0].severity == "error"


def test_letters_before_quotation_marks_are_not_mojibake() -> None:
    texts = ["„Viel Spaß“, sagte er", "ein großes „Ä“ und „Ü“", "NÃO e “Â”"]
    assert check(Testset.build(texts), only=["encoding"]).findings == []


def test_decomposed_letters() -> None:
    decomposed = [unicodedata.normalize("NFD", hyp) for hyp in A]
    report = check(build(A=decomposed))
    count = sum(a != b for a, b in zip(A, decomposed, strict=True))
    assert brief(report) == [f"warning normalisation system 'A' [2, 3, 6] {count}"]


def test_other_quotation_marks_are_a_note() -> None:
    references = [*(f'"{ref}"' for ref in REFERENCES[:4]), *REFERENCES[4:]]
    curly = [*(f"„{hyp}“" for hyp in A[:4]), *A[4:]]
    report = check(build(references, A=curly))
    assert brief(report) == ["note normalisation system 'A' [1, 2, 3] 4"]


def test_odd_lengths() -> None:
    report = check(build(A=[" ".join([A[0], *B[12:16]]), *A[1:]]))
    assert brief(report) == ["warning length system 'A' [1] 1"]


@pytest.mark.parametrize("loop", ["der der der der Koch", "im Haus am See " * 5])
def test_loops(loop: str) -> None:
    report = check(build(A=put(A, at=(19,), text=loop)))
    assert brief(report) == ["warning length system 'A' [19] 1"]
    assert "again and again" in report.findings[0].message
