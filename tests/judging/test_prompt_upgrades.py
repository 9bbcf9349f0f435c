"""A recording goes on to hold when a newer Grice has a newer version of the judge's prompt."""

import asyncio
import shutil

import msgspec
import pytest
from judged import reply

from grice.judging import prompt
from grice.judging.judge import Judge
from grice.judging.satisfy_criteria import satisfy
from grice.llm import bind_llm
from grice.matching.context import resolve_subject
from grice.wire.cassettes import Cassette, CassetteLLM

ANSWER = {"requirement": "be kind", "reasoning": "it is", "quote": "", "satisfied": True}


@pytest.fixture
def upgrade(tmp_path, monkeypatch):
    """A function that gives the criterion prompt a second version."""

    def upgrade(change=lambda text: text.replace("You examine", "You look into")):
        folder = tmp_path / "prompts"
        shutil.copytree(prompt.FOLDER, folder)
        text = (folder / "criterion.v1.md").read_text("utf-8")
        (folder / "criterion.v2.md").write_text(change(text), "utf-8")
        monkeypatch.setattr(prompt, "FOLDER", folder)
        forget()

    def forget():
        prompt.load_prompt.cache_clear()
        prompt.prompt_versions.cache_clear()

    yield upgrade
    monkeypatch.undo()
    forget()


def judged(path, mode, asked, **options):
    """The verdict on a reply with what the cassette has, and what is asked live."""
    with Cassette.open(path, mode, environ={}) as cassette:
        llm = CassetteLLM(bind_llm(lambda messages: asked.append(messages) or ANSWER), cassette, "judge")
        seen = resolve_subject(reply())
        context = seen.context
        judge = Judge(llm, **options)
        context = msgspec.structs.replace(context, judge=judge)
        return asyncio.run(satisfy.function(seen.subject, context, "The reply is kind."))


def test_what_an_older_prompt_asked_is_still_played(tmp_path, upgrade):
    path, asked = tmp_path / "x.jsonl", []
    assert judged(path, "once", asked).judgement.version == 1
    assert len(asked) == 1
    upgrade()
    verdict = judged(path, "none", asked)
    assert (verdict.outcome, verdict.judgement.version, len(asked)) == ("pass", 1, 1)
    assert judged(tmp_path / "new.jsonl", "once", asked).judgement.version == 2


def test_a_pinned_version_is_the_only_one(tmp_path, upgrade):
    path, asked = tmp_path / "x.jsonl", []
    judged(path, "once", asked)
    upgrade()
    verdict = judged(path, "none", asked, prompts={"criterion": 2})
    assert (verdict.outcome, verdict.judgement.version) == ("error", 2)
    assert judged(path, "none", asked, prompts={"criterion": 1}).outcome == "pass"


def test_what_no_version_has_is_told_as_the_latest_puts_it(tmp_path, upgrade):
    path, asked = tmp_path / "x.jsonl", []
    judged(path, "once", asked, max_tokens=100)
    upgrade()
    verdict = judged(path, "none", asked)
    assert (verdict.outcome, verdict.judgement.version) == ("error", 2)
    assert "is not recorded" in verdict.reason


def test_a_version_that_wants_what_is_not_there_any_more_is_passed_over(tmp_path, upgrade, monkeypatch):
    path, asked = tmp_path / "x.jsonl", []
    judged(path, "once", asked, max_tokens=100)
    upgrade()
    (prompt.FOLDER / "criterion.v1.md").write_text(
        (prompt.FOLDER / "criterion.v1.md").read_text("utf-8") + "\n{{weather}}\n", "utf-8"
    )
    verdict = judged(path, "none", asked)
    assert (verdict.outcome, verdict.judgement.version) == ("error", 2)
