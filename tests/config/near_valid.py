"""Documents that are nearly right, and what is done to right ones: for the tests that try any bytes."""

import json
from collections.abc import Mapping
from xml.sax.saxutils import escape, quoteattr

import yaml
from hypothesis import strategies as st

from tests.config.nlweb.test_nlweb import SITES
from tests.config.test_load import YAML

JSON = '{"tools": [{"name": "a", "examples": {"zh": ["中"]}, "call": {"timeout": "5s"}, "read_only": true}]}'
FULL = """# 说明 😀
version: "1"
x-common: &common {read_only: true, call: {timeout: 5s}}
types:
  - {name: Cocktail, parents: [Recipe]}
tools:
  - <<: *common
    name: clock
    type: Item
    description: >
      Tells the time,
      anywhere.
    examples: {en: [what time is it], zh: [现在几点]}
    prompt: |
      The visitor asks: {request.query}
      Score from 0 to 100.
    returns: {score: integer between 0 and 100, zone: "a time zone, such as \\u4e2d"}
    parameters: {type: object, properties: {zone: {type: string, pattern: "^[A-Z]"}}}
    handler: pegboard.handlers.clock:clock
  - {name: clock, type: Cocktail, enabled: no, override: replace}
sites:
  - name: bar
    domains: [bar.example, "*.bar.example"]
    types: [Cocktail]
    exclude: [other]
    default: true
    tools: [{name: clock, description: "${NAME:-x}"}]
    route: {early_stop: 90, cutoff: 70, fallback: clock, grace: 150ms}
---
knowledge: [{name: bar, sources: ["*.md", content/**]}]
"""
FULL_JSON = json.dumps(yaml.safe_load(FULL.partition("---")[0]), ensure_ascii=False, indent=1)
VALID = {"a.yaml": [YAML, FULL], "a.json": [JSON, FULL_JSON], "a.xml": [SITES]}
"""Documents by what they are called; some have mistakes."""

PIECES = st.sampled_from(
    [
        *(
            "{",
            "}",
            "[",
            "]",
            '"',
            "'",
            "&a ",
            "*a",
            "<<: ",
            "<<: *a",
            "!!x ",
            "! ",
            "\t",
            "\n",
            "\r",
            "\r\n",
            "-",
            ": ",
        ),
        *(
            "? ",
            "%",
            "@",
            "#",
            "|\n",
            ">-\n",
            "---\n",
            "...\n",
            "\\",
            "\\ud800",
            "\\x00",
            "\\u2028",
            ",",
            "`",
            "=",
            "~",
        ),
        *("<", ">", "&", "&amp;", "&#0;", "&#xD800;", "<![CDATA[", "]]>", "<!--", "-->", "<?a?>", "</Tool>", "<Tool "),
        *(
            "<!DOCTYPE a>",
            "<Site id='a'>",
            "<entry name='a'>",
            " a=''",
            "/>",
            "${",
            "${A}",
            "${A:?",
            "$${",
            "{request.x}",
        ),
        *("no", "on", "1_0", "017", "1:30", ".inf", "2024-01-01", "1e999", "-", "null", "sk-abcdefghij0123456789ABCD"),
        *("\u2028", "\u0085", "\u00a0", "\ufeff", "\x00", "\x07", "\x7f", "😀", "e\u0301", "\u202e", "：", "\ufffe"),
        *(
            "name: ",
            "name: a\n",
            "tools:",
            "- name: b\n",
            "handler: os.system",
            "pegboard.handlers.clock:clock",
            "((a+)+)$",
        ),
        *("$ref", "#/properties", "**/", "../", "[" * 70, "<a>" * 70, "- " * 70, "9" * 50, "a" * 300, "*a, " * 50),
    ]
)


@st.composite
def mutated(draw: st.DrawFn) -> tuple[str, bytes]:
    """Return a name and a document with a few things done to it."""
    name = draw(st.sampled_from(sorted(VALID)))
    data = draw(st.sampled_from(VALID[name])).encode()
    for _ in range(draw(st.integers(1, 4))):
        data = _with_one_change(draw, data)
    if draw(st.integers(0, 9)) == 0:
        name = draw(st.sampled_from(sorted(VALID)))
    if draw(st.integers(0, 19)) == 0:
        codec = draw(st.sampled_from(["utf-16", "utf-32", "utf-16-le", "utf-8-sig", "gb18030", "latin-1"]))
        data = data.decode("utf-8", "replace").encode(codec, "replace")
    return name, data


def _with_one_change(draw: st.DrawFn, data: bytes) -> bytes:
    start = draw(st.integers(0, len(data)))
    end = min(len(data), start + draw(st.sampled_from([0, 0, 1, 1, 2, 5, 20, 100, 400])))
    cut = data[start:end]
    match draw(st.sampled_from(["flip", "put", "put", "put", "cut", "double", "move", "end", "splice", "swap"])):
        case "flip":
            return (
                data[:start]
                + bytes(byte ^ (1 << draw(st.integers(0, 7))) for byte in data[start : start + 1])
                + data[start + 1 :]
            )
        case "put":
            return data[:start] + draw(PIECES).encode() + data[end:]
        case "double":
            return data[:end] + cut * draw(st.integers(1, 3)) + data[end:]
        case "move":
            rest = data[:start] + data[end:]
            at = draw(st.integers(0, len(rest)))
            return rest[:at] + cut + rest[at:]
        case "end":
            return data[:start]
        case "splice":
            other = draw(st.sampled_from(VALID[draw(st.sampled_from(sorted(VALID)))])).encode()
            return data[:start] + other[draw(st.integers(0, len(other))) :]
        case "swap":
            old, new = draw(
                st.sampled_from([(b"\n", b"\r\n"), (b"\n", b"\r"), (b" ", b"\t"), (b":", b"="), (b'"', b"'")])
            )
            return data.replace(old, new)
        case _:
            return data[:start] + data[end:]


WORDS = st.sampled_from(
    [
        *(
            "",
            " ",
            "a",
            "clock",
            "Recipe",
            "Item",
            "no",
            "1:30",
            "2024-01-01",
            "5s",
            "150ms",
            "0",
            "-1",
            "1e9",
            "*",
            "中",
            "😀",
        ),
        *(
            "pegboard.handlers.clock:clock",
            "pegboard.handlers.search",
            "os.system",
            "platform.x:y",
            "a..b",
            "merge",
            "replace",
        ),
        *("{request.query}", "{query}", "{a.b}", "${A}", "${OPENAI_API_KEY}", "${A:-1}", "integer between 0 and 100"),
        *(
            "string",
            "objekt",
            "#/$defs/a",
            "(",
            "(a+)+$",
            "*.example",
            "bar.example",
            "x" * 200,
            "\u202e",
            "\ufeff",
            "en",
            "zh",
        ),
    ]
)
KEYS = st.sampled_from(
    [
        *(
            "version",
            "types",
            "tools",
            "sites",
            "knowledge",
            "x-a",
            "sources",
            "name",
            "type",
            "enabled",
            "description",
        ),
        *(
            "examples",
            "prompt",
            "returns",
            "parameters",
            "output",
            "handler",
            "read_only",
            "call",
            "override",
            "timeout",
        ),
        *(
            "domains",
            "extends",
            "exclude",
            "inherit",
            "default",
            "route",
            "strategy",
            "early_stop",
            "cutoff",
            "fallback",
        ),
        *(
            "grace",
            "parents",
            "score",
            "properties",
            "required",
            "pattern",
            "$ref",
            "$defs",
            "enum",
            "en",
            "zh",
            "nam",
            "",
            "tags",
        ),
    ]
)
VALUES = st.recursive(
    WORDS | st.none() | st.booleans() | st.integers(-5, 200) | st.floats(allow_nan=False, width=32),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)
TOOLS = st.lists(
    st.fixed_dictionaries(
        {"name": st.sampled_from(["clock", "search", "a", "b"])},
        optional={
            "type": WORDS,
            "examples": VALUES,
            "prompt": WORDS,
            "returns": VALUES,
            "parameters": VALUES,
            "output": VALUES,
            "handler": WORDS,
            "enabled": VALUES,
            "call": VALUES,
            "override": WORDS,
        },
    )
    | VALUES,
    max_size=3,
)
SITE_NAMES = st.sampled_from(["a", "b", "c", "bar.example"])
SITES_BUILT = st.lists(
    st.fixed_dictionaries(
        {"name": SITE_NAMES},
        optional={
            "extends": st.lists(SITE_NAMES, max_size=3) | VALUES,
            "types": st.lists(WORDS, max_size=3) | VALUES,
            "domains": st.lists(WORDS, max_size=2) | VALUES,
            "exclude": st.lists(WORDS, max_size=2),
            "tools": TOOLS,
            "route": VALUES,
            "default": VALUES,
        },
    )
    | VALUES,
    max_size=3,
)
DOCUMENTS = st.fixed_dictionaries(
    {},
    optional={
        "tools": TOOLS | VALUES,
        "sites": SITES_BUILT | VALUES,
        "types": st.lists(
            st.fixed_dictionaries({"name": WORDS}, optional={"parents": st.lists(WORDS, max_size=2)}), max_size=3
        )
        | VALUES,
        "knowledge": st.lists(
            st.fixed_dictionaries({"name": WORDS, "sources": st.lists(WORDS, max_size=2)}), max_size=2
        )
        | VALUES,
        "version": WORDS,
        "x-a": VALUES,
        "nonsense": VALUES,
    },
)


@st.composite
def built(draw: st.DrawFn) -> tuple[str, bytes]:
    """Return a name and a document whose syntax is right, and whose content is nearly so."""
    document = draw(DOCUMENTS)
    match draw(st.sampled_from(["yaml", "json", "xml"])):
        case "yaml":
            text = yaml.safe_dump(
                document, allow_unicode=True, default_flow_style=draw(st.sampled_from([None, True, False]))
            )
            return "a.yaml", text.encode()
        case "json":
            return "a.json", json.dumps(document, ensure_ascii=False, indent=draw(st.sampled_from([None, 1]))).encode()
        case _:
            return "a.xml", f"<Tools>{_xml(document)}</Tools>".encode()


def _xml(value: object, singular: str = "x") -> str:
    """Write a value roughly as XML has it: keys are elements, lists repeat theirs."""
    if isinstance(value, Mapping):
        return "".join(_element(key, inner) for key, inner in value.items())
    if isinstance(value, list):
        return "".join(f"<{singular}>{_xml(inner)}</{singular}>" for inner in value)
    return escape(str(value))


def _element(key: str, value: object) -> str:
    name = key.replace("$", "") or "entry"
    if isinstance(value, list):
        return _xml(value, name.removesuffix("s") or "x")
    if name == "name" and isinstance(value, str):
        return f"<Tool name={quoteattr(value)}/>"
    return f"<{name}>{_xml(value)}</{name}>"
