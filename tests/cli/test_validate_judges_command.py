"""`grice validate criteria` and `grice validate judge` as their user sees them."""

from __future__ import annotations

import importlib
import json
from pathlib import Path

import msgspec
import pytest
from grice_command import Grice

from grice import Reply
from grice.judging.judge import Judge
from grice.judging.satisfy_criteria import satisfy
from grice.llm import bind_llm
from grice.matching.context import resolve_subject
from grice.matching.judge import judge
from grice.reporting.progress import AskingProgress
from grice.validation.examples import conversation_of

RULES = """
import json
from grice import LLMMetadata, LLMResponse, criterion

EXAMPLES = {
    "good": [("Happy to help!", "warm")],
    "bad": [("[bold red]No.[/] \\x1b[31m", "curt"), ("Read this, please.", "sends them away")],
    "edge": [("Sure.", True, "short but kind")],
}
KIND = criterion("kind", "Be kind.", **EXAMPLES)
BRIEF = criterion("brief", check=lambda c: len(c.turns[-1].text) < 20, good=[("Hi.", "brief")])
CRITERIA = [KIND, BRIEF, criterion("bare", "No examples.")]
FINE = [criterion("fine", "Be fine.", good=[("Happy", "x")], bad=[("No.", "y")])]
NUMBER = 7

class Toy:
    name = provider = "toy"
    model = "toy-1"

    async def complete(self, messages, **_):
        reply = messages[1]["content"].split('judged="yes">')[1].split("</data")[0]
        if "down" in reply:
            raise RuntimeError("out of order")
        kind = any(word in reply for word in ("Happy", "Sure", "please"))
        why = f"kind: {kind} \\x1b[31m[/]"
        said = {"requirement": "be kind", "reasoning": why, "quote": "", "satisfied": kind}
        return LLMResponse(json.dumps(said), metadata=LLMMetadata(model="toy-1-2025", input_tokens=9))
"""
SETTINGS = '[tool.grice]\ncriteria = "rules:CRITERIA"\njudge_llm = "rules:Toy"\n'
MEASURE = ["validate", "judge", "kind", "labels.jsonl", "--items", "items.jsonl"]
HOSTILE = "[bold red]One.[/] \x1b[31mTwo.\x1b]0;title\x07 \u202eThree. \x00"


@pytest.fixture(autouse=True)
def rules(project: Path) -> None:
    Path("rules.py").write_text(RULES)
    Path("pyproject.toml").write_text(SETTINGS)
    texts = {f"i{n}": f"{'Happy to help' if n % 2 else 'No'} {'x' * n}" for n in range(30)}
    rows("items.jsonl", *({"id": one, "text": text} for one, text in texts.items()))
    rows(
        "labels.jsonl",
        *({"item": one, "label": n % 2 == 1 or n == 4, "rater": "ann"} for n, one in enumerate(texts)),
    )


def rows(path: str, *found: object) -> None:
    Path(path).write_text("".join(json.dumps(one) + "\n" for one in found))


# -- criteria


def test_criteria_are_tried_on_their_own_examples(grice: Grice) -> None:
    run = grice("validate", "criteria")
    assert (run.code, run.err) == (1, "")
    lines = run.out.splitlines()
    assert lines[0] == "1 example judged otherwise: 2 criteria on 5 examples."
    start = lines.index("By criterion") + 1
    table = [line.split() for line in (lines[start], *lines[start + 2 : start + 4])]
    assert table[0] == [
        "criterion",
        "n",
        "good",
        "bad",
        "edge",
        "false",
        "precision",
        "missed",
        "recall",
        "kappa",
    ]
    assert table[1][:6] == ["kind", "4", "1/1", "1/2", "1/1", "0"]
    assert table[2][:4] == ["brief", "1", "1/1", "-"]
    assert "Judged: kind by toy-1-2025 (prompt criterion v1); brief by code." in run.out
    assert "leave-one-out" in run.out
    assert "without examples, so not tried: 1 (bare)" in run.out
    assert lines[lines.index("Judged otherwise") + 1 :][:4] == [
        "  kind: bad example 3 of 4",
        "    author:  does not meet it: sends them away",
        r"    judge:   meets it: kind: True \x1b[31m[/]",
        "    reply:   Read this, please.",
    ]


def test_verbose_shows_every_example_and_never_as_markup(grice: Grice) -> None:
    run = grice("validate", "criteria", "kind", "--verbose")
    assert r"  reply:   [bold red]No.[/] \x1b[31m" in run.out
    assert "\x1b" not in run.out
    assert run.out.count(" example ") >= 4


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["brief"], 0, ""),
        (["--criteria", "rules:FINE"], 0, ""),
        (["kind"], 1, ""),
        (["bare"], 2, "nothing was examined: the criterion 'bare' has no examples"),
        (["knd"], 2, "unknown criterion 'knd' (did you mean 'kind'?): known are bare, brief, kind"),
        (["--criteria", "rules:NUMBER"], 2, "expected criteria, made with criterion(...), found 7"),
        (["--criteria", "rules:NUMBR"], 2, "did you mean 'NUMBER'?"),
        (["--llm", "opnai:gpt"], 2, "providers are openai and anthropic (did you mean 'openai'?)"),
        (["--samples", "0"], 2, "--samples: samples is a whole number from 1 to 99, found 0"),
        (["kind", "--json", "items.jsonl"], 2, "items.jsonl exists and is no result of Grice"),
        (["kind", "--markdown", "-o", "labels.jsonl"], 2, "is no report of Grice"),
    ],
)
def test_the_exit_code_tells_how_criteria_went(
    grice: Grice, arguments: list[str], code: int, said: str
) -> None:
    run = grice("validate", "criteria", *arguments)
    assert run.code == code, run.out + run.err
    assert said in run.err


def test_a_judge_that_breaks_is_named_and_is_no_failure(grice: Grice) -> None:
    Path("rules.py").write_text(RULES.replace("Happy to help!", "down"))
    run = grice("validate", "criteria", "kind", "--card")
    assert run.code == 2
    assert "kind: 1 of 4 examples got no answer: the judge gave no answer" in run.err
    assert "out of order" in run.err
    assert not Path("cards").exists()


def test_without_an_llm_only_code_is_tried(grice: Grice) -> None:
    Path("pyproject.toml").write_text('[tool.grice]\ncriteria = "rules:CRITERIA"\n')
    run = grice("validate", "criteria")
    assert run.code == 2
    assert "error: kind: an LLM judges this and none is configured" in run.err
    assert "All examples are judged as their authors did: 1 criterion on 1 example." in run.out
    assert grice("validate", "criteria", "brief").code == 0


def test_without_criteria_it_says_how_to_have_some(grice: Grice) -> None:
    Path("pyproject.toml").write_text("[tool.grice]\n")
    run = grice("validate", "criteria")
    assert run.code == 2
    assert 'set criteria = "module:attribute" in grice.toml' in run.err


@pytest.mark.slow
def test_results_and_cards_of_criteria_are_written_and_written_over(grice: Grice) -> None:
    for _ in range(2):
        run = grice("validate", "criteria", "--card", "--json", "out/c.json", "--markdown", "-o", "c.md")
        assert run.code == 1, run.err
    written = json.loads(Path("out/c.json").read_text())
    assert (written["version"], written["complete"], written["all_right"]) == (1, True, False)
    assert [one["right"] for one in written["criteria"][0]["examples"]] == [True, True, False, True]
    assert written["without_examples"] == ["bare"]
    markdown = Path("c.md").read_text()
    assert markdown.startswith("<!-- grice.validation -->\n\n### ✗ Grice: 1 example judged otherwise")
    assert "| criterion | n | good |" in markdown
    assert "\x1b" not in Path("c.md").read_text()
    card = json.loads(Path("cards/kind.toy-1-2025.card.json").read_text())["card"]
    assert (card["kind"], card["n"], card["split"]) == ("examples", 4, "leave-one-out")
    assert "It is weak" in run.out
    assert "brief: no card, for code judges it" in run.out
    assert [one.name for one in Path("cards").iterdir()] == ["kind.toy-1-2025.card.json"]


# -- a judge


@pytest.mark.slow
def test_a_judge_is_measured_and_gets_a_card_that_its_verdicts_then_carry(grice: Grice) -> None:
    run = grice(*MEASURE, "--card", "--verbose")
    assert (run.code, run.err.count("answers")) == (0, 10)
    assert run.out.startswith("kind (toy-1-2025, prompt criterion v1): kappa 1.00 (0.41 to 1.00) on 12 held")
    assert "Written: cards/kind.toy-1-2025.card.json" in run.out
    assert "1 of 30 items judged otherwise than by most people" in run.out
    half = "dev" if "i4  dev" in run.out else "held out"
    assert f"i4  {half}\n    people:  pass (ann pass)\n    judge:   fail: kind: False" in run.out
    card = json.loads(Path("cards/kind.toy-1-2025.card.json").read_text())["card"]
    assert card["n"] + card["dev_n"] == 30
    assert "kind" not in card  # of people's labels, as cards are
    reply = Reply(conversation_of({"text": "Happy to help"}), 1)
    rules = importlib.import_module("rules")
    for required in (False, True):
        asked = Judge(
            bind_llm(rules.Toy()), criteria=rules.CRITERIA, cards=Path("cards"), require_card=required
        )
        context = msgspec.structs.replace(resolve_subject(reply).context, judge=asked)
        verdict = judge(satisfy(rules.KIND), reply, context)
        assert verdict.judgement.standing.n == 12
        assert verdict.uncalibrated is required
    assert "rests on 12 items: at least 20 are wanted" in verdict.reason  # too few to decide a build


@pytest.mark.slow
def test_a_card_of_own_examples_does_not_replace_one_of_people(grice: Grice) -> None:
    assert grice(*MEASURE, "--card").code == 0
    before = Path("cards/kind.toy-1-2025.card.json").read_bytes()
    run = grice("validate", "criteria", "kind", "--card")
    assert run.code == 2
    assert "is a card of people's labels: one of own examples is weaker" in run.err
    assert Path("cards/kind.toy-1-2025.card.json").read_bytes() == before


@pytest.mark.slow
def test_answers_are_kept_and_not_asked_for_again(grice: Grice) -> None:
    arguments = [
        "validate",
        "judge",
        "kind",
        "labels.jsonl",
        "--items",
        "items.jsonl",
        "--verdicts",
        "v.jsonl",
    ]
    first = grice(*arguments)
    assert len(Path("v.jsonl").read_text().splitlines()) == 30
    again = grice(*arguments, "--json", "j.json")
    assert (again.code, again.err, again.out) == (0, "", first.out)
    assert len(Path("v.jsonl").read_text().splitlines()) == 30
    written = json.loads(Path("j.json").read_text())
    assert (written["version"], written["asked"], len(written["decisions"])) == (1, 0, 30)
    markdown = grice(*arguments, "--markdown").out
    assert markdown.startswith("<!-- grice.validation -->\n\n### Grice: kind (toy-1-2025,")
    Path("pyproject.toml").write_text('[tool.grice]\ncriteria = "rules:CRITERIA"\n')
    assert grice(*arguments).out == first.out


@pytest.mark.slow
def test_ctrl_c_keeps_the_answers_so_far(grice: Grice, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_: object, done: int, planned: int) -> None:
        if done == 7:
            raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(AskingProgress, "__call__", interrupt)
        run = grice(*MEASURE, "--verdicts", "v.jsonl")
    assert (run.code, run.out) == (130, "")
    assert "interrupted: the answers so far are kept in v.jsonl; the same command goes on" in run.err
    assert 7 <= len(Path("v.jsonl").read_text().splitlines()) < 30  # what was under way came to its end
    assert grice(*MEASURE, "--verdicts", "v.jsonl").code == 0
    assert len(Path("v.jsonl").read_text().splitlines()) == 30


@pytest.mark.slow
def test_items_without_an_answer_are_told_and_counted(grice: Grice) -> None:
    texts = [json.loads(line) for line in Path("items.jsonl").read_text().splitlines()]
    rows("items.jsonl", *({**one, "text": "down"} if one["id"] in ("i3", "i4") else one for one in texts))
    run = grice(*MEASURE)
    assert run.code == 0
    assert "2 of 30 items got no answer: the judge gave no answer: " in run.err
    assert "out of order" in run.err
    rows("items.jsonl", *({**one, "text": "down"} for one in texts))
    assert grice(*MEASURE, "--card").code == 2
    assert not Path("cards").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["knd", "labels.jsonl"], "unknown judge 'knd' (did you mean 'kind'?)"),
        (["kind", "label.jsonl"], "label.jsonl: there is no such file (did you mean 'labels.jsonl'?)"),
        (["kind", "labels.jsonl"], "name its file with --items"),
        (["kind", "items.jsonl"], "holds no labels"),
        (
            ["better", "labels.jsonl", "--verdicts", "item.jsonl"],
            "no such file (did you mean 'items.jsonl'?)",
        ),
        (["kind", "labels.jsonl", "--items", "items.jsonl", "--split", "x=1"], "--split is KEY=SHARE"),
        (["kind", "labels.jsonl", "--items", "items.jsonl", "--json", "labels.jsonl"], "is not written over"),
        (
            ["kind", "labels.jsonl", "--items", "items.jsonl", "--verdicts", "rules.py/v"],
            "rules.py/v: cannot be",
        ),
    ],
)
def test_wrong_usage_of_judge_is_told(grice: Grice, arguments: list[str], said: str) -> None:
    run = grice("validate", "judge", *arguments)
    assert run.code == 2, run.out
    assert said in run.err
    assert run.out == ""


def test_nothing_that_items_and_people_say_is_markup(grice: Grice) -> None:
    rows("items.jsonl", {"id": HOSTILE, "text": HOSTILE}, {"id": "two", "text": "Happy"})
    rows(
        "labels.jsonl",
        {"item": HOSTILE, "label": True, "rater": HOSTILE, "note": HOSTILE},
        {"item": "two", "label": True, "rater": HOSTILE},
    )
    run = grice(*MEASURE, "--split", "0", "--verbose")
    assert run.code == 0
    assert "kappa undefined: all labels are of one class (pass)" in run.out
    for shown in (run.out, run.err, grice(*MEASURE, "--split", "0", "--verbose", "--markdown").out):
        assert not {"\x1b", "\x07", "\u202e", "\x00"} & set(shown)
    assert r"[bold red]One.[/] \x1b[31mTwo." in run.out


def test_results_that_match_no_call_are_told_once_a_file(grice: Grice) -> None:
    asked = {"role": "user", "content": "Refund?"}
    lost = {"role": "tool", "tool_call_id": "c", "content": "x"}
    said = {"role": "assistant", "content": "Happy to help"}
    rows("logged.jsonl", *({"id": f"i{n}", "messages": [asked, lost, said, asked, said]} for n in range(30)))
    run = grice("validate", "judge", "kind", "labels.jsonl", "--items", "logged.jsonl")
    told = "logged.jsonl: 30 tool results match no call: findings on tools are unreliable"
    assert run.err.count("match no call") == 1
    assert told in run.err
