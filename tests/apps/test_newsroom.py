"""The example application, from outside."""
from datetime import datetime, timedelta, timezone

from harness.build import ROOT
from harness.scenario import until

ARTICLE = "content.article."


def submit(app, title, publish_at=None, body="Text"):
    return app.call(ARTICLE + "submit", title=title, body=body, publish_at=publish_at)


def test_article_is_published_once_and_announced_at_the_third_try(lab):
    """A submission runs through publish and announce; the press refuses twice."""
    app = lab.app("newsroom")
    article = submit(app, "One", body="x" * 100)
    assert article["status"] == "scheduled" and article["publications"] == 0, article
    assert article["teaser"] == "x" * 77 + "...", article
    app.worker()
    until("the announcement has ended", lambda: [
        t for t in app.tasks("announce") if t["state"] == "succeeded"])
    listed = app.call(ARTICLE + "list", page=1)
    assert len(listed) == 1 and listed[0]["status"] == "published", listed
    assert listed[0]["publications"] == 1 and listed[0]["published_at"], listed
    assert [t["attempt"] for t in app.tasks("announce")] == [3]
    assert app.call("content.desk.lines", page=1) == ["published: One"] * 3
    assert app.call(ARTICLE + "published_since", moment="2020-01-01T00:00:00Z") == 1


def test_article_for_later_waits_for_its_time(lab):
    """enqueue_at: not before publish_at."""
    app = lab.app("newsroom")
    app.worker()
    due = datetime.now(timezone.utc) + timedelta(seconds=1)
    submit(app, "Later", publish_at=due.strftime("%Y-%m-%dT%H:%M:%S.") + f"{due.microsecond // 1000:03d}Z")
    task = until("published", lambda: [
        t for t in app.tasks("publish") if t["state"] == "succeeded"])[0]
    assert 0 <= task["started_at"] - task["run_at"] < 1000, task


def test_withdrawn_article_ends_dead(lab):
    """A withdrawn article's publication fails five times and is dead, with the failure's name."""
    app = lab.app("newsroom", job={"retry_base_ms": 1, "retry_max_ms": 2})
    article = submit(app, "Gone")
    assert app.call(ARTICLE + "withdraw", reference=article["reference"])["status"] == "withdrawn"
    app.worker()
    task = until("dead", lambda: [t for t in app.tasks("publish") if t["state"] == "dead"])[0]
    assert task["attempt"] == 5 and task["error"] == "handler_failed", task
    assert task["error_detail"].startswith("content.article.app.ArticleError.Withdrawn"), task
    assert app.db.value("SELECT publications FROM article") == 0


def test_review_that_is_killed_is_done_by_the_next_worker(lab):
    """kill -9 in the middle of a review, start again: done, in attempt 2."""
    app = lab.app("newsroom")
    article = submit(app, "Slow")
    first = app.worker()
    task = app.call(ARTICLE + "ask_review", reference=article["reference"], pause=3000,
                    scores=[1, 2, 3])
    app.await_state(task, "running", 1)
    first.kill()
    app.worker()
    app.await_state(task, "succeeded", 2)
    assert "reviewed: Slow = 6" in app.call("content.desk.lines", page=1)


def test_same_review_asked_twice_is_one_task(lab):
    """The key is the article: a second request while the first waits is absorbed."""
    app = lab.app("newsroom")
    article = submit(app, "One")
    asked = [app.call(ARTICLE + "ask_review", reference=article["reference"], pause=0, scores=[n])
             for n in (1, 2)]
    assert asked[0] == asked[1] and len(app.tasks("review")) == 1


def test_submission_with_a_bad_title_stores_nothing(lab):
    """Text(1, 200): neither the article nor its task."""
    app = lab.app("newsroom")
    for title in ("", "x" * 201):
        app.refused(ARTICLE + "submit", title=title, body="", publish_at=None)
    assert app.db.value("SELECT count(*) FROM article") == 0 and app.tasks() == []


def test_check_accepts_the_example_without_a_word(lab):
    """`dever check` prints nothing on success."""
    done = lab.dever("check", str(ROOT / "examples/newsroom"))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", ""), done
