"""Encoded records lose the same secrets as decoded ones."""

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grice.identity import redact
from grice.identity.redacted_json import redacted_json

SECRETS = (
    "password=hunter2",
    'say \\"token\\": \\"abc\\"',
    '{"api_key": "abcdef"}',
    "authorization: Basic abc",
    "api-key: abc",
    "Cookie: sid=1",
    "https://me:pw@host/",
    "sk-ant-abcdefgh1",
    "AKIAABCDEFGHIJKLMNOP",
    "AIza" + "a" * 35,
    "sk_live_abcdefgh",
    "gsk_" + "a" * 20,
    "hf_" + "a" * 20,
    "xai-" + "a" * 20,
    "npm_" + "a" * 20,
    "ghp_" + "a" * 16,
    "github_pat_" + "a" * 20,
    "glpat-" + "a" * 16,
    "xoxb-abcdefgh",
    "eyJabcdefghi.eyJabcd.x",
    "Bearer abcdefgh1",
    "-----BEGIN RSA PRIVATE KEY-----\nabc",
    "password: hunter2",
    "{'password': 'abc'}",
    "curl -u admin:abc",
    f"?X-Amz-Signature={'0f' * 32}",
    "auth=('a', 'b')",
    "Basic Ym9iOmh1bnRlcg==",
    "https%3A%2F%2Fbob%3Ahunter2%40x.com",
    "SG.abcdefghijklmnop.abcdefghijklmnop",
    "ya29.abcdefghijklmnopqrst",
    "GOCSPX-abcdefghijklmnopqrst",
    "whsec_abcdefghijklmnopqrst",
    "passphrase=abc",
    "passcode=abc",
    "credentials=abc",
    "JSESSIONID=abc",
    "PHPSESSID=abc",
)
FINGERPRINT = f"sha256:{'0f' * 32}"
NAMES = (
    FINGERPRINT,
    "name",
    "key",
    "value",
    "text",
    "logprob",
    "max_tokens",
    "pass\tword",
    "Api-Key",
    "x.token",
    "a\\b",
)
TEXTS = st.sampled_from(
    (
        *(*SECRETS, *NAMES, "", "hello", "Authorization", FINGERPRINT, 'a "quoted" \\ text', "\u212a\u2028"),
        *("x-api-key", "password", "hunter2-horse", "it is hunter2-horse", "--password", "curl", "-u", "a:b"),
    )
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | TEXTS,
    lambda one: st.lists(one, max_size=3) | st.dictionaries(TEXTS, one, max_size=4),
    max_leaves=12,
)


@given(VALUES)
def test_it_is_redact_of_the_decoded_value(value: object) -> None:
    assert msgspec.json.decode(redacted_json(msgspec.json.encode(value))) == redact(value)


@pytest.mark.parametrize("secret", SECRETS)
def test_every_shape_of_secret_is_found(secret: str) -> None:
    encoded = msgspec.json.encode({"key": "k", "messages": [{"content": f"so: {secret}"}]})
    assert json.loads(redacted_json(encoded)) == redact(json.loads(encoded)) != json.loads(encoded)


def test_a_text_without_secrets_comes_back_as_it_is() -> None:
    encoded = msgspec.json.encode(
        {"key": "k", "text": 'https://example.org/a?monkey=1 \\ "x"', "max_tokens": 5}
    )
    assert redacted_json(encoded) is encoded


def test_a_name_with_an_equals_sign_hides_what_stands_beside_it() -> None:
    pairs = [["_=Token\n", "K_tokens"]]
    assert msgspec.json.decode(redacted_json(msgspec.json.encode(pairs))) == redact(pairs) != pairs
