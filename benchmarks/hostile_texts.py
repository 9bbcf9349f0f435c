"""Inputs that are made to be slow: how the CPU time grows when they are eight times as long.

Counted calls show in the tests what Python does; what a regular expression or a list does inside of C only
a clock shows. Each time is the least of three rounds; the bar is three times the growth of the length.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from io import BytesIO

from grice import self_contradiction
from grice.checks.product_records import product_records
from grice.claims.claim_verdicts import settle
from grice.claims.fact_store import FactStore
from grice.claims.lexicon import lexicon_for
from grice.claims.passage_parsing import parse_passage
from grice.formats.log_files import values_of
from grice.formats.text_logs import text_rows
from grice.matching.context import Context
from grice.text.negation import negated
from grice.text.normalised import normalise
from grice.text.packs import pack_of
from grice.text.words import words
from grice.wire.environment import Environment

MARKS = ("<script>", "<style>a</styl", "<!--", "<!-- -", "<b ", "[a](", "`a", "*a ")
SECRETS = ("/secret", "\\secret", "\u00e4secret")
REPLIES = ("i smoke ", "baa, ", "my a'a'a'a'", "a'", "an unsafe cat ", "nothing never ")
LINES = (("", "1"), ("", "a."), ("", "a={ "), ("# a", "-"), ("# a", " -"), ("", "[a] "), ("Bob", " "))
LONGER = 8
BAR = 3.0 * LONGER
LEAST = 2e-3
"""Seconds that the short input is taken to need at least: below that the clock tells more than the code."""
ROUNDS = 3

Work = Callable[[int], object]


def marks(mark: str) -> Work:
    """Reading so many characters of marks that nobody closes as prose; nothing is remembered."""
    read = normalise.__wrapped__
    return lambda size: read(mark * (size // len(mark)))


def hidden(secret: str) -> Work:
    """Hiding a secret in so many backslashes."""
    environment = Environment({"SECRET": secret})
    environment.value_of("env:SECRET", "url")
    return lambda size: environment.hide("\\" * size)


def denied(run: str) -> Work:
    """Finding what so many negations deny."""
    pack = pack_of("en")
    assert pack is not None

    def work(size: int) -> object:
        text = run * (size // len(run))
        return negated(text, words(text), pack)

    return work


def claimed(size: int) -> object:
    """Holding so many characters of amounts in one sentence against as many rows."""
    lexicon = lexicon_for("It costs $3.", "en")
    assert not isinstance(lexicon, str)
    number = size // len(" and it costs $1000")
    text = " and ".join(f"it costs ${1_000 + place}" for place in range(number))
    rows = [{"id": f"R{place}", "price_usd": 1_000 + place} for place in range(50)]
    return settle(parse_passage.__wrapped__(text, lexicon), FactStore([("$", rows)], lexicon))


def stated(size: int) -> object:
    """Holding a reply of so many characters against a text of a few sentences, and one sentence against a
    text of so many.
    """
    lexicon = lexicon_for("It costs $3.", "en")
    assert not isinstance(lexicon, str)
    said = [f"Plan {place} costs ${place} and is free for {place} days." for place in range(size // 50)]
    for text, told in ((said, said[:9]), (said[:9], said)):
        store = FactStore([("$", {"note": " ".join(told)})], lexicon)
        found = settle(parse_passage.__wrapped__(" ".join(text), lexicon), store)
    return found


def contradicted(run: str) -> Work:
    """Holding two replies of so many characters against each other for self-contradiction."""

    def work(size: int) -> object:
        reply = {"role": "assistant", "content": run * (size // len(run))}
        return self_contradiction([{"role": "user", "content": "Hi"}, reply] * 2, language="en")

    return work


def records(size: int) -> object:
    """Collecting so many records of products."""
    found = product_records([{"id": f"p{n}", "price": n} for n in range(size)], "", Context(None, None))
    assert len(found) == size
    return found


def text_line(begin: str, run: str) -> Work:
    """Reading so many characters of a line of a log that is text."""
    return lambda size: [*text_rows([(1, (begin + run * (size // len(run)) + "x").encode())])]


def documents(size: int) -> object:
    """Reading a file of so many bytes that has several documents."""
    document = b'{\n"a": 1\n}\n'
    return [*values_of(BytesIO(document * (size // len(document))))]


def rows() -> Iterator[tuple[str, Work, int]]:
    """What is done, and to how much at first."""
    yield from ((f"prose of {mark!r}", marks(mark), 10_000) for mark in MARKS)
    yield from ((f"hiding {secret!r} in backslashes", hidden(secret), 25_000) for secret in SECRETS)
    yield from ((f"negations {run!r}", denied(run), 10_000) for run in ("not ", "not warm "))
    yield from ((f"self-contradiction {run!r}", contradicted(run), 2_000) for run in REPLIES)
    yield from ((f"a text line of {begin + run!r}", text_line(begin, run), 4_000) for begin, run in LINES)
    yield "several documents", documents, 100_000
    yield "records of products", records, 20_000
    yield "amounts of one sentence", claimed, 1_000
    yield "claims against a text", stated, 2_000


def seconds(work: Work, size: int) -> float:
    """The CPU time on an input of this size."""
    taken = []
    for _ in range(ROUNDS):
        began = time.process_time()
        work(size)
        taken.append(time.process_time() - began)
    return min(taken)


def main() -> int:
    """Print how each grows; the exit code says whether all stay below the bar."""
    worst = 0.0
    print(f"CPU time of inputs, and of ones {LONGER} times as long (bar: {BAR:.0f} times the time)")
    for name, work, size in rows():
        short, long = seconds(work, size), seconds(work, size * LONGER)
        growth = long / max(short, LEAST)
        worst = max(worst, growth)
        print(f"  {name:38} {short * 1e3:8.2f} ms  {long * 1e3:8.2f} ms  {growth:6.1f} times")
    return 1 if worst > BAR else 0


if __name__ == "__main__":
    sys.exit(main())
