import pytest
from hypothesis import given
from hypothesis import strategies as st

from grice.stats.agreement import Level, cohen_kappa, krippendorff_alpha

# Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability", sections A to E.
TWO_RATERS = ("0100000010", "1110010000")
FOUR_RATERS = ("123321412...", "1233224125.3", ".3332342251.", "12332441251.")


def units(*raters: str) -> list[dict[int, int]]:
    """Each column is a unit; a dot is an answer that was not given."""
    return [
        {rater: int(one) for rater, one in enumerate(column) if one != "."}
        for column in zip(*raters, strict=True)
    ]


@pytest.mark.parametrize(
    ("raters", "level", "alpha"),
    [
        (TWO_RATERS, "nominal", 0.095),
        (FOUR_RATERS, "nominal", 0.743),
        (FOUR_RATERS, "ordinal", 0.815),
        (FOUR_RATERS, "interval", 0.849),
    ],
)
def test_it_gives_the_published_values(raters: tuple[str, ...], level: Level, alpha: float) -> None:
    found = krippendorff_alpha(units(*raters), level=level)
    assert found is not None
    assert found.value == pytest.approx(alpha, abs=5e-4)
    assert -1 <= found.low < found.value < found.high <= 1
    # The last unit has one answer only.
    assert found.n == len(raters[0]) - (len(raters) == 4)


def test_answers_of_none_are_answers_that_were_not_given() -> None:
    rows = units(*FOUR_RATERS)
    filled = [{rater: unit.get(rater) for rater in range(4)} for unit in rows]
    assert krippendorff_alpha(filled) == krippendorff_alpha(rows)


@pytest.mark.parametrize(
    "ratings",
    [
        pytest.param([], id="nothing"),
        pytest.param([{"ann": 1}, {"ann": 2}], id="one rater"),
        pytest.param([{"ann": 1}, {"bob": 1}, {"ann": 2, "bob": None}], id="raters never overlap"),
        pytest.param([{"ann": 1, "bob": 1}, {"ann": 1, "bob": 1}], id="one class"),
        pytest.param([{"ann": 1, "bob": 1}, {"ann": 2}], id="one class where both rated"),
    ],
)
def test_it_is_undefined_without_overlap_or_without_a_difference(
    ratings: list[dict[str, int | None]],
) -> None:
    for level in ("nominal", "ordinal", "interval"):
        assert krippendorff_alpha(ratings, level=level) is None
        assert krippendorff_alpha([*ratings, {"ann": 1, "bob": 2}], level=level) is not None


def test_perfect_agreement_has_a_width_that_shrinks_with_units_and_raters() -> None:
    found = [
        krippendorff_alpha([dict.fromkeys(range(raters), index % 2) for index in range(n)])
        for n, raters in ((6, 2), (20, 2), (20, 4), (400, 2))
    ]
    lows = [one.low for one in found if one is not None and one.value == one.high == 1]
    assert len(lows) == 4
    assert lows == sorted(lows)
    assert lows[0] < 0.5
    assert 0.97 < lows[-1] < 0.999


rows = st.lists(st.lists(st.none() | st.integers(1, 4), min_size=3, max_size=3), min_size=2, max_size=20)


@given(rows, st.sampled_from(["nominal", "ordinal", "interval"]))
def test_the_order_of_raters_and_the_names_of_answers_do_not_matter(
    table: list[list[int | None]], level: Level
) -> None:
    def alpha(answers: list[list[int | None]]) -> list[float]:
        found = krippendorff_alpha([dict(enumerate(row)) for row in answers], level=level)
        return [] if found is None else [found.value, found.low, found.high]

    found = alpha(table)
    assert alpha([row[::-1] for row in table]) == pytest.approx(found, abs=1e-6)
    renamed = [[None if one is None else 9 - 2 * one for one in row] for row in table]
    assert alpha(renamed) == pytest.approx(found, abs=1e-6)


def test_for_two_raters_of_many_items_it_is_near_kappa() -> None:
    pairs = [(index % 2, (index % 2) if index % 5 else (index // 5) % 2) for index in range(500)]
    kappa, alpha = cohen_kappa(pairs), krippendorff_alpha([dict(enumerate(pair)) for pair in pairs])
    assert kappa is not None
    assert alpha is not None
    assert (alpha.value, alpha.low, alpha.high) == pytest.approx(
        (kappa.value, kappa.low, kappa.high), abs=0.01
    )


def test_units_of_a_cluster_that_repeat_each_other_tell_nothing_new() -> None:
    ratings = units(*FOUR_RATERS)
    names = [str(index) for index in range(len(ratings))]
    once, twice = krippendorff_alpha(ratings), krippendorff_alpha(ratings * 2, clusters=names * 2)
    apart = krippendorff_alpha(ratings * 2, clusters=range(len(ratings) * 2))
    assert once is not None
    assert twice is not None
    assert apart is not None
    assert twice.high - twice.low > 0.98 * (once.high - once.low)
    assert apart.high - apart.low < 0.85 * (once.high - once.low)


def test_levels_with_numbers_refuse_names_and_infinity() -> None:
    with pytest.raises(TypeError, match="alpha at the level ordinal needs numbers, found 'good'"):
        krippendorff_alpha([{"ann": "good", "bob": "bad"}], level="ordinal")
    with pytest.raises(ValueError, match="needs finite numbers, found inf"):
        krippendorff_alpha([{"ann": 1.0, "bob": float("inf")}], level="interval")
    with pytest.raises(ValueError, match="level is one of 'nominal', 'ordinal', 'interval', found 'ratio'"):
        krippendorff_alpha([{"ann": 1, "bob": 2}], level="ratio")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="every item has a cluster: found 2 for 1 items"):
        krippendorff_alpha([{"ann": 1, "bob": 2}], clusters=["a", "b"])
