"""Words of the application tests/apps/probe, shared by the scenarios that use it."""
from .scenario import until


def work(name, first_pause=0, later_pause=0, failures=0):
    """A payload: how long its attempts pause (ms) and how many of them fail."""
    return {"name": name, "first_pause": first_pause, "later_pause": later_pause,
            "failures": failures}


def notes(app, name):
    """What handlers noted for this name, as `step attempt`, oldest first."""
    return [row["note"] for row in app.db.rows(
        "SELECT step || ' ' || attempt AS note FROM probe WHERE name = ? ORDER BY id", name)]


def await_note(app, name, note):
    until(f"note `{note}` of {name}", lambda: note in notes(app, name))


def start(app, job, name, key=None, **told):
    """Enqueues one task of the job; its id. The key is the name unless another is given."""
    return app.call(f"lab.probe.start_{job}", work=work(name, **told), key=key or name)
