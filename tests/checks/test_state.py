"""What a conversation changed outside of it: where it is read, how it is compared, what cannot be told."""

import json
import re
import sqlite3
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
import sqlalchemy
from sqlalchemy.orm import Session
from sqlalchemy.pool import StaticPool

from grice import ExpectationFailed, Outcome, State, StateChange, expect, state
from grice.matchers import be_unchanged, have_changed
from grice.matching.context import Context
from grice.matching.judge import judge
from grice.records import StateReading
from grice.running.live import LiveConversation
from grice.running.verdict_log import VerdictLog

BEFORE = {"orders": {"A101": {"status": "open", "total": 40}, "A102": {"status": "open"}}, "log": [1]}


def after(**orders):
    return {**BEFORE, "orders": {**BEFORE["orders"], **orders}}


PAID = after(A101={"status": "paid", "total": 40})
MORE = after(A101={"status": "paid", "total": 40}, A103={"status": "new"})
LESS = {**BEFORE, "orders": {"A101": {"status": "open", "total": 40}}}


def verdict(now, matcher, before=BEFORE):
    return judge(matcher, StateChange(StateReading(before), StateReading(now)), Context())


@pytest.mark.parametrize(
    ("now", "matcher", "outcome", "said"),
    [
        (PAID, have_changed(), "pass", "orders.A101.status: 'open' -> 'paid'"),
        (BEFORE, have_changed(), "fail", "it is as it was"),
        (PAID, have_changed({"orders.A101.status": ("open", "paid")}), "pass", "'open' -> 'paid'"),
        (PAID, have_changed({"orders.A101.status": "changed"}), "pass", "'open' -> 'paid'"),
        (PAID, have_changed({"orders.A101": "changed"}, only=True), "pass", "'open' -> 'paid'"),
        (PAID, have_changed({"orders.A101.status": ("open", "refunded")}), "fail", "is 'paid', expected"),
        (PAID, have_changed({"orders.A101.status": ("new", "paid")}), "fail", "was 'open', expected 'new'"),
        (PAID, have_changed({"orders.A102.status": ("open", "paid")}), "fail", "is still 'open'"),
        (PAID, have_changed({"orders.A102.status": "changed"}), "fail", "is still 'open'"),
        (BEFORE, have_changed({"orders.A102": "removed"}), "fail", "nothing has changed"),
        (MORE, have_changed({"orders.A103": "added"}), "pass", "orders.A103: added"),
        (MORE, have_changed({"orders.A103.status": (None, "new")}), "pass", "orders.A103: added"),
        (BEFORE, have_changed({"orders.A103": "added"}), "fail", "orders.A103 was not added"),
        (
            BEFORE,
            have_changed({"orders.A103.status": (None, "new")}),
            "fail",
            "is still not there, expected 'new'",
        ),
        (LESS, have_changed({"orders.A102": "removed"}), "pass", "orders.A102: removed"),
        (LESS, have_changed({"orders.A102": "added"}), "fail", "orders.A102 was removed"),
        (
            MORE,
            have_changed({"orders.A101.status": "changed"}, only=True),
            "fail",
            "else changed too: orders",
        ),
        (PAID, have_changed({"orders.A110.status": ("open", "paid")}), "error", "did you mean 'A101'"),
        (PAID, ~have_changed({"orders.A110.status": ("open", "paid")}), "error", "there is nothing at"),
        (BEFORE, ~have_changed({"orders.A103": "added"}), "pass", "was not added"),
        (BEFORE, be_unchanged(), "pass", "it is as it was"),
        (PAID, be_unchanged(), "fail", "orders.A101.status: 'open' -> 'paid'"),
        (PAID, be_unchanged("orders.A102", "log"), "pass", "it is as it was"),
        (PAID, be_unchanged("log", "orders.A101"), "fail", "orders.A101.status"),
        (PAID, be_unchanged("ordrs"), "error", "did you mean 'orders'"),
        (PAID, ~be_unchanged("ordrs"), "error", "there is nothing at ordrs"),
    ],
)
def test_a_difference_is_judged(now, matcher, outcome, said):
    found = verdict(now, matcher)
    assert (str(found.outcome), said in found.reason) == (outcome, True), found.reason


def test_nothing_that_is_unchanged_is_trivial():
    assert verdict([], be_unchanged(), before=[]).trivially_true
    assert not verdict([0], be_unchanged(), before=[0]).trivially_true


def test_a_name_with_dots_is_quoted_in_a_path():
    before, now = {"a@b.c": {"n": 1}, "x.y": 1}, {"a@b.c": {"n": 2}, "x.y": 1}
    assert verdict(now, have_changed({'["a@b.c"].n': (1, 2)}, only=True), before).outcome is Outcome.PASS
    assert verdict(now, be_unchanged(["x.y"]), before).outcome is Outcome.PASS


@pytest.mark.parametrize(
    ("expected", "said"),
    [
        ({}, "names no change"),
        ({"a": "chnged"}, "did you mean 'changed'"),
        ({"a": ["open"]}, "a change is what was there and what is there now"),
        ({"a": 5}, "found 5"),
        ({"a[": "added"}, "is not a property path"),
    ],
)
def test_what_is_no_change_is_refused(expected, said):
    with pytest.raises(ValueError, match=re.escape(said)):
        have_changed(expected)


# -- where it is read


def test_a_function_is_read_now_and_when_it_is_checked():
    held = {"n": 1}
    taken = state(lambda: held)
    held["n"] = 2
    expect(taken).to_have_changed({"n": (1, 2)})
    held["n"] = 1
    expect(taken).to_be_unchanged()


def database(tmp_path):
    connection = sqlite3.connect(tmp_path / "shop.db", check_same_thread=False)
    connection.execute("create table orders (id text, status text)")
    connection.executemany("insert into orders values (?, ?)", [("A101", "open"), ("A102", "open")])
    connection.commit()
    return connection


def change(tmp_path):
    with sqlite3.connect(tmp_path / "shop.db") as other:
        other.execute("update orders set status = 'paid' where id = 'A101'")
    other.close()


@pytest.fixture(params=["dbapi", "engine", "connection", "session"])
def source(request, tmp_path):
    plain = database(tmp_path)
    if request.param == "dbapi":
        yield plain
        plain.close()
        return
    plain.close()
    engine = sqlalchemy.create_engine(f"sqlite:///{tmp_path / 'shop.db'}")
    if request.param == "engine":
        yield engine
    else:
        with engine.connect() if request.param == "connection" else Session(engine) as opened:
            yield opened
            assert not opened.in_transaction()
    engine.dispose()


def test_a_database_is_read_by_a_query(source, tmp_path):
    orders = state(source, "select * from orders order by id", key="id")
    named = state(source, {"orders": "select * from orders", "count": "select count(*) n from orders"})
    change(tmp_path)
    expect(orders).to_have_changed({"A101.status": ("open", "paid")}, only=True)
    expect(named).to_have_changed({"orders[0].status": ("open", "paid")}, only=True)
    expect(named).to_be_unchanged("count")


def test_a_transaction_of_the_tests_own_is_left_as_it_is():
    engine = sqlalchemy.create_engine("sqlite://", poolclass=StaticPool)
    with engine.connect() as connection:
        connection.execute(sqlalchemy.text("create table orders (id text)"))
        connection.execute(sqlalchemy.text("insert into orders values ('A101')"))
        orders = state(connection, "select * from orders")
        assert orders.before == StateReading([{"id": "A101"}])
        assert connection.in_transaction()
    engine.dispose()


@pytest.mark.parametrize(
    ("query", "key", "said"),
    [
        ("select * from invoices", "", "no such table"),
        ("select * from orders", "idd", "the rows have no column 'idd' (did you mean 'id'?)"),
        ("select * from orders", "status", "two rows have status 'open': it is no key"),
    ],
)
def test_a_query_that_goes_wrong_is_an_error_of_the_check(query, key, said, tmp_path):
    connection = database(tmp_path)
    taken = state(connection, query, key=key)
    for check in (expect(taken).to_be_unchanged, expect(taken).not_to_be_unchanged):
        with pytest.raises(ExpectationFailed) as failed:
            check()
        assert failed.value.verdict.outcome is Outcome.ERROR
        assert said in failed.value.verdict.reason
    connection.close()


class Shop(BaseHTTPRequestHandler):
    answers: list[tuple[int, bytes]]
    seen: list[str | None]

    def do_GET(self):
        status, body = self.answers.pop(0)
        self.seen.append(self.headers["Authorization"])
        self.send_response(status)
        if status == 302:
            self.send_header("Location", "/elsewhere")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def shop():
    Shop.answers, Shop.seen = [], []
    with HTTPServer(("127.0.0.1", 0), Shop) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/orders"
        server.shutdown()
        thread.join()


def test_an_address_is_asked_with_get(shop):
    Shop.answers += [(200, json.dumps(one).encode()) for one in (BEFORE, PAID)]
    taken = state(shop, headers={"Authorization": "Bearer t"})
    expect(taken).to_have_changed({"orders.A101.status": ("open", "paid")}, only=True)
    assert Shop.seen == ["Bearer t", "Bearer t"]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ((500, b""), "/orders answered 500"),
        ((302, b""), "/orders answered 302"),
        ((200, b"<html>"), "answered no JSON: <html>"),
    ],
)
def test_an_address_without_an_answer_is_an_error(answer, said, shop):
    Shop.answers += [answer, (200, b"{}")]
    with pytest.raises(ExpectationFailed) as failed:
        expect(state(f"{shop}?token=secret")).to_be_unchanged()
    reason = failed.value.verdict.reason
    assert "could not be read before" in reason
    assert said in reason
    assert "secret" not in reason


async def later():
    return {}


def test_several_sources_are_one_state(shop):
    Shop.answers += [(200, b"[1]"), (200, b"[1]")]
    counted = iter(range(9))
    taken = state({"count": lambda: next(counted), "orders": shop})
    expect(taken).to_have_changed({"count": (0, 1)}, only=True)


def test_an_asynchronous_function_is_an_error_that_says_so():
    assert "asynchronous" in state(later).before.problem


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("orders",), "begins with http:// or https://"),
        ((5,), "found 5"),
        ((sqlite3.Connection.__new__(sqlite3.Connection),), "needs a query"),
        ((dict, "select 1"), "query does not go with what is no connection"),
        (({"a": 5},), "found 5"),
    ],
)
def test_what_is_no_source_is_refused(given, said):
    with pytest.raises(TypeError, match=re.escape(said)):
        state(*given)


# -- in a conversation


def test_a_state_that_is_first_read_after_the_turn_says_nothing():
    held = {"n": 0}

    def agent(text):
        held["n"] += 1
        return "Done."

    log = VerdictLog("test")
    with LiveConversation(agent, recorder=log) as conversation:
        conversation.say("Go")
        too_late = within(log, lambda: state(lambda: held))
        with pytest.raises(ExpectationFailed, match="has not gone on since state"):
            within(log, lambda: expect(too_late).to_be_unchanged())
        conversation.say("Go on")
        within(log, lambda: expect(too_late).to_have_changed({"n": (1, 2)}))


def within(log, do):
    """Do it as the code of the test with that log."""
    from grice.matching.recording import CURRENT

    token = CURRENT.set(log)
    try:
        return do()
    finally:
        CURRENT.reset(token)


def test_the_methods_of_a_state_are_its_own():
    with pytest.raises(AttributeError, match="judges a text, a reply"):
        expect(state(dict)).to_contain("x")
    with pytest.raises(AttributeError, match=r"write expect\(state\(source\)\).to_be_unchanged"):
        expect("a text").to_be_unchanged()
    assert isinstance(state(dict), State)
