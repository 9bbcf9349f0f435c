"""A scan in parts: on any number of cores, chosen, stopped, killed and gone on with."""

from __future__ import annotations

import gzip
import json
import os
import pickle
import signal
from collections.abc import Generator, Iterable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from grice.checks.log_facts import LOG_FACTS
from grice.formats.lines import Unreadable
from grice.matching.matcher import MatcherFactory
from grice.scanning import (
    Choice,
    Finding,
    ScanChecks,
    ScanOptions,
    ScanReport,
    choose_checks,
    default_checks,
    log_parts,
    log_scan,
    scan,
    scan_batch,
)
from grice.scanning.chosen_lines import LineFilter, WrongChoice, condition, parse_since
from grice.scanning.engines import Answer, EngineFailed, PartJudge, ScanSetup, judge_of
from grice.scanning.log_parts import LogPart
from grice.scanning.log_scan import draw_sample
from grice.scanning.report import Tally
from grice.scanning.unfinished import CannotResume, Unfinished, scan_digest
from grice.scanning.workers import Workers

USER = {"role": "user", "content": "Hi"}


def bot(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": text}


def line(number: int, **more: Any) -> dict[str, Any]:
    bad = " TODO" if number % 7 == 3 else ""
    return {"id": f"c{number}", "messages": [USER, bot(f"Reply {number}.{bad}")], **more}


@pytest.fixture
def choice(tmp_path: Path) -> Choice:
    path = tmp_path / "checks.json"
    path.write_text(json.dumps([{"matcher": "toMatch", "expected": "TODO", "not": True, "id": "todo"}]))
    return choose_checks(str(path))


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A log of conversations, of single messages between them, and of what cannot be read."""
    path = tmp_path / "log.jsonl"
    lines: list[Any] = []
    for number in range(200):
        lines += [line(number), "no conversation"] if number % 50 == 49 else [line(number)]
        if number % 20 == 5:
            lines += [{"chat_id": "m", **bot(f"Message {number} TODO")}]
    path.write_text("\n" + "".join(json.dumps(one) + "\n" for one in lines))
    return path


def scanned(log: Path, choice: Choice, **options: Any) -> tuple[ScanReport, list[Finding]]:
    found: list[Finding] = []
    unfinished = options.pop("unfinished", None)
    report = scan([log], choice, ScanOptions(**options), on_finding=found.append, unfinished=unfinished)
    return report, found


def test_two_cores_find_the_same_in_the_same_order(
    log: Path, choice: Choice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_parts, "PART", 1_500)
    monkeypatch.setattr(log_scan, "_FOR_WORKERS", 0)
    one = scanned(log, choice)
    assert scanned(log, choice, cores=2) == one
    numbers = {place: json.loads(text) for place, text in enumerate(log.read_text().split("\n"), 1) if text}
    assert len(one[1]) == 30
    assert all("TODO" in json.dumps(numbers[each.line]) for each in one[1])


def test_parts_of_any_size_find_the_same(log: Path, choice: Choice, monkeypatch: pytest.MonkeyPatch) -> None:
    report, found = scanned(log, choice)
    for size in (1, 97, 4_096):
        monkeypatch.setattr(log_parts, "PART", size)
        again, others = scanned(log, choice)
        assert sorted(others, key=lambda one: (one.line, one.turn)) == sorted(
            found, key=lambda one: (one.line, one.turn)
        )
        assert msgspec.structs.replace(again, checks=()) == msgspec.structs.replace(report, checks=())


def test_a_batch_is_a_function_of_bytes_that_can_be_sent_anywhere(choice: Choice) -> None:
    data = "".join(json.dumps(line(number)) + "\n" for number in range(8)).encode()
    setup = pickle.loads(pickle.dumps(ScanSetup(choice)))
    part = scan_batch(data, setup.ready(), file="f", first=11)
    assert [(one.line, one.conversation) for one in part.findings] == [(14, "c3")]
    assert pickle.loads(pickle.dumps(part)) == part
    assert msgspec.json.decode(msgspec.json.encode(part.tally), type=Tally) == part.tally


def test_a_check_that_cannot_be_sent_stays_on_one_core(choice: Choice) -> None:
    nested = MatcherFactory("toBeNested", lambda subject, ctx: True, None)
    check = choice.checks[0].check
    unsendable = msgspec.structs.replace(
        choice.checks[0], check=msgspec.structs.replace(check, matcher=nested())
    )
    assert judge_of(ScanSetup(Choice((unsendable,)))) is None
    with pytest.raises(EngineFailed, match="cannot be sent to other machines: todo"):
        scan([], Choice((unsendable,)), ScanOptions(engine=Everywhere()))


class Everywhere:
    """An engine of no other machine: what it is given and says is pickled, as if it were one."""

    far = True

    def __init__(self, size: int = 1) -> None:
        self.size = size
        self.parts: list[LogPart] = []

    def map(self, parts: Iterable[LogPart], judge: PartJudge) -> Generator[Answer]:
        for part in parts:
            self.parts.append(part)
            yield pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(judge))(part)))


def files_of_all_kinds(folder: Path, log: Path) -> list[Path]:
    whole = log.read_bytes()
    messages = [{"chat_id": f"m{n // 2}", **(bot("TODO") if n % 2 else USER)} for n in range(20)]
    files = {
        "lines.jsonl": whole,
        "packed.jsonl.gz": gzip.compress(whole),
        "cut.jsonl.gz": gzip.compress(whole)[:-100],
        "messages.jsonl": "".join(json.dumps(one) + "\n" for one in messages).encode(),
        "table.csv": b"id,role,content\na,user,Hi\na,assistant,TODO\n",
        "one.json": json.dumps(line(3)).encode(),
        "empty.jsonl": b"",
        "again.jsonl": whole,
    }
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return [*(folder / name for name in files), folder / "missing.jsonl"]


@pytest.mark.parametrize("size", [1, 3_000])
def test_an_engine_gets_every_file_and_gives_what_this_process_finds(
    tmp_path: Path, log: Path, choice: Choice, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr(log_parts, "PART", 1_500)
    files = files_of_all_kinds(tmp_path, log)
    engine = Everywhere(size)
    found: list[list[Finding]] = [[], []]
    here = scan(files, choice, on_finding=found[0].append)
    elsewhere = scan(files, choice, ScanOptions(engine=engine), on_finding=found[1].append)
    assert elsewhere == here
    assert found[1] == found[0]
    assert len(here.unreadable) == 2
    assert {one.path for one in engine.parts} == set(map(str, files))
    assert sum(one.path.endswith("lines.jsonl") for one in engine.parts) == -(
        -log.stat().st_size // max(size, 1_500)
    )


def test_cores_are_given_the_parts_of_many_small_files(
    tmp_path: Path, log: Path, choice: Choice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_scan, "_FOR_WORKERS", 0)
    files = files_of_all_kinds(tmp_path, log)
    assert scan(files, choice, ScanOptions(cores=2)) == scan(files, choice)


def test_processes_answer_in_order_with_what_was_read_before_a_file_broke(
    tmp_path: Path, log: Path, choice: Choice
) -> None:
    judge = judge_of(ScanSetup(choice))
    assert judge is not None
    cut = tmp_path / "cut.jsonl.gz"
    cut.write_bytes(gzip.compress(log.read_bytes())[:-100])
    parts = [LogPart(str(log), at, at + 1_500) for at in range(0, 9_000, 1_500)]
    parts += [LogPart(str(cut)), LogPart("nowhere")]
    answers = list(Workers(2).map(parts, judge))
    assert list(map(repr, answers)) == [repr(judge(one)) for one in parts]
    assert [isinstance(one[-1], Unreadable) for one in answers] == [False] * 6 + [True] * 2
    assert len(answers[-2]) > 2


def test_a_process_that_ends_is_told(choice: Choice, log: Path) -> None:
    judge = judge_of(ScanSetup(choice))
    assert judge is not None
    ended = msgspec.structs.replace(judge, setup=pickle.dumps(_Ends()))
    with pytest.raises(EngineFailed, match="ended before its work was done"):
        list(Workers(1).map([LogPart(str(log), 0, 1)], ended))


class _Ends:
    def ready(self) -> ScanChecks:
        os._exit(1)


class Killed(BaseException):
    """What stands for `kill -9`: nothing after it is written."""


@pytest.mark.parametrize("after", [1, 2, 9, 20, 28])
def test_a_scan_that_was_killed_goes_on_and_loses_and_doubles_nothing(
    tmp_path: Path, log: Path, choice: Choice, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    monkeypatch.setattr(log_parts, "PART", 500)
    whole_log = tmp_path / "whole.jsonl"
    whole_log.write_text("".join(one + "\n" for one in log.read_text().split("\n") if "chat_id" not in one))
    expected = scanned(whole_log, choice)
    digest = scan_digest([whole_log], choice, None, None)
    output = tmp_path / "found.json"
    killed = Unfinished(output, digest, resume=False)

    def kill(_: Finding, left: list[int] = [after]) -> None:  # noqa: B006 - it counts down
        left[0] -= 1
        if not left[0]:
            raise Killed

    with pytest.raises(Killed):
        scan([whole_log], choice, on_finding=kill, unfinished=killed)
    killed.close(done=False)  # what was written behind the manifest is the worst that a kill can leave
    again = Unfinished(output, digest, resume=True)
    report, _ = scanned(whole_log, choice, unfinished=again)
    assert report == expected[0]
    assert list(again.findings()) == expected[1]
    again.close(done=True)
    assert not list(tmp_path.glob("*.part"))


def test_a_scan_of_something_else_is_not_gone_on_with(tmp_path: Path, log: Path, choice: Choice) -> None:
    output = tmp_path / "found.json"
    first = Unfinished(output, scan_digest([log], choice, None, None), resume=False)
    scanned(log, choice, unfinished=first)
    other = Unfinished(output, scan_digest([log], default_checks(), None, None), resume=True)
    with pytest.raises(CannotResume, match="of other files or with other checks"):
        scanned(log, default_checks(), unfinished=other)
    first.close(done=False)
    other.close(done=False)


def test_ctrl_c_ends_with_what_was_found_and_says_where(
    log: Path, choice: Choice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_parts, "PART", 500)
    found: list[Finding] = []

    def stop(finding: Finding) -> None:
        found.append(finding)
        if len(found) == 5:
            signal.raise_signal(signal.SIGINT)

    report = scan([log], choice, on_finding=stop)
    assert report.stopped.startswith(f"{log}:")
    assert sum(one.failed for one in report.checks) == len(found) < 30
    assert not report.complete
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.parametrize(
    ("where", "chosen"),
    [
        ("meta.rating < 3", [0, 1, 2]),
        ("meta.rating >= 8 and lang == 'de'", [8]),
        ('lang == "en" or not meta.rating', [1, 3, 5, 7, 9]),
        ("meta.none == 1", []),
        ("lang == 'rating'", []),
    ],
)
def test_a_condition_chooses_lines(tmp_path: Path, choice: Choice, where: str, chosen: list[int]) -> None:
    path = tmp_path / "log.jsonl"
    rows = [line(n, meta={"rating": n}, lang=("de", "en")[n % 2]) for n in range(10)]
    path.write_text("".join(json.dumps(one) + "\n" for one in rows))
    report, _ = scanned(path, choice, chosen=LineFilter(where))
    assert (report.conversations, report.not_chosen, report.lines) == (len(chosen), 10 - len(chosen), 10)


@pytest.mark.parametrize("where", ["rating <", "rating = 3", "__import__('os')", "a] | b", ""])
def test_a_condition_that_is_none_is_told(where: str) -> None:
    with pytest.raises(WrongChoice, match="expected comparisons such as"):
        condition(where)


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ("rating <", "something is missing at the end"),
        ("rating === 3", "'===' is JavaScript's; write rating == 3"),
        ("rating =< 3", "'=<' is written the other way round; write rating <= 3"),
        ("a & b", "a single '&' is not in RFC 9535; write a and b"),
        ("lang is 'de'", "'is' is no comparison: there are == != < <= > >="),
        ("lang == 'de' and tags contains 'x'", "'contains' is no comparison: there are == != < <= > >="),
        ("meta.user-id == 3", "write meta['user-id'] for the name 'user-id'"),
        ("user-id == 3", "write @['user-id'] for the name 'user-id'"),
    ],
)
def test_what_is_wrong_with_a_condition_is_said_in_its_own_words(where: str, said: str) -> None:
    with pytest.raises(WrongChoice) as raised:
        condition(where)
    assert str(raised.value).partition("; expected comparisons")[0].endswith(f": {said}")


def test_a_time_chooses_lines(tmp_path: Path, choice: Choice) -> None:
    path = tmp_path / "log.jsonl"
    times: list[Any] = ["2025-01-01", "2025-03-01T10:00:00Z", 1_740_787_200, 1_740_787_200_000, "soon", None]
    rows = [line(number, created_at=one) for number, one in enumerate(times)]
    path.write_text("".join(json.dumps(one) + "\n" for one in rows))
    report, _ = scanned(path, choice, chosen=LineFilter(since=parse_since("2025-02-01")))
    assert (report.conversations, report.not_chosen) == (3, 3)
    with pytest.raises(WrongChoice, match="expected a date"):
        parse_since("yesterday")


def test_a_sample_has_as_many_conversations_the_same_for_a_seed(log: Path, choice: Choice) -> None:
    def drawn(seed: int) -> tuple[int, list[str]]:
        chosen = draw_sample([log], 20, seed, LineFilter())
        report, found = scanned(log, choice, chosen=chosen)
        return report.conversations, [one.conversation for one in found]

    assert drawn(1) == drawn(1)
    assert drawn(1)[1] != drawn(2)[1]
    assert drawn(1)[0] == 20


def test_a_limit_ends_a_scan(tmp_path: Path, choice: Choice) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text("".join(json.dumps(line(number)) + "\n" for number in range(50)))
    report, _ = scanned(path, choice, limit=30, cores=2)
    assert (report.conversations, report.stopped) == (30, "")


def test_the_default_has_the_checks_whose_alarms_were_right() -> None:
    labels = [one.label for one in default_checks().checks]
    rules = ["repetition", "similarity", "tool-flow", "self-contradiction"]
    assert labels == [*LOG_FACTS, *rules]
    added = choose_checks("default,contractions").checks
    assert [one.label for one in added] == [*labels, "contractions"]


def test_the_first_example_of_the_product_is_found_without_options() -> None:
    said = {"role": "assistant", "content": "Updating now! Would you like me to update it?"}
    data = json.dumps({"messages": [{"role": "user", "content": "Update Akismet"}, said]}).encode()
    [finding] = scan_batch(data, ScanChecks(default_checks().checks)).findings
    assert finding.label == "tool-flow"
    assert finding.reason.startswith("CONTRADICTORY_PREACTION_AND_ASK")


def _labels(*messages: tuple[str, str]) -> list[str]:
    data = json.dumps({"messages": [{"role": role, "content": text} for role, text in messages]}).encode()
    return [one.label for one in scan_batch(data, ScanChecks(default_checks().checks)).findings]


@pytest.mark.parametrize(
    ("reply", "user", "found"),
    [
        ("Which plugin should I update?", "Akismet, please", ["similarity"]),
        ("Which plugin should I update?", "Wait, somebody is at the door, one second", []),
        ("Thank you and goodbye.", "goodbye.", []),
        ("Is there anything else that I can do for you?", "No", []),
        ("Your ticket is booked.", "I asked for two tickets, and for a window seat", ["similarity"]),
        ("No", "And on Sunday then?", []),
    ],
)
def test_a_reply_that_may_be_due_again_is_no_finding(reply: str, user: str, found: list[str]) -> None:
    told = _labels(("user", "Hello"), ("assistant", reply), ("user", user), ("assistant", reply))
    assert told == found


def test_text_beside_a_call_is_house_style_and_no_finding() -> None:
    call = {"id": "c", "type": "function", "function": {"name": "find", "arguments": "{}"}}
    messages = [
        {"role": "user", "content": "Find a room"},
        {"role": "assistant", "content": "Let me look for one.", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": '{"room": 12}'},
        {"role": "assistant", "content": "Room 12."},
    ]
    data = json.dumps({"messages": messages}).encode()
    assert scan_batch(data, ScanChecks(default_checks().checks)).findings == []
    assert len(scan_batch(data, ScanChecks(choose_checks("tool-flow").checks)).findings) == 1


def test_only_what_failed_is_judged(choice: Choice) -> None:
    ready = ScanChecks(choice.checks)
    assert ready.narrow is not None
    doubtful = ready.narrow.at([json.dumps(line(one)).encode() for one in (1, 3)]).left[1]
    assert doubtful is not None
    assert doubtful.labels == {1: {"todo": True}}
