# SPDX-License-Identifier: Apache-2.0
"""The formats of exports by name, for help texts too: this file needs no Django."""

from __future__ import annotations

import os

from tertium.errors import InputError
from tertium.notes import Note

__all__ = [
    "RAW",
    "SHEETS",
    "SIDES",
    "STORES",
    "format_of",
    "formats",
    "imports",
    "losses",
]

#: The format of raw judgements.
RAW = "answers"
#: The formats that are the tables of Tertium as they are.
STORES = ("parquet", "sqlite")
#: One table for people, in the form that the name says.
SHEETS = ("csv", "tsv", "xlsx")
#: What can be written beside judgements.
SIDES = {name: Note(f"format-{name}") for name in ("participants", "items", "codebook")}
# All formats but the raw one hold judgements of systems only.
_CHECKS = (Note("loss-checks"), Note("loss-training"))


#: Formats by suffix, the default first; an empty one: there is no default.
_SUFFIXES = {
    ".jsonl": (RAW, "tertium-jsonl"),
    ".json": ("", RAW, "tertium-jsonl", "legacy-json"),
    ".csv": ("csv", "wmt-csv", "wmt-pairs-csv", "likert-tsv"),
    ".tsv": ("tsv", "judged-tsv", "mqm-tsv", "likert-tsv", "pairs"),
    ".xlsx": ("xlsx",),
    ".sqlite": ("sqlite",),
    ".sqlite3": ("sqlite",),
    ".db": ("sqlite",),
    ".parquet": ("parquet",),
}


def format_of(path: str, name: str | None = None) -> str:
    """Return the format of an export, by the suffix of the file if none is chosen.

    A file without a suffix gets raw judgements.

    Parameters
    ----------
    name : str, optional
        The format that was chosen; the suffix must not contradict it.

    Raises
    ------
    InputError
        When the suffix is unknown, or belongs to another format.

    Examples
    --------
    >>> format_of("news.csv"), format_of("answers.jsonl.gz"), format_of("store.db")
    ('csv', 'answers', 'sqlite')
    >>> format_of("news.csv", "wmt-csv")
    'wmt-csv'
    """
    from tertium.data._codecs import codec_of

    plain = os.path.splitext(path)[0] if codec_of(path) else path
    suffix = os.path.splitext(plain)[1].lower()
    if path == "-" or path.startswith("/dev/"):
        suffix = ""
    known = _SUFFIXES.get(suffix)
    if name is not None:
        if known is None or name in known:
            return name
        fitting = [one for one, names in _SUFFIXES.items() if name in names]
        cure = f"name a file {' or '.join(fitting)}" if fitting else "rename the file"
        message = (
            f"{path} does not fit the format {name}; {cure}, or choose one of "
            f"{', '.join(filter(None, known))}"
        )
        raise InputError(message)
    if not suffix:
        return RAW
    if known is None or not known[0]:
        usual = ", ".join(one for one, names in _SUFFIXES.items() if names[0])
        message = f"the suffix {suffix} of {path} does not say which format to write"
        raise InputError(f"{message}; choose a format, or one of the suffixes {usual}")
    return known[0]


def formats() -> dict[str, Note]:
    """Return the export formats and what each is, the raw one first."""
    from tertium.judgements import FORMATS

    writable = [name for name, one in FORMATS.items() if one.write]
    return {name: Note(f"format-{name}") for name in (RAW, *STORES, *SHEETS, *writable)}


def imports() -> dict[str, Note]:
    """Return the formats that a campaign can import, and what each is."""
    from tertium.judgements import FORMATS
    from tertium.judgements.formats.campaign_table import CAMPAIGN_TABLE

    exported = {name: about for name, about in formats().items() if name not in SHEETS}
    others = {
        name: one.about for name, one in FORMATS.items() if one is not CAMPAIGN_TABLE
    }
    return exported | others


def losses(name: str) -> tuple[Note, ...]:
    """Return what an export format has no place for.

    Examples
    --------
    >>> losses("answers"), [str(loss) for loss in losses("parquet")]
    ((), ['attention checks', 'training'])
    """
    from tertium.judgements import FORMATS
    from tertium.judgements.formats.losses import LOSSES

    if name == RAW or name in SIDES:
        return ()
    if name in SHEETS:
        return (LOSSES["meta"], *_CHECKS)
    lost = () if name in STORES else FORMATS[name].loses
    return (*(LOSSES[one] for one in lost), *_CHECKS)
