# SPDX-License-Identifier: Apache-2.0
"""Compute published tables and figures again and write the book of reproductions.

    python -m bench book [NAME ...] [--pages]

Without names everything that the data at hand allow is computed (half an hour);
results go to bench/published/results, a file per document, pages and charts to
docs/reproductions. With --pages the pages alone are written, from stored results. What
cannot be computed, for lack of data or a package (Thot: pip install --no-deps sil-thot
sil-machine networkx regex sortedcontainers), keeps its stored result, and the exit code
is 1.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace

from bench import wmt
from docs import book
from tertium.errors import TertiumError
from tertium.reproductions import (
    Data,
    Outcome,
    documents,
    find_exhibits,
    read_outcomes,
    reproduce,
    write_outcomes,
)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--pages", action="store_true")
    args = parser.parse_args()
    complete = True
    if not args.pages:
        complete = compute(args.names or [document.name for document in documents()])
    book.write()
    sys.exit(not complete)


def compute(names: list[str]) -> bool:
    """Repeat exhibits and store what came out; return whether all could be repeated."""
    complete = True
    data = Data(wmt.folder())
    longest: dict[str, float] = {}
    for exhibit in find_exhibits(names):
        if not exhibit.recipe:
            continue
        try:
            outcome = reproduce(exhibit, data)
        except TertiumError as error:
            print(f"{exhibit.name}: {error}", file=sys.stderr)
            complete = False
            continue
        # Recipes of a module share what the first of them computed.
        module = exhibit.recipe.partition(":")[0]
        longest[module] = max(outcome.seconds, longest.get(module, 0.0))
        outcome = replace(outcome, seconds=longest[module])
        verdict = outcome.verdict(exhibit).value
        print(f"{exhibit.name:28} {verdict:14} {outcome.seconds:6.1f} s", flush=True)
        store(exhibit.name, outcome)
    return complete


def store(name: str, outcome: Outcome) -> None:
    """Put one outcome into the file of its document, in the order of the document."""
    document = next(d for d in documents() if d.name == name.split("/")[0])
    path = book.RESULTS / f"{document.name}.json"
    known = read_outcomes(path) if path.exists() else {}
    known[name] = outcome
    ordered = {e.name: known[e.name] for e in document.exhibits if e.name in known}
    path.parent.mkdir(exist_ok=True)
    path.write_text(write_outcomes(ordered), encoding="utf-8")


if __name__ == "__main__":
    main()
