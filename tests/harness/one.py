"""Runs one scenario in a process of its own: python3 -m harness.one <build> <file> <function>."""
import importlib.util
import sys
import traceback

from .scenario import Lab


def main():
    build, path, function = sys.argv[1:]
    spec = importlib.util.spec_from_file_location("scenario_under_test", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    lab = Lab(build)
    try:
        getattr(module, function)(lab)
        lab.check_logs()
    except BaseException:  # pylint: disable=broad-except
        traceback.print_exc(file=sys.stdout)
        lab.report()
        return 1
    finally:
        lab.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
