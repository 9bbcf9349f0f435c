"""What `extract_finding` writes: a test that fails for the finding, and passes on what is mended."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
import yaml
from fault_logs import ASIDE, KINDS, MORE, SECRET, Messages, assistant, user

from grice.extracting import Fault, NotExtractable, Pseudonyms, extract_finding, faults_in
from grice.extracting.fault import judge_last
from grice.extracting.shrinking import numbered, shrink
from grice.extracting.written_test import Form, draft_test
from grice.files.suite_files import load_suite
from grice.formats import read_message
from grice.formats.turns import turns_of
from grice.matching.selector import ValueSelector
from grice.records import Conversation, Outcome
from grice.running.suite import run_scenario
from grice.scanning import choose_checks, default_checks


def record(messages: Messages) -> Conversation:
    return Conversation(id="c1", turns=turns_of(one for raw in messages for one in read_message(raw)))


def fault_of(label: str) -> Fault:
    usual = {one.label: one for one in default_checks().checks}
    check = usual[label] if label in usual else choose_checks(label).checks[0]
    (fault,) = faults_in(record(KINDS[label]), [check], "chats.jsonl:3")
    return fault


def stands_in(fault: Fault, conversation: Conversation) -> bool:
    return fault.is_said_by(judge_last(fault.check, conversation))


FORMS: list[tuple[str, Form]] = [(label, form) for label in KINDS for form in ("suite", "pytest")]
FORMS.remove(("leaked-prompt", "pytest"))  # no function says a prompt


@pytest.mark.parametrize(("label", "form"), FORMS)
def test_every_kind_of_finding_is_proved(label: str, form: Form) -> None:
    test = extract_finding(fault_of(label), form)

    assert test.proof.whole, test.proof.why
    assert "# Proved: it fails" in test.text


@pytest.mark.parametrize("label", KINDS)
def test_it_stays_proved_with_stand_ins(label: str) -> None:
    test = extract_finding(fault_of(label), pseudonyms=Pseudonyms(key="k"))

    assert test.proof.whole, test.proof.why
    assert SECRET not in test.text


def test_a_golden_needs_the_replies_of_the_model() -> None:
    with pytest.raises(NotExtractable, match="the model's replies are not known"):
        extract_finding(fault_of("tool-flow"), "golden")


def test_pytest_cannot_say_a_check_at_a_path() -> None:
    fault = fault_of("malformed-arguments")
    check = msgspec.structs.replace(fault.check, at=ValueSelector("$.here"))
    with pytest.raises(NotExtractable, match="use --as suite"):
        draft_test(fault._replace(check=check), "pytest")


@pytest.mark.parametrize("label", KINDS)
def test_no_turn_that_is_left_can_be_dropped(label: str) -> None:
    shrunk = shrink(fault_of(label)).fault
    turns = shrunk.conversation.turns

    assert stands_in(shrunk, shrunk.conversation)
    for place in range(len(turns) - 1):
        assert not stands_in(shrunk, numbered(shrunk.conversation, turns[:place] + turns[place + 1 :]))


def test_turns_in_between_are_dropped_and_counted() -> None:
    shrunk = shrink(fault_of("self-contradiction"))

    assert [one.user for one in shrunk.fault.conversation.turns] == [
        "Do you ship to Canada?",
        "Are you sure? Do you ship to Canada?",
    ]
    assert shrunk.dropped["turns"] == 2


def test_the_best_so_far_is_kept_when_the_checks_run_out() -> None:
    shrunk = shrink(fault_of("self-contradiction"), most=1)

    assert not shrunk.minimal
    assert shrunk.checks == 1
    assert stands_in(shrunk.fault, shrunk.fault.conversation)


def test_the_suite_is_readable_and_fails_an_agent_that_does_it_again(tmp_path: Path) -> None:
    test = extract_finding(fault_of("similarity"))
    path = tmp_path / test.file
    path.write_text(test.text)
    (scenario,) = yaml.safe_load(test.text)["scenarios"]

    assert scenario["say"] == "Akismet"
    assert scenario["history"][0] == {"role": "user", "content": "Update my plugin"}
    assert scenario["expect"][0]["matcher"] == "toDifferFromPrevious"
    again = scenario["history"][1]["content"]
    (loaded,) = load_suite(path)
    assert run_scenario(loaded, lambda messages: again).outcome is Outcome.FAIL
    assert run_scenario(loaded, lambda messages: "Akismet is up to date now.").outcome is Outcome.PASS


def test_what_is_not_proved_is_said_in_the_first_lines() -> None:
    fault = fault_of("openers")
    lost = fault._replace(verdict=judge_last(fault.check, record([*ASIDE, *MORE])))
    test = extract_finding(lost._replace(conversation=record([*ASIDE, *MORE])))

    assert not test.proof.fails
    assert "# NOT PROVED" in test.text


def test_a_turn_without_a_user_cannot_be_played() -> None:
    check = choose_checks("tool-flow").checks[0]
    (fault,) = faults_in(record(KINDS["tool-flow"]), [check], "chats.jsonl:1")
    last = fault.conversation.turns[-1]
    alone = record([assistant("Updating Akismet now!")]).turns[0]
    silent = fault._replace(conversation=Conversation(turns=(alone,)))

    assert last.user
    with pytest.raises(NotExtractable, match="the user says nothing"):
        extract_finding(silent)


def test_private_values_are_replaced_alike_and_contradictions_stand(tmp_path: Path) -> None:
    messages = [
        user("My name is Mia Kovacs, my booking is QX48ZT and my key is sk-proj-a1b2c3d4e5f6g7h8."),
        assistant("Yes, Mia, QX48ZT ships to Canada."),
        user("Are you sure? Does QX48ZT ship to Canada? Write to mia.kovacs@firm.org"),
        assistant("No, Mia, QX48ZT does not ship to Canada."),
    ]
    check = choose_checks("self-contradiction").checks
    (fault,) = faults_in(record(messages), check, "chats.jsonl:1")
    stand_ins = tmp_path / "hidden" / "stand-ins.json"
    pseudonyms = Pseudonyms(stand_ins)
    test = extract_finding(fault, pseudonyms=pseudonyms)
    pseudonyms.save()

    for private in ("Mia", "Kovacs", "QX48ZT", "sk-proj", "firm.org"):
        assert private.casefold() not in test.text.casefold()
    assert test.proof.whole, test.proof.why
    assert stand_ins.stat().st_mode & 0o077 == 0
    assert stand_ins.with_name(".gitignore").read_text() == "*\n"
    assert extract_finding(fault, pseudonyms=Pseudonyms(stand_ins)).text == test.text


def test_what_is_kept_stays() -> None:
    (fault,) = faults_in(
        record([user("My name is Mia"), assistant("Hm."), user("I am Mia"), assistant("Hm.")]),
        choose_checks("similarity").checks,
        "chats.jsonl:1",
    )

    assert "Mia" not in extract_finding(fault, pseudonyms=Pseudonyms()).text
    assert "Mia" in extract_finding(fault, pseudonyms=Pseudonyms(keep=["mia"])).text
