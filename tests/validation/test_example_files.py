"""Files of labelled examples: what is read, and everything that is wrong told at once."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from grice.files.document import FileErrors
from grice.records import Conversation, Outcome, Reply
from grice.validation.example_reading import read_examples
from grice.validation.examples import Example
from grice.validation.measured_rules import find_rule
from grice.validation.validating import validate_checks

ARGS = {"limit": 1}
OUTCOMES = "expected one of error, fail, inconclusive, pass, skipped"
PROFILE = "args: the profile is none of them; 'seed' and 'robust' say what each of them gives"
REPLY = "expected a reply, or an object with user and text"
SUBJECTS = "expected one of conversation, reply, text"


def written(tmp_path: Path, *lines: Any, name: str = "sentences.jsonl") -> Path:
    path = tmp_path / name
    told = [one if isinstance(one, str) else json.dumps(one) for one in lines]
    path.write_text("\n".join(told) + "\n", "utf-8")
    return path


def read(tmp_path: Path, **fields: Any) -> Example:
    fields = {"args": ARGS, "expected": "pass", **fields}
    (example,) = read_examples([written(tmp_path, fields)])
    return example


def problems(*paths: Path) -> list[str]:
    with pytest.raises(FileErrors) as wrong:
        read_examples(paths)
    return [str(one).removeprefix(str(paths[0].parent) + "/") for one in wrong.value.errors]


def test_a_reply_knows_the_turns_before_it(tmp_path: Path) -> None:
    call = {"name": "search", "arguments": {"q": "boots"}, "result": [1]}
    example = read(
        tmp_path,
        text="Here.",
        user="Boots?",
        data={"mode": "chat"},
        duration=1.5,
        tool_calls=[call],
        earlier=["Hi.", {"user": "And?", "text": "Well.", "data": {"a": 1}}],
    )
    reply = example.subject
    assert isinstance(reply, Reply)
    assert (reply.text, reply.number, reply.data, reply.turn.duration) == ("Here.", 3, {"mode": "chat"}, 1.5)
    assert [(one.user, one.text) for one in example.conversation.turns] == [
        ("", "Hi."),
        ("And?", "Well."),
        ("Boots?", "Here."),
    ]
    assert [(one.name, one.arguments, one.result) for one in reply.tool_calls] == [
        ("search", {"q": "boots"}, [1])
    ]
    assert [one.role for one in reply.messages] == ["user", "assistant", "tool", "assistant"]


def test_the_subject_may_be_a_bare_text_or_the_conversation(tmp_path: Path) -> None:
    assert read(tmp_path, text="Hi.", subject="text").subject == "Hi."
    assert isinstance(read(tmp_path, text="Hi.", subject="conversation").subject, Conversation)


def test_a_turn_without_a_text_has_no_reply(tmp_path: Path) -> None:
    example = read(tmp_path, data={"lead": "Hi."}, expected="inconclusive")
    assert (example.conversation.turns[0].text, example.conversation.turns[0].data) == ("", {"lead": "Hi."})


def test_a_lone_surrogate_comes_through(tmp_path: Path) -> None:
    line = '{"text": "a \\ud83d b", "args": {"limit": 1}, "expected": "pass"}'
    (example,) = read_examples([written(tmp_path, line)])
    assert example.conversation.turns[0].text == "a \ud83d b"


@pytest.mark.parametrize(
    ("labels", "right", "documented"),
    [
        ({"expected": "fail"}, "fail", {"robust": "fail"}),
        ({"right": "fail"}, "fail", {"robust": "fail"}),
        ({"robust": "fail", "seed": "pass"}, "fail", {"robust": "fail", "seed": "pass"}),
        ({"robust": "fail", "right": "pass"}, "pass", {"robust": "fail"}),
        ({"expected": "fail", "seed": "skipped"}, "fail", {"robust": "fail", "seed": "skipped"}),
    ],
)
def test_labels_say_what_is_right_and_what_is_documented(
    tmp_path: Path, labels: dict[str, str], right: str, documented: dict[str, str]
) -> None:
    path = written(tmp_path, {"text": "Hi.", "args": ARGS, **labels})
    (example,) = read_examples([path])
    assert example.right is Outcome(right)
    assert dict(example.documented) == documented


@pytest.mark.parametrize(
    "name", ["sentences.jsonl", "sentences.examples.jsonl", "sentences.json", "mine.json"]
)
def test_a_file_names_its_rule_or_each_example_does(tmp_path: Path, name: str) -> None:
    one: dict[str, Any] = {"id": "a", "text": "Hi.", "args": ARGS, "expected": "pass", "rule": "sentences"}
    if name != "mine.json":
        del one["rule"]
    (example,) = read_examples([written(tmp_path, one, name=name)])
    assert (example.rule, example.line) == ("sentences", 1)


def test_a_json_file_holds_one_example_or_a_list(tmp_path: Path) -> None:
    one = {"text": "Hi.", "args": ARGS, "expected": "pass"}
    path = tmp_path / "sentences.json"
    path.write_text(json.dumps([{**one, "id": 1}, {**one, "id": 2}], indent=1))
    assert [(each.id, each.line) for each in read_examples([path])] == [("1", 2), ("2", 10)]


def test_names_of_arguments_may_be_in_camel_case(tmp_path: Path) -> None:
    path = written(
        tmp_path, {"text": "Hi.", "args": {"ignoreCase": True, "expected": "x"}, "expected": "fail"}
    )
    rule = find_rule("toContain")
    (example,) = read_examples([path], rule, always=True)
    assert example.rule == "toContain"


def test_everything_wrong_with_a_file_is_told_at_once(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        {"id": "a", "text": 5, "args": ARGS, "expected": "pass"},
        {"id": "b", "txt": "Hi.", "args": ARGS, "expected": "pass"},
        {"id": "c", "text": "Hi.", "args": ARGS, "expected": "passed"},
        {"id": "d", "text": "Hi.", "args": ARGS},
        {"id": "e", "text": "Hi.", "args": {"limits": 1}, "expected": "pass"},
        {"id": "f", "text": "Hi.", "args": {"limit": 0}, "expected": "pass"},
        "[1]",
        "not JSON",
        {"id": "g", "args": ARGS, "subject": "text", "expected": "pass"},
        {"id": "h", "text": "Hi.", "args": ARGS, "subject": "txt", "expected": "pass"},
        {"id": "i", "text": "Hi.", "args": ARGS, "earlier": [1, {"txt": ""}], "expected": "pass"},
        {"id": "j", "text": "Hi.", "args": ARGS, "tool_calls": [{"arguments": []}], "expected": "pass"},
        {"id": "k", "rule": "senteces", "text": "Hi.", "args": ARGS, "expected": "pass"},
        {"id": "l", "text": "Hi.", "args": ARGS, "expected": "pass", "robust": "pass"},
        {"id": "m", "text": "Hi.", "args": ARGS, "expected": "pass"},
        {"id": "m", "text": "Hi.", "args": ARGS, "expected": "pass"},
        {"id": "n", "text": "Hi.", "args": {**ARGS, "profile": "seed"}, "expected": "pass"},
    )
    assert [re.sub(r"(jsonl:\d+):\d+", r"\1", one) for one in problems(path)] == [
        "sentences.jsonl:1: text: expected a string, found the number 5",
        "sentences.jsonl:2: unknown field 'txt' (did you mean 'text'?)",
        f"sentences.jsonl:3: expected: {OUTCOMES}, found 'passed' (did you mean 'pass'?)",
        "sentences.jsonl:4: missing field 'expected', the outcome that is right",
        "sentences.jsonl:5: args of sentences: unknown name 'limits' (did you mean 'limit'?)",
        "sentences.jsonl:6: args of sentences: limit is a whole number from 1, found 0",
        "sentences.jsonl:7: expected an object, found a list",
        'sentences.jsonl:8: not valid JSON: a text needs double quotes: write "not"',
        "sentences.jsonl:9: subject: a text is to be judged, and there is no text",
        f"sentences.jsonl:10: subject: {SUBJECTS}, found 'txt' (did you mean 'text'?)",
        f"sentences.jsonl:11: earlier[0]: {REPLY}, found the number 1",
        "sentences.jsonl:11: earlier[1]: unknown field 'txt' (did you mean 'text'?)",
        "sentences.jsonl:12: tool_calls[0]: missing field 'name', expected a string",
        "sentences.jsonl:12: tool_calls[0].arguments: expected an object, found a list",
        "sentences.jsonl:13: rule: unknown rule 'senteces' (did you mean 'sentences'?)",
        "sentences.jsonl:14: expected: it says the same as right and robust; give one of them",
        "sentences.jsonl:16: the id 'm' is that of line 15 too",
        f"sentences.jsonl:17: {PROFILE}",
    ]


def test_a_problem_has_the_line_and_column(tmp_path: Path) -> None:
    good = {"id": "a", "text": "Hi.", "args": ARGS, "expected": "pass"}
    path = written(tmp_path, good, {"id": "b", "txt": "Hi.", "args": ARGS, "expected": "pass"})
    assert problems(path) == ["sentences.jsonl:2:13: unknown field 'txt' (did you mean 'text'?)"]


def test_ids_are_unique_among_the_examples_of_a_rule(tmp_path: Path) -> None:
    one = {"id": "a", "text": "Hi.", "args": ARGS, "expected": "pass"}
    first, second = written(tmp_path, one), written(tmp_path, {**one, "rule": "sentences"}, name="x.jsonl")
    assert problems(first, second) == [f"x.jsonl:1:8: the id 'a' is that of {first}:1 too"]


def test_lines_without_an_id_are_told_apart_by_their_files(tmp_path: Path) -> None:
    one = {"text": "Hi.", "rule": "sentences", "args": ARGS, "expected": "pass"}
    for name in ("x.jsonl", "y.jsonl"):
        written(tmp_path, one, name=name)
    found = validate_checks(folder=tmp_path)
    assert (found.problems, found.examples) == ((), 2)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "is empty: it holds no rows"),
        (b"\xff\xfe{\x00}\x00", "is UTF-16"),
        (b'{"text": "\xff"}\n', "not UTF-8: byte 0xff"),
        (b'{"text": "a", "text": "b"}\n', "there twice in one object"),
        (b'{"text": NaN}\n', "NaN"),
    ],
)
def test_a_file_that_cannot_be_read_is_told(tmp_path: Path, content: bytes, problem: str) -> None:
    path = tmp_path / "sentences.jsonl"
    path.write_bytes(content)
    (said,) = problems(path)
    assert problem in said


def test_an_example_of_no_rule_is_refused(tmp_path: Path) -> None:
    (said,) = problems(written(tmp_path, {"text": "Hi.", "expected": "pass"}, name="mine.jsonl"))
    assert "of which rule is this an example?" in said


SAID = [{"role": "user", "content": "Is it safe?"}, {"role": "assistant", "content": "Yes, it is safe."}]
OF_SEED = {
    "id": "p1",
    "type": "positive",
    "conversation": SAID,
    "expectedResult": True,
    "rationale": "a reversal",
}


def test_an_example_of_the_seed_is_a_whole_conversation_and_true_is_the_fault(tmp_path: Path) -> None:
    (example,) = read_examples([written(tmp_path, OF_SEED, name="one.json")])
    assert (example.rule, example.right, example.subject_kind) == (
        "self-contradiction",
        "fail",
        "conversation",
    )
    assert (example.id, example.why, example.conversation.turns[0].text) == (
        "p1",
        "a reversal",
        "Yes, it is safe.",
    )


def test_an_unclear_answer_is_no_alarm_where_only_that_is_asked(tmp_path: Path) -> None:
    calm = {**OF_SEED, "type": "negative", "expectedResult": False}
    (example,) = read_examples([written(tmp_path, calm, name="one.json")])
    assert example.allows(Outcome.INCONCLUSIVE, example.right)
    assert not example.allows(Outcome.FAIL, example.right)
    assert not example.allows(Outcome.ERROR, example.right)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"expectedResult": "true"}, "expectedResult"),
        ({"expectedResult": False}, "expectedResult: it is false, and type says positive"),
        (
            {"type": "positiv"},
            "expected one of negative, positive, found 'positiv' (did you mean 'positive'?)",
        ),
        ({"conversation": []}, "conversation: it has no messages"),
        ({"conversation": ["Hi"]}, "conversation[0]: expected a message, found the string 'Hi'"),
        ({"conversation": [{"role": "user"}]}, "conversation[0]: missing field 'content'"),
        ({"conversation": None}, "conversation"),
        ({"sources": "x"}, "unknown field 'sources' (did you mean 'source'?)"),
        ({"rule": "self-contradictio"}, "did you mean 'self-contradiction'?"),
    ],
)
def test_what_is_wrong_with_an_example_of_the_seed_is_said(
    tmp_path: Path, change: dict[str, object], said: str
) -> None:
    with pytest.raises(FileErrors) as found:
        read_examples([written(tmp_path, {**OF_SEED, **change}, name="one.json")])
    assert said in str(found.value)


def test_an_example_lies_in_the_folder_of_its_result(tmp_path: Path) -> None:
    for folder in ("positive", "negative"):
        (tmp_path / folder).mkdir()
    assert len(read_examples([written(tmp_path / "positive", OF_SEED, name="one.json")])) == 1
    with pytest.raises(FileErrors, match="expectedResult: it is true, and its folder is negative"):
        read_examples([written(tmp_path / "negative", OF_SEED, name="one.json")])


def test_the_same_conversation_has_one_label(tmp_path: Path) -> None:
    other = {**OF_SEED, "id": "n1", "type": "negative", "expectedResult": False}
    with pytest.raises(FileErrors, match="it is labelled pass, and the same in line 1 is labelled fail"):
        read_examples([written(tmp_path, OF_SEED, other)])
