# SPDX-License-Identifier: Apache-2.0
"""The options of verbs: frozen dataclasses, composed of groups."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, dataclass, field, fields, replace
from importlib import import_module
from inspect import get_annotations
from pkgutil import walk_packages

import pytest

import tertium.cli
from tertium.cli.shared.values import OptionGroup, Remarks, Sort, frozen


@dataclass(frozen=True, kw_only=True)
class Job:
    """What a library function takes."""

    files: list[str] = field(default_factory=list)


@frozen
class Options(Sort, Remarks, Job):
    """Options of a verb."""

    depth: int = 3


def test_options_have_the_fields_of_all_groups_and_their_defaults():
    options = Options(sort="given", quiet=True)
    assert {each.name for each in fields(options)} == {
        "depth",
        "files",
        "quiet",
        "sort",
    }
    assert (options.depth, options.files) == (3, [])
    assert replace(options, depth=4).depth == 4


def test_options_are_frozen_and_complete():
    with pytest.raises(FrozenInstanceError):
        Options(sort="given", quiet=True).quiet = False
    with pytest.raises(TypeError, match="quiet"):
        Options(sort="given")


def classes_below(kind):
    for each in kind.__subclasses__():
        yield each
        yield from classes_below(each)


def test_no_options_of_a_verb_lack_the_fields_of_a_group():
    """A class with ``@dataclass`` in place of ``@frozen`` would."""
    for module in walk_packages(tertium.cli.__path__, "tertium.cli."):
        import_module(module.name)
    kinds = [kind for kind in classes_below(OptionGroup) if kind.__module__ != __name__]
    assert len(kinds) > 60
    for kind in kinds:
        if "__dataclass_fields__" in vars(kind):
            named = {name for each in kind.__mro__ for name in get_annotations(each)}
            assert named == {each.name for each in fields(kind)}, kind
            assert kind.__dataclass_params__.frozen
