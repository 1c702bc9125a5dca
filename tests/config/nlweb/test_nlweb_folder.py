"""A folder of NLWeb's files: `tools.xml`, `sites.xml`, `prompts.xml` and what lies beside them."""

import pytest

from pegboard.config.declarations import Declarations
from tests.config.conftest import Folder, files_of, placed

TOOLS = """<Tools>
  <Site id="default">
    <Item><Tool name="search"><method>builtin</method></Tool></Item>
    <Recipe><Tool name="swap"/></Recipe>
  </Site>
  <Site id="films"><Item><Tool name="search"/></Item><Movie><Tool name="cast"/></Movie></Site>
  <Site id="all"><Item><Tool name="who"/></Item></Site>
</Tools>
"""

SITES = """<?xml version="1.0" encoding="UTF-8"?>
<Sites>
  <Site name="Kitchen">
    <itemType>Recipe</itemType>
    <itemType>Article</itemType>
    <description>Things to cook &amp; eat</description>
  </Site>
  <!-- shops -->
  <Site name="kutani.example"><itemType>Product</itemType><description>陶瓷</description></Site>
  <Site name="Films"><itemType>TVSeries</itemType><description>Films and series</description></Site>
  <Site name="新闻"/>
</Sites>
"""

PROMPTS = """<?xml version="1.0" encoding="UTF-8"?>
<root xmlns="http://nlweb.ai/base" xmlns:so="http://www.schema.org/">
  <Site id="default">
    <Item>
      <Prompt ref="RankingPrompt"><promptString>Rank {item.description}</promptString></Prompt>
      <Prompt ref="SummarizeResultsPrompt"><promptString>Sum up</promptString><returnStruc>{</returnStruc></Prompt>
    </Item>
    <Recipe><Prompt ref="RankingPrompt"><promptString>Rank recipes</promptString></Prompt></Recipe>
  </Site>
</root>
"""


def sites_of(found: Declarations) -> dict[str, tuple[list[str], list[str], list[str], bool]]:
    """Return types, domains, own tools and inheritance by site."""
    return {
        site.value.name: (
            site.value.types,
            site.value.domains,
            [tool.name for tool in site.value.tools],
            site.value.inherit,
        )
        for site in found.sites
    }


def test_sites_get_their_types_and_those_with_tools_of_their_own_inherit_nothing(folder: Folder) -> None:
    folder.write("tools.xml", TOOLS)
    found, problems = folder.read("sites.xml", SITES)
    assert problems == []
    assert found.files == ("tools.xml", "sites.xml")
    assert sites_of(found) == {
        "films": (["TVSeries", "Movie"], [], ["search", "cast"], False),
        "all": (["Item"], [], ["who"], False),
        "Kitchen": (["Recipe", "Article"], [], [], True),
        "kutani.example": (["Product"], ["kutani.example"], [], True),
        "新闻": (["Item"], [], [], True),
    }
    assert [tool.value.name for tool in found.tools] == ["search", "swap"]
    assert {site.dialect for site in found.sites} == {"nlweb"}


def test_each_value_of_a_joined_site_keeps_its_place(folder: Folder) -> None:
    folder.write("tools.xml", TOOLS)
    films = folder.read("sites.xml", SITES)[0].sites[0]
    assert films.value.description == "Films and series"
    places = [("name",), ("types", 0), ("types", 1), ("description",), ("tools", 0, "name")]
    assert [str(films.at(*path)) for path in places] == [
        "tools.xml:6:13",
        "sites.xml:10:32",
        "tools.xml:6:55",
        "sites.xml:10:64",
        "tools.xml:6:38",
    ]


def test_sites_may_come_from_a_folder_or_be_named_alone(folder: Folder) -> None:
    path = folder.write("tools.d/10-sites.xml", SITES)
    assert list(sites_of(folder.load()[0])) == ["Kitchen", "kutani.example", "Films", "新闻"]
    found, problems = folder.load(config=path)
    assert (list(sites_of(found)), problems) == (["Kitchen", "kutani.example", "Films", "新闻"], [])


def test_the_tools_of_all_sites_have_a_site_where_all_others_have_their_own(folder: Folder) -> None:
    found, problems = folder.read("tools.xml", TOOLS)
    assert problems == []
    assert sites_of(found) == {
        "default": (["Item", "Recipe"], [], [], True),
        "films": (["Item", "Movie"], [], ["search", "cast"], False),
        "all": (["Item"], [], ["who"], False),
    }
    assert [site.value.default for site in found.sites] == [True, False, False]
    assert str(found.sites[0].at("name")) == "tools.xml:3:11"


def test_a_site_of_our_own_that_inherits_is_enough(folder: Folder) -> None:
    folder.write("tools.xml", TOOLS)
    found, _ = folder.read("tools.d/a.yaml", "sites: [{name: kitchen, types: [Recipe]}]\n")
    assert list(sites_of(found)) == ["films", "all", "kitchen"]


@pytest.mark.parametrize(
    ("name", "domains"),
    [
        ("kutani-ware.jp", ["kutani-ware.jp"]),
        ("Shop.Example.COM", ["shop.example.com"]),
        ("例子.公司", ["xn--fsqu00a.xn--55qx5d"]),
        *((name, []) for name in ("imdb", "v1.2", "10.0.0.1", "新闻", "a..b", ".com", "-a.b1")),
    ],
)
def test_a_site_that_is_named_like_a_domain_answers_for_it(folder: Folder, name: str, domains: list[str]) -> None:
    found, problems = folder.read("sites.xml", f'<Sites><Site name="{name}"/></Sites>')
    assert ([site.value.domains for site in found.sites], problems) == ([domains], [])
    found, problems = folder.read("sites.xml", f'<Tools><Site id="{name}"/></Tools>')
    assert ([site.value.domains for site in found.sites], problems) == ([domains], [])


def test_a_domain_that_a_document_gives_to_a_site_stays_there(folder: Folder) -> None:
    folder.write("tools.d/a.yaml", "sites: [{name: pots, domains: [Kutani.example]}]\n")
    found, problems = folder.read("sites.xml", SITES)
    assert problems == []
    assert {name: site[1] for name, site in sites_of(found).items() if site[1]} == {"pots": ["Kutani.example"]}


def test_toolsets_whose_names_differ_in_capitals_share_the_types_of_the_one_site(folder: Folder) -> None:
    folder.write("tools.xml", '<Tools><Site id="Bat.example"/><Site id="bat.example"/></Tools>')
    found, problems = folder.read(
        "sites.xml", '<Sites><Site name="BAT.example"><itemType>Event</itemType></Site></Sites>'
    )
    assert problems == []
    assert sites_of(found) == {
        "Bat.example": (["Event"], ["bat.example"], [], False),
        "bat.example": (["Event"], [], [], False),
    }


def test_a_site_that_is_named_twice_is_a_problem_with_both_places(folder: Folder) -> None:
    text = '<Sites>\n<Site name="imdb"/>\n<Site name="a"/><Site name="IMDb"/>\n</Sites>'
    found, problems = folder.read("sites.xml", text)
    assert [(str(p.span), p.code, p.severity, *map(str, p.also)) for p in problems] == [
        ("sites.xml:3:29", "PB201", "error", "sites.xml:2:13")
    ]
    assert list(sites_of(found)) == ["imdb", "a"]


def test_what_means_nothing_in_sites_xml_is_told_at_its_place(folder: Folder) -> None:
    text = """<Sites version="1" xmlns="x">words
<Page/><Site name="a" id="b"><itemType x="en">Movie</itemType><itemType>Movie</itemType><itemType/>
<url>http://a</url>text<description>a</description><description>b</description></Site>
<Site id="c"/><Site name="a/b"/><Site name=""/></Sites>"""
    found, problems = folder.read("sites.xml", text)
    assert sorted(placed(problem) for problem in problems) == sorted(
        [
            *("1:8 PB106", "1:30 PB106", "2:2 PB106", "2:23 PB106", "2:40 PB106", "2:73 PB106", "2:89 PB106"),
            *("3:2 PB106", "3:20 PB106", "3:53 PB005"),
            *("4:1 PB102", "4:7 PB106", "4:27 PB104", "4:45 PB104"),
        ]
    )
    assert found.sites[0].value.types == ["Movie"]


def test_a_name_with_blanks_is_spelt_with_hyphens(folder: Folder) -> None:
    folder.write("tools.xml", '<Tools><Site id="hot n  saucy"><Item><Tool name="a"/></Item></Site></Tools>')
    found, problems = folder.read(
        "sites.xml", '<Sites><Site name="Hot N Saucy"><itemType>Product</itemType></Site></Sites>'
    )
    assert sites_of(found) == {"hot-n-saucy": (["Product"], [], ["a"], False)}
    assert [(p.code, p.severity, str(p.span)) for p in problems] == [
        ("PB115", "warning", "tools.xml:1:18"),
        ("PB115", "warning", "sites.xml:1:20"),
    ]


@pytest.mark.parametrize("name", ["prompts.xml", "site_type.xml"])
def test_prompts_without_a_counterpart_are_one_warning(folder: Folder, name: str) -> None:
    folder.write("tools.xml", TOOLS)
    found, problems = folder.read(name, PROMPTS)
    assert [(str(p.span), p.code, p.severity) for p in problems] == [(f"{name}:2:1", "PB009", "warning")]
    assert problems[0].message == "3 of the 3 prompts in this file are not used: RankingPrompt, SummarizeResultsPrompt"
    assert found.files == ("tools.xml", name)


def test_prompts_alone_are_refused_with_what_to_do(folder: Folder) -> None:
    path = folder.write("prompts.xml", PROMPTS)
    _, problems = folder.load(config=path)
    assert [(placed(p), p.severity) for p in problems] == [("2:1 PB006", "error")]
    assert "beside tools.xml" in problems[0].hint
    assert [problem.code for problem in folder.load()[1]] == ["PB007"]


SCORING = """<root xmlns="http://nlweb.ai/base">
  <Thing>
    <Prompt ref="ToolScoringPrompt"><promptString>Any: {request.query} {tool.description}</promptString></Prompt>
    <Prompt ref="FindAllToolScoringPrompt">
      <promptString>
        Find: {request.query}
      </promptString>
      <returnStruc>{"score": "integer between 0 and 100", "what": "to find"}</returnStruc>
    </Prompt>
    <Recipe><Prompt ref="ToolScoringPrompt"><promptString>Recipe: {request.query}</promptString></Prompt></Recipe>
  </Thing>
  <Site id="Films"><Item><Prompt ref="ToolScoringPrompt"><promptString>Film: {query}</promptString></Prompt></Item></Site>
</root>
"""


def test_a_tool_without_a_prompt_takes_the_one_that_scores_it(folder: Folder) -> None:
    folder.write(
        "tools.xml",
        """<Tools><Thing>
        <Tool name="find_all"/>
        <Tool name="other"><returnStruc>{"score": "x"}</returnStruc></Tool>
        <Tool name="own"><prompt>Own: {query}</prompt></Tool>
        </Thing><Recipe><Tool name="swap"/></Recipe>
        <Site id="films"><Movie><Tool name="cast"/></Movie></Site></Tools>""",
    )
    folder.write("tools.d/a.yaml", "tools: [{name: ours, examples: [x]}]\n")
    found, problems = folder.read("site_type.xml", SCORING)
    assert problems == []
    assert {tool.value.name: tool.value.prompt for tool in found.tools} == {
        "find_all": "Find: {request.query}",
        "other": "Any: {request.query} {tool.description}",
        "own": "Own: {query}",
        "swap": "Recipe: {request.query}",
        "ours": "",
    }
    assert [site.value.tools[0].prompt for site in found.sites if site.value.tools] == ["Film: {query}"]
    assert found.tools[0].value.returns == {"score": "integer between 0 and 100", "what": "to find"}
    assert found.tools[1].value.returns == {"score": "x"}
    assert str(found.tools[0].at("prompt")) == "site_type.xml:6:9"


def test_bad_json_in_a_prompt_that_is_used_is_told_once_at_its_place(folder: Folder) -> None:
    folder.write("tools.xml", "<Tools><Tool name='find-all'/><Tool name='findall'/></Tools>")
    text = SCORING.replace('"to find"', "to find")
    assert files_of(folder.read("prompts.xml", text)[1]) == {"prompts.xml": ["1:1 PB009", "8:67 PB003"]}


def test_files_that_set_up_nlwebs_own_server_are_named_once_each(folder: Folder) -> None:
    folder.write("tools.xml", TOOLS)
    for name in ("config_llm.yaml", "config_webserver.yaml", "config_of_a_fork.yml", "config_x.json", "other.yaml"):
        folder.write(name, "][")
    (folder.path / "config_nlweb.yaml").mkdir()
    (folder.path / "config_logging.yaml").symlink_to("config_logging.yaml")
    _, problems = folder.load()
    assert [(problem.span.file, problem.code, problem.severity) for problem in problems] == [
        ("config_llm.yaml", "PB008", "warning"),
        ("config_of_a_fork.yml", "PB008", "warning"),
        ("config_webserver.yaml", "PB008", "warning"),
    ]
    assert "OPENAI_MODEL" in problems[0].hint
    assert "pegboard.toml" in problems[2].hint


def test_a_file_of_anybody_with_such_a_name_is_not_nlwebs(folder: Folder) -> None:
    folder.write("config_site.yaml", "][")
    folder.write("tools.yaml", "tools: [{name: a}]\n")
    assert folder.load()[1] == []


@pytest.mark.parametrize("name", ["sites.xml", "prompts.xml", "site_type.xml"])
def test_another_file_of_the_same_name_is_said_not_to_be_read(folder: Folder, name: str) -> None:
    folder.write("tools.yaml", "tools: [{name: a}]\n")
    _, problems = folder.read(name, "<urlset/>")
    assert [(str(p.span), p.code, p.severity) for p in problems] == [(f"{name}:1:1", "PB008", "warning")]


def test_a_broken_file_is_an_error_at_its_place(folder: Folder) -> None:
    folder.write("tools.xml", TOOLS)
    folder.write("sites.xml", "<Sites>\n<Site name='a'>\n</Sites>")
    folder.write("prompts.xml", "<!DOCTYPE a><root/>")
    found, problems = folder.load()
    assert files_of(problems) == {"sites.xml": ["3:3 PB003"], "prompts.xml": ["1:1 PB004"]}
    assert not found.is_complete
