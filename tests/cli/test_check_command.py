"""`grice check`: everything that is wrong with files, and nothing is run."""

import json
from pathlib import Path

import pytest
from grice_command import Grice

SUITE = "scenarios: [{id: a, say: hi, expect: [{matcher: toContain, expected: x}]}]\n"
FILES = {
    "a.grice.yaml": (SUITE, "suite, 1 scenario"),
    "b.golden.json": (
        json.dumps(
            {
                "id": "b",
                "userMessage": "Hi",
                "mockLlmResponses": [{"step": "chat", "content": "Hello"}],
                "assertions": {"finalText": {"contains": "Hello"}},
            }
        ),
        "goldens, 1 golden",
    ),
    "c.jsonl": ('{"id": "c", "goal": "A room"}\n', "scenario set, 1 scenario"),
    "d.csv": ("id,goal\nd,A room\ne,A hall\n", "scenario set, 2 scenarios"),
    "e.yaml": ("topics: {greeting: {next: [end]}, end: {}}\n", "topic graph, 2 topics"),
    "f.yaml": ("replies: [Hello]\n", "stub script, 1 script"),
    "g.json": ('{"english": {"words": {"greetings": ["ahoy"]}}}\n', "vocabulary, 1 language"),
    "h.yaml": ("- {matcher: toContain, expected: x}\n", "checks of logs, 1 check"),
    "i.json": (
        '{"checks": ["openers", {"matcher": "toHaveLength", "expected": 0}]}\n',
        "checks of logs, 2 checks",
    ),
    "j.jsonl": ('{"item": "a", "label": "pass"}\n', "labels, 1 label"),
    "k.csv": ("item,label:ann,label:bob\na,pass,fail\n", "labels, 2 labels"),
    "l.jsonl": ('{"messages": [{"role": "user", "content": "Hi"}]}\n', "log, 1 conversation"),
    "m.jsonl": ('{"id": 1, "judge": "guidance", "text": "Hello"}\n', "anchors, 1 anchor"),
    "n.json": (
        '[{"rule": "openers", "earlier": ["Sure! A"], "text": "Sure! B", "expected": "fail"}]\n',
        "examples, 1 example",
    ),
    "pyproject.toml": ('[tool.grice]\nagent = "bots:agent"\n', "settings"),
}
WRONG = {
    "a.grice.yaml": (
        "scenarios: [{id: a, say: 3}]\n",
        "a.grice.yaml:1:26: scenarios[0].say: expected a text",
    ),
    "b.golden.yaml": ("id: b\nuserMessage: Hi\n", "b.golden.yaml:1:1: missing field 'mockLlmResponses'"),
    "c.jsonl": ('{"id": "c", "goal": 3}\n', "c.jsonl:1:21: goal: expected a text"),
    "d.csv": ("id,goal\nd\n", "d.csv:2"),
    "e.yaml": ("topics: {greeting: {nxt: [end]}}\n", "(did you mean 'next'?)"),
    "f.yaml": ("replies: [{text: Hello, faul: x}]\n", "f.yaml:1:25: replies[0]: unknown field 'faul'"),
    "g.yaml": ("sceanrios: []\n", "g.yaml: nothing that Grice reads: expected a list, or an object with"),
    "g.json": (
        '{"english": {"word": {}}}\n',
        "g.json:1:14: english: unknown field 'word' (did you mean 'words'?)",
    ),
    "h.yaml": ("- {matcher: toContian, expected: x}\n", "h.yaml:1:13: matcher: unknown matcher 'toContian'"),
    "j.jsonl": ('{"item": "a", "label": "pass", "note": 3}\n', "j.jsonl:1:40: note: expected a string"),
    "l.jsonl": (
        '{"messages": [{"role": "usr", "content": "Hi"}]}\n',
        "l.jsonl:1:1: messages[0]: has the role \"usr\" (did you mean 'user'?)",
    ),
    "m.jsonl": ('{"id": 1, "judge": "guidence", "text": "Hello"}\n', "(did you mean 'guidance'?)"),
    "n.json": (
        '[{"rule": "openers", "text": "Sure!", "expected": "fial"}]\n',
        "n.json:1:51: expected: expected one of error, fail",
    ),
    "h.txt": ("hello\n", "h.txt: expected one of .json, .jsonl"),
    "pyproject.toml": ("[tool.grice]\nconcurency = 3\n", "pyproject.toml:2:1: [tool.grice] unknown field"),
}


@pytest.mark.parametrize(("name", "text", "said"), [(name, *more) for name, more in FILES.items()], ids=FILES)
def test_a_right_file_is_told_what_it_is(
    tmp_path: Path, grice: Grice, monkeypatch: pytest.MonkeyPatch, name: str, text: str, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).write_text(text)
    run = grice("check", name)
    assert (run.code, run.err) == (0, "")
    assert f"ok     {name}  {said}\n" in run.out
    assert "1 file, no error" in run.out


@pytest.mark.parametrize(("name", "text", "said"), [(name, *more) for name, more in WRONG.items()], ids=WRONG)
def test_what_is_wrong_stands_at_its_place(
    tmp_path: Path, grice: Grice, monkeypatch: pytest.MonkeyPatch, name: str, text: str, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).write_text(text)
    run = grice("check", name)
    assert (run.code, run.err) == (1, "")
    assert said in " ".join(run.out.split())


def test_a_folder_has_the_files_whose_names_tell(
    tmp_path: Path, grice: Grice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, (text, _) in FILES.items():
        Path(name).write_text(text)
    run = grice("check", "--json", "-")
    assert [one["path"] for one in json.loads(run.out)["files"]] == [
        "pyproject.toml",
        "a.grice.yaml",
        "b.golden.json",
    ]
    assert grice("check").code == 0


def test_wrong_settings_are_told_once_and_hide_no_error_of_a_file(
    tmp_path: Path, grice: Grice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    settings = "[tool.grice]\nconcurency = 3\nturn_timeot = 1\n[tool.grice.gates]\ncompletion = 9\nhey = 1\n"
    Path("pyproject.toml").write_text(settings)
    Path("a.grice.yaml").write_text(WRONG["a.grice.yaml"][0])
    run = grice("check")
    assert run.code == 1
    for told in (
        "2:1: [tool.grice] unknown field 'concurency'",
        "3:1: [tool.grice] unknown field 'turn_timeot'",
    ):
        assert run.out.count(f"  pyproject.toml:{told}") == 1
    assert "  pyproject.toml:5:1: [tool.grice] gates: completion: expected a share" in run.out
    assert "  pyproject.toml:6:1: [tool.grice] gates: unknown gate 'hey'" in run.out
    assert "scenarios[0].say: expected a" in run.out


def test_nothing_to_check_is_exit_code_2(
    tmp_path: Path, grice: Grice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert grice("check").code == 2
    Path("rooms.grice.yaml").write_text(SUITE)
    run = grice("check", "room.grice.yaml", "rooms.grice.yaml")
    assert run.code == 2
    assert "room.grice.yaml: there is no such file (did you mean 'rooms.grice.yaml'?)" in run.err
    assert "ok     rooms.grice.yaml" in run.out


@pytest.mark.parametrize("name", ["", ".", "rooms.grice.yaml", "notes.txt"])
def test_json_is_written_over_no_file_of_somebody(
    tmp_path: Path, grice: Grice, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("rooms.grice.yaml").write_text(SUITE)
    Path("notes.txt").write_text("mine")
    run = grice("check", "rooms.grice.yaml", "--json", name)
    assert (run.code, run.out) == (2, "")
    assert (Path("rooms.grice.yaml").read_text(), Path("notes.txt").read_text()) == (SUITE, "mine")
    again = ("check", "rooms.grice.yaml", "--json", "new/out.json")
    assert (grice(*again).code, grice(*again).code) == (0, 0)


UNKNOWN = {
    "a.yaml": ("- {id: a, say: hi, expect: [{matcher: toContian, expected: x}]}\n", "unknown matcher"),
    "b.yaml": ("- {id: a, userMesage: Hi, mockLlmResponses: []}\n", "did you mean 'userMessage'?"),
    "c.json": ('[{"question": "Hi"}]', "nothing that Grice reads"),
    "d.json": ('{"rules": 3}', "rules"),
    "e.yaml": ("personnas: []\n", "checks (checks of logs) (did you mean 'personas'?)"),
    "pyproject.toml": (
        "[tool.grce]\nagent = 'a:b'\n",
        "[tool.grce] is no table of Grice: write [tool.grice]",
    ),
}


@pytest.mark.parametrize(
    ("name", "text", "said"), [(name, *more) for name, more in UNKNOWN.items()], ids=UNKNOWN
)
def test_what_is_not_known_is_not_called_right(
    tmp_path: Path, grice: Grice, monkeypatch: pytest.MonkeyPatch, name: str, text: str, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).write_text(text)
    run = grice("check", name)
    assert (run.code, said in " ".join(run.out.split())) == (1, True), run.out


def test_names_that_are_nearly_known_are_noted(
    tmp_path: Path, grice: Grice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("rooms.jsonl").write_text('{"id": "a", "goall": "A room"}\n')
    run = grice("check", "rooms.jsonl")
    assert run.code == 0
    assert "the field 'goall' is kept as data (did you mean 'goal'?)" in " ".join(run.out.split())


def test_rows_that_say_nothing_known_are_not_taken_for_scenarios_without_a_word(
    tmp_path: Path, grice: Grice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("chats.jsonl").write_text('{"question": "Hi", "answer": "Hello"}\n')
    assert "is it a scenario set?" in " ".join(grice("check", "chats.jsonl").out.split())
