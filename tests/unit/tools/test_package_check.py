# SPDX-License-Identifier: Apache-2.0
"""``tools/package_check``: what it tries, and what it finds wrong."""

from __future__ import annotations

import sys
import tarfile
import zipfile

import pytest

from support.tools import TOOLS

sys.path.insert(0, str(TOOLS / "package_check"))
try:
    import builds
    import contents
    import extras
finally:
    sys.path.pop(0)

tomllib = pytest.importorskip("tomllib" if sys.version_info >= (3, 11) else "tomli")


def project() -> dict:
    return tomllib.loads((TOOLS.parent / "pyproject.toml").read_text("utf-8"))


def test_every_extra_has_a_recipe():
    """A new extra needs a command that uses it, and says so without it."""
    assert set(extras.RECIPES) == set(project()["project"]["optional-dependencies"])


def test_builds_that_differ_are_rejected(tmp_path):
    files = [tmp_path / "a" / "x.whl", tmp_path / "b" / "x.whl"]
    for number, file in enumerate(files):
        file.parent.mkdir()
        file.write_bytes(bytes([number]))
    with pytest.raises(builds.FailedError, match=r"two builds of x\.whl differ"):
        builds.compare(files[:1], files[1:])
    builds.compare(files[:1], files[:1])


def test_a_stray_file_in_an_sdist_is_found(tmp_path):
    place = tmp_path / "tertium-0.tar.gz"
    with tarfile.open(place, "w:gz") as archive:
        archive.add(__file__, "tertium-0/tests/test_x.py")
    with pytest.raises(builds.FailedError, match=r"unexpected \['tests/test_x.py'\]"):
        contents.check_sdist(place)


def test_a_wheel_with_the_wrong_tag_is_rejected(tmp_path):
    python = builds.Interpreter("python3.12", 12)
    with pytest.raises(builds.FailedError, match="should be a wheel cp312-abi3"):
        contents.check_wheel(tmp_path / "tertium-0-cp313-cp313-linux.whl", python)


def test_a_binary_that_names_the_folder_it_was_built_in_is_found(tmp_path):
    info = "tertium-0.dist-info"
    names = [f"tertium/{name[12:]}" for name in contents._tracked("src")]
    names += [f"{info}/licenses/{name}" for name in contents._LICENCES]
    names += [f"{info}/{name}" for name in ("METADATA", "RECORD", "WHEEL")]
    names += [f"{info}/entry_points.txt", f"{info}/sboms/tertium.cdx.json"]
    place = tmp_path / "tertium-0-cp310-cp310-linux.whl"
    with zipfile.ZipFile(place, "w") as archive:
        archive.writestr("tertium/_core.so", b"\0/home/me/core/x.cpp\0")
        for name in names:
            archive.writestr(name, b"")
    with pytest.raises(builds.FailedError, match="names folders of this machine"):
        contents.check_wheel(place, builds.Interpreter("python3.10", 10))
