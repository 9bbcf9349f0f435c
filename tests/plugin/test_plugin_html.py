"""`pytest --grice-html`: a page of the session."""

import pytest

TESTS = """
import pytest

from grice import expect


@pytest.fixture
def agent():
    return lambda messages: "Hello!"


def test_greets(conversation):
    expect(conversation.say("Hi")).to_contain("Hello")


def test_sells(conversation):
    expect(conversation.say("A book")).to_contain("4 euros")
"""


@pytest.fixture
def project(pytester):
    pytester.makepyprojecttoml("")
    pytester.makepyfile(TESTS)
    return pytester


@pytest.mark.parametrize("options", [(), ("-p", "xdist", "-n", "2")])
def test_the_page_has_what_failed_and_what_passed(project, options):
    result = project.runpytest_subprocess("--grice-html", "out/page.html", *options)
    result.stdout.fnmatch_lines(["*page written to *page.html*"])
    page = (project.path / "out" / "page.html").read_text("utf-8")
    assert "1 of 2 conversations failed" in page
    assert "test_greets" in page
    assert "A book" in page


def test_what_newly_fails_comes_first(project):
    project.makepyfile(TESTS.replace('"A book")).to_contain("4 euros")', '"A book")).to_contain("Hello")'))
    project.runpytest_subprocess("--grice-html", "page.html")
    project.makepyfile(TESTS)
    project.runpytest_subprocess("--grice-html", "page.html")
    page = (project.path / "page.html").read_text("utf-8")
    assert "1 test newly fails: test_sells" in page
    assert "grice compare exp_" in page


def test_a_file_of_somebody_else_is_not_written_over(project):
    (project.path / "page.html").write_text("<p>mine</p>")
    result = project.runpytest_subprocess("--grice-html", "page.html")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--grice-html: *page.html exists and is no result of Grice*"])


def test_without_jinja_it_says_what_to_install(project, monkeypatch):
    project.makepyfile(sitecustomize="import sys; sys.modules['jinja2'] = None")
    monkeypatch.setenv("PYTHONPATH", str(project.path), prepend=":")
    result = project.runpytest_subprocess("--grice-html", "page.html")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*needs Jinja2*pip install 'grice?html?'*"])
