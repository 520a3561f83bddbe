"""Folders for temporary files, which are removed even if their process was killed."""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

if sys.platform != "win32":
    import fcntl

if TYPE_CHECKING:
    from collections.abc import Iterator

_PREFIX = "rankdcg_sql.tmp."
#: The names of the folders of this package. `tempfile` adds eight characters.
_NAME = re.compile(re.escape(_PREFIX) + "[a-z0-9_]{8}")
#: The seconds after which a folder that no process has locked is abandoned.
_MOMENT = 60.0


@contextmanager
def temporary_folder(parent: str | None = None) -> Iterator[str]:
    """Make a folder that nobody else can read, and remove it at the end, with what killed processes left.

    A folder is locked as long as its process lives, because the operating system frees the lock. `parent` is
    the folder in which it is made, by default that of the system.
    """
    parent = parent or tempfile.gettempdir()
    _remove_abandoned(parent)
    folder = tempfile.mkdtemp(prefix=_PREFIX, dir=parent)
    lock = _try_lock(folder)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if lock is not None:
            os.close(lock)


def _try_lock(folder: str) -> int | None:
    """Lock a folder; None if it is locked already, or if the system cannot lock folders."""
    if sys.platform == "win32":
        return None
    try:
        opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return None
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(opened)
        return None
    return opened


def _remove_abandoned(parent: str) -> None:
    """Remove folders of this user that `temporary_folder` made in processes that have ended since."""
    if sys.platform == "win32":
        return
    with suppress(OSError):
        for path in [entry for entry in Path(parent).iterdir() if _NAME.fullmatch(entry.name)]:
            with suppress(OSError):
                status = path.lstat()
                if status.st_uid != os.getuid() or time.time() - status.st_mtime < _MOMENT:
                    continue
                lock = _try_lock(str(path))
                if lock is not None:
                    shutil.rmtree(path, ignore_errors=True)
                    os.close(lock)
