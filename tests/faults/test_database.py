"""What the database may do to a worker: F21, F29 to F33, F65, J4.3, J6.9."""
import time

from harness.probe import await_note, notes, start, work
from harness.scenario import until


def test_F21_row_of_a_running_task_is_deleted(lab):
    """F21: other tasks are written; this one is logged."""
    app = lab.app("probe")
    worker = app.worker()
    gone = start(app, "steps", "a", first_pause=700)
    kept = start(app, "steps", "b", first_pause=700)
    await_note(app, "a", "begin 1")
    await_note(app, "b", "begin 1")
    app.db.change("DELETE FROM _dever_jobs WHERE id = ?", gone)
    app.await_state(kept, "succeeded", 1)
    until("the lost task is in the log", lambda: any(
        gone in str(line) and "lost" in str(line) for line in worker.lines()))
    assert worker.alive() and notes(app, "a") == ["begin 1"]


def test_F29_many_processes_never_see_a_locked_database(lab):
    """F29: workers claim while others enqueue in transactions: no `locked`, each starts once."""
    app = lab.app("probe", job={"workers": 2})
    for _ in range(3):
        app.worker()
    for turn in range(4):
        calls = [app.start("lab.probe.submit", work=work(f"{turn}.{n}"), refused=False)
                 for n in range(6)]
        for call in calls:
            app.answer(call)
    app.await_all("succeeded")
    assert len(app.tasks()) == 24
    assert app.db.value("SELECT max(attempt) FROM _dever_jobs") == 1
    assert app.db.value("SELECT count(*) FROM probe WHERE step = 'end'") == 24
    assert not any("locked" in w.log for w in lab.workers)


def test_F30_other_process_holds_the_write_lock(lab):
    """F30, J6.11: the worker waits and lives; no lease is lost because of it."""
    app = lab.app("probe")
    worker = app.worker()
    task = start(app, "steps", "a", first_pause=500)
    await_note(app, "a", "begin 1")
    waiting = start(app, "once", "b")
    held = app.db.hold()
    end = time.monotonic() + 7  # longer than SQLite's usual five seconds
    until("seven seconds of a held lock", lambda: time.monotonic() > end)
    assert worker.alive()
    held.execute("COMMIT")
    held.close()
    app.await_state(task, "succeeded", 1)
    app.await_state(waiting, "succeeded", 1)
    assert notes(app, "a") == ["begin 1", "end 1"]


def test_F33_two_processes_start_on_an_empty_database(lab):
    """F33: one schema, one version row, both run."""
    app = lab.app("probe")
    workers = [app.worker(serving=False) for _ in range(4)]
    for worker in workers:
        until("it serves", lambda w=worker: app.serves(w))
    assert app.db.value("SELECT count(*) FROM _dever_job_version") == 1
    task = start(app, "once", "a")
    app.await_state(task, "succeeded", 1)


def test_F65_environment_of_libraries_has_no_effect(lab):
    """F65, J9.1: variables that the libraries below would obey are removed at the start."""
    app = lab.app("probe")
    lab.env.update(SQLITE_TMPDIR="/nonexistent", PGOPTIONS="-c x=y", https_proxy="http://127.0.0.1:1")
    app.worker()
    task = start(app, "once", "a")
    app.await_state(task, "succeeded", 1)


def test_J4_3_unknown_version_is_refused_and_nothing_altered(lab):
    """J4.3: the message says which version was found and which the program knows."""
    app = lab.app("probe")
    task = start(app, "once", "a")
    app.db.change("UPDATE _dever_job_version SET version = 99")
    worker = app.worker(serving=False)
    assert worker.ended() == 1
    assert "99" in worker.log and "1" in worker.log.replace("99", ""), worker.log
    assert app.db.value("SELECT version FROM _dever_job_version") == 99
    assert app.task(task)["state"] == "pending"


def test_J4_3_tables_that_do_not_match_are_refused(lab):
    """J4.3: a table that was altered by hand refuses the start."""
    app = lab.app("probe")
    start(app, "once", "a")
    change_tables(app, "DROP INDEX _dever_jobs_active")
    worker = app.worker(serving=False)
    assert worker.ended() == 1, worker.log
    assert app.db.rows("SELECT name FROM sqlite_schema WHERE name = '_dever_jobs_active'") == []


def test_J6_9_database_that_is_away_does_not_end_the_worker(lab):
    """J6.9: a series of errors is logged once and got over; the worker resumes by itself."""
    app = lab.app("probe")
    worker = app.worker()
    first = start(app, "once", "a")
    second = app.call("lab.probe.start_sweep_at", key="b", run_at="2199-01-01T00:00:00Z")
    app.await_state(first, "succeeded")
    change_tables(app, "ALTER TABLE _dever_jobs RENAME TO hidden")
    until("the worker says what is wrong", lambda: errors(worker))
    change_tables(app, "ALTER TABLE hidden RENAME TO _dever_jobs")
    app.make_due(second)
    app.await_state(second, "succeeded")
    assert worker.alive() and len(errors(worker)) == 1, worker.log


def errors(worker):
    return [line for line in worker.lines() if line["level"] == "error"]


def change_tables(app, sql):
    connection = app.db.hold()
    connection.execute(sql)
    connection.execute("COMMIT")
    connection.close()
