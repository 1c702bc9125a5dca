"""The house form: one way to write a document, whoever wrote it."""

import json
import textwrap
from typing import Any

import pytest
import yaml
from hypothesis import example, given, settings

from pegboard.config.write.house import house_form
from pegboard.config.write.read import Syntax
from tests.config.write.documents import DOCUMENTS, declared
from tests.config.write.test_convert import ALL, HARD, written


def house(text: str, syntax: Syntax = "yaml") -> str:
    done = house_form(text.encode(), f"a.{syntax}", syntax)
    assert done.problems == ()
    assert house_form(done.after.encode(), f"a.{syntax}", syntax).is_changed is False
    return done.after


@given(DOCUMENTS)
@example(HARD)
@settings(max_examples=100, deadline=None)
def test_it_is_stable_and_means_the_same(document: dict[str, Any]) -> None:
    source = json.dumps(document, ensure_ascii=False)
    texts = [(written(source, "json", syntax), syntax) for syntax in ALL]
    texts.append((source, "json"))
    texts.append((yaml.safe_dump(document, allow_unicode=True, width=30), "yaml"))
    texts.append((yaml.safe_dump(document, default_flow_style=True), "yaml"))
    for text, syntax in texts:
        assert declared(house(text, syntax), syntax) == declared(text, syntax)


def test_yaml() -> None:
    text = """
      tools:
      - {handler: 'a.b:c', name: "a", x: 1, prompt: "one\\ntwo\\n", examples: [ "it's", 'so' ], enabled: yes }
      - name: b
        description:
          a text that goes on over several lines of the file and is
          therefore longer than a line of the house should be, so that it is folded

        parameters: {type: object, required: []}
      version: '1'
      # yaml-language-server: $schema=x.json
      x-y: ~
    """
    assert house(textwrap.dedent(text)) == textwrap.dedent("""\
      version: '1'
      # yaml-language-server: $schema=x.json
      x-y: ~

      tools:
        - name: "a"
          enabled: true
          examples:
            - "it's"
            - 'so'
          prompt: |
            one
            two
          handler: 'a.b:c'
          x: 1

        - name: b
          description: >-
            a text that goes on over several lines of the file and is therefore longer than a line of the house
            should be, so that it is folded

          parameters:
            type: object
            required: []
    """)


def test_the_line_for_editors_comes_first() -> None:
    text = "# Mine.\n# yaml-language-server: $schema=x.json\ntools: []\n"
    assert house(text) == "# yaml-language-server: $schema=x.json\n\n# Mine.\ntools: []\n"


def test_anchors_aliases_and_merges_stay() -> None:
    text = textwrap.dedent("""\
      tools:
        - &one
          name: a
          call: &call
            timeout: 5s
        - <<: *one
          name: b
          call: *call
      x-late: &late
        - 1
      x-again: *late
    """)
    assert house(text) == textwrap.dedent("""\
      x-late: &late
        - 1

      x-again: *late

      tools:
        - &one
          name: a
          call: &call
            timeout: 5s

        - <<: *one
          name: b
          call: *call
    """)


def test_keys_keep_their_order_where_an_alias_would_come_before_its_anchor() -> None:
    text = "tools:\n  - handler: &h a.b:c\n    description: *h\n    name: x\n"
    assert house(text) == text


def test_documents_of_a_file_stay_apart() -> None:
    text = "tools: []  # a\n# behind a\n---\n# top\nsites:\n- name: s\n...\n---\n"
    assert house(text) == "tools: []  # a\n# behind a\n---\n# top\nsites:\n  - name: s\n"


def test_folded_texts_keep_their_folds() -> None:
    text = "tools:\n  - name: a\n    description: >-\n      one\n      two\n\n      three\n"
    assert house(text) == text


def test_json() -> None:
    text = '{"tools": [{"handler": "a.b:c", "name": "\\u4e2d", "parameters": {"b": 1e3, "a": []}}], "version": "1"}'
    assert house(text.replace("\\u4e2d", "x"), "json") == textwrap.dedent("""\
      {
        "version": "1",
        "tools": [
          {
            "name": "x",
            "parameters": {
              "b": 1e3,
              "a": []
            },
            "handler": "a.b:c"
          }
        ]
      }
    """)


def test_xml() -> None:
    text = textwrap.dedent("""\
      <?xml version='1.0' encoding='utf-8'?><?editor x?>
      <!-- Top -->
      <Tools><Site id='default'><Recipe>
      <Tool enabled = "yes"  name='a'>
       <handler> a.b:c </handler>
          <prompt>The question:
               {request.query}
                 indented
          </prompt>   <!-- beside -->
       <example lang="en">one &amp; <![CDATA[<two>]]></example>
          <description xml:space="preserve"> as it is
        </description>
       <method>code</method>
      </Tool><Tool name="b"/></Recipe></Site></Tools>
    """)
    assert house(text, "xml") == textwrap.dedent("""\
      <?xml version="1.0" encoding="UTF-8"?>
      <?editor x?>
      <!-- Top -->
      <Tools>
        <Site id="default">
          <Recipe>
            <Tool name="a" enabled="yes">
              <method>code</method>
              <description xml:space="preserve"> as it is
        </description>
              <example lang="en">one &amp; <![CDATA[<two>]]></example>
              <prompt>
                The question:
                {request.query}
                  indented
              </prompt>  <!-- beside -->
              <handler>a.b:c</handler>
            </Tool>

            <Tool name="b"/>
          </Recipe>
        </Site>
      </Tools>
    """)


@pytest.mark.parametrize(
    ("text", "syntax", "code"),
    [
        ("tools: [\n", "yaml", "PB003"),
        ("tools: []\ntools: []\n", "yaml", "PB005"),
        ("- a\n", "yaml", "PB006"),
        ("<Tools><Tool></Tools>", "xml", "PB003"),
        ('{"tools": [}', "json", "PB003"),
        ("\x00", "yaml", "PB003"),
    ],
)
def test_a_file_with_errors_of_syntax_is_not_written(text: str, syntax: Syntax, code: str) -> None:
    done = house_form(text.encode(), "a", syntax)
    assert (done.after, done.is_changed, [problem.code for problem in done.problems]) == (text, False, [code])


def test_other_encodings_and_line_ends_become_those_of_the_house() -> None:
    done = house_form("\ufefftools: []  # 中\r\n".encode("utf-16-le"), "a.yaml", "yaml")
    assert (done.after, done.is_changed) == ("tools: []  # 中\n", True)


def test_comments_of_a_document_with_an_anchor_are_written_once() -> None:
    assert house("&a\ntools: []\n# end\n") == "&a\ntools: []\n# end\n"


def test_the_line_for_editors_comes_first_when_its_key_does() -> None:
    text = "# Mine.\nx-a: 1\n# yaml-language-server: $schema=x.json\nversion: '1'\n"
    assert house(text) == "# yaml-language-server: $schema=x.json\n\n# Mine.\nversion: '1'\nx-a: 1\n"


def test_the_text_of_an_own_element_may_be_indented_anew() -> None:
    text = "<Tools><x-note>one\n        two\n          three</x-note></Tools>"
    assert "    one\n    two\n      three\n" in house(text, "xml")


@pytest.mark.parametrize("declaration", ['<?xml\n version="1.0"?>', "<?xml\tversion='1.0'?>", '<?xml version="1.0"?>'])
def test_the_xml_declaration_is_written_once_however_it_was_spaced(declaration: str) -> None:
    after = house(f'{declaration}\n<?mine x?>\n<Tools version="1"/>', "xml")
    assert after == '<?xml version="1.0" encoding="UTF-8"?>\n<?mine x?>\n<Tools version="1"/>\n'
