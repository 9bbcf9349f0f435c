"""`grice scan --checks` as its user sees it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from grice_command import Grice

from grice.matching.recording import EMBEDDER

OWN = """
from grice import Reply
from grice.matchers import Context, matcher

@matcher("toEndSoon")
def end_soon(subject: str | Reply, ctx: Context) -> bool:
    return len(str(subject)) < 5
"""
HOSTILE = "[bold red]One.[/] \x1b[31mTwo.\x1b]0;title\x07 \u202eThree. \x00"


def write(path: Path, *texts: str, name: str = "c") -> None:
    lines = [
        {
            "id": f"{name}{n}",
            "messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": one}],
        }
        for n, one in enumerate(texts, 1)
    ]
    path.write_text("".join(json.dumps(one) + "\n" for one in lines))


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = Path("log.jsonl")
    write(path, "One. Two.", "One.", "")
    Path("checks.yaml").write_text("- {matcher: sentences, expected: 1}\n")
    return path


def test_shows_the_outcomes_of_each_check_and_the_first_findings(grice: Grice, log: Path) -> None:
    run = grice("scan", log, "--checks", "checks.yaml")
    assert (run.code, run.err) == (0, "")
    assert run.out.splitlines() == [
        "Found 1 finding in 1 of 3 conversations: sentences 1.",
        "log.jsonl: 3 lines, 3 conversations, 3 assistant turns examined. Applied: 1 check.",
        "",
        "By check",
        "  check      fail  pass    rate  on our test rows          could not tell",
        f"  {'─' * 71}",
        "  sentences     1     1  50.00%  right in 10 of 10 alarms  1 inconclusive",
        "  rate: of those on which a check could tell (pass or fail), the share that failed.",
        "  on our test rows: on examples that the rule had never seen. It says nothing of this log.",
        "",
        "sentences",
        "  log.jsonl:1  c1  turn 1",
        "    found 2: One. | Two.",
        "    user: Hi",
        "    assistant: One. »Two.«",
        "  inconclusive 1 time: the text is empty: there is nothing to look at",
    ]


def test_a_reason_of_several_lines_is_shown_as_such(grice: Grice, log: Path) -> None:
    Path("checks.yaml").write_text(
        "- matcher: toBeSupportedBy\n  options: {facts: {flex: soft, price: 300}}\n"
    )
    write(log, "It has stiff flex. It costs $200.")
    lines = grice("scan", log, "--checks", "checks.yaml").out.splitlines()
    assert not any("\\n" in line for line in lines)
    assert sum("is contradicted" in line for line in lines) == 2


def test_writes_every_finding_and_the_counts(grice: Grice, log: Path) -> None:
    assert grice("scan", log, "--checks", "checks.yaml", "--json", "found.json").code == 0
    written = json.loads(Path("found.json").read_text())
    assert written["version"] == 2
    assert [(one["label"], one["line"], one["reason"]) for one in written["findings"]] == [
        ("sentences", 1, "found 2: One. | Two.")
    ]
    (count,) = written["summary"]["checks"]
    assert (count["matcher"], count["passed"], count["failed"]) == ("toHaveAtMostSentences", 1, 1)


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (["--checks", "checks.yaml"], 0, ""),
        (["--checks", "checks.yaml", "--fail-on-findings"], 1, ""),
        (["--checks", "toBeFreeOf", "--fail-on-findings"], 0, ""),
        (["--checks", "tol-flow"], 2, "unknown rule 'tol-flow' (did you mean 'tool-flow'?)"),
        (["--checks", "senteces"], 2, "unknown rule 'senteces' (did you mean 'sentences'?)"),
        (
            ["--checks", "log.jsonl"],
            2,
            "log.jsonl: a file of checks has a name that ends in .json, .yaml or .yml",
        ),
        (["--checks", "missing.yaml"], 2, "missing.yaml: there is no such file"),
        (["--checks", "toBeFreeOf", "--profile", "sead"], 2, "did you mean 'seed'?"),
        (["--profile", "seed"], 2, "no checks are named"),
        (["--checks", ""], 2, "no checks are named"),
        (["--checks", "checks.yaml", "none.jsonl"], 2, "none.jsonl: there is no such file"),
        (["--checks", "toBeFreeOf", "--json", "log.jsonl"], 2, "is one of the files to read"),
    ],
)
def test_the_exit_code_tells_how_it_went(
    grice: Grice, log: Path, options: list[str], code: int, said: str
) -> None:
    run = grice("scan", log, *options)
    assert run.code == code
    assert said in run.err


@pytest.mark.skipif(sys.platform == "win32", reason="no colon in names of files there")
def test_a_file_of_checks_may_have_a_colon_in_its_path(grice: Grice, log: Path) -> None:
    Path("run:1").mkdir()
    Path("run:1/checks.yaml").write_text("- {matcher: sentences, expected: 1}\n")
    assert grice("scan", log, "--checks", "run:1/checks.yaml").code == 0


def test_the_embedder_of_the_project_is_that_of_the_scan_alone(grice: Grice, log: Path) -> None:
    Path("pyproject.toml").write_text("[tool.grice]\nembedder = 'minilm'\n")
    assert grice("scan", log, "--checks", "exclamations").code == 0
    assert EMBEDDER.get() is None


def test_a_matcher_of_the_user_is_named_by_its_module(
    grice: Grice, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))
    Path("own_checks.py").write_text(OWN)
    run = grice("scan", log, "--checks", "toBeFreeOf,own_checks:end_soon", "--fail-on-findings")
    assert (run.code, run.err) == (1, "")
    assert "  toEndSoon      1     2  33.33%\n" in run.out


def test_nothing_that_could_be_told_is_no_success(grice: Grice, log: Path) -> None:
    write(log, "")
    run = grice("scan", log, "--checks", "checks.yaml")
    assert run.code == 2
    assert "nothing was examined: no check could tell anything" in run.err
    assert run.out.startswith("Nothing was examined.\n")


def test_what_a_log_says_is_never_markup(grice: Grice, log: Path) -> None:
    write(log, HOSTILE, name=HOSTILE)
    run = grice("scan", log, "--checks", "checks.yaml")
    assert run.code == 0
    assert "[bold red]" in run.out
    assert not any(one in run.out for one in ("\x1b", "\x07", "\u202e", "\x00"))
