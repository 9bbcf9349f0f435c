"""Each assertion that an editor can write is read alike by both doors, and judged as it was previewed."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from live import Live, serve
from msgspec import UNSET

from grice.files.matcher_catalogue import CatalogueEntry, matcher_catalogue
from grice.running.journal.reading import index_run
from grice.store.result_rows import suite_id

BOT = """
import json
from grice import AgentResponse

def agent(messages):
    said = json.loads(messages[-1]["content"])
    return AgentResponse(text=said["text"], data=said["data"])
"""
ROWS = 160
BARE = ("on", "parse")
VALUES: tuple[Any, ...] = (
    None, True, 0, 1, 1.0, -2.5, 12345678901234567890, "", "READY", "no", "null", "1", "- x: y", "# a", "{}",
    "two\nlines", "é\u2028\U0001f600", [], ["READY", "PENDING"], [1, [2, {"a": None}]],
    {}, {"a": {"b": [1.50]}}, {"source": "^[A-Z]+$", "flags": "i"}, {"type": "object"},
    {"1": 2, "": 3, "a.b": "~"},
)  # fmt: skip
PATHS = ("$", "$.price", "$.items[*].status", "$..id", "items[0]", "$['a b']", "$.nowhere")


class Row(NamedTuple):
    """A row of the editor, and the reply of its case."""

    check: dict[str, Any]
    soft: bool
    text: str
    data: Any


def random_rows(seed: int, count: int) -> list[Row]:
    """Rows with every matcher that has examples, as its editor would write them, and as nobody would."""
    chance = random.Random(seed)
    entries = [one for one in matcher_catalogue() if one.passing is not None and not one.judged]
    return [_row(chance, entries[place % len(entries)]) for place in range(count)]


def _row(chance: random.Random, entry: CatalogueEntry) -> Row:
    example = chance.choice([one for one in (entry.passing, entry.failing) if one is not None])
    check: dict[str, Any] = {"matcher": entry.name}
    if entry.expected is not None:
        wanted = example.expected if chance.random() < 0.8 else chance.choice(VALUES)
        check |= {} if wanted is UNSET else {"expected": wanted}
    check["path"] = example.path if chance.random() < 0.7 else chance.choice(PATHS)
    for name, value in (
        ("pathMatch", "ALL"),
        ("not", True),
        ("description", chance.choice(["why", "a: b #"])),
    ):
        check |= {name: value} if chance.random() < 0.4 else {}
    on_data = not isinstance(example.actual, str) or chance.random() < 0.2
    check |= {"on": "reply.data"} if on_data else {}
    check |= {"parse": chance.choice(["auto", "text", "json", "fenced"])} if chance.random() < 0.2 else {}
    text = example.actual if isinstance(example.actual, str) else json.dumps(example.actual)
    return Row(check, chance.random() < 0.3, text, example.actual)


def case(row: Row, name: str) -> dict[str, Any]:
    checks = {"evaluate": [row.check]} if row.soft else {"assertions": [row.check]}
    return {"name": name, "say": json.dumps({"text": row.text, "data": row.data}), **checks}


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    tmp_path.joinpath("row_bot.py").write_text(BOT)
    tmp_path.joinpath("grice.toml").write_text('agent = "row_bot:agent"\n')
    tmp_path.joinpath("rows.grice.yaml").write_text(
        "scenarios:\n  - {id: first, say: '{}', expect: [{matcher: toBeDefined}]}\n"
    )
    with serve(tmp_path) as served:
        yield served


def writable(live: Live, path: str, rows: dict[str, Row]) -> dict[str, Row]:
    """The rows that were saved: what no suite says, or names code, is refused by its row, all at once."""
    while True:
        sent = {"testCases": [case(one, name) for name, one in rows.items()]}
        told = live.client.put(path, json=sent, headers={"If-Match": "*"})
        if told.status_code == 200:
            return rows
        assert told.status_code in (400, 403), told.text
        bad = {int(one["field"].split("[")[1].partition("]")[0]) for one in told.json()["details"]}
        assert bad, told.text
        rows = {name: one for place, (name, one) in enumerate(rows.items()) if place not in bad}


def outcomes(folder: Path) -> dict[str, tuple[str, str]]:
    """What came of the one check of each scenario: its outcome and message."""
    return {
        one.key: (one.verdicts[0].outcome.value, one.verdicts[0].reason)
        for one in index_run(folder).results()
    }


def ran(live: Live, runs: str, *command: str) -> dict[str, tuple[str, str]]:
    """The outcomes of a command that keeps its run in that folder."""
    done = subprocess.run([sys.executable, "-m", *command], cwd=live.folder, capture_output=True, text=True)
    assert done.returncode == 1, done.stdout[-3000:] + done.stderr[-3000:]
    (folder,) = [one for one in (live.folder / runs).iterdir() if one.is_dir()]
    return outcomes(folder)


def previewed(live: Live, row: Row) -> str:
    """What the editor shows of the row."""
    bare = {name: one for name, one in row.check.items() if name not in BARE}
    actual = row.data if row.check.get("on") == "reply.data" else row.text
    body = {"actual": actual, "assertions": [bare], "parse": row.check.get("parse", "auto")}
    told = live.client.post("/api/evaluate/preview", json=body).json()
    return str(told["results"][0]["outcome"])


def test_random_rows_are_read_alike_by_every_door(live: Live) -> None:
    path = f"/api/test-suites/{suite_id(live.service.project, 'rows.grice.yaml')}"
    rows = {f"case-{number}": one for number, one in enumerate(random_rows(30, ROWS))}
    rows = writable(live, path, rows)
    assert len(rows) > ROWS / 2
    kept = {one["name"]: one for one in live.get(f"{path}/test-cases")}
    for name, row in rows.items():  # what is in the file is shown as it was written
        shown = kept[name]["evaluate" if row.soft else "assertions"]
        assert json.dumps(shown, sort_keys=True) == json.dumps([row.check], sort_keys=True)

    by_run = ran(live, "by_run", "grice", "run", "--runs=by_run", "rows.grice.yaml")
    options = ("-q", "-p", "no:cacheprovider", "--grice-store=by_pytest", "rows.grice.yaml")
    assert ran(live, "by_pytest", "pytest", *options) == by_run
    assert by_run.keys() == rows.keys()
    alone = {one["name"] for one in live.get("/api/registry") if one["valueOnly"]}
    otherwise = {
        name: (row.check, by_run[name], shown)
        for name, row in rows.items()
        if row.check["matcher"] in alone and (shown := previewed(live, row)) != by_run[name][0]
    }
    assert otherwise == {}, "\n".join(map(str, otherwise.values()))
    assert {one for one, _ in by_run.values()} >= {"pass", "fail", "error"}
