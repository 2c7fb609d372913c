"""The rules on includes, as cases."""
import shutil
import subprocess

from .build import ROOT
from .result import SKIPPED, Job, Result, outcome


def run_tool(name, command):
    done = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    return [outcome(name, [done.stdout] if done.returncode != 0 else [])]


def jobs(wanted):
    cases = [("layers/includes run upwards", ["tools/check_layers"])]
    for compiler in ("gcc", "tcc"):
        cases.append((f"layers/headers compile alone with {compiler}",
                      ["tools/check_headers", compiler]))
    for name, command in cases:
        if wanted not in name:
            continue
        if len(command) > 1 and shutil.which(command[1]) is None:
            yield Job(name, lambda n=name: [Result(n, SKIPPED)])
        else:
            yield Job(name, lambda n=name, c=command: run_tool(n, c))
