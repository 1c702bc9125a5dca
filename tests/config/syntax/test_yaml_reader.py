"""YAML: places, traps, and what is refused."""

import pytest

from pegboard.config.problems import Problems
from pegboard.config.syntax.node import List, Map, Node, Places, Scalar
from pegboard.config.syntax.source import Source
from pegboard.config.syntax.yaml_reader import read_yaml
from tests.config.conftest import Folder


def read(text: str) -> tuple[list[Node], list[str]]:
    problems = Problems()
    nodes = read_yaml(Source("f", text), problems)
    return nodes, [f"{p.span.line}:{p.span.column} {p.code}" for p in problems]


def plain(node: Node) -> object:
    match node:
        case Map():
            return {key: plain(entry.value) for key, entry in node.entries.items()}
        case List():
            return [plain(item) for item in node.items]
        case Scalar():
            return node.value


def test_every_value_and_key_has_its_place_in_code_points() -> None:
    (node,), problems = read('"😀": é\nb:\r\n  - {c: 中文, d: &x "q"}\n  - *x\n')
    places = {path: (span.line, span.column) for path, span in Places(node).items()}
    assert problems == []
    assert places == {
        ("😀", ""): (1, 1),
        ("😀",): (1, 6),
        ("b", ""): (2, 1),
        ("b",): (3, 3),
        ("b", 0): (3, 5),
        ("b", 0, "c", ""): (3, 6),
        ("b", 0, "c"): (3, 9),
        ("b", 0, "d", ""): (3, 13),
        ("b", 0, "d"): (3, 19),
        ("b", 1): (3, 19),
    }


@pytest.mark.parametrize(
    ("written", "value", "is_ambiguous"),
    [
        ("true", True, False),
        ("no", False, True),
        ("On", True, True),
        ("~", None, False),
        ("12", 12, False),
        ("-1.5", -1.5, False),
        ("1_000", 1000, True),
        ("010", 8, True),
        ("0x1F", 31, True),
        ("1:30", 90, True),
        ("2024-01-01", "2024-01-01", True),
        ("y", "y", False),
        ("1e3", "1e3", False),
        ("a: b"[:1], "a", False),
    ],
)
def test_plain_scalars_say_where_two_versions_of_yaml_disagree(written: str, value: object, is_ambiguous: bool) -> None:
    (node,), problems = read(f"[{written}]")
    assert isinstance(node, List)
    scalar = node.items[0]
    assert isinstance(scalar, Scalar)
    assert (scalar.value, scalar.is_ambiguous, problems) == (value, is_ambiguous, [])


def test_a_file_may_hold_several_documents_and_empty_ones_count_for_nothing() -> None:
    nodes, problems = read("a: 1\n---\n# nothing\n---\nb: 2\n")
    assert ([plain(node) for node in nodes], problems) == ([{"a": 1}, {"b": 2}], [])


def test_merges_give_what_the_mapping_itself_does_not_say() -> None:
    (node,), problems = read("x: &x {a: 1, b: 1}\ny: {a: 2, <<: *x}\nz: {<<: [{a: 3}, *x]}\n")
    assert plain(node) == {"x": {"a": 1, "b": 1}, "y": {"a": 2, "b": 1}, "z": {"a": 3, "b": 1}}
    assert problems == []


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("a: 1\nb: 2\na: 3\n", ["3:1 PB005"]),
        ("no: 1\n", ["1:1 PB103"]),
        ("1: 1\n", ["1:1 PB103"]),
        ("? [a]\n: 1\n", ["1:3 PB103"]),
        ("a: !!python/object:os.system x\n", ["1:4 PB004"]),
        ("a: !secret x\n", ["1:4 PB004"]),
        ("a: .nan\n", ["1:4 PB104"]),
        ("a: *b\n", ["1:4 PB004"]),
        ("a: &a [*a]\n", ["1:8 PB004"]),
        ("a: {<<: 1}\n", ["1:9 PB103"]),
        ("a: [1\n", ["1:6 PB003"]),
        ("a:\n\t- b\n", ["2:1 PB003"]),
        ("a: b: c\n", ["1:5 PB003"]),
        ("[" * 65 + "]" * 65, ["1:65 PB004"]),
        ("a: é\x7f", ["1:5 PB003"]),
    ],
)
def test_what_is_wrong_is_told_at_its_place(text: str, problems: list[str]) -> None:
    assert read(text)[1] == problems


def test_a_duplicate_key_names_the_first_one_too() -> None:
    problems = Problems()
    read_yaml(Source("f", "a: 1\n'a': 2\n"), problems)
    assert [str(span) for span in problems[0].also] == ["f:1:1"]


def test_documents_before_a_syntax_error_are_kept() -> None:
    nodes, problems = read("a: 1\n---\nb: [\n")
    assert ([plain(node) for node in nodes], problems) == ([{"a": 1}], ["3:5 PB003"])


@pytest.mark.parametrize(
    "bomb",
    [
        "a: &a [x,x,x,x,x,x,x,x,x]\n"
        + "".join(f"{b}: &{b} [{','.join([f'*{a}'] * 9)}]\n" for a, b in zip("abcdefg", "bcdefgh", strict=True)),
        "a: &a {" + ",".join(f"k{i}: 1" for i in range(1000)) + "}\nb:\n" + "  - {<<: *a}\n" * 200,
        "a: &a " + "[" * 40 + "]" * 40 + "\nb: " + "[" * 40 + "*a" + "]" * 40,
    ],
    ids=["aliases", "merges", "depth"],
)
def test_bombs_of_aliases_are_refused_before_they_grow(bomb: str) -> None:
    assert [problem.partition(" ")[2] for problem in read(bomb)[1]] == ["PB004"]


@pytest.mark.parametrize("written", ["0x_", "0b_", "-0x_", ".nan", ".inf", "-.INF", "1e400", "9" * 50])
@pytest.mark.parametrize("key", ["cutoff", "grace", "fallback"])
def test_what_is_no_number_is_one_problem_in_our_words(folder: Folder, key: str, written: str) -> None:
    if written == "1e400":  # a text to YAML 1.1, which wants a point in it
        written = "1.0e+400"
    _, problems = folder.read("tools.yaml", f"sites: [{{name: s, route: {{{key}: {written}}}}}]")
    assert [problem.code for problem in problems] == ["PB104"]
    assert "invalid literal" not in problems[0].message


@pytest.mark.parametrize("escape", ["\\0", "\\x1b", "\\u0000", "\\uFFFE"])
def test_an_escaped_character_that_no_text_may_hold_is_refused(folder: Folder, escape: str) -> None:
    assert folder.problems("tools.yaml", f'tools: [{{name: a, description: "x{escape}y"}}]') == ["1:32 PB003"]


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("tools: [{name: no}]", "1:16 PB103", ("`no` is read as false", 'Write "no".')),
        ("tools: [{name: 1_000}]", "1:16 PB103", ("`1_000` is read as 1000", 'Write "1_000".')),
        ("tools: [{name: 017}]", "1:16 PB103", ("`017` is read as 15, a number to base 8", 'Write "017".')),
        ("tools: [{name: 1:30}]", "1:16 PB103", ("`1:30` is read as 90, a number to base 60", 'Write "1:30".')),
        ("tools: [{name: 0x1F}]", "1:16 PB103", ("`0x1F` is read as 31, a number to base 16", 'Write "0x1F".')),
        ("tools: [{name: 0b11}]", "1:16 PB103", ("`0b11` is read as 3, a number to base 2", 'Write "0b11".')),
        ("tools: [{name: 2024-01-01}]", "1:16 PB103", ("is read as a date", 'Write "2024-01-01".')),
        ("tools: [{name: ~}]", "1:16 PB103", ("found nothing", "Give it")),
        ("tools: [{name: .inf}]", "1:16 PB104", (".inf is no number", "Quote it")),
        ("tools: [{name: a, enabled: y}]", "1:28 PB103", ("found the text 'y'", "Write true.")),
        ("tools: [{name: a, enabled: 'no'}]", "1:28 PB103", ("found the text 'no'", "Write false.")),
        ("sites: [{name: a, route: {cutoff: 0o17}}]", "1:35 PB103", ("found the text '0o17'", "Write 15.")),
        ("sites: [{name: a, route: {cutoff: 017}}]", "1:35 PB103", ("read as 15", "Write 15, or 17 if that is meant.")),
        ("sites: [{name: a, route: {cutoff: 1:10}}]", "1:35 PB103", ("to base 60", "Write 70.")),
        ("sites: [{name: a, route: {cutoff: '70'}}]", "1:35 PB103", ("the text '70'", "Write 70, without quotes.")),
        ("x-a: {on: 1}", "1:7 PB103", ("a key must be text, but `on` is read as true", 'Write "on".')),
        ("no: 1", "1:1 PB103", ("a key must be text, but `no` is read as false", 'Write "no".')),
        ("? [a]\n: 1", "1:3 PB103", ("a key must be text, not a list", "in quotes")),
        ("%YAML 1.3\n---\nx-a: 1", "1:1 PB003", ("incompatible", "Write %YAML 1.2")),
        ("%FOO\n---\nx-a: 1", "1:5 PB003", ("unknown directive", "Remove the line.")),
        ("x-a: 1\n...\nx-b: 2", "3:1 PB003", ("<document start>", "`---`")),
        ("--- x-a: 1", "1:8 PB003", ("mapping values are not allowed", "Quote a text")),
        ("x-a: - b", "1:6 PB003", ("block sequence entries", "a line of its own")),
        ('x-a: "\\q"', "1:7 PB003", ("unknown escape", "backslash")),
        ("tools：\n- name: a", "2:7 PB003", ("", "full-width `：`")),
        ("tools:\n- name：a\n  type: b\n", "3:7 PB003", ("", "full-width `：`")),
        ("x-a: 1\n\ufeffx-b: 2", "2:2 PB003", ("", "byte order mark")),
        ("# a\u2028x-a: 1\n", "1:4 PB003", ("U+2028 ends a line here", "Remove it")),
        ("x-a: b\u0085x-b: c", "1:7 PB003", ("U+0085 ends a line here", "Remove it")),
        (
            "tools:\n- name:a\n  type: b\n",
            "3:7 PB003",
            ("mapping values", "a blank behind the colon of 'name:', in line 2"),
        ),
        ("tools:\n<<<<<<< HEAD\n- name: a\n", "3:1 PB003", ("", "a merge that is not settled")),
        ("x-a: *all", "1:6 PB004", ("*all names nothing", "in quotes")),
        ("tools: {search: {}}", "1:8 PB103", ("found a mapping", "Write a list")),
        ("tools: [{name: a, examples: find it}]", "1:29 PB103", ("the text 'find it'", 'Write ["find it"].')),
        ("x-a:\n\t- b", "2:1 PB003", ("a tab stands", "Indent with spaces.")),
    ],
)
def test_each_trap_of_yaml_is_named_once_with_what_to_write(
    folder: Folder, text: str, place: str, words: tuple[str, str]
) -> None:
    (problem,) = folder.read("tools.yaml", text)[1]
    assert (f"{problem.span.line}:{problem.span.column} {problem.code}", words[0] in problem.message) == (place, True)
    assert words[1] in problem.hint


@pytest.mark.parametrize(
    "text", ["x-a: 'b\u2028c'\n", 'x-a: "b\u2029\u0085c"\n', "%YAML 1.1\n---\nx-a: 1\n", "x-a: [y, =]"]
)
def test_what_only_looks_like_a_trap_is_read(folder: Folder, text: str) -> None:
    assert folder.problems("tools.yaml", text) == []
