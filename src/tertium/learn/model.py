# SPDX-License-Identifier: Apache-2.0
"""Trained metrics as files: one readable JSON file.

A model is a profile (which features), ranges (how features are scaled), a
ranker, a scaler, and where they come from. Weights stand beside the names of their
features. It is read without NumPy, which only scoring of matrices needs.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from tertium.errors import FormatError, InputError, NotDefinedError, UntrustedError
from tertium.learn._reading import (
    LARGEST,
    mapping,
    named_vectors,
    only_keys,
    problem,
    text,
)
from tertium.learn.rankers import Linear, Ranker, ranker_from_json
from tertium.learn.scalers import Scaler

if TYPE_CHECKING:
    import os

    import numpy as np
    from numpy.typing import NDArray

    from tertium.learn.profile import Profile

    Rows: TypeAlias = NDArray[np.float64]

__all__ = ["VERSION", "Model", "Ranges", "load_model"]

FORMAT = "tertium-model"
VERSION = 1
_KEYS = (
    "format",
    "version",
    "licence",
    "profile",
    "ranges",
    "ranker",
    "scaler",
    "training",
    "validation",
)


@dataclass(frozen=True)
class Ranges:
    """The range of every feature in training: v' = (v - low) / (high - low).

    Low is at most 0 and high at least 0 . Nothing is cut at scoring time. A
    feature that was 0 throughout becomes 0.
    """

    low: tuple[float, ...]
    high: tuple[float, ...]

    @classmethod
    def of(cls, features: Rows) -> Ranges:
        """Return the ranges of a matrix of features."""
        low = features.min(axis=0, initial=0.0)
        high = features.max(axis=0, initial=0.0)
        return cls(tuple(low.tolist()), tuple(high.tolist()))

    def scale(self, features: Rows) -> Rows:
        """Return features in these ranges."""
        import numpy as np

        factors, offsets = self.factors()
        scaled: Rows = features * np.array(factors) + np.array(offsets)
        return scaled

    def scale_in_place(self, features: Rows) -> Rows:
        """Return the same matrix, changed to these ranges without a copy."""
        factors, offsets = self.factors()
        features *= factors
        features += offsets
        return features

    def factors(self) -> tuple[list[float], list[float]]:
        """Return what every feature is multiplied by, and what is added then."""
        spans = [high - low for low, high in zip(self.low, self.high, strict=True)]
        factors = [1 / span if span > 0 else 0.0 for span in spans]
        # + 0.0 turns a negative zero into a plain one
        offsets = [-low * f + 0.0 for low, f in zip(self.low, factors, strict=True)]
        return factors, offsets


@dataclass(frozen=True, eq=False)
class Model:
    """A trained metric.

    Attributes
    ----------
    profile : Profile
        Which features, in which order.
    ranker : Ranker
    scaler : Scaler
    ranges : Ranges or None
        None if the ranker takes features as they are.
    training : dict
        What it was trained on and how, as JSON.
    validation : dict
        What it reached on held-out data, as JSON.
    licence : str
    """

    profile: Profile
    ranker: Ranker
    scaler: Scaler = field(default_factory=Scaler)
    ranges: Ranges | None = None
    training: dict[str, object] = field(default_factory=dict)
    validation: dict[str, object] = field(default_factory=dict)
    licence: str = ""

    # ------------------------------------------------------------------- scoring

    def raw(self, features: Rows) -> Rows:
        """Return one raw number per row of features as the profile computes them."""
        return self.ranker.raw(self.scaled(features))

    def scaled(self, features: Rows) -> Rows:
        """Return features as the ranker takes them."""
        wanted = len(self.profile.names)
        if features.ndim != 2 or features.shape[1] != wanted:
            raise InputError(
                f"features have the shape {features.shape}; the model takes one row "
                f"per text and {wanted} columns"
            )
        return self.ranges.scale(features) if self.ranges else features

    def scores(self, features: Rows, identity: Rows | None = None) -> Rows:
        """Return one score per row of features.

        Parameters
        ----------
        features : ndarray of shape (texts, features)
        identity : ndarray of shape (features,) or (texts, features), optional
            The features of every reference against itself, or one row for all.
            Needed if ``scaler.needs_identity``.
        """
        if not self.scaler.needs_identity or identity is None:
            return self.scaler.scores(self.raw(features))
        rows = identity.reshape(-1, identity.shape[-1])
        if len(rows) not in (1, len(features)):
            raise InputError(
                f"identity has {len(rows)} rows for {len(features)} texts; give one "
                f"per text, or one for all"
            )
        return self.scaler.scores(self.raw(features), self.raw(rows))

    def plain_weights(self) -> tuple[list[float], float]:
        """Return weights and bias for features as the profile computes them.

        For kernels that compute a linear model in one go: ranges are folded in. Needs
        no NumPy.

        Raises
        ------
        NotDefinedError
            If the ranker is not linear.
        """
        ranker = self._linear("plain weights")
        if self.ranges is None:
            return list(ranker.weights), ranker.bias
        factors, offsets = self.ranges.factors()
        weights = [w * f for w, f in zip(ranker.weights, factors, strict=True)]
        moved = sum(w * o for w, o in zip(ranker.weights, offsets, strict=True))
        return weights, ranker.bias + moved

    def contributions(self, features: Rows) -> Rows:
        """Return what every feature adds to raw, which is their sum plus the bias.

        Raises
        ------
        NotDefinedError
            If the ranker is not linear.
        """
        import numpy as np

        weights = np.array(self._linear("contributions of features").weights)
        added: Rows = self.scaled(features) * weights
        return added

    @property
    def copy_is_best(self) -> bool:
        """Whether no text can have a higher raw value than a copy of the reference.

        True if raw never falls as features move towards those of a copy. Scores do
        not tell: those above that of a copy are cut, and look as good as one.
        """
        return self.ranker.rises_with(self.profile.signs)

    def _linear(self, what: str) -> Linear:
        if not isinstance(self.ranker, Linear):
            raise NotDefinedError(
                f"a {self.ranker.kind} ranker has no {what}; train a linear one"
            )
        return self.ranker

    # --------------------------------------------------------------------- files

    def to_json(self) -> dict[str, object]:
        """Return the model as its file holds it."""
        names = self.profile.names
        ranges = self.ranges and {
            name: [low, high]
            for name, low, high in zip(
                names, self.ranges.low, self.ranges.high, strict=True
            )
        }
        return {
            "format": FORMAT,
            "version": VERSION,
            "licence": self.licence,
            "profile": self.profile.to_json(),
            "ranges": ranges,
            "ranker": self.ranker.to_json(names),
            "scaler": self.scaler.to_json(),
            "training": self.training,
            "validation": self.validation,
        }

    def dumps(self) -> str:
        """Return the text of the model's file: equal models, equal bytes."""
        return _lines(self.to_json(), 0) + "\n"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a file, which appears when it is complete."""
        from tertium._files import replace_file

        content = self.dumps().encode()
        with replace_file(path) as stream:
            stream.write(content)

    @property
    def fingerprint(self) -> str:
        """Twelve characters that distinguish models with different scores.

        Made from profile, ranges, ranker and scaler; notes may change.
        """
        from hashlib import sha256

        data = self.to_json()
        parts = {key: data[key] for key in ("profile", "ranges", "ranker", "scaler")}
        return sha256(_lines(parts, 0).encode()).hexdigest()[:12]

    @classmethod
    def from_json(cls, data: object, *, path: str = "<model>") -> Model:
        """Read what :meth:`to_json` wrote.

        Parameters
        ----------
        data : object
        path : str
            For messages.

        Raises
        ------
        FormatError
            When anything is missing, unknown, or of the wrong shape.
        """
        table = mapping(data, "the file", path)
        if table.get("format") != FORMAT:
            raise problem(f"no model: its format is not {FORMAT!r}", path)
        version = table.get("version")
        if type(version) is not int or version != VERSION:
            raise problem(
                f"version {version!r} of the model format is unknown, only {VERSION} "
                f"is; train the model again, or install the Tertium that wrote it",
                path,
            )
        only_keys(table, _KEYS, "the model", path)
        profile = _profile(mapping(table["profile"], "profile", path), path)
        names = profile.names
        return cls(
            profile,
            ranker_from_json(
                mapping(table["ranker"], "ranker", path), names, path=path
            ),
            Scaler.from_json(mapping(table["scaler"], "scaler", path), path=path),
            _ranges(table["ranges"], names, path),
            mapping(table["training"], "training", path),
            mapping(table["validation"], "validation", path),
            text(table["licence"], "licence", path),
        )

    @classmethod
    def loads(cls, content: str, *, path: str = "<model>") -> Model:
        """Read what :meth:`dumps` wrote."""

        def reject(constant: str) -> float:
            raise problem(
                f"{constant} is not a number; all values must be finite", path
            )

        def unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
            table = dict(pairs)
            if len(table) != len(pairs):
                names = [name for name, _ in pairs]
                twice = next(name for name in names if names.count(name) > 1)
                raise problem(f"{twice!r} is there twice; keep one", path)
            return table

        try:
            data = json.loads(content, parse_constant=reject, object_pairs_hook=unique)
        except json.JSONDecodeError as error:
            raise FormatError(
                f"no complete JSON: {error.msg} (column {error.colno}); get the file "
                f"again",
                path=path,
                line=error.lineno,
            ) from None
        except RecursionError:
            raise problem("no model: nested too deeply", path) from None
        return cls.from_json(data, path=path)


def load_model(
    path: str | os.PathLike[str],
) -> Model:
    """Read a model file, or a model of the package by its name.

    Parameters
    ----------
    path : str or path
        A file, a model folder of BEER 2.0, or a name such as ``beer-3.0`` or
        ``beer-3.0:cs``; a file of that name comes first.

    Raises
    ------
    FormatError
        If it is not a model, was cut short or changed, or has another version.
    """
    import os

    from tertium.data.lines import open_bytes

    name = os.fspath(path)
    if os.path.isdir(name):
        from tertium.learn.shipped import find_model

        return find_model(name, "", "")[0]
    if not os.path.exists(name):
        from tertium.learn.shipped import shipped_path

        profile, colon, language = name.rpartition(":")
        shipped = shipped_path(profile if colon else name, language if colon else "")
        path = path if shipped is None else shipped
    with open_bytes(path) as stream:
        content = stream.read()
    try:
        decoded = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise problem(f"no model: byte {error.start} is not UTF-8", name) from None
    return Model.loads(decoded, path=name)


def _profile(data: Mapping[str, object], path: str) -> Profile:
    from tertium.learn.features.tables import FUNCTION_WORDS_FILE
    from tertium.learn.profile import Profile

    tables = data.get("features")
    for table in tables if isinstance(tables, list) else ():
        if isinstance(table, dict) and FUNCTION_WORDS_FILE in table:
            what = f"the profile has {FUNCTION_WORDS_FILE}"
            raise UntrustedError(
                f"{what}; a model must hold the words themselves", path=path
            )
    try:
        return Profile.from_json(data)
    except FormatError:
        raise
    except InputError as error:
        raise problem(str(error), path) from None


def _ranges(value: object, names: Sequence[str], path: str) -> Ranges | None:
    if value is None:
        return None
    pairs = named_vectors(value, names, 2, "ranges", path)
    for name, (low, high) in zip(names, pairs, strict=True):
        if not low <= 0 <= high:
            raise problem(
                f"ranges[{name!r}] is [{low}, {high}]; the first must be at most 0 and "
                f"the second at least 0",
                path,
            )
        if 0 < high - low < 1 / LARGEST:
            raise problem(
                f"ranges[{name!r}] is [{low}, {high}]; a range is 0 or at least "
                f"{1 / LARGEST:g} wide, since scores would overflow",
                path,
            )
    return Ranges(tuple(low for low, _ in pairs), tuple(high for _, high in pairs))


def _lines(value: object, depth: int) -> str:
    """Return JSON with one line a key, and lists of plain values on one line."""
    inner = "  " * (depth + 1)
    if isinstance(value, Mapping) and value:
        items = (
            f"{json.dumps(str(k), ensure_ascii=False)}: {_lines(v, depth + 1)}"
            for k, v in value.items()
        )
        open_, close = "{}"
    elif isinstance(value, list | tuple) and any(
        isinstance(item, Mapping | list | tuple) for item in value
    ):
        items = (_lines(item, depth + 1) for item in value)
        open_, close = "[]"
    else:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    body = ",\n".join(inner + item for item in items)
    return f"{open_}\n{body}\n{'  ' * depth}{close}"
