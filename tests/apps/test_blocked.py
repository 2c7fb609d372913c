"""Tasks that a program must not run: J7.4, J7.5 and the rows of the outcome table that block."""
from harness.build import ROOT
from harness.probe import notes, start, work
from harness.scenario import until


def ready(lab, **settings):
    """A probe whose worker blocks what it does not know at its first look (every five seconds)."""
    return lab.app("probe", job={"deploy_grace_ms": 0, **settings})


def test_fingerprint_when_changed_blocks_the_task(lab):
    """J7, J7.4: schema_mismatch, no attempt used, the payload is kept; other tasks go on."""
    app = ready(lab)
    task, other = start(app, "once", "a"), start(app, "once", "b")
    app.move(task, schema="v1:" + "0" * 32, updated_at=0)
    app.worker()
    row = app.await_state(task, "blocked")
    assert row["error"] == "schema_mismatch" and row["attempt"] == 0, row
    assert app.db.value("SELECT count(*) FROM _dever_job_payload WHERE id = ?", task) == 1
    app.await_state(other, "succeeded")
    assert notes(app, "a") == []


def test_target_when_unknown_blocks_the_task(lab):
    """J7: unknown_target."""
    app = ready(lab)
    task = start(app, "once", "a")
    app.move(task, target="lab.probe.job.gone", updated_at=0)
    app.worker()
    row = app.await_state(task, "blocked")
    assert row["error"] == "unknown_target" and row["attempt"] == 0, row


def test_unknown_when_grace_is_not_over_waits(lab):
    """J7.5: a program that does not know a task leaves it alone for deploy_grace_ms."""
    app = lab.app("probe")  # grace: 300 000 ms
    task, other = start(app, "once", "a"), start(app, "once", "b")
    app.move(task, target="lab.probe.job.gone")
    app.worker()
    app.await_state(other, "succeeded")
    assert app.task(task)["state"] == "pending"


def test_payload_when_it_does_not_decode_blocks_the_task(lab):
    """J7, J3.4: invalid_payload at the claim; strict decoding."""
    app = ready(lab)
    broken = {
        "not json": "{",
        "other record": '{"title":"x"}',
        "missing field": '{"name":"a","first_pause":0,"later_pause":0}',
        "unknown field": '{"name":"a","first_pause":0,"later_pause":0,"failures":0,"x":1}',
        "duplicate key": '{"name":"a","name":"b","first_pause":0,"later_pause":0,"failures":0}',
        "wrong scalar": '{"name":"a","first_pause":"0","later_pause":0,"failures":0}',
        "fraction": '{"name":"a","first_pause":0.5,"later_pause":0,"failures":0}',
        "beyond i64": '{"name":"a","first_pause":9223372036854775808,"later_pause":0,"failures":0}',
        "null": '{"name":null,"first_pause":0,"later_pause":0,"failures":0}',
    }
    tasks = {}
    for what, payload in broken.items():
        tasks[what] = start(app, "once", what)
        app.db.change("UPDATE _dever_job_payload SET payload = ? WHERE id = ?", payload, tasks[what])
    fine = start(app, "once", "fine")
    app.worker()
    for what, task in tasks.items():
        row = app.await_state(task, "blocked")
        assert row["error"] == "invalid_payload", (what, row)
        assert notes(app, what) == []
    app.await_state(fine, "succeeded")


def test_policy_when_outside_the_limits_blocks_the_task(lab):
    """J7: invalid_policy: stored retry or timeout breaks today's limits; no attempt used."""
    app = ready(lab)
    tasks = [start(app, "once", name) for name in "abcd"]
    for task, columns in zip(tasks, ({"max_attempts": 101}, {"max_attempts": 0},
                                     {"timeout_ms": 0}, {"timeout_ms": 3_600_001})):
        app.move(task, updated_at=0, **columns)
    fine = start(app, "once", "fine")
    app.worker()
    for task in tasks:
        row = app.await_state(task, "blocked")
        assert row["error"] == "invalid_policy" and row["attempt"] == 0, row
    app.await_state(fine, "succeeded")


def test_row_when_unreadable_blocks_it_alone(lab):
    """J6.4, J7: invalid_row; the rest of the queue goes on."""
    app = ready(lab)
    bad, fine = start(app, "once", "bad"), start(app, "once", "fine")
    app.db.change("UPDATE _dever_job_payload SET payload = CAST(x'ff00fe' AS TEXT) WHERE id = ?", bad)
    app.worker()
    app.await_state(fine, "succeeded")
    row = app.await_state(bad, "blocked")
    assert row["error"] in ("invalid_row", "invalid_payload"), row


def test_task_of_another_version_waits_for_a_program_that_knows_it(lab):
    """J7.5, F53, F07: never executed by a program with another payload, run by one that knows it."""
    old = lab.app("probe")
    path = "module/lab/probe/app.dever"
    source = (ROOT / "tests/apps/probe" / path).read_text()
    changed = source.replace("  failures: Int\n}", "  failures: Int\n  note: Text?\n}")
    changed = changed.replace("    failures = 0\n", "    failures = 0\n    note = null\n")
    assert changed != source
    project = lab.project({path: changed}, base="tests/apps/probe")
    new = lab.app("new probe", project=project,
                  database={"default": {"path": str(old.db.path)}})
    new.db = old.db
    task = start(old, "once", "a")
    new.worker()
    other = new.call("lab.probe.start_once", work={**work("b"), "note": "new"}, key="b")
    new.await_state(other, "succeeded", 1)
    assert old.task(task)["state"] == "pending"
    old.worker()
    old.await_state(task, "succeeded", 1)
    assert notes(old, "a") == ["begin 1", "end 1"]


def test_blocked_task_frees_its_key(lab):
    """J2.3: once it is blocked the key is free again."""
    app = ready(lab)
    task = start(app, "once", "a")
    app.move(task, target="lab.probe.job.gone", updated_at=0)
    app.worker()
    app.await_state(task, "blocked")
    again = start(app, "once", "a")
    assert again != task
    app.await_state(again, "succeeded")
    until("still blocked", lambda: app.task(task)["state"] == "blocked")
