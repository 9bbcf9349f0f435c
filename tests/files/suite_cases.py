# ruff: noqa: E501 - tables, one case a line
"""Suite files that load, and files that do not with what is said about them."""

AUTHORS = """\
# plugins.grice.yaml: the same, for people who do not write Python; pytest collects it too
agent: wordpress_assistant.app:agent
scenarios:
  - id: update-plugin
    say: Update Ajax Search Lite
    expect:
      - {on: reply, matcher: toContain, expected: "4.13.5"}
      - {on: reply.data, path: "$.items[*].status", pathMatch: ALL, matcher: toBeOneOf, expected: [READY, PENDING]}
    evaluate:
      - {on: reply, matcher: toBeFreeOf, expected: [CONFIRMATION_LANGUAGE_ON_SUCCESS]}
"""

FULL = """\
# yaml-language-server: $schema=grice-suite.schema.json
$schema: grice-suite.schema.json
version: 1
name: everything
agent: app:agent
scenarios:
  - id: 7
    description: All that a scenario can have.
    run_mode: ONLY
    agent: app:other
    history:
      - {role: user, content: Hi}
      - {role: assistant, content: Hello.}
    say: What is the weather?
    model:
      - {text: Let me see., tool: get_weather, arguments: {city: Oslo}}
      - It is 3 degrees.
      - [{text: a}, {tool: b}]
      - {fault: rate_limit, retry_after: 2}
    tools: {get_weather: {temp: 3}}
    expect:
      - id: temperature
        description: says how warm it is
        on: reply
        path: $
        pathMatch: ANY
        matcher: toMatch
        expected: {source: '\\d+', flags: i}
        not: false
        parse: text
      - {on: tool_calls, matcher: toHaveLength, expected: 1}
      - {on: exchange 2, matcher: toPairToolCalls}
      - {on: exchange -1, matcher: toContainMessage, expected: {role: user, content: weather}}
      - {on: prompt, matcher: toContain, expected: polite, options: {ignoreCase: true}}
      - {on: conversation, matcher: toHaveCalledTool, expected: get_weather, not: true}
  - turns:
      - say: Hi
        model: [Hello.]
        expected_output: Hello.
        should_trim_whitespace: true
      - say: Give me JSON
        model: [{json: {status: READY}}]
        tools: {}
        evaluate:
          - {path: status, matcher: toEqual, expected: READY, parse: fenced}
        expected_output: {status: READY}
        output_type: json
    expect:
      - {matcher: toBeValidJson}
  - say: [One, Two]
    expected_output: '{"a": 1}'
    output_type: json
"""

LIST = '[{"say": "Hi", "evaluate": [{"matcher": "toBeTruthy"}]}]'

GOOD = {"authors.grice.yaml": AUTHORS, "full.grice.yaml": FULL, "list.grice.json": LIST}

CHECK = "{matcher: toBeTruthy}"


def one(fields: str = "", checks: str = f"expect: [{CHECK}]") -> str:
    """A suite of one scenario with these fields."""
    return f"scenarios:\n  - say: Hi\n    {fields}\n    {checks}\n"


def check(fields: str) -> str:
    """A suite of one scenario with this check."""
    return f"scenarios:\n- say: Hi\n  expect:\n  - {{{fields}}}\n"


BAD_FIELDS = [
    ("5", ["1:1: the file: expected an object, found the number 5"]),
    ("agent: a:b", ["1:1: missing field 'scenarios', expected a list"]),
    ("scenarios: []", ["1:12: scenarios: the file holds no scenario: it is an empty list"]),
    ("[]", ["1:1: the file holds no scenario: it is an empty list"]),
    ("scenarios: [5]", ["1:13: scenarios[0]: expected an object, found the number 5"]),
    ("agnt: a:b\n" + one(), ["1:1: unknown field 'agnt' (did you mean 'agent'?)"]),
    ("agent: ' '\n" + one(), ["1:8: agent: expected a text that is not empty, found ' '"]),
    ("name: ''\n" + one(), ["1:7: name: expected a text that is not empty, found ''"]),
    ("version: 2\nwhatever: it holds\n", ["1:10: version: 2 is newer than this Grice reads, which is 1: upgrade Grice"]),
    ("version: 0\n" + one(), ["1:10: version: expected 1, found 0"]),
    ("version: '1'\n" + one(), ["1:10: version: expected an integer, found the string '1'"]),
    (one("runMode: SKIP"), ["3:5: scenarios[0]: unknown field 'runMode' (did you mean 'run_mode'?)"]),
    (one("run_mode: skip"), ["3:15: scenarios[0].run_mode: expected one of DEFAULT, ONLY, SKIP, found 'skip' (did you mean 'SKIP'?)"]),
    (one("id: ''"), ["3:9: scenarios[0].id: expected a text that is not empty, found ''"]),
    (one("id: ' a'"), ["3:9: scenarios[0].id: an id has no blanks around it, found ' a'"]),
    (one("id: a::b"), ["3:9: scenarios[0].id: an id has no '::', which divides file and name for pytest, found 'a::b'"]),
    (one('id: "a\\nb"'), ["3:9: scenarios[0].id: an id is one line of characters that can be seen, found 'a\\nb'"]),
    (one('id: "a\\u202eb"'), ["3:9: scenarios[0].id: an id is one line of characters that can be seen, found 'a\\u202eb'"]),
    (one("id: 1.5"), ["3:9: scenarios[0].id: expected a string or an integer, found the number 1.5"]),
    (one("agent: ''"), ["3:12: scenarios[0].agent: expected a text that is not empty, found ''"]),
    (one("description: 5"), ["3:18: scenarios[0].description: expected a string, found the number 5"]),
    (one("history: [Hi]"), ["3:15: scenarios[0].history[0]: is the text 'Hi'; expected a message (an object with role and content)"]),
    (one("turns: [{say: Hi}]"), ["2:5: scenarios[0]: 'say' does not go beside 'turns': write it in them"]),
    (f"[{{expect: [{CHECK}]}}]", ["1:2: [0]: missing field 'say', a text or a list of texts; or 'turns'; or 'inputs' of a prompt"]),
    (f"[{{inputs: {{}}, expect: [{CHECK}]}}]", ["1:3: [0]: 'inputs' fill a prompt, and the suite names none: 'prompt: FILE'"]),
    (f"scenarios: [{{inputs: {{}}, expect: [{CHECK}]}}]", ["1:14: scenarios[0]: 'inputs' fill a prompt, and the suite names none: 'prompt: FILE'"]),
    (one("inputs: {}"), ["2:5: scenarios[0]: 'say' does not go beside 'inputs': the filled prompt is what the user says"]),
    (f"[{{say: '', expect: [{CHECK}]}}]", ["1:8: [0].say: expected a text that is not empty, found ''"]),
    (f"[{{say: [], expect: [{CHECK}]}}]", ["1:8: [0].say: the list of texts is empty"]),
    (f"[{{say: [Hi, ' '], expect: [{CHECK}]}}]", ["1:13: [0].say[1]: expected a text that is not empty, found ' '"]),
    (f"[{{say: 5, expect: [{CHECK}]}}]", ["1:8: [0].say: expected a text that is not empty or a list, found the number 5"]),
    (f"[{{turns: [], expect: [{CHECK}]}}]", ["1:10: [0].turns: a scenario needs at least one turn"]),
    (f"[{{turns: [{{say: [a, b]}}], expect: [{CHECK}]}}]", ["1:17: [0].turns[0].say: expected a text that is not empty, found a list"]),
    (f"[{{turns: [{{say: ''}}], expect: [{CHECK}]}}]", ["1:17: [0].turns[0].say: expected a text that is not empty, found ''"]),
    (f"[{{turns: [{{}}], expect: [{CHECK}]}}]", ["1:11: [0].turns[0]: missing field 'say', expected a text that is not empty"]),
    (f"[{{turns: [{{say: Hi}}], model: [Hi], expect: [{CHECK}]}}]", ["1:23: [0]: 'model' does not go beside 'turns': write it in them"]),
    (f"[{{turns: [{{say: Hi, id: x}}], expect: [{CHECK}]}}]", ["1:21: [0].turns[0]: unknown field 'id'"]),
    (one("model: [{txt: Hi}]"), ["3:14: scenarios[0].model[0]: unknown field 'txt' (did you mean 'text'?)"]),
    (one("model: [{}, {fault: boom}]"), [
        "3:13: scenarios[0].model[0]: a reply has text, tool, json, content or fault, found {}",
        "3:17: scenarios[0].model[1]: unknown fault 'boom'; there are rate_limit, error, timeout, reset, half_stream, malformed",
    ]),
    (one("tools: [a]"), ["3:12: scenarios[0].tools: expected an object, found a list"]),
    (one("tools:\n    - a"), ["4:5: scenarios[0].tools: expected an object, found a list: leave the dash out, or one of two"]),
    ("[{id: a, say: Hi}]", ["1:2: [0]: scenario 'a' asserts nothing; add 'expect' or 'evaluate'"]),
    ("[{id: a, say: Hi, expect: [], evaluate: []}]", ["1:2: [0]: scenario 'a' asserts nothing; add 'expect' or 'evaluate'"]),
    ("[{id: a, turns: [{say: Hi}]}]", ["1:2: [0]: scenario 'a' asserts nothing; add 'expect' or 'evaluate'"]),
    (one("output_type: json"), ["3:18: scenarios[0].output_type: there is no 'expected_output' whose type it says"]),
    (one("should_trim_whitespace: true"), ["3:29: scenarios[0].should_trim_whitespace: there is no 'expected_output' that it goes with"]),
    (one("should_trim_whitespace: true\n    output_type: json", "expected_output: 5"), ["3:29: scenarios[0].should_trim_whitespace: white space around JSON never counts: it goes with a text"]),
    (one("output_type: text", "expected_output: Hi"), ["3:18: scenarios[0].output_type: expected one of json, string, found 'text'"]),
    (one(checks="expected_output: 42"), ["4:22: scenarios[0].expected_output: expected a text, found 42; 'output_type: json' compares JSON values"]),
    (one(checks="expected_output:"), ["4:21: scenarios[0].expected_output: expected a text, found null; 'output_type: json' compares JSON values"]),
    (one(checks=f"expect: {CHECK}"), ["4:13: scenarios[0].expect: expected a list, found an object: put it into [ ]"]),
    (one(checks="expect:"), ["4:12: scenarios[0].expect: expected a list, found null"]),
]  # fmt: skip

BAD_OUTPUTS = [
    ("' '", "4:22: scenarios[0].expected_output: expected JSON, found an empty text"),
    ("'{\"a\": 1'", "4:22: scenarios[0].expected_output: expected JSON, as it begins like it: "),
    ("'[1,]'", "4:22: scenarios[0].expected_output: expected JSON, as it begins like it: "),
    ("'\"a'", "4:22: scenarios[0].expected_output: expected JSON, as it begins like it: "),
]  # fmt: skip

BAD_CHECKS = [
    ("on: reply", "4:5: scenarios[0].expect[0].matcher: expected the name of a matcher, found nothing"),
    ("matcher: 5", "4:15: scenarios[0].expect[0].matcher: expected the name of a matcher, found 5"),
    ("matcher: toBeNull, pathmatch: ALL", "4:25: scenarios[0].expect[0]: unknown field 'pathmatch' (did you mean 'pathMatch'?)"),
    ("matcher: toBeNull, path_match: ALL", "4:25: scenarios[0].expect[0]: unknown field 'path_match' (did you mean 'pathMatch'?)"),
    ("matcher: toBeNull, pathMatch: all", '4:36: scenarios[0].expect[0].pathMatch: expected ANY or ALL, found "all"'),
    ("matcher: toBeNull, not: no", '4:30: scenarios[0].expect[0].not: expected true or false, found "no"'),
    ("matcher: toBeNull, id: null", "4:29: scenarios[0].expect[0].id: expected a string, found null"),
    ("matcher: toBeNull, path: null", "4:31: scenarios[0].expect[0].path: expected a JSON path, found null"),
    ("matcher: toBeNull, options: null", "4:34: scenarios[0].expect[0].options: expected an object, found null"),
    ("matcher: toBeNull, description: null", "4:38: scenarios[0].expect[0].description: expected a string, found null"),
    ("matcher: toBeNull, on: null", "4:29: scenarios[0].expect[0].on: expected reply, reply.data, tool_calls, exchange N, prompt, conversation or state, found null"),
    ("matcher: toBeNull, parse: null", "4:32: scenarios[0].expect[0].parse: expected auto, text, json or fenced, found null"),
    ("matcher: toBeNull, not: null", "4:30: scenarios[0].expect[0].not: expected true or false, found null"),
    ("matcher: toBeNull, id: 5", "4:29: scenarios[0].expect[0].id: expected a string, found 5"),
    ("matcher: toBeNull, parse: jsn", "4:32: scenarios[0].expect[0].parse: expected auto, text, json or fenced, found \"jsn\" (did you mean 'json'?)"),
    ("matcher: toBeNull, parse: 5", "4:32: scenarios[0].expect[0].parse: expected auto, text, json or fenced, found 5"),
    ("matcher: toBeNull, on: replies", "4:29: scenarios[0].expect[0].on: expected reply, reply.data, tool_calls, exchange N, prompt, conversation or state, found \"replies\" (did you mean 'reply'?)"),
    ("matcher: toBeNull, on: toolCalls", "4:29: scenarios[0].expect[0].on: expected reply, reply.data, tool_calls, exchange N, prompt, conversation or state, found \"toolCalls\" (did you mean 'tool_calls'?)"),
    ("matcher: toBeNull, on: [reply]", '4:29: scenarios[0].expect[0].on: expected reply, reply.data, tool_calls, exchange N, prompt, conversation or state, found ["reply"]'),
    ("matcher: toBeNull, on: exchange", "4:29: scenarios[0].expect[0].on: expected a number from 1, or -1 for the last: 'exchange 1'; found \"exchange\""),
    ("matcher: toBeNull, on: exchange 0", "4:29: scenarios[0].expect[0].on: expected a number from 1, or -1 for the last: 'exchange 1'; found \"exchange 0\""),
    ("matcher: toBeNull, expected: 3", "4:35: scenarios[0].expect[0].expected: toBeNull: it takes no expected value, found 3"),
    ("matcher: toEqual", "4:15: scenarios[0].expect[0].matcher: toEqual: expected is missing"),
    ("matcher: toBeOneOf, expected: []", "4:36: scenarios[0].expect[0].expected: toBeOneOf: options is a list that is not empty, found []"),
    ("matcher: toBeGreaterThan, expected: '3'", '4:42: scenarios[0].expect[0].expected: toBeGreaterThan: '),
    ("matcher: toPassLint, options: {warning: true}", "4:36: scenarios[0].expect[0].options: toPassLint: unknown name 'warning' in options (did you mean 'warnings'?)"),
]  # fmt: skip

BAD_BEYOND_SCHEMA = [
    ("matcher: toBeUnchanged, on: state", "4:34: scenarios[0].expect[0].on: the scenario has no 'state' that says where it is read"),
    ("matcher: toBeUnchanged", "4:15: scenarios[0].expect[0].matcher: toBeUnchanged cannot judge reply; it judges state"),
    ("matcher: toContain, expected: x, on: state", "4:43: scenarios[0].expect[0].on: toContain cannot judge state; it judges reply, reply.data, tool_calls or prompt"),
    ("matcher: toHaveLastUserMessage, expected: x", "4:15: scenarios[0].expect[0].matcher: toHaveLastUserMessage cannot judge reply; it judges reply.data, tool_calls, exchange N or conversation"),
    ("on: prompt, matcher: toCallTool, expected: x", "4:10: scenarios[0].expect[0].on: toCallTool cannot judge prompt; it judges reply, tool_calls or conversation"),
    ("on: exchange 1, matcher: toContain, expected: x", "4:10: scenarios[0].expect[0].on: toContain cannot judge exchange N; it judges reply, reply.data, tool_calls or prompt"),
    ("matcher: toBeGreaterThan, expected: 3", "4:15: scenarios[0].expect[0].matcher: toBeGreaterThan cannot judge reply; it judges reply.data, and a value at a 'path' below $, or a text with 'parse: json'"),
    ("on: reply, path: $.x, matcher: toCallTool, expected: x", "4:10: scenarios[0].expect[0].on: toCallTool cannot judge a value at a path of reply; it judges reply, tool_calls or conversation as a whole"),
    ("matcher: toContian, expected: x", "4:15: scenarios[0].expect[0].matcher: unknown matcher 'toContian' (did you mean 'toContain'?)"),
    ("matcher: toMatch, expected: (a", "4:34: scenarios[0].expect[0].expected: toMatch: '(a' is not a pattern: "),
    ("matcher: toBeNull, path: '$.items['", "4:31: scenarios[0].expect[0].path: '$.items[' is not a JSON path: this '[' is not closed; ']' is missing (at character 7)"),
]  # fmt: skip
