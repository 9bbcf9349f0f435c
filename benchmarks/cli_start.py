"""What the command line costs before it does anything: CPU of whole processes, in pairs.

`grice --help` and `grice --version` are held against `pytest --version`; the bar is 1.25 times, and 2 times
for `grice run` of one golden, with an assistant of the examples that imports `urllib.request`. The import of
the library of the command line is held against `python -c pass`; the bar is 50 ms. `grice report --help` may
load nothing but the command line.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

PAIRS = 20
BAR = 1.25
RUN_BAR = 2.0
IMPORT_BAR = 50.0
GRICE = [sys.executable, "-c", "import sys; sys.argv[0] = 'grice'; from grice.cli import main; main()"]
PYTEST = [sys.executable, "-m", "pytest", "--version"]
LIBRARY = "click"
EXAMPLE = Path(__file__).parent.parent / "examples" / "wordpress_assistant"
OWN = {"grice", "click"}
"""The packages that a page of help may load, beside those of Python."""


def cpu(command: list[str]) -> float:
    """Milliseconds of CPU of one process, with this plugin of pytest and no other."""
    environment = os.environ | {
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "PYTEST_PLUGINS": "grice.pytest_plugin",
    }
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    with subprocess.Popen(
        command, env=environment, cwd=EXAMPLE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as child:
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0, command
    return (usage.ru_utime + usage.ru_stime) * 1000


def pairs(base: list[str], command: list[str]) -> tuple[float, float, float]:
    """The medians of both commands, and of the ratios, after a first run of each that fills the cache."""
    cpu(base)
    cpu(command)
    both = [(cpu(base), cpu(command)) for _ in range(PAIRS)]
    ratio = statistics.median(after / before for before, after in both)
    return statistics.median(one for one, _ in both), statistics.median(one for _, one in both), ratio


def loaded_by_help() -> set[str]:
    """The packages that `grice report --help` loads, beside those that Python loads by itself."""
    code = (
        "import sys; before = {*sys.modules}; from grice.cli import main\n"
        "try: main(['report', '--help'])\n"
        "finally: print(*{*sys.modules} - before, file=sys.stderr)"
    )
    shown = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    names = {name.partition(".")[0] for name in shown.stderr.split()}
    return {name for name in names if name not in sys.stdlib_module_names}


def main() -> int:
    """Print the medians of the pairs; the exit code says whether the bars hold."""
    print(f"CPU in ms, median of {PAIRS} pairs")
    held = True
    with tempfile.TemporaryDirectory() as runs:
        run = ["run", "goldens/list-plugins.golden.json", "--runs", runs]
        for arguments, bar in ((["--help"], BAR), (["--version"], BAR), (run, RUN_BAR)):
            base, own, ratio = pairs(PYTEST, [*GRICE, *arguments])
            held &= ratio <= bar
            against = f"pytest --version {base:6.0f}   grice {arguments[0]:<10} {own:6.0f}"
            print(f"  {against}   {ratio:.2f} times (bar {bar})")
    base, own, _ = pairs([sys.executable, "-c", "pass"], [sys.executable, "-c", f"import {LIBRARY}"])
    held &= own - base <= IMPORT_BAR
    print(f"  python -c pass   {base:6.0f}   import {LIBRARY:<9} {own:6.0f}   {own - base:.0f} more (bar 50)")
    more = loaded_by_help() - OWN
    print(f"  grice report --help loads {', '.join(sorted(more)) or 'nothing but the command line'}")
    return 0 if held and not more else 1


if __name__ == "__main__":
    sys.exit(main())
