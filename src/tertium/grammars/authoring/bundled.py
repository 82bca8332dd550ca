# SPDX-License-Identifier: Apache-2.0
"""The templates that come with the package."""

from __future__ import annotations

from pathlib import Path

from tertium.data.containment import is_inside

__all__ = ["FILE", "bundled_templates", "root_of"]

#: The file that makes a folder a template.
FILE = "template.toml"

#: The bundled templates, and the modules that they share.
_FOLDER = Path(__file__).parents[1] / "templates"


def bundled_templates() -> dict[str, Path]:
    """Return the folders of the bundled templates by name.

    Examples
    --------
    >>> sorted(bundled_templates())[:2]
    ['differences', 'exercise']
    """
    paths = sorted(_FOLDER.glob(f"*/{FILE}"))
    return {path.parent.name: path.parent for path in paths}


def root_of(
    folder: Path, root: Path | str | None = None, *, allow_outside: bool = False
) -> Path | None:
    """Return the folder that the files of a grammar must lie in.

    Parameters
    ----------
    folder : Path
        The folder of the grammar.
    root : Path or str, optional
        What the caller asks for; by default the folder itself, and of bundled
        templates the one that they share.
    allow_outside : bool
        Whether files may lie anywhere: then there is no such folder.
    """
    if allow_outside:
        return None
    if root is not None:
        return Path(root)
    return _FOLDER if is_inside(folder, _FOLDER) else folder
