"""The command `dever`: check, build, run, cron."""
import json
import os

HELLO = {
    "config/setting.json": '{ "log": { "level": "info" } }\n',
    "module/hello/greeting/app.dever":
        'greet(name: Text) (message: Text) {\n  message = "Hello, " + name\n}\n',
    "module/hello/greeting/api.dever": "cmd greet = app.greet\n",
}
GREET = ["hello.greeting.greet", '{"name":"Ada"}']
ANSWER = '{"code":0,"message":"ok","data":"Hello, Ada"}\n'


def test_check_when_wrong_prints_every_error_and_exits_1(lab):
    """Code, place, source line, caret; exit 1; errors in the order of their places."""
    project = lab.project({**HELLO, "module/hello/greeting/app.dever":
                           'greet(name: Text) (message: Int) {\n  message = name\n  other_name = missing\n}\n'})
    done = lab.dever("check", str(project))
    assert done.returncode == 1, done
    assert "error[C005]" in done.stderr and "error[C004]" in done.stderr, done.stderr
    assert "module/hello/greeting/app.dever:2:13" in done.stderr and "^" in done.stderr, done.stderr
    assert done.stderr.index("C005") < done.stderr.index("C004")


def test_check_without_a_project_says_what_is_missing(lab):
    """A plain line, exit 1."""
    done = lab.dever("check", str(lab.folder / "nothing"))
    assert done.returncode == 1 and done.stderr, done


def test_check_as_json_has_one_object_a_line(lab):
    """language.md, Messages: --json for editors."""
    project = lab.project({**HELLO, "module/hello/greeting/app.dever": "greet(name: Text) (message: Int) {\n  message = name\n}\n"})
    done = lab.dever("check", "--json", str(project))
    assert done.returncode == 1, done
    lines = [json.loads(line) for line in (done.stdout + done.stderr).splitlines()]
    assert len(lines) == 1 and "C005" in json.dumps(lines[0]), lines


def test_build_makes_one_program(lab):
    """The program runs its command from its own folder."""
    project = lab.project(HELLO)
    output = lab.folder / "hello"
    done = lab.dever("build", str(project), "--output", str(output))
    assert done.returncode == 0, done
    assert os.access(output, os.X_OK)
    app = lab.app("hello", project=project)
    assert app.raw(*GREET).stdout == ANSWER


def test_build_replaces_its_own_output_only(lab):
    """language.md 15: another file needs --force."""
    project = lab.project(HELLO)
    output = lab.folder / "hello"
    for _ in range(2):
        assert lab.dever("build", str(project), "--output", str(output)).returncode == 0
    output.write_text("mine")
    done = lab.dever("build", str(project), "--output", str(output))
    assert done.returncode == 1 and output.read_text() == "mine", done
    assert lab.dever("build", str(project), "--output", str(output), "--force").returncode == 0
    assert output.read_bytes()[:4] == b"\x7fELF"


def test_build_keeps_the_c_where_told(lab):
    """--emit-c <dir>: readable C, names that spell the path."""
    project = lab.project(HELLO)
    folder = lab.folder / "c"
    done = lab.dever("build", str(project), "--output", str(lab.folder / "hello"), "--emit-c", str(folder))
    assert done.returncode == 0, done
    text = "".join(path.read_text() for path in sorted(folder.rglob("*.c")))
    assert "hello_greeting_app_greet" in text and "#line" in text


def test_build_when_wrong_makes_nothing(lab):
    """Errors of check, exit 1, no output."""
    project = lab.project({**HELLO, "module/hello/greeting/api.dever": "cmd greet = app.missing\n"})
    done = lab.dever("build", str(project), "--output", str(lab.folder / "hello"))
    assert done.returncode == 1 and "C004" in done.stderr and not (lab.folder / "hello").exists()


def test_run_runs_a_command(lab):
    """dever run <root> -- <command> '<json>'."""
    project = lab.project(HELLO)
    for _ in range(2):
        done = lab.dever("run", str(project), "--", *GREET)
        assert (done.returncode, done.stdout) == (0, ANSWER), done


def test_run_sees_a_change(lab):
    """An edited source is compiled again."""
    project = lab.project(HELLO)
    assert lab.dever("run", str(project), "--", *GREET).stdout == ANSWER
    path = project / "module/hello/greeting/app.dever"
    path.write_text(path.read_text().replace("Hello", "Welcome"))
    assert "Welcome, Ada" in lab.dever("run", str(project), "--", *GREET).stdout


def test_run_keeps_its_data_in_the_project(lab):
    """language.md 8: relative paths are relative to the project root for `dever run`."""
    project = lab.project({}, base="tests/apps/atlas")
    inputs = {"code": "aa", "name": "x", "people": 1, "area": "1", "height": None, "founded": None}
    done = lab.dever("run", str(project), "--", "world.city.add", json.dumps(inputs))
    assert done.returncode == 0, done
    assert (project / "data/db/atlas.db").exists()


def test_run_gives_the_exit_status_of_the_program(lab):
    """A command that fails: its envelope and exit 1."""
    done = lab.dever("run", str(lab.project(HELLO)), "--", "hello.greeting.greet", "{}")
    assert done.returncode == 1 and json.loads(done.stdout)["code"] == 400, done


def test_missing_c_compiler_is_named_with_what_to_install(lab):
    """No cc and no tcc: what to install."""
    project = lab.project(HELLO)
    lab.env["PATH"] = str(lab.folder)
    done = lab.dever("build", str(project), "--output", str(lab.folder / "hello"))
    assert done.returncode == 1 and "install" in done.stderr and "gcc" in done.stderr, done


def test_cron_prints_the_next_times(lab):
    """J8.8: strictly after --from, one RFC 3339 UTC time a line, five unless told otherwise."""
    for expression, start, times in (
            ("0 0 1,16,31 * *", "2020-02-18T00:00:00Z",
             ["2020-03-01T00:00:00Z", "2020-03-16T00:00:00Z", "2020-03-31T00:00:00Z", "2020-04-01T00:00:00Z"]),
            ("0 0 29 2 *", "2096-03-01T00:00:00Z", ["2104-02-29T00:00:00Z"]),
            ("30 4 1,15 * 5", "2026-01-01T00:00:00Z",
             ["2026-01-01T04:30:00Z", "2026-01-02T04:30:00Z", "2026-01-09T04:30:00Z", "2026-01-15T04:30:00Z"]),
            ("0 0 31 2 1-5", "2026-01-01T00:00:00Z", ["2026-02-02T00:00:00Z", "2026-02-03T00:00:00Z"])):
        done = lab.dever("cron", expression, "--from", start, "--count", str(len(times)))
        assert done.returncode == 0 and done.stdout.split() == times, done
    assert len(lab.dever("cron", "* * * * *").stdout.split()) == 5


def test_cron_refuses_what_the_compiler_refuses(lab):
    """J8.8: or the error."""
    for expression in ("0 0 30 2 *", "@daily", "", "* * * *", "0 0 * * 7"):
        done = lab.dever("cron", expression)
        assert done.returncode == 1 and done.stderr and not done.stdout, (expression, done)


def test_wrong_usage_prints_the_usage(lab):
    """Unknown command or no command: exit 1 and the usage."""
    for arguments in ([], ["paint"], ["check"], ["build", "x"]):
        done = lab.dever(*arguments)
        assert done.returncode == 1 and "dever" in done.stderr + done.stdout, (arguments, done)
    assert "0.1.0" in lab.dever("--version").stdout
