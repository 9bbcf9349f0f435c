"""When a cassette is played, when it is recorded, and when nothing is touched."""

import pytest
from msgspec import UNSET
from tapes import asked, cassette, record

from grice.wire.cassettes import Cassette, CassetteError, NotRecorded

OLD, NEW = ("judge", asked("old"), "yes"), asked("new")


def record_and_raise(recorded, error):
    with recorded:
        recorded.begin("judge", NEW).record("no")
        raise error


@pytest.mark.parametrize(
    ("mode", "exists", "plays", "records", "refuses"),
    [
        ("none", True, True, False, True),
        ("none", False, False, False, True),
        ("once", True, True, False, True),
        ("once", False, False, True, False),
        ("new", True, True, True, False),
        ("new", False, False, True, False),
        ("all", True, False, True, False),
        ("all", False, False, True, False),
        ("off", True, False, False, False),
        ("off", False, False, False, False),
        ("auto", True, True, False, True),
        ("auto", False, False, False, False),
    ],
)
def test_each_mode_plays_records_or_refuses(tmp_path, mode, exists, plays, records, refuses):
    path = tmp_path / "one.jsonl"
    if exists:
        record(path, OLD)
    before = path.read_bytes() if exists else None

    with cassette(path, mode) as used:
        if plays:
            assert used.begin("judge", asked("old")).response == "yes"
        if refuses:
            with pytest.raises(NotRecorded):
                used.begin("judge", NEW)
        else:
            call = used.begin("judge", NEW)
            assert call.response is UNSET
            call.record("no")

    after = path.read_bytes() if path.exists() else None
    assert (after != before) is records
    if records:
        assert cassette(path).begin("judge", NEW).response == "no"


@pytest.mark.parametrize("said", ["true", "1", "True", "yes", "woodpecker"])
def test_under_ci_auto_asks_nothing_live(tmp_path, said):
    used = cassette(tmp_path / "none.jsonl", "auto", environ={"CI": said})

    assert (used.mode, used.strict) == ("none", True)
    with pytest.raises(NotRecorded, match="there is no such cassette"):
        used.begin("judge", NEW)


@pytest.mark.parametrize("said", ["", "false", "0", "no"])
def test_ci_that_is_off_is_not_ci(tmp_path, said):
    used = cassette(tmp_path / "none.jsonl", "auto", environ={"CI": said})

    assert not used.begin("judge", NEW).replayed


def test_ci_counts_by_default(tmp_path, monkeypatch):
    monkeypatch.setenv("CI", "true")

    assert Cassette.open(tmp_path / "one.jsonl").mode == "none"


def test_a_missing_cassette_is_no_error_until_it_is_needed(tmp_path):
    with cassette(tmp_path / "one.jsonl", "none") as used:
        assert used.findings() == ()

    assert list(tmp_path.iterdir()) == []


def test_the_error_for_a_missing_cassette_says_how_to_record_one(tmp_path):
    path = tmp_path / "one.jsonl"

    with pytest.raises(NotRecorded) as raised:
        cassette(path).begin("judge", asked("Is it polite?"), "criterion", "polite")

    assert str(raised.value) == (
        f"{path}: there is no such cassette, and nothing is asked live in mode none (auto under CI), so this "
        "judge call (criterion polite) has no answer: 'Is it polite?'; record it with pytest "
        '--grice-record=once, grice run --record once or grice.run(record="once")'
    )


def test_an_unknown_mode_names_the_nearest(tmp_path):
    with pytest.raises(
        ValueError, match=r"unknown mode 'onec' \(did you mean 'once'\?\); known are auto, none"
    ):
        cassette(tmp_path / "one.jsonl", "onec")


def test_new_keeps_what_was_recorded_and_adds(tmp_path):
    path = tmp_path / "one.jsonl"
    record(path, OLD, ("judge", asked("unused"), "maybe"))

    record(path, ("judge", NEW, "no"), mode="new")

    used = cassette(path)
    assert [used.begin("judge", asked(text)).response for text in ("old", "unused", "new")] == [
        "yes",
        "maybe",
        "no",
    ]


def test_all_replaces_the_file(tmp_path):
    path = tmp_path / "one.jsonl"
    record(path, OLD)

    record(path, ("judge", NEW, "no"), mode="all")

    with pytest.raises(NotRecorded):
        cassette(path).begin("judge", asked("old"))


def test_all_replaces_a_broken_file(tmp_path):
    path = tmp_path / "one.jsonl"
    path.write_text("what?\n")

    record(path, ("judge", NEW, "no"), mode="all")

    assert cassette(path).begin("judge", NEW).response == "no"


def test_off_does_not_even_read_the_file(tmp_path):
    path = tmp_path / "one.jsonl"
    path.write_text("what?\n")

    with cassette(path, "off") as used:
        used.begin("judge", NEW).record("no")

    assert path.read_text() == "what?\n"


def test_traffic_that_was_not_recorded_stays_live(tmp_path):
    path = tmp_path / "one.jsonl"
    record(path, OLD, ("agent", asked("hi"), "hello"), kinds=("judge",))

    used = cassette(path, kinds=("judge", "agent"))

    assert used.kinds == ("judge",)
    assert not used.begin("agent", asked("hi")).replayed
    assert used.begin("judge", asked("old")).replayed


def test_new_adds_a_kind_of_traffic(tmp_path):
    path = tmp_path / "one.jsonl"
    record(path, OLD, kinds=("judge",))

    record(path, ("agent", asked("hi"), "hello"), mode="new", kinds=("agent",))

    used = cassette(path)
    assert used.kinds == ("judge", "agent")
    assert used.begin("agent", asked("hi")).response == "hello"


def test_an_unknown_kind_of_traffic_is_refused(tmp_path):
    with pytest.raises(ValueError, match="unknown kind 'juge' of traffic, expected one of judge, user"):
        cassette(tmp_path / "one.jsonl", kinds=("juge",))


@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit])
def test_an_interrupted_run_writes_nothing(tmp_path, stop):
    path = tmp_path / "one.jsonl"
    record(path, OLD)
    before = path.read_bytes()

    with pytest.raises(stop):
        record_and_raise(cassette(path, "all"), stop)

    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_failing_test_is_recorded(tmp_path):
    path = tmp_path / "one.jsonl"

    with pytest.raises(AssertionError):
        record_and_raise(cassette(path, "once"), AssertionError)

    assert cassette(path).begin("judge", NEW).response == "no"


def test_a_call_without_an_answer_is_not_recorded(tmp_path):
    path = tmp_path / "one.jsonl"
    with cassette(path, "once") as used:
        used.begin("judge", asked("fails"))
        used.begin("judge", NEW).record("no")

    with pytest.raises(NotRecorded):
        cassette(path).begin("judge", asked("fails"))


def test_a_cassette_that_has_ended_takes_no_calls(tmp_path):
    used = cassette(tmp_path / "one.jsonl", "once")
    call = used.begin("judge", NEW)
    used.finish()
    call.record("too late")

    assert used.finish() is None
    with pytest.raises(NotRecorded, match="a judge call came after the end of the test"):
        used.begin("judge", NEW)


def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    path = tmp_path / "file" / "one.jsonl"

    with pytest.raises(CassetteError, match=r"one\.jsonl: the cassette cannot be written: "):
        record(path, OLD, mode="all")
