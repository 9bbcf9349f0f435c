"""What the tools find and do, without any conversation."""

from __future__ import annotations

import pytest

from venue_search.database import VenueError, Venues, open_database


@pytest.fixture
def venues() -> Venues:
    """A database of this test's own."""
    return Venues(open_database())


def test_venues_are_large_enough_and_the_cheapest_first(venues: Venues) -> None:
    found = venues.search_suppliers(guests=100)
    assert [(one["name"], one["seats"], one["hire"]) for one in found] == [
        ("Gonville Hotel", 100, 620),
        ("The Cambridge Belfry", 220, 880),
        ("University Arms Hotel", 150, 990),
    ]


def test_a_search_minds_area_hire_and_services(venues: Venues) -> None:
    found = venues.search_suppliers(guests=20, area="centre", max_hire=700, services=["catering"])
    assert [one["name"] for one in found] == ["Gonville Hotel"]


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"guests": 10, "area": "centre of town"}, "there is no area 'centre of town'; there are centre, "),
        ({"guests": 10, "services": ["wifi"]}, "there is no service 'wifi'; there are catering, "),
    ],
)
def test_what_is_not_known_is_no_search(venues: Venues, arguments: dict[str, object], problem: str) -> None:
    with pytest.raises(VenueError, match=problem):
        venues.search_suppliers(**arguments)  # type: ignore[arg-type]


def test_a_booking_costs_the_hire_and_the_services_on_its_order(venues: Venues) -> None:
    venues.add_service(28, "overnight_rooms", 30)
    booking = venues.book_venue(28, "2026-06-20", 120)
    assert booking["total"] == 880 + 30 * 60
    assert booking["booking"] == "V-1"


@pytest.mark.parametrize(
    ("venue", "day", "guests", "problem"),
    [
        (17, "2026-06-20", 13, "Finches Bed And Breakfast seats 12, not 13"),
        (28, "2026-03-09", 100, "2026-03-09 is over"),
        (2, "2026-06-20", 5, "there is no venue 2"),
    ],
)
def test_some_bookings_are_refused(venues: Venues, venue: int, day: str, guests: int, problem: str) -> None:
    with pytest.raises(VenueError, match=problem):
        venues.book_venue(venue, day, guests)


def test_a_venue_is_booked_once_a_day(venues: Venues) -> None:
    venues.book_venue(28, "2026-06-20", 100)
    with pytest.raises(VenueError, match="The Cambridge Belfry is taken on 2026-06-20"):
        venues.book_venue(28, "2026-06-20", 20)


def test_a_service_that_a_venue_has_not_is_refused(venues: Venues) -> None:
    with pytest.raises(VenueError, match="Cityroomz has no catering"):
        venues.add_service(14, "catering", 20)
