"""Broken files: what is said of each, and where."""

import json
import os

import pytest
from tapes import asked, cassette, edit, record, write_entries

from grice.records import LLMRequest
from grice.wire.cassettes import CassetteError, CassetteLLM, Entry, NotRecorded, tape

HINT = "; record it anew with --grice-update"
FIELDS = "subject, key, request, response, digest"
HEADER = b'{"version":1,"calls":1}\n'


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "one.jsonl"
    record(file, ("judge", asked("polite?"), "yes"), ("judge", asked("short?"), "no"), test="test_it")
    return file


def problem(path):
    with pytest.raises(CassetteError) as raised:
        cassette(path)
    return str(raised.value).removeprefix(f"{path}:")


def test_the_file_has_a_header_and_a_line_a_call(path):
    header, first, _ = map(json.loads, path.read_text().splitlines())

    assert header == {
        "version": 1,
        "grice": tape.__version__,
        "test": "test_it",
        "kinds": ["judge", "user", "agent", "tools", "model"],
        "calls": 2,
    }
    assert list(first) == ["kind", "purpose", "subject", "key", "request", "response", "digest"]
    assert (first["request"], first["response"]) == (asked("polite?"), "yes")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", '1: the file is empty, expected a header such as {"version": 1, ...}' + HINT),
        (b"\n\n  \n", '1: the file is empty, expected a header such as {"version": 1, ...}' + HINT),
        (b"what?\n", "1: not JSON (invalid character (byte 0)), expected one object a line" + HINT),
        (b"[1]\n", "1: a list, expected a JSON object" + HINT),
        (b'{"version": "\xff"}\n', "1: not UTF-8 (byte 0xff at 14), expected UTF-8 JSON" + HINT),
        (
            b'{"calls": 1}\n',
            '1: the header is missing, expected {"version": 1, ...} as the first line' + HINT,
        ),
        (b'{"version": true}\n', "1: the version is True, expected 1" + HINT),
        (b'{"version": 0}\n', "1: the version is 0, expected 1" + HINT),
        (
            b'{"version": 2, "and": "more"}\n',
            "1: version 2 of cassettes is newer than this Grice reads (1): update Grice, or" + HINT[1:],
        ),
        (
            b'{"version": 1, "clals": 0}\n',
            "1: not a header: Object contains unknown field `clals`" + HINT,
        ),
        (
            b'{"version": 1, "calls": 0}\n' + b"[" * 100_000,
            "2: nested too deep, expected a recorded call" + HINT,
        ),
        (HEADER, "1: the header says that 1 calls follow, found 0: lost or added some" + HINT),
        (
            HEADER + HEADER,
            "2: a second header, expected a recorded call; two cassettes were joined" + HINT,
        ),
        (
            HEADER + b'{"kind": "judge"}\n',
            "2: no 'purpose', expected a recorded call with kind, purpose, " + FIELDS + HINT,
        ),
        (
            HEADER + b"<<<<<<< HEAD\n",
            "2: a conflict of a merge, expected one JSON object a line; take one side of it whole" + HINT,
        ),
    ],
)
def test_a_broken_file_is_refused_with_line_and_reason(path, data, said):
    path.write_bytes(data)

    assert problem(path) == said


def test_a_line_that_is_cut_short_is_named(path):
    path.write_bytes(path.read_bytes()[:-40])

    assert (
        problem(path) == "3: the last line is cut short, expected a whole JSON object and a line end" + HINT
    )


def test_lines_that_are_lost_are_noticed(path):
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:2]))

    assert problem(path) == "1: the header says that 2 calls follow, found 1: lost or added some" + HINT


def test_an_unknown_kind_names_the_nearest(path):
    edit(path, '"kind":"judge"', '"kind":"jugde"')

    said = "2: unknown kind 'jugde' (did you mean 'judge'?), expected one of judge, user, agent, tools, model"
    assert problem(path) == said + HINT


def test_a_field_of_another_type_is_refused(path):
    edit(path, '"purpose":""', '"purpose":7')

    assert problem(path) == "2: not a recorded call: Expected `str`, got `int` - at `$.purpose`" + HINT


def test_an_edited_request_is_noticed(path):
    edit(path, "short?", "long?")

    assert problem(path) == "3: the request of this judge call was edited: it does not fit its key" + HINT


@pytest.mark.parametrize(("old", "new"), [('"no"', '"yes"'), ('"subject":""', '"subject":"rude"')])
def test_an_edited_answer_is_noticed(path, old, new):
    edit(path, old, new)

    assert problem(path).endswith(
        ": this judge call was edited: its request fits its key, the line does not fit its digest" + HINT
    )


def test_line_ends_of_windows_a_byte_order_mark_and_blank_lines_are_no_edit(path):
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n") + b"\r\n")

    assert cassette(path).begin("judge", asked("short?")).response == "no"


def test_a_last_line_without_its_end_is_whole(path):
    path.write_bytes(path.read_bytes().removesuffix(b"\n"))

    assert cassette(path).begin("judge", asked("short?")).response == "no"


def test_a_line_that_is_too_long_is_refused(path, monkeypatch):
    monkeypatch.setattr("grice.wire.cassettes.reading.MAX_LINE", 200)

    assert problem(path).startswith("2: the line has ")
    assert "bytes, at most 200 are read" in problem(path)


def test_a_file_that_is_too_large_is_refused(path, monkeypatch):
    monkeypatch.setattr("grice.wire.cassettes.reading.MAX_FILE", 300)

    assert "bytes, a cassette has at most 300" in problem(path)


@pytest.mark.parametrize(
    ("limit", "said"), [("MAX_LINE", "a line has at most"), ("MAX_FILE", "a cassette has at most")]
)
def test_what_could_not_be_read_is_not_written(path, monkeypatch, limit, said):
    before = path.read_bytes()
    monkeypatch.setattr(tape, limit, 500)

    with pytest.raises(CassetteError, match=f"{said} 500: nothing was written"):
        record(path, ("judge", asked("x" * 600), "yes"), mode="new")

    assert path.read_bytes() == before


def test_a_folder_is_no_cassette(tmp_path):
    assert problem(tmp_path) == "1: the cassette cannot be read: Is a directory"


def test_an_answer_of_another_shape_names_file_and_line(tmp_path):
    path = tmp_path / "one.jsonl"
    key = {"provider": "", "model": "", "messages": [], "max_tokens": 1024}
    record(path, ("judge", key, "only a text"))
    llm = CassetteLLM(None, cassette(path), "judge")

    with pytest.raises(
        NotRecorded, match=r"one\.jsonl:2: the recorded answer is none of an LLM: Expected `object`"
    ):
        llm.ask(LLMRequest(())).send(None)


def test_what_another_version_wrote_is_read(tmp_path):
    path = tmp_path / "one.jsonl"
    record(path, ("judge", asked("polite?"), "yes"))
    old = cassette(path).unused[0]
    write_entries(path, Entry(old.kind, old.key, old.request, old.response))

    assert cassette(path).begin("judge", asked("polite?")).response == "yes"


def test_traffic_that_somebody_took_out_of_the_header_is_noticed(path):
    record(path, ("agent", asked("hi"), "hello"))
    edit(path, '"user","agent"', '"user"')

    with pytest.raises(CassetteError, match=r":1: the header was edited: its kinds lack the agent calls"):
        cassette(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are Unix's")
def test_a_pipe_is_not_waited_for(path):
    path.unlink()
    os.mkfifo(path)

    with pytest.raises(CassetteError, match="cannot be read: it is a pipe, expected a file"):
        cassette(path)


@pytest.mark.parametrize("mode", ["none", "once"])
def test_a_name_that_no_file_can_have_is_named(path, mode):
    with pytest.raises(CassetteError, match=r"x+\.jsonl: the cassette cannot be read: "):
        cassette(path.with_name(f"{'x' * 300}.jsonl"), mode)


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_loop_of_links_is_not_written(path):
    path.unlink()
    path.symlink_to(path)

    with pytest.raises(CassetteError, match="cannot be written"):
        record(path, ("agent", asked("hi"), "hello"), mode="once")
