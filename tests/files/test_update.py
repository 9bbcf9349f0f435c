# ruff: noqa: E501 - tables, one case a line
import json

import pytest
from msgspec.structs import replace

from grice.files.document import load_file
from grice.files.golden_records import FinalText, ReplyAssertions
from grice.files.goldens import load_goldens
from grice.files.update import exclusively, updated_golden
from grice.records import AgentFailure, Conversation, Message, Outcome, Result, Turn, Verdict
from grice.running.file_work import update_golden

YAML = """# Greetings
- id: first  # keep me
  userMessage: Hi
  mockLlmResponses: [{step: chat, content: Hello.}]
  assertions:
    finalText:
      contains:  # what it says
      - Hello
      - there
      notContains: [sorry]
      maxSentences: 1
- id: second
  turns:
  - userMessage: One
    mockLlmResponses: [{step: chat, content: Yes.}]
    assertions: {finalText: {equals: Yes.}, validator: {expectValid: true}}
  - userMessage: Two
    mockLlmResponses: [{step: chat, content: No.}]
    assertions: {finalText: {contains: No}}
"""


@pytest.fixture
def yaml_file(tmp_path):
    path = tmp_path / "two.golden.yaml"
    path.write_text(YAML)
    return path


def golden_with(tmp_path, final_text, **assertions):
    golden = {
        "id": "g",
        "userMessage": "Hi",
        "mockLlmResponses": [{"step": "chat", "content": "x"}, {"step": "tool-result", "content": "y"}],
        "assertions": {"finalText": final_text} | assertions,
    }
    path = tmp_path / "g.golden.json"
    path.write_text(json.dumps(golden, indent=2) + "\n")
    return load_file(path), load_goldens(path)[0]


RULES = "rules are left as they are: "


@pytest.mark.parametrize(
    ("asserted", "said", "now", "notes"),
    [
        ({"equals": "Old."}, "New.", {"equals": "New."}, ["equals is the new final text"]),
        ({"equals": "Same."}, "Same.", None, []),
        ({"contains": ["Blue", "2pm"]}, "Blue at 3pm.", {"contains": ["Blue"]}, ["contains no longer has '2pm'"]),
        (
            {"contains": ["a1", "b2"]},
            "New.",
            {"contains": ["New."]},
            ["contains no longer has 'a1', 'b2', and has the new final text instead"],
        ),
        ({"contains": "a1"}, "New.", {"contains": ["New."]}, ["contains no longer has 'a1', and has the new final text instead"]),
        ({"contains": ["new"]}, "New.", {"contains": ["New."]}, ["contains no longer has 'new', and has the new final text instead"]),
        ({"maxSentences": 1}, "One. Two. Three.", {"maxSentences": 3}, ["maxSentences is 3, it was 1"]),
        ({"maxSentences": 3}, "One.", None, []),
        ({"notContains": ["sorry"]}, "So sorry.", None, [RULES + "notContains"]),
        (
            {"equals": "A.", "contains": ["A"], "maxSentences": 1, "notContains": ["B"]},
            "Bye. Ciao.",
            {"equals": "Bye. Ciao.", "contains": ["Bye. Ciao."], "maxSentences": 2, "notContains": ["B"]},
            [
                "equals is the new final text",
                "contains no longer has 'A', and has the new final text instead",
                "maxSentences is 2, it was 1",
                RULES + "notContains",
            ],
        ),
        ({"equals": "A."}, "", None, ["equals stays: the agent's final text is empty"]),
        ({"contains": ["A."]}, "", None, ["contains stays: the agent's final text is empty"]),
    ],
)  # fmt: skip
def test_observations_are_rewritten_and_rules_are_not(tmp_path, asserted, said, now, notes):
    document, golden = golden_with(tmp_path, asserted)
    text, found = updated_golden(document, golden, [said])
    assert found == notes
    if now is None:
        assert text is None
    else:
        before = json.loads(document.text)
        before["assertions"]["finalText"] = now
        assert json.loads(text) == before
        assert text.endswith("}\n")


@pytest.mark.parametrize("asserted", [{"equals": "A."}, {"contains": ["A."]}])
def test_a_secret_is_not_written(tmp_path, asserted):
    document, golden = golden_with(tmp_path, asserted)
    text, notes = updated_golden(document, golden, ["Your password is hunter2!"])
    assert text is None
    told = "stays: the agent's final text has a secret in it: 'Your password is [redacted: password]!'"
    assert notes == [f"{next(iter(asserted))} {told}"]


def test_all_kinds_of_rules_are_named(tmp_path):
    rules = {"toolResultMessages": {"userMessageInHistory": True}, "validator": {"expectValid": True}}
    document, golden = golden_with(tmp_path, {"notContains": "x"}, **rules)
    assert updated_golden(document, golden, ["x"]) == (
        None,
        [RULES + "notContains, toolResultMessages, validator"],
    )


def test_what_is_said_before_a_decision_is_left_too(tmp_path):
    document, golden = golden_with(tmp_path, {"contains": "x"})
    turn = replace(golden.turns[0], pending=ReplyAssertions(FinalText(equals="Sure?")))
    golden = replace(golden, turns=(turn,))
    assert updated_golden(document, golden, ["x"]) == (None, [RULES + "pendingAssertions"])


def test_everything_else_in_the_file_stays_as_it_was(yaml_file):
    first, second = load_goldens(yaml_file)
    text, notes = updated_golden(load_file(yaml_file), first, ["Hello. Bye."])
    assert text == YAML.replace("      contains:  # what it says\n      - Hello\n      - there\n", '      contains:  # what it says\n        ["Hello"]\n').replace("maxSentences: 1", "maxSentences: 2")  # fmt: skip
    assert notes[:2] == ["contains no longer has 'there'", "maxSentences is 2, it was 1"]
    text, notes = updated_golden(load_file(yaml_file), second, ["Ja.", "Nein."])
    assert text == YAML.replace("equals: Yes.", 'equals: "Ja."').replace(
        "contains: No", 'contains: ["Nein."]'
    )
    assert notes == [
        "turn 1: equals is the new final text",
        "turn 1: rules are left as they are: validator",
        "turn 2: contains no longer has 'No', and has the new final text instead",
    ]


def test_a_turn_that_was_not_played_stays(yaml_file):
    second = load_goldens(yaml_file)[1]
    text, notes = updated_golden(load_file(yaml_file), second, ["Ja."])
    assert "contains: No}" in text
    assert notes[-1] == "turn 2 was not played, so it stays as it is"


def test_a_value_that_an_alias_shares_is_named_and_left(tmp_path):
    path = tmp_path / "g.golden.yaml"
    path.write_text(
        "id: g\nuserMessage: &said Hello\nmockLlmResponses: [{step: chat, content: *said}]\n"
        "assertions: {finalText: &text {equals: Hello}}\ndescription: plain\n"
    )
    golden = load_goldens(path)[0]
    text, _ = updated_golden(load_file(path), golden, ["Bye"])
    assert 'equals: "Bye"' in text
    path.write_text(
        "- &one\n  id: g\n  userMessage: Hi\n  mockLlmResponses: [{step: chat, content: x}]\n"
        "  assertions: &a {finalText: {equals: Hello}}\n- id: h\n  userMessage: Hi\n"
        "  mockLlmResponses: [{step: chat, content: x}]\n  assertions: *a\n"
    )
    text, notes = updated_golden(load_file(path), load_goldens(path)[1], ["Bye"])
    assert text is None
    assert "equals cannot be rewritten: " in notes[0]


def result_of(golden, *texts, outcome=Outcome.FAIL, failure="assertion", agent_failure=None):
    turns = [Turn(n, (Message("user", "u"), Message("assistant", t))) for n, t in enumerate(texts, 1)]
    if agent_failure:
        turns[-1] = Turn(len(turns), turns[-1].messages, failure=agent_failure)
    verdict = Verdict(outcome, "because\nof this", claim="x")
    return Result("id", golden.id, outcome, Conversation(turns=tuple(turns)), (verdict,), failure)


def test_a_golden_is_updated_in_its_file_and_passes_then(yaml_file):
    for golden, texts in zip(
        load_goldens(yaml_file), [["Hello. Bye."], ["history", "Ja.", "Nein."]], strict=True
    ):
        notes = update_golden(golden, result_of(golden, *texts))
        assert notes[0] == f"{golden.id}: rewrote {yaml_file}"
    first, second = load_goldens(yaml_file)
    assert first.turns[0].assertions.final_text.contains == ("Hello",)
    assert [
        turn.assertions.final_text.equals or turn.assertions.final_text.contains for turn in second.turns
    ] == ["Ja.", ("Nein.",)]
    assert list(yaml_file.parent.iterdir()) == [yaml_file]


FAILURE = AgentFailure("raised", "the agent raised ValueError: x")


@pytest.mark.parametrize(
    "options",
    [
        {"outcome": Outcome.ERROR, "failure": "error"},
        {"failure": "timeout", "agent_failure": AgentFailure("timeout", "slow")},
        {"outcome": Outcome.ERROR, "failure": "error", "agent_failure": FAILURE},
        {"outcome": Outcome.ERROR, "failure": "assertion"},  # a failed check outweighs one that broke
    ],
)
def test_nothing_is_rewritten_from_a_run_that_broke(yaml_file, options):
    golden = load_goldens(yaml_file)[0]
    notes = update_golden(golden, result_of(golden, "Bye.", **options))
    assert notes[0].startswith("first: not rewritten, because the run ended in an error")
    assert len(notes) == 1
    assert yaml_file.read_text() == YAML


def test_a_file_that_was_changed_or_is_gone_is_left(yaml_file):
    golden = load_goldens(yaml_file)[0]
    result = result_of(golden, "Bye.")
    changed = YAML.replace("Hello.", "Hallo.")
    yaml_file.write_text(changed)
    assert update_golden(golden, result) == [
        f"first: not rewritten, because {yaml_file} was changed since it was read"
    ]
    assert yaml_file.read_text() == changed
    yaml_file.write_text("id: [")
    assert "not valid YAML" in update_golden(golden, result)[0]
    yaml_file.unlink()
    assert update_golden(golden, result)[0].endswith("there is no such file")


def test_a_golden_that_holds_is_not_rewritten(yaml_file):
    golden = load_goldens(yaml_file)[0]
    before = yaml_file.stat()
    assert update_golden(golden, result_of(golden, "Hello there.", outcome=Outcome.PASS, failure="none")) == [
        "first: nothing to rewrite",
        "rules are left as they are: notContains",
    ]
    assert yaml_file.stat() == before


def test_one_process_at_a_time_rewrites_a_file(tmp_path):
    path = tmp_path / "a.golden.json"
    with exclusively(path), pytest.raises(FileExistsError), exclusively(path, patience=0.02):
        pytest.fail("two held the file")
    with exclusively(path):
        assert [one.name for one in tmp_path.iterdir()] == [".a.golden.json.lock"]
    assert list(tmp_path.iterdir()) == []


def test_the_lock_of_a_process_that_is_gone_counts_for_nothing(tmp_path):
    lock = tmp_path / ".a.golden.json.lock"
    lock.touch()
    with exclusively(tmp_path / "a.golden.json", patience=0.02):
        assert lock.exists()
    assert not lock.exists()
