"""The file of a model that the Python helper writes for a runtime."""

import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from plumbline_onnx import ModelFile


def test_another_program_opens_the_file():
    with ModelFile(b"a model") as path:
        # The program has none of this process's file descriptors.
        program = "import sys; print(open(sys.argv[1], 'rb').read().decode())"
        found = subprocess.run([sys.executable, "-c", program, path], capture_output=True, check=True, close_fds=True)
        assert found.stdout.decode().strip() == "a model"
    assert not os.path.exists(path)


def test_what_a_killed_process_left_is_deleted():
    program = f"""
import os, sys
sys.path.insert(0, {str(Path(__file__).parent.parent)!r})
from plumbline_onnx import ModelFile
print(ModelFile(b"a model").path, flush=True)
os.kill(os.getpid(), 9)
"""
    left = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False).stdout.decode().strip()
    assert os.path.exists(left)
    ModelFile.count = 0
    with ModelFile(b"another"):
        assert not os.path.exists(left)
