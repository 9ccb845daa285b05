"""Finds and runs the command `plumbline`, which the wheel installs."""

import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig

VARIABLE = "PLUMBLINE_COMMAND"


class PlumblineError(Exception):
    """The command `plumbline` could not do its work, or printed something that this package cannot read."""


class CommandNotFound(PlumblineError):
    """There is no command `plumbline`."""


class CommandError(PlumblineError):
    """The command ended with an error. The text is what it printed. `exit_code` is 2 for wrong usage or data, and 3 for a backend
    that could not start."""

    def __init__(self, message, exit_code):
        super().__init__(message)
        self.exit_code = exit_code


def command():
    """The path of the command: that of the environment of this Python, or the first one in PATH.

    The variable PLUMBLINE_COMMAND names another.
    """
    given = os.environ.get(VARIABLE)
    if given:
        found = shutil.which(given)
        if found is None:
            raise CommandNotFound(f"{VARIABLE} is {given}, which is not a program")
        return os.path.abspath(found)
    name = "plumbline.exe" if os.name == "nt" else "plumbline"
    user = "nt_user" if os.name == "nt" else "osx_framework_user" if sys.platform == "darwin" else "posix_user"
    folders = [sysconfig.get_path("scripts"), pathlib.Path(sys.executable).parent]
    if user in sysconfig.get_scheme_names():
        folders.append(sysconfig.get_path("scripts", scheme=user))
    for folder in folders:
        path = pathlib.Path(folder) / name
        if path.is_file():
            return str(path)
    found = shutil.which("plumbline")
    if found is None:
        raise CommandNotFound(f"there is no command `plumbline`: `pip install plumbline` brings it, or {VARIABLE} names it")
    return found


def run(arguments, accepted=(0,), cwd=None):
    """Runs the command and returns what it printed and its exit code. An exit code that is not accepted is a CommandError."""
    words = [command(), *map(str, arguments)]
    try:
        done = subprocess.run(words, cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", errors="replace")
    except OSError as error:
        raise CommandNotFound(f"{words[0]} cannot be started: {error}") from None
    if done.returncode not in accepted:
        text = done.stderr.strip().removeprefix("error: ") or f"`{' '.join(words)}` ended with {done.returncode}"
        raise CommandError(text, done.returncode)
    return done.stdout, done.returncode
