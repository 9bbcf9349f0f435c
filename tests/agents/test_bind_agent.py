import asyncio
import functools
import inspect

import pytest

from grice.agents import AgentContext, AgentLoadError, bind_agent

MESSAGES = [
    {"role": "user", "content": "first"},
    {"role": "assistant", "content": "ok"},
    {"role": "user", "content": "last"},
]


def ignore(*args, **kwargs):
    return None


def asked(target, context=None):
    answer = bind_agent(target, context).call(MESSAGES, ignore)
    return asyncio.run(answer) if inspect.isawaitable(answer) else answer


def plain(messages):
    return len(messages)


def annotated(words: str):
    return words


async def asynchronous(messages):
    return len(messages)


class WithChat:
    def chat(self, messages):
        return len(messages)


class WithAsyncChat:
    async def chat(self, messages, on_tool_call):
        on_tool_call("seen")
        return len(messages)


class Callable:
    def __call__(self, text):
        return text


class TakesContext:
    def __init__(self, context):
        self.context = context

    def chat(self, messages):
        return self.context.test_name


class InheritsConstructor(TakesContext):
    pass


class AnnotatedContext:
    def __init__(self, given: "AgentContext"):
        self.given = given

    def chat(self, messages):
        return self.given.test_name


class Builder:
    def build(self, context):
        return TakesContext(context)


class StaticBuilder:
    @staticmethod
    def build(context):
        return TakesContext(context)


class ClassBuilder:
    @classmethod
    def build(cls, context):
        return TakesContext(context)


def factory(context):
    return TakesContext(context)


def annotated_factory(given: AgentContext):
    return TakesContext(given)


def factory_with_shop(context, shop):
    return lambda messages: f"{context.test_name} {shop}"


@pytest.mark.parametrize(
    ("target", "answer"),
    [
        (plain, 3),
        (asynchronous, 3),
        (lambda text: text, "last"),
        (lambda prompt: prompt, "last"),
        (lambda anything: len(anything), 3),
        (annotated, "last"),
        (functools.partial(annotated), "last"),
        (functools.partial(plain), 3),
        (functools.wraps(annotated)(lambda *args: args[0]), "last"),
        (Callable(), "last"),
        (Callable, "last"),
        (Callable().__call__, "last"),
        (WithChat(), 3),
        (WithChat, 3),
        (WithChat().chat, 3),
        (WithAsyncChat(), 3),
        (lambda *messages: len(messages[0]), 3),
        (len, 3),
    ],
)
def test_calls_an_agent_with_the_messages_or_the_last_user_text(target, answer):
    assert asked(target) == answer


@pytest.mark.parametrize(
    "target",
    [
        factory,
        annotated_factory,
        lambda ctx: TakesContext(ctx),
        functools.partial(factory_with_shop, shop="x"),
        TakesContext,
        InheritsConstructor,
        AnnotatedContext,
        Builder,
        Builder(),
        StaticBuilder,
        ClassBuilder,
    ],
)
def test_makes_the_agent_of_one_conversation_with_its_context(target):
    assert asked(target, AgentContext(test_name="my test")) in ("my test", "my test x")


def test_each_binding_makes_an_agent_of_its_own():
    made = []
    for _ in range(2):
        bind_agent(lambda context: made.append(WithChat()) or made[-1])
    assert len(made) == 2


def test_a_signalling_agent_gets_on_tool_call_and_another_does_not():
    signalled = []
    bound = bind_agent(WithAsyncChat())
    asyncio.run(bound.call(MESSAGES, lambda name, **rest: signalled.append(name)))
    bind_agent(WithChat()).call(MESSAGES, lambda *args: signalled.append("never"))
    bind_agent(lambda messages, *, on_tool_call: on_tool_call("keyword")).call(MESSAGES, signalled.append)
    assert signalled == ["seen", "keyword"]


def raises(context):
    raise OSError("no shop")


async def coroutine_factory(context):
    return plain


class NeedsMore:
    def __init__(self, shop):
        self.shop = shop


@pytest.mark.parametrize(
    ("target", "message"),
    [
        (None, "None is not an agent: expected a callable, an object with chat"),
        (42, "42 is not an agent"),
        ("app:agent", "'app:agent' is not an agent"),
        (object(), "is not an agent"),
        (object, "is not an agent"),
        (lambda: "hi", "takes no positional argument"),
        (lambda context: None, "<lambda>(context) returned None, expected an agent"),
        (lambda context: 5, "5 is not an agent"),
        (raises, "making the agent with raises(context) raised OSError: no shop"),
        (coroutine_factory, "coroutine_factory(context) is asynchronous"),
        (NeedsMore, "making the agent with NeedsMore() raised TypeError"),
    ],
)
def test_says_what_is_wrong_with_what_is_no_agent(target, message):
    with pytest.raises(AgentLoadError) as caught:
        bind_agent(target)
    assert message in str(caught.value)


class Described(WithChat):
    def __init__(self, value):
        self.value = value

    def metadata(self):
        if isinstance(self.value, Exception):
            raise self.value
        return self.value


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ({"model": "m", "n": (1, 2)}, {"model": "m", "n": [1, 2]}),
        ({}, {}),
        ("v1", {"metadata": "v1"}),
        (None, {"metadata": None}),
    ],
)
def test_keeps_what_the_agent_says_about_itself(value, kept):
    assert bind_agent(Described(value)).metadata() == kept
    assert bind_agent(WithChat()).metadata() == {}


def test_metadata_that_fails_names_the_agent():
    with pytest.raises(AgentLoadError, match=r"metadata\(\) of agent Described raised ValueError: bad"):
        bind_agent(Described(ValueError("bad"))).metadata()


def test_a_factory_may_be_given_a_mapping():
    context = AgentContext(test_name="t")
    bound = bind_agent(lambda context: lambda text: f"{context.test_name} {context['shop']}", context)
    with pytest.raises(KeyError):
        bound.call([{"role": "user", "content": "hi"}], ignore)
    given = {**context, "shop": "Blue"}
    assert asked(lambda context: lambda text: f"{context.test_name} {context['shop']}", given) == "t Blue"
