"""Ending a worker: J9.5, J9.6 and the row worker_shutdown of J7."""
import signal
import time

from harness.probe import await_note, notes, start


def test_sigterm_when_a_handler_runs_drains_it(lab):
    """J9.5: stops claiming, lets the handler finish, exits 0."""
    app = lab.app("probe")
    worker = app.worker()
    task = start(app, "steps", "a", first_pause=800)
    await_note(app, "a", "begin 1")
    worker.terminate()
    waiting = start(app, "once", "b")
    assert worker.ended() == 0
    assert app.task(task)["state"] == "succeeded" and notes(app, "a") == ["begin 1", "end 1"]
    assert app.task(waiting)["state"] == "pending"


def test_sigterm_when_idle_ends_at_once(lab):
    """J9.5: nothing to drain: exit 0, long before the next poll."""
    app = lab.app("probe", job={"poll_ms": 60_000})
    worker = app.worker()
    started = time.monotonic()
    worker.terminate()
    assert worker.ended() == 0
    assert time.monotonic() - started < 3


def test_sigint_is_like_sigterm(lab):
    """J9.5: Ctrl-C."""
    app = lab.app("probe")
    worker = app.worker()
    worker.signal(signal.SIGINT)
    assert worker.ended() == 0


def test_sigterm_when_the_deadline_passes_gives_the_lease_back(lab):
    """J9.5, J7: cancelled at shutdown_ms, pending and due now, worker_shutdown, attempt kept, exit 1."""
    app = lab.app("probe", runtime={"shutdown_ms": 400})
    worker = app.worker()
    task = start(app, "steps", "a", first_pause=25_000, later_pause=0)
    await_note(app, "a", "begin 1")
    worker.terminate()
    assert worker.ended(10) == 1
    row = app.task(task)
    assert (row["state"], row["attempt"], row["error"]) == ("pending", 1, "worker_shutdown"), row
    assert row["run_at"] <= time.time_ns() // 1_000_000, row
    app.worker()
    app.await_state(task, "succeeded", 2)
    assert notes(app, "a") == ["begin 1", "begin 2", "end 2"]


def test_sigterm_at_the_last_attempt_is_dead(lab):
    """J7: any of the above with no attempt left: dead, the same word."""
    app = lab.app("probe", runtime={"shutdown_ms": 300})
    worker = app.worker()
    task = start(app, "only", "a", first_pause=25_000)
    await_note(app, "a", "begin 1")
    worker.terminate()
    assert worker.ended(10) == 1
    row = app.task(task)
    assert (row["state"], row["error"]) == ("dead", "worker_shutdown"), row


def test_second_signal_moves_the_deadline_to_now(lab):
    """J9.5: a second SIGTERM does not wait for shutdown_ms."""
    app = lab.app("probe", runtime={"shutdown_ms": 60_000})
    worker = app.worker()
    task = start(app, "steps", "a", first_pause=25_000)
    await_note(app, "a", "begin 1")
    worker.terminate()
    time.sleep(0.3)  # the first one must be seen as a signal of its own
    worker.terminate()
    assert worker.ended(10) == 1
    assert app.task(task)["error"] == "worker_shutdown"


def test_computing_handler_is_stopped_at_the_deadline(lab):
    """J9.5, J6.8: also a handler that never waits."""
    import json
    app = lab.app("probe", runtime={"shutdown_ms": 200})
    project_inputs = {"work": {"name": "a", "numbers": list(range(20_000))}, "key": "k"}
    worker = app.worker()
    task = json.loads(app.raw("lab.probe.start_burn", "-", stdin=json.dumps(project_inputs)).stdout)["data"]
    await_note(app, "a", "begin 1")
    worker.terminate()
    assert worker.ended(10) in (0, 1)
    row = app.task(task)
    assert row["state"] == "pending" and row["error"] in ("worker_shutdown", "handler_timeout"), row


def test_killed_worker_loses_nothing_committed(lab):
    """J9.6: what was committed stays; what was pending runs."""
    app = lab.app("probe")
    worker = app.worker()
    done = start(app, "once", "a")
    app.await_state(done, "succeeded")
    start(app, "steps", "b", first_pause=60_000, later_pause=0)
    await_note(app, "b", "begin 1")
    pending = app.call("lab.probe.start_sweep_at", key="k", run_at="2199-01-01T00:00:00Z")
    worker.kill()
    app.worker()
    app.make_due(pending)
    app.await_all("succeeded")
    assert notes(app, "a") == ["begin 1", "end 1"]
