import json
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grice.identity import redact, redact_text, redacted_arguments
from grice.running.journal.experiment import new_experiment

SHAPES = [
    ("sk-proj-Abc123def456ghi", "[redacted: api key]"),
    ("sk-ant-api03-abcdefgh", "[redacted: api key]"),
    ("AKIAIOSFODNN7EXAMPLE", "[redacted: api key]"),
    ("AIza" + "a1" * 17 + "b", "[redacted: api key]"),
    ("sk_live_abcdefgh1234", "[redacted: api key]"),
    ("ghp_" + "a1B2" * 9, "[redacted: token]"),
    ("github_pat_11ABCDEFG0123456789_abc", "[redacted: token]"),
    ("xoxb-123456789012-abcdef", "[redacted: token]"),
    ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl", "[redacted: token]"),
    ("Bearer abc.def-123", "Bearer [redacted: token]"),
    ("-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc=\n-----END RSA PRIVATE KEY-----", "[redacted: private key]"),
    ("https://bob:hunter2@example.com/x", "https://bob:[redacted: password]@example.com/x"),
    ("postgres://bob:p@ss@db/x", "postgres://bob:[redacted: password]@db/x"),
    ("Authorization: Basic Ym9iOmh1bnRlcg==", "Authorization: Basic [redacted: authorization]"),
    ("Cookie: session=abc; theme=dark", "Cookie: [redacted: cookie]"),
    ("OPENAI_API_KEY=abcdef", "OPENAI_API_KEY=[redacted: api key]"),
    ("https://x.com/?q=1&access_token=abc&b=2", "https://x.com/?q=1&access_token=[redacted: token]&b=2"),
    ('{"password": "hun\\"ter 2", "n": 1}', '{"password": "[redacted: password]", "n": 1}'),
    (r"{\"client_secret\": \"abc\"}", r"{\"client_secret\": \"[redacted: secret]\"}"),
]


@pytest.mark.parametrize(("secret", "shown"), SHAPES)
def test_hides_secrets_in_text_and_names_their_kind(secret, shown):
    assert (
        redact_text(f"see {secret} there".replace("dark there", "dark")).replace(" there", "")
        == f"see {shown}"
    )


def test_hides_a_private_key_that_is_cut_off():
    assert redact_text("a -----BEGIN PRIVATE KEY-----\nMIIE") == "a [redacted: private key]"


@pytest.mark.parametrize(
    "text",
    [
        "The task-list and the risk-free sk-learn-pipeline are fine.",
        "Bearer authentication is required.",
        "Your password: it must have eight characters.",
        "Choose a token, a cookie or a secret.",
        '{"max_tokens": 5, "token_count": "3", "eos_token": "</s>"}',
        "max_tokens=100&input_tokens=5",
        "http://localhost:8080/a@b",
        "Cookie: chocolate chip",
        "",
    ],
)
def test_leaves_ordinary_text_alone(text):
    assert redact_text(text) == text


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("authorization", "authorization"),
        ("Proxy-Authorization", "authorization"),
        ("api_key", "api key"),
        ("x-api-key", "api key"),
        ("openaiApiKey", "api key"),
        ("token", "token"),
        ("access_token", "token"),
        ("Client Secret", "secret"),
        ("db_password", "password"),
        ("Set-Cookie", "cookie"),
        ("PRIVATE_KEY", "private key"),
    ],
)
def test_hides_what_stands_under_a_secrets_name(name, kind):
    hidden = f"[redacted: {kind}]"
    assert redact({name: "x y"}) == {name: hidden}
    assert redact({name: 1234}) == {name: hidden}
    assert redact({name: ["x", {"scheme": "y"}]}) == {name: [hidden, {"scheme": hidden}]}
    assert redact({"headers": [{"name": name, "value": "x"}]}) == {
        "headers": [{"name": name, "value": hidden}]
    }


@pytest.mark.parametrize(
    "value",
    [
        {"max_tokens": 5, "token_count": 3, "input_tokens": 1, "tokens": ["a", "b"], "tokenizer": "x"},
        {"password": None, "token": "", "secret": True},
        {"properties": {"password": {"type": "string", "description": "At least 8 characters"}}},
        {"logprobs": [{"token": "Hello", "logprob": -0.1}]},
        {"next_page_token": "abc", "bos_token": "<s>"},
        {"required": ["password", "user"]},
        {"criteria": {"token": f"sha256:{'0a' * 32}", "password": f"sha256:{'f' * 64}"}},
    ],
)
def test_leaves_fields_alone_that_only_sound_secret(value):
    assert redact(value) == value


@pytest.mark.parametrize(
    "value", [f"sha256:{'f' * 63}", f"sha256:{'f' * 65}", f"sha256:{'F' * 64}", "f" * 64, "sha256:hunter2"]
)
def test_only_a_whole_fingerprint_is_no_secret(value):
    assert redact({"token": value}) == {"token": "[redacted: token]"}
    assert redact({"headers": [{"name": "token", "value": value}]}) != {
        "headers": [{"name": "token", "value": value}]
    }


def test_copies_and_does_not_change_its_argument():
    value = {"a": [{"token": "x"}]}
    assert redact(value) == {"a": [{"token": "[redacted: token]"}]}
    assert value == {"a": [{"token": "x"}]}


soup = st.lists(
    st.sampled_from([secret for secret, _ in SHAPES])
    | st.sampled_from(
        [
            "sk-",
            "Bearer ",
            "token=",
            '"password": "',
            "://a:",
            "@",
            "[redacted: token]",
            "cookie: a=",
            "-",
            " ",
        ]
    )
    | st.text(max_size=5),
    max_size=8,
).map("".join)


@given(soup)
def test_redacting_again_changes_nothing(text):
    once = redact({"a": text, text: [text], "token": text})
    assert redact(once) == once


secrets = st.text(string.ascii_letters + string.digits, min_size=20, max_size=30).map("Zq7".__add__)
phrases = st.text("abc .,;\n", max_size=20)
frames = st.sampled_from(
    [
        "sk-{}",
        "Bearer {}",
        "ghp_{}",
        "xoxp-{}",
        "eyJ{0}.eyJ{0}.{0}",
        "https://u:{}@h",
        "api_key={}",
        "Cookie: a={}",
    ]
)


@given(secrets, phrases, frames, phrases)
def test_never_keeps_the_secret(secret, before, frame, after):
    text = f"{before} {frame.format(secret)} {after}"
    assert secret not in redact_text(text)
    assert secret not in json.dumps(redact({"note": [text], "x-api-key": secret, "Cookie": {"a": secret}}))


@pytest.mark.timeout(30)
@pytest.mark.parametrize(
    "piece",
    [
        "sk-",
        "eyJ",
        "eyJaaaaaaaaa.",
        "://a:",
        "Bearer ",
        "password=",
        '"token":"',
        "token_",
        "-----BEGIN PRIVATE KEY-----",
    ],
)
def test_hostile_text_takes_linear_time(piece):
    text = piece * (300_000 // len(piece))
    assert len(redact_text(text)) <= len(text) * 4  # a quadratic pattern takes minutes


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        ("--db-password Xy7hunter2 tests", "--db-password [redacted: password] tests"),
        ("--passphrase=Xy7hunter2 -x", "--passphrase=[redacted: password] -x"),
        ("--API_KEY Xy7 --token a=b", "--API_KEY [redacted: api key] --token [redacted: token]"),
        ("--password -v tests", "--password -v tests"),
        ("--password --token Xy7", "--password --token [redacted: token]"),
        ("-k token tests --max-tokens 5", "-k token tests --max-tokens 5"),
        (
            "--url http://me:Xy7@host -o token=Xy7",
            "--url http://me:[redacted: password]@host -o token=[redacted: token]",
        ),
        ("--password", "--password"),
    ],
)
def test_hides_what_follows_the_name_of_a_secret_on_a_command_line(command, shown):
    found = redacted_arguments(["pytest", *command.split(" ")])
    assert " ".join(found) == f"pytest {shown}"
    assert redacted_arguments(found) == found


def test_the_head_of_a_run_has_no_secret_of_its_command_line():
    head = new_experiment(command=("pytest", "--db-password", "Xy7hunter2"))
    assert head.command == ("pytest", "--db-password", "[redacted: password]")
