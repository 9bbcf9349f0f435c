"""The state that a simulated conversation changes: read before and after it, in every way a set is run."""

import asyncio
from pathlib import Path

import pytest

from grice import UserScript, expect, run, simulated
from grice.matchers import have_changed
from grice.running.state_sources import SimulatedState, simulated_state


class Shop:
    """Orders of several customers; its agent refunds what the user names."""

    def __init__(self, slow=0):
        self.slow = slow
        self.orders = {"A101": "open", "A102": "open"}

    def agent(self, context):
        async def chat(messages):
            await asyncio.sleep(0)
            for name in [*self.orders]:
                if name in messages[-1]["content"]:
                    self.orders[name] = "refunded"
            return "Done."

        return chat

    def read(self):
        return dict(self.orders)

    def of_customer(self, scenario):
        return {scenario["order"]: self.orders[scenario["order"]]}


BOTH = [{"id": "one", "goal": "A101", "order": "A101"}, {"id": "two", "goal": "A102", "order": "A102"}]


def test_a_check_sees_what_the_conversation_changed():
    shop = Shop()

    def refunded(conversation):
        expect(conversation.state).to_have_changed({"A101": ("open", "refunded")}, only=True)

    held = run(BOTH[:1], shop.agent, [refunded], user=UserScript("Refund A101"), state=shop.read)
    assert held.passed, held.results[0].verdicts
    again = run(BOTH[:1], shop.agent, [refunded], user=UserScript("Refund A101"), state=shop.read)
    (verdict,) = again.results[0].verdicts
    assert (str(verdict.outcome), "A101 was 'refunded', expected 'open'" in verdict.reason) == ("fail", True)


def test_a_matcher_of_states_is_a_check_by_itself():
    shop = Shop()
    check = have_changed({"A101": ("open", "refunded")})
    held = run(BOTH[:1], shop.agent, [check], user=UserScript("Refund A101"), state=shop.read)
    assert held.passed, held.results[0].verdicts
    (unread,) = run(BOTH[:1], shop.agent, [check], user=UserScript("Hi")).results[0].verdicts
    assert str(unread.outcome) == "error"
    assert "no state was read" in unread.reason


def test_conversations_at_once_that_share_a_state_cannot_be_told_apart():
    def look(source, **options):
        shop = Shop()

        def changed(conversation, scenario):
            expect(conversation.state).to_have_changed({scenario["order"]: ("open", "refunded")}, only=True)

        user = UserScript("Refund A101 and A102")
        return run(BOTH, shop.agent, [changed], user=user, state=getattr(shop, source), **options)

    shared = look("read", concurrency=2)
    reasons = [result.verdicts[0].reason for result in shared.results]
    assert [str(result.outcome) for result in shared.results] == ["error", "error"]
    assert all("another conversation went on meanwhile" in reason for reason in reasons)
    alone = look("read", concurrency=1).results
    assert "something else changed too: A102" in alone[0].verdicts[0].reason
    assert look("of_customer", concurrency=1).results[0].outcome.value == "pass"


def test_each_conversation_reads_its_own_by_its_scenario():
    shop = Shop()

    def agent(context):
        async def chat(text):
            await asyncio.sleep(0)
            shop.orders[context.scenario["order"]] = "refunded"
            return "Done."

        return chat

    def changed(conversation, scenario):
        expect(conversation.state).to_have_changed({scenario["order"]: ("open", "refunded")})

    held = run(BOTH, agent, [changed], user=UserScript("Hi"), state=shop.of_customer, concurrency=2)
    assert held.passed, [result.verdicts for result in held.results]


@pytest.mark.parametrize(
    ("state", "said"),
    [
        (lambda: 1 / 0, "could not be read before: ZeroDivisionError"),
        ("no_such_shop:orders", "there is no module 'no_such_shop'"),
        ("shop", "a state is named as 'module:attribute', found 'shop'"),
    ],
)
def test_a_state_that_cannot_be_read_is_an_error_of_its_check(state, said):
    check = have_changed()
    held = run(BOTH[:1], lambda text: "Done.", [check], user=UserScript("Hi"), state=state)
    (verdict,) = held.results[0].verdicts
    assert str(verdict.outcome) == "error"
    assert said in verdict.reason


@pytest.mark.parametrize("wrong", [3, {}, {"orders": 3}])
def test_what_is_no_source_is_refused(wrong):
    with pytest.raises(ValueError, match="state: expected a function, an address"):
        simulated(state=wrong)
    with pytest.raises(ValueError, match="state: expected a function, an address"):
        run(BOTH, lambda text: "Done.", [have_changed()], user=UserScript("Hi"), state=wrong)


def test_a_test_reads_its_own_state():
    with pytest.raises(ValueError, match="a test reads its own state"):
        run(checks=[simulated(goal="x")(lambda conversation: None)], state=lambda: 1)


def test_a_finished_conversation_without_a_state_says_how_to_have_one():
    def looks(conversation):
        return conversation.state is None

    held = run(BOTH[:1], lambda text: "Done.", [looks], user=UserScript("Hi"))
    assert "no state was read: say where it is" in held.results[0].verdicts[0].reason


@pytest.mark.parametrize("named", ["one", "several"])
def test_a_state_is_known_by_what_is_read_and_not_by_how_it_is_named(named):
    shop = Shop()
    one = simulated_state(shop.read, Path(), None)
    other = simulated_state({"db": shop.read} if named == "several" else shop.read, Path(), None)
    for held in (one, other):
        held.end()
        assert "another conversation went on meanwhile" in held.change().after.problem
    alone = simulated_state(shop.read, Path(), None)
    alone.end()
    assert not alone.change().after.problem


def test_a_reading_that_is_given_up_leaves_nothing_behind():
    shop = Shop()

    def interrupted():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        SimulatedState(interrupted, [shop.read])
    alone = simulated_state(shop.read, Path(), None)
    alone.end()
    assert not alone.change().after.problem
