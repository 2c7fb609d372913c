"""The C that the compiler writes, as other compilers see it."""
import shutil
import subprocess

from harness.build import ROOT

PROGRAMS = ["examples/newsroom", "tests/apps/atlas", "tests/apps/probe"]
COMPILERS = [["gcc", "-Wall", "-Wextra", "-Werror", "-O1"], ["clang", "-Wall", "-Wextra", "-Werror"], ["tcc", "-Wall", "-Werror"]]

# Names of Dever that mean something in C, in the generated code or in the runtime's headers.
NAMES = {
    "module/lab/names/app.dever": """type Empty {}

type Word {
  int: Int
  main: Text
  tag: Bool
}

pick(int: Int) (linux: Int) {
  linux = int + 1
}

pick(int: Int, main: Int) (linux: Int) {
  s = int
  dv_text = main
  linux = s + dv_text
}

word(double: Int) (register: Word) {
  register = Word {
    int = pick(double)
    main = "a\\"b\\\\c?\\u{0}"
    tag = Empty {} == Empty {}
  }
}

split(n: Int < 0) (low: Int, high: Int) {
  low = n
  high = 0
}

split(n: Int >= 0) (low: Int, high: Int) {
  low = 0
  high = n
}

split_1(n: Int) (low: Int) {
  both = split(n)
  low = both.low + both.high
}

whole(struct: Int) (union: Int) {
  union = pick(struct, split_1(struct))
}
""",
    "module/lab/names/api.dever": "cmd word = app.word\ncmd whole = app.whole\n",
}


def emit(lab, project, name):
    folder = lab.folder / name
    done = lab.dever("build", str(project), "--output", str(lab.folder / f"{name}.out"), "--emit-c", str(folder))
    assert done.returncode == 0, done
    return folder


def compile_all(folder):
    for compiler in COMPILERS:
        if shutil.which(compiler[0]):
            for source in sorted(folder.glob("*.c")):
                done = subprocess.run([*compiler, "-I", ROOT / "runtime/include", "-I", folder, "-c", source,
                                       "-o", folder / "ignored.o"], capture_output=True, text=True, check=False)
                assert done.returncode == 0, done.stderr


def test_programs_compile_without_warnings(lab):
    """GCC, Clang and tcc, whichever is installed."""
    for number, program in enumerate(PROGRAMS):
        compile_all(emit(lab, lab.project({}, base=program), f"c{number}"))


def test_names_never_clash_with_c(lab):
    """Keywords, macros, the runtime's names, overloads, and functions named like a clause."""
    project = lab.project({"config/setting.json": "{}\n", **NAMES})
    compile_all(emit(lab, project, "names"))
    app = lab.app("names", project=project)
    assert app.call("lab.names.word", double=4) == {"int": 5, "main": 'a"b\\c?\0', "tag": True}
    assert app.call("lab.names.whole", struct=-3) == -6


def test_same_source_gives_the_same_bytes(lab):
    """But for the time of the build, which stands in main.c alone."""
    project = lab.project({}, base="examples/newsroom")
    first, second = emit(lab, project, "first"), emit(lab, project, "second")
    for path in sorted(first.iterdir()):
        one, two = path.read_text(), (second / path.name).read_text()
        if path.name == "main.c":
            one, two = ("\n".join(line for line in text.splitlines() if ".built_at" not in line) for text in (one, two))
        assert one == two, path.name
