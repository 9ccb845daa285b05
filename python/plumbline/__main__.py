"""`python -m plumbline`: runs the command."""

import os
import subprocess
import sys

from plumbline._command import PlumblineError, command


def main():
    try:
        words = [command(), *sys.argv[1:]]
    except PlumblineError as error:
        sys.exit(f"error: {error}")
    if os.name == "nt":
        sys.exit(subprocess.run(words).returncode)
    os.execv(words[0], words)


if __name__ == "__main__":
    main()
