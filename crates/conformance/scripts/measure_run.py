"""How fast a run is, and how much memory it takes while it goes on.

    python3 crates/conformance/scripts/measure_run.py [XTASK] [ARGUMENTS OF conformance ...]

Starts `xtask conformance` (target/release/xtask, ONNX Runtime alone, nightly, unless told otherwise). After each 50,000
cases, prints the cases per second, and the resident memory of the host and of its workers in MiB: now, and the most so
far. If a run keeps what it has done, its memory grows from line to line. Linux only.
"""

import os
import re
import subprocess
import sys
import threading
import time

STEP = 50_000


def memory(pid):
    """Resident MiB, now and at most so far; zeros for a process that has ended."""
    try:
        with open(f"/proc/{pid}/status") as status:
            fields = dict(line.split(":", 1) for line in status)
        return tuple(int(fields[name].split()[0]) // 1024 for name in ("VmRSS", "VmHWM"))
    except (OSError, KeyError):
        return (0, 0)


def children(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as file:
            found = [int(child) for child in file.read().split()]
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children") as file:
                found += [int(child) for child in file.read().split()]
        return set(found)
    except OSError:
        return set()


def main():
    words = sys.argv[1:]
    xtask = words.pop(0) if words and not words[0].startswith("-") else "target/release/xtask"
    words = words or ["--backend", "onnxruntime", "--profile", "nightly", "--out", "target/measured"]
    run = subprocess.Popen([xtask, "conformance", *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    most = {"host": 0, "workers": 0, "largest": 0}
    now = dict(most)

    def watch():
        while run.poll() is None:
            host, host_most = memory(run.pid)
            workers = [memory(child) for child in children(run.pid)]
            now.update(host=host, workers=sum(w[0] for w in workers), largest=max([w[0] for w in workers], default=0))
            most["host"] = max(most["host"], host_most)
            most["workers"] = max(most["workers"], now["workers"])
            most["largest"] = max([most["largest"], *(w[1] for w in workers)])
            time.sleep(0.1)

    threading.Thread(target=watch, daemon=True).start()
    start = time.monotonic()
    print(f"{'cases':>9} {'a second':>9} {'host MiB':>9} {'most':>5} {'workers MiB':>12} {'most':>5} {'largest worker':>15}")
    seen, last = 0, start
    for line in run.stdout:
        found = re.search(r"work, (\d+) cases", line)
        if found and int(found[1]) >= seen + STEP:
            cases, at = int(found[1]), time.monotonic()
            speed = (cases - seen) / (at - last)
            print(
                f"{cases:>9} {speed:>9.0f} {now['host']:>9} {most['host']:>5} {now['workers']:>12} {most['workers']:>5} {most['largest']:>15}",
                flush=True,
            )
            seen, last = cases, at
        elif re.search(r"results: | cases, .* s;", line):
            print(line.rstrip())
    run.wait()
    print(f"most: host {most['host']} MiB, all workers {most['workers']} MiB, largest worker {most['largest']} MiB")


main()
