"""Unit tests: every test executable that Meson knows, run with cmocka's TAP output."""
import json
import re
import subprocess

from .build import ROOT
from .result import FAILED, PASSED, SKIPPED, Job, Result

LINE = re.compile(r"^(not )?ok \d+ (?:- )?(.*)$")
SECONDS = 120


def run_executable(name, command, env):
    results = []
    try:
        done = subprocess.run(command, env={**env, "CMOCKA_MESSAGE_OUTPUT": "TAP"}, cwd=ROOT,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=SECONDS, check=False)
        text, status = done.stdout.decode(errors="replace"), done.returncode
    except subprocess.TimeoutExpired as expired:
        text, status = (expired.stdout or b"").decode(errors="replace"), f"no end in {SECONDS} s"
    for line in text.splitlines():
        match = LINE.match(line)
        if match:
            failed, case = match.groups()
            skipped = case.startswith("# SKIP")
            status_of_case = SKIPPED if skipped else FAILED if failed else PASSED
            results.append(Result(f"unit/{name}: {case.removeprefix('# SKIP').strip()}", status_of_case))
    failed = [r for r in results if r.status == FAILED]
    if failed:
        failed[0].output = text
    elif status != 0 or not results:
        results.append(Result(f"unit/{name}", FAILED, f"{text}\nexit status {status}"))
    return results


def jobs(build, env, wanted):
    listing = subprocess.run(["meson", "introspect", "--tests", str(build)], check=True, cwd=ROOT,
                             stdout=subprocess.PIPE, text=True).stdout
    for test in json.loads(listing):
        name = test["name"]
        if wanted in f"unit/{name}":
            yield Job(f"unit/{name}", lambda n=name, c=test["cmd"]: run_executable(n, c, env))
