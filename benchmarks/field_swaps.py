"""How often a value that belongs to another field or row is noticed, by the layout of the facts.

    python benchmarks/field_swaps.py [--show odd|even|all] [--layout nested]

`field_swaps/<layout>.jsonl` has facts, a statement that is true by them, and one that gives a field
(`holds`) the value of another (`stands`). A swapped statement is right where it is contradicted, a true one
where it is supported. Shown are the share of each with its Wilson interval, what is inconclusive, and
whether the reason names where the value stands.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from grice.checks.evidence.support import be_supported_by
from grice.matching.context import resolve_subject
from grice.matching.judge import judge
from grice.records import Outcome, Verdict
from grice.stats import wilson

ROWS = Path(__file__).parent / "field_swaps"
LAYOUTS = ("nested", "flat", "rows", "prose")


def verdict_on(reply: str, facts: Any) -> Verdict:
    """The verdict of the evidence check on a reply."""
    seen = resolve_subject(reply)
    return judge(be_supported_by(facts, language="en"), seen.subject, seen.context)


def main() -> None:
    """Print a table, and the rows that are wrong where asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--show", choices=("odd", "even", "all"))
    parser.add_argument("--layout", choices=LAYOUTS)
    given = parser.parse_args()
    print("layout   n   true supported         swapped contradicted   inconclusive  says where it stands")
    for layout in [given.layout] if given.layout else LAYOUTS:
        rows = [json.loads(line) for line in (ROWS / f"{layout}.jsonl").read_text("utf-8").splitlines()]
        supported = contradicted = told = unclear = 0
        for number, row in enumerate(rows, 1):
            true, swapped = (verdict_on(row[one], row["facts"]) for one in ("true", "swapped"))
            good, bad = true.outcome is Outcome.PASS, bool(swapped.detail.get("contradicted"))
            supported, contradicted = supported + good, contradicted + bad
            unclear += (true.outcome is Outcome.INCONCLUSIVE) + (swapped.outcome is Outcome.INCONCLUSIVE)
            told += bad and row["stands"].removeprefix("$").lstrip(".")[:20] in swapped.reason
            if given.show and (given.show == "all" or (number % 2 == 1) == (given.show == "odd")):
                for wrong, name, verdict in ((not good, "true", true), (not bad, "swapped", swapped)):
                    if wrong:
                        print(f"-- {row['id']} {name}: {row[name]}\n   {json.dumps(row['facts'])[:700]}")
                        print(f"   {verdict.outcome.value}: {verdict.reason[:400]}")
        n = len(rows)
        shares = [
            "{}/{} [{:.2f}, {:.2f}]".format(one, n, *wilson(one, n)) for one in (supported, contradicted)
        ]
        print(f"{layout:8} {n}  {shares[0]:22} {shares[1]:22} {unclear:12}  {told}/{contradicted}")


if __name__ == "__main__":
    main()
