"""Documents on a terminal and as Markdown: every kind of part, at every width, whatever stands in it."""

import io
import re
from collections.abc import Iterable
from dataclasses import replace

import pytest

from grice.experiments.aggregation.topic_counts import Move
from grice.records import Conversation, Message, Outcome, Result, Turn, Verdict
from grice.reporting.console import screen_for
from grice.reporting.document import (
    Answer,
    Code,
    Conversations,
    Document,
    Figure,
    Graph,
    Line,
    Note,
    Part,
    Point,
    Section,
    Span,
    Table,
    Transcript,
    Trend,
    Verdicts,
)
from grice.reporting.graph_drawing import DrawnGraph, DrawnTopic
from grice.reporting.layout import cells
from grice.reporting.renderers.markdown import document_markdown, mark_of
from grice.reporting.renderers.terminal import print_document

LONG = (
    "The reply promises a refund of 49.90 EUR, and the tool that refunds was never called in any turn. " * 3
)
WIDE = "予約の変更と返金についての長い名前" * 4
SECRET = "sk-proj-Zq8vT3nLw0pXk2Rd7YbM5c"
MARKUP = "[red]<b>*x*</b> | `y` [a](http://b.c) @me $1$ #12"


class Terminal(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True


def drawn(document: Document, *, verbose: bool = False, encoding: str = "utf-8") -> str:
    raw = io.BytesIO()
    stream = Terminal(raw, encoding=encoding, newline="\n")
    print_document(screen_for(stream), document, verbose=verbose)
    stream.flush()
    return raw.getvalue().decode(encoding)


def of(*parts: Part, answer: str = "It holds.") -> Document:
    return Document("gates", "", Answer(answer), parts=parts)


def body(*parts: Part, verbose: bool = False) -> str:
    """The parts on a terminal, without the answer above them."""
    return drawn(of(*parts), verbose=verbose).removeprefix("It holds.\n").removeprefix("\n")


def markdown(*parts: Part, verbose: bool = False) -> str:
    return document_markdown(of(*parts), verbose=verbose).partition("It holds.\n\n")[2]


def result(key: str, said: str, outcome: Outcome = Outcome.FAIL) -> Result:
    reason = "" if outcome is Outcome.PASS else said
    verdict = Verdict(outcome, reason, matcher="toContain", claim=f"contain {said[:30]}", turn=1)
    turn = Turn(1, (Message("user", said), Message("assistant", said)))
    return Result(f"example:{key}", key, outcome, Conversation(turns=(turn,)), (verdict,), "assertion")


def every_part(said: str) -> tuple[Part, ...]:
    """A part of every kind, with the text wherever a file, a user or a model could have written it."""
    failed = result(said, said)
    assert failed.conversation is not None
    return (
        Line(said),
        Line((Span(said, "code"), Span(" and "), Span(said, "mark")), under=(Line(said, "faint"),)),
        Line(said, bullet=True, brief=said),
        Note(said),
        Figure(said, 37, 47, 0.65, 0.88),
        Table(
            (said, "Found", "n"),
            ((said, said, "12"), ((Span(said, "mark"),), "x", "3")),
            ("left", "left", "right"),
            tones=("bad", "good"),
        ),
        Verdicts(failed.verdicts),
        Transcript(failed.conversation.turns, 1, failed.verdicts),
        Conversations((failed, result("fine", said, Outcome.PASS))),
        Graph(DrawnGraph((DrawnTopic(said, 3, 1), DrawnTopic("end")), (Move(said, "end", 1, True),), said)),
        Trend(said, (Point(said, 0.5), Point("now", None))),
        Section(said, (Line(said),)),
        Section("quiet", (Line(said),), quiet=True),
        Section(said, (Line(said),), folded=False, detail=True),
    )


def document(said: str, *more: Part) -> Document:
    about = (Line(said, under=(Line(said, "faint"),)),)
    return Document("validation", said, Answer(said, "bad", said), about, (*every_part(said), *more))


# -- a terminal


@pytest.fixture(autouse=True)
def terminal(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("NO_COLOR", "1")
    return monkeypatch


@pytest.mark.parametrize("width", [60, 72, 80, 100, 120, 200])
@pytest.mark.parametrize("said", [LONG, WIDE, "x" * 300, MARKUP], ids=["long", "wide", "one word", "markup"])
def test_no_line_is_longer_than_the_terminal(terminal: pytest.MonkeyPatch, width: int, said: str) -> None:
    terminal.setenv("COLUMNS", str(width))
    for verbose in (False, True):
        rows = drawn(document(said), verbose=verbose).splitlines()
        assert [row for row in rows if cells(row) > width] == []


def test_what_is_pasted_is_never_wrapped(terminal: pytest.MonkeyPatch) -> None:
    terminal.setenv("COLUMNS", "60")
    assert f"\n  {LONG.strip()}\n" in drawn(of(Section("Code", (Code(LONG.strip()),))))


def test_the_answer_stands_first_then_what_it_is_of() -> None:
    made = replace(
        of(Line("evidence")),
        title="Gates",
        answer=Answer("It fails.", "bad", "One does."),
        about=(Line("run"),),
    )
    lines = ["It fails.", "One does.", "", "Gates", "━" * 66, "", "run", "", "─" * 66, "evidence", ""]
    assert drawn(made) == "\n".join(lines)


def test_a_table_has_its_rule_and_its_sides() -> None:
    table = Table(("Gate", "n", ""), (("completion", "7", "ok"), ("brief", "1,200", "")), ("left", "right"))
    assert body(table) == (
        "Gate            n\n"
        "─────────────────────\n"
        "completion      7  ok\n"
        "brief       1,200\n"
    )  # fmt: skip
    assert body(Table(("", ""), (("a", "b"),))) == "a  b\n"
    assert body(Table((), (("a", "b"),))) == "a  b\n"
    assert body(Table(("Gate",), ())) == ""


def test_a_long_cell_goes_on_in_its_column(terminal: pytest.MonkeyPatch) -> None:
    terminal.setenv("COLUMNS", "60")
    rows = body(Table(("Gate", "Found"), (("completion", LONG), ("brief", "x")))).splitlines()
    assert rows[2].startswith("completion  The reply promises")
    assert all(row.startswith(" " * 12) for row in rows[3:-1])
    assert rows[-1] == "brief       x"


def test_spare_columns_go_before_a_table_is_stacked(terminal: pytest.MonkeyPatch) -> None:
    names = ("Criterion", "Baseline", "Evaluated", "p", "Interval")
    cells_ = ("grounded_pricing", "72.0%", "10,000, 10,000", "0.001", "+9.0 to +25.0")
    table = Table(names, (cells_,), ("left", *["right"] * 4), spare=(3, 2))  # type: ignore[arg-type]
    terminal.setenv("COLUMNS", "80")
    assert body(table).splitlines()[0].split() == [*names]
    terminal.setenv("COLUMNS", "62")
    assert body(table).splitlines()[0].split() == ["Criterion", "Baseline", "p", "Interval"]
    terminal.setenv("COLUMNS", "48")
    assert body(table).splitlines()[0].split() == ["Criterion", "Baseline", "p", "Interval"]
    terminal.setenv("COLUMNS", "46")
    assert body(table).splitlines()[0].split() == ["Criterion", "Baseline", "Interval"]
    terminal.setenv("COLUMNS", "38")
    assert body(table) == (
        "grounded_pricing\n"
        "  Baseline: 72.0%\n"
        "  Evaluated: 10,000, 10,000\n"
        "  p: 0.001  Interval: +9.0 to +25.0\n"
    )  # fmt: skip


def test_a_mark_of_a_stacked_table_stands_before_what_it_is_of(terminal: pytest.MonkeyPatch) -> None:
    terminal.setenv("COLUMNS", "40")
    name = "regression.criteria.a_name_that_is_longer_than_the_line"
    table = Table(("", "Gate", "Found"), (("FAIL", name, "0 %"), ("pass", "completion", "90 %")))
    assert body(table).splitlines() == [
        "FAIL  regression.criteria.a_name_that_is",
        "  _longer_than_the_line",
        "  Found: 0 %",
        "pass  completion",
        "  Found: 90 %",
    ]


def test_a_brief_page_says_what_it_leaves_out() -> None:
    rows = tuple((f"row {number}",) for number in range(12))
    parts = (
        Table(("Row",), rows, first=3),
        Section("Lines", tuple(Line(f"line {number}") for number in range(5)), first=2),
        Section("Fine print", (Line("p 0.03"),), detail=True),
        Line("a, b, c", brief="a and 2 more", under=(Line("all of them"),)),
    )
    said = body(*parts)
    assert "row 2\nand 9 more; --verbose shows all\n" in said
    assert "\nLines\n  line 0\n  line 1\n  and 3 more lines; --verbose shows all\n" in said
    assert said.endswith("\na and 2 more\n")
    assert "Fine print" not in said
    whole = body(*parts, verbose=True)
    assert "more" not in whole
    assert "row 11\n" in whole
    assert "  line 4\n" in whole
    assert whole.endswith("\nFine print\n  p 0.03\na, b, c\n  all of them\n")


def test_a_section_without_parts_is_not_there() -> None:
    assert body(Section("Empty", ())) == ""


def test_a_section_whose_parts_are_details_is_its_heading() -> None:
    section = Section("Validity: HIGH", (Section("", (Line("Seed: 7"),), detail=True),))
    assert body(section) == "Validity: HIGH\n"
    assert body(section, verbose=True) == "Validity: HIGH\n    Seed: 7\n"
    assert body(Line("x"), section) == "x\n\nValidity: HIGH\n"


def test_lines_go_on_under_their_text(terminal: pytest.MonkeyPatch) -> None:
    terminal.setenv("COLUMNS", "60")
    first, *rest = body(Line(LONG, bullet=True)).splitlines()
    assert first.startswith("- The reply")
    assert all(re.match("  [^ ]", row) for row in rest)


def test_evidence_is_marked_without_colour() -> None:
    assert "It »ships« soon" in body(Line((Span("It "), Span("ships", "mark"), Span(" soon"))))


def test_only_a_terminal_with_colours_gets_them(terminal: pytest.MonkeyPatch) -> None:
    assert "\x1b" not in drawn(document("x"), verbose=True)
    terminal.delenv("NO_COLOR")
    coloured = drawn(document("x"), verbose=True)
    assert "\x1b[1;31m" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == _plain(terminal, document("x"))


def _plain(terminal: pytest.MonkeyPatch, made: Document) -> str:
    terminal.setenv("NO_COLOR", "1")
    return drawn(made, verbose=True)


def test_signs_are_ascii_where_a_terminal_writes_no_others() -> None:
    parts = (Line("✓ fine → better"), Table(("Rate", "\u25b2"), (("± 1", "\u25bd"),)))
    said = drawn(of(*parts), encoding="ascii")
    assert said.isascii()
    assert "ok fine -> better\n" in said
    assert "Rate  ^\n---------\n+- 1  (v)\n" in said
    assert drawn(document("näme ─"), verbose=True, encoding="ascii").isascii()


def test_nothing_in_a_text_moves_the_cursor_or_breaks_a_line() -> None:
    said = drawn(document("a\x1b[2J\r\x07b\u202ec\nsecond"), verbose=True)
    assert not set("\x1b\r\x07\u202e") & set(said)
    # of a transcript and of reasons lines stay lines, within their column
    assert not re.search("^second", said, re.MULTILINE)
    assert "a\\x1b[2J\\r\\x07b\\u202ec\\nsecond" in said


def test_markup_in_a_text_is_text() -> None:
    assert MARKUP in " ".join(drawn(document(MARKUP), verbose=True).split())


@pytest.mark.parametrize("width", [60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 100])
def test_no_secret_is_shown(terminal: pytest.MonkeyPatch, width: int) -> None:
    """Nor its parts, where a line is broken or cut within it, or spans meet in it."""
    terminal.setenv("COLUMNS", str(width))
    spans = Line((Span(f"key {SECRET[:12]}"), Span(SECRET[12:], "code")))
    made = document(f"the key that I was given is {SECRET} and it works", spans, Code(f"curl {SECRET}"))
    for verbose in (False, True):
        for said in (drawn(made, verbose=verbose), document_markdown(made, verbose=verbose)):
            joined = re.sub(r"\s", "", said)
            assert not [at for at in range(len(SECRET) - 12) if SECRET[at + 3 : at + 15] in joined]


def test_a_reader_that_leaves_ends_it() -> None:
    read: list[int] = []

    def results() -> Iterable[Result]:
        for number in range(3):
            read.append(number)
            yield result(f"s{number}", "x")

    console = screen_for(io.StringIO())
    console.quiet = True
    print_document(console, of(Conversations(results()), Line("x")))
    assert read == []


# -- Markdown


def test_markdown_begins_with_its_mark_and_the_answer() -> None:
    made = Document(
        "gates",
        "Gates",
        Answer("1 fails.", "bad", "The other holds."),
        (Line("run", under=(Line("2 tests"),)),),
    )
    assert document_markdown(made) == (
        f"{mark_of('gates')}\n\n### ✗ Grice: 1 fails.\n\nThe other holds.\n\nrun; 2 tests\n"
    )


def test_each_kind_of_part_has_its_markdown() -> None:
    assert markdown(Line("a", under=(Line("b"),)), Line("c")) == "- a\n  - b\n- c\n"
    assert markdown(Note("look"), Note("by the way", "faint")) == "**look**\n\nby the way\n"
    assert markdown(Figure("Rate", 1, 2, 0.1, 0.9), Figure("Other", 0, 0)) == (
        "|  | Rate | 95 % interval |\n| --- | ---: | ---: |\n| Rate | 50.0% (1/2) | 10.0% to 90.0% |\n"
        "\n- Other: -\n"
    )
    table = Table(("Gate", "n"), (("a|b", "1"),), ("left", "right"), spare=(1,))
    assert markdown(table) == "| Gate | n |\n| --- | ---: |\n| a\\|b | 1 |\n"
    assert markdown(Code("a `b`\n```\nc")) == "````\na `b`\n```\nc\n````\n"
    assert markdown(Section("S", (Line("x"),), folded=False)) == "#### S\n\n- x\n"
    assert markdown(Section("S", (Line("x"),))) == (
        "<details>\n<summary>S</summary>\n\n- x\n\n</details>\n"
    )  # fmt: skip
    assert (
        markdown(Section("S", (Section("", (Line("x"),), detail=True),), folded=False)) == "#### S\n\n- x\n"
    )
    assert markdown(Section("Q:", (Line("x"),), quiet=True)) == "Q:\n\n- x\n"
    assert markdown(Section("S", ())) == ""
    marked = Line((Span("say "), Span("a*b", "code"), Span(" or "), Span("this", "mark")))
    assert markdown(marked) == "- say `a*b` or **this**\n"


def test_conversations_that_did_not_pass_are_folded_under_what_failed() -> None:
    results = [result(f"s{number}", "no refund") for number in range(13)]
    said = markdown(Conversations([*results, result("fine", "x", Outcome.PASS)]))
    assert said.count("<details>") == said.count("</details>") == 10
    assert "<summary>s0: " in said
    assert "fine" not in said
    assert said.endswith("and 3 more that did not pass\n")


def test_lists_are_cut_unless_all_is_wanted() -> None:
    parts = (
        Section("L", tuple(Line(f"l{number}") for number in range(40)), folded=False),
        Section("F", tuple(Line(f"f{number}") for number in range(5)), folded=False, first=2),
        Table(("T",), tuple((f"t{number}",) for number in range(40))),
        Table(("U",), tuple((f"u{number}",) for number in range(5)), first=2),
        Line("a, b", brief="a and 1 more", under=(Line("under"),)),
    )
    said = markdown(*parts)
    assert "- l29\n\nand 10 more\n" in said
    assert "- f1\n\nand 3 more lines\n" in said
    assert "| t29 |\n\nand 10 more\n" in said
    assert "| u4 |\n" in said  # it is folded away, and short
    assert said.endswith("- a and 1 more\n")
    whole = markdown(*parts, verbose=True)
    assert "more" not in whole
    assert [f"{kind}{last}" in whole for kind, last in zip("lftu", (39, 4, 39, 4), strict=True)] == [True] * 4
    assert whole.endswith("- a, b\n  - under\n")


def test_a_long_text_is_cut() -> None:
    for part in (Line("x" * 5000), Line((Span("x" * 5000, "code"),)), Table(("T",), (("x" * 5000,),))):
        assert len(markdown(part)) < 400
    assert len(document_markdown(of(answer="x" * 5000))) < 400
    wide = (Line("x" * 5000), Table(("T",), (("x" * 5000,),)))
    assert markdown(*wide, verbose=True).count("x" * 5000) == 2


def test_what_is_more_than_a_comment_holds_is_left_out_and_told() -> None:
    """What newly fails stands first, and what is folded away is closed again."""
    folded = Section("Then", tuple(Section(f"s{n}", (Code("y" * 9_000),), folded=False) for n in range(8)))
    failing = tuple(result(f"failing-{n}", "x" * 9_000) for n in range(5))
    made = of(Section("Did not pass", (Conversations(failing),), folded=False), folded, Line("the end"))
    said = document_markdown(made)
    assert len(said) < 65_536
    assert [f"failing-{n}: " in said for n in range(5)] == [True] * 5
    assert [f"s{n}\n" in said for n in range(8)] == [*[True] * 4, *[False] * 4]
    assert said.count("<details>") == said.count("</details>") == 6
    told = "Left out: 36,032 characters, as a comment holds 65,536. --verbose or --html shows all.\n"
    assert said.endswith(f"- the end\n\n{told}")
    whole = document_markdown(made, verbose=True)
    assert whole.count("y" * 9_000) == 8
    assert whole.endswith("\n- the end\n")


@pytest.mark.parametrize(
    "hostile",
    [
        MARKUP,
        "<script>alert(1)</script>",
        "</details><img src=x onerror=alert(1)>",
        "a|b\n| c | d |",
        "```\nend of code\n```",
        "line\n\n# heading",
        "@everyone #123 http://x.y",
        "<!-- comment",
        "\\|x \\",
        "\x1b[2J\u202e",
    ],
)
def test_nothing_in_a_text_is_read_as_markdown(hostile: str) -> None:
    text = document_markdown(document(hostile))
    harmless = document_markdown(document("x"))
    assert not set("\x1b\u202e") & set(text)
    fences = re.compile(r"^(```+)\n.*?^\1$", re.MULTILINE | re.DOTALL)
    outside = fences.sub("", text)
    spoken = re.sub(r"(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)", "", outside)  # code shows everything as it is
    for tag in ("<script", "<img", "<b>", "<!-- comment", "@everyone", "@me", "http://"):
        assert tag not in spoken
    assert "[a](" not in re.sub("<summary>.*</summary>", "", spoken)  # which is HTML
    assert spoken.count("<details>") == spoken.count("</details>") == harmless.count("<details>")
    assert len(outside.splitlines()) == len(fences.sub("", harmless).splitlines())
