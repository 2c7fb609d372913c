"""config/setting.json: J9.1 to J9.4. Wrong settings end the start before anything is written."""
import json

from harness.probe import start

OUT_OF_RANGE = [
    ("job.workers", 0), ("job.workers", 257),
    ("job.poll_ms", 0), ("job.poll_ms", 60_001),
    ("job.lease_ms", 99), ("job.lease_ms", 7_200_001),
    ("job.retry_base_ms", 0), ("job.retry_base_ms", 3_600_001),
    ("job.retry_max_ms", 99), ("job.retry_max_ms", 86_400_001),  # the base is 100
    ("job.retry_jitter", -1), ("job.retry_jitter", 101),
    ("job.deploy_grace_ms", -1), ("job.deploy_grace_ms", 86_400_001),
    ("runtime.shutdown_ms", 0), ("runtime.shutdown_ms", 3_600_001),
    ("database.default.max_connections", 0), ("database.default.max_connections", 513),
]
WRONG_TYPE = [
    ("job.workers", "4"), ("job.workers", 4.0), ("job.workers", None), ("job.lease_ms", True),
    ("runtime.mode", 1), ("database.default.path", 7), ("log.level", []), ("job", []),
]
WRONG_VALUE = [
    ("runtime.mode", "both"), ("log.level", "trace"), ("database.default.type", "oracle"),
    ("database.default.path", "../x.db"), ("database.default.path", ""),
]
REQUIRED = ["runtime.shutdown_ms", "runtime.mode", "job.workers", "job.poll_ms", "job.lease_ms",
            "job.retry_base_ms", "job.retry_max_ms", "job", "database", "database.default",
            "database.default.type", "database.default.path"]
UNKNOWN = ["extra", "job.extra", "runtime.extra", "database.default.extra", "log.extra"]


def changed(settings, path, value, remove=False):
    """A copy of the settings with one entry set or removed."""
    copy = json.loads(json.dumps(settings))
    *parents, last = path.split(".")
    target = copy
    for name in parents:
        target = target[name]
    if remove:
        del target[last]
    else:
        target[last] = value
    return copy


def refused(app, settings, path, *words):
    """The start fails: the message has the path and the words, and no database is made."""
    app.configure(settings)
    done = app.raw()
    shown = f"{path}: exit {done.returncode}\n{done.stdout}{done.stderr}"
    assert done.returncode == 1, shown
    for word in (path, *words):
        assert word in done.stderr + done.stdout, f"`{word}` is not named\n{shown}"
    assert not app.db.path.exists(), f"{path}: a database was made"


def test_J9_3_values_out_of_range_refuse_the_start(lab):
    """J9.3: the message names the JSON path, what was found and the allowed range."""
    app = lab.app("probe")
    for path, value in OUT_OF_RANGE:
        refused(app, changed(app.settings, path, value), path, str(value))


def test_J9_3_limits_themselves_are_allowed(lab):
    """J9.3, J9.4: the least and the greatest values of every setting work."""
    app = lab.app("probe")
    least = {"workers": 1, "poll_ms": 1, "lease_ms": 60_000, "retry_base_ms": 1, "retry_max_ms": 1,
             "retry_jitter": 0, "deploy_grace_ms": 0}
    most = {"workers": 256, "poll_ms": 60_000, "lease_ms": 7_200_000, "retry_base_ms": 3_600_000,
            "retry_max_ms": 86_400_000, "retry_jitter": 100, "deploy_grace_ms": 86_400_000}
    for job, connections, shutdown in ((least, 2, 1), (most, 257, 3_600_000)):
        settings = changed(app.settings, "job", job)
        settings = changed(settings, "database.default.max_connections", connections)
        app.configure(changed(settings, "runtime.shutdown_ms", shutdown))
        worker = app.worker()
        worker.terminate()
        assert worker.ended() == 0, worker.log


def test_J9_1_wrong_types_refuse_the_start(lab):
    """J9.1: mistyped entries name their path."""
    app = lab.app("probe")
    for path, value in WRONG_TYPE + WRONG_VALUE:
        refused(app, changed(app.settings, path, value), path)


def test_J9_1_missing_entries_refuse_the_start(lab):
    """J9.1, J9.2: what a worker needs is required."""
    app = lab.app("probe")
    for path in REQUIRED:
        parent, _, name = path.rpartition(".")
        refused(app, changed(app.settings, path, None, remove=True), parent, name)


def test_J9_1_unknown_entries_refuse_the_start(lab):
    """J9.1: unknown entries name their path."""
    app = lab.app("probe")
    for path in UNKNOWN:
        refused(app, changed(app.settings, path, 1), path)


def test_J9_1_duplicate_and_broken_json_refuse_the_start(lab):
    """J9.1: a duplicate key, text after the object, no object, no file."""
    app = lab.app("probe")
    text = json.dumps(app.settings)
    for broken in (text.replace('"workers": 4', '"workers": 4, "workers": 5'), text + "x", "[]", "",
                   text.replace('"job"', '"job')):
        app.configure(broken)
        done = app.raw()
        assert done.returncode == 1 and done.stderr, broken
        assert not app.db.path.exists()
    (app.folder / "config/setting.json").unlink()
    done = app.raw()
    assert done.returncode == 1 and "setting.json" in done.stderr + done.stdout, done


def test_J9_4_pool_smaller_than_the_slots_refuses_the_start(lab):
    """J9.4: the pool has at least workers + 1 connections."""
    app = lab.app("probe")
    refused(app, changed(app.settings, "database.default.max_connections", 4), "max_connections")


def test_J9_4_lease_below_twice_the_longest_timeout_refuses_the_start(lab):
    """J9.4: the longest timeout of the probe is 30 000 ms."""
    app = lab.app("probe")
    refused(app, changed(app.settings, "job.lease_ms", 59_999), "job.lease_ms")


def test_later_settings_are_refused_as_not_supported_yet(lab):
    """Settings of parts that do not exist yet are never silently accepted."""
    app = lab.app("probe")
    for path, value in (("job.retention_ms", 1000), ("job.dead_retention_ms", 1000)):
        refused(app, changed(app.settings, path, value), path, "not supported yet")
    postgres = {"type": "postgres", "url": "postgres://localhost/x", "tls": "disabled"}
    refused(app, changed(app.settings, "database.default", postgres), "database.default")


def test_mode_api_does_not_serve_jobs(lab):
    """J9.2: in `api` mode dever.job.serve() returns at once."""
    app = lab.app("probe", runtime={"mode": "api"})
    task = start(app, "once", "a")
    done = app.raw()
    assert done.returncode in (0, 1), done
    assert app.task(task)["state"] == "pending"


def test_relative_paths_are_relative_to_the_program(lab):
    """language.md 8: for a built program to its own folder, wherever it is started."""
    app = lab.app("probe")
    import subprocess
    done = subprocess.run([app.program, "lab.probe.notes", '{"name":"x"}'], cwd="/", env=lab.env,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert app.db.path.exists()
