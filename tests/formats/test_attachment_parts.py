"""Attachments in the formats: as their own content parts, or told as a loss."""

import pytest

from grice.formats import FORMATS, Loss, read_conversation, to_anthropic, to_openai_chat, to_openai_responses
from grice.formats.writing import write_conversation
from grice.records import Attachment, Message

IMAGE = Attachment.of(b"abc", name="a.png")
SOUND = Attachment.of(b"abc", name="a.wav")
PAPER = Attachment.of(b"abc", name="a.pdf")
FAR_IMAGE = Attachment.of("http://127.0.0.1:9/a.png")
FAR_PAPER = Attachment.of("http://127.0.0.1:9/a.pdf")
PNG_DATA = "data:image/png;base64,YWJj"
PDF_DATA = "data:application/pdf;base64,YWJj"


def asked(*attachments, text="What is this?"):
    return [Message("user", text, attachments=attachments), Message("assistant", "A cat.")]


@pytest.mark.parametrize(
    ("write", "attachment", "part"),
    [
        (to_openai_chat, IMAGE, {"type": "image_url", "image_url": {"url": PNG_DATA}}),
        (to_openai_chat, FAR_IMAGE, {"type": "image_url", "image_url": {"url": FAR_IMAGE.url}}),
        (to_openai_chat, SOUND, {"type": "input_audio", "input_audio": {"data": "YWJj", "format": "wav"}}),
        (to_openai_chat, PAPER, {"type": "file", "file": {"filename": "a.pdf", "file_data": PDF_DATA}}),
        (
            to_anthropic,
            IMAGE,
            {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "YWJj"}},
        ),
        (to_anthropic, FAR_IMAGE, {"type": "image", "source": {"type": "url", "url": FAR_IMAGE.url}}),
        (
            to_anthropic,
            FAR_PAPER,
            {"type": "document", "source": {"type": "url", "url": FAR_PAPER.url}, "title": "a.pdf"},
        ),
        (to_openai_responses, IMAGE, {"type": "input_image", "image_url": PNG_DATA, "detail": "auto"}),
        (to_openai_responses, PAPER, {"type": "input_file", "filename": "a.pdf", "file_data": PDF_DATA}),
        (
            to_openai_responses,
            FAR_PAPER,
            {"type": "input_file", "filename": "a.pdf", "file_url": FAR_PAPER.url},
        ),
    ],
)
def test_the_providers_own_part_stands_behind_the_text(write, attachment, part):
    losses = []
    first, answer = write(asked(attachment), losses=losses)
    text_type = "input_text" if write is to_openai_responses else "text"
    assert first == {"role": "user", "content": [{"type": text_type, "text": "What is this?"}, part]}
    assert answer == {"role": "assistant", "content": "A cat."}
    assert losses == []
    assert write(asked(attachment, text=""))[0]["content"] == [part]


@pytest.mark.parametrize(("write", "attachment"), [(to_openai_chat, FAR_PAPER), (to_anthropic, SOUND)])
def test_one_that_a_provider_does_not_take_is_a_loss_and_the_others_are_written(write, attachment):
    losses = []
    written = write(asked(IMAGE, attachment), losses=losses)
    assert len(written[0]["content"]) == 2
    assert losses == [Loss("messages[0].attachments[1]", f"the attachment '{attachment.name}'")]


@pytest.mark.parametrize("form", sorted(set(FORMATS) - {"openai_chat", "anthropic", "openai_responses"}))
def test_formats_without_attachments_say_so(form):
    _, losses = write_conversation(asked(IMAGE), form)
    assert losses == [Loss("messages[0].attachments[0]", "the attachment 'a.png'")]


def test_what_was_written_is_read_back_and_written_the_same():
    written = to_openai_chat(asked(IMAGE))
    assert to_openai_chat(read_conversation(written)) == written
