"""The stream of server-sent events, as the HTML standard defines it."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grice.agents.sse import Event, EventParser


def parsed(*chunks):
    parser = EventParser()
    return [event for chunk in chunks for event in parser.feed(chunk)]


def data(*texts):
    return [Event("message", text) for text in texts]


@pytest.mark.parametrize(
    ("stream", "events"),
    [
        (b"data: a\n\ndata: b\n\n", data("a", "b")),
        (b"data: a\r\n\r\ndata: b\r\n\r\n", data("a", "b")),
        (b"data: a\r\rdata: b\r\r", data("a", "b")),
        (b"data: a\r\n\ndata: b\n\r\n", data("a", "b")),
        (b"data:a\n\n", data("a")),
        (b"data:  two blanks\n\n", data(" two blanks")),
        (b"data: one\ndata: two\n\n", data("one\ntwo")),
        (b"data\n\n", data("")),
        (b"data\ndata\n\n", data("\n")),
        (b": comment\ndata: a\n:\n\n", data("a")),
        (b"event: delta\ndata: a\n\ndata: b\n\n", [Event("delta", "a"), Event("message", "b")]),
        (b"event: empty\n\ndata: a\n\n", data("a")),
        (b"id: 5\nretry: 10\nunknown: x\ndata: a\n\n", data("a")),
        (b"\xef\xbb\xbfdata: a\n\n", data("a")),
        (b"data: a: b\n\n", data("a: b")),
        ("data: ü€😀\n\n".encode(), data("ü€😀")),
        (b"data: \xff\n\n", data("\ufffd")),
        (b"data: a\x85b\xe2\x80\xa8c\n\n".replace(b"\x85", "\x85".encode()), data("a\x85b\u2028c")),
        (b"data: no blank line behind it\n", []),
        (b"\n\n\n", []),
        (b"", []),
    ],
)
def test_events_of_a_stream(stream, events):
    assert parsed(stream) == events
    assert parsed(*(bytes([byte]) for byte in stream)) == events


@given(st.lists(st.integers(0, 80)))
def test_it_does_not_matter_where_the_stream_is_cut(cuts):
    stream = "\ufeffdata: ü€\r\n\r\nevent: x\rdata: 1\rdata: 2\r\r:c\ndata: 😀\n\ndata: z\r\n\r\n".encode()
    places = sorted({0, len(stream), *(cut for cut in cuts if cut < len(stream))})
    chunks = [stream[a:b] for a, b in pairwise(places)]
    assert parsed(*chunks) == parsed(stream)


def test_a_stream_that_stops_inside_an_event_is_unfinished():
    parser = EventParser()
    assert list(parser.feed(b"data: a\n\n")) == data("a")
    assert not parser.unfinished
    assert list(parser.feed(b"data: b\n")) == []
    assert parser.unfinished


def test_a_long_line_in_many_chunks_takes_linear_time():
    parser = EventParser()
    for _ in range(20_000):
        assert list(parser.feed(b"x" * 100)) == []
    assert list(parser.feed(b"\n\ndata: a\n\n")) == data("a")
