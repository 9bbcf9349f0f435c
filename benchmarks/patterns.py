"""Patterns on RE2 against Python's `re`: one on a reply of 10 kB, and 200 over 10 MB of replies.

`re` is given the same patterns with re.ASCII; one search for each pattern and reply is what a loop over
rules does. The patterns are what such rules look like: two or three words in any case, numbers, addresses.
The loops over all replies are measured on a part of them and scaled. The bar is on the set: how many times
faster than the loop of `re` one pass of `PatternSet` is.
"""

from __future__ import annotations

import random
import re
import statistics
import sys
import time
from collections.abc import Callable

from grice.matching.patterns import search
from grice.matching.patterns.pattern_set import PatternSet

PATTERNS = 200
SIZE = 10_000_000
REPLY = 10_000
ROUNDS = 5
PART = 50  # of the replies, for the loops
BAR = 10.0
EVIL = "^(a+)+$"


def vocabulary(chance: random.Random) -> list[str]:
    """Words as long as English ones, some with letters beyond ASCII."""
    letters = "etaoinshrdlucmfwypvbgkjqxz"
    weights = range(len(letters), 0, -1)
    words = ["".join(chance.choices(letters, weights, k=chance.randint(2, 10))) for _ in range(4_000)]
    return [*words, "caf\u00e9", "na\u00efve", "M\u00fcnchen", "2 pm", "$12.50", "it\u2019s", "OK!"]


def rules(chance: random.Random, words: list[str]) -> list[str]:
    """200 patterns of four kinds."""
    made: list[str] = []
    while len(made) < PATTERNS:
        one, other, third = (re.escape(word) for word in chance.sample(words, 3))
        made += [
            rf"\b(?:{one}|{other})\s+(?:\w+\s+)?{third}\b",
            rf"{one}[^.]{{0,40}}{other}",
            rf"\b{one}\s*[:=]?\s*\$?\d+(?:\.\d\d)?",
            rf"(?:{one}|{other}|{third})@[\w.]+\.(?:com|org)",
        ]
    return made[:PATTERNS]


def seconds(run: Callable[[], object]) -> float:
    """The CPU time of one run."""
    began = time.process_time()
    run()
    return time.process_time() - began


def ratio(name: str, ours: Callable[[], object], theirs: Callable[[], object], count: int) -> float:
    """Print microseconds of each and the ratio, medians of paired rounds; gives theirs to ours."""
    pairs = [(seconds(ours), seconds(theirs)) for _ in range(1 + ROUNDS)][1:]  # the first warms up
    times = statistics.median(other / one for one, other in pairs)
    one, other = (statistics.median(column) / count * 1e6 for column in zip(*pairs, strict=True))
    print(f"  {name:44} {one:10.1f} us   re {other:10.1f} us   {times:6.2f} times as fast")
    return times


def one_reply(chance: random.Random, words: list[str]) -> None:
    """One pattern on one reply of 10 kB, found at its end or not at all."""
    text = " ".join(chance.choices(words, k=3_000))[: REPLY - 20] + " the total is 12.50"
    accented = text.replace("e", "\u00e9")
    print("one pattern on a reply of 10 kB")
    for name, source, flags, subject in (
        ("found at the end", r"total is \d+\.\d\d", "", text),
        ("found at the end, beyond ASCII", r"total is \d+\.\d\d", "", accented),
        ("any case", r"total is \d+\.\d\d", "i", text),
        ("not there: two words, one of three", r"\b(?:yes|no|maybe)\s+(?:\w+\s+)?indeed\b", "", text),
        ("not there: an address", r"[\w.]+@[\w.]+\.(?:com|org)", "", text),
    ):
        compiled = re.compile(source, re.ASCII | (re.IGNORECASE if flags else 0))

        def ours(source: str = source, flags: str = flags, subject: str = subject) -> None:
            for _ in range(200):
                search(source, flags, subject)

        def theirs(compiled: re.Pattern[str] = compiled, subject: str = subject) -> None:
            for _ in range(200):
                compiled.search(subject)

        ratio(name, ours, theirs, 200)
    hostile = "a" * REPLY + "!"
    spent = seconds(lambda: [search(EVIL, "", hostile) for _ in range(200)]) / 200
    print(f"  {EVIL + ' on 10 kB of a and a !':44} {spent * 1e6:10.1f} us   re: years")


def many_replies(chance: random.Random, words: list[str]) -> float:
    """200 patterns over 10 MB: in one pass, and one after the other on a part of the replies."""
    replies = [" ".join(chance.choices(words, k=350)).ljust(2_000)[:2_000] for _ in range(SIZE // 2_000)]
    sources = rules(chance, words)
    built = seconds(lambda: PatternSet([(source, "i") for source in sources]))
    together = PatternSet([(source, "i") for source in sources])
    compiled = [re.compile(source, re.ASCII | re.IGNORECASE) for source in sources]
    part = replies[:: len(replies) // PART]
    scale = len(replies) / len(part)

    def loop_of_re() -> list[list[int]]:
        return [[index for index, each in enumerate(compiled) if each.search(text)] for text in part]

    def loop_of_search() -> list[list[int]]:
        return [[index for index, source in enumerate(sources) if search(source, "i", text)] for text in part]

    assert [together.found_in(text) for text in part] == loop_of_search()
    one_pass, of_re, of_search = [], [], []
    for _ in range(3):
        one_pass.append(seconds(lambda: [together.found_in(text) for text in replies]))
        of_re.append(seconds(loop_of_re) * scale)
        of_search.append(seconds(loop_of_search) * scale)
    times = statistics.median(other / one for one, other in zip(one_pass, of_re, strict=True))
    again = statistics.median(other / one for one, other in zip(one_pass, of_search, strict=True))
    size = sum(map(len, replies)) / 1e6
    print(f"{PATTERNS} patterns over {len(replies):,} replies, {size:.0f} MB (set built in {built:.2f} s)")
    for name, spent in (("PatternSet", one_pass), ("loop of re", of_re), ("loop of search", of_search)):
        middle = statistics.median(spent)
        print(f"  {name:16} {middle:8.2f} s  {size / middle:8.2f} MB/s")
    print(
        f"  one pass is {times:.1f} times as fast as the loop of re (bar {BAR:.0f}), "
        f"{again:.1f} as that of search"
    )
    return times


def main() -> int:
    """Print the ratios; the exit code says whether the bar holds."""
    chance = random.Random(4)
    words = vocabulary(chance)
    one_reply(chance, words)
    return 0 if many_replies(chance, words) >= BAR else 1


if __name__ == "__main__":
    sys.exit(main())
