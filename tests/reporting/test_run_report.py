"""The report of a run: the layout of each result, then what all come to."""

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from run_reports import run_report
from run_results import ALL, BOOKING, HEAD, JUDGE_DOWN, LOST, MISLED, called, soft, turn

from grice.records import (
    AgentFailure,
    Classification,
    Conversation,
    Message,
    Outcome,
    Result,
    Simulation,
    Termination,
    ToolCall,
    Turn,
    Verdict,
)
from grice.reporting.experiment.as_json import run_json
from grice.reporting.verdict_labels import label
from grice.running.journal.experiment import ModelUsed


def report(*results: Result, verbose: bool = False, heads: tuple[Any, ...] = (), **more: Any) -> str:
    heads = heads or (replace(HEAD, planned=len(results)),)
    return run_report(heads, results, verbose=verbose, **more)


def as_json(*results: Result) -> Any:
    return json.loads(b"".join(run_json((HEAD,), results)[0]))


def test_a_result_has_the_layout_of_the_seed() -> None:
    result = replace(BOOKING, outcome=Outcome.FAIL, failure="assertion")
    silent = tuple(replace(one, messages=()) for one in result.conversation.turns)
    shown = report(replace(result, conversation=replace(result.conversation, turns=silent)), verbose=True)
    assert (
        shown[shown.index("Scenario: ") : shown.index("\n\nCompletion")]
        == r"""Scenario: booking_with_modification
  Set: venues
  Topics: greeting (1) > search (2) > results (3) > search (4)
  Ended after 4 turns, simulator goal_reached: the room is booked

  Evaluations (soft):
    Turn 1 (greeting):
      satisfy(friendly)             ✓
    Turn 3 (results):
      satisfy(acknowledges_change)  ✗  "Response was curt"
      match(/3:00\s*pm/)            ✓

  Expectations (hard):
    Turn 1: not call_tool(book_room)  ✓
    Turn 4: call_tool(book_room)      ✓

  Evaluation Summary: 2/3 passed (66.7%)
  Expectation Summary: 2/2 passed (100%)

  Result: FAILED (assertion)"""
    )


@pytest.mark.parametrize(
    ("termination", "said"),
    [
        ("gave_up", "simulator gave_up: so"),
        ("max_turns", "max_turns: so"),
        ("timeout", "timeout: so"),
        ("agent_error", "agent_error: so"),
        ("simulator_error", "simulator_error: so"),
    ],
)
def test_a_user_is_not_named_for_what_the_agent_did(termination: Termination, said: str) -> None:
    part = Simulation(1, 1, termination, "so")
    ended = replace(BOOKING, conversation=replace(BOOKING.conversation, simulations=(part,)))
    assert f"  Ended after 4 turns, {said}\n" in report(ended, verbose=True)


def test_a_topic_that_all_left_at_once_is_told_from_one_that_nobody_reached() -> None:
    turn = Turn(1, classified=Classification("b", "trigger"))
    moved = Result("example:1", "x", Outcome.PASS, Conversation(turns=(turn,)))
    head = replace(HEAD, topic_graph={"topics": ["a", "b", "c"], "edges": [["a", "b"], ["b", "c"]]})
    shown = report(moved, heads=(head,))
    assert "  a  never visited, 1 left at once\n  b  1 visit\n  c  never visited\n" in shown


def test_what_the_results_come_to_stands_below() -> None:
    shown = report(*ALL)
    assert shown.startswith(
        f"""1 of 2 conversations failed (50.0% passed), 2 not counted
Failed: lost.

Grice: Experiment Summary
{"━" * 66}

Experiment: exp_def456 "Prompt v2.3"
Timestamp:  2025-01-16 14:30:00 UTC
Git:        abc123def (feature/grounding)
Finished:   4 conversations

{"─" * 66}

Did not pass (3, 2 of them not counted)

  lost
"""
    )
    assert (
        shown[shown.index("Completion (") :]
        == f"""Completion (hard expectations)
  Scenario Set: venues (n=2)
  Completion Rate: 50.0% (1/2), 95 % interval 9.5% to 90.5%
  By failure type:
    - passed: 1 (50.0%)
    - max_turns: 1 (50.0%)
  Avg turns: 3.0
  Avg topics: 2.5

Not counted, as they say nothing about the agent: 2
  1 conversation: a check broke: HTTP 503
    judge_down
  1 conversation: the simulated user broke its rules and kept it from passing
    misled

Quality (soft evaluations)
  Total Evaluations: 3
  Evaluation Rate: 66.7% (2/3), 95 % interval 9.4% to 97.5%

Criteria Performance (n=2 scenarios, 2 evaluations)
  Criterion            Evaluated  Passed  Rate  95 % interval
  {"─" * 59}
  acknowledges_change          1       0    0%  0% to 79.3%
  friendly                     1       1  100%  20.7% to 100%
  Note: Criteria evaluated varies by scenario structure; hard expectations count too

Efficiency Metrics (n=2 scenarios)
  Turns to Completion:
    Mean: 3.0
    Median: 3
    Range: 2-4
  Topics Visited:
    Mean: 2.5
    Median: 2.5
    Range: 2-3
  Backtracking Rate: 50.0% (1/2)

Conduct of the simulated users (no part of completion)
  Rule   Evaluated  Passed  Rate
  {"─" * 30}
  terse          1       0    0%
  1 conversation: the user hindered the agent

Topics
  greeting  4 visits
  search    2 visits
  results   1 visit
  booking   1 visit
  never taken: results > booking
  not in the graph: greeting > booking, 1 time

Matchers
  Matcher    Mode  Used  Passed  Failed
  {"─" * 37}
  call_tool  hard     3       2       1
  satisfy    soft     2       1       1
  match      soft     1       1       0

{"─" * 66}

To see the whole conversation of lost:
  grice show exp_def456@lost

To compare with a baseline, once there is a later run:
  grice compare latest --baseline exp_def456
"""
    )


def test_what_passed_is_shown_only_when_everything_is_asked_for() -> None:
    assert "Scenario: booking" not in report(BOOKING)
    shown = report(BOOKING, verbose=True)
    assert "Scenario: booking" in shown
    assert "  1  user       Hi" in shown  # the transcript


def test_of_many_failures_the_first_are_shown_and_the_others_counted() -> None:
    shown = report(*(replace(LOST, id=f"example:{number}") for number in range(25)))
    assert shown.count("\n\n  lost\n") == 5
    assert "and 20 more that did not pass; --verbose shows all" in shown


def test_the_turn_that_failed_is_shown_with_what_was_said_and_why() -> None:
    reply = "The Blue Room is taken. " * 30
    call = Message("assistant", "", tool_calls=(ToolCall("check", {"room": "Blue"}, "c1"),))
    answer = Message("tool", "\n".join(f"row {number}" for number in range(9)), tool_call_id="c1")
    said = Turn(2, (Message("user", "The Blue Room?"), call, answer, Message("assistant", reply)))
    wrong = Verdict(Outcome.FAIL, "it is free", (), "toContain", "the reply to contain 'free'", turn=2)
    later = replace(said, number=3)
    result = replace(LOST, conversation=Conversation(turns=(turn(1), said, later)), verdicts=(wrong,))
    shown = report(result, runs=Path("elsewhere"))
    assert (
        shown[shown.index("\n\n  lost") : shown.index("\n\nCompletion")]
        == """

  lost
    2  user       The Blue Room?
  >    assistant  -> check(room='Blue')
  >    tool       row 0
  >               ... 6 more lines
  >               row 7
  >               row 8
  >    assistant  The Blue Room is taken. The Blue Room is taken. The Blue Room is taken. The Blue
  >               Room is taken. The Blue Room is taken. T... (719 characters)
       fail       contain 'free': it is free"""
    )
    step = "\n  grice show exp_def456@lost --runs elsewhere\n"
    assert f"To see the whole conversation of lost:{step}" in shown


@pytest.mark.parametrize(
    ("result", "wanted"),
    [
        (replace(LOST, key="two words", repeat=3), "example:2#3"),
        (replace(LOST, key="it's"), "example:2"),
        (LOST, "lost"),
    ],
)
def test_a_key_that_a_shell_reads_is_shown_by_its_id(result: Result, wanted: str) -> None:
    assert f"\n  grice show exp_def456@{wanted}\n" in report(result)


def test_a_key_that_several_have_is_shown_by_its_id() -> None:
    shown = report(LOST, replace(LOST, id="example:3"))
    assert "\n  grice show exp_def456@example:2\n" in shown


def test_an_agent_that_failed_is_told_once() -> None:
    failure = AgentFailure("timeout", "no answer in 30 s")
    silent = Turn(1, (Message("user", "Hi"),), failure=failure)
    verdict = Verdict(Outcome.ERROR, failure.message, (), "", "the agent to answer", turn=1)
    lost = replace(
        LOST, outcome=Outcome.ERROR, conversation=Conversation(turns=(silent,)), verdicts=(verdict,)
    )
    shown = report(lost)
    excerpt = shown[shown.index("\n\n  lost") : shown.index("\n\nCompletion")]
    assert excerpt.endswith("    1  user       Hi\n  >    failure    timeout: no answer in 30 s")


def test_outcomes_beyond_pass_and_fail_are_words_and_no_part_of_a_rate() -> None:
    verdicts = (
        soft(Outcome.PASS, 1, "kind"),
        soft(Outcome.INCONCLUSIVE, 1, "kind", "nothing was said"),
        soft(Outcome.ERROR, 1, "kind", "HTTP 503"),
        soft(Outcome.SKIPPED, 1, "kind"),
        Verdict(
            Outcome.INCONCLUSIVE, "the text is empty", (), "toContain", "the reply to contain 'x'", turn=1
        ),
    )
    shown = report(replace(LOST, outcome=Outcome.INCONCLUSIVE, verdicts=verdicts), verbose=True)
    assert '      satisfy(kind)  inconclusive  "nothing was said"' in shown
    assert '      satisfy(kind)  error  "HTTP 503"' in shown
    assert "    Turn 1: contain('x')  inconclusive" in shown
    assert "Evaluation Summary: 1/1 passed (100%), 1 could not tell, 1 broke, 1 skipped" in shown
    assert "Expectation Summary: 0/1 passed (0%)" in shown
    assert "Result: INCONCLUSIVE (max_turns)" in shown
    assert "without an answer: 1 inconclusive, 1 error" in shown
    assert "  kind               1       1  100%  1 inconclusive, 1 error\n" in shown


def test_a_criterion_that_was_never_judged_has_no_rate_and_is_the_first_line() -> None:
    shown = report(replace(BOOKING, verdicts=(soft(Outcome.ERROR, 1, "kind"), called(Outcome.PASS, 1, "x"))))
    assert shown.startswith(
        "The conversation passed; every check of the criterion 'kind' ended in an error: nothing was judged"
    )
    assert "  kind               0       0     -  1 error    -\n" in shown


def test_of_several_that_were_never_judged_the_others_stand_under_it() -> None:
    broken = (*(soft(Outcome.ERROR, 1, name) for name in ("kind", "terse")), called(Outcome.FAIL, 1, "x"))
    shown = report(replace(BOOKING, outcome=Outcome.FAIL, failure="assertion", verdicts=broken))
    assert shown.startswith("The conversation failed; every check of the criterion 'kind' ended in an error")
    assert (
        "\nevery check of the criterion 'terse' ended in an error: nothing was judged by it\n\nGrice: "
        in shown
    )


def test_a_run_without_results_says_so_and_gives_no_rate() -> None:
    shown = report()
    assert "No conversation was finished: there is nothing to report." in shown
    assert "Completion" not in shown


def test_a_run_in_which_nothing_counts_has_no_rate() -> None:
    shown = report(JUDGE_DOWN)
    assert "Completion Rate: -\n  no conversation counts: see below" in shown


def test_models_that_were_used_are_named_as_the_other_lines_are() -> None:
    models = {"judge": ModelUsed("lab:m1", "lab", "m1"), "user": ModelUsed("player", "lab", "m2")}
    shown = report(BOOKING, heads=(replace(HEAD, models=models),))
    assert "\nJudge:      lab:m1\nUser:       player lab m2\nFinished:   1 conversation\n" in shown


def test_the_type_of_a_failure_is_no_repetition_of_its_outcome() -> None:
    shown = report(JUDGE_DOWN, verbose=True)
    assert "\n  Result: ERROR\n" in shown


def test_a_run_that_is_not_complete_and_was_resumed_says_so() -> None:
    later = replace(HEAD, timestamp="2025-01-17T08:00:00.000Z", planned=3, git_commit="fff000fff000")
    shown = report(BOOKING, heads=(replace(HEAD, planned=3), later), notes=["main.jsonl:3: torn"])
    assert "Finished:   1 of 3 planned conversations" in shown
    assert "Resumed:    2025-01-17 08:00:00 UTC" in shown
    assert shown.startswith(
        "The conversation passed; the run is not whole\n2 of 3 conversations were not finished"
    )
    assert "\nseveral configurations in one run: another commit: 'abc123def456' before, " in shown
    assert "main.jsonl:3: torn" in shown


@pytest.mark.parametrize(
    ("planned", "count", "said"),
    [
        (None, 1, "1 conversation"),
        (1, 1, "1 conversation"),
        (1, 0, "0 of 1 planned conversation"),
        (3, 5, "5 conversations, more than the 3 planned"),
        (1, 2, "2 conversations, more than the 1 planned"),
    ],
)
def test_what_was_finished_stands_beside_what_was_planned(planned: int | None, count: int, said: str) -> None:
    results = [replace(BOOKING, repeat=number) for number in range(1, count + 1)]
    shown = report(*results, heads=(replace(HEAD, planned=planned),))
    assert f"Finished:   {said}\n" in shown


def test_a_reason_of_several_lines_is_one() -> None:
    reason = "HTTP 503\n  try later\n"
    down = tuple(replace(one, reason=reason) for one in JUDGE_DOWN.verdicts)
    shown = report(replace(JUDGE_DOWN, verdicts=down))
    assert "1 conversation: a check broke: HTTP 503 try later\n" in shown
    assert "not counted in completion: a check broke: HTTP 503 try later\n" in shown
    assert r"\n" not in shown


def test_what_was_begun_and_not_finished_is_named() -> None:
    names = [f"s{number}" for number in range(25)]
    shown = report(BOOKING, heads=(replace(HEAD, planned=30),), unfinished=names, never_begun=4)
    assert f"\nBegun and not finished: {', '.join(names[:9])}" in shown
    assert "s19 and 5 more\nNever begun: 4 conversations\n" in shown
    assert "s24\n" in report(BOOKING, unfinished=names, verbose=True)
    assert "begun" not in report(BOOKING).lower()


def test_repeats_give_pass_at_k_and_pass_hat_k_without_those_that_do_not_count() -> None:
    attempts = [replace(BOOKING, repeat=number) for number in (1, 2, 3)]
    attempts += [
        replace(LOST, id="example:1", key=BOOKING.key, repeat=4),
        replace(JUDGE_DOWN, id="example:1", repeat=5),
    ]
    shown = report(*attempts)
    rows = shown[shown.index("Repeats") :].splitlines()
    assert [row.split()[:3] + row.split()[6:7] for row in rows[3:7]] == [
        ["1", "1", "75.0%", "75.0%"],
        ["2", "1", "100%", "50.0%"],
        ["3", "1", "100%", "25.0%"],
        ["4", "1", "100%", "0%"],
    ]
    assert "  Pass now and then: 1 of 1 scenario\n    booking_with_modification 3/4\n" in shown
    assert "(repeat 4)" in shown


@pytest.mark.slow
def test_a_rate_is_never_rounded_to_all_or_nothing() -> None:
    many = [replace(BOOKING, id=f"example:{number}") for number in range(2000)]
    assert "Completion Rate: 99.9% (2,000/2,001)" in report(*many, LOST)


def test_text_of_agents_is_text() -> None:
    hostile = "[red]x[/red]\x1b[2J\u202e"
    verdict = Verdict(Outcome.FAIL, hostile, (), "toContain", f"the reply to contain {hostile}", turn=1)
    result = Result(
        "example:1",
        hostile,
        Outcome.FAIL,
        Conversation(turns=(turn(1, hostile, reply=hostile),)),
        (verdict,),
        failure="assertion",
        description=hostile,
        set_name=hostile,
    )
    shown = report(result, verbose=True, notes=[hostile])
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert shown.count(r"[red]x[/red]\x1b[2J\u202e") >= 8


@pytest.mark.parametrize(
    ("verdict", "expected"),
    [
        (soft(Outcome.PASS, 1, "friendly"), "satisfy(friendly)"),
        (called(Outcome.PASS, 1, "book_room", negated=True), "not call_tool(book_room)"),
        (Verdict(Outcome.PASS, matcher="toContain", claim="the reply to contain 'x'"), "contain('x')"),
        (Verdict(Outcome.PASS, matcher="toBeValidJson", claim="'x' to be valid json"), "be_valid_json"),
        (
            Verdict(Outcome.PASS, matcher="toSatisfy", claim="c", parts=(soft(Outcome.PASS, 1, "a"),)),
            "satisfy(a)",
        ),
        (
            Verdict(
                Outcome.PASS,
                matcher="toMeet",
                claim="the reply to meet the bundle chat",
                parts=(Verdict(Outcome.PASS, matcher="toOpenDifferently", criterion="openers"),),
            ),
            "meet(the bundle chat)",
        ),
        (
            Verdict(Outcome.PASS, matcher="toReach", claim="x", detail={"type": "reached", "topic": "a\nb"}),
            r"reach(a\nb)",
        ),
        (Verdict(Outcome.PASS, claim="an agent to hold it with", negated=True), "an agent to hold it with"),
        (Verdict(Outcome.PASS, matcher="toOdd", claim="something else"), "something else"),
        (Verdict(Outcome.PASS), "(a check without a name)"),
    ],
)
def test_a_check_has_a_short_name(verdict: Verdict, expected: str) -> None:
    assert label(verdict) == expected


def test_misled_results_say_what_their_user_did() -> None:
    shown = report(MISLED, verbose=True)
    assert '  Conduct of the simulated user:\n    Turn 1: terse  ✗  "14 words"' in shown
    helped = report(replace(BOOKING, spoiled="helped", counts=False), verbose=True)
    assert "Not counted in completion: the simulated user broke its rules and helped it to pass" in helped
    assert "The simulated user hindered the agent." in report(
        replace(BOOKING, spoiled="hindered"), verbose=True
    )


def test_what_does_not_count_for_the_same_reason_is_told_once() -> None:
    down = [replace(JUDGE_DOWN, id=f"example:{n}", key=f"down-{n % 7}") for n in range(9)]
    shown = report(BOOKING, *down)
    assert "Not counted, as they say nothing about the agent: 9" in shown
    assert (
        "  9 conversations: a check broke: HTTP 503\n    down-0, down-1, down-2, down-3, down-4 and 2 more\n"
        in shown
    )


def test_what_was_skipped_takes_no_place_of_what_failed() -> None:
    left_out = replace(BOOKING, outcome=Outcome.SKIPPED, counts=False, key="left_out")
    skipped = [replace(left_out, id=f"example:s{number}") for number in range(30)]
    shown = report(*skipped, LOST)
    assert "left_out" not in shown
    assert "\n\n  lost\n" in shown
    assert "more that did not pass" not in shown


SPOILED = replace(
    MISLED, conversation=Conversation(simulations=(Simulation(1, 0, "simulator_error", "no LLM"),))
)


@pytest.mark.parametrize(
    ("result", "reason"),
    [
        (SPOILED, "simulator_error: no LLM"),
        (replace(JUDGE_DOWN, spoiled="helped"), "a check broke: HTTP 503"),
        (replace(JUDGE_DOWN, verdicts=(Verdict(Outcome.ERROR, "no agent"),)), "error: no agent"),
        (
            replace(MISLED, verdicts=(soft(Outcome.ERROR, 1, "kind", "HTTP 503"), *MISLED.verdicts)),
            "the simulated user broke its rules and kept it from passing",
        ),
    ],
)
def test_why_a_result_does_not_count_is_what_was_the_matter(result: Result, reason: str) -> None:
    assert as_json(result)["scenario_results"][0]["not_counted_because"] == reason


def test_the_code_of_a_tests_body_is_not_shown() -> None:
    """It tells comparisons whether the same was asserted, and readers nothing."""
    word = Verdict(Outcome.PASS, claim="test_it to hold", detail={"code": "sha256:123"})
    sent = Verdict(Outcome.PASS, matcher="toFail", claim="to fail", detail={"code": 3})
    one = replace(BOOKING, verdicts=(word, sent))
    assert "sha256:123" not in report(one, verbose=True)
    (found,) = as_json(one)["scenario_results"]
    assert [detail.get("code") for detail in found["expectations"]["details"]] == [None, 3]
