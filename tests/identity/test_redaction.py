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
    (r"{\\\"pin_token\\\": \\\"ab\\\"}", r"{\\\"pin_token\\\": \\\"[redacted: token]\\\"}"),
    ('{"token": 1234, "ok": true}', '{"token": "[redacted: token]", "ok": true}'),
    (
        '{"cookies": {"a": "b", "n": [1]}}',
        '{"cookies": {"a": "[redacted: cookie]", "n": ["[redacted: cookie]"]}}',
    ),
    ("{'password': 'it\\'s me', 'n': 1}", "{'password': '[redacted: password]', 'n': 1}"),
    ("Login(user='bob', password='x y')", "Login(user='bob', password='[redacted: password]')"),
    ("[['x-api-key', 'abc'], ['a', 'b']]", "[['x-api-key', '[redacted: api key]'], ['a', 'b']]"),
    ("[(b'Cookie', b'a=b')]", "[(b'Cookie', b'[redacted: cookie]')]"),
    ('{"name": "X-Api-Key", "value": "abc"}', '{"name": "X-Api-Key", "value": "[redacted: api key]"}'),
    ("password: hunter2", "password: [redacted: password]"),
    ("My password is hunter2-horse.", "My password is [redacted: password]."),
    ("**Password:** `hunter2`", "**Password:** `[redacted: password]`"),
    ("api_key: 'abc'", "api_key: '[redacted: api key]'"),
    ("aws_secret_access_key = wJalrXUtn7/EMI", "aws_secret_access_key = [redacted: api key]"),
    ("| token | Ab3dEf6h |", "| token | [redacted: token] |"),
    ("user[password]=abc&b=1", "user[password]=[redacted: password]&b=1"),
    ("deploy --api-key Ab3dEf6h -v", "deploy --api-key [redacted: api key] -v"),
    ("curl -s -u admin:abc https://x.com", "curl -s -u admin:[redacted: password] https://x.com"),
    ("curl --user admin:abc", "curl --user admin:[redacted: password]"),
    ("auth=('admin', 'abc')", "auth=('admin', '[redacted: password]')"),
    (f"/k?X-Amz-Signature={'0f' * 32}&a=1", "/k?X-Amz-Signature=[redacted: signature]&a=1"),
    ("to=https%3A%2F%2Fbob%3Ahunter2%40x.com", "to=https%3A%2F%2Fbob%3A[redacted: password]%40x.com"),
    ("Basic Ym9iOmh1bnRlcg==", "Basic [redacted: authorization]"),
    ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0", "[redacted: token]"),
    ("SG.abcdefghijklmnop.abcdefghijklmnop", "[redacted: api key]"),
    (
        "$.password: found 'a', expected 'b'",
        "$.password: found '[redacted: password]', expected '[redacted: another password]'",
    ),
    (
        "the value at $.token of the reply to equal 'a'",
        "the value at $.token of the reply to equal '[redacted: token]'",
    ),
]


@pytest.mark.parametrize(("secret", "shown"), SHAPES)
def test_hides_secrets_in_text_and_names_their_kind(secret, shown):
    assert (
        redact_text(f"see {secret} there".replace("dark there", "dark")).replace(" there", "")
        == f"see {shown}"
    )


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("password: abc", "password: [redacted: password]"),
        ("  - client-secret: abc", "  - client-secret: [redacted: secret]"),
        ("E   password: abc", "E   password: [redacted: password]"),
        ("export PASSWORD: abc", "export PASSWORD: [redacted: password]"),
        ("{user: bob, password: abc}", "{user: bob, password: [redacted: password]}"),
        ("{password: abc, user: bob}", "{password: [redacted: password], user: bob}"),
        ("PASS_WORD: abc", "PASS_WORD: [redacted: password]"),
        ("db-pass-phrase=abc", "db-pass-phrase=[redacted: password]"),
        ("JSESSION_ID=abc", "JSESSION_ID=[redacted: cookie]"),
        ("login of bob, pass_word=abc, ok", "login of bob, pass_word=[redacted: password], ok"),
        ("the pass-word is hunter2", "the pass-word is [redacted: password]"),
        ("Password: good, if it has a sign", "Password: good, if it has a sign"),
        ("Forgot your password: help", "Forgot your password: help"),
    ],
)
def test_hides_the_only_word_of_a_line(line, shown):
    assert redact_text(f"a\n{line}\nb") == f"a\n{shown}\nb"


@pytest.mark.parametrize("start", ["", "E   ", "> ", "| ", " 12 ", "+"])
def test_hides_a_private_key_over_lines_whatever_stands_before_each(start):
    key = ["-----BEGIN RSA PRIVATE KEY-----", "MIIEabc", "d12=", "-----END RSA PRIVATE KEY-----"]
    lines = [f"{start}{line}" for line in ("before", *key, "after")]

    hidden = [f"{start}before", f"{start}[redacted: private key]", f"{start}after"]
    assert redact_text("\n".join(lines)).split("\n") == hidden
    assert redact({"lines": lines}) == {"lines": hidden}


def test_hides_a_private_key_that_is_cut_off():
    assert redact_text("a -----BEGIN PRIVATE KEY-----\nMIIE") == "a [redacted: private key]"


@pytest.mark.parametrize(
    "text",
    [
        "The task-list and the risk-free sk-learn-pipeline are fine.",
        "Bearer authentication is required.",
        "Your password: it must have eight characters.",
        "Choose a token, a cookie or a secret.",
        "Your boarding pass code: QX7Z2A, and the tests pass: word 17b fits.",
        "A pass-code: it has four digits.",
        '{"max_tokens": 5, "token_count": "3", "eos_token": "</s>"}',
        "max_tokens=100&input_tokens=5",
        "http://localhost:8080/a@b",
        "Cookie: chocolate chip",
        "Password: must have 8 characters",
        "Forgot your password: click here",
        "token: the word that is counted",
        "The password is case-sensitive, and the token is valid for 15 minutes.",
        "password: 16-digit, until 2026-01-31 10:30",
        "Write to help@example.com for a password: help@example.com",
        "password: string",
        "token: str | None = None",
        "client_secret: ClientSecret",
        "self.token = token",
        "return login(password=password, token=self.token)",
        "api_key = os.environ['KEY']",
        "Secret santa: bring a gift.",
        "What is the token count: 512",
        "use --token to pass it, or --password PASSWORD for a password",
        "docker run -u 1000:1000 image",
        "Basic information, basic understanding.",
        "def f(signature=None): ...",
        '{"required": ["password", "user"], "token": {"type": "string", "description": "a word"}}',
        '{"token": "Hello", "logprob": -0.1}',
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
    assert redact({"headers": [["a", "b"], [name, "x"]]}) == {"headers": [["a", "b"], [name, hidden]]}


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
            "password: ",
            "password is ",
            "hunter2-horse",
            "--api-key ",
            "curl -u a:",
            "'token': ",
            "[['token', '",
            "found '",
            "\\",
            "'",
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


@pytest.mark.slow
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
        "password: ",
        "password is x",
        '\\"',
        '"password": \\"',
        '"password": [',
        '"password": {"a":',
        '"password": {"type": ',
        "Authorization = Bearer ",
        "Bearer Bearer ",
        '[["token","a',
        "curl -u a:b ",
        '"name": "token", "value": ',
        "--password ",
        "a" * 60 + "token=",
        "password: found 'a', expected ",
        "password: a.b@",
        'password="""',
        "user[password]=",
        "token=x1x1x1 ",
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


@pytest.mark.parametrize(
    "said",
    [
        "Logged in with hunter2-horse.",
        'it is {"a": "hunter2-horse"}',
        "a\\nhunter2-horse\\n",
        "?p=hunter2-horse&a=1",
    ],
)
def test_what_is_hidden_in_one_place_is_hidden_in_the_others(said):
    call = {"arguments": {"password": "hunter2-horse"}}
    assert redact([call, said])[1] == said.replace("hunter2-horse", "[redacted: password]")
    assert redact([call, said], elsewhere=False)[1] == said


@pytest.mark.parametrize(
    ("secret", "said"),
    [
        ('p"w\\d 7', json.dumps({"a": 'p"w\\d 7'})),
        ("p@ss w0rd", "?p=p%40ss+w0rd"),
        ("pässw0rd!", json.dumps("pässw0rd!")),
        ("correct horse battery", "He said correct horse battery."),
        (90817263, "the order 90817263"),
        ("session=Ab3dEf6h; theme=dark", "in session Ab3dEf6h"),
    ],
)
def test_it_is_found_in_every_form(secret, said):
    name = "Cookie" if "session" in str(secret) else "password"
    clean = redact({name: secret, "said": said})
    assert "[redacted: " in clean["said"]
    assert redact(clean) == clean


@pytest.mark.parametrize(
    "word", ["string", "required", "approved", "swordfish", "1234", "true", "2026-01-31"]
)
def test_an_ordinary_word_is_hidden_under_its_name_only(word):
    assert redact({"password": word, "said": f"it is {word}"}) == {
        "password": "[redacted: password]",
        "said": f"it is {word}",
    }


def test_a_part_of_a_longer_word_stays():
    assert redact({"token": "abc123", "said": "xabc123 abc1234"})["said"] == "xabc123 abc1234"


def test_what_records_are_found_again_by_stays():
    same = {"id": "example:1", "key": "test_it[hunter2-horse]", "criterion": "hunter2-horse"}
    assert redact({**same, "password": "hunter2-horse"}) == {**same, "password": "[redacted: password]"}


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("it is '0123456789abcdef01234...", "it is '[redacted: token]..."),
        ("...9abcdef0123456789abcdef'}", "...[redacted: token]'}"),
        ("it is '0123456789ab'", "it is '[redacted: token]'"),
        ("'cdef0123456789abcdef is it'", "'[redacted: token] is it'"),
        ("0123456789ab is another", "0123456789ab is another"),
    ],
)
def test_a_part_of_a_secret_is_hidden_where_a_message_was_cut(said, shown):
    assert redact({"token": "0123456789abcdef" * 3, "said": said})["said"] == shown


@pytest.mark.parametrize("name", ["", "a", "password"])
def test_values_that_are_nested_deep_are_redacted(name):
    value = {"password": "hunter2-horse"}
    for _ in range(300):
        value = {name: value} if name else [value]
    assert "hunter2" not in json.dumps(redact([value, "hunter2-horse"]))


@pytest.mark.slow
def test_many_secrets_take_linear_time():
    many = {f"{n}": {"token": f"abc{n}xyz{n}"} for n in range(5_000)}
    assert len(redact({**many, "said": "abc1xyz1 " * 5_000})["said"]) > 5_000


def test_the_head_of_a_run_has_no_secret_of_its_command_line():
    head = new_experiment(command=("pytest", "--db-password", "Xy7hunter2"))
    assert head.command == ("pytest", "--db-password", "[redacted: password]")
