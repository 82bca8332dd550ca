# SPDX-License-Identifier: Apache-2.0
"""Bring the translations of the annotation server up to date.

``python tools/translations.py`` collects the texts of templates and programs, adds
new ones to every ``django.po`` and compiles these to ``django.mo``. ``--check`` changes
nothing; it lists what is missing, and exits with 1 if anything is. GNU gettext is not
needed.
"""

from __future__ import annotations

import argparse
import io
import re
import sys
from datetime import datetime, timezone
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize

ROOM = Path(__file__).resolve().parents[1] / "src" / "tertium" / "campaigns"
LANGUAGES = ("cs", "de", "fi")
KEYWORDS = {
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
}

CALL = re.compile(
    r"""\bn?p?gettext\((?:u?'(?:\\.|[^'\\])*'|u?"(?:\\.|[^"\\])*"|[,\s]|count)+\)"""
)


def texts() -> Catalog:
    """Return every text of the server that people may read."""
    # No date: it would change the files though no text did.
    catalog = Catalog(creation_date=datetime(2026, 1, 1, tzinfo=timezone.utc))
    for path in sorted([*ROOM.rglob("*.html"), *ROOM.rglob("*.py")]):
        source = path.read_text(encoding="utf-8")
        if path.suffix == ".html":
            # Its output is for xgettext, no Python: only the calls in it are.
            source = "\n".join(CALL.findall(templatize(source, origin=str(path))))
        found = extract("python", io.BytesIO(source.encode()), keywords=KEYWORDS)
        for _line, message, _comments, context in found:
            place = path.relative_to(ROOM).as_posix()
            catalog.add(message, locations=[(place, None)], context=context)
    return catalog


def place(language: str) -> Path:
    """Return the file of a language."""
    return ROOM / "locale" / language / "LC_MESSAGES" / "django.po"


def read(language: str) -> Catalog:
    """Return the translations of a language, none if there is no file."""
    path = place(language)
    if not path.exists():
        return Catalog(locale=language, fuzzy=False)
    with path.open("rb") as file:
        return read_po(file, locale=language)


def missing(language: str, wanted: Catalog) -> list[str]:
    """Return the texts that a language does not have, or not for sure."""
    catalog = read(language)
    found = []
    for message in wanted:
        if not message.id:
            continue
        own = catalog.get(message.id, message.context)
        said = own.string if own else ""
        parts = said if isinstance(said, tuple) else (said,)
        if own is None or own.fuzzy or not all(parts):
            found.append(message.id if isinstance(message.id, str) else message.id[0])
    return found


def update(language: str, wanted: Catalog) -> None:
    """Add new texts to a language, drop old ones, and compile the file."""
    catalog = read(language)
    catalog.update(wanted, no_fuzzy_matching=True)
    catalog.obsolete.clear()
    catalog.fuzzy = False
    catalog.header_comment = "# SPDX-License-Identifier: Apache-2.0"
    catalog.project, catalog.version = "tertium", "campaigns"
    catalog.revision_date = catalog.creation_date
    catalog.last_translator = catalog.language_team = "the project"
    catalog.msgid_bugs_address = "the project"
    path = place(language)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_po(file, catalog, sort_output=True, omit_header=False, width=88)
    path.with_suffix(".mo").write_bytes(compiled(language))


def compiled(language: str) -> bytes:
    """Return the translations of a language as programs read them."""
    stream = io.BytesIO()
    write_mo(stream, read(language))
    return stream.getvalue()


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="list what is missing")
    args = parser.parse_args()
    wanted = texts()
    lost = 0
    for language in LANGUAGES:
        if not args.check:
            update(language, wanted)
        found = missing(language, wanted)
        lost += len(found)
        print(f"{language}: {len(found)} of {len(list(wanted)) - 1} texts missing")
        for text in found:
            print(f"  {text!r}")
    return int(bool(lost) and args.check)


if __name__ == "__main__":
    sys.exit(main())
