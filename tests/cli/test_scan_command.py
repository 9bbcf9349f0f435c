"""`grice scan` as its user sees it."""

from __future__ import annotations

import io
import json
import os
import shlex
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from grice_command import Grice

from grice.reporting.documents import findings

SEED = ("--checks", "tool-flow", "--profile", "seed")
USER = {"role": "user", "content": "Update it"}
HOSTILE = "I am an AI [bold red]x[/] [/nope] \x1b[31mred\x1b]0;title\x07 \u202egnp.exe :smile: ]]> \x00"


def log(tmp_path: Path, *texts: str) -> Path:
    path = tmp_path / "log.jsonl"
    lines = [
        {"id": f"c{n}", "messages": [USER, {"role": "assistant", "content": text}]}
        for n, text in enumerate(texts, start=1)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return path


def test_shows_what_was_examined_the_counts_and_the_marked_excerpts(tmp_path: Path, grice: Grice) -> None:
    path = log(tmp_path, "Updating now! Would you like me to update it?", "Done.", "Done.", "Done.")
    run = grice("scan", path, *SEED, columns=200)
    assert run.code == 0
    assert run.out.splitlines() == [
        "Found 1 finding in 1 of 4 conversations: tool-flow 1.",
        f"{path}: 4 lines, 4 conversations, 4 assistant turns examined. Applied: 1 check.",
        "",
        "By check",
        "  check      fail  pass    rate  on our test rows",
        f"  {'─' * 53}",
        "  tool-flow     1     3  25.00%  right in 1 of 1 alarms",
        "  rate: of those on which a check could tell (pass or fail), the share that failed.",
        "  on our test rows: on examples that the rule had never seen. It says nothing of this log.",
        "",
        "tool-flow",
        f"  {path}:1  c1  turn 1",
        "    CONTRADICTORY_PREACTION_AND_ASK: 'now!' and 'Would you like' (tool status none, profile seed)",
        "    user: Update it",
        "    assistant: Updating »now!« »Would you like« me to update it?",
    ]


@pytest.mark.parametrize(
    ("texts", "options", "code"),
    [
        (["Done."], [], 0),
        (["I am an AI."], [], 0),
        (["Done."], ["--fail-on-findings"], 0),
        (["I am an AI."], ["--fail-on-findings"], 1),
        ([], [], 2),
        ([""], ["--fail-on-findings"], 2),
        (["I am an AI."], ["--fail-on-findings", "missing.jsonl"], 2),
        (["Done."], ["--nonsense"], 2),
    ],
)
def test_the_exit_code_tells_how_it_went(
    tmp_path: Path, texts: list[str], options: list[str], code: int, grice: Grice
) -> None:
    assert grice("scan", log(tmp_path, *texts), *options, *SEED).code == code


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (None, "error: {path}: there is no such file"),
        (b"", "error: nothing was examined: there are no records in the logs"),
        (b"oops\n", "error: nothing was examined: no record could be read"),
        (
            b'{"messages": [{"role": "user", "content": "x"}]}\n',
            "error: nothing was examined: the assistant does nothing in 1 conversation",
        ),
        (
            b'[\n {"messages": []}\n]\n',
            "error: nothing was examined: the assistant does nothing in 1 conversation",
        ),
        (b"PK\x03\x04\x00\x00", "error: {path}: cannot be read: File is not a zip file"),
        (b"\x00\x01", "error: {path}: is not text; expected JSON"),
    ],
)
def test_a_scan_of_nothing_says_why(tmp_path: Path, content: bytes | None, error: str, grice: Grice) -> None:
    path = tmp_path / "log.json"
    if content is not None:
        path.write_bytes(content)
    run = grice("scan", path, *SEED)
    assert run.code == 2
    assert error.format(path=path) in run.err
    assert "%" not in run.out


def test_needs_a_file(grice: Grice) -> None:
    run = grice("scan")
    assert run.code == 2
    assert "Error: FILE... is missing: Logs, or folders of them" in run.err


@pytest.mark.parametrize("width", [30, 60, 100])
def test_text_of_the_log_is_shown_as_text_at_every_width(tmp_path: Path, width: int, grice: Grice) -> None:
    path = log(tmp_path, HOSTILE)
    path.write_text(path.read_text().replace('"c1"', json.dumps("[red]\x1b[31m\nid")))
    with path.open("a") as file:
        arguments = {"name": "[b]", "arguments": "{[blink]\x1b"}
        call = {"role": "assistant", "content": None, "tool_calls": [{"id": "1", "function": arguments}]}
        file.write(json.dumps([call]) + "\n" + json.dumps([{"role": "[b]\x1b"}]) + "\n")
    run = grice("scan", path, "--checks", "tool-flow,default", "--profile", "seed", columns=width)
    assert run.code == 0
    shown = "".join(line.strip() for line in run.out.splitlines()).replace(" ", "")
    for escaped in (
        r"»IamanAI«[boldred]x[/][/nope]\x1b[31mred\x1b]0;title\x07\u202egnp.exe:smile:]]>\x00",
        r"[red]\x1b[31m\nid",
        r"{[blink]\x1b",
    ):
        assert escaped in shown
    assert not set(run.out) & set("\x1b\x07\x00\u202e")


def test_malformed_lines_are_grouped_by_their_reason(tmp_path: Path, grice: Grice) -> None:
    path = log(tmp_path, "Done.")
    with path.open("a") as file:
        file.write("7\n" * 8 + "{}\n" * 2)
    run = grice("scan", path, *SEED, columns=200)
    assert run.code == 0
    assert run.out.splitlines()[:6] == [
        "Nothing found in 1 assistant turn of 1 conversation.",
        f"{path}: 11 lines, 1 conversation, 1 assistant turn examined. Applied: 1 check.",
        "",
        "10 of 11 lines not examined: malformed",
        f"  {path}:2, 3, 4, 5, 6 and 3 more: found a number; expected an object or a list of messages",
        f'  {path}:10, 11: found an object with no fields; expected "messages", "input", or a message',
    ]


def test_nothing_is_found_in_so_many_turns(tmp_path: Path, grice: Grice) -> None:
    run = grice("scan", log(tmp_path, "Done.", "Done."), *SEED)
    assert run.out.startswith("Nothing found in 2 assistant turns of 2 conversations.\n")
    run = grice("scan", log(tmp_path, "Done."), "missing.jsonl", *SEED)
    assert run.out.startswith(
        "Nothing found in 1 assistant turn of 1 conversation, and the scan is not complete."
    )


def test_the_markdown_says_the_same_and_has_no_markup_of_a_log(tmp_path: Path, grice: Grice) -> None:
    path = log(tmp_path, "I am an AI <b>*x*</b>.", "Done.")
    run = grice("scan", path, "missing.jsonl", "--markdown", *SEED)
    assert run.code == 2
    first, heading = run.out.split("\n\n")[:2]
    assert first == "<!-- grice.findings -->"
    assert heading.startswith("### ○ Grice: Found 1 finding in 1 of 2 conversations: tool-flow 1.")
    assert "  - assistant: **I am an AI** &lt;b&gt;\\*x\\*&lt;/b&gt;." in run.out
    assert "**missing.jsonl: there is no such file**" in run.out
    assert grice("scan", path, "--markdown", "--json", "-", *SEED).code == 2


def test_the_examples_come_from_different_conversations(tmp_path: Path, grice: Grice) -> None:
    path = log(tmp_path, *(f"I am an AI{end}" for end in ".!?,;"))
    path.write_text(path.read_text().replace("c2", "c1"))
    run = grice("scan", path, *SEED, columns=200)
    assert "tool-flow, 3 of 5" in run.out
    places = [line.split() for line in run.out.splitlines() if line.startswith(f"  {path}:")]
    assert [place[1] for place in places] == ["c1", "c3", "c4"]


def test_reads_standard_input(tmp_path: Path, grice: Grice) -> None:
    run = grice("scan", "-", *SEED, stdin=log(tmp_path, "I am an AI.").read_bytes())
    assert run.code == 0
    assert "<stdin>:1  c1  turn 1" in run.out


def test_a_page_has_the_findings_and_what_could_not_be_read(tmp_path: Path, grice: Grice) -> None:
    path, page = log(tmp_path, "I am an AI <b>*x*</b>."), tmp_path / "page.html"
    run = grice("scan", path, "missing.jsonl", "--html", page, *SEED)
    assert run.out.startswith("Found 1 finding")
    assert run.err == "error: missing.jsonl: there is no such file\n"
    written = page.read_text("utf-8")
    assert "Found 1 finding in 1 of 1 conversation" in written
    assert ">I am an AI</mark> &lt;b&gt;*x*" in written
    assert "missing.jsonl: there is no such file" in written
    grice("scan", path, "--checks", "exclamations", "--html", page, *SEED)
    assert "Applied: 1 check." in page.read_text("utf-8")


def test_the_markdown_goes_to_a_file_and_a_job_summary(tmp_path: Path, grice: Grice, monkeypatch) -> None:
    summary, markdown = tmp_path / "summary.md", tmp_path / "scan.md"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    path = log(tmp_path, "I am an AI.")
    for _ in range(2):  # its own is written over
        assert grice("scan", path, "--markdown", "-o", markdown, "--step-summary", *SEED).code == 0
    assert "### \u25cb Grice: Found 1 finding" in markdown.read_text("utf-8")
    assert summary.read_text("utf-8").count("Found 1 finding") == 2


@pytest.mark.parametrize("form", ["--html", "--json"])
def test_a_log_is_not_written_over(tmp_path: Path, form: str, grice: Grice) -> None:
    path = log(tmp_path, "I am an AI.")
    before = path.read_text()
    run = grice("scan", path, form, path, *SEED)
    assert (run.code, run.out) == (2, "")
    assert "error: the findings cannot be written: " in run.err
    assert path.read_text() == before


def test_writes_every_finding_to_a_file(tmp_path: Path, grice: Grice) -> None:
    path = tmp_path / "findings.json"
    run = grice("scan", log(tmp_path, *["I am an AI."] * 20), "--json", path, *SEED, columns=300)
    assert run.code == 0
    assert f"All findings: {path}" in run.out
    document = json.loads(path.read_text("utf-8"))
    assert len(document["findings"]) == 20
    assert document["summary"]["checks"][0]["rate"] == 1.0
    assert "and 19 more with the same reply" in run.out


@pytest.mark.parametrize("place", ["folder", "log.jsonl/findings.json", "log.jsonl", "link.jsonl"])
def test_refuses_a_place_where_the_findings_cannot_go_before_it_scans(
    tmp_path: Path, place: str, grice: Grice
) -> None:
    path = log(tmp_path, "I am an AI.")
    before = path.read_text()
    (tmp_path / "folder").mkdir()
    (tmp_path / "link.jsonl").symlink_to(path)
    run = grice("scan", path, "--json", tmp_path / place, *SEED)
    assert run.code == 2
    assert "error: the findings cannot be written: " in run.err
    assert run.out == ""
    assert path.read_text() == before


def test_makes_the_folder_of_the_findings(tmp_path: Path, grice: Grice) -> None:
    path = tmp_path / "new" / "deep" / "findings.json"
    assert grice("scan", log(tmp_path, "I am an AI."), "--json", path, *SEED).code == 0
    assert len(json.loads(path.read_text())["findings"]) == 1


def test_messages_that_were_left_out_are_counted_and_listed(tmp_path: Path, grice: Grice) -> None:
    path = log(tmp_path, "I am an AI.")
    path.write_text(json.dumps([USER, {"role": "assistant", "content": "I am an AI."}, 7]) + "\n7\n")
    run = grice("scan", path, *SEED, columns=200)
    assert f"{path}:1  turn 1" in run.out
    assert run.out.splitlines()[3:6] == [
        "1 of 2 lines and 1 message of other lines not examined: malformed",
        f"  {path}:1: messages[2]: is not an object; expected a message with role and content",
        f"  {path}:2: found a number; expected an object or a list of messages",
    ]


def test_what_the_terminal_cannot_show_is_escaped(tmp_path: Path, grice: Grice) -> None:
    path = log(tmp_path, "I am an AI \U0001f600.")
    with io.TextIOWrapper(io.BytesIO(), "ascii") as ascii_only:
        done = grice("scan", path, *SEED, stdout=ascii_only)
        ascii_only.seek(0)
        assert r">>I am an AI<< \U0001f600." in ascii_only.read()
    assert (done.code, done.err) == (0, "")


@pytest.mark.skipif(os.name == "nt", reason="devices are Unix's")
@pytest.mark.parametrize("command", [["scan"], ["scan", "--checks", "tone"], ["lint"]])
def test_a_device_is_refused_with_what_is_read_instead(command: list[str], grice: Grice) -> None:
    run = grice(*command, "/dev/null")
    assert run.code == 2
    said = "error: /dev/null: cannot be opened: it is a device, expected a file, or - for standard input"
    assert said in run.err


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_link_to_nothing_says_where_it_leads(tmp_path: Path, grice: Grice) -> None:
    (tmp_path / "log.jsonl").symlink_to("old.jsonl")
    (tmp_path / "loop.jsonl").symlink_to("loop.jsonl")
    run = grice("scan", tmp_path / "log.jsonl", tmp_path / "loop.jsonl", *SEED)
    assert run.code == 2
    assert "log.jsonl: is a link to old.jsonl, which is not there\n" in run.err
    assert "loop.jsonl: cannot be opened: it is a loop of links\n" in run.err
    kept = grice("scan", log(tmp_path, "Done."), "--json", tmp_path / "loop.jsonl", *SEED)
    assert "the findings cannot be written" in kept.err
    assert (tmp_path / "loop.jsonl").is_symlink()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
@pytest.mark.parametrize("command", [["scan"], ["scan", "--checks", "tone"], ["lint"]])
def test_a_name_that_is_no_text_is_written_down(tmp_path: Path, command: list[str], grice: Grice) -> None:
    path = tmp_path / os.fsdecode(b"log\xff.jsonl")
    log(tmp_path, "I am an AI.").rename(path)
    assert grice(*command, path, "--json", tmp_path / "found.json").code == 0
    found = json.loads((tmp_path / "found.json").read_text())
    assert found["summary"]["files"] == [f"{tmp_path}/log\ufffd.jsonl"]


def test_a_name_that_is_too_long_is_told(grice: Grice) -> None:
    run = grice("scan", f"{'x' * 300}.jsonl", *SEED)
    assert (run.code, "cannot be opened: " in run.err) == (2, True)


def test_the_place_of_a_finding_can_be_pasted(tmp_path: Path, grice: Grice) -> None:
    log(tmp_path, "Fine.", "Updating now! Would you like me to update it?").rename(tmp_path / "my log.jsonl")
    found = grice("scan", tmp_path / "my log.jsonl", columns=200).out
    line = next(one for one in found.splitlines() if "my log.jsonl:2" in one)
    shown = grice("show", shlex.split(line)[0])
    assert (shown.code, shown.out.splitlines()[0]) == (0, "c2: 1 turn, 1 finding: tool-flow")


def test_reasons_that_differ_are_told_by_one_of_them(tmp_path: Path, grice: Grice) -> None:
    path = tmp_path / "log.jsonl"
    said = [("Hi", "Thank you and goodbye.")] + [("Bye", "Thank you and goodbye.")] * 2
    said += [("When?", "It is open until 8."), ("Why?", "It is open until 8.")]
    messages = [
        {"role": role, "content": text}
        for pair in said
        for role, text in zip(("user", "assistant"), pair, strict=True)
    ]
    path.write_text(json.dumps({"messages": messages}) + "\n")
    out = grice("scan", path, columns=200).out
    assert "…" not in out
    example = "it has the same words as turn 1: 'Thank you and goodbye.'; but it is a courtesy"
    assert f"skipped 2 times, such as: {example}" in out


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ("meta.ratng < 3", "'meta.ratng' (did you mean 'meta.rating'?)"),
        (
            "rating < 3 or lang == 'x'",
            "s 'lang'; there are id, meta, meta.rating; 'rating' (did you mean 'meta.rating'?)",
        ),
    ],
)
def test_a_field_that_no_line_has_is_told_with_the_nearest(
    tmp_path: Path, grice: Grice, where: str, said: str
) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(json.dumps({"id": "a", "meta": {"rating": 2}, "messages": [USER]}) + "\n")
    run = grice("scan", path, "--where", where)
    assert (run.code, run.out) == (2, "")
    missing = said.replace("are id, meta, meta.rating", "are id, meta, meta.rating, messages")
    assert run.err == f"error: --where: no line has the field{'' if missing[0] == 's' else ' '}{missing}\n"


def test_a_field_that_the_first_lines_do_not_have_may_come(tmp_path: Path, grice: Grice) -> None:
    path = tmp_path / "log.jsonl"
    plain, rated = (
        {"messages": [USER]},
        {"rating": 1, "messages": [USER, {"role": "assistant", "content": "."}]},
    )
    path.write_text("".join(json.dumps(one) + "\n" for one in [plain] * 1_001 + [rated]))
    run = grice("scan", path, "--where", "rating == 1")
    assert (run.code, run.err) == (
        0,
        "note: --where: none of the first 1,000 lines has the field 'rating'; there are messages\n",
    )
    assert "1 assistant turn examined" in " ".join(run.out.split())


@pytest.mark.skipif(find_spec("pyarrow") is not None, reason="its package is there")
def test_a_table_needs_its_package(tmp_path: Path, grice: Grice) -> None:
    run = grice("scan", log(tmp_path, "Fine."), "--parquet", tmp_path / "found.parquet")
    assert (run.code, run.out) == (2, "")
    assert run.err == "error: --parquet needs a package: pip install 'grice[parquet]'\n"


@pytest.mark.parametrize("address", ["s3://logs/a.jsonl", "gs://logs/*.gz"])
def test_a_bucket_needs_its_package(grice: Grice, monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setitem(sys.modules, "obstore", None)
    run = grice("scan", address)
    assert (run.code, run.out) == (2, "")
    assert run.err == f"error: {address}: addresses need a package: pip install 'grice[buckets]'\n"


def test_an_address_with_a_secret_is_not_shown(grice: Grice) -> None:
    run = grice("scan", "s3://key:secret@logs/a.jsonl")
    assert run.code == 2
    assert run.err.startswith("error: s3://...: addresses with a secret in them are not read")


def test_many_findings_are_pages_by_label_with_their_conversations(
    tmp_path: Path, grice: Grice, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each different reply once; what an earlier scan of more pages left is removed, and nothing else."""
    monkeypatch.setattr(findings, "_A_PAGE", 2)
    asks = [f"Updating now! Would you like me to update it? {number}" for number in (1, 1, 2, 3, 4)]
    path, page = log(tmp_path, *asks, "No words. No words. No words. No words."), tmp_path / "found.html"
    other = tmp_path / "found-9.html"
    other.write_text("<p>mine</p>")
    assert grice("scan", path, "--html", page).code == 0
    names = ["found.html", "found-2.html", "found-3.html"]
    pages = [(tmp_path / name).read_text() for name in names]
    assert [one.count('<details class="conversation fail"') for one in pages] == [2, 2, 1]
    assert f"{path}:1" in pages[0]
    assert "and 1 more with the same reply" in pages[0]
    assert "Update it" in pages[0]
    assert '<a href="found-2.html">2</a>' in pages[0]
    assert '<b aria-current="page">2</b>' in pages[1]
    assert "By check" in pages[0]
    assert "By check" not in pages[1]
    assert grice("scan", log(tmp_path, asks[0]), "--html", page).code == 0
    assert sorted(one.name for one in tmp_path.glob("found*.html")) == ["found-9.html", "found.html"]
    assert other.read_text() == "<p>mine</p>"


@pytest.mark.parametrize(
    ("files", "options", "said"),
    [
        (["-"], [], "--follow waits at the end of files: name a file or a folder"),
        (
            ["s3://logs/day"],
            [],
            "s3://logs/day: --follow reads files that grow, and an object does not: leave it out",
        ),
        (
            ["table.csv"],
            ["--map", "auto"],
            (
                "table.csv: --follow reads JSON Lines; the first line is not valid JSON: "
                "a line begins with { or ["
            ),
        ),
    ],
)
def test_what_cannot_be_followed_is_refused(
    tmp_path: Path,
    grice: Grice,
    monkeypatch: pytest.MonkeyPatch,
    files: list[str],
    options: list[str],
    said: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "table.csv").write_text("who,text\ncustomer,Hi\n")
    run = grice("scan", *files, "--follow", *options)
    assert (run.code, run.out, run.err) == (2, "", f"error: {said}\n")
