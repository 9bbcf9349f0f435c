"""Write the kept reports of the examples: tests/reporting/kept_reports/EXAMPLE/NAME.txt, and .md to .xml.

Each example is run as its README says, in a copy of its folder, and then the commands that show what came of
it. Ids, times and the state of the machine are the same in every run. A change of what a report says is so
seen in its diff. Run by `make generate`, for some examples only with their names:

    python tools/generate_reports.py venue_search

A test fails when a file is stale.
"""

from __future__ import annotations

import base64
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from grice import __version__

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "tests" / "reporting" / "kept_reports"


class Run(NamedTuple):
    """A run of the example, kept under the id exp_NAME; what is run, and the variables it is run with."""

    name: str
    arguments: tuple[str, ...]
    variables: Mapping[str, str] = {}


class Shown(NamedTuple):
    """A command that shows a report, by the name of its files."""

    name: str
    arguments: tuple[str, ...]


class Example(NamedTuple):
    """An example, what is run of it, and what is shown of that."""

    name: str
    runs: tuple[Run, ...]
    shown: tuple[Shown, ...]
    before: tuple[tuple[str, ...], ...] = ()  # commands between: nothing of them is kept
    log: str = ""  # a folder of conversations: then the commands run beside talks.jsonl, which has them all


def _orders(version: str, name: str) -> Run:
    agent = f"bookshop.app:{version}"
    # One at a time: the dice are thrown for the number of a conversation.
    held = ("--agent", agent, "--repeat", "3", "--concurrency", "1", "--name", name)
    return Run(version, ("measured/orders.py", *held))


def _reports(*names: str) -> tuple[Shown, ...]:
    return tuple(Shown(f"report-{name}", ("report", f"exp_{name}")) for name in names)


EXAMPLES = (
    Example(
        "wordpress_assistant",
        (
            Run("goldens", ("goldens",)),
            Run("bug_a", ("goldens",), {"WORDPRESS_ASSISTANT_BUGS": "A"}),
            Run("bug_b", ("goldens",), {"WORDPRESS_ASSISTANT_BUGS": "B"}),
        ),
        (
            *_reports("goldens", "bug_a", "bug_b"),
            Shown("show-bug_a", ("show", "exp_bug_a@list-plugins")),
            Shown("compare-bug_a", ("compare", "exp_goldens", "exp_bug_a")),
            Shown("gate-bug_a", ("gate", "exp_bug_a", "--gate", "completion=1")),
            Shown("validate-rules", ("validate", "rules", "house.rules.yaml")),
        ),
    ),
    Example(
        "room_booking",
        (Run("passing", ("suites", "tests")), Run("broken", ("broken/quotes.py",))),
        _reports("passing", "broken"),
    ),
    Example(
        "store_concierge",
        (Run("passing", ("tests",)), Run("over_budget", ("broken/over_budget.py",))),
        (
            *_reports("passing", "over_budget"),
            Shown("gate-over_budget", ("gate", "exp_over_budget", "--bundle", "recommend")),
            Shown("gate-chat", ("gate", "exp_passing", "--bundle", "chat")),
        ),
    ),
    Example(
        "venue_search",
        (Run("passing", ("tests/test_venues.py",)), Run("broken", ("broken/bookings.py",))),
        (
            *_reports("passing", "broken"),
            Shown("graph", ("report", "exp_passing", "--graph", "mermaid")),
        ),
    ),
    Example(
        "prompt_versions",
        (
            _orders("v1", "Prompt v1"),
            _orders("v2", "Prompt v2"),
            _orders("v3", "Prompt v3"),
            _orders("v1_reworded", "Prompt v1, reworded"),
        ),
        (
            *_reports("v1", "v2"),
            Shown("compare-v2", ("compare", "main", "exp_v2")),
            Shown("compare-v1_reworded", ("compare", "main", "exp_v1_reworded")),
            Shown("gate-v2", ("gate", "exp_v2")),
            Shown("gate-v3", ("gate", "exp_v3")),
        ),
        before=(("baseline", "main", "exp_v1"),),
    ),
    Example("matcher_package", (Run("passing", ("suites", "tests")),), _reports("passing")),
    Example(
        "self_contradiction",
        (),
        (
            Shown("validate", ("validate", "checks", "self-contradiction", "../self_contradiction")),
            Shown("scan", ("scan", "talks.jsonl", "--checks", "self-contradiction")),
        ),
        log="positive",
    ),
)

_FORMS = ("report", "compare", "gate", "scan", "show", "lint", "validate")
"""Commands that take every form; the others take `--json`."""


def reports(example: Example) -> dict[str, str]:
    """The text of each report by the name of its file."""
    with ready(example) as folder:
        kept = folder.parent / "kept"
        kept.mkdir()
        show(folder, [one for shown in example.shown for one in _commands(shown, f"../kept/{shown.name}")])
        found = {one.name: one.read_text(encoding="utf-8") for one in sorted(kept.iterdir())}
    where = json.dumps(str(folder.parent.resolve()))[1:-1]
    return {name: _KEPT.get(Path(name).suffix, str)(text.replace(where, "")) for name, text in found.items()}


@contextmanager
def ready(example: Example) -> Iterator[Path]:
    """A copy of the example in which everything is run that is shown of it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / example.name
        ignored = shutil.ignore_patterns(".grice", "__pycache__", "baselines")
        shutil.copytree(ROOT / "examples" / example.name, folder, ignore=ignored)
        if example.log:
            talks = [json.loads(one.read_bytes()) for one in sorted((folder / example.log).glob("*.json"))]
            folder = Path(name) / "logs"
            folder.mkdir()
            _write_lines(folder / "talks.jsonl", talks)
        for number, run in enumerate(example.runs):
            _hold(run, number, folder)
        show(folder, [(one, os.devnull) for one in example.before])
        yield folder


def environment(variables: Mapping[str, str] = {}) -> dict[str, str]:
    """What the machine needs, and nothing that changes what is said."""
    needed = ("HOME", "PATH", "PYTHONPATH", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR", "USERPROFILE")
    passed_on = {name: os.environ[name] for name in needed if name in os.environ}
    # In the order of the file; and what no example needs takes a second to load.
    left_out = " ".join(
        f"-p no:{one}" for one in ("anyio", "cacheprovider", "hypothesispytest", "randomly", "xdist")
    )
    return passed_on | {"PYTEST_ADDOPTS": left_out, "PYTHONUTF8": "1", "TZ": "UTC"} | variables


def _hold(run: Run, number: int, folder: Path) -> None:
    """Run it, and leave its journal as it would be at any time on any machine."""
    runs = folder / ".grice" / "runs"
    earlier = set(runs.glob("*"))
    held = subprocess.run(
        [sys.executable, "-m", "grice", "run", *run.arguments],
        cwd=folder,
        env=environment(run.variables),
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    if held.returncode not in (0, 1):
        raise SystemExit(f"{folder.name}: grice run {' '.join(run.arguments)}\n{held.stdout}{held.stderr}")
    (kept,) = set(runs.glob("*")) - earlier
    head, *lines = map(json.loads, (kept / "main.jsonl").read_text(encoding="utf-8").splitlines())
    shutil.rmtree(kept)
    head["experiment"] |= {
        "id": f"exp_{run.name}",
        "timestamp": f"2026-01-16T14:{30 + number}:00.000Z",
        "grice_version": "0.1.0",
        "python_version": "3.11.7",
    }
    head["experiment"].pop("code_hash", None)
    results = sorted((line for line in lines if "result" in line), key=_result_order)
    for one in results:
        if "async" in one["result"].get("file", ""):  # such a test asks several things at once
            one["result"]["verdicts"].sort(key=lambda verdict: (verdict.get("turn", 0), verdict["claim"]))
    (runs / f"exp_{run.name}").mkdir(parents=True)
    _write_lines(runs / f"exp_{run.name}" / "main.jsonl", _still([head, *results]))


def _result_order(line: dict[str, Any]) -> tuple[str, int, str]:
    result = line["result"]
    return result["key"], result.get("repeat", 1), result["id"]


_TOOK = re.compile(r"\btook [\d.e-]+ s\b")
_ALWAYS: dict[str, Any] = {
    "duration": 0.01,
    "latency_ms": 10.0,
    "ttft": 0.005,
    "request_id": "",
    "started": 0.0,
}


def _still(value: Any) -> Any:
    """The value with the same times in every run."""
    if isinstance(value, dict):
        return {name: _ALWAYS.get(name, _still(one)) for name, one in value.items()}
    if isinstance(value, str):
        return _TOOK.sub("took 0.01 s", value)
    return list(map(_still, value)) if isinstance(value, list) else value


def _write_lines(path: Path, values: Iterable[Any]) -> None:
    text = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in values)
    path.write_text(text, encoding="utf-8", newline="\n")


_COMMANDS = """
import json, sys
from grice.cli import main
for arguments, file in json.load(sys.stdin):
    sys.argv[0] = "grice"
    with open(file, "w", encoding="utf-8", newline="\\n") as sys.stdout:
        try:
            main(arguments)
        except SystemExit as left:
            if left.code not in (0, 1, None):
                sys.exit(f"{left.code}: grice {' '.join(arguments)}")
"""


def show(folder: Path, commands: Sequence[tuple[Sequence[str], str]]) -> None:
    """Run commands of grice, all in one process, which takes long to begin, and write what each prints to a
    file.
    """
    ran = subprocess.run(
        [sys.executable, "-c", _COMMANDS],
        cwd=folder,
        env=environment(),
        input=json.dumps(commands),
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    if ran.returncode:
        raise SystemExit(f"{folder.name}: {ran.stderr}")


def _commands(shown: Shown, path: str) -> list[tuple[tuple[str, ...], str]]:
    """The commands that write every form there is of it, and where what they print goes."""
    given, text = shown.arguments, f"{path}.txt"
    json_file, page, markdown = ("--json", f"{path}.json"), ("--html", f"{path}.html"), f"{path}.md"
    if "--graph" in given:
        return [(given, text)]
    if given[0] in _FORMS:
        junit = ((*given, "--junit", "--output", f"{path}.xml"), os.devnull)
        return [
            ((*given, *json_file, *page), text),
            ((*given, "--markdown", "--output", markdown), os.devnull),
            *([junit] if given[0] == "report" else []),
        ]
    return [((*given, *json_file), text)]


# What is kept of a JSON file and of a page: what a reader reads, and of the rest a digest.


def _digest(text: str) -> str:
    return f"sha256:{sha256(text.encode()).hexdigest()[:16]}"


def _kept_json(text: str) -> str:
    """The document over several lines; of the scenarios that passed the first is whole."""
    document = json.loads(text)
    scenarios = document.get("scenario_results", [])
    for at in [at for at, one in enumerate(scenarios) if one["passed"]][1:]:
        one = scenarios[at]
        scenarios[at] = f"passed: {one['id']}, repeat {one['repeat']}, {_digest(json.dumps(one))}"
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


_SHELL = re.compile(r"(<style>|<script>).*?(?=</style>|</script>)", re.DOTALL)
_POLICY = re.compile(r"'sha256-[^']+'")
_PACKED = re.compile(r'(?<=<script type="application/json" id=")(\w+)">([^<]*)(?=</script>)')
_BLOCK = re.compile(r"(?<=.)(?=<(?:article|details|div|dl|figure|h\d|li|nav|ol|p|pre|section|table|tr|ul)\b)")


def _kept_page(text: str) -> str:
    """The page without style and script, a block a line; of what is packed, how much it is."""
    text = _POLICY.sub("'sha256-...'", _SHELL.sub(r"\1", text)).replace(f"grice {__version__}", "grice")
    return _BLOCK.sub("\n", _PACKED.sub(_counted, text))


def _counted(found: re.Match[str]) -> str:
    unpacked = gzip.decompress(base64.b64decode(found[2])).decode()
    return f'{found[1]}">{len(json.loads(unpacked))} conversations, {_digest(unpacked)}'


_KEPT = {".json": _kept_json, ".html": _kept_page}


def main() -> None:
    """Write the files of the examples that are named, or of all."""
    wanted = sys.argv[1:] or [one.name for one in EXAMPLES]
    for name in wanted:
        (example,) = (one for one in EXAMPLES if one.name == name)
        found = reports(example)
        shutil.rmtree(FOLDER / name, ignore_errors=True)
        (FOLDER / name).mkdir(parents=True)
        for file, text in found.items():
            (FOLDER / name / file).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
