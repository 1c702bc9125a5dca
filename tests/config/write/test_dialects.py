"""NLWeb's XML comes out as a document that declares the same."""

import textwrap
from dataclasses import asdict
from pathlib import Path

import pytest

from pegboard.catalog.build import build
from pegboard.catalog.loading.named import Handlers
from pegboard.catalog.snapshot import Catalog
from pegboard.config.load import load
from pegboard.config.server.settings import DEFAULT_PREFIXES, Settings
from pegboard.config.write.read import Syntax
from tests.config.write.test_convert import ALL, written

NLWEB = textwrap.dedent("""\
    <Tools>
      <Site id="default">
        <Item>
          <Tool name="search" enabled="yes">
            <path>/api/search</path>
            <method>code</method>
            <argument name="query">what to look for</argument>
            <example>find things</example>
            <example lang="zh">找东西</example>
            <prompt>Asked: {request.query} &amp; ${HOME_OF_IT:-here}</prompt>
          </Tool>
          <Tool name="clock" enabled="0"/>
        </Item>
        <Recipe>
          <Tool name="search">
            <returnStruc>{"score": "integer between 0 and 100", "query": "a dish"}</returnStruc>
            <description>Finds dishes.</description>
          </Tool>
        </Recipe>
      </Site>
      <Site id="bar.example">
        <Cocktail>
          <Tool name="search" override="merge"><description>Finds drinks.</description></Tool>
        </Cocktail>
      </Site>
    </Tools>
""")


def catalog(folder: Path, text: str, syntax: Syntax) -> Catalog:
    path = folder / f"tools.{syntax}"
    path.write_text(text, "utf-8")
    declarations, problems = load(Settings(root=folder, config=path, data=folder), environ={})
    return build(declarations, handlers=Handlers(DEFAULT_PREFIXES), request_seconds=60, problems=problems)


def codes(catalog: Catalog) -> set[tuple[str, str]]:
    return {(problem.code, problem.severity) for problem in catalog.problems if problem.code != "PB106"}


def told(catalog: Catalog) -> dict[str, object]:
    """Return all that a catalog says, apart from places."""
    apart = {"origin", "tools", "run", "overridden"}
    return {
        name: [
            {field: value for field, value in asdict(site).items() if field not in apart},
            [{field: getattr(tool, field) for field in tool.__slots__ if field not in apart} for tool in site.tools],
        ]
        for name, site in catalog.sites.items()
    }


@pytest.mark.parametrize("to", ALL)
def test_the_catalog_is_the_same(tmp_path: Path, to: Syntax) -> None:
    wanted = catalog(tmp_path, NLWEB, "xml")
    found = catalog(tmp_path, written(NLWEB, "xml", to), to)
    assert told(found) == told(wanted)
    assert (found.tools, found.disabled) == (wanted.tools, wanted.disabled)
    assert codes(found) == codes(wanted)


def test_its_habits_are_written_out() -> None:
    assert written(NLWEB, "xml", "yaml") == textwrap.dedent("""\
        dialect: nlweb

        tools:
          - name: search
            type: Item
            enabled: true
            examples:
              "":
                - find things
              zh:
                - 找东西
            prompt: "Asked: {request.query} & ${HOME_OF_IT:-here}"
            returns:
              score: integer between 0 and 100
              query: what to look for
            override: replace

          - name: clock
            type: Item
            enabled: false
            override: replace

          - name: search
            type: Recipe
            description: Finds dishes.
            returns:
              score: integer between 0 and 100
              query: a dish
            override: replace

        sites:
          - name: default
            types:
              - Item
              - Recipe
            default: true

          - name: bar.example
            domains:
              - bar.example
            types:
              - Cocktail
            inherit: false
            tools:
              - name: search
                type: Cocktail
                description: Finds drinks.
                override: merge
    """)


def test_our_own_tools_beside_those_of_nlweb_go_on_merging() -> None:
    text = "<Tools><Item><Tool name='a'/></Item><tool name='b'/></Tools>"
    assert written(text, "xml", "yaml") == textwrap.dedent("""\
        dialect: nlweb

        tools:
          - name: a
            type: Item
            override: replace

          - name: b
            override: merge
    """)


def test_documents_of_a_file_become_one(tmp_path: Path) -> None:
    text = "tools: [{name: search}]\n# of b\n---\ntools: [{name: clock}]\nsites: [{name: a}]\n"
    assert written(text, "yaml", "xml") == textwrap.dedent("""\
        <?xml version="1.0" encoding="UTF-8"?>
        <Tools>
          <tool name="search"/>

          <tool name="clock"/>

          <site name="a"/>
          <!-- of b -->
        </Tools>
    """)


def test_the_schema_for_editors_is_named_as_each_syntax_names_it() -> None:
    text = "# yaml-language-server: $schema=s.json\ntools: []\n"
    as_json = written(text, "yaml", "json")
    assert as_json == '{\n  "$schema": "s.json",\n  "tools": []\n}\n'
    assert written(as_json, "json", "yaml") == text
    assert written(written(as_json, "json", "xml"), "xml", "yaml") == text
