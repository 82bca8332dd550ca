# SPDX-License-Identifier: Apache-2.0
"""``tertium cache``: how large the cache of results is, and how to clear it."""

from __future__ import annotations

import argparse
import json
import os
import re
from collections.abc import Sequence

from tertium.cli.shared import flags, values
from tertium.cli.shared.remarks import remark
from tertium.cli.shared.render import emit, render
from tertium.cli.shared.values import Output, Remarks, frozen
from tertium.errors import InputError

__all__ = ["Options", "command"]

_ABOUT = """\
Show what a cache holds, by kind, or clear it. Results are the same with and without a
cache, which may be deleted at any time.

Kept by default: trees of parsers, links that the bilingual aligner learns, graphs of
neural models, and answers of external programs. Kept where a folder is named, by
--cache of a verb or by the variable TERTIUM_CACHE: also rows (statistics of segments,
for score, compare and correlate) and features (for train). TERTIUM_CACHE=off switches
everything off.

Entries are found by a hash of all that they depend on: texts, settings, Tertium's own
code, and the content of models and tables. So nothing needs to be cleared after a
change; entries that are no longer used are deleted when the cache has reached its
size, 10 GB or the variable TERTIUM_CACHE_SIZE (500M, 20G).
"""

_EXAMPLES = """\
  tertium cache
  tertium cache --cache results
  tertium cache clear --older-than 30d
  tertium cache clear --kind rows --cache results
  TERTIUM_CACHE=results tertium score demo -m bleu beer

The JSON has {"folder", "size" (bytes allowed), "kinds": {KIND: {"entries", "bytes"}}}.
"""

_ACTIONS = ("info", "clear")
_TREES, _GRAPHS = "trees", "graphs"
_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 7 * 86400}


@frozen
class Options(Output, Remarks):
    """The options of ``tertium cache``."""

    action: str
    cache: str | None
    older_than: float | None
    kind: list[str] | None


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    options = values.parse(_parser(), argv, Options)
    from tertium.cache.places import default_folder

    folder = options.cache or default_folder()
    if folder is None:
        raise InputError("the cache is off (TERTIUM_CACHE=off); name a folder: --cache")
    if options.action == "clear":
        return _clear(options, folder)
    for name in ("older_than", "kind"):
        if getattr(options, name) is not None:
            flag = f"--{name.replace('_', '-')}"
            raise InputError(f"{flag} is about clearing; write `tertium cache clear`")
    return _info(options, folder)


def _info(options: Options, folder: str) -> int:
    from tertium.cache.places import size
    from tertium.cache.store import Cache

    kinds = {
        kind: {"entries": used.entries, "bytes": used.bytes}
        for kind, used in Cache(folder).usage().items()
    }
    if os.path.exists(_trees(folder)):
        from tertium.trees.cache import TreeCache

        trees = TreeCache(_trees(folder))
        taken = os.path.getsize(trees.path)
        kinds[_TREES] = {"entries": len(trees), "bytes": taken}
    if graphs := _graphs(folder):
        total = sum(map(os.path.getsize, graphs))
        kinds[_GRAPHS] = {"entries": len(graphs), "bytes": total}
    if options.format == "json":
        out = {"folder": folder, "size": size(), "kinds": kinds}
        emit(json.dumps(out, indent=1, ensure_ascii=False), options.output)
        return 0
    from tertium.report.tables.table import Table, exact_cells

    total = sum(one["bytes"] for one in kinds.values())
    table = Table(
        ["kind", "entries", "bytes"],
        [exact_cells(kind, *one.values()) for kind, one in kinds.items()],
        title=f"{folder}: {_shown(total)} of {_shown(size())}",
    )
    render([table], options.format, output=options.output)
    return 0


def _clear(options: Options, folder: str) -> int:
    from tertium.cache.store import Cache

    kinds, age = options.kind or [], options.older_than or 0.0
    cache = Cache(folder)
    known = {*cache.usage(), _TREES, _GRAPHS}
    for kind in kinds:
        if kind not in known:
            from tertium.errors import UnknownNameError

            raise UnknownNameError("kind of entry", kind, sorted(known))
    deleted = 0
    if not kinds or set(kinds) - {_TREES, _GRAPHS}:
        deleted += cache.clear(older_than=age, kinds=kinds).entries
    if (not kinds or _TREES in kinds) and os.path.exists(_trees(folder)):
        from tertium.trees.cache import TreeCache

        deleted += TreeCache(_trees(folder)).clear(older_than=age)
    if not kinds or _GRAPHS in kinds:
        deleted += _clear_graphs(folder, age)
    noun = "entry" if deleted == 1 else "entries"
    remark(options, f"deleted {deleted:,} {noun} of {folder}")
    return 0


def _clear_graphs(folder: str, age: float) -> int:
    import time

    old = [p for p in _graphs(folder) if time.time() - os.path.getmtime(p) >= age]
    for path in old:
        os.unlink(path)
    return len(old)


def _trees(folder: str) -> str:
    from tertium.cache.eviction import TREES

    return os.path.join(folder, TREES)


def _graphs(folder: str) -> list[str]:
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return []
    whole = re.compile(r"bert-[0-9a-f]{32}\.onnx")
    return [os.path.join(folder, name) for name in names if whole.fullmatch(name)]


def _shown(size: int) -> str:
    for unit, power in (("GB", 9), ("MB", 6), ("kB", 3)):
        if size >= 10**power:
            return f"{size / 10**power:.1f} {unit}"
    return f"{size} bytes"


def _age(text: str) -> float:
    match = re.fullmatch(r"(\d{1,6})([smhdw])", text)
    if match is None:
        message = f"{text!r} is not a time; write 12h, 30d or 8w, for example"
        raise argparse.ArgumentTypeError(message)
    return float(int(match[1]) * _UNITS[match[2]])


def _parser() -> argparse.ArgumentParser:
    parser = flags.parser("cache", _ABOUT, _EXAMPLES)
    parser.add_argument(
        "action",
        nargs="?",
        choices=_ACTIONS,
        default="info",
        help="info: entries and bytes by kind (default); clear: delete them",
    )
    parser.add_argument(
        "--cache",
        metavar="DIR",
        help="the folder (default: that of TERTIUM_CACHE, or the user's own)",
    )
    parser.add_argument(
        "--older-than",
        type=_age,
        metavar="TIME",
        help="clear only what was not used for so long: 12h, 30d, 8w",
    )
    parser.add_argument(
        "--kind",
        nargs="+",
        metavar="KIND",
        help="clear only these kinds: rows, features, links, trees, graphs",
    )
    flags.add_output(parser)
    flags.add_switch(parser, "-q", "--quiet", help="no remarks")
    return parser
