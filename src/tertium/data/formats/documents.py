# SPDX-License-Identifier: Apache-2.0
"""What the two WMT formats share: runs of segments of one document.

Both name a segment by its document and its id there. Layers that do not change
inside a document are attributes of the document, such as ``origlang``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from tertium._messages import quote
from tertium.data.testset import Testset
from tertium.errors import InputError

__all__ = ["Run", "languages", "layers_of", "runs"]

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
_ONLY_DOC = "1"


@dataclass(frozen=True)
class Run:
    """Neighbouring segments of one document.

    Parameters
    ----------
    doc : str
        The document.
    layers : dict of str to str
        The layers, which do not change inside.
    ids : dict of int to str
        Index in the test set to id in the document.
    """

    doc: str
    layers: dict[str, str]
    ids: dict[int, str]


def runs(testset: Testset, path: str, *, reserved: Collection[str]) -> list[Run]:
    """Return the test set as runs of segments of one document.

    Without documents there is one, called 1; without ids, segments are numbered from
    1 in every document.

    Parameters
    ----------
    testset : Testset
        The test set.
    path : str
        The file to be written, for messages.
    reserved : collection of str
        Attributes that mean something else.

    Raises
    ------
    InputError
        When there is no text, a segment occurs twice, or a layer does not fit.
    """
    if testset and not (testset.systems or testset.sources or testset.references[0]):
        raise InputError(
            f"cannot write {path}: the test set has no text; write jsonl or parquet"
        )
    _check_names(testset, path, reserved)
    result: list[Run] = []
    seen: dict[tuple[str, str], int] = {}
    sizes: dict[str, int] = {}
    for index, doc in enumerate(testset.docs or [_ONLY_DOC] * len(testset)):
        sizes[doc] = sizes.get(doc, 0) + 1
        seg = testset.ids[index] if testset.ids is not None else str(sizes[doc])
        other = seen.setdefault((doc, seg), index)
        if other != index:
            raise InputError(
                f"cannot write {path}: segments {other + 1} and {index + 1} are both "
                f"{seg!r} of document {doc!r}; give each its own id"
            )
        layers = {name: layer[index] for name, layer in testset.layers.items()}
        if not result or result[-1].doc != doc:
            result.append(Run(doc, layers, {}))
        elif result[-1].layers != layers:
            name = next(n for n in layers if layers[n] != result[-1].layers[n])
            raise InputError(
                f"cannot write {path}: layer {name!r} changes inside document "
                f"{doc!r} at segment {index + 1}; write jsonl or parquet instead"
            )
        result[-1].ids[index] = seg
    return result


def layers_of(attributes: list[dict[str, str]]) -> dict[str, list[str]]:
    """Return the attributes of the document of every segment as layers.

    An attribute that only some documents have is empty for the others.

    Examples
    --------
    >>> layers_of([{"origlang": "de"}, {}])
    {'origlang': ['de', '']}
    """
    names = dict.fromkeys(name for one in attributes for name in one)
    return {name: [one.get(name, "") for one in attributes] for name in names}


def languages(testset: Testset, path: str) -> tuple[str, str] | None:
    """Return source and target language.

    Raises
    ------
    InputError
        When the language pair has no hyphen to cut it at.
    """
    if testset.langpair is None:
        return None
    source, _, target = testset.langpair.partition("-")
    if not source or not target:
        raise InputError(
            f"cannot write {path}: language pair {testset.langpair!r} does not name "
            "two languages; write it like de-en"
        )
    return source, target


def texts(testset: Testset) -> Iterator[tuple[str, list[str]]]:
    """Yield every column that ends up in an attribute, with its name."""
    if testset.docs is not None:
        yield "docs", testset.docs
    if testset.ids is not None:
        yield "ids", testset.ids
    for name, layer in testset.layers.items():
        yield f"layer {quote(name)}", layer


def _check_names(testset: Testset, path: str, reserved: Collection[str]) -> None:
    for name in testset.layers:
        if name.lower() in reserved or not _NAME.fullmatch(name):
            raise InputError(
                f"cannot write {path}: layer {quote(name)} cannot be an attribute of a "
                "document; rename it, or write jsonl or parquet"
            )
