"""Scenarios: real programs, real workers, a real database (tests/apps and tests/faults).

A scenario is a function `test_what_when_expect(lab)` in a file test_*.py. It builds an application,
runs commands and workers as processes of their own, reads and moves rows with Python's sqlite3, and
waits for what it expects to see, never for time to pass. Each runs in a process and a folder of its
own; when it fails, the logs of its workers and the rows of the queue are shown.
"""
import ast
import fcntl
import hashlib
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from .build import ROOT
from .result import Job, outcome

SECONDS = 120  # of one scenario
PATIENCE = 20  # seconds that `until` waits for something that should come at once
REPORTS = ("ERROR: AddressSanitizer", "WARNING: ThreadSanitizer", "ERROR: LeakSanitizer",
           "runtime error:")


class Gone(AssertionError):
    """Something that was awaited did not come."""


def until(what, condition, seconds=PATIENCE):
    """Waits until condition() is true and returns its value; fails with `what` after the time."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise Gone(f"waited {seconds} s for: {what}")
        time.sleep(0.01)


def merge(base, changes):
    """Settings with changes; a value None takes the entry away."""
    result = dict(base)
    for key, value in changes.items():
        if value is None:
            result.pop(key, None)
        elif isinstance(value, dict) and isinstance(result.get(key), dict):
            result[key] = merge(result[key], value)
        else:
            result[key] = value
    return result


class Database:
    """The program's SQLite file, seen from outside."""

    def __init__(self, path):
        self.path = path

    def _open(self):
        connection = sqlite3.connect(self.path, timeout=30, isolation_level=None)
        connection.row_factory = sqlite3.Row
        return connection

    def rows(self, sql, *values):
        if not self.path.exists():
            return []
        connection = self._open()
        try:
            return [dict(row) for row in connection.execute(sql, values)]
        except sqlite3.OperationalError as error:
            if "no such table" in str(error):  # the program has not made it yet
                return []
            raise
        finally:
            connection.close()

    def one(self, sql, *values):
        rows = self.rows(sql, *values)
        assert len(rows) == 1, f"{len(rows)} rows for {sql} {values}"
        return rows[0]

    def value(self, sql, *values):
        rows = self.rows(sql, *values)
        return next(iter(rows[0].values())) if rows else None

    def change(self, sql, *values):
        """Runs one writing statement; returns the number of rows that it changed."""
        connection = self._open()
        try:
            connection.execute("BEGIN IMMEDIATE")
            count = connection.execute(sql, values).rowcount
            connection.execute("COMMIT")
            return count
        finally:
            connection.close()

    def hold(self):
        """An open write transaction; the caller commits or closes it."""
        connection = self._open()
        connection.execute("BEGIN IMMEDIATE")
        return connection


class Worker:
    """A process of the program that serves jobs."""

    def __init__(self, program, folder, env, log):
        self.log_path = log
        self.stream = open(log, "wb")  # pylint: disable=consider-using-with
        self.process = subprocess.Popen(  # pylint: disable=consider-using-with
            [program], cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=self.stream,
            stderr=self.stream)

    @property
    def pid(self):
        return self.process.pid

    @property
    def log(self):
        return self.log_path.read_text(errors="replace")

    def lines(self):
        """The log's lines as objects."""
        return [json.loads(line) for line in self.log.splitlines() if line.startswith("{")]

    def alive(self):
        return self.process.poll() is None

    def signal(self, number):
        assert self.alive(), f"the worker has ended with {self.process.returncode}:\n{self.log}"
        self.process.send_signal(number)

    def kill(self):
        self.signal(signal.SIGKILL)
        self.process.wait()

    def freeze(self):
        """SIGSTOP, and waits until every thread stands still."""
        self.signal(signal.SIGSTOP)
        until("the worker stands still", lambda: all(
            (task / "stat").read_text().rsplit(")", 1)[1].split()[0] in "tT"
            for task in Path(f"/proc/{self.pid}/task").iterdir()))

    def thaw(self):
        self.signal(signal.SIGCONT)

    def terminate(self):
        self.signal(signal.SIGTERM)

    def ended(self, seconds=PATIENCE):
        """Waits for the end and returns the exit status."""
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise Gone(f"the worker did not end within {seconds} s") from None

    def close(self):
        if self.alive():
            self.process.send_signal(signal.SIGCONT)
            self.process.kill()
            self.process.wait()
        self.stream.close()


class App:
    """A built program in a folder of its own, with settings, database, commands and workers."""

    def __init__(self, lab, program, settings, folder):
        self.lab, self.folder, self.settings = lab, folder, settings
        self.program = folder / "app"
        shutil.copy2(program, self.program)
        (folder / "config").mkdir()
        self.configure(settings)
        path = settings.get("database", {}).get("default", {}).get("path", "data/db/app.db")
        self.db = Database(folder / path)

    def configure(self, settings):
        text = settings if isinstance(settings, str) else json.dumps(settings, indent=2)
        (self.folder / "config" / "setting.json").write_text(text)

    def raw(self, *arguments, stdin=""):
        """Runs the program; a finished process with text output."""
        return subprocess.run([self.program, *arguments], cwd=self.folder, env=self.lab.env,
                              input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              timeout=60, check=False)

    def start(self, command, **inputs):
        """Runs a command beside the test; a process whose output `answer` reads."""
        process = subprocess.Popen(  # pylint: disable=consider-using-with
            [self.program, command, json.dumps(inputs)], cwd=self.folder, env=self.lab.env,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.lab.processes.append(process)
        return process

    @staticmethod
    def answer(process):
        out, err = process.communicate(timeout=60)
        assert process.returncode == 0, f"exit {process.returncode}\n{out}\n{err}"
        return json.loads(out)["data"]

    def call(self, command, **inputs):
        """Runs a command that must succeed; its data."""
        done = self.raw(command, json.dumps(inputs))
        shown = f"{command} {inputs}: exit {done.returncode}\n{done.stdout}{done.stderr}"
        assert done.returncode == 0, shown
        envelope = json.loads(done.stdout)
        assert (envelope["code"], envelope["message"]) == (0, "ok"), shown
        assert set(envelope) == {"code", "message", "data"} and done.stdout.count("\n") == 1, shown
        return envelope["data"]

    def refused(self, command, *arguments, stdin="", **inputs):
        """Runs a command that must fail; its envelope."""
        done = self.raw(command, *(arguments or [json.dumps(inputs)]), stdin=stdin)
        shown = f"{command} {arguments or inputs}: exit {done.returncode}\n{done.stdout}{done.stderr}"
        assert done.returncode == 1, shown
        envelope = json.loads(done.stdout)
        assert set(envelope) == {"code", "message", "data"} and envelope["data"] is None, shown
        return envelope

    def worker(self, serving=True):
        """Starts a worker; waits until it serves, unless told not to."""
        number = len(self.lab.workers) + 1
        worker = Worker(self.program, self.folder, self.lab.env, self.lab.folder / f"worker{number}.log")
        self.lab.workers.append(worker)
        if serving:
            until("the worker serves", lambda: self.serves(worker))
        return worker

    def serves(self, worker):
        assert worker.alive(), f"the worker ended with {worker.process.returncode}:\n{worker.log}"
        return '"job worker started"' in worker.log

    # ---- the queue ----

    def tasks(self, target=None):
        """All tasks in the order they were made; `target` is the job's name."""
        sql = "SELECT * FROM _dever_jobs WHERE ?1 IS NULL OR target LIKE '%.job.' || ?1 ORDER BY id"
        return self.db.rows(sql, target)

    def task(self, task_id):
        return self.db.one("SELECT * FROM _dever_jobs WHERE id = ?", task_id)

    def in_state(self, task_id, state, attempt=None):
        row = self.task(task_id)
        return row if row["state"] == state and attempt in (None, row["attempt"]) else None

    def await_state(self, task_id, state, attempt=None, seconds=PATIENCE):
        """Waits until the task is in the state (in this attempt); its row."""
        wanted = state if attempt is None else f"{state} in attempt {attempt}"
        return until(f"task {task_id} is {wanted}",
                     lambda: self.in_state(task_id, state, attempt), seconds)

    def await_all(self, state, seconds=PATIENCE):
        until(f"every task is {state}", lambda: all(t["state"] == state for t in self.tasks()), seconds)

    def move(self, task_id, **columns):
        """Writes columns of a task's row, as a clock that moved or a hand that erred would."""
        names = ", ".join(f"{name} = ?" for name in columns)
        count = self.db.change(f"UPDATE _dever_jobs SET {names} WHERE id = ?",
                               *columns.values(), task_id)
        assert count == 1, f"no task {task_id}"

    def make_due(self, task_id):
        self.move(task_id, run_at=0)

    def expire_lease(self, task_id):
        count = self.db.change("UPDATE _dever_jobs SET lease_until = 1 "
                               "WHERE id = ? AND state = 'running'", task_id)
        assert count == 1, f"task {task_id} is not running"


class Lab:
    """What one scenario uses; closes everything it started."""

    def __init__(self, build):
        self.build = Path(build)
        self.env = dict(os.environ)
        self.folder = Path(tempfile.mkdtemp(prefix="dever-lab-"))
        self.apps, self.workers, self.processes = [], [], []

    def app(self, name, project=None, **settings):
        """An application of tests/apps/ or examples/, built once and put in a folder of its own.

        Keywords change its settings: lab.app("shop", job={"poll_ms": 20}).
        """
        project = project or next(p for p in (ROOT / "tests/apps" / name, ROOT / "examples" / name)
                                  if p.is_dir())
        own = json.loads((project / "config" / "setting.json").read_text())
        folder = self.folder / f"app{len(self.apps) + 1}"
        folder.mkdir()
        app = App(self, self.built(project), merge(own, settings), folder)
        self.apps.append(app)
        return app

    def dever(self, *arguments, cwd=None):
        """Runs the compiler's command; a finished process."""
        return subprocess.run([self.build / "dever", *arguments], env=self.env, cwd=cwd,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, timeout=120, check=False)

    def project(self, files, base=None):
        """A project folder with the files given (path -> text), on top of a copy of `base`."""
        folder = Path(tempfile.mkdtemp(prefix="project-", dir=self.folder))
        if base:
            shutil.copytree(ROOT / base, folder, dirs_exist_ok=True,
                            ignore=shutil.ignore_patterns("data", ".dever"))
        for path, text in files.items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)
        return folder

    def built(self, project):
        """The program of the project; kept in the build folder for as long as nothing changes."""
        digest = hashlib.sha256()
        for path in sorted(project.rglob("*")):
            if path.is_file() and path.parts[len(project.parts)] in ("module", "config"):
                digest.update(str(path.relative_to(project)).encode() + b"\0" + path.read_bytes())
        for name in ("dever", "libdever.a"):
            digest.update((self.build / name).read_bytes())
        folder = self.build / "test-programs"
        folder.mkdir(exist_ok=True)
        program = folder / digest.hexdigest()[:24]
        with open(f"{program}.lock", "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not program.exists():
                fresh = self.folder / "fresh"
                source = self.project({}, base=project)  # so that no cache is left beside it
                done = self.dever("build", str(source), "--output", str(fresh))
                assert done.returncode == 0, f"dever build {project}:\n{done.stdout}{done.stderr}"
                shutil.copy2(fresh, f"{program}.new")
                os.replace(f"{program}.new", program)
        return program

    def check_logs(self):
        """A sanitizer's report in a log fails the scenario, whatever the scenario saw."""
        for worker in self.workers:
            for text in REPORTS:
                assert text not in worker.log, f"a sanitizer found something:\n{worker.log}"

    def report(self):
        for number, app in enumerate(self.apps, 1):
            print(f"app {number}: tasks")
            for task in app.tasks():
                print("  " + "  ".join(f"{key}={value}" for key, value in task.items()
                                       if value is not None))
        for number, worker in enumerate(self.workers, 1):
            print(f"worker {number}, status {worker.process.poll()}:\n{worker.log[-6000:]}")

    def close(self):
        for process in self.processes:
            if process.poll() is None:
                process.kill()
                process.wait()
        for worker in self.workers:
            worker.close()
        shutil.rmtree(self.folder, ignore_errors=True)


# ---- discovery ----


def run_scenario(name, build, path, function, env):
    command = [sys.executable, "-B", "-m", "harness.one", str(build), str(path), function]
    process = subprocess.Popen(command, cwd=ROOT / "tests", env=env, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               start_new_session=True)
    try:
        output, _ = process.communicate(timeout=SECONDS)
        wrong = [output.decode(errors="replace")] if process.returncode != 0 or output else []
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
        wrong = [output.decode(errors="replace") + f"\nno end in {SECONDS} s"]
    return [outcome(name, wrong)]


def functions(path):
    tree = ast.parse(path.read_text(), str(path))
    return [node.name for node in tree.body
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]


def jobs(suite, build, env, wanted):
    build = Path(build).resolve()
    for path in sorted((ROOT / "tests" / suite).glob("test_*.py")):
        for function in functions(path):
            name = f"{suite}/{path.stem[5:]}: {function[5:]}"
            if wanted in name:
                yield Job(name, lambda n=name, p=path, f=function: run_scenario(n, build, p, f, env),
                          slow=True)
