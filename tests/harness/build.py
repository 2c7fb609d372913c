"""The build folder under test: where its programs are, and how it compiles what they emit."""
import json
import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def sanitizers(build):
    """The value of Meson's b_sanitize in this build folder, or an empty text."""
    options = subprocess.run(["meson", "introspect", "--buildoptions", str(build)], check=True,
                             stdout=subprocess.PIPE, text=True, cwd=ROOT).stdout
    value = next(o["value"] for o in json.loads(options) if o["name"] == "b_sanitize")
    return "" if value == "none" else value


def environment(build):
    """The environment of everything the tests start.

    A library built with a sanitizer needs programs that are linked with it, so in such a build folder
    `cc` and `tcc` are small scripts in front of the real compiler.
    """
    env = {k: v for k, v in os.environ.items() if not k.startswith(("LC_", "LANG", "PG"))}
    env["LC_ALL"] = "C"
    sanitizer = sanitizers(build)
    if sanitizer:
        folder = Path(build).resolve() / "test-bin"
        folder.mkdir(exist_ok=True)
        for name in ("cc", "tcc"):
            script = folder / name
            text = f'#!/bin/sh\nexec /usr/bin/cc -fsanitize={sanitizer} -g "$@"\n'
            if not script.exists() or script.read_text() != text:
                script.write_text(text)
                script.chmod(0o755)
        env["PATH"] = f"{folder}:{env['PATH']}"
        env["ASAN_OPTIONS"] = "detect_leaks=1:abort_on_error=0:exitcode=99"
        env["UBSAN_OPTIONS"] = "print_stacktrace=1:halt_on_error=1:exitcode=99"
        env["TSAN_OPTIONS"] = "halt_on_error=0:exitcode=98:second_deadlock_stack=1"
    return env
