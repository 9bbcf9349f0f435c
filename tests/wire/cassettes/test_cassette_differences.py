"""What is said of stale requests, of unused calls, and of a new recording."""

import pytest
from tapes import asked, cassette, record

from grice.text import shorten
from grice.wire.cassettes import NotRecorded, StaleCall, describe_difference

PROMPT = "You judge one reply of an assistant, and nothing else. " * 30


def stale(path, *call):
    with pytest.raises(NotRecorded) as raised:
        cassette(path).begin(*call)
    return str(raised.value)


def fill(path, *calls):
    with cassette(path, "all") as used:
        for kind, text, purpose, subject in calls:
            used.begin(kind, asked(text), purpose, subject).record({"text": "yes"})


def test_a_stale_request_is_compared_with_the_nearest(tmp_path):
    path = tmp_path / "one.jsonl"
    fill(
        path,
        ("judge", f"{PROMPT}The reply is short.", "criterion", "short"),
        ("judge", f"{PROMPT}The reply is polite.", "criterion", "polite"),
        ("judge", f"{PROMPT}The reply is polite to the guest.", "criterion", "polite"),
        ("user", f"{PROMPT}The reply is polite!", "user", ""),
    )

    assert stale(
        path, "judge", asked(f"{PROMPT}The answer is polite to the guest."), "criterion", "polite"
    ) == (
        f"{path}: this judge call (criterion polite) is not recorded: "
        "'You judge one reply of an assistant, and nothing else. You judge one reply of an assistant, and "
        "not... (1684 characters)'\n"
        "  it differs from the nearest, the judge call (criterion polite) in line 5 (not used yet), in\n"
        "    messages[0].content: ...istant, and nothing else. The [-reply-]{+answer+} is polite to "
        "the guest.\n"
        "  if that is meant, record it anew with --grice-update"
    )


@pytest.mark.parametrize(
    ("old", "new", "shown"),
    [
        ("one two", "one three", "'one two' -> 'one three'"),
        ("a " * 40 + "b", "a " * 40, "...a a a a a a a a a a a a a a a [-b-]"),
        ("a " * 40, "a " * 40 + "b", "...a a a a a a a a a a a a a a a {+b+}"),
        (
            f"x {PROMPT[:550]}y",
            f"z {PROMPT[:550]}w",
            "[-x-]{+z+} You judge one reply of an ass... assistant, and nothing else. [-y-]{+w+}",
        ),
        (
            f"on Monday\n{PROMPT}\nhello",
            f"on Friday\n{PROMPT}\nhi there",
            r"on [-Monday-]{+Friday+}\nYou judge one reply of an assi...assistant, and nothing else. \n",
        ),
        ("x" + "-+" * 400, "y" + "+-" * 400, "[-" + shorten("x" + "-+" * 400, 133) + "-]{+y+-"),
    ],
)
def test_of_a_long_text_the_changed_words_are_shown(tmp_path, old, new, shown):
    path = tmp_path / "one.jsonl"
    fill(path, ("judge", old, "criterion", "polite"))

    assert f"\n    messages[0].content: {shown}" in stale(path, "judge", asked(new), "criterion", "polite")


def test_unused_calls_are_nearer_than_used_ones(tmp_path):
    path = tmp_path / "one.jsonl"
    fill(
        path,
        ("judge", "The reply is polite", "criterion", "p"),
        ("judge", "Something else", "criterion", "p"),
    )
    used = cassette(path)
    used.begin("judge", asked("The reply is polite"))

    with pytest.raises(NotRecorded, match=r"in line 3 \(not used yet\)"):
        used.begin("judge", asked("The reply is polite!"), "criterion", "p")
    used.begin("judge", asked("Something else"))
    with pytest.raises(NotRecorded, match=r"in line 2 \(used already\)"):
        used.begin("judge", asked("The reply is polite!"), "criterion", "p")


def test_without_a_call_of_the_kind_that_is_said(tmp_path):
    path = tmp_path / "one.jsonl"
    fill(path, ("judge", "polite?", "criterion", "polite"))

    assert "\n  no user call is recorded\n" in stale(path, "user", asked("hi"), "user")


def test_all_kinds_of_differences_are_named(tmp_path):
    path = tmp_path / "one.jsonl"
    record(path, ("judge", {"model": "a", "seed": 1, "schema": {"x": [1, 2]}, "gone": None}, "yes"))

    said = stale(path, "judge", {"model": "b", "seed": "1", "schema": {"x": [1, 3, 4]}, "come": True})

    assert said.splitlines()[2:-1] == [
        "    model: 'a' -> 'b'",
        "    seed: 1 -> '1'",
        "    schema.x[1]: 2 -> 3",
        "    schema.x[2]: added 4",
        "    gone: removed None",
        "    come: added True",
    ]


@pytest.mark.slow
@pytest.mark.parametrize("words", [500, 5_000])  # the first are aligned by lines, the others not at all
def test_a_difference_is_bounded_and_harmless(tmp_path, words):
    path = tmp_path / "one.jsonl"
    old = {f"field {n}": f"{n} \x1b[31m" + "old words " * words for n in range(12)}
    record(path, ("judge", old, "yes"))

    said = stale(path, "judge", {name: text.replace("old", "new\n") for name, text in old.items()})

    assert len(said) < 8_000
    assert "\x1b" not in said
    assert "    and 4 more" in said


def test_recorded_calls_that_nobody_made_are_findings(tmp_path):
    path = tmp_path / "one.jsonl"
    fill(path, ("judge", "polite?", "criterion", "polite"), ("user", "go on", "user", ""))
    used = cassette(path)
    used.begin("user", asked("go on"))

    (finding,) = used.findings()

    assert finding == StaleCall(str(path), 3, "judge", "criterion", "polite", "'polite?'")
    assert str(finding) == (
        f"{path}:3: nothing asked for this judge call (criterion polite) any more: 'polite?'; "
        "record it anew with --grice-update"
    )


def test_when_every_call_was_made_nothing_is_found(tmp_path):
    path = tmp_path / "one.jsonl"
    fill(path, ("judge", "polite?", "criterion", "polite"))
    used = cassette(path)
    used.begin("judge", asked("polite?"))

    assert used.findings() == ()


def test_a_first_recording_is_all_new(tmp_path):
    used = cassette(tmp_path / "one.jsonl", "once")
    used.begin("judge", asked("polite?"), "criterion", "polite").record("yes")

    assert str(used.finish()) == (
        f"{used.path}: 1 added, 0 removed, 0 changed\n  added judge call (criterion polite): 'polite?'"
    )


def test_a_new_recording_says_what_changed(tmp_path):
    old, new = tmp_path / "old", tmp_path / "new"
    times = [{"text": "yes", "metadata": {"model": "m", "latency_ms": n}} for n in (1.5, 2.5)]
    record(
        old,
        ("judge", asked("the same, at another speed"), times[0]),
        ("judge", asked("another answer"), {"text": "yes"}),
        ("user", asked("please book a room"), "ok"),
        ("tools", {"name": "search"}, 1),
    )
    record(
        new,
        ("judge", asked("the same, at another speed"), times[1]),
        ("judge", asked("another answer"), {"text": "no"}),
        ("agent", asked("hello"), "hi"),
        ("user", asked("please book a suite"), "ok"),
    )

    assert describe_difference(old, new).lines == (
        "changed user call: 'please book a suite'",
        "  request.messages[0].content: 'please book a room' -> 'please book a suite'",
        "changed judge call: 'another answer'",
        "  response.text: 'yes' -> 'no'",
        "removed tools call: {'name': 'search'}",
        "added agent call: 'hello'",
    )


def test_equal_cassettes_differ_in_nothing(tmp_path):
    calls = [("judge", asked("again?"), n) for n in range(3)]
    record(tmp_path / "old", *calls)
    record(tmp_path / "new", *calls)

    found = describe_difference(tmp_path / "old", tmp_path / "new")

    assert (found.added, found.removed, found.changed, found.lines) == (0, 0, 0, ())
