# SPDX-License-Identifier: Apache-2.0
"""What a repeated run may not do.

A record may come from a stranger, and it names a whole command line. Only verbs of
Tertium are run, never a shell; but verbs write files, and some start programs. So the
process of a repetition stops at every attempt to write outside its own folder, to start
a program or to open a connection. The guard hears of these as audit events (PEP 578),
from the code of Tertium and of the libraries that it uses.
"""

from __future__ import annotations

import os
import sys

from tertium._watching import opens_to_write
from tertium.errors import InputError

__all__ = ["guard"]

#: Events about paths, and which arguments are paths that are changed.
_PATHS = {
    "os.chmod": (0,),
    "os.chown": (0,),
    "os.link": (1,),
    "os.mkdir": (0,),
    "os.remove": (0,),
    "os.rename": (0, 1),
    "os.rmdir": (0,),
    "os.symlink": (1,),
    "os.truncate": (0,),
    "os.utime": (0,),
    "shutil.copyfile": (1,),
    "shutil.move": (0, 1),
    "shutil.rmtree": (0,),
    "sqlite3.connect": (0,),
}
_PROGRAMS = {
    "os.exec",
    "os.posix_spawn",
    "os.spawn",
    "os.startfile",
    "os.system",
    "pty.spawn",
    "subprocess.Popen",
    "tertium.run_file",  # a plug-in that is not installed
    "webbrowser.open",
}
_CONNECTIONS = {"socket.bind", "socket.connect", "urllib.Request"}


def guard(root: str, *, programs: bool = False) -> None:
    """Forbid this process, from now on, to reach beyond a folder.

    Parameters
    ----------
    root : str
        Where it may write.
    programs : bool
        Whether it may start programs and open connections all the same.
    """
    root = os.path.realpath(root)

    def watch(event: str, arguments: tuple[object, ...]) -> None:
        if event == "open":
            path, mode, flags = arguments[:3]
            if opens_to_write(mode, flags):
                _check(path, root)
        elif event in _PATHS:
            for number in _PATHS[event]:
                _check(arguments[number], root)
        elif event in _PROGRAMS and not programs:
            raise InputError(
                "the recorded run starts a program, which a repetition does only if "
                "the record is trusted"
            )
        elif event in _CONNECTIONS and not programs:
            raise InputError(
                "the recorded run opens a connection, which a repetition does only if "
                "the record is trusted"
            )

    sys.addaudithook(watch)


def _check(path: object, root: str) -> None:
    if not isinstance(path, (str, bytes, os.PathLike)):
        return  # a descriptor, which was opened before
    name = os.fsdecode(path)
    if name in (":memory:", "", os.devnull):
        return
    # A link must not lead out; what does not exist yet has its parent.
    place = os.path.realpath(name)
    inside = place == root or place.startswith(root + os.sep)
    if not inside and not place.startswith("/dev/"):
        raise InputError(
            f"the recorded run would write {name}, outside the folder for its results; "
            "a repetition does not do that"
        )
