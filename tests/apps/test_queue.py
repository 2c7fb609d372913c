"""Enqueueing, running and retrying: J2, J5, J7 of the specification of jobs."""
import json
import time
from datetime import datetime, timedelta, timezone

from harness.probe import await_note, notes, start, work
from harness.scenario import until

SWEEP = "lab.probe.job.sweep"


def now_ms():
    return time.time_ns() // 1_000_000


def test_enqueue_when_transaction_commits_keeps_row_and_task(lab):
    """J2.4: business rows and the task commit together; J4: the row of a fresh task."""
    app = lab.app("probe")
    before = now_ms()
    task = app.call("lab.probe.submit", work=work("a", 1, 2, 3), refused=False)
    row = app.task(task)
    assert row["state"] == "pending" and row["attempt"] == 0, row
    assert (row["target"], row["dedupe_key"]) == ("lab.probe.job.once", "business:a"), row
    assert (row["max_attempts"], row["timeout_ms"]) == (3, 30000), row
    assert row["error"] is None and row["claim_token"] is None and row["started_at"] is None, row
    assert before - 5 <= row["run_at"] <= now_ms() and before - 5 <= row["created_at"], row
    assert row["schema"].startswith("v1:") and len(row["schema"]) == 35, row
    payload = app.db.value("SELECT payload FROM _dever_job_payload WHERE id = ?", task)
    assert json.loads(payload) == work("a", 1, 2, 3)
    assert notes(app, "a") == ["before 0", "after 0"]


def test_enqueue_when_transaction_fails_keeps_neither(lab):
    """J2.4: a failure after the enqueue rolls back the task and the business rows."""
    app = lab.app("probe")
    envelope = app.refused("lab.probe.submit", work=work("a"), refused=True)
    assert envelope["message"] == "lab.probe.app.ProbeError.Refused", envelope
    assert app.tasks() == [] and notes(app, "a") == []


def test_enqueue_when_key_is_active_returns_the_same_id(lab):
    """J2.3, F22: the stored payload and run_at stay; business rows of the second caller commit."""
    app = lab.app("probe")
    first = app.call("lab.probe.submit", work=work("a"), refused=False)
    row = app.task(first)
    second = app.call("lab.probe.submit", work=work("a", 9, 9, 9), refused=False)
    assert second == first and len(app.tasks()) == 1
    assert app.task(first) == row
    payload = app.db.value("SELECT payload FROM _dever_job_payload WHERE id = ?", first)
    assert json.loads(payload) == work("a")
    assert notes(app, "a") == ["before 0", "after 0"] * 2


def test_enqueue_when_task_has_ended_makes_a_new_one(lab):
    """J2.3: once it is succeeded the key is free again."""
    app = lab.app("probe")
    first = start(app, "once", "a")
    app.worker()
    app.await_state(first, "succeeded", 1)
    second = start(app, "once", "a")
    assert second != first
    app.await_state(second, "succeeded", 1)


def test_enqueue_when_task_runs_returns_its_id(lab):
    """J2.3: a running task absorbs the request."""
    app = lab.app("probe")
    app.worker()
    first = start(app, "steps", "a", first_pause=1500)
    await_note(app, "a", "begin 1")
    assert start(app, "steps", "a") == first
    app.await_state(first, "succeeded", 1)
    assert notes(app, "a") == ["begin 1", "end 1"]


def test_enqueue_when_same_key_and_other_job_makes_two(lab):
    """J2.3: uniqueness is of target and key."""
    app = lab.app("probe")
    assert start(app, "once", "a") != start(app, "steps", "a")


def test_enqueue_from_many_processes_makes_one_task(lab):
    """F60: one key at once from many callers: one row, equal ids, no error."""
    app = lab.app("probe")
    app.call("lab.probe.notes", name="")  # makes the tables
    calls = [app.start("lab.probe.start_once", work=work("a"), key="one") for _ in range(12)]
    ids = {app.answer(call) for call in calls}
    assert len(ids) == 1 and len(app.tasks()) == 1, ids


def test_key_when_empty_or_long_or_with_nul_is_refused(lab):
    """J2.2: 1 to 1024 bytes without U+0000, checked at run time with InvalidData, nothing stored."""
    app = lab.app("probe")
    for key in ("", "é" * 512 + "x", "a\0b"):
        envelope = app.refused("lab.probe.start_sweep", key=key)
        assert envelope == {"code": 500, "message": "dever.database.Error.InvalidData",
                            "data": None}, envelope
    assert app.tasks() == []
    app.call("lab.probe.start_sweep", key="é" * 512)
    app.call("lab.probe.start_sweep", key="k")
    assert [len(t["dedupe_key"].encode()) for t in app.tasks()] == [1024 + 9, 1 + 9]


def test_payload_when_too_large_is_refused(lab):
    """J2.5, J3.4: over 1 MiB or over 65 536 values: InvalidData, nothing stored."""
    app = lab.app("probe")
    many = {"name": "a", "numbers": [1] * 65_536}
    large = {"name": "x" * (1024 * 1024), "numbers": []}
    for numbers in (many, large):
        path = json.dumps({"work": numbers, "key": "k"})
        envelope = app.refused("lab.probe.start_burn", "-", stdin=path)
        assert envelope["code"] in (400, 500), envelope
    assert app.tasks() == []


def test_task_when_due_later_starts_at_its_time(lab):
    """J5.3: never before run_at, soon after it, also when another process made the task."""
    app = lab.app("probe", job={"poll_ms": 10_000})
    app.worker()
    due = datetime.now(timezone.utc) + timedelta(milliseconds=1234)
    run_at = due.strftime("%Y-%m-%dT%H:%M:%S.") + f"{due.microsecond // 1000:03d}Z"
    task = app.call("lab.probe.start_sweep_at", key="k", run_at=run_at)
    row = app.await_state(task, "succeeded", 1)
    late = row["started_at"] - row["run_at"]
    assert 0 <= late < 1000, f"started {late} ms after its time"


def test_task_when_far_away_waits(lab):
    """J5.3: not due is not run; moved to now, it runs."""
    app = lab.app("probe")
    task = app.call("lab.probe.start_sweep_at", key="k", run_at="2199-01-01T00:00:00Z")
    other = app.call("lab.probe.start_sweep", key="other")
    app.worker()
    app.await_state(other, "succeeded")
    assert app.task(task)["state"] == "pending" and app.task(task)["attempt"] == 0
    app.make_due(task)
    app.await_state(task, "succeeded", 1)


def test_enqueue_from_other_process_wakes_the_worker(lab):
    """J2.6, J6.3: woken after the commit, long before the next poll."""
    app = lab.app("probe", job={"poll_ms": 60_000})
    app.worker()
    for number in range(3):
        task = app.call("lab.probe.start_sweep", key=str(number))
        row = app.await_state(task, "succeeded", seconds=10)
        assert row["started_at"] - row["created_at"] < 1000, row


def test_tasks_run_in_order_of_time(lab):
    """J6.2: ordered by (run_at, id)."""
    app = lab.app("probe", job={"workers": 1})
    tasks = [start(app, "once", name) for name in "abcd"]
    for task, run_at in zip(tasks, (40, 20, 30, 10)):
        app.move(task, run_at=run_at)
    app.worker()
    app.await_all("succeeded")
    order = [r["name"] for r in app.db.rows("SELECT name FROM probe WHERE step = 'end' ORDER BY id")]
    assert order == ["d", "b", "c", "a"], order


def test_failure_when_attempts_are_left_is_retried_with_growing_delay(lab):
    """J7.1, F51: base, then twice the base; the error names the failure and its place only (J7.2)."""
    app = lab.app("probe", job={"retry_base_ms": 200, "retry_max_ms": 10_000})
    app.worker()
    task = start(app, "steps", "a", failures=2)
    row = app.await_state(task, "succeeded", 3)
    assert row["error"] is None and row["finished_at"] is not None, row
    begun = [r["created_at"] for r in app.db.rows(
        "SELECT created_at FROM probe WHERE step = 'begin' ORDER BY id")]
    first, second = begun[1] - begun[0], begun[2] - begun[1]
    assert first >= 195 and second >= 395, (first, second)
    assert notes(app, "a") == ["begin 1", "begin 2", "begin 3", "end 3"]


def test_failure_when_no_attempt_is_left_is_dead(lab):
    """J7: dead with handler_failed; J7.2, F54: never the message's text."""
    app = lab.app("probe")
    worker = app.worker()
    task = start(app, "steps", "a", failures=9)
    row = app.await_state(task, "dead", 3)
    assert row["error"] == "handler_failed", row
    assert row["error_detail"].startswith("lab.probe.app.ProbeError.Refused"), row
    assert "module/lab/probe/app.dever:" in row["error_detail"], row
    assert "swordfish" not in row["error_detail"] and "swordfish" not in worker.log
    assert row["lease_until"] is None or row["lease_until"] >= 0
    # The key is free again, and the payload is kept.
    assert start(app, "steps", "a") != task
    assert app.db.value("SELECT count(*) FROM _dever_job_payload WHERE id = ?", task) == 1


def test_failure_inside_transaction_rolls_back_what_the_attempt_did(lab):
    """J7.3: each failed attempt leaves nothing, the last one everything, once."""
    app = lab.app("probe")
    app.worker()
    task = start(app, "once", "a", failures=2)
    app.await_state(task, "succeeded", 3)
    assert notes(app, "a") == ["begin 3", "end 3"]


def test_handler_when_it_enqueues_and_fails_leaves_no_follower(lab):
    """J2.4, J7.3: the follower's row is part of the handler's transaction."""
    app = lab.app("probe")
    app.worker()
    task = start(app, "relay", "a", failures=9)
    app.await_state(task, "dead", 3)
    assert app.tasks("once") == [] and notes(app, "a") == []
    task = start(app, "relay", "b")
    app.await_state(task, "succeeded", 1)
    follower = until("the follower ran", lambda: [
        t for t in app.tasks("once") if t["state"] == "succeeded"])
    assert len(follower) == 1


def test_fault_is_retried_and_then_dead(lab):
    """J7: a fault (division by zero) is handler_fault, with its kind and place."""
    app = lab.app("probe")
    passing, dying = start(app, "divide", "a", failures=1), start(app, "divide", "b", failures=1)
    app.move(dying, max_attempts=1)
    app.worker()
    row = app.await_state(dying, "dead", 1)
    assert row["error"] == "handler_fault", row
    assert "module/lab/probe/app.dever:" in row["error_detail"], row
    app.await_state(passing, "succeeded", 2)
    assert notes(app, "a") == ["-1000 2"]


def test_handler_when_its_time_is_over_is_cancelled(lab):
    """J6.8: a sleeping handler ends at its timeout: handler_timeout, then dead."""
    app = lab.app("probe")
    app.worker()
    task = start(app, "brief", "a", first_pause=60_000, later_pause=60_000)
    row = app.await_state(task, "dead", 2)
    assert row["error"] == "handler_timeout", row
    assert notes(app, "a") == ["begin 1", "begin 2"]
    task = start(app, "brief", "b", first_pause=60_000)
    app.await_state(task, "succeeded", 2)
    assert notes(app, "b") == ["begin 1", "begin 2", "end 2"]


def test_handler_when_it_computes_past_its_time_is_cancelled(lab):
    """J6.8: cancellation reaches a handler at every step of a combinator."""
    app = lab.app("probe")
    app.worker()
    inputs = {"work": {"name": "a", "numbers": list(range(20_000))}, "key": "k"}
    done = app.raw("lab.probe.start_burn", "-", stdin=json.dumps(inputs))
    task = json.loads(done.stdout)["data"]
    row = app.await_state(task, "dead", 2)
    assert row["error"] == "handler_timeout", row
    other = start(app, "once", "b")
    app.await_state(other, "succeeded")


def test_handler_knows_its_task_and_attempt(lab):
    """J2.7: dever.job.id() and attempt(); null outside a job."""
    app = lab.app("probe")
    assert app.call("lab.probe.attempt_outside") is None
    app.worker()
    task = app.call("lab.probe.start_sweep", key="k")
    app.await_state(task, "succeeded", 1)
    assert notes(app, "sweep") == [f"{task} 1"]


def test_fan_out_when_many_tasks_all_run_once(lab):
    """J6.2, J7.3: two workers share the tasks; every transaction is committed once."""
    app = lab.app("probe")
    app.worker()
    app.worker()
    ids = app.call("lab.probe.fan", name="n", numbers=list(range(200)))
    assert len(set(ids)) == 200
    until("all have succeeded", lambda: app.db.value(
        "SELECT count(*) FROM _dever_jobs WHERE state = 'succeeded'") == 200)
    assert app.db.value("SELECT count(*) FROM probe WHERE step = 'end'") == 200
    assert app.db.value("SELECT count(DISTINCT name) FROM probe") == 200
    assert app.db.value("SELECT max(attempt) FROM _dever_jobs") == 1


def test_slots_when_all_are_taken_bound_what_runs(lab):
    """J6.2: claims only as many tasks as there are free slots."""
    app = lab.app("probe", job={"workers": 2})
    for name in "abcde":
        start(app, "steps", name, first_pause=300)
    app.worker()
    highest = 0

    def all_done():
        nonlocal highest
        running = sum(t["state"] == "running" for t in app.tasks())
        highest = max(highest, running)
        return all(t["state"] == "succeeded" for t in app.tasks())
    until("all have succeeded", all_done)
    assert highest == 2, highest


def test_last_slot_is_kept_for_another_target(lab):
    """J6.10: one target never takes the last slot while another target has due work."""
    app = lab.app("probe", job={"workers": 2})
    slow = [start(app, "steps", name, first_pause=4000) for name in "abc"]
    other = start(app, "once", "quick")
    app.worker()
    app.await_state(other, "succeeded")
    assert any(app.task(t)["state"] != "succeeded" for t in slow)


def test_queue_columns_after_success_tell_what_happened(lab):
    """J4.1: worker and claim_token stay readable, times are set, started_at before finished_at."""
    app = lab.app("probe")
    app.worker()
    row = app.await_state(start(app, "once", "a"), "succeeded")
    assert row["worker"] and row["claim_token"], row
    assert row["created_at"] <= row["started_at"] <= row["finished_at"], row
    assert row["error"] is None and row["error_detail"] is None, row


def test_log_has_one_line_for_each_end_of_an_attempt(lab):
    """J6.13: task id, target, attempt of max, outcome, error, place, duration, next run."""
    app = lab.app("probe")
    worker = app.worker()
    task = start(app, "steps", "a", failures=1)
    app.await_state(task, "succeeded", 2)

    def lines():
        found = [line for line in worker.lines() if task in json.dumps(line)]
        return found if len(found) >= 2 else None
    first, second = until("two lines about the task", lines)
    assert "handler_failed" in json.dumps(first), first
    assert "ProbeError.Refused" in json.dumps(first), first
    assert "succeeded" in json.dumps(second), second
    for line in (first, second):
        assert line["time"].endswith("Z") and line["level"], line
        assert "lab.probe.job.steps" in json.dumps(line), line
