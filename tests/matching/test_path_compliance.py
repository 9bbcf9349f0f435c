"""The whole compliance suite of RFC 9535: what valid paths find and where, and that others are refused."""

import json
import re
from pathlib import Path

from grice.matching.paths import PathError, compile_path, find_places

CASES = json.loads((Path(__file__).parent.parent / "data" / "jsonpath_cts.json").read_text("utf-8"))["tests"]
VALID = [case for case in CASES if "document" in case]
INVALID = [case for case in CASES if case.get("invalid_selector")]


def found_by(selector, document):
    """The values, and where they stand."""
    try:
        places = find_places(selector, document)
    except PathError as refused:
        return str(refused)
    return as_json([place.value for place in places]), [place.location for place in places]


def as_json(value):
    """A text that tells true from 1 and 1 from 1.0, with the members of objects in one order."""
    return json.dumps(value, sort_keys=True)


def allowed(case):
    """Each right outcome: there are several where members of an object may come in any order."""
    one = [(case["result"], case["result_paths"])] if "result" in case else []
    several = zip(case.get("results", ()), case.get("results_paths", ()), strict=True)
    for values, paths in (*one, *several):
        places = [place.location for path in paths for place in find_places(path, case["document"])]
        yield as_json(values), places


def refusal(selector):
    """What is said of a path that is none; "" when it is one."""
    try:
        compile_path(selector)
    except PathError as refused:
        return str(refused)
    return ""


def test_each_case_of_the_suite_is_tried():
    assert (len(VALID), len(INVALID), len(CASES)) == (456, 247, 703)


def test_a_valid_path_finds_what_the_standard_allows():
    wrong = []
    for case in VALID:
        found = found_by(case["selector"], case["document"])
        if found not in (right := list(allowed(case))):
            wrong.append(f"{case['name']}: {case['selector']!r} gives {found}, expected one of {right}")
    assert not wrong, "\n".join(wrong)


def test_an_invalid_path_is_refused_with_the_character():
    wrong = []
    for case in INVALID:
        said = refusal(case["selector"])
        if not re.search(r" is not a JSON path: .+ \(at character \d+\)$", said):
            wrong.append(f"{case['name']}: {case['selector']!r} is refused with {said!r}")
    assert not wrong, "\n".join(wrong)


def test_what_an_invalid_path_is_told_to_be_is_a_path():
    said = [refusal(case["selector"]) for case in INVALID]
    offered = [
        path for text in said for path in re.findall(r"(?:write|or) (\$.*?)(?= for | or \$| \(at )", text)
    ]
    assert len(offered) > 20
    assert [refusal(path) for path in offered if refusal(path)] == []
