import io
import sys

import pytest
from rich.console import Console
from rich.text import Text

from counted_calls import lines_of
from grice.records import Conversation, Message, Outcome, Result, Turn, Verdict
from grice.reporting.console import print_line, print_problem, print_result, print_summary, screen_for
from grice.reporting.layout import cells, transcript_rows, wrapped
from grice.reporting.text import hollow_lines, hollow_verdicts, marked_turn, result_text, verdict_lines


def turn(number: int, user: str, *messages: Message) -> Turn:
    return Turn(number, (Message("user", user), *messages))


def result(outcome: Outcome = Outcome.PASS, *verdicts: Verdict, turns: tuple[Turn, ...] = ()) -> Result:
    return Result("example:1", "greets", outcome, Conversation(turns=turns), verdicts)


def shown(one: Result, *, width: int = 60, verbose: bool = False) -> list[str]:
    stream = io.StringIO()
    print_result(Console(file=stream, width=width, highlight=False, emoji=False), one, verbose=verbose)
    return stream.getvalue().splitlines()


def test_a_passed_result_is_one_line() -> None:
    assert shown(result(Outcome.PASS, Verdict(Outcome.PASS, claim="the reply to be kind"))) == [
        "pass   greets"
    ]


@pytest.mark.parametrize("outcome", [Outcome.FAIL, Outcome.ERROR, Outcome.INCONCLUSIVE])
def test_what_did_not_pass_shows_why_under_its_claim(outcome: Outcome) -> None:
    verdict = Verdict(outcome, "because", claim="the reply to be kind", turn=1)
    lines = shown(result(outcome, verdict, turns=(turn(1, "Hi", Message("assistant", "What?")),)))
    assert lines == [
        f"{outcome:<6} greets",
        "",
        "    1  user       Hi",
        "  >    assistant  What?",
        "",
        f"    {outcome:<5}  the reply to be kind",
        f"    {'':{max(5, len(outcome))}}  because",
        "",
    ]


def test_hard_and_soft_verdicts_begin_in_one_column() -> None:
    hard, soft = Verdict(Outcome.FAIL, "so", claim="A"), Verdict(Outcome.FAIL, "so", claim="B", mode="soft")
    lines = shown(result(Outcome.FAIL, hard, soft))
    assert lines[-5:] == [
        "    fail       A",
        "               so",
        "    soft fail  B",
        "               so",
        "",
    ]


def test_secrets_are_not_shown() -> None:
    said = "My key is sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789"
    verdict = Verdict(Outcome.FAIL, f"found {said}", claim="the reply to be kind", turn=1)
    lines = "\n".join(
        shown(result(Outcome.FAIL, verdict, turns=(turn(1, said, Message("assistant", said)),)))
    )
    assert "sk-ant" not in lines
    assert lines.count("[redacted: api key]") == 3


def test_a_result_without_verdicts_never_looks_like_a_pass() -> None:
    assert "    nothing was checked" in shown(result(Outcome.INCONCLUSIVE))
    assert "nothing was checked" in result_text(result(Outcome.INCONCLUSIVE))


def test_long_lines_go_on_under_their_text_and_keep_the_mark() -> None:
    words = "The Blue Room is free tomorrow at two and seats twelve people around one table"
    rows = transcript_rows((turn(1, "Hi", Message("assistant", words)),), marked=1, width=50)
    assert rows == [
        "  1  user       Hi",
        ">    assistant  The Blue Room is free tomorrow at",
        ">               two and seats twelve people around",
        ">               one table",
    ]


def test_a_tool_s_result_is_cut_to_two_rows() -> None:
    long = Message("tool", "x" * 1_000, tool_call_id="1")
    rows = transcript_rows((turn(1, "Hi", long),), marked=None, width=60)
    assert len(rows) == 3
    assert rows[-1].endswith("... (1000 characters)")


@pytest.mark.parametrize(
    ("text", "room", "pieces"),
    [
        ("short", 10, ["short"]),
        ("", 10, [""]),
        ("one two three", 8, ["one two", "three"]),
        ("abcdefghij", 4, ["abcd", "efgh", "ij"]),
        ("    indented words", 10, ["    indent", "ed words"]),
        ("漢字漢字漢", 4, ["漢字", "漢字", "漢"]),
    ],
)
def test_lines_are_cut_at_blanks_and_by_columns(text: str, room: int, pieces: list[str]) -> None:
    assert list(wrapped(text, room)) == pieces
    assert all(cells(piece) <= room for piece in pieces)


def test_a_hard_verdict_decides_which_turn_is_marked() -> None:
    soft = Verdict(Outcome.FAIL, mode="soft", turn=1)
    hard = Verdict(Outcome.FAIL, turn=2)
    assert marked_turn([soft, hard]) == 2
    assert marked_turn([soft]) == 1
    assert marked_turn([Verdict(Outcome.PASS, turn=1)]) is None


def test_soft_verdicts_are_called_soft() -> None:
    verdict = Verdict(Outcome.FAIL, "two\nrows", claim="the reply to be kind", mode="soft")
    assert verdict_lines([verdict]) == ["soft fail         the reply to be kind", "    two", "    rows"]


@pytest.mark.parametrize(
    ("outcomes", "planned", "line"),
    [
        ([Outcome.PASS, Outcome.PASS], 2, "2 passed  0 checks in 1.00 s"),
        ([Outcome.PASS, Outcome.FAIL], 2, "1 passed, 1 failed  0 checks in 1.00 s"),
        ([Outcome.PASS], 3, "1 passed, 2 not run  0 checks in 1.00 s"),
        ([], 0, "nothing tested  0 checks in 1.00 s"),
        ([Outcome.ERROR], 1, "1 error  0 checks in 1.00 s"),
    ],
)
def test_the_summary_counts_every_outcome(outcomes: list[Outcome], planned: int, line: str) -> None:
    stream = io.StringIO()
    results = [result(outcome) for outcome in outcomes]
    print_summary(Console(file=stream, width=100, highlight=False), results, 1.0, planned=planned)
    assert stream.getvalue().splitlines()[0] == line


def test_a_file_is_a_hundred_columns_wide_unless_columns_says_otherwise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    assert screen_for(io.StringIO()).width == 100
    monkeypatch.setenv("COLUMNS", "60")
    assert screen_for(io.StringIO()).width == 60


def test_what_a_stream_cannot_encode_is_escaped() -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="ascii")
    screen_for(stream).print("[b]caf\u00e9[/b] \U0001f600")
    assert raw.getvalue() == b"[b]caf\\xe9[/b] \\U0001f600\n"


class Closed(io.StringIO):
    def write(self, text: str) -> int:
        raise BrokenPipeError


def test_a_console_that_nobody_reads_goes_quiet() -> None:
    console = screen_for(Closed())
    console.print("one")
    console.print("two")
    assert console.quiet


def test_notes_stand_indented_under_the_line_of_the_result() -> None:
    stream = io.StringIO()
    print_result(screen_for(stream), result(Outcome.PASS), notes=["k: rewrote it", "equals is new\x1b"])
    assert stream.getvalue().splitlines()[1:] == ["       k: rewrote it", "         equals is new\\x1b"]


def test_half_a_character_is_shown_as_an_escape() -> None:
    verdict = Verdict(Outcome.FAIL, "it says \ud800", claim="the \udc00 to be whole", turn=1)
    lines = shown(result(Outcome.FAIL, verdict, turns=(turn(1, "Hi"),)))
    assert r"    fail   the \udc00 to be whole" in lines
    assert r"           it says \ud800" in lines


def test_a_long_reason_and_a_long_claim_are_cut() -> None:
    verdict = Verdict(Outcome.ERROR, "x\n" * 100_000, claim="c" * 100_000, turn=1)
    lines = shown(result(Outcome.ERROR, verdict, turns=(turn(1, "Hi"),)))
    assert len(lines) < 200
    assert "           ... (100001 lines)" in lines
    assert len(result_text(result(Outcome.ERROR, verdict)).splitlines()) < 200


@pytest.mark.parametrize("text", ["\u6f22", "e\u0301", "a\u6f22 ", "x"])
def test_wrapping_takes_time_in_proportion_to_the_text(text: str) -> None:
    few, many = (lines_of(list, wrapped(text * size, 80)) for size in (1_000, 4_000))
    assert many < 5 * few


def test_a_long_problem_is_cut() -> None:
    stream = io.StringIO()
    print_problem(screen_for(stream), "x\n" * 100_000)
    assert stream.getvalue().splitlines()[-1] == "... (100001 lines)"
    assert stream.getvalue().count("\n") == 501


def test_no_line_that_is_printed_has_a_secret(capsys: pytest.CaptureFixture[str]) -> None:
    console = screen_for(sys.stdout)
    key = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789"
    print_problem(console, f"the agent cannot be made: password=hunter2\n{key}")
    print_line(console, f"{'long ' * 17}{key}")  # where the line is broken
    console.print(Text(f"it is {key}", style="red"), f"and {key}")
    shown = capsys.readouterr().out
    assert "hunter2" not in shown
    assert "sk-ant" not in shown
    assert "0123456789" not in shown


def test_what_is_trivially_true_is_told_apart_from_a_path_that_resolved_nothing() -> None:
    verdicts = [
        Verdict(Outcome.PASS, "the pattern matches every text", claim="a", trivially_true=True),
        Verdict(Outcome.PASS, claim="b", trivially_true=True),  # does not say why
        Verdict(Outcome.PASS, "nothing resolved", claim="c", unresolved=True),
        Verdict(Outcome.PASS, claim="d"),
        Verdict(Outcome.PASS, "found in another case: 'E'", claim="e", negated=True),
        Verdict(Outcome.FAIL, "found in another case: 'F'", claim="f"),
    ]
    assert hollow_lines(list(hollow_verdicts("test_it", verdicts))) == [
        "1 verdict rests on a path that resolved nothing, a hard pass:",
        "  test_it: hard pass: c",
        "2 verdicts are trivially true, 2 of them a hard pass:",
        "  test_it: hard pass: a: the pattern matches every text",
        "  test_it: hard pass: b",
        "1 verdict passes only because case counts, a hard pass:",
        "  test_it: hard pass: e: found in another case: 'E'",
    ]


def test_a_message_that_fits_into_its_rows_is_not_cut() -> None:
    words = "It ships soon, and we will write to you as soon as it has left our house"
    rows = transcript_rows((turn(1, "Hi", Message("assistant", words)),), marked=1, width=60, rows_each=2)
    assert " ".join(row[16:] for row in rows[1:]) == words
    longer = turn(1, "Hi", Message("assistant", f"{words}, {words}"))
    *_, last = transcript_rows((longer,), marked=1, width=60, rows_each=2)
    assert last.endswith("... (146 characters)")


def test_claims_of_hard_and_soft_verdicts_stand_in_one_column() -> None:
    hard = Verdict(Outcome.FAIL, "no", claim="the reply to be kind")
    soft = Verdict(Outcome.INCONCLUSIVE, "", claim="the reply to be short", mode="soft")
    assert verdict_lines((hard, soft)) == [
        "fail              the reply to be kind",
        "    no",
        "soft inconclusive the reply to be short",
    ]
    assert verdict_lines((hard,))[0] == "fail         the reply to be kind"


def test_a_pipe_is_given_all_that_is_printed_at_once() -> None:
    stream = io.StringIO()
    screen_for(stream).print(Text("one"), Text("two"), soft_wrap=True)
    assert stream.getvalue() == "one two\n"
