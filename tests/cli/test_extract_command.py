"""`grice extract` as its user sees it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from grice_command import Grice

EXAMPLE = Path(__file__).parents[2] / "examples" / "wordpress_assistant"
ASKED = "Which plugin should I update? There are several."
CHAT = [
    {"role": "user", "content": "Update my plugin"},
    {"role": "assistant", "content": ASKED},
    {"role": "user", "content": "Akismet"},
    {"role": "assistant", "content": ASKED},
]


@pytest.fixture
def chats(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "chats.jsonl"
    path.write_text(json.dumps({"messages": CHAT}) + "\n" + json.dumps({"messages": CHAT[:2]}) + "\n")
    (tmp_path / "notes.jsonl").write_text("<p>Notes</p>\n")
    return path


@pytest.mark.usefixtures("chats")
def test_a_finding_becomes_a_test_that_grice_run_fails(tmp_path: Path, grice: Grice) -> None:
    run = grice("extract", "chats.jsonl:1", "--turn", "2")

    assert run.code == 0, run.err
    (path,) = (tmp_path / "tests").glob("*.grice.yaml")
    assert f"wrote tests/{path.name}" in run.out
    assert "2 turns; proved" in run.out
    assert f"run it: grice run tests/{path.name} --agent YOUR_MODULE:AGENT" in run.out
    (tmp_path / "bad_bot.py").write_text(f"def agent(messages):\n    return {ASKED!r}\n")
    (tmp_path / "good_bot.py").write_text("def agent(messages):\n    return 'Akismet is up to date.'\n")
    assert grice("run", f"tests/{path.name}", "--agent", "bad_bot:agent").code == 1
    assert grice("run", f"tests/{path.name}", "--agent", "good_bot:agent").code == 0


@pytest.mark.usefixtures("chats")
def test_a_whole_log_gives_a_test_for_each_cluster(tmp_path: Path, grice: Grice) -> None:
    run = grice("extract", "chats.jsonl", "--label", "similarity", "-o", "kept")

    assert run.code == 0, run.err
    assert len(list((tmp_path / "kept").glob("*.grice.yaml"))) == 1


@pytest.mark.usefixtures("chats")
@pytest.mark.parametrize(
    ("given", "code", "said"),
    [
        (["chats.jsonl:2"], 1, "nothing was found in chats.jsonl:2"),
        (["chats.jsonl:1", "--turn", "9"], 2, "there is no turn 9, it has 2 turns"),
        (["chats.jsonl:7"], 2, "there is no such line"),
        (
            ["chats.jsonl:1", "--label", "similarty"],
            2,
            "no check is called 'similarty' (did you mean 'similarity'?)",
        ),
        (["chats.jsonl:1", "--label", "tol-flow"], 2, "did you mean 'tool-flow'?"),
        (["chat.jsonl"], 2, "chat.jsonl: there is no such file; expected a log, LOG:LINE"),
        (["notes.jsonl"], 2, "notes.jsonl: no conversation could be read"),
        (["chats.jsonl:1", "-o", "chats.jsonl"], 2, "--out: chats.jsonl is a file; expected a folder"),
        (["chats.jsonl:1", "--ask", "3/2"], 2, "expected K/N, as in 2/3"),
        (["chats.jsonl:1", "--ask", "2/3"], 2, "no agent is configured"),
        (["chats.jsonl:1", "--as", "golden"], 2, "write it with --as suite"),
    ],
)
def test_what_cannot_be_done_is_said(given: list[str], code: int, said: str, grice: Grice) -> None:
    run = grice("extract", *given)

    assert run.code == code
    assert said in " ".join(run.err.split())


FORGETFUL = """
def agent(context):
    def chat(messages):
        asked = {"model": "m", "system": "You update plugins.", "messages": messages[:2]}
        return context.model.transport(asked)["content"][0]["text"]
    return chat
"""
"""An agent that never sends its model more than two messages."""


@pytest.fixture
def run_of_a_shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, grice: Grice) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "forgetful.py").write_text(FORGETFUL)
    (tmp_path / "careful.py").write_text(FORGETFUL.replace("messages[:2]", "messages"))
    (tmp_path / "shop.grice.yaml").write_text(
        "scenarios:\n  - id: update\n    turns:\n"
        "      - {say: Update my plugin, model: [Which one?]}\n"
        "      - {say: Akismet, model: [It is updated. Would you like me to update it?]}\n"
        "    expect: [{on: conversation, matcher: toHaveTurnCount, expected: 2}]\n"
    )
    assert grice("run", "shop.grice.yaml", "--agent", "forgetful:agent").code == 0
    return tmp_path


def test_a_fault_in_a_request_fails_the_agent_that_sends_it_again(run_of_a_shop: Path, grice: Grice) -> None:
    run = grice("extract", "latest@update", "--label", "lint")

    assert run.code == 0, run.err
    assert "2 turns; proved" in run.out
    (path,) = (run_of_a_shop / "tests").glob("*.yaml")
    assert grice("run", f"tests/{path.name}", "--agent", "forgetful:agent").code == 1
    assert grice("run", f"tests/{path.name}", "--agent", "careful:agent").code == 0


def test_a_golden_is_written_where_the_replies_of_the_model_are_known(
    run_of_a_shop: Path, grice: Grice
) -> None:
    assert grice("run", "shop.grice.yaml", "--agent", "careful:agent").code == 0
    run = grice("extract", "latest@update", "--label", "tool-flow")

    assert run.code == 0, run.err
    (path,) = (run_of_a_shop / "tests").glob("*.golden.yaml")
    assert "proved" in run.out
    assert "Would you like me to update it?" in path.read_text()
    assert grice("run", f"tests/{path.name}", "--agent", "careful:agent").code == 1


@pytest.mark.usefixtures("chats")
def test_an_agent_that_varies_is_asked_several_times(tmp_path: Path, grice: Grice) -> None:
    varies = f"import itertools\nsaid = itertools.cycle([{ASKED!r}, {ASKED!r}, 'Done.'])\n"
    (tmp_path / "varies.py").write_text(varies + "def agent(messages):\n    return next(said)\n")
    (tmp_path / "fine.py").write_text("def agent(messages):\n    return 'Done.'\n")
    run = grice("extract", "chats.jsonl:1", "--agent", "varies:agent", "--ask", "2/3")

    assert run.code == 0, run.err
    (path,) = (tmp_path / "tests").glob("*.yaml")
    assert (
        "Asked 3 times, the agent fails it 2 of them. At each step it had to fail 2 of 3." in path.read_text()
    )
    assert grice("extract", "chats.jsonl:1", "--agent", "fine:agent", "--ask", "1/2", "-o", "o").code == 0
    (path,) = (tmp_path / "o").glob("*.yaml")
    assert "the agent fails it 0 of them, fewer than 1 at first" in path.read_text()


@pytest.mark.usefixtures("chats")
def test_an_agent_that_is_asked_by_a_function_or_breaks_is_told(tmp_path: Path, grice: Grice) -> None:
    (tmp_path / "same.py").write_text(f"def agent(messages):\n    return {ASKED!r}\n")
    (tmp_path / "down.py").write_text("def agent(messages):\n    raise ConnectionError('down')\n")
    run = grice("extract", "chats.jsonl:1", "--as", "pytest", "--agent", "same:agent", "--ask", "2/3")
    assert run.code == 0, run.err
    (path,) = (tmp_path / "tests").glob("*.py")
    assert "the agent fails it 3 of them" in path.read_text()
    run = grice("extract", "chats.jsonl:1", "--agent", "down:agent", "--ask", "1/2", "-o", "none")
    assert (run.code, "the agent gave no answer 2 of 2 times" in run.err) == (2, True)


def test_a_log_of_a_shape_of_its_own_is_read_by_its_map(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, grice: Grice
) -> None:
    monkeypatch.chdir(tmp_path)
    said = [{"wer": "bot" if place % 2 else "kunde", "was": one["content"]} for place, one in enumerate(CHAT)]
    (tmp_path / "home.jsonl").write_text(
        "\n".join(json.dumps({"chat": one, "log": said}) for one in range(3))
    )
    unread = grice("extract", "home.jsonl")
    assert (unread.code, "give --map auto" in unread.err) == (2, True)
    assert grice("extract", "home.jsonl:2", "--map", "auto").code == 0
    (tmp_path / "home.map.yaml").write_text(
        "{messages: log, conversation: chat, role: wer, roles: {bot: assistant, kunde: user}, text: was}"
    )
    (tmp_path / "grice.toml").write_text('map = "home.map.yaml"\n')
    run = grice("extract", "home.jsonl", "-o", "kept")
    assert run.code == 0, run.err
    assert [one.name for one in (tmp_path / "kept").iterdir()] == [
        one.name for one in (tmp_path / "tests").iterdir()
    ]


@pytest.mark.usefixtures("chats")
def test_the_pages_of_findings_say_the_command(tmp_path: Path, grice: Grice) -> None:
    grice("scan", "chats.jsonl", "--html", "findings.html")
    grice("show", "chats.jsonl:1", "--html", "conversation.html")
    command = "grice extract chats.jsonl:1 --turn 2 --label similarity"
    for page in ("findings.html", "conversation.html"):
        assert command in (tmp_path / page).read_text(), page
    assert grice(*command.split()[1:]).code == 0


LLMS = """
from grice import ScriptedLLM

person = {"goal": "Update Akismet", "persona": "terse", "facts": ["The plugin is Akismet."]}
says = [{"message": one, "done": "no", "reason": ""} for one in ("Update it", "Akismet", "Well?", "Hm?")]
llm = ScriptedLLM({"user:extract": person, "user": says})
"""


@pytest.mark.usefixtures("chats")
def test_a_simulated_user_is_drawn_by_rules_and_to_be_read(tmp_path: Path, grice: Grice) -> None:
    run = grice("extract", "chats.jsonl:1", "--simulated")

    assert run.code == 0, run.err
    (path,) = (tmp_path / "tests").glob("test_simulated_*.py")
    text = path.read_text()
    assert "# TO BE READ before it is committed: goal, persona and facts were drawn by rules." in text
    names: dict[str, Any] = {}
    exec(compile(text, path.name, "exec"), names)
    user = names["USER"]
    assert user["goal"] == "Get what they ask for first: Update my plugin"
    assert (user["persona"], user["max_turns"]) == ("terse", 4)
    assert user["context"] == ["Asked 'Which plugin should I update?' they say: Akismet"]
    wrong = grice("extract", "chats.jsonl:1", "--simulated", "--as", "suite")
    assert (wrong.code, "--simulated goes without --as" in wrong.err) == (2, True)


@pytest.mark.usefixtures("chats")
def test_a_simulated_user_is_drawn_by_the_llm_of_the_project_and_played(tmp_path: Path, grice: Grice) -> None:
    (tmp_path / "llms.py").write_text(LLMS)
    (tmp_path / "bots.py").write_text(f"def bad(messages):\n    return {ASKED!r}\n")
    (tmp_path / "grice.toml").write_text('user_llm = "llms:llm"\nagent = "bots:bad"\n')
    run = grice("extract", "chats.jsonl:1", "--simulated")

    assert run.code == 0, run.err
    (path,) = (tmp_path / "tests").glob("test_simulated_*.py")
    assert "drawn by scripted" in path.read_text()
    played = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "grice", str(path)], capture_output=True, text=True
    )
    assert played.returncode == 1
    assert "be less than 1 like the reply before" in played.stdout


@pytest.mark.slow
def test_narration_in_a_run_becomes_a_golden_that_the_mended_agent_passes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "example"
    shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns("__pycache__", ".*"))

    def run(*words: str, bugs: str = "") -> subprocess.CompletedProcess[str]:
        monkeypatch.setenv("WORDPRESS_ASSISTANT_BUGS", bugs)
        command = [sys.executable, "-m", "grice", *words]
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)

    assert run("run", "goldens/list-plugins.golden.json", bugs="A").returncode == 1
    written = run("extract", "latest@list-plugins", "-o", "kept")

    assert written.returncode == 0, written.stderr
    assert "PRE_TOOL_NARRATION" in written.stdout
    assert "1 turn; proved" in written.stdout
    (path,) = (folder / "kept").glob("*.golden.yaml")
    said = [
        part["text"]
        for reply in _golden(path)["mockLlmResponses"]
        for part in reply["content"]
        if "text" in part
    ]
    assert said[0] == "Checking the plugins now!"
    assert said[1].startswith("Two plugins are installed")
    assert "Found in exp_" in path.read_text()
    assert run("run", f"kept/{path.name}", bugs="A").returncode == 1
    assert run("run", f"kept/{path.name}").returncode == 0


def _golden(path: Path) -> dict[str, Any]:
    return yaml.safe_load(path.read_text())
