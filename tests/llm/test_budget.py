"""Budgets of tokens and money, shared by clients."""

import asyncio

import pytest
from llm_requests import PLAIN, Waits, ask, error_of
from odd_server import ANSWER, http, odd_server

from grice import LLMError
from grice.llm import Budget
from grice.llm.openai_llm import OpenAILLM


def client(server, budget, model="m", **options):
    return OpenAILLM(model, base_url=server.url, api_key="", budget=budget, pause=Waits(), **options)


def test_what_answers_report_is_counted_until_nothing_is_left():
    budget = Budget(tokens=30)
    with odd_server(http()) as server:
        one, other = client(server, budget), client(server, budget, "n")
        assert ask(one).text == "fine"
        assert (budget.spent.tokens, budget.is_spent) == (15, False)
        ask(other)
        assert error_of(one) == "the budget is spent: 30 of 30 tokens in 2 answers"
        assert error_of(other) == "the budget is spent: 30 of 30 tokens in 2 answers"
    assert len(server.bodies) == 2


def test_money_is_counted_at_the_prices_of_the_models():
    budget = Budget(money=1, prices={"m": (20_000, 40_000), "n": (0, 0)})
    with odd_server(http()) as server:
        ask(client(server, budget))
        assert budget.spent.money == pytest.approx(0.4)
        ask(client(server, budget, "n"))
        ask(client(server, budget))
        ask(client(server, budget))
        message = error_of(client(server, budget))
    assert message.startswith("the budget is spent: 1.2 of 1 in money (0.2 over: requests were in flight")
    assert budget.spent.tokens == 60


def test_a_model_without_a_price_is_refused_where_money_is_limited():
    budget = Budget(money=1, prices={"gpt-large": (1, 2)})
    with pytest.raises(ValueError, match=r"the model 'gpt-lage' has no price \(did you mean 'gpt-large'\?\)"):
        OpenAILLM("gpt-lage", budget=budget)
    OpenAILLM("gpt-lage", budget=Budget(tokens=1))


def test_money_that_nobody_can_count_is_not_nothing():
    budget = Budget(tokens=100, prices={"m": (1, 1)})
    with odd_server(http()) as server:
        ask(client(server, budget))
        assert budget.spent.money == pytest.approx(15e-6)
        ask(client(server, budget, "n"))
    assert budget.spent.money is None


def test_requests_in_flight_overshoot_and_it_is_said():
    budget = Budget(tokens=20)

    async def slowly(writer):
        await asyncio.sleep(0.02)
        writer.write(http())
        await writer.drain()
        return True

    with odd_server(slowly) as server:
        llm = client(server, budget, max_concurrency=4)

        async def many():
            return await asyncio.gather(*(llm.ask(PLAIN) for _ in range(9)), return_exceptions=True)

        answers = asyncio.run(many())
    refused = [answer for answer in answers if isinstance(answer, LLMError)]
    assert len(server.bodies) == 9 - len(refused) < 9
    assert "the budget is spent: " in str(refused[-1])
    spent = 15 * len(server.bodies)
    assert f"{spent} of 20 tokens ({spent - 20} over: requests were in flight when it was spent)" in str(
        budget
    )


def test_an_answer_that_cannot_be_read_was_paid_for():
    budget = Budget(tokens=100)
    with odd_server(http({"usage": {"prompt_tokens": 30, "completion_tokens": 1}})) as server:
        error_of(client(server, budget))
    assert budget.spent.tokens == 31


def test_failed_tries_cost_nothing_and_what_is_not_reported_is_estimated():
    silent = {name: value for name, value in ANSWER.items() if name != "usage"}
    budget = Budget(tokens=100)
    with odd_server(http({}, "500 Oh"), http(silent)) as server:
        ask(client(server, budget))
    assert budget.spent.estimated == budget.spent.answers == 1
    assert 0 < budget.spent.tokens < 100
    assert "in 1 answer, 1 of them estimated" in str(budget)


def test_a_budget_of_nothing_lets_nothing_through():
    with odd_server(http()) as server:
        assert "0 of 0 tokens" in error_of(client(server, Budget(tokens=0)))
    assert server.bodies == []


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "a budget limits tokens, money, or both"),
        ({"tokens": -1}, "tokens: expected a number from 0"),
        ({"tokens": True}, "tokens: expected a number from 0"),
        ({"money": float("nan")}, "money: expected a number from 0"),
        ({"money": "5"}, "money: expected a number from 0"),
        ({"money": 1, "prices": {"m": 3}}, "prices.m: expected two numbers"),
        ({"money": 1, "prices": {"m": (3, None)}}, "prices.m: expected two numbers"),
        ({"money": 1, "prices": [1]}, "prices: expected models and their prices"),
    ],
)
def test_what_is_no_budget(options, said):
    with pytest.raises(ValueError, match=said):
        Budget(**options)
