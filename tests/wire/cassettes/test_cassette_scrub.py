"""Scrub rules: what they take out of requests, and which are refused."""

import pytest
from tapes import asked, cassette, record

from grice.wire.cassettes import SCRUBS, NotRecorded, Scrub, ScrubError, read_scrubs
from grice.wire.cassettes.scrub import scrubber


@pytest.mark.parametrize(
    ("rule", "text", "left"),
    [
        ("dates", "Today is 2026-03-01.", "Today is <date>."),
        ("dates", "at 2026-03-01T10:00:00.123Z or 2026-03-01 10:00 +01:00", "at <date> or <date>"),
        ("dates", "room 2026-03, call 12026-03-011", "room 2026-03, call 12026-03-011"),
        ("times", "from 9:05 to 17:30:59.5", "from <time> to <time>"),
        ("uuids", "id 123e4567-e89b-12d3-a456-426614174000!", "id <uuid>!"),
        ("hex_ids", "order 65f1c0ffee65f1c0ffee65f1, room 12", "order <hex id>, room 12"),
        ("hex_ids", "a facade of decades", "a facade of decades"),
        ("call_ids", '{"id": "call_Ab3dEf6hIj"}, toolu_01AbCdEfGh', '{"id": "<call id>"}, <call id>'),
        ("call_ids", "call_us, call-centre", "call_us, call-centre"),
    ],
)
def test_a_named_rule(rule, text, left):
    assert scrubber([SCRUBS[rule]])(text) == left


@pytest.mark.parametrize(("before", "after"), [(["dates"], ["dates"]), ([], ["dates"])])
def test_a_date_in_the_prompt_makes_no_request_stale(tmp_path, before, after):
    """Also when the rule came after the recording."""
    path = tmp_path / "one.jsonl"
    record(path, ("judge", asked("Today is 2026-03-01."), "yes"), scrub=before)

    assert cassette(path, scrub=after).begin("judge", asked("Today is 2027-11-30.")).response == "yes"


def test_what_is_scrubbed_is_not_written_but_answers_stay(tmp_path):
    path = tmp_path / "one.jsonl"
    record(path, ("agent", asked("On 2026-03-01?"), "2026-03-01 it is"), scrub=["dates"])

    assert "On <date>?" in path.read_text()
    assert cassette(path).unused[0].response == "2026-03-01 it is"


def test_an_own_rule_goes_through_all_texts_of_a_request(tmp_path):
    path = tmp_path / "one.jsonl"
    rules = [{"pattern": "Zoë-[0-9]+", "replacement": "<guest>"}, Scrub("[0-9]+ °C", "<weather>")]
    deep = {"messages": [{"content": [{"text": "Zoë-17 says 21 °C"}]}], "schema": {"enum": ["Zoë-17"]}}
    record(path, ("judge", deep, "yes"), scrub=rules)

    other = {"messages": [{"content": [{"text": "Zoë-4 says 3 °C"}]}], "schema": {"enum": ["Zoë-123"]}}
    assert cassette(path, scrub=rules).begin("judge", other).response == "yes"


def test_a_rule_that_uncovers_another_match_still_gives_stable_keys(tmp_path):
    path = tmp_path / "one.jsonl"
    rules = [Scrub("ab", "")]
    record(path, ("judge", asked("aabb!"), "yes"), scrub=rules)

    assert cassette(path, scrub=rules).begin("judge", asked("aabb!")).response == "yes"


def test_without_the_rule_the_request_is_stale(tmp_path):
    path = tmp_path / "one.jsonl"
    record(path, ("judge", asked("Today is 2026-03-01."), "yes"))

    with pytest.raises(NotRecorded):
        cassette(path).begin("judge", asked("Today is 2027-11-30."))


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ("dates", "scrub: expected a list of rules, found 'dates'"),
        ({"pattern": "x"}, "scrub: expected a list of rules, found {'pattern': 'x'}"),
        (
            ["dates", "dats"],
            f"scrub[1]: unknown rule 'dats' (did you mean 'dates'?); known are {', '.join(SCRUBS)}",
        ),
        ([7], "scrub[0]: expected a name or a table with 'pattern' and 'replacement', found 7"),
        ([{"patern": "x"}], "scrub[0]: unknown field 'patern' (did you mean 'pattern'?)"),
        ([{"replacement": "x"}], "scrub[0]: there is no 'pattern'"),
        ([{"pattern": 7}], "scrub[0]: pattern is 7, expected a string"),
        ([{"pattern": "(a"}], "scrub[0]: RE2 does not take the pattern '(a': missing ): (a"),
        (
            [{"pattern": "x(?=y)"}],
            "scrub[0]: RE2 does not take the pattern 'x(?=y)': invalid perl operator: (?=",
        ),
        (
            ["uuids", {"pattern": "x*"}],
            "scrub[1]: the pattern 'x*' matches the empty text, so it is everywhere",
        ),
        (
            [{"pattern": "[0-9]+", "replacement": "N1"}],
            (
                "scrub[0]: the replacement 'N1' matches a pattern itself; use one that none matches, such as "
                "'<scrubbed>'"
            ),
        ),
    ],
)
def test_a_bad_rule_names_the_setting(rules, said):
    with pytest.raises(ScrubError) as raised:
        read_scrubs(rules)

    assert str(raised.value) == said


def test_a_bad_rule_is_noticed_when_the_cassette_is_opened(tmp_path):
    with pytest.raises(ScrubError, match=r"scrub\[0\]: unknown rule"):
        cassette(tmp_path / "one.jsonl", scrub=["no such rule"])


def test_a_pattern_cannot_hang():
    assert scrubber([Scrub("(a+)+$", "<x>")])("a" * 50_000 + "b") == "a" * 50_000 + "b"
