# ruff: noqa: E501 - tables, one case a line
import copy
import json
from pathlib import Path

import pytest

from grice.files.golden_records import FinalText, ToolResultStep, Validator
from grice.files.goldens import GoldenErrors, find_goldens, is_golden_file, load_all, load_goldens

SEED = {
    "id": "update-plugin-success",
    "description": "User asks to update a plugin; tool executes and succeeds",
    "userMessage": "Update Ajax Search Lite plugin",
    "conversationHistory": [],
    "mockLlmResponses": [
        {
            "step": "chat",
            "content": [
                {"type": "tool_use", "id": "toolu_01", "name": "update_plugin", "input": {"plugin": "a.php"}}
            ],
            "stop_reason": "tool_use",
        },
        {
            "step": "tool-result",
            "content": [{"type": "text", "text": "Ajax Search Lite updated from v4.9.5 to v4.13.5."}],
            "stop_reason": "end_turn",
        },
    ],
    "toolExecResult": {"success": True, "result": {"message": "Plugin updated from v4.9.5 to v4.13.5."}},
    "assertions": {
        "finalText": {"contains": ["4.9.5", "4.13.5"], "notContains": ["unexpectedly", "would you like"]},
        "toolResultMessages": {"userMessageInHistory": True},
        "validator": {"toolStatus": "success", "expectValid": True},
    },
}
SHORT = {
    "id": "short",
    "userMessage": "Hi",
    "mockLlmResponses": [{"step": "chat", "content": "Hello."}],
    "assertions": {"finalText": {"equals": "Hello."}},
}


def changed(golden, *changes):
    """A copy of the golden with values replaced at dotted paths; ... removes one."""
    golden = copy.deepcopy(golden)
    for path, value in changes:
        *parents, last = [int(step) if step.isdigit() else step for step in path.split(".")]
        place = golden
        for step in parents:
            place = place[step]
        if value is ...:
            del place[last]
        else:
            place[last] = value
    return golden


def written(folder, *values, name="one.golden.json"):
    path = folder / name
    path.write_text(json.dumps(values[0] if len(values) == 1 else list(values), indent=1))
    return path


def errors_of(path):
    with pytest.raises(GoldenErrors) as caught:
        load_goldens(path)
    assert all(error.path == str(path) and error.line >= 1 for error in caught.value.errors)
    return [error.message for error in caught.value.errors]


def test_reads_the_seeds_fixture_as_it_is_printed(tmp_path):
    (golden,) = load_goldens(written(tmp_path, SEED, name="update-plugin-success.json"))
    (turn,) = golden.turns
    assert (golden.id, turn.user, golden.history, golden.line) == (SEED["id"], SEED["userMessage"], (), 1)
    assert [(reply.step, reply.stop_reason) for reply in turn.replies] == [
        ("chat", "tool_use"),
        ("tool-result", "end_turn"),
    ]
    assert turn.tool_results == (SEED["toolExecResult"],)
    assert turn.assertions.final_text == FinalText(("4.9.5", "4.13.5"), ("unexpectedly", "would you like"))
    assert turn.assertions.every_step == ToolResultStep(user_message=True)
    assert turn.assertions.validator == Validator(True, "success")
    assert golden.content == SEED


WAITS = {"success": True, "result": {"status": "pending_confirmation"}}


@pytest.mark.parametrize("asserted", [True, False])
def test_whether_the_user_message_is_to_be_there_is_read_both_ways(tmp_path, asserted):
    path = written(tmp_path, changed(SEED, ("assertions.toolResultMessages.userMessageInHistory", asserted)))
    (golden,) = load_goldens(path)
    assert golden.turns[0].assertions.every_step == ToolResultStep(user_message=asserted)
    (golden,) = load_goldens(
        written(
            tmp_path,
            changed(SEED, ("assertions", {"toolResultMessages": {"userMessageInHistory": asserted}})),
        )
    )
    assert not golden.turns[0].assertions.empty


@pytest.mark.parametrize(
    "results", [[WAITS, {"success": True}], [{"toolu_01": WAITS}, None, {"success": True}]]
)
def test_what_is_asserted_before_a_decision_is_an_assertion(tmp_path, results):
    changes = ("toolExecResult", results), ("assertions", ...)
    content = changed(SEED, *changes) | {"pendingAssertions": {"finalText": {"contains": "confirm"}}}
    (golden,) = load_goldens(written(tmp_path, content))
    assert (golden.turns[0].assertions.empty, golden.turns[0].pending.final_text.contains) == (
        True,
        ("confirm",),
    )


def test_reads_yaml_lists_and_several_turns(tmp_path):
    path = tmp_path / "two.golden.yaml"
    path.write_text(
        "- id: first\n  userMessage: Hi\n  mockLlmResponses: [{step: chat, content: Hello.}]\n"
        "  assertions: {finalText: {contains: Hello, maxSentences: 1}}\n"
        "- id: second\n  agent: app:agent\n  turns:\n"
        "  - userMessage: One\n    mockLlmResponses: [{step: chat, content: Yes.}]\n"
        "  - userMessage: Two\n    mockLlmResponses: [{step: chat, content: No.}]\n"
        "    assertions: {finalText: {equals: 'No.'}}\n"
    )
    first, second = load_goldens(path)
    said = first.turns[0].assertions.final_text
    assert (said.contains, said.max_sentences) == (("Hello",), 1)
    assert first.place_of(0) == (0,)
    assert [second.place_of(0), second.place_of(1)] == [(1, "turns", 0), (1, "turns", 1)]
    assert (second.agent, second.line) == ("app:agent", 5)


@pytest.mark.parametrize(
    ("name", "text", "error"),
    [
        ("a.golden.json", '{"id": "a",\n "turns" []}', "2:9: not valid JSON: a colon is missing here"),
        ("a.golden.json", "", "1:1: the file is empty"),
        ("a.golden.json", '{"id": "a",\n "id": "b"}', "2:2: the field 'id' is there twice in one object"),
        (
            "a.golden.yaml",
            "id: a\n  b: c\n",
            "2:3: not valid YAML: this line stands at column 3, the fields above at column 1",
        ),
        ("a.golden.yaml", "id: [a\n", "1:5: not valid YAML: the [ that opens here is not closed"),
        ("a.golden.json", "[]", "1:1: the file holds no golden: it is an empty list"),
        ("a.golden.json", "5", "1:1: the file: expected an object, found the number 5"),
        ("a.golden.json", "[\n5]", "2:1: [0]: expected an object, found the number 5"),
        ("a.golden.toml", "", "1:1: expected a .json, .yaml or .yml file"),
    ],
)
def test_a_file_that_is_no_golden_says_where_it_goes_wrong(tmp_path, name, text, error):
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(GoldenErrors) as caught:
        load_goldens(path)
    assert str(caught.value).startswith(f"{path}:{error}")


TEXT_BLOCK = {"type": "text", "text": "x"}
CALL = {"type": "tool_use", "id": "t", "name": "n", "input": {}}


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ([("id", ...)], "missing field 'id', expected a string"),
        ([("id", 5)], "id: expected a string, found the number 5"),
        ([("id", "  ")], "id: the id is empty"),
        ([("userMessage", ...)], "missing field 'userMessage', expected a string"),
        ([("userMessage", " ")], "userMessage: the user's message is empty"),
        ([("descripton", "x"), ("description", ...)], "unknown field 'descripton' (did you mean 'description'?)"),
        ([("assertion", {}), ("assertions", ...)], "unknown field 'assertion' (did you mean 'assertions'?)"),
        ([("assertions", ...)], "golden 'update-plugin-success' asserts nothing; add 'assertions'"),
        ([("assertions", {})], "golden 'update-plugin-success' asserts nothing; add 'assertions'"),
        ([("assertions", {"finalText": {"contains": []}})], "asserts nothing"),
        ([("assertions", {"toolResultMessages": {}})], "asserts nothing"),
        ([("assertions", {"toolResultMessages": [None]})], "asserts nothing"),
        ([("assertions", [])], "assertions: expected an object, found a list"),
        ([("conversationHistory", "x")], "conversationHistory: expected a list, found the string 'x'"),
        ([("conversationHistory", [{"content": "x"}])], "conversationHistory[0]: has no role; expected one of"),
        ([("conversationHistory", [{"role": "usr", "content": "x"}])], "conversationHistory[0]: has the role \"usr\" (did you mean 'user'?)"),
        ([("mockLlmResponses", [])], "mockLlmResponses: a turn needs at least one scripted reply of the model"),
        ([("mockLlmResponses", {})], "mockLlmResponses: expected a list, found an object"),
        ([("mockLlmResponses.0", "x")], "mockLlmResponses[0]: expected an object, found the string 'x'"),
        ([("mockLlmResponses.0.step", "Chat")], "mockLlmResponses[0].step: expected one of chat, tool-result, found 'Chat' (did you mean 'chat'?)"),
        ([("mockLlmResponses.0.step", "tool-result")], "mockLlmResponses[0].step: the first reply of a turn is for step 'chat'"),
        ([("mockLlmResponses.1.content", ...)], "mockLlmResponses[1]: missing field 'content', expected a list or a string"),
        ([("mockLlmResponses.1.content", ["x"])], "mockLlmResponses[1].content[0]: expected a content block with a 'type', found 'x'"),
        ([("mockLlmResponses.1.content", [{"text": "x"}])], "mockLlmResponses[1].content[0]: expected a content block with a 'type'"),
        ([("mockLlmResponses.1.content.0.txt", "x")], "mockLlmResponses[1].content[0]: unknown field 'txt'"),
        ([("mockLlmResponses.0.content.0.id", ...)], "mockLlmResponses[0].content[0]: missing field 'id', expected a string"),
        ([("mockLlmResponses.0.content", [CALL, CALL])], "mockLlmResponses[0].content[1].id: the id 't' is used already in this reply"),
        ([("mockLlmResponses.1.stop_reason", 5)], "mockLlmResponses[1].stop_reason: expected a string"),
        ([("toolExecResult", "done")], "toolExecResult: expected an object or a list, found the string 'done'"),
        ([("toolExecResult", {})], "toolExecResult: missing field 'success', expected true or false"),
        ([("toolExecResult", ["done"])], "toolExecResult[0]: expected an object, found the string 'done'"),
        ([("toolExecResult.success", "yes")], "toolExecResult.success: expected true or false, found the string 'yes'"),
        ([("toolExecResult", {"sucess": True})], "toolExecResult: unknown field 'sucess' (did you mean 'success'?)"),
        ([("toolExecResult", {"result": {}})], "toolExecResult: missing field 'success'"),
        ([("toolExecResult", {"success": True, "error": "boom"})], "toolExecResult.error: a result that succeeded has no error"),
        ([("toolExecResult", {"toolu_01": {"success": 1}})], "toolExecResult.toolu_01.success: expected true or false"),
        ([("toolExecResult", [{"toolu_01": {}}])], "toolExecResult[0].toolu_01: missing field 'success'"),
        ([("assertions.finaltext", {}), ("assertions.finalText", ...)], "assertions: unknown field 'finaltext' (did you mean 'finalText'?)"),
        ([("assertions.finalText.contain", "x"), ("assertions.finalText.contains", ...)], "assertions.finalText: unknown field 'contain' (did you mean 'contains'?)"),
        ([("assertions.finalText.contains", 5)], "assertions.finalText.contains: expected a list or a text that is not empty, found the number 5"),
        ([("assertions.finalText.contains", ["a", 5])], "assertions.finalText.contains[1]: expected a text that is not empty, found the number 5"),
        ([("assertions.finalText.notContains", "")], "assertions.finalText.notContains: expected a text that is not empty, found ''"),
        ([("assertions.finalText.maxSentences", 0)], "assertions.finalText.maxSentences: expected a number from 1 up, found 0"),
        ([("assertions.finalText.maxSentences", True)], "assertions.finalText.maxSentences: expected a number from 1 up, found true"),
        ([("assertions.finalText.equals", None)], "assertions.finalText.equals: expected a string, found null"),
        ([("assertions.toolResultMessages", [{}, {}])], "assertions.toolResultMessages: 2 entries for 1 tool-result steps"),
        ([("assertions.toolResultMessages.userMessageInHistory", "no")], "userMessageInHistory: expected true or false, found the string 'no'"),
        ([("assertions.toolResultMessages", {"toolResultsInHistory": [1]})], "toolResultsInHistory[0]: expected a text"),
        ([("assertions.toolResultMessages", {"toolResultContent": "no"})], "toolResultContent: expected true or false, found the string 'no'"),
        ([("assertions", {"toolResultMessages": {"toolResultContent": False}})], "asserts nothing"),
        ([("pendingAssertions", {"finaltext": {}})], "pendingAssertions: unknown field 'finaltext' (did you mean 'finalText'?)"),
        ([("pendingAssertions", {"lint": False})], "pendingAssertions: unknown field 'lint'"),
        ([("pendingAssertions", {"finalText": {"contains": "x"}})], "pendingAssertions: no result in toolExecResult waits for the user and has their decision behind it"),
        ([("toolExecResult", [WAITS]), ("pendingAssertions", {})], "pendingAssertions: no result in toolExecResult waits"),
        ([("toolExecResult", [{"success": True}, WAITS]), ("pendingAssertions", {})], "pendingAssertions: no result in toolExecResult waits"),
        ([("mockLlmResponses", [{"step": "chat", "content": "x"}])], "assertions.toolResultMessages: there is no tool-result step to check"),
        ([("assertions.validator", {})], "assertions.validator: missing field 'expectValid', expected true or false"),
        ([("assertions.validator.profile", "sead")], "assertions.validator.profile: expected one of robust, seed, found 'sead' (did you mean 'seed'?)"),
        ([("assertions.validator.toolStatus", "sucess")], "assertions.validator.toolStatus: expected one of error, none, pending, success, found 'sucess' (did you mean 'success'?)"),
        ([("assertions.lint", {})], "assertions.lint: missing field 'ignore', expected a list"),
        ([("assertions.lint", "off")], "assertions.lint: expected true or false or an object, found the string 'off'"),
        ([("assertions.lint", {"ignore": ["orphan-tool-reslt"]})], "assertions.lint.ignore[0]: expected one of"),
        ([("assertions.lint", {"ignore": ["orphan-tool-reslt"]})], "found 'orphan-tool-reslt' (did you mean 'orphan-tool-result'?)"),
        ([("turns", [])], "turns: a golden needs at least one turn"),
        ([("turns", [SHORT])], "turns[0]: unknown field 'id'"),
    ],
)  # fmt: skip
def test_everything_wrong_with_a_golden_is_named(tmp_path, changes, error):
    path = written(tmp_path, changed(SEED, *changes))
    assert any(message.endswith(error) or error in message for message in errors_of(path)), errors_of(path)


def test_all_errors_are_reported_at_once_by_line(tmp_path):
    golden = changed(
        SEED,
        ("descripton", "x"),
        ("userMessage", 5),
        ("mockLlmResponses.0.step", "chatt"),
        ("mockLlmResponses.1.content.0.text", 5),
        ("assertions.finalText.maxSentences", "one"),
        ("assertions.validator.expectValid", ...),
    )
    path = written(tmp_path, golden)
    with pytest.raises(GoldenErrors) as caught:
        load_goldens(path)
    errors = caught.value.errors
    assert [error.line for error in errors] == sorted(error.line for error in errors)
    assert [error.message.split(":")[0] for error in errors] == [
        "userMessage",
        "mockLlmResponses[0].step",
        "mockLlmResponses[1].content[0].text",
        "assertions.finalText.maxSentences",
        "assertions.validator",
        "unknown field 'descripton'",
    ]
    lines = path.read_text().splitlines()
    for error, word in zip(
        errors, ["userMessage", "step", "text", "maxSentences", "validator", "descripton"], strict=True
    ):
        assert word in lines[error.line - 1]


@pytest.mark.parametrize("id_", [" short", "short\t", "a\nb", "a::b", "a\u202eb", "\x1b[31m"])
def test_an_id_is_a_name_for_command_lines(tmp_path, id_):
    (message,) = errors_of(written(tmp_path, changed(SHORT, ("id", id_))))
    assert "id: an id " in message
    assert not any(character in message for character in "\u202e\x1b\t\n")


def test_two_goldens_of_one_id_are_an_error(tmp_path):
    path = written(tmp_path, SHORT, SHORT)
    (message,) = errors_of(path)
    assert message.endswith(f"is used already, at {path}:3")


def test_two_files_with_one_id_are_an_error_beside_all_others(tmp_path):
    first, second = (written(tmp_path, SHORT, name=f"{name}.golden.json") for name in "ab")
    third = written(tmp_path, changed(SHORT, ("id", 5)), name="c.golden.json")
    with pytest.raises(GoldenErrors) as caught:
        load_all([first, second, third])
    assert [error.path for error in caught.value.errors] == [str(third), str(second)]
    assert caught.value.errors[1].message == f"the id 'short' is used already, at {first}:1"


def test_finds_files_and_those_of_folders_once(tmp_path, monkeypatch):
    (tmp_path / "deep").mkdir()
    names = ["b.golden.json", "a.golden.yaml", "deep/c.golden.yml", "other.json", "deep/golden.txt"]
    for name in names:
        (tmp_path / name).write_text("{}")
    found = find_goldens([tmp_path / "other.json", tmp_path, tmp_path / "b.golden.json"])
    assert [path.relative_to(tmp_path).as_posix() for path in found] == [
        "other.json",
        "a.golden.yaml",
        "b.golden.json",
        "deep/c.golden.yml",
    ]
    monkeypatch.chdir(tmp_path)
    assert find_goldens(["b.golden.json", tmp_path / "b.golden.json", "deep/../b.golden.json"]) == [
        Path("b.golden.json")
    ]


def test_a_path_that_matches_nothing_is_an_error(tmp_path):
    (tmp_path / "goldens").mkdir()
    written(tmp_path, SHORT)
    with pytest.raises(GoldenErrors) as caught:
        find_goldens([tmp_path / "one.goldn.json", tmp_path / "goldens", "nowhere/at/all"])
    assert [error.message for error in caught.value.errors] == [
        "there is no such file or folder (did you mean 'one.golden.json'?)",
        "no golden files in this folder; they are named *.golden.json or *.golden.yaml",
        f"there is no such file or folder; there is no folder {Path('nowhere/at')} either",
    ]


@pytest.mark.parametrize(
    ("name", "is_one"),
    [
        ("a.golden.json", True),
        ("a.golden.yml", True),
        ("a.json", False),
        ("golden.json", False),
        ("a.golden.txt", False),
    ],
)
def test_golden_files_are_known_by_their_name(name, is_one):
    assert is_golden_file(name) is is_one
