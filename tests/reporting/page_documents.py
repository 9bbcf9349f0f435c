"""Documents for pages: one that has everything, and one with a text in every field that others can fill."""

from pathlib import Path

from grice.experiments.aggregation.topic_counts import Move
from grice.records import (
    AgentFailure,
    Classification,
    Conversation,
    Evidence,
    Exchange,
    Judgement,
    Message,
    Outcome,
    Result,
    Sample,
    Simulation,
    ToolCall,
    Turn,
    Verdict,
)
from grice.records.attachment import Attachment
from grice.reporting.document import (
    Answer,
    Code,
    Conversations,
    Document,
    Figure,
    Graph,
    Line,
    Note,
    Point,
    Section,
    Span,
    Table,
    Transcript,
    Trend,
    Verdicts,
)
from grice.reporting.graph_drawing import DrawnGraph, DrawnTopic

PAYLOADS = (Path(__file__).parent / "hostile_markup.txt").read_text("utf-8").splitlines()


def call(name="order_status", result='{"status": "open"}', **arguments) -> ToolCall:
    return ToolCall(name, arguments, id="call_1", result=result)


def refund(outcome=Outcome.FAIL, key="refund", *, repeat=1) -> Result:
    """Three turns: a tool call, words that are evidence, and what the model was told."""
    status = call(order_id="A101")
    told = {"model": "test-model", "system": "Be kind.", "messages": [{"role": "user", "content": "Hello"}]}
    turns = (
        Turn(1, (Message("user", "Hello"), Message("assistant", "Hello! How can I help?"))),
        Turn(
            2,
            (
                Message("user", "It arrived broken. I want my money back."),
                Message("assistant", "I'm sorry to hear that! I've refunded 49.90 EUR to your card."),
            ),
            exchanges=(
                Exchange(told),
                Exchange({**told, "messages": [*told["messages"], *told["messages"]]}),
            ),
        ),
        Turn(
            3,
            (
                Message("user", "When will it arrive?"),
                Message("assistant", "", (status,)),
                Message("tool", '{"status": "open"}', tool_call_id="call_1"),
                Message("assistant", "It is on its way."),
            ),
            (status,),
        ),
    )
    verdicts = (
        Verdict(
            outcome,
            "refund_order was not called",
            (Evidence("refunded 49.90 EUR", 2),),
            "claimedWithoutAction",
            "the reply to claim nothing that no tool did",
            turn=2,
        ),
        Verdict(
            Outcome.PASS,
            "",
            (Evidence("order_status(order_id='A101')", 3, path="tool_calls[0]"),),
            "toCallTool",
            "the reply to call order_status",
            turn=3,
            detail={"tool": "order_status"},
        ),
    )
    return Result(
        f"example:{key}", key, outcome, Conversation(key, turns), verdicts, repeat=repeat, duration=4.1
    )


def soft_failure(key="friendly") -> Result:
    said = (Message("user", "Hi"), Message("assistant", "What do you want?"))
    verdict = Verdict(
        Outcome.FAIL,
        "It is curt.",
        (Evidence("What do you want?", 1, 0, 17),),
        "toSatisfy",
        "the reply to satisfy friendly",
        mode="soft",
        turn=1,
        criterion="friendly",
        score=2,
    )
    return Result(f"example:{key}", key, Outcome.PASS, Conversation(key, (Turn(1, said),)), (verdict,))


def results() -> list[Result]:
    """Two that fail, one of each other outcome, and three that pass."""
    others = [refund(one, str(one)) for one in (Outcome.ERROR, Outcome.INCONCLUSIVE, Outcome.SKIPPED)]
    passing = [refund(Outcome.PASS, f"passing_{number}") for number in range(3)]
    return [*passing, *others, soft_failure(), refund(), refund(key="refund_abroad")]


def document(shown: list[Result] | None = None, newly=frozenset({"example:refund"})) -> Document:
    """A document with every type of part."""
    topics = (DrawnTopic("greeting", 3, 1), DrawnTopic("orders", 2), DrawnTopic("returns"))
    moves = (
        Move("greeting", "orders", 2, True),
        Move("orders", "returns", 0, True),
        Move("orders", "greeting", 1, False),
    )
    trend = Trend("Completion", (Point("v1", 0.7, 0.6, 0.8), Point("v2", 0.9, 0.8, 0.95), Point("v3", None)))
    one = refund()
    return Document(
        "experiment",
        "Prompt v3",
        Answer("1 test newly fails: refund", "bad", "2 of 9 failed."),
        (Line("exp_1, main"),),
        (
            Figure("Completion", 7, 9, 0.45, 0.94),
            Figure("friendly", 1, 2, word="passed"),
            Note("One judge is uncalibrated."),
            Conversations(results() if shown is None else shown, newly=newly),
            Section("Topics", (Graph(DrawnGraph(topics, moves, "Topics", "greeting")),), folded=False),
            Section("Trend", (trend,)),
            Section(
                "More",
                (
                    Table(
                        ("", "Gate", "Found"),
                        (("FAIL", "completion", "78%"),),
                        ("left", "left", "right"),
                        tones=("bad",),
                    ),
                    Line((Span("run "), Span("grice gate", "code")), bullet=True, under=(Line("and look"),)),
                    Code("grice gate"),
                    Section("Inner", (Line("words"),), quiet=True),
                    Verdicts(one.verdicts),
                    Transcript(one.conversation.turns, 2, one.verdicts),
                ),
            ),
        ),
    )


def hostile_result(text: str, number: int, outcome: Outcome) -> Result:
    """A result with the text wherever a model, a tool, a judge, a file or a user can put one."""
    asked = ToolCall(
        text, {text: text, "deep": [{text: [text]}]}, id="1", result={text: [text, {text: text}]}
    )
    broken = ToolCall(text, {}, id="2", raw_arguments=text, error=text)
    wire = ToolCall(text, {text: text}, id="3", result=text, source="wire")
    request = {
        "model": text,
        "system": text,
        "temperature": text,
        "tools": [{"name": text, "description": text}],
        "messages": [
            {"role": text, "content": text, text: text},
            {"role": "user", "content": [{"type": "text", "text": text}, {"type": text, text: text}]},
        ],
    }
    said = (
        Message("user", f"asks {text}", attachments=(Attachment(text, text, url=text),)),
        Message("assistant", f"narrates {text}", (asked, broken)),
        Message("tool", text, tool_call_id="1", name=text),
        Message("tool", text, tool_call_id="2", name=text, is_error=True),
        Message("tool", text, tool_call_id="nobody's", name=text),
        Message("system", text),
        Message("assistant", f"answers {text} and {text}"),
    )
    turn = Turn(
        1,
        said,
        (asked, broken, wire),
        (Exchange(request, error=text), Exchange(request, dialect=text)),
        {text: text},
        AgentFailure("raised", text, text, text),
        0.1,
        classified=Classification(text, "trigger", text),
    )
    judgement = Judgement(text, 1, text, text, (Sample({text: text}),))
    verdict = Verdict(
        outcome,
        text,
        (Evidence(text, 1, note=text), Evidence(f"not said {text}", 1, path=text, note=text)),
        text,
        f"the reply to be {text}",
        turn=1,
        criterion=text,
        judgement=judgement,
        detail={text: text},
        parts=(Verdict(outcome, text, criterion=text, judgement=judgement),),
    )
    whole = Verdict(outcome, text, (), "toContain", f"the conversation to contain {text}")
    soft = Verdict(
        Outcome.FAIL, text, (Evidence(text, 1),), "toSatisfy", text, mode="soft", turn=1, criterion=text
    )
    conversation = Conversation(
        text,
        (turn,),
        text,
        text,
        "goal_reached",
        {text: text},
        (Simulation(1, 1, "goal_reached", text, text, text, text),),
    )
    return Result(
        f"example:{number}{outcome}", text, outcome, conversation, (verdict, whole, soft), "none", text, text,
        set_name=text, conduct=(soft,),
    )  # fmt: skip


def results_document(shown) -> Document:
    """Some conversations, and nothing else."""
    return Document("experiment", "", Answer("x"), parts=(Conversations(shown),))


def hostile_document(payloads=PAYLOADS) -> Document:
    """Every payload in every field, in conversations that failed and in some that passed."""
    shown = [
        hostile_result(text, number, outcome)
        for number, text in enumerate(payloads)
        for outcome in (Outcome.FAIL, Outcome.PASS)
    ]
    return Document(
        "experiment",
        payloads[0],
        Answer(payloads[1], "bad", payloads[2]),
        tuple(Line(one) for one in payloads),
        (
            Conversations(shown, newly=frozenset(one.id for one in shown)),
            *(part for one in payloads for part in _parts(one)),
        ),
    )


def _parts(text: str):
    marks = tuple(Span(text, tone) for tone in ("", "strong", "faint", "good", "warn", "bad", "mark", "code"))
    graph = DrawnGraph(
        (DrawnTopic(text, 1), DrawnTopic("other")), (Move(text, "other", 1, False),), text, text
    )
    yield Figure(text, 1, 2, 0.1, 0.9, text)
    yield Note(text)
    yield Line(marks, bullet=True, under=(Line(text),))
    yield Table((text, "x"), ((text, marks),))
    yield Code(text)
    yield Section(
        text, (Graph(graph), Trend(text, (Point(text, 0.5, 0.4, 0.6), Point(text, None)))), folded=False
    )
    one = hostile_result(text, 0, Outcome.FAIL)
    yield Section(text, (Section(text, (Verdicts(one.verdicts),), quiet=True),))
    yield Transcript(one.conversation.turns, 1, one.verdicts)
