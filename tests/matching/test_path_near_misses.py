"""A path that finds nothing names what was meant, where a name is a typo away or a length was asked for."""

import pytest

from grice import expect
from grice.matching.values import Source

NAMES = {
    "status": "open",
    "items": [{"price": 2}, {"price": 3, "tags": ["new"]}],
    "title": "Room",
    "a b": {"Id": 1},
}
LENGTH = ": a path has no lengths, toHaveLength counts what stands before it"


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("$.statos", ": there is no 'statos' (did you mean 'status'?)"),
        ("statos.x", ": there is no 'statos' (did you mean 'status'?)"),
        ("$.items[*].prise", ": there is no 'prise' (did you mean 'price'?)"),
        ("$.items[1].tag", ": there is no 'tag' (did you mean 'tags'?)"),
        ("$['a b'].id", ": there is no 'id' (did you mean 'Id'?)"),
        ("$.items.length", LENGTH),
        ("$.items[1].tags.size", LENGTH),
        ("$.title.length", LENGTH),
        # another thing, or nothing that a name could mend
        ("$.refund", ""),
        ("$.items[7].price", ""),
        ("$.items[?@.price > 9].prise", ""),
        ("$..prise", ""),
        ("$.items.price", ""),
        ("$.status.x", ""),
        ("$.length", ""),
        ("$['statos', 'statoss']", ""),
    ],
)
def test_a_path_that_finds_nothing_names_what_was_meant(path, said):
    with pytest.raises(AssertionError) as caught:
        expect(NAMES, path=path).to_equal("x")
    assert str(caught.value).split("nothing resolved at ")[1].partition("\n")[0].endswith(f"{said}")
    assert ("did you mean" in str(caught.value)) is ("did you mean" in said)
    assert ("toHaveLength" in str(caught.value)) is (said == LENGTH)


def test_only_a_verdict_that_does_not_pass_is_told(monkeypatch):
    def never(*_):
        raise AssertionError("looked for")

    monkeypatch.setattr(Source, "near_miss", never)
    expect(NAMES, path="$.statos").to_be_undefined()
    expect(NAMES, path="$.statos").not_to_equal("x")
    expect(NAMES, path="$.status").to_equal("open")
    with pytest.raises(AssertionError, match="looked for"):
        expect(NAMES, path="$.statos").to_equal("x")


def test_a_negation_that_does_not_pass_is_told_too():
    with pytest.raises(AssertionError, match=r"did you mean 'status'\?"):
        expect(NAMES, path="$.statos").not_to_be_undefined()


def test_names_that_a_model_wrote_are_shown_so_that_nothing_hides():
    name = "stat\u202eus"
    with pytest.raises(AssertionError) as caught:
        expect({name: 1, "x" * 100_000: 2}, path="$.status").to_equal(3)
    assert r"(did you mean 'stat\u202eus'?)" in str(caught.value)
    assert name not in str(caught.value)
    assert len(str(caught.value)) < 500


def test_a_value_with_very_many_names_is_not_searched_through():
    many = {f"name{number}": number for number in range(100_000)} | {"status": 1}
    with pytest.raises(AssertionError) as caught:
        expect(many, path="$.statos").to_equal(1)
    assert "did you mean" not in str(caught.value)
