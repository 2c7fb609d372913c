"""Golden programs: what `dever check` says about each program of tests/language/.

A case is one file `what_it_shows.dever`. Its first line says what is expected in one glance:

    #! accept               no message at all
    #! accept W001          accepted, with these warnings
    #! refuse C009 C004     refused, with these errors (and warnings), in any order

Without further marks the text is the file module/lab/demo/app.dever. A line `# file: shop/order/job.dever`
starts another file below module/ (paths that begin with test/ or config/ are below the project). The
complete output stands beside it in `what_it_shows.expected`, after a line with the exit status.
"""
import difflib
import re
import subprocess
import tempfile
from pathlib import Path

from .build import ROOT
from .result import Job, outcome

FOLDER = ROOT / "tests" / "language"
HEADER = re.compile(r"#! (accept|refuse)((?: [A-Z]\d{3})*)\s*$")
FILE = re.compile(r"# file: (\S+)\s*$")
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")  # next times of a schedule, from now
CODE = re.compile(r"(?:^|: )(?:error|warning)\[([A-Z]\d{3})\]", re.MULTILINE)
SECONDS = 20

DATABASE = '{ "database": { "default": { "type": "sqlite", "path": "data/db/lab.db", "max_connections": 8 } } }\n'
WORKER = """{
  "runtime": { "mode": "worker", "shutdown_ms": 5000 },
  "job": {
    "workers": 4,
    "poll_ms": 250,
    "lease_ms": 7200000,
    "retry_base_ms": 1000,
    "retry_max_ms": 300000
  },
  "database": {
    "default": { "type": "sqlite", "path": "data/db/lab.db", "max_connections": 8 }
  }
}
"""


def split(text):
    """The files of a program: path below the project -> text."""
    if not any(FILE.match(line) for line in text.splitlines()):
        return {"module/lab/demo/app.dever": text}
    files, path = {}, None
    for line in text.splitlines(keepends=True):
        match = FILE.match(line)
        if match:
            path = match.group(1)
            if not path.startswith(("test/", "config/")):
                path = "module/" + path
            files[path] = ""
        elif path is not None:
            files[path] += line
    return files


def write_project(folder, files):
    settings = WORKER if any("/job.dever" in p or "/job/" in p for p in files) else DATABASE
    for path, text in {"config/setting.json": settings, **files}.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode())


def check(dever, env, files):
    """Exit status and output of `dever check` on the program."""
    with tempfile.TemporaryDirectory(prefix="dever-golden-") as name:
        write_project(Path(name), files)
        done = subprocess.run([dever, "check", name], env=env, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS,
                              check=False)
        return done.returncode, MOMENT.sub("<moment>", done.stdout.decode(errors="replace"))


def compare(path, dever, env):
    name = f"language/{path.relative_to(FOLDER).with_suffix('')}"
    text = path.read_bytes().decode()
    header = HEADER.match(text.split("\n", 1)[0])
    if not header:
        return outcome(name, ["its first line must be `#! accept` or `#! refuse CODE …`"])
    status, output = check(dever, env, split(text))
    wrong = []
    if status != (0 if header.group(1) == "accept" else 1):
        wrong.append(f"expected to {header.group(1)} it, exit status is {status}")
    codes = sorted(CODE.findall(output))
    if codes != sorted(header.group(2).split()):
        wrong.append(f"expected codes {header.group(2).split()}, found {codes}")
    actual = f"exit {status}\n{output}"
    expected_path = path.with_suffix(".expected")
    expected = expected_path.read_text() if expected_path.exists() else None
    if expected is None:
        wrong.append(f"{expected_path.relative_to(ROOT)} is missing; output is\n{actual}")
    elif expected != actual:
        wrong.extend(difflib.unified_diff(expected.splitlines(), actual.splitlines(),
                                          "expected", "actual", lineterm=""))
    return outcome(name, wrong)


def bless_one(path, dever, env):
    status, output = check(dever, env, split(path.read_bytes().decode()))
    path.with_suffix(".expected").write_text(f"exit {status}\n{output}")
    # Blessing changes texts, never what a program is there to show.
    return compare(path, dever, env)


def jobs(build, env, wanted, bless=False):
    dever = Path(build).resolve() / "dever"
    for path in sorted(FOLDER.rglob("*.dever")):
        name = f"language/{path.relative_to(FOLDER).with_suffix('')}"
        if wanted in name:
            run = bless_one if bless else compare
            yield Job(name, lambda p=path: [run(p, dever, env)])
