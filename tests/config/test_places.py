"""Places in files that make counting hard: `§` stands before each thing that is reported, and is taken out."""

import re

import pytest

from tests.config.conftest import Folder

LINE_END = re.compile(r"\r\n|\r|\n")


def marked(text: str) -> tuple[str, list[tuple[int, int]]]:
    """Return a text without its marks, and where they stood; lines and columns count from 1."""
    places = []
    before = ""
    for part in text.split("§")[:-1]:
        before += part
        lines = LINE_END.split(before)
        places.append((len(lines), len(lines[-1]) + 1))
    return text.replace("§", ""), places


def check(folder: Folder, name: str, text: str, *, before: bytes = b"", codec: str = "utf-8") -> None:
    plain, places = marked(text)
    found = folder.read(name, before + plain.encode(codec))[1]
    assert [(problem.span.line, problem.span.column) for problem in found] == places, list(map(str, found))


YAML = {
    "line ends of Windows": "tools:\r\n- name: a\r\n  §nam: b\r\n",
    "line ends of old Macs": "tools:\r- name: a\r  §nam: b\r",
    "mixed line ends": "tools:\n\r\n\r- name: a\r\n  enabled: §5\r  §x: 1\n",
    "astral characters": '"x-😀😀": "😀"\ntools: [{name: a, §"😀": "😀", description: §5}]',
    "combining characters": "x-a: e\u0301e\u0301\ntools: [{description: 'e\u0301', name: §5}]",
    "Chinese": "tools: [{description: 中文，中文, name: §no, §名: 中文}]",
    "tabs behind values": "tools:\n- name: a\t# \t\n  enabled:\t\t§5\t\n",
    "flow over lines": "tools: [\n  {name: a,\n\n     enabled:\n  §5,   §x: 1\n }]",
    "anchors": "x-a: &a\n  §no: 1\ntools:\n- name: a\n  enabled: &b   §5\n",
    "an alias, at what it names": "x-a: &a §5\ntools: [{name: a, enabled: *a}]",
    "merged, at where it stands": "x-a: &a {enabled: §5, §nam: 1}\ntools: [{name: a, <<: *a}]",
    "tags": "tools: [{name: a, enabled: §!!int §5}]",
    "block texts": "tools:\n- name: a\n  description: |\n    é 😀\n\n      x\n  §nam: >-\n\n   y\n",
    "a block text where none may be": "tools:\n- name: a\n  enabled: §|-\n    yes\n",
    "quotes over lines": "tools: [{name: 'a', description: \"é\n\n  \\\n  x\", enabled: §'x\n\n y'}]",
    "keys in quotes": "tools: [{name: a, §\"x\\u0041\": 1, §'y''z': 2}]",
    "explicit keys": "tools:\n- ? name\n  : a\n  ? §nam\n  : b\n",
    "several documents": "tools: []\n---\n# é\n---\ntools: [{name: §no}]\n...\n--- {§x: 1}\n",
    "comments": "# 😀\ntools: # é\n# x\n- name: a # x\n  enabled: §5 # x\n",
    "a line separator in quotes": "tools: [{name: a, description: '\u2028 \u0085 \u2029', enabled: §5}]",
    "control characters that are allowed": "tools: [{name: a, description: \"\u00a0\u200b\u00ad\", enabled: §5}]",
    "a directive": "%YAML 1.1\n%TAG !e! tag:example,2000:\n--- # x\ntools: [{name: §no}]",
    "an empty value": "tools:\n- name: a\n  description:§\n  enabled: true\n",
    "the same key": "tools: [{name: a, type: Item, §name: b}]\n",
}  # fmt: skip

JSON = {
    "escapes": r'{"tools": [{"name": "a", "description": "\u4e2d\ud83d\ude00\"\\", "enabled": §5, §"\u006eam": 1}]}',
    "line ends": '{\r\n"tools":\r[\n\r{"name"\n:\r\n"a", "enabled":\r§5}]}',
    "astral characters": '{"x-😀": "😀", "tools": [{"name": "a", §"😀": 1}]}',
    "tabs": '{\t"tools":\t[{\t"name":\t"a",\t"enabled":\t§5\t}]\t}',
    "a line separator": '{"x-a": "\u2028\u0085", "tools": [{"name": "a", "enabled": §5}]}',
    "the same key, spelled otherwise": r'{"tools": [{"name": "a", "type": "Item", §"n\u0061me": "b"}]}',
}

XML = {
    "line ends": "<Tools>\r\n<Tool name='a'\r\n enabled='§5'/>\r<x-a>\r</x-a><Tool\n\n§nam='a'\rname='b'/></Tools>",
    "entities in attributes": "<Tools><Tool name='a' description='&lt;&#x1F600;&#10;&amp;' enabled='§&#53;'/></Tools>",
    "astral characters": "<Tools><!-- 😀😀 --><Tool name='a' description='😀' enabled='§5'/></Tools>",
    "text": "<Tools><Tool name='a'><enabled>\n  <!-- x -->  §5 \n</enabled></Tool></Tools>",
    "CDATA": "<Tools><Tool name='a'><enabled><![CDATA[ §5 ]]></enabled></Tool></Tools>",
    "CDATA of lines": "<Tools><Tool name='a'><enabled><![CDATA[\r\n\r\n]]>\r\n<?x?>§5</enabled></Tool></Tools>",
    "references": "<Tools><Tool name='a'><enabled> §&#53; </enabled></Tool></Tools>",
    "JSON in CDATA": '<Tools><Tool name="a"><output><![CDATA[{"é😀":\r\n"x", "b": §]}]]></output></Tool></Tools>',
    "JSON in references": '<Tools><Tool name="a"><output>{&quot;a&quot;: "&lt;", &quot;b": §]}</output></Tool></Tools>',
    "spaces in tags": "<Tools><Tool name = 'a'\tenabled\n=\n'§5'  ></Tool></Tools>",
    "quotes in quotes": "<Tools><Tool name='a' description='\"=\">' enabled=\"§'5'\"/></Tools>",
    "a prefix": "<Tools xmlns:x='y' xml:lang='en'>\n<Tool name='a' §x:y='1' enabled='§5'/></Tools>",
}


@pytest.mark.parametrize("text", YAML.values(), ids=YAML)
def test_yaml(folder: Folder, text: str) -> None:
    check(folder, "tools.yaml", text)


@pytest.mark.parametrize("text", JSON.values(), ids=JSON)
def test_json(folder: Folder, text: str) -> None:
    check(folder, "tools.json", text)


@pytest.mark.parametrize("text", XML.values(), ids=XML)
def test_xml(folder: Folder, text: str) -> None:
    check(folder, "tools.xml", text)


@pytest.mark.parametrize(
    ("mark", "codec"),
    [
        (b"\xef\xbb\xbf", "utf-8"),
        (b"\xff\xfe", "utf-16-le"),
        (b"\xfe\xff", "utf-16-be"),
        (b"\xff\xfe\x00\x00", "utf-32-le"),
        (b"\x00\x00\xfe\xff", "utf-32-be"),
    ],
)
@pytest.mark.parametrize("name", ["tools.yaml", "tools.json", "tools.xml"])
def test_a_byte_order_mark_takes_no_place(folder: Folder, name: str, mark: bytes, codec: str) -> None:
    texts = {
        "tools.yaml": "§tool: 😀\ntools: [{name: a, description: 😀, enabled: §5}]",
        "tools.json": '{§"tool": "😀",\n"tools": [{"name": "a", "description": "😀", "enabled": §5}]}',
        "tools.xml": "<Tools §tool='😀'>\n<Tool name='a' description='😀' enabled='§5'/></Tools>",
    }
    check(folder, name, texts[name], before=mark, codec=codec)
