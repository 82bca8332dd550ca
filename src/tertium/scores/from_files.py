# SPDX-License-Identifier: Apache-2.0
"""Scores in files as metrics: ``scores:file=F``, and the files of ``--scores``."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b
from typing import TYPE_CHECKING, ClassVar

from tertium.cache.fingerprints import fingerprint
from tertium.data.batch import Batch, References
from tertium.errors import InputError, UnknownNameError
from tertium.metrics.settings import Setting, Value, setting
from tertium.scores.lookup import (
    MARK,
    SystemTable,
    find_scores,
    repeat,
    system_scores,
)
from tertium.scores.means import ByMetric, MeanScore

if TYPE_CHECKING:
    from tertium.meta.files.scores import ScoreFile
    from tertium.meta.scores import MetricScores
    from tertium.metrics.base import Rows

__all__ = ["FileScores", "score_metrics"]

_BETWEEN = ";"  # files


class FileScores(MeanScore):
    """Scores of segments from files; the row is (score, 1).

    Parameters
    ----------
    scores : MetricScores, optional
        What the files hold, if they have been read.
    outputs : mapping of str to str
        The file with the outputs of each system, by which programs call systems.
    **values : str
        The settings.
    """

    name = "scores"
    summary = "scores that another program wrote to files, such as COMET's"
    formula = "mean of the scores of segments"
    paper = "that of the metric"
    equal_to = "the mean of the scores in the files"
    cost = "reading the files once"
    empty = (
        "0 for an empty corpus; a segment whose score is undefined (n/a) is left out"
    )
    example = "scores:file=demo"
    higher_is_better = ByMetric(True, lambda metric: metric.rises())
    needs_names = True
    needs_references = False
    uses_references = False
    copy_exception = "it does not see the texts"

    file: str = setting(
        "",
        "the file, or several with ; between them; SYSTEM=FILE where a file has the "
        "scores of one system; `demo` makes scores up",
        external=True,
    )
    higher: str = setting(
        "auto",
        "whether higher is better; auto: unless the file says no, or the name is that "
        "of an error metric (MetricX, TER, WER) and the mean is not negative",
        choices=("auto", "yes", "no"),
    )
    # `name` is an attribute of every metric, so this setting cannot be one.
    settings: ClassVar[dict[str, Setting]]

    def __init__(
        self,
        *,
        scores: MetricScores | None = None,
        outputs: Mapping[str, str] | None = None,
        **values: Value,
    ) -> None:
        self.called = str(values.pop("name", "") or "")
        for key in values:
            if key not in _DECLARED:
                raise UnknownNameError("setting of scores", key, self.settings)
        for key, declared in _DECLARED.items():
            value = values.get(key, declared.default)
            setattr(self, key, declared.read(value, "scores"))
        self._scores = scores
        self._outputs = dict(outputs or {})
        self._tables: dict[tuple[str, ...], SystemTable] = {}
        self._used: set[str] = set()
        self._restart = False

    @property
    def spec(self) -> str:
        """The spec string that makes this metric."""
        values = {"file": self.file, "name": self.called}
        if self.higher != "auto":
            values["higher"] = self.higher
        return "scores:" + ",".join(f"{k}={v}" for k, v in values.items() if v)

    @property
    def label(self) -> str:
        """The name of the metric: the user's, or that in the file."""
        return self.called or self.scores.name

    @property
    def scores(self) -> MetricScores:
        """What the files hold of the metric."""
        if self._scores is None:
            self._scores = self._read()
        return self._scores

    def rises(self) -> bool:
        """As the setting says, or the file, or the name of a known metric."""
        if self.higher != "auto":
            return self.higher == "yes"
        if not self.scores.higher_is_better:
            return False
        from tertium.meta.files.direction import seem_to_fall

        by_system = self.scores.segment.values()
        values = (score for table in by_system for score in table.values())
        return not seem_to_fall(self.called, values)

    def statistics(
        self, hyps: Sequence[str], refs: References, *, threads: int | None = None
    ) -> Rows:
        """Raise an error, unless there are no texts: these have no names."""
        return self.rows(self.checked([hyps], refs), threads=threads)[0]

    def rows(self, batch: Batch, *, threads: int | None = None) -> list[Rows]:  # noqa: ARG002
        """Return score and weight of every segment, by system."""
        import numpy as np

        self.extra_inputs(batch)
        out = []
        for name in batch.names or [""] * len(batch.systems):
            values = self._values(batch, name) if len(batch) else []
            out.append(
                np.array(
                    [(0.0, 0.0) if x is None else (x, 1.0) for x in values],
                    dtype=np.float64,
                ).reshape(-1, 2)
            )
        return out

    def check_size(self, segments: int) -> None:
        """Raise an error if a file has not as many segments as the test set.

        Of a larger test set, scores can only be found by names.
        """
        if self.file == "demo":
            return
        every = {name: SystemTable(self.scores, name) for name in self.scores.segment}
        for system, table in every.items():
            if table.numbered and table.size > segments:
                raise InputError(
                    f"{self.file} has {table.size:,} {self.label} scores of {system}, "
                    f"and the test set {segments:,} segments; give scores of this test "
                    "set"
                )
        # Other processes may have looked them up.
        used = self._tables.values() or [max(every.values(), key=lambda x: x.size)]
        least = min(table.size for table in used)
        if least < segments:
            raise InputError(
                f"{self.file} has {least:,} {self.label} scores of a system, and the "
                f"test set {segments:,} segments, some of which have the same id; name "
                "them DOCUMENT/ID in the file"
            )

    def unused_systems(self) -> list[str]:
        """Return the systems of the files that no test set was scored for."""
        if not self._used:  # Other processes have looked scores up, or it is a demo.
            return []
        return [name for name in self.scores.segment if name not in self._used]

    def signature_fields(self) -> dict[str, str]:
        """Return the name, the direction and a hash of the files."""
        content = [fingerprint(file.path) or "" for file in self._files()]
        digest = blake2b("".join(content).encode(), digest_size=4).hexdigest()
        return {
            "scores": re.sub("[|:]", "_", self.label),
            "higher": "yes" if self.higher_is_better else "no",
            "file": "demo" if self.file == "demo" else digest,
        }

    def for_outputs(self, outputs: Mapping[str, str]) -> FileScores:
        """Return the metric for systems whose outputs are in these files."""
        values = {"file": self.file, "higher": self.higher, "name": self.called}
        return FileScores(**values, scores=self._scores, outputs=outputs)

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        """Pickle with the scores: another machine may not have the files."""
        values = {"file": self.file, "higher": self.higher, "name": self.called}
        return _restored, (values, self.scores, self._outputs)

    def _values(self, batch: Batch, name: str) -> Sequence[float | None]:
        if self.file == "demo":
            return [_made_up(name, _key(batch, at)) for at in range(len(batch))]
        names = batch.names or [name]
        key = (name, *names)
        table = self._tables.get(key)
        if table is None:
            system = system_scores(self.scores, name, names, self._outputs, self.file)
            table = SystemTable(self.scores, system)
            self._tables[key] = table
            self._used.add(system)
        self._restart |= repeat(batch.ids)
        return find_scores(table, batch, name, self.file, restart=self._restart)

    def _files(self) -> list[ScoreFile]:
        from tertium.meta.files.scores import score_file

        if not self.file:
            raise InputError(
                "scores needs a file; write scores:file=FILE", options=("scores",)
            )
        if self.file == "demo":
            return []
        return [score_file(item) for item in self.file.split(_BETWEEN)]

    def _read(self) -> MetricScores:
        from tertium.meta.files.scores import read_scores
        from tertium.meta.scores import MetricScores

        if self.file == "demo":
            return MetricScores("demo")
        known = read_scores(self._files(), position_mark=MARK, whole_paths=True)
        if len(known) > 1 and self.called:
            matches = [each for each in known if each.name == self.called]
            known = matches or known
        names = [each.name for each in known]
        if len(known) > 1:
            choices = ", ".join(dict.fromkeys(names))
            raise InputError(
                f"{self.file} has scores of several metrics or language pairs "
                f"({choices}); choose one as scores:file={self.file},name={names[0]}"
            )
        return known[0]


_DECLARED = dict(FileScores.settings)
FileScores.settings = {
    **_DECLARED,
    "name": Setting(
        "",
        "the name in tables; of a file with several metrics, the one to use",
    ),
}


def score_metrics(
    files: Iterable[str | os.PathLike[str]],
    *,
    outputs: Mapping[str, str] | None = None,
    langpair: str | None = None,
    lower_is_better: Iterable[str] = (),
    higher_is_better: Iterable[str] = (),
) -> list[FileScores]:
    r"""Return metrics whose scores are in files, for all that takes metrics.

    Parameters
    ----------
    files : iterable of paths
        In the formats of :func:`tertium.meta.read_scores`; ``SYSTEM=FILE`` for a file
        with the scores of one system, whatever the file calls it.
    outputs : mapping of str to str
        The file with the outputs of each system, where it is known: programs such as
        COMET call a system by its file.
    langpair : str, optional
        Use this language pair only.
    lower_is_better : iterable of str
        Metrics whose scores fall with quality.
    higher_is_better : iterable of str
        Metrics whose scores rise with quality, whatever their name or file says.

    Raises
    ------
    FormatError
        When a file is not understood; with the line.
    InputError
        When files have no scores of segments, or a metric is said to fall and to rise.

    Examples
    --------
    >>> import tempfile, pathlib, tertium
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "a.comet")
    ...     _ = file.write_text("0.75\n0.25\n")
    ...     metrics = score_metrics([file])
    >>> tertium.score(["a cat", "a dog"], ["a cat", "the dog"], metrics=metrics)
    system   comet
    system  0.5000
    """
    from tertium.meta.files.direction import check_directions
    from tertium.meta.files.scores import read_scores, score_file

    lower_is_better, higher_is_better = list(lower_is_better), list(higher_is_better)
    check_directions(lower_is_better, higher_is_better)
    listed = [score_file(file) for file in files]
    metrics: list[FileScores] = []
    by_files: dict[tuple[ScoreFile, ...], None] = {}
    # Files of one system each belong together.
    single = tuple(file for file in listed if file.system is not None)
    for file in listed:
        by_files[single if file.system is not None else (file,)] = None
    directions = {
        **dict.fromkeys(lower_is_better, "no"),
        **dict.fromkeys(higher_is_better, "yes"),
    }
    for group in by_files:
        known = read_scores(
            group, langpair=langpair, position_mark=MARK, whole_paths=True
        )
        names = Counter(each.name for each in known)
        text = _BETWEEN.join(
            f"{file.system}={file.path}" if file.system else file.path for file in group
        )
        if "," in text:
            message = f"{text}: a comma in the name of a score file; rename the file"
            raise InputError(message, options=("scores",))
        for each in known:
            if names[each.name] > 1:
                message = f"{text} has several language pairs; choose one"
                raise InputError(message, options=("langpair",))
            if not each.segment:
                raise InputError(
                    f"{text} has scores of whole systems only, and tests are made of "
                    "segment scores; give these, or use `tertium correlate`",
                    options=("scores",),
                )
            higher = directions.get(each.name, "auto")
            name = each.name if len(known) > 1 else ""
            metrics.append(
                FileScores(
                    file=text, name=name, higher=higher, scores=each, outputs=outputs
                )
            )
    unknown = set(directions) - {metric.label for metric in metrics}
    if unknown:
        raise UnknownNameError(
            "metric of scores", sorted(unknown)[0], [metric.label for metric in metrics]
        )
    return metrics


def _restored(
    values: Mapping[str, str], scores: MetricScores, outputs: Mapping[str, str]
) -> FileScores:
    plain = replace(scores, undefined={k: set(v) for k, v in scores.undefined.items()})
    return FileScores(**values, scores=plain, outputs=outputs)


def _key(batch: Batch, at: int) -> str:
    return str(batch.numbers[at] + 1) if batch.ids is None else batch.ids[at]


def _made_up(system: str, segment: str) -> float:
    """Return a number between 0 and 1 that follows from names alone."""

    def share(text: str) -> float:
        value = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
        return int.from_bytes(value, "big") / 2**64

    return 0.25 * share(system) + 0.75 * share(f"{system}\n{segment}")
