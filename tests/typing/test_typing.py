"""A wrong keyword, type or subject is a type error on its line, in mypy and pyright; nothing else is."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow  # two type checkers run as processes

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
SAMPLES = sorted((HERE / "samples").glob("*.py"))


@pytest.fixture(scope="session")
def mypy_errors(tmp_path_factory):
    config = tmp_path_factory.mktemp("mypy") / "mypy.ini"
    config.write_text("[mypy]\nstrict = true\n")
    cache = ["--cache-dir", str(ROOT / ".mypy_cache" / "typing-samples")]  # other options than the project's
    arguments = ["--config-file", str(config), "--no-error-summary", *cache, *map(str, SAMPLES)]
    done = _run("mypy", arguments)
    found = re.findall(r"^(.+?):(\d+): error: (.*)$", done.stdout, re.MULTILINE)
    assert found, done.stdout + done.stderr
    return [(Path(file).resolve(), int(line), text) for file, line, text in found]


@pytest.fixture(scope="session")
def pyright_errors():
    arguments = ["--outputjson", "--project", str(HERE / "samples"), "--pythonpath", sys.executable]
    report = json.loads(_run("pyright", arguments).stdout)
    assert report["summary"]["filesAnalyzed"] == len(SAMPLES)
    return [
        (Path(one["file"]).resolve(), one["range"]["start"]["line"] + 1, one["message"])
        for one in report["generalDiagnostics"]
        if one["severity"] == "error"
    ]


def _run(tool, arguments):
    command = [sys.executable, "-m", tool, *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=100)


def _annotated(sample):
    lines = sample.read_text("utf-8").splitlines()
    return {number for number, line in enumerate(lines, 1) if re.search(r"  # error\b", line)}


@pytest.mark.parametrize("checker", ["mypy_errors", "pyright_errors"])
@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_exactly_the_annotated_lines_are_refused(sample, checker, request):
    found = {line: text for file, line, text in request.getfixturevalue(checker) if file == sample.resolve()}
    expected = _annotated(sample)
    unexpected = {line: text for line, text in found.items() if line not in expected}
    assert not unexpected
    assert sorted(expected - set(found)) == []


def test_the_samples_have_good_and_bad_lines():
    assert {sample.stem: bool(_annotated(sample)) for sample in SAMPLES} == {"bad": True, "good": False}
