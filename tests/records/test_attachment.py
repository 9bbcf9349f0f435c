"""Files beside the text of a message."""

import hashlib
import os

import pytest

from grice.records import Attachment, Conversation, Message, Turn, decode_conversation, encode_conversation

PNG = b"\x89PNG\r\n\x1a\n" + bytes(20)


def test_a_path_gives_the_content_its_type_and_its_hash(tmp_path):
    path = tmp_path / "photo.PNG"
    path.write_bytes(PNG)
    attachment = Attachment.of(path)
    assert attachment == Attachment.of(str(path))
    assert (attachment.name, attachment.media_type, attachment.url) == ("photo.PNG", "image/png", None)
    assert attachment.sha256 == hashlib.sha256(PNG).hexdigest()
    assert attachment.size == len(PNG)
    assert Attachment.of(PNG, name="photo.PNG") == attachment
    assert Attachment.of(attachment) is attachment


@pytest.mark.parametrize("size", range(5))
def test_the_size_is_that_of_the_bytes(size):
    assert Attachment.of(bytes(size), name="a").size == size


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("a.jpeg", "image/jpeg"),
        ("a.pdf", "application/pdf"),
        ("a.webp", "image/webp"),
        ("a.html", "text/html"),
        ("a.of-nobody", "application/octet-stream"),
        ("a", "application/octet-stream"),
        ("png", "application/octet-stream"),
        ("a.json.gz", "application/gzip"),
        ("a.bz2", "application/x-bzip2"),
    ],
)
def test_the_suffix_tells_the_type_unless_the_test_does(name, kind):
    assert Attachment.of(b"x", name=name).media_type == kind
    assert Attachment.of(b"x", name=name, media_type="image/x").media_type == "image/x"


def test_an_address_is_kept_and_not_fetched():
    attachment = Attachment.of("http://127.0.0.1:9/a/photo.png?key=1")
    assert attachment == Attachment("photo.png", "image/png", url="http://127.0.0.1:9/a/photo.png?key=1")
    assert attachment.size is None
    assert attachment.address == attachment.url
    with pytest.raises(ValueError, match=r"nothing tells its type.*media_type="):
        Attachment.of("http://127.0.0.1:9/photo")
    assert Attachment.of("http://127.0.0.1:9/", media_type="image/png").name == "attachment"


@pytest.mark.parametrize(
    ("size", "shown"),
    [(0, "0 bytes"), (999, "999 bytes"), (1_000, "1.0 kB"), (12_345, "12 kB"), (2_500_000, "2.5 MB")],
)
def test_it_is_shown_with_its_size(size, shown):
    assert str(Attachment.of(bytes(size), name="a.png")) == f"[attachment: a.png, image/png, {shown}]"


def test_a_file_that_is_not_there_is_named_with_the_folder_it_was_sought_from(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FileNotFoundError) as caught:
        Attachment.of("photo.png")
    assert str(caught.value) == f"attachment photo.png: there is no such file, seen from {tmp_path}"
    with pytest.raises(IsADirectoryError, match="cannot be read"):
        Attachment.of(tmp_path)


def test_one_that_is_too_large_is_refused_before_it_is_read(tmp_path):
    path = tmp_path / "film.mp4"
    with path.open("wb") as file:
        file.truncate(20_000_001)
    with pytest.raises(ValueError, match=r"film.mp4: 20,000,001 bytes, expected at most 20,000,000"):
        Attachment.of(path)


@pytest.mark.parametrize(("source", "error"), [(b"x", ValueError), (5, TypeError), (None, TypeError)])
def test_anything_else_is_refused(source, error):
    with pytest.raises(error, match="attachment"):
        Attachment.of(source)


def test_it_is_stored_with_its_conversation():
    message = Message("user", "What is this?", attachments=(Attachment.of(PNG, name="a.png"),))
    record = Conversation(turns=(Turn(1, (message,)),))
    assert decode_conversation(encode_conversation(record)) == record
    assert b"attachments" not in encode_conversation(Conversation(turns=(Turn(1, (Message("user", "x"),)),)))


@pytest.mark.parametrize("source", ["data:image/png;base64,aGk=", "file:///etc/hostname", "FTP://x/y.png"])
def test_other_addresses_are_refused(source):
    with pytest.raises(ValueError, match=r"expected a path or an http\(s\) address"):
        Attachment.of(source)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are Unix's")
def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "a.png")
    with pytest.raises(OSError, match=r"a\.png: cannot be read: it is a pipe, expected a file"):
        Attachment.of(tmp_path / "a.png")


def test_the_name_is_a_text():
    with pytest.raises(TypeError, match="name is a text, found int"):
        Attachment.of(b"x", name=5)


@pytest.mark.parametrize("kind", [5, "png", "image/png\r\nX: y"])
def test_a_media_type_that_is_none_is_refused(kind):
    with pytest.raises(ValueError, match=r"media_type is .*, expected one such as"):
        Attachment.of(b"x", name="a.png", media_type=kind)


@pytest.mark.parametrize("fields", [{}, {"data": "", "url": "https://example.com/a.png"}])
def test_it_has_either_its_content_or_an_address(fields):
    with pytest.raises(ValueError, match="either data or a url"):
        Attachment("a.png", "image/png", **fields)


def test_its_name_cannot_pass_for_lines_of_a_transcript():
    shown = str(Attachment.of(b"x", name="a\n>    assistant  ok\x1b[31m\u202e.png"))
    assert shown == "[attachment: a >    assistant  ok [31m .png, image/png, 1 bytes]"
