"""UTC schedules: J8.4 to J8.6 and F70 to F76. Tests of time move the cursor, never wait for a minute."""
from harness.scenario import until

TICK, YEARLY = "lab.clock.job.tick", "lab.clock.job.yearly"
MINUTE = 60_000


def cursor(app, identity=TICK):
    return app.db.value("SELECT last_minute FROM _dever_job_schedule WHERE identity = ?", identity)


def test_first_start_makes_no_task(lab):
    """J8.4: the first start records the current minute."""
    app = lab.app("clock")
    app.worker()
    until("a cursor", lambda: cursor(app) is not None)
    assert app.tasks("yearly") == []


def rewound(lab, count):
    """A clock whose cursor stands `count` minutes back; no worker runs, no task is there."""
    app = lab.app("clock")
    worker = app.worker()
    until("a cursor", lambda: cursor(app) is not None)
    worker.terminate()
    assert worker.ended() == 0
    app.db.change("DELETE FROM _dever_jobs")  # a minute may have begun meanwhile
    app.db.change("UPDATE _dever_job_schedule SET last_minute = last_minute - ? WHERE identity = ?",
                  count * MINUTE, TICK)
    return app


def check_windows(app, start, count):
    """Every minute after `start` was made once; a minute may begin at any moment."""
    until(f"{count} windows have run", lambda: app.db.value(
        "SELECT count(*) FROM _dever_jobs WHERE target = ? AND state = 'succeeded'", TICK) >= count,
        seconds=60)
    found = app.db.one("SELECT count(*) AS tasks, count(DISTINCT dedupe_key) AS keys, "
                       "min(dedupe_key LIKE 'schedule:%') AS named, "
                       "(SELECT last_minute FROM _dever_job_schedule WHERE identity = ?1) AS cursor "
                       "FROM _dever_jobs WHERE target = ?1", TICK)
    assert found["tasks"] == found["keys"] == (found["cursor"] - start) // MINUTE, (found, start)
    assert found["named"] == 1, found


def test_cursor_when_behind_makes_every_missed_minute_once(lab):
    """J8.4 to J8.6: windows after last_minute up to now, each once, key schedule:<minute>."""
    app = rewound(lab, 5)
    start = cursor(app)
    app.worker()
    check_windows(app, start, 5)


def test_two_workers_make_each_window_once(lab):
    """J8.5, F71: any number of workers, one task for one window; more than one round of 256."""
    app = rewound(lab, 600)
    start = cursor(app)
    app.worker()
    app.worker()
    check_windows(app, start, 600)


def test_cursor_in_the_future_makes_nothing(lab):
    """J8.7: last_minute never goes back; a cursor in the future is an error in the log."""
    app = lab.app("clock")
    worker = app.worker()
    until("a cursor", lambda: cursor(app) is not None)
    worker.terminate()
    worker.ended()
    made = len(app.tasks("tick"))
    app.db.change("UPDATE _dever_job_schedule SET last_minute = last_minute + ? WHERE identity = ?",
                  600 * MINUTE, TICK)
    ahead = cursor(app)
    worker = app.worker()
    until("an error in the log", lambda: any(
        line["level"] == "error" and "tick" in str(line) for line in worker.lines()))
    assert cursor(app) == ahead and len(app.tasks("tick")) == made


def test_yearly_cursor_when_years_behind_is_computed_at_once(lab):
    """J8.4: computed from the fields, never a walk over years; a task for each first of January."""
    app = lab.app("clock")
    worker = app.worker()
    until("a cursor", lambda: cursor(app, YEARLY) is not None)
    worker.terminate()
    worker.ended()
    years = 20
    app.db.change("UPDATE _dever_job_schedule SET last_minute = last_minute - ? WHERE identity = ?",
                  years * 366 * 24 * 60 * MINUTE, YEARLY)
    app.worker()
    until("twenty years", lambda: len(app.tasks("yearly")) >= years)
    app.await_all("succeeded")
