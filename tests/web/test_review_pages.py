"""Comparing runs, looking through findings, labelling, prompts: pages and their API as a client has them."""

from __future__ import annotations

import html
import importlib.util
import io
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from live import Live, serve
from review_project import FIRST, PROMPT, SCAN, SECOND, write_items, write_review
from sqlalchemy import update
from web_project import BEFORE, LATER, write_project

from grice.cli import main
from grice.experiments.comparison.experiment_pair import compare_pair, find_pair
from grice.reporting.documents.comparison import comparison_document
from grice.scanning.kept_scan import grouped_findings
from grice.store.database import locked, read_only
from grice.store.owners import add_project
from grice.store.tables import prompts
from grice.store.tokens import changes_of
from grice.validation.labelling.journal import labels_there
from grice.web.site import make_site
from journals import write_run

MARKS = {"a": "+++-s", "b": "+-+?s", "c": "-+!-+", "d": "+++++", "e": "++", "f": "-----++++++++++++++"}
LABEL = "tool-flow"
TASK = {"items": "replies.jsonl", "question": "Does it lead on?", "out": "labels.jsonl"}


@pytest.fixture
def review(tmp_path: Path) -> Iterator[Live]:
    """A project with a scan, replies and a prompt, and two runs."""
    write_project(tmp_path)
    write_review(tmp_path, replies=5)
    with serve(tmp_path, make=make_site) as live:
        yield live


def page_of(live: Live, address: str, status: int = 200, **given: Any) -> str:
    answer = live.client.get(address, params=given or None)
    assert answer.status_code == status, answer.text
    return answer.text


def grice_command(*arguments: str) -> int:
    """The exit code of a command, in this process."""
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    return int(ended.value.code or 0)


def heading(page: str) -> str:
    found = re.search(r"<h1[^>]*>(.*?)</h1>", page, re.DOTALL)
    assert found is not None
    return html.unescape(re.sub(r"<[^>]*>", "", found[1])).strip()


def post(live: Live, address: str, status: int = 201, **body: Any) -> Any:
    answer = live.client.post(address, json=body)
    assert answer.status_code == status, answer.text
    return answer.json()


# -- compare


@pytest.mark.parametrize("before", MARKS)
def test_a_page_says_of_two_runs_what_the_command_says(
    before: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = tmp_path / ".grice" / "runs"
    for day, (name, marks) in enumerate(MARKS.items(), 1):
        write_run(runs, f"exp_{name}", marks, day=day)
    with serve(tmp_path, make=make_site) as live:
        for name in MARKS:
            pair = f"exp_{before}", f"exp_{name}"
            document = comparison_document(compare_pair(find_pair(*pair, runs=runs)))
            text = page_of(live, "/compare", a=pair[0], b=pair[1])
            assert heading(text) == document.answer.words
            code = grice_command("compare", *pair, "--runs", str(runs), "--json", "-")
            printed = json.loads(capsys.readouterr().out)
            assert printed["answer"].startswith(heading(text))
            assert ('<p class="note bad">' in text) is (code == 2), pair


KEPT = Path(__file__).parents[1] / "reporting" / "kept_reports"


@pytest.mark.parametrize(
    ("example", "before", "now"),
    [
        ("wordpress_assistant", "goldens", "bug_a"),
        pytest.param("prompt_versions", "v1", "v2", marks=pytest.mark.slow),
        pytest.param("prompt_versions", "v1", "v1_reworded", marks=pytest.mark.slow),
    ],
)
def test_a_page_says_of_the_examples_what_their_kept_reports_say(example: str, before: str, now: str) -> None:
    spec = importlib.util.spec_from_file_location(
        "generate_reports", KEPT.parents[2] / "tools" / "generate_reports.py"
    )
    assert spec is not None
    assert spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    kept = json.loads((KEPT / example / f"compare-{now}.json").read_text("utf-8"))["answer"]
    with tool.ready(next(one for one in tool.EXAMPLES if one.name == example)) as folder:
        (folder / "pyproject.toml").unlink()  # the server of tests writes settings of its own
        with serve(folder, make=make_site) as live:
            text = page_of(live, "/compare", a=f"exp_{before}", b=f"exp_{now}")
    assert kept.startswith(heading(text))
    assert kept.removeprefix(heading(text)).strip() in html.unescape(text)


def test_the_page_of_a_comparison_lists_what_changed_and_where_the_words_part(review: Live) -> None:
    text = page_of(review, "/compare", a=BEFORE, b=LATER)
    assert "refund" in heading(text)
    address = re.search(r'data-open href="(/compare/pair[^"]*)"', text)
    assert address is not None
    pair = page_of(review, html.unescape(address[1]))
    assert heading(pair) == "refund passed before, and now fails"
    assert "No turn differs." in pair
    assert page_of(review, html.unescape(address[1]) + "&before=2&now=3").count("(repeat") == 0


def test_the_first_turn_that_differs_is_marked(tmp_path: Path) -> None:
    write_run(tmp_path / ".grice" / "runs", "exp_1", "+", day=1, said="It is 90.")
    write_run(tmp_path / ".grice" / "runs", "exp_2", "-", day=2, said="It is 80.")
    with serve(tmp_path, make=make_site) as live:
        text = page_of(live, "/compare/pair", a="exp_1", b="exp_2", test="example:000000000000")
    assert "The first turn that differs is 1." in text
    assert text.index("It is 90.") < text.index("It is 80.")
    assert "first difference: turn 1" in text


@pytest.mark.parametrize(
    ("given", "status"),
    [
        ({}, 200),
        ({"a": BEFORE}, 200),
        ({"a": BEFORE, "b": BEFORE}, 200),
        ({"a": "exp_none", "b": BEFORE}, 404),
    ],
)
def test_wrong_pairs_of_runs_are_told(review: Live, given: dict[str, str], status: int) -> None:
    assert page_of(review, "/compare", status, **given)


def test_a_test_that_only_one_run_has_has_no_pair(review: Live) -> None:
    assert "has no test" in page_of(review, "/compare/pair", 404, a=BEFORE, b=LATER, test="example:none")


# -- findings


def test_findings_are_grouped_by_identical_reply(review: Live) -> None:
    assert "chats.jsonl" in page_of(review, "/scans")
    text = page_of(review, f"/scans/{SCAN}", label=LABEL)
    assert "5 findings, 3 different replies" in text
    assert "3 ×" in text
    assert "right in 1 of 1 alarms; found 1 of 12 faults" in text  # of its rule in this profile


def test_what_people_say_of_findings_is_the_precision_on_this_log(review: Live) -> None:
    groups = grouped_findings(review.service.scans.find(SCAN), LABEL)  # type: ignore[arg-type]
    for group, label in zip(groups, ("right", "wrong", "wrong"), strict=True):
        post(review, "/api/labelling", items=SCAN, item=f"{SCAN}/{group.key}", label=label)
    later = f"{SCAN}/{groups[1].key}"
    post(review, "/api/labelling", items=SCAN, item=later, label="right")  # it counts
    text = page_of(review, f"/scans/{SCAN}")
    assert "66.7%" in text
    assert "2/3 right" in text
    assert "all looked at" in text
    listed = review.get("/api/labels", scan=SCAN)["labels"]
    assert sorted(one["label"] for one in listed) == ["right", "right", "wrong"]
    assert review.get("/api/labels")["labels"] == []


def test_two_raters_who_differ_dispute_a_finding(review: Live) -> None:
    group = grouped_findings(review.service.scans.find(SCAN), LABEL)[0]  # type: ignore[arg-type]
    body = {"items": SCAN, "item": f"{SCAN}/{group.key}", "label": "right"}
    with review.client_with("edit") as other:
        assert other.post("/api/labelling", json={**body, "label": "wrong"}).status_code == 201
    assert "disputed" not in page_of(review, f"/scans/{SCAN}/{group.key}")
    assert "a editer says" not in page_of(review, f"/scans/{SCAN}/{group.key}")
    post(review, "/api/labelling", **body)
    text = page_of(review, f"/scans/{SCAN}/{group.key}")
    assert "1 disputed" in text or "none decided" in text
    assert "a editer says" in text


@pytest.mark.parametrize(
    ("finding", "label", "status", "told"),
    [
        (f"{SCAN}/{'0' * 16}", "right", 422, "there is no item"),
        ("scan_ffffffffffff/0", "right", 404, "there is no file"),
        (f"{SCAN}/KEY", "rihgt", 422, "expected one of"),
    ],
)
def test_wrong_labels_of_findings_are_told(
    review: Live, finding: str, label: str, status: int, told: str
) -> None:
    key = grouped_findings(review.service.scans.find(SCAN), LABEL)[0].key  # type: ignore[arg-type]
    body = {"items": finding.partition("/")[0], "item": finding.replace("KEY", key), "label": label}
    answer = review.client.post("/api/labelling", json=body)
    assert answer.status_code == status
    assert told in answer.text


def test_a_reader_may_look_and_not_label(review: Live) -> None:
    with review.client_with("read") as reader:
        assert reader.get(f"/scans/{SCAN}").status_code == 200
        body = {"items": SCAN, "item": f"{SCAN}/0", "label": "right"}
        assert reader.post("/api/labelling", json=body).status_code == 403
        assert reader.post("/api/labelling", json={**TASK, "item": "r1", "label": True}).status_code == 403
        assert reader.post("/api/prompts/x/restore", json={"version": 1}).status_code == 403


@pytest.mark.parametrize("content", ["{", '{"version": 2}', '{"version": 1}', "[]"])
def test_a_scan_that_cannot_be_read_is_told(review: Live, content: str) -> None:
    (review.folder / ".grice" / "scans" / "scan_aaaaaaaaaaaa.json").write_text(content)
    assert "scan_aaaaaaaaaaaa.json: " in page_of(review, "/scans")
    page_of(review, "/scans/scan_aaaaaaaaaaaa", 404)
    page_of(review, f"/scans/{SCAN}")


def test_grice_scan_keeps_what_the_pages_show(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    log = [
        {"role": "user", "content": "Update it. My key is sk-0123456789abcdef0123456789"},
        {
            "role": "assistant",
            "tool_calls": [
                {"id": "c", "type": "function", "function": {"name": "update", "arguments": "{}"}}
            ],
        },
        {"role": "tool", "tool_call_id": "c", "content": '{"success": true}'},
        {"role": "assistant", "content": "Done. Use the buttons below to confirm."},
    ]
    (tmp_path / "log.jsonl").write_text(json.dumps({"id": "one", "messages": log}))
    seed = ("--checks", "tool-flow", "--profile", "seed")
    assert grice_command("scan", "log.jsonl", "--keep", *seed) == 0
    assert grice_command("scan", "log.jsonl", "--keep", "--checks", "toBeFreeof") == 2
    assert grice_command("scan", "log.jsonl", "--keep", "--checks", "boilerplate,contractions") == 0
    assert capsys.readouterr().err.count("grice serve shows it") == 2
    assert grice_command("scan", "log.jsonl") == 0
    with serve(tmp_path, make=make_site) as live:
        ids = live.service.scans.ids()
        assert len(ids) == 2
        found = live.service.scans.find(ids[-1])
        assert found is not None
        (group,) = grouped_findings(found)
        text = page_of(live, f"/scans/{ids[-1]}/{group.key}")
    assert "update()" in text
    assert "sk-0123" not in text
    assert "sk-0123" not in (tmp_path / ".grice" / "scans" / f"{ids[-1]}.json").read_text()


# -- labels


def test_two_raters_label_and_see_agreement_at_the_end(review: Live) -> None:
    for rater, wrong in (("anna", ()), ("ben", ("r2",))):
        for number in range(1, 6):
            text = page_of(review, "/labels/ask", **TASK, rater=rater)
            assert "kappa" not in text
            assert "anna:" not in text
            body = json.loads(html.unescape(re.findall(r'data-key="y"[^>]*data-body="([^"]*)"', text)[0]))
            told = post(review, "/api/labelling", **{**body, "label": body["item"] not in wrong})
            assert (told["done"], told["total"], told["rater"]) == (number, 5, rater)
    text = page_of(review, "/labels/ask", **TASK, rater="ben")
    assert heading(text) == "5 of 5 done"
    assert "anna and ben: same label on 4 of 5" in text
    assert "grice validate judge NAME labels.jsonl --items replies.jsonl" in text
    assert {one.question for one in labels_there(review.folder / "labels.jsonl")} == {"Does it lead on?"}


def test_the_last_answer_is_taken_back_and_a_new_one_counts(review: Live) -> None:
    post(review, "/api/labelling", **TASK, rater="anna", item="r1", label=True, note="well")
    post(review, "/api/labelling", **TASK, rater="anna", item="r2", label=None)
    assert post(review, "/api/labelling/undo", 200, **TASK, rater="anna")["item"] == "r2"
    post(review, "/api/labelling", **TASK, rater="anna", item="r1", label=False)
    (label,) = labels_there(review.folder / "labels.jsonl")
    assert (label.item, label.value, label.rater) == ("r1", False, "anna")
    assert post(review, "/api/labelling/undo", 200, **TASK, rater="ben")["item"] is None


def test_who_has_a_token_labels_under_its_name(review: Live) -> None:
    with review.client_with("edit") as other:
        told = other.post("/api/labelling", json={**TASK, "rater": "anna", "item": "r1", "label": True})
    assert told.json()["rater"] == "a editer"


def test_grice_label_goes_on_where_the_page_was_left(
    review: Live, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    post(review, "/api/labelling", **TASK, rater="anna", item="r1", label=True)
    monkeypatch.chdir(review.folder)
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    grice_command("label", "replies.jsonl", "--question", TASK["question"], "--rater", "anna")
    assert "anna labels 4 of 5 items" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("body", "status", "told"),
    [
        ({"items": "../secrets.jsonl"}, 400, "expected a file in the project"),
        ({"items": "/etc/passwd"}, 400, "expected a file in the project"),
        ({"items": ".grice/grice.db"}, 400, "not hidden"),
        ({"items": "none.jsonl"}, 404, "there is no file"),
        ({"out": "../labels.jsonl"}, 400, "expected a file in the project"),
        ({"out": "replies.jsonl"}, 422, "one of the files to read"),
        ({"out": "grice.toml"}, 422, "expected a .jsonl file"),
        ({"out": "chats.jsonl"}, 422, "not written over"),
        ({"criterion": "naturalnes"}, 422, "did you mean"),
        ({"choices": "one"}, 422, "expected 2 to 9 choices"),
        ({"item": "r9"}, 422, "there is no item"),
        ({"label": "maybe"}, 422, "expected one of"),
        ({"label": 1}, 422, "expected one of"),
        ({"scale": True, "label": 6}, 422, "expected one of"),
        ({"scale": True, "label": True}, 422, "expected one of"),
    ],
)
def test_wrong_answers_are_told_and_nothing_is_written(
    review: Live, body: dict[str, Any], status: int, told: str
) -> None:
    given = {**TASK, "rater": "anna", "item": "r1", "label": True, **body}
    answer = review.client.post("/api/labelling", json=given)
    assert answer.status_code == status, answer.text
    assert told in answer.text
    assert not (review.folder / "labels.jsonl").exists()


def test_scores_are_numbers(review: Live) -> None:
    post(review, "/api/labelling", **TASK, scale=True, rater="anna", item="r1", label=4)
    assert labels_there(review.folder / "labels.jsonl")[0].value == 4.0


SERVER = """
import sys, time
from pathlib import Path
from grice.api.server import ApiServer
from grice.api.service import Service
from grice.files.settings import Settings
from grice.store.database import open_database
from grice.store.migrating import upgrade
from grice.web.site import make_site
folder = Path(sys.argv[1])
engine = open_database("sqlite:///.grice/grice.db", folder)
upgrade(engine)
service = Service(Settings(folder), engine, folder / ".grice" / "runs", "t" * 32)
with ApiServer(service, make=make_site) as one:
    print(one.port, flush=True)
    time.sleep(600)
"""


@pytest.mark.slow
def test_no_label_is_lost_when_the_server_is_killed(tmp_path: Path) -> None:
    write_items(tmp_path / "replies.jsonl", [f"Reply {number}" for number in range(50)])
    answered: list[str] = []
    for first in range(0, 50, 10):
        server = subprocess.Popen(
            [sys.executable, "-c", SERVER, str(tmp_path)], stdout=subprocess.PIPE, text=True
        )
        assert server.stdout is not None
        url = f"http://127.0.0.1:{int(server.stdout.readline())}"
        headers = {"Authorization": f"Bearer {'t' * 32}"}
        with httpx.Client(base_url=url, headers=headers, trust_env=False, timeout=60) as client:
            for number in range(first, first + 10):
                body = {**TASK, "rater": "anna", "item": f"r{number + 1}", "label": number % 2 == 0}
                assert client.post("/api/labelling", json=body).status_code == 201
                answered.append(f"r{number + 1}")
        os.kill(server.pid, signal.SIGKILL)
        server.wait()
        server.stdout.close()
        assert [one.item for one in labels_there(tmp_path / "labels.jsonl")] == answered


# -- prompts


def prompt_id(live: Live) -> str:
    found = re.search(r'data-open href="/prompts/([^"]*)"', page_of(live, "/prompts"))
    assert found is not None
    return found[1]


def test_versions_of_a_prompt_differ_and_one_is_restored(review: Live) -> None:
    address = f"/prompts/{prompt_id(review)}"
    text = page_of(review, address)
    assert heading(text) == f"{PROMPT}: version 2 is the latest"
    assert "- Name the capital of {{country}}." in text
    assert "+ Name the capital of {{country}}, please." in text
    assert post(review, f"/api{address}/restore", 200, version=1)["version"] == 3
    assert (review.folder / PROMPT).read_text() == FIRST
    assert "Nothing differs." in page_of(review, address, a=1, b=3)
    with read_only(review.service.engine) as connection:
        assert (
            changes_of(connection, review.service.project, limit=1)[0].what
            == f"restored the version 1 of the prompt {prompt_id(review)}"
        )


def test_what_only_the_file_has_is_kept_before_it_is_restored(review: Live) -> None:
    id_ = prompt_id(review)
    (review.folder / PROMPT).write_text(SECOND + "In capitals.\n")
    assert "a text of no version" in page_of(review, f"/prompts/{id_}")
    assert post(review, f"/api/prompts/{id_}/restore", 200, version=1)["version"] == 4
    assert "In capitals." in page_of(review, f"/prompts/{id_}", a=1, b=3)


@pytest.mark.parametrize(("version", "status"), [(9, 404), (0, 400), ("1", 400)])
def test_wrong_versions_are_told(review: Live, version: Any, status: int) -> None:
    post(review, f"/api/prompts/{prompt_id(review)}/restore", status, version=version)
    page_of(review, "/prompts/none", 404)


def test_another_project_of_the_database_is_not_shown(review: Live) -> None:
    id_ = prompt_id(review)
    with locked(review.service.engine) as connection:
        add_project(connection, "other")
        connection.execute(update(prompts).where(prompts.c.id == id_).values(project_id="other"))
    page_of(review, f"/prompts/{id_}", 404)
    post(review, f"/api/prompts/{id_}/restore", 404, version=1)


@pytest.mark.parametrize("out", ["conftest.py", "bots/__init__.py", "chats.jsonl"])
def test_labels_of_findings_go_to_a_file_of_labels_only(review: Live, out: str) -> None:
    (review.folder / "bots").mkdir()
    (review.folder / "bots" / "__init__.py").touch()
    files = [one for one in review.folder.rglob("*.*") if one.is_file() and ".grice" not in one.parts]
    before = {one: one.read_bytes() for one in files}
    group = grouped_findings(review.service.scans.find(SCAN), LABEL)[0]  # type: ignore[arg-type]
    body = {"items": SCAN, "item": f"{SCAN}/{group.key}", "label": "right", "out": out}
    assert review.client.post("/api/labelling", json=body).status_code == 422
    assert {one: one.read_bytes() for one in files} == before
    assert not (review.folder / "conftest.py").exists()
