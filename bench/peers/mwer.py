# SPDX-License-Identifier: Apache-2.0
"""Resegmentation against mweralign: edits, recovered boundaries, and speed.

    python -m bench mwer [--model FILE] [--runs N] [--write]

mweralign (Post and Hoang 2025) descends from mwerSegmenter (Matusov et al. 2005). It
runs in the Python that TERTIUM_MWERALIGN names:

    make build/mweralign/.ready
    TERTIUM_MWERALIGN=build/mweralign/bin/python python -m bench mwer --write

Texts are outputs of WMT15, WMT23, WMT25 and WMT26 (`TERTIUM_DATA`), or of the demo set
if they are not there. --model is a SentencePiece model for mweralign, such as the
spm32k that it downloads by default; without it, one is learnt from the references.
With --write the tables go to bench/MWER.md.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

import tertium
from bench.measure import ROOT, cpu, processor
from bench.studies.beer_report import table
from bench.studies.resegmentation import share, shuffled
from tertium.data.segmentation import read_documents, resegment
from tertium.data.segmentation.units import units_of
from tertium.meta.files.mtme import read_mtme

DATA = Path(os.environ.get("TERTIUM_DATA", ROOT.parent / "shared" / "data"))
PAGE = ROOT / "bench" / "MWER.md"
PIECES = 8000  # of the model that is learnt; mweralign's own have 32,000
_TAG = re.compile(r"</?p>")


@dataclass(frozen=True)
class Task:
    """An output whose lines are known, and a reference with equally many.

    Parameters
    ----------
    system : str
    refs, truth : list of str
        Lines with single spaces between words; the truth is the output as it was.
    docs : list of str
        The document of every line; documents are in one piece.
    second : list of str
        A second reference, or nothing.
    """

    system: str
    refs: list[str]
    truth: list[str]
    docs: list[str]
    second: tuple[str, ...] = ()

    def documents(self, texts: Sequence[str]) -> list[list[str]]:
        """Return texts, one per line, by document."""
        members: dict[str, list[str]] = {}
        for text, doc in zip(texts, self.docs, strict=True):
            members.setdefault(doc, []).append(text)
        return list(members.values())

    def joined(self) -> list[str]:
        """Return every document of the output as one line."""
        return [
            " ".join(" ".join(lines).split()) for lines in self.documents(self.truth)
        ]

    def as_one(self) -> Task:
        """Return the task with all text as one document."""
        return Task(self.system, self.refs, self.truth, [""] * len(self.refs))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench mwer")
    parser.add_argument("--model", metavar="FILE", help="a SentencePiece model")
    parser.add_argument("--runs", type=int, default=3, metavar="N")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    text = page(options.model, options.runs)
    print(text, end="")
    if options.write:
        PAGE.write_text(text, encoding="utf-8")


def ask(
    tasks: Sequence[Task],
    *,
    pieces: dict[str, object] | None = None,
    edits: bool = False,
    runs: int = 1,
) -> dict[str, Any]:
    """Return what mweralign answers; stop if it is not there.

    Parameters
    ----------
    tasks : sequence of Task
    pieces : dict, optional
        The SentencePiece model: `path`, or `texts` and `size`.
    edits : bool
        Words are lower-cased, a second reference counts, and edits are returned.
    runs : int
    """
    python = os.environ.get("TERTIUM_MWERALIGN", sys.executable)
    jobs = []
    for task in tasks:
        refs, hyps = task.documents(task.refs), task.joined()
        if edits and task.second:
            pairs = zip(refs, task.documents(task.second), strict=True)
            refs = [[f"{a} ### {b}" for a, b in zip(*p, strict=True)] for p in pairs]
        if edits:
            refs = [[line.lower() for line in lines] for lines in refs]
            hyps = [text.lower() for text in hyps]
        jobs.append(
            {"refs": refs, "hyps": hyps, "edits": edits, "pieces": pieces is not None}
        )
    done = subprocess.run(
        [python, str(Path(__file__).with_name("mwer_peer.py"))],
        input=json.dumps({"jobs": jobs, "pieces": pieces, "runs": runs}),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"mweralign failed with exit code {done.returncode}")
    answer: dict[str, Any] = json.loads(done.stdout)
    if "missing" in answer:
        sys.exit(f"no mweralign ({answer['missing']}); set TERTIUM_MWERALIGN")
    return answer


def own_edits(task: Task) -> list[int]:
    """Return Tertium's edits of every document, words lower-cased, all references."""
    columns = [task.refs, *([task.second] if task.second else [])]
    result = resegment(
        list(
            zip(*([text.lower() for text in column] for column in columns), strict=True)
        ),
        [text.lower() for text in task.joined()],
        docs=task.docs,
        output_docs=list(dict.fromkeys(task.docs)),
        exact=True,
        always=True,
    )
    edits = [str(segment.edits) for segment in result.segments]
    return [sum(map(int, part)) for part in task.documents(edits)]


def spaced(task: Task) -> list[bool]:
    """Return for every document whether words are what is between spaces.

    Tertium also cuts between characters of Japanese and other scripts without spaces.
    """
    return [
        len(units_of([text], exact=True)) == len(text.split())
        for text in (
            " ".join([*refs, hyp])
            for refs, hyp in zip(task.documents(task.refs), task.joined(), strict=True)
        )
    ]


def read_tasks() -> dict[str, list[Task]]:
    """Return the tasks of every test set, by its name."""
    if not (DATA / "wmt23-mtme").exists():
        demo = tertium.read("demo")
        return {"the demo set": _tasks(demo, demo.docs or [])}
    wmt15 = tertium.read(DATA / "wmt15" / "de-en.tsv.gz")
    wmt23 = read_mtme(DATA / "wmt23-mtme", "en-de").testset
    return {
        "WMT15 de-en": _tasks(wmt15, [str(k // 10) for k in range(len(wmt15))]),
        "WMT23 en-de": _tasks(wmt23, wmt23.docs or []),
        "WMT25 en-is": _mutual("wmt25", "AMI", "Erlendur"),
        "WMT26 en-be": _mutual("wmt26", "Krosny", "ReMova"),
    }


def _tasks(testset: tertium.Testset, docs: Sequence[str]) -> list[Task]:
    """Return all systems of a test set; without copies of references."""
    columns = list(zip(*testset.references, strict=True))
    first, *others = ([_plain(text) for text in column] for column in columns)
    return [
        Task(name, first, truth, list(docs), tuple(others[0]) if others else ())
        for name, hyps in testset.systems.items()
        if (truth := [_plain(hyp) for hyp in hyps]) not in (first, *others)
    ]


def _mutual(year: str, *names: str) -> list[Task]:
    """Return two systems, each with the other as reference.

    Only documents with equally many paragraphs, as others have no known boundaries;
    tags are removed, as they would give boundaries away.
    """
    texts = [
        read_documents(DATA / "formats" / f"{year}.system.{name}.jsonl.gz")
        for name in names
    ]
    parts = [Task("", text.lines, text.lines, list(text.docs or [])) for text in texts]
    lines: list[list[str]] = [[], []]
    docs: list[str] = []
    for doc, one, other in zip(
        dict.fromkeys(parts[0].docs),
        *(_by_id(part, dict.fromkeys(parts[0].docs)) for part in parts),
        strict=True,
    ):
        if len(one) == len(other) > 1:
            docs += [doc] * len(one)
            for column, texts_ in zip(lines, (one, other), strict=True):
                column += [_plain(_TAG.sub("", text)) for text in texts_]
    a, b = lines
    return [Task(names[0], b, a, docs), Task(names[1], a, b, docs)]


def _by_id(part: Task, names: Sequence[str] | dict[str, None]) -> list[list[str]]:
    by_id = dict(zip(dict.fromkeys(part.docs), part.documents(part.truth), strict=True))
    return [by_id[name] for name in names]


def _plain(text: str) -> str:
    return " ".join(text.split())


@dataclass
class Tally:
    """Recovered lines, boundaries and characters of several outputs."""

    lines: int = 0
    right: int = 0
    boundaries: int = 0
    right_boundaries: int = 0
    characters: int = 0
    right_characters: int = 0
    off: float = 0.0
    outputs: int = 0

    def add(self, task: Task, texts: Sequence[str]) -> None:
        """Count one output that was cut; spaces do not matter."""
        bleu = tertium.metric("bleu")
        refs = [(ref,) for ref in task.refs]
        self.off += abs(
            bleu.corpus_score(list(map(_plain, texts)), refs)
            - bleu.corpus_score(task.truth, refs)
        )
        self.outputs += 1
        for truth, cut in zip(
            task.documents(task.truth), task.documents(texts), strict=True
        ):
            ends, cuts = (
                [0, *accumulate(len("".join(text.split())) for text in lines)]
                for lines in (truth, cut)
            )
            if ends[-1] != cuts[-1]:
                sys.exit(f"characters of {task.system} were lost: {ends} {cuts}")
            spans = list(zip(pairwise(ends), pairwise(cuts), strict=True))
            self.lines += len(spans)
            self.right += sum(one == other for one, other in spans)
            self.boundaries += len(spans) - 1
            self.right_boundaries += sum(
                end == cut for end, cut in zip(ends[1:-1], cuts[1:-1], strict=True)
            )
            self.characters += ends[-1]
            self.right_characters += sum(
                max(0, min(a[1], b[1]) - max(a[0], b[0])) for a, b in spans
            )

    def cells(self) -> list[str]:
        """Return the figures of a row."""
        return [
            share(self.right, self.lines),
            share(self.right_boundaries, self.boundaries),
            share(self.right_characters, self.characters),
            f"{self.off / self.outputs:.2f}",
        ]


def page(model: str | None, runs: int) -> str:
    """Return the page."""
    sets = read_tasks()
    learnt = {"path": model or "", "size": PIECES, "texts": []}
    if not model:
        texts = {ref: None for tasks in sets.values() for t in tasks for ref in t.refs}
        learnt["texts"] = list(texts)
    parts = [_edits_table(sets)]
    parts.append(_quality_table(sets, learnt))
    parts.append(_speed_table(sets, learnt, runs))
    version = ask([])["version"]
    pieces = (
        f"of the model {Path(model).name}"
        if model
        else f"of a SentencePiece model of\n{PIECES:,} pieces, which changes no "
        "character, learnt from the references of all test sets\n(which in WMT25 and "
        "WMT26 are outputs too). mweralign recommends models that it downloads,\nof "
        "32,000 pieces and more, which may do better; `--model` takes one"
    )
    return HEAD.format(
        version=version,
        date=time.strftime("%Y-%m-%d"),
        python=platform.python_version(),
        cpu=cpu(),
        pieces=pieces,
        edits=parts[0],
        quality=parts[1],
        speed=parts[2],
        runs=runs,
    )


def _edits_table(sets: dict[str, list[Task]]) -> str:
    rows = []
    for name, tasks in sets.items():
        answers = ask(tasks, edits=True)["answers"]
        compared = [
            each
            for task, answer in zip(tasks, answers, strict=True)
            for each in zip(own_edits(task), answer["edits"], spaced(task), strict=True)
        ]
        pairs = [(mine, theirs) for mine, theirs, same in compared if same]
        rows.append(
            [
                name,
                str(2 if tasks[0].second else 1),
                f"{len(tasks)}",
                f"{len(pairs):,}",
                f"{len(compared) - len(pairs)}",
                f"{sum(a for a, _ in pairs):,}",
                f"{sum(b for _, b in pairs):,}",
                f"{sum(a != b for a, b in pairs)}",
            ]
        )
    head = ["test set", "references", "outputs", "documents", "left out"]
    return table([*head, "edits, Tertium", "edits, mweralign", "differ"], rows)


def _cut(task: Task, **settings: Any) -> list[str]:
    lines, docs = task.joined(), list(dict.fromkeys(task.docs))
    if settings.get("by") == "similarity":
        lines, docs = shuffled(task.truth, task.docs)
    result = resegment(
        task.refs,
        lines,
        docs=task.docs,
        output_docs=docs,
        always=True,
        threads=1,
        **settings,
    )
    return result.texts


def _quality_table(sets: dict[str, list[Task]], learnt: dict[str, Any]) -> str:
    rows = []
    for name, tasks in sets.items():
        ways: dict[str, list[list[str]]] = {
            "Tertium": [_cut(task) for task in tasks],
            "Tertium, `--exact`": [_cut(task, exact=True) for task in tasks],
        }
        for label, pieces in (("words", None), ("pieces", learnt)):
            ways[f"mweralign, {label}"] = [
                [line for lines in answer["lines"] for line in lines]
                for answer in ask(tasks, pieces=pieces)["answers"]
            ]
        ways["Tertium, `--by similarity`"] = [
            _cut(task, by="similarity") for task in tasks
        ]
        for way, outputs in ways.items():
            tally = Tally()
            for task, texts in zip(tasks, outputs, strict=True):
                tally.add(task, texts)
            rows.append([f"{name}: {way}", *tally.cells()])
    head = ["test set: cut by", "lines right", "boundaries right"]
    return table([*head, "text in its line", "BLEU off by"], rows)


def _speed_table(sets: dict[str, list[Task]], learnt: dict[str, Any], runs: int) -> str:
    rows = []
    jobs = {f"{name}, documents": tasks for name, tasks in sets.items()}
    name, tasks = next((n, t) for n, t in reversed(sets.items()) if len(t) > 2)
    jobs[f"{name}, one output as one text"] = [tasks[0].as_one()]
    for label, some in jobs.items():
        mine = processor(lambda some=some: [_cut(task) for task in some], runs)
        words, pieces = (
            sum(a["seconds"] for a in ask(some, pieces=p, runs=runs)["answers"])
            for p in (None, learnt)
        )
        rows.append(
            [
                label,
                f"{sum(len(text.split()) for t in some for text in t.truth):,}",
                *(f"{seconds:.2f}" for seconds in (mine, words, pieces)),
                *(f"{seconds / mine:.2f}x" for seconds in (words, pieces)),
            ]
        )
    head = ["job", "words", "Tertium, s", "mweralign words, s", "mweralign pieces, s"]
    return table([*head, "words / Tertium", "pieces / Tertium"], rows)


HEAD = """\
# Resegmentation beside mweralign

Written by `python -m bench mwer --write` on {date}: Python {python}, {cpu}, mweralign
{version} from PyPI (Post and Hoang 2025), the installable descendant of mwerSegmenter
(Matusov et al. 2005). References and outputs are those of WMT; documents of WMT25 and
WMT26 have no references here, so that each of two systems is cut into the paragraphs of
the other, where both have equally many. Documents of WMT15 are ten lines each.

## Edits

Both minimise the sum of word edits. Here both compare the same lower-cased words
(`exact=True`), one document at a time. Documents with words of Japanese or another
script without spaces are left out, as Tertium cuts between their characters too. The
last column counts documents whose edits differ.

{edits}
## Boundaries

All line breaks of the outputs are removed, and the lines are known. mweralign compares
words between spaces, lower-cased, or the pieces {pieces}.

Tertium ignores case and the punctuation around words, and of equally good cuts takes
one where a sentence ends. `--by similarity` has more to go on: one in five line breaks
is lost, and one in five lines is cut in two, but the others are there. mweralign does
not look at them.

- *lines right*: both ends are where they were.
- *boundaries right*: of those inside documents.
- *text in its line*: the share of characters.
- *BLEU off by*: mean difference from the BLEU of the output as it was.

{quality}
## Speed

One thread, processor time, best of {runs}, from texts to lines. mweralign's time with
pieces includes cutting words into them; Tertium's includes how certain each line is.

{speed}"""

if __name__ == "__main__":
    main()
