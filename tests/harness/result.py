"""The outcome of one case, and the jobs that produce outcomes."""
from dataclasses import dataclass
from typing import Callable, List

PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"


@dataclass
class Result:
    name: str
    status: str
    output: str = ""


@dataclass
class Job:
    """A piece of work that the runner gives to one thread; it may report several cases."""

    name: str
    run: Callable[[], List[Result]]
    slow: bool = False  # started first, so that it does not stand alone at the end


def outcome(name, failures):
    """A Result from a list of lines that say what is wrong."""
    return Result(name, FAILED if failures else PASSED, "\n".join(failures))
