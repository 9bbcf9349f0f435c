"""What agents are built with: the test, the model, and what a test adds."""

import pytest

from grice.agents import AgentContext, bind_agent
from grice.wire import ScriptedModel


def test_unpacks_like_a_mapping():
    context = AgentContext(test_name="t", tags=("a",))
    assert {**context, "shop": 1} == {
        "test_name": "t",
        "test_file": "",
        "test_line": None,
        "tags": ("a",),
        "scenario": None,
        "model": None,
        "shop": 1,
    }


def test_a_mapping_spells_out_a_context_with_what_a_test_adds():
    context = AgentContext.of({**AgentContext(test_name="t"), "shop": 1, "tags": ("b",)})
    assert context == AgentContext(test_name="t", tags=("b",), extra={"shop": 1})
    assert context["shop"] == context.extra["shop"] == 1
    assert AgentContext.of({**context, "floor": 2}).extra == {"shop": 1, "floor": 2}
    assert AgentContext.of(context) is context
    assert AgentContext.of(None) == AgentContext()


def test_a_name_that_is_not_there_is_an_error_that_knows_the_nearest():
    context = AgentContext.of({"shop": 1})
    with pytest.raises(KeyError, match=r"shpo \(did you mean 'shop'\?\); known are test_name, .*model_url"):
        context["shpo"]
    with pytest.raises(AttributeError):
        context.shop  # noqa: B018


class Unserved(ScriptedModel):
    """A model whose server must not be started."""

    @property
    def url(self):
        raise AssertionError("the server was started")


def test_unpacking_does_not_start_the_models_server():
    model = Unserved("hello")
    context = AgentContext.of({**AgentContext(model=model), "shop": 1})
    assert context.model is model
    with pytest.raises(AssertionError, match="started"):
        context["model_url"]


def test_a_mapping_may_name_another_model():
    context = AgentContext.of({"model_url": "http://127.0.0.1:1/x", "model_key": "k"})
    assert (context.model_url, context.model_key) == ("http://127.0.0.1:1/x", "k")
    assert context["model_url"] == "http://127.0.0.1:1/x"


@pytest.mark.parametrize("given", ["shop", 5, [("shop", 1)]])
def test_only_a_mapping_is_a_context(given):
    with pytest.raises(TypeError, match="an agent's context is an AgentContext or a mapping"):
        AgentContext.of(given)


def test_the_names_are_texts():
    with pytest.raises(TypeError, match="the names of an agent's context are texts, found 1"):
        AgentContext.of({1: "x"})


def test_it_is_looked_into_like_a_mapping():
    context = AgentContext.of({"shop": 1})
    assert "shop" in context
    assert "model_url" in context
    assert "shpo" not in context
    assert (context.get("shop"), context.get("shpo"), context.get("shpo", 2)) == (1, None, 2)
    assert list(context) == [*context.keys()]
    assert "shop" in list(context)


def test_no_address_is_no_text_of_none():
    context = AgentContext.of({"model_url": None, "model_key": None})
    assert (context.model_url, context.model_key) == ("", "")


class Shop:
    """An agent whose class makes it with `build`."""

    def __init__(self, shop):
        self.shop = shop

    @classmethod
    def build(cls, context):
        return cls(context.extra.get("shop", "none"))

    def chat(self, messages):
        return f"the shop is {self.shop}"


def test_an_agent_that_its_class_has_built_is_not_built_again():
    context = AgentContext()
    assert bind_agent(Shop("x"), context).call([], None) == "the shop is x"
    assert bind_agent(Shop, AgentContext.of({**context, "shop": "y"})).call([], None) == "the shop is y"
