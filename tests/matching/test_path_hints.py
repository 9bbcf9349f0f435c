"""What a wrong path is told: what was found, where, and what to write instead."""

import re

import pytest

from grice.matching.paths import PathError, compile_path
from grice.matching.paths.hints import explain_pattern

MATCH_OR_SEARCH = "write match(@.a, 'pattern') for a whole text, search(@.a, 'pattern') for a part of it"
FUNCTIONS = "there are count, length, match, search, value"
OPERATORS = "there are == != < <= > >= && || !"
NEGATE = "only values can be compared; put a test in brackets to negate it, as in [?!(@.n == 1)]"
ALONE = "a value alone is no test; compare it, as in [?@.n == 1]"
NOT_KNOWN = "is jsonpath-plus's; a filter knows the item, @, and the whole value, $"
NO_I_REGEXP = "is not an I-Regexp (RFC 9485)"
RUNS_CODE = "runs code, a path does not"
IN_BRACKETS = (
    "the functions are count, length, match, search, value, and what they take stands in their brackets"
)
TYPE_SELECTOR = "is jsonpath-plus's, RFC 9535 has no type selectors"

# the path, what is said of it, the character
WRONG = [
    # white space around it
    ("$ ", "white space stands after it; leave it out", 1),
    ("user.name\n\t", "white space stands after it; leave it out", 9),
    ("$.a\u00a0", "white space stands after it; leave it out", 3),
    (" $.a", "white space stands before it; leave it out", 0),
    (" user.name ", "white space stands before it; leave it out", 0),
    # names
    ("$foo", "'$' is the whole value; for a name, write $['$foo']", 0),
    ("$foo.bar[0]", "'$' is the whole value; for a name, write $['$foo'].bar[0]", 0),
    ("", "it is empty; write $ for the whole value", 0),
    (" \n ", "it is empty; write $ for the whole value", 0),
    ("$.my-key", "the name 'my-key' needs quotes; write $['my-key']", 2),
    ("my-key.x", "the name 'my-key' needs quotes; write $['my-key'].x", 0),
    ("a.my-key", "the name 'my-key' needs quotes; write $.a['my-key']", 2),
    ("$..my-key[0]", "the name 'my-key' needs quotes; write $..['my-key'][0]", 3),
    ("$.items[?@.my-key == 1]", "the name 'my-key' needs quotes; write $.items[?@['my-key'] == 1]", 11),
    ("$.with space.x", "the name 'with space' needs quotes; write $['with space'].x", 2),
    ("$.1st", "the name '1st' needs quotes; write $['1st']", 2),
    ("$.a$b", "the name 'a$b' needs quotes; write $['a$b']", 2),
    (
        "$.items.0",
        "a number does not follow a dot; write $.items[0] for an item or $.items['0'] for a name",
        8,
    ),
    ("$.a.-1", "a number does not follow a dot; write $.a[-1] for an item or $.a['-1'] for a name", 4),
    ("$.'a b'.c", "a quoted name stands in brackets; write $['a b'].c", 2),
    ("'a b'", "a quoted name stands in brackets; write $['a b']", 0),
    ("$.items[a,b]", "names in brackets need quotes; write $.items['a','b']", 8),
    ("[a]", "names in brackets need quotes; write $['a']", 1),
    ("$.items[abc", "names in brackets need quotes; write $.items['abc']", 8),
    # dots and brackets
    ("$.", "nothing follows the dot; write $", 1),
    ("a.b.", "nothing follows the dot; write $.a.b", 3),
    ("$..", "nothing follows the dots; write $..* for everything below", 1),
    ("$...a", "there are two dots at most; write $..a", 1),
    ("$. a", "no white space follows a dot; write $.a", 1),
    ("$.[0]", "no dot stands before a bracket; write $[0]", 1),
    ("$.a[]", "'[]' chooses nothing; write $.a[*] for all items", 3),
    ("$[1,]", "nothing follows this comma; write $[1]", 3),
    ("$.calls[", "this '[' is not closed; ']' is missing", 7),
    ("$.calls[?(@.a]", "this '(' is not closed; ')' is missing", 9),
    ("$.calls]", "nothing opens this ']'", 7),
    ("$['a", r"the quote ' is not closed; one inside the text is written \'", 2),
    ("$[?@.a == 'it's']", r"the quote ' is not closed; one inside the text is written \'", 15),
    (r"$['\q']", r"this escape is not JSON's; a backslash is written \\, and there are \n, \t and \u0000", 3),
    ("$['a\nb']", r"a control character stands in quotes as \n, \t or \u0000", 3),
    ("$.\ud800", "a lone surrogate is no character", 2),
    (r"$['\uDC00']", "a lone surrogate is no character", 3),
    (r"$['\uD800\u1234']", "a lone surrogate is no character", 3),
    # jsonpath-plus
    (
        "$.items[*].price^",
        "'^' (the parent) is jsonpath-plus's; choose the parent itself, as in $.items[?@.price > 10]",
        16,
    ),
    ("$.items[*]~", "'~' (the names) is jsonpath-plus's; a path finds values only, so choose the object", 10),
    ("$.a[?(@property == 'b')]", f"'@property' {NOT_KNOWN}", 6),
    ("$.a[?@parent.b]", f"'@parent' {NOT_KNOWN}", 5),
    ("$.a[?@parentProperty]", f"'@parentProperty' {NOT_KNOWN}", 5),
    ("$.a[?@path == 'x']", f"'@path' {NOT_KNOWN}", 5),
    ("$.a[?@.b == @root.b]", "'@root' is jsonpath-plus's; write $.a[?@.b == $.b]", 12),
    ("$..*@string()", f"'@string()' {TYPE_SELECTOR}; test the items, as in [?search(@, '')]", 4),
    ("$..*@number()", f"'@number()' {TYPE_SELECTOR}; test the items, as in [?@ <= 0 || @ > 0]", 4),
    ("$..*@boolean()", f"'@boolean()' {TYPE_SELECTOR}; test the items, as in [?@ == true || @ == false]", 4),
    ("$..*@null()", f"'@null()' {TYPE_SELECTOR}; test the items, as in [?@ == null]", 4),
    ("$..*@array()", f"'@array()' {TYPE_SELECTOR}; toMatchSchema tests types", 4),
    ("$.`^a.b", "the escape ` is jsonpath-plus's; write $['^a'].b", 2),
    ("$.items[(@.length-1)].a", "'(@.length-1)' runs code, a path does not; write $.items[-1].a", 8),
    ("$.items[( @.length - 2 )]", "'( @.length - 2 )' runs code, a path does not; write $.items[-2]", 8),
    ("$.items[(@.n)]", "a script runs code, a path does not; write an index or a filter, [?...]", 8),
    # JavaScript, Python and others in filters
    ("$[?(@.a===1)]", "'===' is JavaScript's; write $[?(@.a==1)]", 7),
    ("$[?@.a !== '===']", "'!==' is JavaScript's; write $[?@.a != '===']", 7),
    ("$[?@.a = 1]", "a comparison has two '='; write $[?@.a == 1]", 7),
    ("$[?@.a =~ /x/i]", f"'=~' is not in RFC 9535; {MATCH_OR_SEARCH}", 7),
    ("$[?search(@.a, /x/)]", "a pattern is a quoted text; write search(@.a, 'pattern')", 15),
    ("$[?(@.a.match(/x/))]", f"'.match()' runs code, a path does not; {MATCH_OR_SEARCH}", 8),
    ("$[?@.a.includes('x')]", f"'.includes()' runs code, a path does not; {MATCH_OR_SEARCH}", 7),
    (
        "$.items.length()",
        f"'.length()' {RUNS_CODE}; write length(@.a) for one value, count(@.a[*]) for how many are found",
        8,
    ),
    (
        "$[?@.a.trim() == 'x']",
        f"'.trim()' {RUNS_CODE}; {IN_BRACKETS}",
        7,
    ),
    ("$[?@.a and @.b]", "'and' is not in RFC 9535; write $[?@.a && @.b]", 7),
    ("$[?@.a or @.b]", "'or' is not in RFC 9535; write $[?@.a || @.b]", 7),
    ("$[?not @.a]", "'not' is not in RFC 9535; write $[?!@.a]", 3),
    ("$[?@.a & @.b]", "a single '&' is not in RFC 9535; write $[?@.a && @.b]", 7),
    ("$[?@.a | @.b]", "a single '|' is not in RFC 9535; write $[?@.a || @.b]", 7),
    ("$[?@.a in ['x']]", f"'in' is no operator; {OPERATORS}", 7),
    ("$[?@.a * 2 > 3]", "'*' calculates, a path does not", 7),
    ("$[?@.a == True]", "'True' is Python's; write $[?@.a == true]", 10),
    ("$[?@.a == False]", "'False' is Python's; write $[?@.a == false]", 10),
    ("$[?@.a == None]", "'None' is Python's; write $[?@.a == null]", 10),
    (
        "$[?@.a == undefined]",
        "'undefined' is JavaScript's; write !@.a for what is missing, @.a == null for null",
        10,
    ),
    ("$[@.a > 1]", "a filter begins with '?'; write $[?@.a > 1]", 2),
    ("@.a", "'@' is the item of a filter; outside of one, write $.a", 0),
    # what a filter may compare
    (
        "$[?@.a[*] == 1]",
        "what may find several cannot be compared; test each, as in [?@.tags[?@ == 'new']]",
        10,
    ),
    ("$[?!@.a == 1]", NEGATE, 3),
    ("$[?@.a == 1 == 1]", NEGATE, 12),
    ("$[?'a']", ALONE, 4),
    ("$[?@.a && 1]", ALONE, 10),
    ("$[?!1]", ALONE, 4),
    ("$[?lenght(@.a) > 1]", f"there is no function 'lenght' (did you mean 'length'?); {FUNCTIONS}", 3),
    ("$[?nosuch(@)]", f"there is no function 'nosuch'; {FUNCTIONS}", 3),
    ("$[?length(@.a)]", "length() gives a value; compare it, as in [?length(@.a) > 1]", 2),
    (
        "$[?match(@.a, 'x') == true]",
        "match() is true or false already; leave the comparison out, and write ! before it for false",
        19,
    ),
    ("$[?count(1) > 1]", "count() takes a path, as in count(@.*)", 3),
    ("$[?length(@.*) > 1]", "length() takes single values, and a path that may find several is none", 3),
    ("$[?match(@.a)]", "match() requires 2 arguments", 3),
    (r"$[?match(@.a, '\\d+')]", r"'\\d+' is not an I-Regexp (RFC 9485); write [0-9] for \d", 15),
    # numbers
    ("$[?@.a > -.5]", "a digit stands before the dot; write $[?@.a > -0.5]", 10),
    ("$[01]", "a number has no leading zeros; write $[1]", 2),
    ("$[?@.a == -01]", "a number has no leading zeros; write $[?@.a == -1]", 10),
    ("$[-0]", "'-0' is no index; write $[0]", 2),
    ("$[9007199254740992]", "the index is too large, at most 9007199254740991 is allowed", 2),
    ("$[?@ > 1e999]", "the number is too large", 7),
    # the rest
    ("$[?@.a ==]", "']' cannot stand here", 9),
    ("$.a*", "'*' cannot stand here", 3),
    ("$.&", "'&' cannot stand here", 2),
    ("a*", "'*' cannot stand here", 1),
    ("$[?" + "(" * 40 + "@" + ")" * 40 + "]", "it is nested too deep, at most 32 brackets", 34),
    ("$[?" + "!" * 200 + "@]", "it has more than 100 of && || !", 103),
]


@pytest.mark.parametrize(("path", "said", "position"), WRONG)
def test_a_wrong_path_is_told_what_to_write(path, said, position):
    with pytest.raises(PathError) as caught:
        compile_path(path)
    shown, rest = str(caught.value).split(" is not a JSON path: ", 1)
    assert rest == f"{said} (at character {position})"
    assert caught.value.position == position
    assert shown.startswith(repr(path)[:100])


@pytest.mark.parametrize("said", [said for _, said, _ in WRONG if " write $" in said])
def test_what_is_offered_is_a_path(said):
    for offered in re.findall(r"(?:write|or) (\$.*?)(?= for | or \$|$)", said):
        assert compile_path(offered).normalized == offered


@pytest.mark.parametrize("said", [said for _, said, _ in WRONG if "as in [?" in said])
def test_a_filter_that_is_offered_is_one(said):
    compile_path("$" + said.split("as in ")[1])


def test_a_path_that_is_too_long_is_refused():
    with pytest.raises(PathError, match=r"^the path has 2,002 characters, at most 1,024 are allowed$"):
        compile_path("$." + "a" * 2_000)


def test_a_long_path_is_offered_the_part_that_is_wrong():
    with pytest.raises(PathError, match=r"needs quotes; write \['my-key'\] \(at character 802\)$"):
        compile_path("$" + ".name" * 160 + ".my-key")


@pytest.mark.parametrize(
    "path",
    [
        "$['===']",
        "$['a', '^~`@root']",
        '$["(@.length-1)"]',
        "$[?@.a == 'True and /x/ = my-key']",
        "$.and.or['']",
    ],
)
def test_what_stands_in_quotes_is_not_looked_at(path):
    compile_path(path)
    with pytest.raises(PathError, match=r"'\*' cannot stand here"):
        compile_path(path + "*")


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        ("a.b|[^c]{1,3}", ""),
        (r"\p{Lu}+\.", ""),
        ("[0-9]{10}[{12}]{2,30}", ""),
        (r"a\\d", ""),
        (r"\w", r"'\\w' is not an I-Regexp (RFC 9485); write [A-Za-z0-9_] for \w"),
        ("(?i)a", "'(?i)a' is not an I-Regexp (RFC 9485); write [Aa] for both cases, as it has no flags"),
        (
            "a(?=b)",
            rf"'a(?=b)' {NO_I_REGEXP}; it has no look-around, no lazy *?, no \b and no back-references",
        ),
        ("a" * 1_025, "it uses a pattern of 1,025 characters, at most 1,024 are allowed"),
        (
            "((a{999}){999}){999}",
            (
                "it uses a pattern that RE2 cannot take: '((a{999}){999}){999}' repeats too much: RE2 writes "
                "counted repeats out, here over 2,500 characters; use * or + or smaller numbers "
                "(at character 9)"
            ),
        ),
    ],
)
def test_a_pattern_in_a_path_is_an_i_regexp(pattern, said):
    assert explain_pattern(pattern) == said
