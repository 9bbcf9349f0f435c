"""`grice validate checks` as its user sees it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from grice_command import Grice

GOOD = {"id": "one", "text": "Visit example.com for more.", "args": {"limit": 1}, "expected": "pass"}
BAD = {"id": "two", "text": "First. Second.", "args": {"limit": 1}, "expected": "fail"}
WRONG = {"id": "three", "text": "First.", "args": {"limit": 1}, "expected": "fail", "why": "a wrong label"}
OWN = """
from grice import Reply
from grice.matchers import Context, matcher

number = 7

@matcher("toStayQuiet")
def stay_quiet(subject: str | Reply, ctx: Context) -> bool:
    return not str(subject).isupper()
"""
HOSTILE = "[bold red]One.[/] \x1b[31mTwo.\x1b]0;title\x07 \u202eThree. \x00"


def write(path: str, *examples: object) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text("".join(json.dumps(one) + "\n" for one in examples))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write("mine/sentences.jsonl", GOOD, BAD)
    write("wrong/sentences.jsonl", GOOD, BAD, WRONG)


def test_shows_figures_and_then_what_is_not_as_documented(grice: Grice) -> None:
    run = grice("validate", "checks", "wrong", "--profile", "robust")
    assert (run.code, run.err) == (1, "")
    lines = run.out.splitlines()
    assert lines[:13] == [
        "1 outcome is not as documented: sentences 1.",
        "Tried: 1 rule on 3 labelled examples. robust gives 2 of 3 outcomes as documented.",
        "",
        "Not as documented",
        "  sentences: three  robust  wrong/sentences.jsonl:3",
        "    expected:  fail, because a wrong label",
        "    found:     pass: found 1",
        '    args:      {"limit": 1}',
        "    reply:     First.",
        "",
        "Measured",
        "  rule       profile  n  false  precision       missed  recall          right  undecided  layer",
        f"  {'─' * 93}",
    ]
    assert lines[13] == (
        "  sentences  robust   3      0  1.00 0.21-1.00       1  0.50 0.09-0.91      2          0      1"
    )


def test_with_a_name_every_example_has_a_line(grice: Grice) -> None:
    run = grice("validate", "checks", "sentences", "wrong")
    rows = every_example(run.out)
    assert rows[0].split() == ["seed", "robust", "expected", "example", "why"]
    assert [row.split()[1] for row in rows[2:5]] == ["FAIL", "pass", "pass"]
    assert rows[5].strip() == "FAIL: not as expected, fails the command"


def every_example(out: str) -> list[str]:
    """The table of all examples, and what its results mean."""
    return out.split("Every example of sentences\n")[1].split("\n\n")[0].splitlines()


def test_the_second_line_says_what_decided_the_exit_code(grice: Grice) -> None:
    known = {**GOOD, "id": "four", "expected": None, "seed": "fail", "robust": "pass"}
    write("both/sentences.jsonl", {name: held for name, held in known.items() if held is not None})
    run = grice("validate", "checks", "both")
    assert run.code == 0
    said = "seed gives 1 of 1 outcome as documented, robust gives 1 of 1 outcome as documented."
    told = " ".join(run.out.split("\n\n")[0].splitlines()[1:])
    assert told == f"{said} Of these 1 are known to be wrong, which decides nothing."
    run = grice("validate", "checks", "mine")
    assert run.code == 0
    assert " ".join(run.out.split("\n\n")[0].splitlines()[1:]) == (
        "robust gives 2 of 2 outcomes as documented. "
        "Only measured: 2 outcomes of seed (--profile seed makes it decide)."
    )


def test_only_results_in_capitals_fail_the_command(grice: Grice) -> None:
    fixed = {**GOOD, "expected": None, "robust": "fail", "right": "pass"}
    write("fixed/sentences.jsonl", {name: held for name, held in fixed.items() if held is not None})
    for folder, results, code in (
        ("mine", {"pass", "wrong"}, 0),
        ("wrong", {"pass", "wrong", "FAIL"}, 1),
        ("fixed", {"FIXED"}, 1),
    ):
        run = grice("validate", "checks", "sentences", folder)
        rows = [row.strip() for row in every_example(run.out)[2:]]
        found = {result for row in rows if ": " not in row[:9] for result in row.split()[:2]}
        shown = {one for one in found if one in ("pass", "wrong", "FAIL", "FIXED", "known")}
        assert (shown, run.code) == (results, code), run.out
        told = {row.split(":")[0] for row in rows if row.split(":")[0] in shown}
        assert told == results - {"pass"}, run.out


def test_the_seed_profile_is_measured_beside_it_and_verbose_shows_its_faults(grice: Grice) -> None:
    run = grice("validate", "checks", "mine", "--verbose")
    assert run.code == 0
    assert "Every outcome is as documented: 1 rule on 2 labelled examples." in run.out
    assert "wrong by seed: 1 (sentences 1)" in run.out
    assert "sentences: one  seed  mine/sentences.jsonl:1" in run.out


def test_rules_stand_in_the_order_of_their_layers_and_failing_ones_first(grice: Grice) -> None:
    for rule, expected in (("boilerplate", "pass"), ("openers", "skipped")):
        write(f"three/{rule}.jsonl", {"text": "It is blue.", "expected": expected})
    calm = ["boilerplate", "openers", "evidence"]
    for expected, order in (("inconclusive", calm), ("fail", ["evidence", "boilerplate", "openers"])):
        write("three/evidence.jsonl", {"text": "It is blue.", "expected": expected})
        out = grice("validate", "checks", "three", "--profile", "robust").out
        rows = [line.split() for line in out.split("Measured\n")[1].splitlines()[2:5]]
        assert [row[0] for row in rows] == order
        assert {row[0]: row[-1] for row in rows} == {"boilerplate": "1", "openers": "1", "evidence": "2"}


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["mine"], 0, ""),
        (["wrong"], 1, ""),
        (["sentences", "mine"], 0, ""),
        (["toHaveAtMostSentences", "mine"], 0, ""),
        (["have_at_most_sentences", "mine/sentences.jsonl"], 0, ""),
        (["mine/sentences.jsonl"], 0, ""),
        (["openers", "mine"], 2, "nothing was examined: the examples are of sentences"),
        (["senteces", "mine"], 2, "unknown rule 'senteces' (did you mean 'sentences'?)"),
        (["sentences", "mine", "--profile", "robus"], 2, "did you mean 'robust'?"),
        (["mnie"], 2, "nor is there such a folder"),
        (["sentences", "min"], 2, "min: there is no such file or folder (did you mean 'mine'?)"),
        (["toContain"], 2, "toContain is no rule with examples of its own"),
        (["mine", "--json", "mine/sentences.jsonl"], 2, "is no result of Grice"),
    ],
)
def test_the_exit_code_tells_how_it_went(grice: Grice, arguments: list[str], code: int, said: str) -> None:
    run = grice("validate", "checks", *arguments)
    assert run.code == code
    assert said in run.err


def test_a_matcher_of_the_user_is_named_by_its_module(grice: Grice, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))
    Path("own_rules.py").write_text(OWN)
    write("own/examples.jsonl", {"text": "Hush.", "expected": "pass"}, {"text": "LOUD", "expected": "fail"})
    run = grice("validate", "checks", "own_rules:stay_quiet", "own")
    assert (run.code, run.err) == (0, "")
    assert "toStayQuiet" in run.out
    for name, said in (
        ("own_rules:number", "expected a matcher, found 7"),
        ("own_rules:stay_quit", "stay_quiet"),
    ):
        run = grice("validate", "checks", name, "own")
        assert run.code == 2
        assert said in run.err


def test_everything_wrong_with_the_files_is_told(grice: Grice) -> None:
    write("bad/sentences.jsonl", {"txt": "", "args": {"limit": 1}}, 7)
    run = grice("validate", "checks", "bad")
    assert run.code == 2
    assert [one.split(": ")[1] for one in run.err.splitlines()] == [
        "bad/sentences.jsonl:1:1",
        "bad/sentences.jsonl:1:2",
        "bad/sentences.jsonl:2:1",
    ]


def test_figures_are_written_as_json_and_as_markdown_and_written_over(grice: Grice) -> None:
    for _ in range(2):
        run = grice("validate", "checks", "wrong", "--json", "out/v.json", "--markdown", "-o", "v.md")
        assert run.code == 1
    written = json.loads(Path("out/v.json").read_text())
    assert (written["version"], written["complete"], written["as_documented"]) == (1, True, False)
    assert [(one["profile"], one["n"]) for one in written["measurements"]] == [("seed", 3), ("robust", 3)]
    markdown = Path("v.md").read_text()
    assert markdown.startswith("<!-- grice.validation -->\n\n### ✗ Grice: 1 outcome is not as documented")
    assert "| rule | profile | n |" in markdown


def test_a_markdown_file_of_somebody_else_is_not_written_over(grice: Grice) -> None:
    Path("notes.md").write_text("# Mine\n")
    run = grice("validate", "checks", "mine", "--markdown", "-o", "notes.md")
    assert run.code == 2
    assert Path("notes.md").read_text() == "# Mine\n"


def test_what_a_reply_says_is_never_markup(grice: Grice) -> None:
    write("h/sentences.jsonl", {**WRONG, "id": HOSTILE, "text": HOSTILE, "expected": "pass", "why": HOSTILE})
    run = grice("validate", "checks", "h")
    assert run.code == 1
    assert "[bold red]" in run.out
    assert not any(one in run.out for one in ("\x1b", "\x07", "\u202e", "\x00"))


def test_examples_in_the_schema_of_the_seed_are_classified(grice: Grice) -> None:
    said = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Yes!! Really!!"}]
    example = {
        "id": "p-1",
        "type": "positive",
        "conversation": said,
        "expectedResult": True,
        "rationale": "loud",
    }
    write("loud/positive/one.json", example)
    run = grice("validate", "checks", "exclamations", "loud")
    assert "  pass  pass    alarm     p-1      loud\n" in run.out
    assert run.code == 0
    write("loud/negative/two.json", {**example, "id": "n-1", "type": "negative", "expectedResult": False})
    run = grice("validate", "checks", "exclamations", "loud")
    assert (run.code, run.out) == (2, "Nothing was examined.\n")
    assert "it is labelled fail, and the same in" in run.err
