"""Text says the rule: it cites no document that its readers do not have.

The word seed stays where it is the seed of random draws, or the profile of that name.
"""

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
FOLDERS = ("src", "examples", "docs", "tests", "tools", "benchmarks")
SUFFIXES = {".py", ".pyi", ".md", ".json", ".jsonl", ".yaml", ".yml", ".toml", ".html", ".js"}

PATTERNS = {
    "a numbered document": r"seeds?[ ]0\d\d\b",
    "a source": r"Source:\s+(the[ ])?seed\b",
    "what a document says": r"the[ ]seed(?:'s\b|[ ](?:says|asks|names|prints|counts|knows|writes)\b)",
    "rules by number": r"seed-rules[ ]\d",
    "the design": r"DESIGN(?:\.md|[ ]section|[ ]\d)",
}


def texts() -> list[Path]:
    pages = [one for one in ROOT.glob("*.md") if one.is_file()]
    for folder in FOLDERS:
        pages += [one for one in (ROOT / folder).rglob("*") if one.suffix in SUFFIXES and one.is_file()]
    return [one for one in pages if not {"_build", "node_modules", "__pycache__"}.intersection(one.parts)]


def citations(text: str) -> list[str]:
    if "seed" not in text.lower() and "DESIGN" not in text:
        return []
    return [
        f"line {text.count(chr(10), 0, found.start()) + 1}: {found[0]!r} is {name}"
        for name, pattern in PATTERNS.items()
        for found in re.finditer(pattern, text, re.IGNORECASE if name != "the design" else 0)
    ]


def test_no_text_cites_an_internal_document() -> None:
    found = {
        str(path.relative_to(ROOT)): cited
        for path in texts()
        if (cited := citations(path.read_text("utf-8", "replace")))
    }
    assert not found, f"say the rule instead: {found}"


def test_a_citation_is_found_and_a_seed_of_random_draws_is_not() -> None:
    cited = "Nobody knows. Source: " + "seed " + "004, layer 1."
    assert len(citations(cited)) == 2
    assert not citations("`--seed 7`: the seed of random draws. Profile `seed` has five patterns.")
