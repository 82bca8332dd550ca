# SPDX-License-Identifier: Apache-2.0
"""Checkpoints of training: the estimate after an iteration, in one file."""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

import numpy as np

from tertium._files import replace_file
from tertium.errors import FormatError, InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.preorder.grammar.corpus import UnitCorpus
    from tertium.preorder.grammar.estimates import Estimate
    from tertium.preorder.grammar.training import Iteration

__all__ = ["Checkpoint", "fingerprint"]

_PARTS = ("root", "unary", "first", "slot", "value", "totals")
_LISTS = ("splits", "pairs")


def fingerprint(corpus: UnitCorpus, settings: Mapping[str, object]) -> str:
    """Return a hash of what a grammar is trained on, and how.

    The number of iterations is not part of it, so that training can go on.
    """
    same = {name: value for name, value in settings.items() if name != "iterations"}
    out = hashlib.sha256(json.dumps(same, sort_keys=True).encode())
    out.update("\n".join(corpus.texts).encode())
    out.update(corpus.first.tobytes())
    for array in (corpus.rank, corpus.sentence, corpus.weight):
        out.update(array.tobytes())
    return out.hexdigest()


class Checkpoint:
    """A file with the state of training.

    Parameters
    ----------
    path : str or path
    mark : str
        The :func:`fingerprint` of the training.
    """

    def __init__(self, path: str | os.PathLike[str], mark: str) -> None:
        self.path = os.fspath(path)
        self.mark = mark

    def write(
        self, estimate: Estimate, best: Estimate, log: Sequence[Iteration]
    ) -> None:
        """Write the state after an iteration; a stop leaves the last complete file."""
        states = {"": estimate} if best is estimate else {"": estimate, "best_": best}
        header: dict[str, object] = {
            "mark": self.mark,
            "log": [asdict(item) for item in log],
        }
        arrays: dict[str, NDArray[np.generic]] = {}
        for start, state in states.items():
            header |= {start + name: getattr(state, name) for name in _LISTS}
            arrays |= {start + name: getattr(state, name) for name in _PARTS}
        arrays["header"] = np.array(json.dumps(header))
        with replace_file(self.path) as file:
            np.savez(file, **arrays)  # type: ignore[arg-type]

    def read(self, like: Estimate) -> tuple[Estimate, Estimate, list[Iteration]] | None:
        """Return the estimate, the best one and the log; None without a file.

        Parameters
        ----------
        like : Estimate
            The first estimate of the same training.

        Raises
        ------
        InputError
            If the file belongs to other data or settings.
        FormatError
            If it is not a checkpoint.
        """
        from tertium.preorder.grammar.training import Iteration

        if not os.path.exists(self.path):
            return None
        try:
            with np.load(self.path, allow_pickle=False) as file:
                header = json.loads(str(file["header"]))
                arrays = {name: file[name] for name in file.files}
            log = [Iteration(**item) for item in header["log"]]
            mark = header["mark"]
        except (OSError, KeyError, TypeError, ValueError, zipfile.BadZipFile) as error:
            raise FormatError(
                f"this is not a checkpoint of training ({error}); delete it to start "
                "again",
                path=self.path,
            ) from None
        if mark != self.mark:
            raise InputError(
                f"{self.path} is a checkpoint of training with other sentences, links "
                "or settings; use the same ones, or delete it to start again"
            )
        estimate, *best = (
            replace(
                like,
                splits=tuple(header[start + "splits"]),
                pairs=tuple(header[start + "pairs"]),
                **{name: arrays[start + name] for name in _PARTS},
            )
            for start in ("", "best_")
            if f"{start}root" in arrays
        )
        return estimate, best[0] if best else estimate, log
