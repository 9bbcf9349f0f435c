"""A scan in parts: on any number of cores, chosen, stopped, killed and gone on with."""

from __future__ import annotations

import json
import pickle
import signal
from pathlib import Path
from typing import Any

import msgspec
import pytest

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
from grice.scanning.engines import ScanSetup, judge_of
from grice.scanning.log_scan import draw_sample
from grice.scanning.report import Tally
from grice.scanning.unfinished import CannotResume, Unfinished, scan_digest

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
        lines += [line(number), "no conversation"] if number % 50 == 0 else [line(number)]
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


def test_the_checks_without_set_up_are_those_that_were_right_at_first_look() -> None:
    labels = [one.label for one in default_checks().checks]
    assert labels[0] == "malformed-arguments"
    assert "repetition" in labels
    assert not {"contractions", "topicality", "budget"} & set(labels)
    added = choose_checks("default,contractions").checks
    assert [one.label for one in added] == [*labels, "contractions"]


def test_only_what_failed_is_judged(choice: Choice) -> None:
    ready = ScanChecks(choice.checks)
    assert ready.narrow is not None
    known = ready.narrow.known(json.dumps(line(3)).encode())
    assert known is not None
    assert known.doubtful == {1: {"todo"}}
