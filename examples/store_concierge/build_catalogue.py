"""Makes `data/monitors.csv`: `python build_catalogue.py path/to/monitor.csv`.

`monitor.csv` is the file `data/csv/monitor.csv` of docyx/pc-part-dataset (see `data/README.md`). The
catalogue is its first 200 rows that name a panel type, word for word, with an id in front, the row's number.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

PRODUCTS = 200
TARGET = Path(__file__).parent / "data" / "monitors.csv"


def main(source: str) -> int:
    with Path(source).open(encoding="utf-8", newline="") as file:
        numbered = [{"id": f"mon-{number}", **row} for number, row in enumerate(csv.DictReader(file), 1)]
    rows = [row for row in numbered if row["panel_type"]][:PRODUCTS]
    if len(rows) < PRODUCTS:
        print(f"{source} has {len(rows)} monitors with a panel type, expected at least {PRODUCTS}")
        return 1
    with TARGET.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    print(f"wrote {len(rows)} monitors to {TARGET}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]) if len(sys.argv) == 2 else __doc__)
