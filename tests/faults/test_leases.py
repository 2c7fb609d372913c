"""Leases, fencing, recovery: F01 to F15 and J6.4 to J6.12. A lease ends because its row is moved."""
from harness.probe import await_note, notes, start
from harness.scenario import until


def stolen(lab, job="steps", **told):
    """W1 is frozen in the middle of attempt 1, its lease over; W2 runs attempt 2."""
    app = lab.app("probe")
    first = app.worker()
    task = start(app, job, "a", **told)
    await_note(app, "a", "begin 1")
    first.freeze()
    app.expire_lease(task)
    second = app.worker()
    await_note(app, "a", "begin 2")
    return app, task, first, second


def lost(worker, task):
    """The lines in which the worker says that it lost this task."""
    return [line for line in worker.lines() if task in str(line) and "lost" in str(line)]


def test_F01_frozen_worker_reports_success_after_its_lease(lab):
    """F01, J6.7: its report matches no row and is logged as a lost lease; W2's result decides."""
    app, task, first, second = stolen(lab, first_pause=1500, later_pause=4000)
    row = app.task(task)
    first.thaw()
    until("W1 says it lost the task", lambda: lost(first, task))
    now = app.task(task)
    assert now["state"] == "running" and now["attempt"] == 2, now
    assert now["claim_token"] == row["claim_token"] and now["worker"] == row["worker"], now
    app.await_state(task, "succeeded", 2)
    assert len(lost(first, task)) == 1 and not lost(second, task)
    assert notes(app, "a") == ["begin 1", "begin 2", "end 2"]


def test_F02_frozen_worker_reports_failure_after_its_lease(lab):
    """F02: no retry is scheduled by W1, no attempt counted, no error overwritten."""
    app, task, first, _ = stolen(lab, first_pause=1500, later_pause=4000, failures=1)
    row = app.task(task)
    first.thaw()
    until("W1 says it lost the task", lambda: lost(first, task))
    now = app.task(task)
    for column in ("state", "attempt", "claim_token", "run_at", "error", "error_detail"):
        assert now[column] == row[column], (column, now)
    app.await_state(task, "succeeded", 2)


def test_F03_frozen_worker_commits_nothing_after_its_lease(lab):
    """F03, J7.3: the transaction that W1 opens after its lease is refused, its rows are not there."""
    app, task, first, _ = stolen(lab, first_pause=1500, later_pause=0)
    app.await_state(task, "succeeded", 2)
    first.thaw()
    until("W1 says it lost the task", lambda: lost(first, task))
    assert notes(app, "a") == ["begin 1", "begin 2", "end 2"]
    other = start(app, "once", "b")
    app.await_state(other, "succeeded")


def test_F04_frozen_worker_does_not_revive_an_expired_lease(lab):
    """F04, J5.2: renewal is refused, the handler cancelled, the token never revived."""
    app = lab.app("probe", job={"lease_ms": 60_000})
    worker = app.worker()
    task = start(app, "steps", "a", first_pause=1000, later_pause=0)
    await_note(app, "a", "begin 1")
    worker.freeze()
    token = app.task(task)["claim_token"]
    app.expire_lease(task)
    worker.thaw()
    # The same worker takes it again, under a new token, and only that attempt counts.
    row = app.await_state(task, "succeeded", 2)
    assert row["claim_token"] != token, row
    assert notes(app, "a") == ["begin 1", "begin 2", "end 2"]


def test_F04_local_deadline_cancels_the_handler(lab):
    """J5.4: at its own deadline the handler ends, whatever the database says."""
    app = lab.project({}, base="tests/apps/probe")
    source = (app / "module/lab/probe/job.dever").read_text().replace("timeout(30000)", "timeout(400)")
    (app / "module/lab/probe/job.dever").write_text(source)
    app = lab.app("quick probe", project=app, job={"lease_ms": 1000})
    first = app.worker()
    task = start(app, "steps", "a", first_pause=350, later_pause=0)
    await_note(app, "a", "begin 1")
    first.freeze()
    second = app.worker()
    app.await_state(task, "succeeded", 2)  # the lease of one second ran out by itself
    first.thaw()
    until("W1 says it lost the task", lambda: lost(first, task))
    assert notes(app, "a") == ["begin 1", "begin 2", "end 2"]
    assert first.alive() and second.alive()


def test_F10_killed_at_its_only_attempt_is_dead(lab):
    """F10, J6.4: M = 1, SIGKILL: dead, attempts_exhausted; nothing else is blocked."""
    app = lab.app("probe")
    worker = app.worker()
    task = start(app, "only", "a", first_pause=60_000)
    await_note(app, "a", "begin 1")
    other = start(app, "once", "b")
    app.await_state(other, "succeeded")
    worker.kill()
    waiting = start(app, "once", "c")
    app.worker()
    row = app.await_state(task, "dead", 1)
    assert row["error"] == "attempts_exhausted", row
    app.await_state(waiting, "succeeded", 1)
    assert notes(app, "a") == ["begin 1"]


def test_F11_killer_of_its_workers_has_three_starts(lab):
    """F11: the process dies at every attempt, M = 3: exactly three starts, then dead."""
    app = lab.app("probe")
    task = start(app, "steps", "a", first_pause=60_000, later_pause=60_000)
    for attempt in (1, 2, 3):
        worker = app.worker()
        await_note(app, "a", f"begin {attempt}")
        other = start(app, "once", f"other {attempt}")
        app.await_state(other, "succeeded")
        worker.kill()
        if attempt == 2:
            app.db.change("UPDATE _dever_jobs SET run_at = 0 WHERE state = 'pending'")
    app.worker()
    row = app.await_state(task, "dead", 3)
    assert row["error"] == "attempts_exhausted", row
    assert notes(app, "a") == ["begin 1", "begin 2", "begin 3"]


def test_F12_new_process_recovers_what_a_killed_one_held(lab):
    """F12, J6.12: the dead worker's lock proves its death: resumed within a second of the start."""
    app = lab.app("probe")
    worker = app.worker()
    task = start(app, "steps", "a", first_pause=60_000, later_pause=0)
    await_note(app, "a", "begin 1")
    before = app.task(task)
    assert before["lease_until"] - before["started_at"] >= 59_000, before
    worker.kill()
    app.worker()
    row = app.await_state(task, "succeeded", 2)
    assert row["worker"] != before["worker"], row
    assert notes(app, "a") == ["begin 1", "begin 2", "end 2"]


def test_J6_12_running_worker_recovers_what_a_killed_one_held(lab):
    """J6.12: also a worker that was there before; a live worker's tasks are left alone."""
    app = lab.app("probe", job={"workers": 1})
    first = app.worker()
    one = start(app, "steps", "a", first_pause=60_000, later_pause=0)
    await_note(app, "a", "begin 1")
    second = app.worker()
    two = start(app, "steps", "b", first_pause=3000, later_pause=0)
    await_note(app, "b", "begin 1")
    first.kill()
    app.await_state(one, "succeeded", 2)
    app.await_state(two, "succeeded", 1)
    assert second.alive()


def test_J6_12_missing_lock_file_proves_nothing(lab):
    """J6.12: without the file of its worker, the lease decides."""
    app = lab.app("probe")
    task, other = start(app, "steps", "a"), start(app, "once", "b")
    app.move(task, state="running", attempt=1, claim_token="0" * 36, worker="0" * 36,
             lease_until=2**52, started_at=1)
    app.worker()
    app.await_state(other, "succeeded")
    assert app.task(task)["state"] == "running"
    app.expire_lease(task)
    app.await_state(task, "succeeded", 2)


def test_J6_4_expired_leases_are_recovered_whatever_stands_before_them(lab):
    """F08: many live leases and one dead lease behind them; the dead one is recovered."""
    app = lab.app("probe")
    app.call("lab.probe.fan_nothing", numbers=list(range(300)))
    app.db.change("UPDATE _dever_jobs SET state = 'running', attempt = 1, claim_token = id, "
                  "worker = 'w', lease_until = ?", 2**52)
    task = start(app, "once", "a")
    app.move(task, state="running", attempt=1, claim_token="t", worker="w", lease_until=1)
    app.worker()
    row = app.await_state(task, "succeeded", 2)
    assert app.db.value("SELECT count(*) FROM _dever_jobs WHERE state = 'running'") == 300
    assert row["error"] is None


def test_J6_4_second_expiry_waits_its_delay(lab):
    """J6.4: a row that says lease_expired already is not due at once again."""
    app = lab.app("probe", job={"retry_base_ms": 3_000_000, "retry_max_ms": 3_000_000})
    task = start(app, "once", "a")
    app.move(task, state="running", attempt=1, claim_token="t", worker="w", lease_until=1,
             error="lease_expired")
    app.worker()
    row = app.await_state(task, "pending", 1)
    assert row["run_at"] - row["updated_at"] >= 2_000_000 and row["error"] == "lease_expired", row


def test_F14_lease_counts_from_the_claim(lab):
    """F14: a task that waited for long has its whole lease."""
    app = lab.app("probe")
    task = start(app, "steps", "a", first_pause=500)
    app.move(task, run_at=1, created_at=1)
    app.worker()
    row = app.await_state(task, "running", 1)
    assert row["lease_until"] - row["started_at"] >= 59_000, row
    app.await_state(task, "succeeded", 1)


def test_F15_every_process_frozen_past_the_leases(lab):
    """F15: all processes stopped, leases over, continued: no task runs twice to a committed end."""
    app = lab.app("probe")
    names = [f"n{n}" for n in range(6)]
    for name in names:
        start(app, "steps", name, first_pause=2500, later_pause=0)
    workers = [app.worker(), app.worker()]
    for name in names:
        await_note(app, name, "begin 1")
    for worker in workers:
        worker.freeze()
    app.db.change("UPDATE _dever_jobs SET lease_until = 1 WHERE state = 'running'")
    for worker in workers:
        worker.thaw()
    app.await_all("succeeded")
    for name in names:
        assert len([n for n in notes(app, name) if n.startswith("end")]) == 1, notes(app, name)
    assert all(worker.alive() for worker in workers)
