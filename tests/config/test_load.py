"""A whole configuration: everything that is wrong with it in one run."""

import pytest

from pegboard.config.declarations import SiteDeclaration
from tests.config.conftest import Folder, files_of, placed

XML = """<Tools>
  <Item>
    <Tool name="search" enabled="maybe">
      <returnStruc>{"score": "x", "中": tru}</returnStruc>
      <handler>${HANDLER}</handler>
    </Tool>
    <Tool><promt>x</promt></Tool>
  </Item>
</Tools>
"""

YAML = """version: 1
rules: []
tools:
  - name: no
    examples: {no: [hva], en: [12, "", ok]}
    enabled: "yes"
    call: {timeout: 5, retries: 2}
    parameters: {x: {default: no, enum: [2024-01-01, 1_000]}}
  - nam: x
    promt: ${OPENAI_API_KEY}
  - just text
  - name: twice
    name: again
    override: merg
    handler: a.b.${X}
    description:
    returns: {a: .nan}
    call: 5s
sites:
  - name: s1
    route: {early_stop: 101, strategy: scor, grace: 1:30}
    tools:
      - name: good
      - {name: bad name}
      - 5
  - {name: s2, tools: {a: b}, types: Recipe}
knowledge:
  - name: k
    sources: [nowhere.md, "*.txt"]
  - sources: []
unknwn: 1
"""


def test_all_problems_of_all_files_come_in_one_run_at_their_places(folder: Folder) -> None:
    folder.write("tools.xml", XML)
    folder.write("tools.d/20-site.yaml", YAML)
    folder.write("tools.d/30-broken.json", '{"tools": [{"name": "x", "enabled": True}]}')
    folder.write("tools.d/40-shape.json", '\ufeff{"tools": "x",\n "sites": [{"name": "a", "name": "b"}]}')
    folder.write("tools.d/50-bytes.yml", b"tools: []\n# \xff\n")
    folder.environ = {"OPENAI_API_KEY": "secret"}
    _, problems = folder.load()
    assert files_of(problems) == {
        "tools.xml": ["3:34 PB103", "4:40 PB003", "5:16 PB105", "7:5 PB102", "7:12 PB101"],
        "tools.d/20-site.yaml": [
            *("2:1 PB101", "4:11 PB103", "5:16 PB103", "5:32 PB103", "5:36 PB104", "6:14 PB103"),
            *("7:21 PB104", "8:31 PB103", "8:42 PB103", "8:54 PB103"),
            *("9:5 PB101", "10:5 PB101", "10:12 PB105", "11:5 PB103"),
            *("13:5 PB005", "14:15 PB104", "15:14 PB105", "16:17 PB103", "17:18 PB104", "18:11 PB103"),
            *("21:25 PB104", "21:40 PB104", "21:53 PB103", "24:16 PB104", "25:9 PB103"),
            *("26:23 PB103", "26:38 PB103", "29:15 PB107", "29:27 PB107", "30:5 PB102", "30:14 PB104"),
            "31:1 PB101",
        ],
        "tools.d/30-broken.json": ["1:37 PB003"],
        "tools.d/40-shape.json": ["1:11 PB103", "2:26 PB005"],
        "tools.d/50-bytes.yml": ["2:3 PB003"],
    }
    assert "secret" not in " ".join(map(str, problems))


def test_messages_say_what_was_found_and_what_to_do(folder: Folder) -> None:
    folder.write("tools.yaml", YAML)
    found = {placed(problem): f"{problem.message} | {problem.hint}" for problem in folder.load()[1]}
    assert found["2:1 PB101"] == "`rules` is not served by this version | Remove it, or use a version that serves it."
    assert found["4:11 PB103"] == ('tools[0].name must be text, but `no` is read as false here: quote it | Write "no".')
    assert found["9:5 PB101"] == "tools[1] has no key 'nam' | Did you mean 'name'?"
    assert found["14:15 PB104"] == (
        "tools[3].override must be 'merge' or 'replace', found the text 'merg' | Did you mean 'merge'?"
    )
    assert found["21:25 PB104"] == "sites[0].route.early_stop must be at most 100, found 101 | "


def test_a_bad_declaration_does_not_hide_the_others(folder: Folder) -> None:
    text = "tools: [{name: a}, {name: b c}, {name: d}]\nsites: [{name: s, tools: [{name: x y}, {name: z}]}]\n"
    found, problems = folder.read("tools.yaml", text)
    assert [tool.value.name for tool in found.tools] == ["a", "d"]
    assert [tool.name for tool in found.sites[0].value.tools] == ["z"]
    assert str(found.sites[0].at("tools", 0, "name")) == "tools.yaml:2:47"
    assert [placed(problem) for problem in problems] == ["1:27 PB104", "2:34 PB104"]


@pytest.mark.parametrize(
    ("name", "text", "is_complete"),
    [
        ("a.yaml", "tools: [{name: a, description: !x b}]", True),
        ("a.yaml", "tools: !x [{name: a}]", True),
        ("a.xml", "<Tools><Tool name='a'><returnStruc>{x}</returnStruc></Tool></Tools>", True),
        ("a.yaml", "tools: [{name: a}]\n---\n]", False),
        ("a.yaml", "tools: [{name: a, description: *x}]", False),
        ("a.json", "{", False),
        ("a.xml", "<Tools><Tool name='a'></Tools>", False),
    ],
)
def test_one_value_that_is_lost_hides_no_names(folder: Folder, name: str, text: str, is_complete: bool) -> None:
    found, problems = folder.read(f"tools.d/{name}", text)
    assert {problem.code for problem in problems} <= {"PB003", "PB004"}
    assert (found.is_complete, bool(problems)) == (is_complete, True)


def test_variables_stand_in_values_and_take_the_type_that_is_wanted(folder: Folder) -> None:
    folder.environ = {"CUT": "55", "CITY": "a: b # 中", "EMPTY": ""}
    text = """
x-common: &route {cutoff: "${CUT}", early_stop: "${STOP:-91.5}"}
sites:
  - {name: a, description: "${CITY} $${CUT} ${EMPTY:-none}${EMPTY}", route: *route, default: "${YES:-on}"}
"""
    found, problems = folder.read("tools.yaml", text)
    assert problems == []
    assert found.sites[0].value == SiteDeclaration.model_validate(
        {
            "name": "a",
            "description": "a: b # 中 ${CUT} none",
            "default": True,
            "route": {"cutoff": 55, "early_stop": 91.5},
        }
    )


@pytest.mark.parametrize(
    ("tool", "problem"),
    [
        ("prompt: ${NOPE}", "3:11 PB105"),
        ("prompt: '${NOPE:?ask the shop}'", "3:11 PB105"),
        ("prompt: ${PEGBOARD_TOKEN:-x}", "3:11 PB105"),
        ("prompt: ${AWS_SECRET_ACCESS_KEY}", "3:11 PB105"),
        ("prompt: ${HOME}", "3:11 PB105"),
        ("prompt: ${lower.case}", "3:11 PB305"),
        ("handler: pegboard.${MY_NAME}", "3:12 PB105"),
        ("type: ${MY_NAME}", "3:9 PB105"),
        ("read_only: ${MY_NAME}", "3:14 PB103"),
    ],
)
def test_variables_that_cannot_be_given_are_problems(folder: Folder, tool: str, problem: str) -> None:
    folder.environ = {"PEGBOARD_TOKEN": "t", "AWS_SECRET_ACCESS_KEY": "s", "HOME": "/h", "MY_NAME": "me"}
    folder.write("tools.yaml", f"tools:\n- name: a\n  {tool}\n")
    assert [placed(found) for found in folder.load(env_allow=("MY_*", "NOPE", "lower*"))[1]] == [problem]


def test_a_variable_that_needs_quotes_is_told_so(folder: Folder) -> None:
    _, problems = folder.read("tools.yaml", "tools: [{name: a, prompt: ${CITY}}]")
    assert [(placed(problem), problem.hint) for problem in problems] == [
        ("1:28 PB003", "Between { and }, quote a text that holds ${…}.")
    ]


def test_sources_of_knowledge_are_relative_to_their_document_and_become_absolute(folder: Folder) -> None:
    folder.write("content/a.md", "")
    folder.write("tools.d/here/b.json", "")
    found, problems = folder.read(
        "tools.d/k.yaml", "knowledge: [{name: k, sources: [../content/*.md, here, '**/*.json']}]"
    )
    assert problems == []
    below = folder.path / "tools.d"
    assert found.knowledge[0].value.sources == [
        str(folder.path / "content/*.md"),
        str(below / "here"),
        str(below / "**/*.json"),
    ]


def test_a_source_that_is_missing_is_told_with_the_nearest_name(folder: Folder) -> None:
    folder.write("content/recipes.md", "")
    _, problems = folder.read("tools.yaml", "knowledge: [{name: k, sources: [content/recipe.md]}]")
    assert [(placed(problem), problem.hint) for problem in problems] == [("1:33 PB107", "Did you mean 'recipes.md'?")]


def test_own_keys_and_editors_schema_are_read_over(folder: Folder) -> None:
    assert folder.problems("tools.json", '{"$schema": "s", "x-a": {"b": [1]}, "tools": []}') == []


def test_many_problems_of_one_file_are_cut(folder: Folder) -> None:
    _, problems = folder.read("tools.yaml", "tools: [" + "x, " * 1500 + "]")
    assert len(problems) == 1001
    assert problems[0].message == "more than 1000 problems; the rest is not listed"


def test_the_digest_follows_the_content(folder: Folder) -> None:
    first = folder.read("tools.yaml", "tools: [{name: a}]")[0].digest
    assert folder.read("tools.yaml", "tools: [{name: a}]")[0].digest == first
    assert folder.read("tools.yaml", "tools: [{name: b}]")[0].digest != first


def test_what_is_wrong_in_a_declaration_hides_nothing_else_of_it(folder: Folder) -> None:
    found, problems = folder.read(
        "tools.yaml",
        "tools:\n"
        "  - name: a\n"
        "    examples: {en: [x, 12], zh: [好]}\n"
        "    call: {timeout: 5}\n"
        "  - name: b\n"
        "    examples: [{x: y}]\n"
        "  - {name: c, examples: {en: [{x: y}], zh: 好}}\n"
        "sites:\n"
        "  - name: s\n"
        "    route: {cutoff: 200, fallback: b}\n"
        "    tools:\n"
        "      - {name: d, call: {timeout: 1}, description: x}\n",
    )
    assert [placed(problem) for problem in problems] == [
        "3:24 PB103", "4:21 PB104", "6:16 PB103", "7:31 PB103", "7:44 PB103", "10:21 PB104", "12:35 PB104",
    ]  # fmt: skip
    assert [(tool.value.name, tool.value.examples) for tool in found.tools] == [
        ("a", {"en": ["x", "12"], "zh": ["好"]}), ("b", {}), ("c", {}),
    ]  # fmt: skip
    (site,) = found.sites
    assert (site.value.route.fallback, [tool.description for tool in site.value.tools]) == ("b", ["x"])


def test_a_text_where_more_is_wanted_is_shown_as_it_should_be_written(folder: Folder) -> None:
    _, problems = folder.read(
        "tools.yaml",
        "tools: [search, {name: a, examples: {zh: 你好}}]\n"
        "sites: [{name: s, domains: s.example, tools: b, route: quick}]\n"
        "types: Recipe\n",
    )
    assert [(placed(problem), problem.hint) for problem in problems] == [
        ("1:9 PB103", 'Write {"name":"search"}, with its other keys.'),
        ("1:42 PB103", 'Write ["你好"].'),
        ("2:28 PB103", 'Write ["s.example"].'),
        ("2:46 PB103", ""),
        ("2:56 PB103", ""),
        ("3:8 PB103", ""),
    ]


def test_brackets_are_part_of_a_place(folder: Folder) -> None:
    _, problems = folder.read("tools.yaml", "tools:\n  - {name: a, handler: [b,\n     c ]}\n  - {}\n")
    assert [(placed(each), each.span.end_line, each.span.end_column) for each in problems] == [
        ("2:24 PB103", 3, 9),
        ("4:5 PB102", 4, 7),
    ]
