"""Write the kept reports of examples' runs: tests/reporting/kept_reports/NAME/report.txt, .md and .json.

Each is of the journal beside it, so that a change of a report is seen in its diff. Run by `make generate`; a
test fails when a file is stale. With `--journals` the examples are run first and their journals written anew,
with times, ids and the state of the machine that are always the same.
"""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from grice.reporting.console import console_for
from grice.reporting.documents.run import run_document, run_results
from grice.reporting.experiment.as_json import index_json
from grice.reporting.next_steps import NO_EARLIER, Earlier
from grice.reporting.renderers.markdown import document_markdown
from grice.reporting.renderers.terminal import print_document
from grice.running.journal.reading import index_run

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "tests" / "reporting" / "kept_reports"


class Kept(NamedTuple):
    """A run whose reports are kept: the example, and what of it is run.

    `passed_before` says that there was a run before it, in which everything passed.
    """

    name: str
    example: str
    run: tuple[str, ...]
    passed_before: bool = False


KEPT = (
    Kept("all_pass", "room_booking", ("suites", "tests")),
    Kept("newly_failing", "venue_search", ("broken/bookings.py",), passed_before=True),
    Kept("bundle_fails", "store_concierge", ("broken/over_budget.py",)),
)


def reports(kept: Kept) -> dict[str, str]:
    """The text of each report by the name of its file."""
    index = index_run(FOLDER / kept.name)
    earlier = NO_EARLIER
    if kept.passed_before:
        earlier = Earlier("exp_before", {one.id: [True] for one in index.results()})
    found = run_results(index.results(), earlier)
    document = run_document(index.heads, found, notes=index.notes, done=index.done, damaged=index.damaged)
    stream = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="")
    console = console_for(stream)
    console.width = 100
    print_document(console, document)
    stream.seek(0)
    return {
        "report.txt": stream.read(),
        "report.md": document_markdown(document),
        "report.json": index_json(index)[0].decode(),
    }


def write_journal(kept: Kept) -> None:
    """Run the example in a folder of its own, and keep its journal."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / kept.example
        shutil.copytree(ROOT / "examples" / kept.example, folder, ignore=shutil.ignore_patterns(".grice"))
        subprocess.run([sys.executable, "-m", "grice", "run", *kept.run], cwd=folder, check=False)
        (journal,) = folder.glob(".grice/runs/*/main.jsonl")
        head, *lines = map(json.loads, journal.read_text(encoding="utf-8").splitlines())
    head["experiment"] |= {
        "id": f"exp_{kept.name}",
        "timestamp": "2026-01-16T14:30:00.000Z",
        "grice_version": "0.1.0",
        "python_version": "3.11.7",
    }
    for field in ("git_commit", "git_branch", "git_dirty", "code_hash"):
        head["experiment"].pop(field, None)
    results = sorted((line for line in lines if "result" in line), key=lambda one: one["result"]["id"])
    for one in results:
        one["result"]["file"] = Path(one["result"].get("file", "")).name
    target = FOLDER / kept.name / "main.jsonl"
    target.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(_still(line), ensure_ascii=False) + "\n" for line in (head, *results))
    target.write_text(text, encoding="utf-8", newline="\n")


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
    return list(map(_still, value)) if isinstance(value, list) else value


def main() -> None:
    """Write every file."""
    for kept in KEPT:
        if "--journals" in sys.argv[1:]:
            write_journal(kept)
        for name, text in reports(kept).items():
            (FOLDER / kept.name / name).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
