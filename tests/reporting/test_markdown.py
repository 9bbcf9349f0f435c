"""Markdown: text stays text."""

import pytest

from grice.reporting.markdown import code, details, escape, fence, table


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain words, 3.5 turns", "plain words, 3.5 turns"),
        ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
        ("a & b", "a &amp; b"),
        ("a|b", r"a\|b"),
        ("`code` *b* _i_ ~s~ [a](b)", r"\`code\` \*b\* \_i\_ \~s\~ \[a\](b)"),
        (r"a\b", r"a\\b"),
        ("two\nlines", r"two\\nlines"),
        ("\x1b[2J\u202e", r"\\x1b\[2J\\u202e"),
        ("# title", r"\# title"),
        ("- item", r"\- item"),
        ("1. item", r"1\. item"),
        ("=== ", r"\=== "),
        ("ask @alice", "ask @<!-- -->alice"),
        ("pass@k", "pass@k"),
        ("see #12", "see #<!-- -->12"),
        ("https://evil.test", "https:<!-- -->//evil.test"),
        ("www.evil.test", "www<!-- -->.evil.test"),
        ("$5 and $6", "<span>$</span>5 and <span>$</span>6"),
        ("", ""),
    ],
)
def test_what_markdown_would_read_is_escaped(text: str, expected: str) -> None:
    assert escape(text) == expected


def test_a_table_escapes_its_cells_and_keeps_its_columns() -> None:
    assert table(["Key", "Rate"], [("a|b\n<b>", "+1.0"), ("c", "-")], ["left", "right"]) == (
        "| Key | Rate |\n| --- | ---: |\n| a\\|b\\\\n&lt;b&gt; | +1.0 |\n| c | - |"
    )
    assert table(["Key"], []) == ""
    with pytest.raises(ValueError, match="every row of the table has 2 cells"):
        table(["Key", "Rate"], [("a",)])


def test_a_folded_part_has_its_summary_as_text() -> None:
    assert details("3 < 4\n</summary>", "- body\n") == (
        "<details>\n<summary>3 &lt; 4\\n&lt;/summary&gt;</summary>\n\n- body\n\n</details>"
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [("exp_1", "`exp_1`"), ("a`b", "``a`b``"), ("`", "`` ` ``"), ("a\nb", r"`a\nb`"), ("", "")],
)
def test_code_ends_where_its_text_ends(text: str, expected: str) -> None:
    assert code(text) == expected


def test_a_block_of_code_has_more_ticks_than_its_text() -> None:
    assert fence("a\n```\nb", "text") == "````text\na\n```\nb\n````"
    assert fence("a\x1b") == "```\na\\x1b\n```"
