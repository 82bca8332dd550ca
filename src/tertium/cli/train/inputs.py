# SPDX-License-Identifier: Apache-2.0
"""What ``tertium train`` learns from: test sets and judgements, put together."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium._messages import count
from tertium.cli.correlate.inputs import common_pairs, testsets_by_pair
from tertium.cli.shared.remarks import remark
from tertium.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from tertium.data.testset import Testset
    from tertium.judgements import Judgements
    from tertium.learn.data import Source
    from tertium.learn.profile import Profile
    from tertium.learn.training import SelfTraining

__all__ = [
    "equipped",
    "equipped_profile",
    "held_out",
    "self_training",
    "training_sources",
]


def training_sources(args: argparse.Namespace) -> list[Source]:
    """Return the sources of all pairs of -t and -J."""
    from tertium.cli.judgements.reading import read

    testsets: list[list[str]] = args.testsets or []
    judgements: list[list[str]] = args.judgements or []
    if not testsets:
        message = (
            "nothing to learn from; give test sets (-t) and judgements (-J); try: "
            "tertium train -t demo -J demo -o my.json"
        )
        raise InputError(message)
    if testsets == [["demo"]] and not judgements:
        judgements = [["demo"]]
    if len(testsets) != len(judgements):
        message = (
            f"-t is given {len(testsets)} times and -J {len(judgements)} times; give "
            "judgements with every group of test sets"
        )
        raise InputError(message)
    if args.names and len(args.names) != len(testsets):
        message = (
            f"{count(len(args.names), 'name')} for "
            f"{count(len(testsets), 'group')} of test sets; give one for each"
        )
        raise InputError(message)
    found: list[Source] = []
    for number, (paths, judged) in enumerate(zip(testsets, judgements, strict=True)):
        people = read(judged, args, only=args.only)
        name = args.names[number] if args.names else _campaign(people, paths, number)
        found += _group(args, paths, people, name)
    twice = {own.name for own in found if [o.name for o in found].count(own.name) > 1}
    if twice:
        message = (
            f"there are two groups with {sorted(twice)[0]}; tell them apart with "
            "--names, one name for every -t"
        )
        raise InputError(message)
    return found


def _campaign(judgements: Judgements, paths: Sequence[str], number: int) -> str:
    """Return what a group is called: its campaign, or the folder of its texts."""
    campaigns = judgements.names("campaign")
    if len(campaigns) == 1:
        return campaigns[0]
    folders = {os.path.basename(os.path.dirname(os.path.abspath(p))) for p in paths}
    return next(iter(folders)) if len(folders) == 1 else str(number + 1)


def _group(
    args: argparse.Namespace, paths: Sequence[str], judgements: Judgements, name: str
) -> list[Source]:
    from tertium.learn.data import make_source

    testsets: dict[str | None, Testset] = testsets_by_pair(paths, args)
    known = judgements.names("langpair")
    if list(testsets) == [None] and len(args.langpair or known) == 1:
        testsets = {(args.langpair or known)[0]: testsets[None]}
    pairs = common_pairs(args, known, testsets)
    if args.langpair:
        pairs = [pair for pair in pairs if pair in args.langpair]
    found = []
    for pair in pairs:
        source = make_source(
            testsets[pair],
            judgements,
            name=f"{name}/{pair}" if pair else name,
            scale=args.scale,
            method=args.ratings_by,
            empty=args.empty,
        )
        for note in source.notes:
            remark(args, f"{source.name}: {note}")
        found.append(source)
    if args.langpair and not found:
        message = f"{name}: no texts and judgements of {', '.join(args.langpair)}"
        raise InputError(f"{message}; choose others with -l")
    return found


def held_out(
    args: argparse.Namespace, sources: Sequence[Source]
) -> tuple[list[Source], list[Source]]:
    """Return the sources to learn from, and those to test on.

    ``--valid`` is ``none``, a share of the segments, or names: of sources, campaigns
    or language pairs.
    """
    from tertium.learn.data import split

    wanted: list[str] = args.valid
    if wanted == ["none"]:
        return list(sources), []
    if len(wanted) == 1 and (share := _share(wanted[0])) is not None:
        return split(sources, share, seed=args.seed)
    chosen: list[Source] = []
    for name in wanted:
        own = [s for s in sources if name in (s.name, s.campaign, s.langpair)]
        if not own:
            names = (n for s in sources for n in (s.name, s.campaign, s.langpair))
            raise UnknownNameError("source to hold out", name, set(names))
        chosen += [source for source in own if source not in chosen]
    rest = [source for source in sources if source not in chosen]
    if not rest:
        message = (
            f"--valid {' '.join(wanted)} holds out everything; leave some to learn from"
        )
        raise InputError(message)
    return rest, chosen


def _share(text: str) -> float | None:
    try:
        share = float(text)
    except ValueError:
        return None
    return share if 0 < share < 1 else None  # 2015 is a campaign


def equipped_profile(args: argparse.Namespace) -> Profile:
    """Return the profile to train, with the resources of ``--resource``."""
    from tertium.learn.profile import profile

    return equipped(args, profile(args.profile))


def equipped(args: argparse.Namespace, profile: Profile) -> Profile:
    """Return a profile with the resources of ``--resource``, all of which it reads."""
    from tertium.learn.features.blocks import Resources

    given: dict[str, str] = {}
    for item in args.resource:
        key, equals, value = item.partition("=")
        if not equals or not value:
            raise InputError(
                f"--resource {item!r} is not KEY=VALUE, such as language=en"
            )
        if key not in Resources._fields:
            raise UnknownNameError("resource", key, Resources._fields)
        given[key] = value
    if not given:
        return profile
    found = profile.equipped(Resources(**given))
    for key in given:
        # A language may bring features that read more.
        if key != "language" and key not in found.uses:
            read = ", ".join(found.uses) or "none"
            message = (
                f"no feature of {found.name} reads --resource {key}=; leave it out "
                f"(its features read {read})"
            )
            raise InputError(message)
    return found


def self_training(args: argparse.Namespace) -> SelfTraining | None:
    """Return the n-best lists with their references, if there are any."""
    from tertium.data.formats.nbest import read_nbest
    from tertium.data.lines import open_lines
    from tertium.learn.training import SelfTraining

    files, references = args.nbest or [], args.nbest_references or []
    if len(files) != len(references):
        message = (
            f"{count(len(files), 'n-best list')} and "
            f"{count(len(references), 'file')} of references; give a file of "
            "--nbest-references for every list of --nbest"
        )
        raise InputError(message)
    if not files:
        return None
    lists = []
    for path, reference in zip(files, references, strict=True):
        found, refs = read_nbest(path), list(open_lines(reference))
        if len(found) != len(refs):
            message = (
                f"{path} has {count(len(found), 'sentence')}, {reference} has "
                f"{count(len(refs), 'line')}; give one reference a sentence"
            )
            raise InputError(message)
        lists.append((found, refs))
    return SelfTraining(
        lists,
        mode=args.self_training or "union",
        sampling=args.sampling or "uniform",
        rounds=args.rounds,
        names=[os.path.basename(path) for path in files],
    )
