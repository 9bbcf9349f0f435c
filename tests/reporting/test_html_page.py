"""Pages without a browser: what is in the file, what is not, and how large it is."""

import base64
import gzip
import io
import json
import re
import sys
from hashlib import sha256
from html.parser import HTMLParser

import pytest
from page_documents import (
    PAYLOADS,
    document,
    hostile_document,
    refund,
    results,
    results_document,
    soft_failure,
)

from grice.records import Conversation, Evidence, Message, Outcome, Result, ToolCall, Turn, Verdict
from grice.reporting.document import Answer, Code, Conversations, Document, Line
from grice.reporting.renderers.html import NoJinja
from grice.reporting.renderers.html.conversation import Room, turn_nodes
from grice.reporting.renderers.html.page import check_page, html_page, write_page
from grice.reporting.renderers.html.verdicts import Margin

SHELL = 120_000


def page_of(shown: Document, **options) -> str:
    stream = io.BytesIO()
    html_page(shown, stream, **options)
    return stream.getvalue().decode()


class Read(HTMLParser):
    """What a reader without JavaScript finds: tags, attributes, and the words."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.words = ""
        self._skipped = ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}
        self.ids += [value for name, value in attrs if name == "id"]
        self.links += [value for name, value in attrs if name == "href"]
        self._skipped = tag if tag in ("script", "style") else ""

    def handle_endtag(self, tag):
        self._skipped = ""

    def handle_data(self, data):
        self.words += "" if self._skipped else data


def packed(page: str) -> list:
    """The conversations that the page keeps as data."""
    pieces = re.findall(r'<script type="application/json" id="\w+">([^<]*)</script>', page)
    return [one for piece in pieces for one in json.loads(gzip.decompress(base64.b64decode(piece)))]


def texts(node) -> str:
    return node if isinstance(node, str) else "".join(map(texts, node[2:]))


def test_the_answer_is_the_first_heading_and_what_fails_is_the_table_of_contents():
    page = page_of(document())
    assert page.index("<h1") < page.index("<nav") < page.index("<main")
    contents = page[page.index("<nav") : page.index("</nav>")]
    assert re.findall(r'href="(#c-[^"]+)"', contents) == [
        "#c-refund.2",
        "#c-refund-abroad.2",
        "#c-error.2",
        "#c-inconclusive.2",
    ]
    assert contents.index("Newly fails") < contents.index("refund") < contents.index("Did not pass")


def test_what_newly_fails_stands_first_and_what_passed_last():
    page = page_of(document())
    rows = re.findall(r'<details class="conversation (\w+)" id="c-([\w-]+)"', page)
    assert [name for _, name in rows] == [
        *("refund", "refund-abroad", "error", "inconclusive", "friendly"),
        *("passing-0", "passing-1", "passing-2", "skipped"),
    ]


def test_without_javascript_all_failures_and_their_transcripts_read():
    read = Read(page_of(document()))
    assert "I've refunded 49.90 EUR to your card." in read.words
    assert "refund_order was not called" in read.words
    assert read.words.count("When will it arrive?") == 5  # of what did not pass, and the transcript by itself
    assert "passing_0" in read.words


def test_a_link_leads_to_an_element():
    read = Read(page_of(document()))
    assert len(read.ids) == len(set(read.ids))
    assert {one[1:] for one in read.links} <= set(read.ids)


def test_evidence_is_marked_in_the_words_and_its_verdict_stands_beside_them():
    page = page_of(document([refund()]))
    assert '<mark class="fail" data-of="0">refunded 49.90 EUR</mark> to your card.' in page
    row = page[page.index("<mark") : page.index("what the model was told")]
    assert "refund_order was not called" in row
    call = page[page.index("order_status(order_id=") :]
    assert 'data-of="1"' in call[: call.index('class="told"')] if "told" in call else call[:3000]


def test_quotes_are_found_where_their_offsets_say():
    said = Message("assistant", "No. No. No.")
    verdict = Verdict(
        Outcome.FAIL, "", (Evidence("No.", 1, 4, 7), Evidence("No.", 1, 5, 8)), "x", "x", turn=1
    )
    turn = Turn(1, (Message("user", "?"), said))
    page = page_of(results_document([Result("r", "r", Outcome.FAIL, Conversation("r", (turn,)), (verdict,))]))
    assert '<mark class="fail" data-of="0">No.</mark> <mark class="fail" data-of="0">No.</mark> No.' in page


def test_a_soft_failure_is_two_lines_and_a_pass_is_one():
    page = page_of(document([soft_failure(), refund(Outcome.PASS, "fine")]))
    soft, fine = (
        page[page.index(f'id="c-{name}"') :].split("</summary>")[0] for name in ("friendly", "fine")
    )
    assert "soft: satisfy(friendly): It is curt." in Read(soft + "</summary>").words
    assert 'class="why"' not in fine


def test_what_passed_is_packed_and_comes_out_whole():
    page = page_of(results_document([refund(Outcome.PASS, "fine"), soft_failure()]))
    assert "49.90" not in page
    bodies = packed(page)
    assert len(bodies) == 2
    assert "refunded 49.90 EUR" in "".join(map(texts, bodies[0]))


def test_nothing_that_anybody_wrote_is_markup():
    harmless = set(Read(page_of(document())).tags)
    page = page_of(hostile_document(PAYLOADS[::3]))
    read = Read(page)
    assert set(read.tags) <= harmless | {"circle", "rect"}
    assert (
        not {one for one in read.attributes if one.startswith("on")}
        | {"src", "action", "style", "srcdoc"} & read.attributes
    )
    assert all(one.startswith("#") for one in read.links)
    assert all(re.fullmatch(r"[a-z0-9.\-]+", one) for one in read.ids)
    assert page.count("<script") == Read(page).tags.count("script")


def test_no_name_is_an_element_or_attribute_of_packed_data():
    tags, names = set(), set()

    def walk(node):
        if not isinstance(node, str):
            tags.add(node[0])
            names.update(node[1])
            for one in node[2:]:
                walk(one)

    for body in packed(page_of(hostile_document(PAYLOADS[:20]))):
        for one in body:
            walk(one)
    assert tags <= {
        *["b", "code", "details", "div", "h4", "li", "mark", "p", "pre", "section", "span", "summary", "ul"]
    }
    assert names <= {"class", "id", "dir", "role", "title", "aria-label", "aria-hidden", "data-of"}


def test_the_policy_lets_in_the_style_and_the_script_and_nothing_else():
    page = page_of(document())
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', page)[1].replace("&#39;", "'")
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    for tag in ("style", "script"):
        (inside,) = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        digest = base64.b64encode(sha256(inside.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert page.index("Content-Security-Policy") < page.index("<style>")


def test_nothing_leads_outside():
    page = page_of(document())
    assert not re.search(r"""(?:src|href|url)\s*[=(]\s*["']?(?:https?:)?//""", page)


def test_the_shell_is_small():
    empty = page_of(Document("experiment", "", Answer("Nothing was tested")))
    assert len(empty.encode()) <= SHELL


def test_secrets_are_not_written():
    key = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD"
    said = (
        Message("user", f"my key is {key}"),
        Message("assistant", "thanks", (ToolCall("x", {"password": "hunter2zz"}),)),
    )
    turn = Turn(1, said)
    verdict = Verdict(Outcome.FAIL, f"it says hunter2zz and {key}", (), "x", "x", turn=1)
    for outcome in (Outcome.FAIL, Outcome.PASS):
        one = Result("r", "r", outcome, Conversation("r", (turn,)), (verdict,))
        shown = Document(
            "experiment", key, Answer(key, more=key), (Line(key),), (Conversations([one]), Code(key))
        )
        page = page_of(shown)
        everything = page + "".join(texts(node) for body in packed(page) for node in body)
        assert key not in everything
        assert "hunter2zz" not in everything
        assert "[redacted" in everything


def test_control_characters_are_seen():
    text = "a\x1b[31mb\u202ec\u200bd\x00e"
    turn = Turn(1, (Message("user", text), Message("assistant", text)))
    verdict = Verdict(Outcome.FAIL, text, (Evidence(text, 1),), "x", text, turn=1)
    page = page_of(
        Document(
            "experiment",
            text,
            Answer(text),
            (),
            (Conversations([Result("r", text, Outcome.FAIL, Conversation("r", (turn,)), (verdict,))]),),
        )
    )
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u200b]", page)
    assert page.count(r"\x1b[31mb\u202ec\u200bd\x00e") > 5


def test_half_a_character_is_written_as_an_escape():
    turn = Turn(1, (Message("user", "a\ud800b"), Message("assistant", "b")))
    page = page_of(results_document([Result("r", "r", Outcome.FAIL, Conversation("r", (turn,)))]))
    assert "a" in page


def test_long_results_are_cut_and_say_so():
    long = "x" * 500_000
    asked = ToolCall("read", {"file": "a"}, id="1", result=long)
    said = (Message("user", "Read it"), Message("assistant", "", (asked,)), Message("assistant", long))
    turn = Turn(1, said, (asked,))
    page = page_of(results_document([Result("r", "r", Outcome.FAIL, Conversation("r", (turn,)))]))
    assert len(page) < SHELL + 100_000
    assert "cut: the first 20,000 of 500,000 characters" in page
    assert "cut: the first 50,000 of 500,000 characters" in page
    assert "930,000 characters are not shown" in page


def test_a_full_page_keeps_what_failed_and_says_what_it_left_out():
    fails = [refund(key=f"bad_{number}") for number in range(30)]
    passes = [refund(Outcome.PASS, f"good_{number}") for number in range(1000)]
    page = page_of(results_document([*passes, *fails]), most=120_000)
    assert len(page) < 120_000 + SHELL + 1030 * 700
    assert page.count("I&#x27;ve") == 30
    found = re.search(r"([\d,]+) transcripts of conversations that passed are left out", page)
    assert 0 < int(found[1].replace(",", "")) <= 1000


def test_failures_beyond_what_reads_without_javascript_are_packed():
    fails = [refund(key=f"bad_{number}") for number in range(300)]
    page = page_of(results_document(fails), most=100_000)
    words = page.count('data-of="0">refunded')
    assert 0 < words < 300
    assert len(packed(page)) == 300 - words
    assert f"{300 - words} of those that did not pass are shown only with JavaScript" in Read(page).words


def test_results_are_read_once():
    shown = (one for one in results())
    assert "refund" in page_of(results_document(shown))


def test_two_of_the_same_name_have_addresses_of_their_own():
    read = Read(page_of(document([refund(), refund(), refund(repeat=2)])))
    assert {"c-refund", "c-refund--2", "c-refund-repeat-2"} <= set(read.ids)


def test_without_jinja_the_message_says_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(NoJinja, match=r"needs Jinja2, which is not installed: pip install 'grice\[html\]'"):
        check_page(tmp_path / "a.html")


def test_an_earlier_page_is_written_over_and_no_other_file(tmp_path):
    page, other = tmp_path / "a.html", tmp_path / "b.html"
    other.write_text("<p>mine</p>")
    write_page(document(), page)
    write_page(document(), page)
    with pytest.raises(FileExistsError, match="is not written over"):
        write_page(document(), other)
    assert other.read_text() == "<p>mine</p>"


def test_pages_are_the_same_each_time():
    assert page_of(document()) == page_of(document())


def test_what_is_no_json_is_shown_too():
    turn = Turn(1, (Message("user", "a"), Message("assistant", "b")), data={1, 2})
    assert "[1,2]" in page_of(results_document([Result("r", "r", Outcome.FAIL, Conversation("r", (turn,)))]))


def test_equal_calls_are_one_row_with_their_number():
    calls = tuple(ToolCall(name="get", arguments={"id": 1}, result="no") for _ in range(3))
    turn = Turn(1, (Message("user", "Hi"), Message("assistant", "Done", tool_calls=calls)), calls)
    drawn = str(turn_nodes((turn,), Margin(()), "a", Room()))
    assert (drawn.count("get(id=1)"), drawn.count("'x 3'")) == (1, 1)


def test_calls_that_differ_behind_what_is_shown_are_rows_of_their_own():
    calls = tuple(ToolCall("get", {"id": "x" * 30_000 + str(number)}, result="no") for number in range(3))
    turn = Turn(1, (Message("user", "Hi"), Message("assistant", "Done", tool_calls=calls)), calls)
    assert str(turn_nodes((turn,), Margin(()), "a", Room())).count("→ ") == 3
