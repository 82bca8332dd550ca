# SPDX-License-Identifier: Apache-2.0
"""A recorded run as a paragraph for the methods section, with its bibliography."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tertium._messages import count
from tertium._version import __version__, __year__
from tertium.records.describing import describe, listed
from tertium.records.run import Json, Run

if TYPE_CHECKING:
    from tertium.metrics.papers import Paper

__all__ = ["Citation", "cite"]

_TESTS = {
    "bootstrap": ("paired bootstrap resampling", "resamples"),
    "randomisation": ("paired approximate randomisation", "random assignments"),
}
_SCORING = ("score", "compare", "report")
_CORRECTIONS = {"holm": "Holm's method", "bh": "the Benjamini-Hochberg procedure"}


@dataclass(frozen=True)
class Citation:
    """How to describe and cite a run.

    Attributes
    ----------
    text : str
        The paragraph.
    bibtex : mapping of str to str
        Entries by key, Tertium's own first.
    """

    text: str
    bibtex: Mapping[str, str]

    def to_dict(self) -> dict[str, Json]:
        """Return the object that ``tertium cite -f json`` prints."""
        return {
            "tertium": __version__,
            "text": self.text,
            "bibtex": dict(self.bibtex),
        }


def cite(run: Run, *, name: str = "run.json") -> Citation:
    """Return a paragraph about a run, and BibTeX for all it mentions.

    Parameters
    ----------
    run : Run
    name : str
        What the file of the record is called.
    """
    writer = _Writer(run)
    sentences = [*writer.sentences(), *writer.signatures(), writer.repetition(name)]
    software = {"tertium": _software(run)}
    cited = {paper.key: paper.bibtex for paper in writer.papers.values()}
    return Citation(" ".join(sentences), {**software, **cited})


class _Writer:
    """Writes sentences about a run, and collects whom they cite."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.data = run.results.data if isinstance(run.results.data, dict) else {}
        self.papers: dict[str, Paper] = {}

    def sentences(self) -> Iterable[str]:
        """Yield what was done."""
        if self.run.verb in _SCORING:
            yield self._scoring()
            if self.run.verb != "score":
                yield from self._testing()
            else:
                yield from self._intervals()
        elif self.run.verb == "correlate" and self.run.options.get("spans"):
            yield self._spans()
        elif self.run.verb == "correlate":
            yield self._correlation()
        elif (described := describe(self)) is not None:
            yield described
        else:
            command = shlex.join(["tertium", *_shown(self.run.command)])
            yield f"We used {self.tool()} with the command `{command}`."
        if self.run.seed is not None and self._random():
            yield f"The seed of the random number generator was {self.run.seed}."

    def _scoring(self) -> str:
        systems = self._inner("scores", "systems") or self._inner("systems")
        what = count(len(systems), "system") if systems else "systems"
        segments = self.run.facts.get("segments")
        size = f" on {count(segments, 'segment')}" if isinstance(segments, int) else ""
        fields = [_fields(text) for _, text in self._signatures()]
        hashes = sorted({each["data"] for each in fields if "data" in each})
        data = f" (data hash {', '.join(hashes)})" if hashes else ""
        numbers = sorted({each["nrefs"] for each in fields if "nrefs" in each})
        refs = ""
        if numbers == ["1"]:
            refs = " against one reference per segment"
        elif len(numbers) == 1 and numbers[0].isdigit():
            refs = f" against {numbers[0]} references per segment"
        return (
            f"We scored {what}{size}{data}{refs} with {self.tool()}, using "
            f"{listed(self.metrics())}."
        )

    def _testing(self) -> Iterable[str]:
        how = self._inner("run")
        test, unit = _TESTS.get(str(how.get("test")), ("a paired test", "resamples"))
        resamples = how.get("resamples")
        if how.get("exact"):
            test = f"{test}, which was exact"
        elif isinstance(resamples, int):
            test = f"{test}{self.cited(str(how.get('test')))} with {resamples:,} {unit}"
        whole = " of whole documents" if how.get("units") == "documents" else ""
        correction = str(how.get("correction"))
        corrected = ""
        if correction in _CORRECTIONS:
            corrected = (
                "; p-values were corrected for multiple comparisons by "
                f"{_CORRECTIONS[correction]}{self.cited(correction)}"
            )
        yield f"Differences between systems were tested by {test}{whole}{corrected}."
        if isinstance(alpha := how.get("alpha"), float):
            yield f"We call a difference significant if its p-value is below {alpha:g}."

    def _intervals(self) -> Iterable[str]:
        level = self.run.options.get("interval")
        fields = [_fields(text) for _, text in self._signatures()]
        resamples = next((each["bs"] for each in fields if "bs" in each), "")
        if isinstance(level, float) and resamples.isdigit():
            units = "documents" if self.run.options.get("documents") else "segments"
            yield (
                f"Confidence intervals ({100 * level:g} %) are percentiles of "
                f"{int(resamples):,} bootstrap resamples of {units}"
                f"{self.cited('bootstrap')}."
            )

    def _correlation(self) -> str:
        coefficients = self._inner("coefficients") or self.run.options.get("coef")
        names = list(coefficients) if isinstance(coefficients, (dict, list)) else []
        by = f" by {listed([str(name) for name in names])}" if names else ""
        metrics = self.metrics()
        what = listed(metrics) if metrics else "metric scores"
        hashes = sorted({str(each) for each in self._inner("data").values()})
        data = f" (data hash {', '.join(hashes)})" if hashes else ""
        return (
            f"We correlated {what} with human judgements{data}{by}, with {self.tool()}."
        )

    def _spans(self) -> str:
        outputs, segments = self.data.get("outputs"), self.data.get("segments")
        size = ""
        if isinstance(outputs, int) and isinstance(segments, int):
            size = f" on {count(outputs, 'output')} of {count(segments, 'segment')}"
        resamples = self._inner("run").get("resamples")
        how = ""
        if isinstance(resamples, int) and resamples:
            how = f"; confidence intervals are from {resamples:,} resamples of segments"
        return (
            f"We compared predicted error spans with human ones{size}, with "
            f"{self.tool()}{how}."
        )

    def signatures(self) -> Iterable[str]:
        """Yield the signatures of all metrics."""
        listed = [f"{label}: {text}" for label, text in self._signatures()]
        if listed:
            yield f"Signatures are {'; '.join(listed)}."

    def repetition(self, name: str) -> str:
        """Return how to repeat the run."""
        return f"The run is recorded in {name} and repeated by `tertium repeat {name}`."

    def _random(self) -> bool:
        fields = [_fields(text) for _, text in self._signatures()]
        if self.run.verb in _SCORING:
            return any("seed" in each for each in fields)
        if self.run.verb == "mbr":
            return self.run.options.get("prune") is not None
        return True

    def tool(self) -> str:
        """Return Tertium with its version."""
        version = self.run.versions.get("tertium", "")
        return f"Tertium {version} (The Tertium developers, {_year(self.run)})"

    def metrics(self) -> list[str]:
        """Return the metrics by their names, with whom to cite."""
        specs = self.run.options.get("metrics") or ()
        specs = [*self._used()] or (specs if isinstance(specs, list) else [])
        return [f"{_label(str(spec))}{self._cite_metric(str(spec))}" for spec in specs]

    def _signatures(self) -> list[tuple[str, str]]:
        return [
            (_label(spec), str(info["signature"]))
            for spec, info in self._used().items()
            if isinstance(info, dict) and "signature" in info
        ]

    def _used(self) -> dict[str, Json]:
        """Return what is known about metrics by spec: from the result, or as noted."""
        noted = self.run.facts.get("metrics")
        return self._inner("metrics") or (noted if isinstance(noted, dict) else {})

    def _inner(self, *keys: str) -> dict[str, Json]:
        """Return an object within the result; empty if it is not there."""
        value: Json = self.data
        for key in keys:
            value = value.get(key) if isinstance(value, dict) else None
        return value if isinstance(value, dict) else {}

    def _cite_metric(self, spec: str) -> str:
        from tertium.metrics.papers import METHODS, PAPERS

        name, _, body = spec.partition(":")
        keys = list(PAPERS.get(name, ()))
        keys += [
            key
            for setting in body.split(",")
            if setting in METHODS and "=" in setting
            for key in METHODS[setting]
        ]
        return self._cited(keys)

    def cited(self, method: str) -> str:
        """Return whom to cite for a method, in brackets; empty if there is nobody."""
        from tertium.metrics.papers import METHODS

        return self._cited(METHODS.get(method, ()))

    def _cited(self, keys: Sequence[str]) -> str:
        from tertium.metrics.papers import papers

        cited = [papers()[key] for key in keys]
        self.papers |= {paper.key: paper for paper in cited}
        return f" ({'; '.join(paper.short for paper in cited)})" if cited else ""


def _label(spec: str) -> str:
    """Return the name that people write for a metric; the spec if it is unknown."""
    from tertium.errors import TertiumError
    from tertium.metrics import metric_class

    name, colon, body = spec.partition(":")
    try:
        cls = metric_class(name)
        label = cls().label if not cls.example else cls.name
    except (TertiumError, TypeError):
        return spec
    return f"{label} ({body})" if colon else label


def _fields(signature: str) -> dict[str, str]:
    return dict(part.split(":", 1) for part in signature.split("|") if ":" in part)


def _shown(command: Sequence[str]) -> list[str]:
    """Return a command without the option for the record."""
    words = list(command)
    if "--record" in words:
        place = words.index("--record")
        del words[place : place + 2]
    return [word for word in words if not word.startswith("--record=")]


def _year(run: Run) -> str:
    """Return the year of the version; of another version, that of the run."""
    if run.versions.get("tertium") == __version__:
        return __year__
    year = run.started[:4]
    return year if year.isdigit() else "n.d."


def _software(run: Run) -> str:
    version = run.versions.get("tertium", "")
    return (
        "@software{tertium,\n"
        "  author = {{The Tertium developers}},\n"
        "  title = {Tertium: evaluation of machine translation and of its metrics},\n"
        f"  version = {{{version}}},\n"
        "  license = {Apache-2.0},\n"
        f"  year = {{{_year(run)}}}\n"
        "}"
    )
