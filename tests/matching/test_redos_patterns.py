"""The patterns that make other engines hang: answered, with the same matches, in linear time."""

import itertools
import json
import re
from pathlib import Path

import pytest

from grice.matching.patterns import PatternError, compile_pattern, search

DATA = Path(__file__).parent.parent / "data" / "regex_redos.jsonl"
LABELS = [json.loads(line)["labels"] for line in DATA.read_text("utf-8").splitlines()]
PATTERNS = sorted({(label["pattern"], label["flags"]) for label in LABELS})
HANGS = sorted({label["pattern"] for label in LABELS if label["complexity"] != "linear"})

# Predicates on the pattern: what RE2 cannot express, and how `re` writes the same.
BEYOND_RE2 = re.compile(r"\(\?<?[=!]|\\[1-9]|\\k<|\{1,32000\}")
IN_PYTHON = ((r"\?<(?=\w)", "?P<"), (r"\$$", r"\\Z"), (r"\\u\{0000\}", r"\\x00"), (r"\\cA", r"\\x01"))

WORDS = [
    "a",
    "ab",
    "aa",
    "b",
    "x",
    "xx",
    "y",
    "cde",
    "A",
    "0",
    "_",
    " ",
    ".",
    "@",
    "\n",
    "\r",
    "\x00",
    "\x08",
    "!",
]
WORDS += ["Oakland", "test", "2024", "foo", "xxxxx", "\t", "\x0b", "\x0c", "\x01", "abc"]
SUBJECTS = ["", *WORDS, *map("".join, itertools.product(WORDS, repeat=2)), "a" * 8 + "!", "xxy" * 3]


def answer(pattern, flags, text):
    try:
        return search(pattern, flags, text)
    except PatternError:
        return "refused"


def test_the_patterns_that_re2_can_express_are_answered():
    possible = [(pattern, flags) for pattern, flags in PATTERNS if not BEYOND_RE2.search(pattern)]
    answered = [each for each in possible if answer(*each, "a") != "refused"]
    assert len(answered) >= 0.9 * len(possible) > 0
    assert len(possible) >= 0.85 * len(PATTERNS)


def test_the_others_are_refused_with_words_that_help():
    for pattern, flags in PATTERNS:
        if BEYOND_RE2.search(pattern):
            with pytest.raises(
                PatternError, match=r"look-around; say|back-reference; RE2 has none|RE2 repeats up to"
            ):
                compile_pattern(pattern, flags)


@pytest.mark.parametrize(("pattern", "flags"), PATTERNS)
def test_a_match_is_where_python_finds_it(pattern, flags):
    if BEYOND_RE2.search(pattern):
        return
    python = pattern
    for javascript, written in IN_PYTHON:
        python = re.sub(javascript, written, python)
    expected = re.compile(python, re.ASCII)
    for subject in SUBJECTS:
        if ("." in pattern and "\r" in subject) or (pattern == r"\B" and not subject):
            continue  # the dot of `re` takes a \r; its \B never matched the empty text before 3.14
        found = expected.search(subject)
        assert answer(pattern, flags, subject) == (found.span() if found else None), subject


EVIL = [
    "^(a+)+$",
    "^(a|a)*$",
    "^(a|aa)+$",
    "^(.*a){20}$",
    "(a*)*b",
    "^(([a-z])+.)+[A-Z]([a-z])+$",
    r"(\s*,\s*)*;",
]
EVIL += [
    r"^([a-zA-Z0-9])(([\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}(([a-z]{2,3})|([a-z]{2,3}[.]{1}[a-z]{2,3}))$"
]
PUMPED = [
    "a" * 50_000 + "!",
    "x" * 50_000,
    "ab" * 25_000 + "!",
    ".b" * 25_000 + "\n",
    " ," * 25_000,
    "b" * 50_000 + "\r!",
]


@pytest.mark.timeout(60)  # a watchdog; each takes milliseconds
@pytest.mark.parametrize("pattern", [*HANGS, *EVIL])
def test_no_pattern_hangs_on_a_long_text(pattern):
    for text in PUMPED:
        answer(pattern, "", text)
