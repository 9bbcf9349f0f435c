"""Patterns are JavaScript's, run on RE2: what they mean, what is refused, and how to mend it."""

import pickle
import re
import subprocess
import sys
from itertools import combinations

import pytest
import re2

from grice.matching.patterns import (
    MAX_SUBJECT,
    PatternError,
    compile_iregexp,
    compile_pattern,
    is_settled,
    pattern_set,
    search,
)
from grice.matching.patterns import pattern as patterns
from grice.matching.patterns.pattern_set import PatternSet

NOTHING = None


@pytest.mark.parametrize(
    ("source", "flags", "text", "found"),
    [
        # the dot leaves out all four line ends
        (".+", "", "\n\r\u2028\u2029ab\u0085", "ab\u0085"),
        (".+", "s", "\na\r\u2028", "\na\r\u2028"),
        # ^ and $ are the ends of the text, and with m of a line, whichever way it ends
        ("a$", "", "a\n", NOTHING),
        ("^b", "", "a\nb", NOTHING),
        ("^b$", "m", "a\nb\nc", "b"),
        ("^b$", "m", "a\r\nb\r\nc", "b"),
        ("^b.*$", "m", "a\u2028bc\u2029d", "bc"),
        (r"^b\r$", "m", "b\r\n", "b\r"),
        # sets
        (
            r"\s+",
            "",
            "x\t\n\x0b\x0c\r \u00a0\u1680\u2028\u3000\ufeffx",
            "\t\n\x0b\x0c\r \u00a0\u1680\u2028\u3000\ufeff",
        ),
        (r"[\s]", "", "\ufeff", "\ufeff"),
        (r"[^\S]", "", "a\u00a0", "\u00a0"),
        (r"\d", "", "\u0663", NOTHING),
        (r"\w+", "", "na\u00efve", "na"),
        (r"\b\w+\b$", "", "\u00e9clair", "clair"),
        (r"\W", "", "\u00e9", "\u00e9"),
        ("[^]", "", "\n", "\n"),
        ("[]", "", "anything", NOTHING),
        ("[^]]", "", "a]", "a]"),
        (r"[\b]", "", "\x08", "\x08"),
        (r"[a\-z]+", "", "za-b", "za-"),
        (r"[\w-.]+", "", "a-b.c", "a-b.c"),
        ("[[:alpha:]]", "", "a:]", ":]"),
        # escapes
        (r"\u00e9\xe9\t\cJ\0\/\.", "", "\u00e9\u00e9\t\n\0/.", "\u00e9\u00e9\t\n\0/."),
        (r"\ud83d\ude00", "", "\U0001f600", "\U0001f600"),
        (r"[\ud83d\ude00-\ud83d\ude02]", "u", "\U0001f601", "\U0001f601"),
        (r"\u{1F600}{2}", "u", "\U0001f600\U0001f600", "\U0001f600\U0001f600"),
        (r"\a\e\h\Q\E\G\R\X\_", "", "aehQEGRX_", "aehQEGRX_"),
        (r"\u12\xg", "", "u12xg", "u12xg"),
        # braces that are none
        ("{,5}]}{", "", "{,5}]}{", "{,5}]}{"),
        ("x{,5}", "", "x{,5}", "x{,5}"),
        ("x{2,}?", "", "xxxx", "xx"),
        # groups
        ("(?<year>[0-9]{4})-(?:0|1)", "", "2024-12", "2024-1"),
        ("(|a)b", "", "ab", "ab"),
        # case: without u no character beyond ASCII is an ASCII letter, with it the Kelvin sign is a k
        ("k", "i", "\u212a", NOTHING),
        ("k", "iu", "\u212a", "\u212a"),
        (r"\w", "iu", "\u017f", "\u017f"),
        (r"[\u0080-\uffff]", "i", "s", NOTHING),
        (r"[\W_]+", "i", "so K", " "),
        ("[^a-y]", "i", "AbYz", "z"),
        ("\u03c3+", "i", "\u03a3\u03c2", "\u03a3\u03c2"),
        ("stra\u00dfe", "i", "STRA\u00dfE", "STRA\u00dfE"),
        # properties
        (r"\p{Lu}\p{Letter}+", "u", "ab \u00c9t\u00e9", "\u00c9t\u00e9"),
        (r"\p{Script=Greek}+|\p{sc=Han}", "u", "a\u03b1\u03b2", "\u03b1\u03b2"),
        (r"[^\p{L}\p{General_Category=Decimal_Number}]", "u", "a1-", "-"),
        (r"\P{L}", "u", "a-", "-"),
        (r"\p{Lu}", "iu", "a", "a"),
        (r"\p{C}", "u", "a\u0378", "\u0378"),
        # an emoji is one character, with the flag u and without
        ("^.$", "", "\U0001f600", "\U0001f600"),
        # \B is between characters, not inside them
        (r"\B", "", "a\u00e9b", NOTHING),
        (r"e\Bf", "", "\u00e9ef", "ef"),
    ],
)
def test_a_pattern_means_what_it_means_in_javascript(source, flags, text, found):
    span = search(source, flags, text)
    assert (span and text[slice(*span)]) == found


@pytest.mark.parametrize(
    ("source", "flags", "why", "position"),
    [
        ("a(b", "", "is not a pattern: missing )", 1),
        ("ab)", "", r"is not a pattern: nothing to close; the character itself is written \)", 2),
        ("a[b", "", "is not a pattern: missing ]", 1),
        ("ab\\", "", "is not a pattern: nothing follows the last \\", 2),
        ("*a", "", "is not a pattern: nothing to repeat", 0),
        ("a|+", "", "is not a pattern: nothing to repeat", 2),
        ("^*", "", "is not a pattern: nothing to repeat", 1),
        ("{2}", "", "is not a pattern: nothing to repeat", 0),
        ("a**", "", "is not a pattern: nothing to repeat", 2),
        ("a{2,1}", "", "is not a pattern: the numbers of the repeat are the wrong way round", 1),
        ("[z-a]", "", "is not a pattern: the range is the wrong way round", 2),
        ("(?<a>x)(?<a>y)", "", "is not a pattern: two groups are called a", 7),
        ("(?<1>x)", "", "is not a pattern: a group begins with (, (?: or (?<name>", 0),
        # with the flag u
        ("x{", "u", r"is not a pattern: with flag u a lone { is written \{", 1),
        ("]", "u", r"is not a pattern: with flag u a lone ] is written \]", 0),
        (r"\a", "u", r"is not a pattern: with flag u there is no \a; write a", 0),
        (r"\-", "u", r"is not a pattern: with flag u there is no \-; write -", 0),
        (r"[\w-z]", "u", r"is not a pattern: no range begins or ends with a set; write \-", 3),
        (r"\u{110000}", "u", r"is not a pattern: the last character is \u{10ffff}", 0),
        # habits of other languages
        ("(?i)x", "", "uses inline flags; give them as flags='i'", 0),
        ("a(?ms:x)", "", "uses inline flags; give them as flags='ms'", 1),
        ("(?x-i:a)", "", "uses inline flags; leave them out", 0),
        ("(?P<name>x)", "", "uses (?P<name>...) of Python; write (?<name>...)", 0),
        (r"\Ax", "", r"uses \A, which JavaScript does not have; write ^", 0),
        (r"x\Z", "", r"uses \Z, which JavaScript does not have; write $", 1),
        (r"x\z", "m", r"uses \z, which JavaScript does not have; write $, without flag m", 1),
        ("(?#note)x", "", "uses a comment; leave it out", 0),
        ("x++", "", "uses a possessive quantifier; RE2 never backtracks, so leave the second one out", 2),
        ("(?>x)", "", "uses an atomic group; RE2 never backtracks, so (?:...) will do", 0),
        # what RE2 cannot do, or means otherwise
        (
            "(?=x)",
            "",
            "uses look-around; say what must be there in one pattern and what must not in a second",
            0,
        ),
        ("(?<!x)y", "", "uses look-around", 0),
        (r"(x)\1", "", "uses a back-reference; RE2 has none, so that no text can make it hang", 3),
        (r"(?<n>x)\k<n>", "", "uses a back-reference", 7),
        (r"[\1]", "", r"has an octal escape; write \xHH", 1),
        (r"\012", "", r"has an octal escape; write \xHH", 0),
        (r"\p{L}", "", r"uses \p{...}, which needs flag u", 0),
        (r"\u{61}", "", r"uses \u{...}, which needs flag u", 0),
        (r"\p{Emoji}", "u", r"uses \p{Emoji}; RE2 knows general categories and scripts, as in \p{Lu}", 0),
        (r"\p{Script=Lu}", "u", r"uses \p{Script=Lu}", 0),
        (r"\p", "u", r"is not a pattern: \p is followed by a property", 0),
        (r"\P{Lu}", "iu", r"uses \P{...} with flag i, which takes in both cases; write [^\p{...}]", 0),
        (r"a\ud83d", "", r"has half a character; write it whole, or as \u{...} with flag u", 1),
        ("a\udc00", "", "has half a character", 1),
        (r"[\ud800-\udfff]", "", "has half a character", 1),
        ("x{1001,}", "", "repeats 1001 times; RE2 repeats up to 1,000 times", 1),
        ("((a{100}){100}){100}", "", "repeats too much: RE2 writes counted repeats out", 9),
        (r"\p{L}{1000}", "u", "repeats too much", 5),
        ("((x{9}){9}){999}", "", "repeats too much", 11),
        ("((?:){99}){99}", "", "repeats too much: RE2 repeats up to 1,000 times", None),
    ],
)
def test_what_cannot_be_used_is_refused_with_the_place_and_the_way_to_mend_it(source, flags, why, position):
    with pytest.raises(PatternError) as raised:
        compile_pattern(source, flags)
    assert why in str(raised.value)
    assert raised.value.position == position
    assert position is None or str(raised.value).endswith(f" (at character {position})")
    copied = pickle.loads(pickle.dumps(raised.value))
    assert (str(copied), copied.position) == (str(raised.value), position)


@pytest.mark.parametrize(
    ("flags", "allowed", "why"),
    [
        (
            "gi",
            "imsu",
            "unknown flag 'g' in 'gi': flags are any of i, m, s, u (whether there is a match does not",
        ),
        ("y", "imsu", "unknown flag 'y' in 'y': flags are any of i, m, s, u (write ^ for the beginning"),
        ("v", "imsu", "unknown flag 'v' in 'v': flags are any of i, m, s, u (of its notation"),
        ("d", "imsu", "unknown flag 'd'"),
        ("x", "gimsuxy", "unknown flag 'x' in 'x': flags are any of i, m, s, u"),
        ("ii", "imsu", "flag 'i' is given twice in 'ii'"),
        ("s", "im", "not allowed: flag 's' in 's': flags are any of i, m"),
        ("i", "", "not allowed: flag 'i' in 'i': no flags are allowed"),
    ],
)
def test_flags_are_those_allowed_of_javascript(flags, allowed, why):
    with pytest.raises(PatternError, match=re.escape(why)):
        compile_pattern("x", flags, allowed_flags=allowed)


def test_the_limits_are_the_callers():
    with pytest.raises(PatternError, match="the pattern has 1,025 characters, at most 1,024 are allowed"):
        compile_pattern("x" * 1_025)
    assert search("x" * 1_025, "", "x" * 2_000, max_source=2_000) == (0, 1_025)
    assert search("x", "", "aax", max_subject=2) is None
    assert search("x", "", "a" * (MAX_SUBJECT - 1) + "x") == (MAX_SUBJECT - 1, MAX_SUBJECT)
    assert search("x", "", "a" * MAX_SUBJECT + "x") is None


@pytest.mark.parametrize(("source", "flags"), [(5, ""), ("x", None), (["x"], "")])
def test_what_is_no_text_is_refused(source, flags):
    with pytest.raises(PatternError, match="pattern and flags are texts, found"):
        search(source, flags, "x")


def test_a_long_pattern_is_shown_cut():
    with pytest.raises(PatternError) as raised:
        compile_pattern("x" * 1_000 + "(")
    assert len(str(raised.value)) < 300


@pytest.mark.parametrize("text", ["a\ud800b", "a\udc00\ud800b"])
def test_lone_surrogates_in_a_text_count_as_replacement_characters(text):
    assert search("b$", "", text) == (len(text) - 1, len(text))
    assert search("^a\ufffd+b$", "", text) == (0, len(text))


@pytest.mark.parametrize(
    ("source", "text", "settled"),
    [
        ("a+", "xa", True),  # more may follow, but it does match
        ("x", "xa", True),
        ("a$", "xa", False),
        (r"a\b", "xa", False),
        (r"a\B|a", "xa", False),
        (r"x\B", "xa", True),  # ends before the cut: all that it looked at is there
        (r"[$]*a", "xa", True),
        (r"\\b?a", r"\a", True),
        (r"[^\]$]*a", "xa", True),
        ("[]|x|a$", "ya", False),
        (r"^\$*.a", "xa", True),
    ],
)
def test_a_match_at_the_cut_is_settled_unless_it_looks_at_what_follows(source, text, settled):
    span = search(source, "", text, max_subject=2)
    assert is_settled(source, span, max_subject=2) is settled


def test_json_paths_have_patterns_of_their_own():
    assert compile_iregexp(r"\p{Lu}.\-").fullmatch("\u00c9\u2028-")
    assert not compile_iregexp("a.b").fullmatch("a\rb")
    assert compile_iregexp(r"[.\.]").search("x.") == (1, 2)


@pytest.mark.slow
def test_nothing_is_logged():
    code = (
        "from grice.matching.patterns import *\n"
        "for source in ('(', 'x{999}{999}', '((?:){99}){99}', r'(?:\\w{500}|\\W{500}){2}'):\n"
        "    try: search(source, '', 'abc' * 30_000)\n"
        "    except PatternError: pass"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (ran.stdout, ran.stderr) == ("", "")


# Many patterns at once.

MANY = {
    "ok line": ("^ok$", "m"),
    "ok": "^ok$",
    "inside": r"x\Bx",
    "greeting": ("guten (tag|abend)", "i"),
    "nothing": "[]",
    "anything": "",
}


def test_a_set_finds_the_names_of_the_patterns_that_match_in_their_order():
    found = PatternSet(MANY)
    assert found.found_in("Guten Abend\r\nok\r\nxx") == ["ok line", "inside", "greeting", "anything"]
    assert found.found_in("") == ["anything"]
    assert len(found) == 6
    assert PatternSet(["a", ("B", "i"), "c"]).found_in("abx") == [0, 1]
    assert PatternSet([]).found_in("a") == []


def test_a_set_reads_the_whole_text_and_lone_surrogates():
    assert PatternSet(["needle", "\ufffd"]).found_in("x" * 200_000 + "\ud800needle") == [0, 1]


@pytest.mark.parametrize("text", ["", "ok", "xx", "xx\r\nok", "Guten Tag", "x\ud800x", "\u2028ok\u2029"])
def test_a_set_says_whether_any_pattern_is_found(text):
    for names in combinations(MANY, 2):
        made = PatternSet({name: MANY[name] for name in names})
        assert made.occurs_in(text) is bool(made.found_in(text))


def test_a_set_can_be_pickled():
    copied = pickle.loads(pickle.dumps(PatternSet(MANY)))
    assert copied.found_in("ok") == PatternSet(MANY).found_in("ok") == ["ok line", "ok", "anything"]


@pytest.mark.parametrize("given", [["a", ("B", "i")], MANY])
def test_a_set_of_what_can_be_read_once_or_changes_is_the_same_set_when_pickled(given):
    once = (one for one in given) if isinstance(given, list) else dict(given)
    made = PatternSet(once)
    if isinstance(once, dict):
        once.clear()
    assert pickle.loads(pickle.dumps(made)).found_in("ab ok") == made.found_in("ab ok") != []


@pytest.mark.parametrize(
    ("given", "why", "kind"),
    [
        ({"open": "("}, "pattern 'open': '(' is not a pattern: missing )", PatternError),
        (["a", ("b", "g")], "pattern 1: unknown flag 'g'", PatternError),
        ([5], "pattern 0: a text, or a pair of text and flags, found 5", PatternError),
        ([("a", "i", "m")], "pattern 0: a text, or a pair", PatternError),
        ("abc", "a PatternSet takes several patterns, found 'abc'", TypeError),
    ],
)
def test_a_set_names_the_pattern_that_cannot_be_used(given, why, kind):
    with pytest.raises(kind, match=re.escape(why)):
        PatternSet(given)


SOURCES = [f"a{number}[^c]{{0,9}}c" for number in range(40)] + [r"\bz\b", ("^Q", "m"), "x.{0,500}Q"]
TEXT = "a1 a2 a39 " + "\u00e9b" * 3 + "c\nQ"


@pytest.mark.parametrize("memory", [12, 14, 16, 18, 26])
def test_a_set_that_does_not_fit_is_made_into_several(memory, monkeypatch, capfd):
    monkeypatch.setattr(pattern_set, "MAX_MEMORY", 1 << memory)
    made = PatternSet(SOURCES)
    assert made.found_in(TEXT) == [3, 39, 41]
    assert made.occurs_in(TEXT)
    assert not made.occurs_in(TEXT.replace("c", "d").replace("Q", "q"))
    assert capfd.readouterr() == ("", "")


def test_a_set_that_runs_out_of_memory_gives_the_same_answer(monkeypatch):
    """RE2 says "no match" then; a pattern that matches every text tells."""
    monkeypatch.setattr(re2.Set, "Match", lambda self, text: [])
    made = PatternSet(SOURCES)
    assert made.occurs_in(TEXT)
    assert not made.occurs_in("nothing")
    found = made.found_in(TEXT)
    assert found == [3, 39, 41] == [at for at, each in enumerate(SOURCES) if search(*_pair(each), TEXT)]


def _pair(given):
    return given if isinstance(given, tuple) else (given, "")


def test_a_pattern_is_compiled_once():
    assert compile_pattern("once", "mi") is compile_pattern("once", "im")
    assert patterns.compile_pattern is compile_pattern
