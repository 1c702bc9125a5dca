"""The same document in YAML, JSON and XML declares the same, and each value is where it is said to be."""

import json
import tempfile
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from pegboard.config.declarations import Declarations
from pegboard.config.load import load
from pegboard.config.markup import tag_of
from pegboard.config.server.settings import Settings
from pegboard.config.shape import Free, Languages, Leaf, ListOf, Record, Shape, document_shape
from pegboard.config.syntax.source import Source

TEXTS = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Cn"], exclude_characters="\u2028\u2029\ufeff$"),
    max_size=12,
)
NAMES = st.from_regex(r"[a-z][a-z0-9_]{0,6}", fullmatch=True)
WORDS = TEXTS.filter(bool)
EXAMPLES = st.lists(WORDS, min_size=1, max_size=3) | st.dictionaries(
    st.sampled_from(["en", "zh", "no"]), st.lists(WORDS, min_size=1, max_size=3), min_size=1
)
SCHEMAS = st.dictionaries(
    TEXTS, st.recursive(TEXTS | st.booleans() | st.none() | st.integers(-99, 99), st.lists), max_size=3
)
TOOLS = st.fixed_dictionaries(
    {"name": NAMES},
    optional={
        "type": NAMES,
        "enabled": st.booleans(),
        "description": TEXTS,
        "examples": EXAMPLES,
        "prompt": TEXTS,
        "returns": SCHEMAS,
        "parameters": SCHEMAS,
        "read_only": st.booleans(),
        "call": st.fixed_dictionaries({"timeout": st.sampled_from(["5s", "150ms", "1.5 m"])}),
        "override": st.sampled_from(["merge", "replace"]),
    },
)
SITES = st.fixed_dictionaries(
    {"name": NAMES},
    optional={
        "domains": st.lists(TEXTS, min_size=1, max_size=3),
        "types": st.lists(NAMES, min_size=1, max_size=2),
        "exclude": st.lists(NAMES, min_size=1, max_size=2),
        "inherit": st.booleans(),
        "tools": st.lists(TOOLS, min_size=1, max_size=2),
        "route": st.fixed_dictionaries({"cutoff": st.integers(0, 100), "early_stop": st.sampled_from([90, 91.5])}),
    },
)
DOCUMENTS = st.fixed_dictionaries(
    {},
    optional={
        "version": st.just("1"),
        "tools": st.lists(TOOLS, min_size=1, max_size=3),
        "sites": st.lists(SITES, min_size=1, max_size=3),
        "types": st.lists(
            st.fixed_dictionaries({"name": NAMES, "parents": st.lists(NAMES, min_size=1, max_size=2)}),
            min_size=1,
        ),
    },
)


def as_xml(value: Any, shape: Shape, tag: str, *, in_attributes: bool) -> str:
    match shape:
        case Record(keys=keys):
            leaves = {key for key in value if in_attributes and isinstance(keys.get(key), Leaf)}
            attributes = "".join(f" {key}={quoteattr(as_text(value[key]))}" for key in leaves)
            body = "".join(
                as_xml(each, shape, tag_of(key, shape), in_attributes=in_attributes)
                for key, each in value.items()
                for shape in [keys.get(key, Leaf("text"))]
                if key not in leaves
            )
            return f"<{tag}{attributes}>\n {body}</{tag}>\n"
        case ListOf(item=item):
            return "".join(as_xml(each, item, tag, in_attributes=in_attributes) for each in value)
        case Languages():
            by_language = value if isinstance(value, dict) else {"": value}
            languages = {
                f" lang={quoteattr(language)}" if language else "": texts for language, texts in by_language.items()
            }
            return "".join(
                f"<{tag}{lang} xml:space='preserve'>{escape(text)}</{tag}>"
                for lang, texts in languages.items()
                for text in texts
            )
        case Free():
            return f"<{tag}>\n  {escape(json.dumps(value, ensure_ascii=False, indent=1))}\n</{tag}>"
        case _:
            return f"<{tag} xml:space='preserve'>{escape(as_text(value))}</{tag}>"


def as_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def read(name: str, text: str) -> Declarations:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_text(text, encoding="utf-8")
        declarations, problems = load(Settings(root=Path(folder), config=path, data=path), environ={})
    assert problems == [], text
    return declarations


def values(declarations: Declarations) -> list[object]:
    return [
        *(tool.value for tool in declarations.tools),
        *(site.value for site in declarations.sites),
        *(kind.value for kind in declarations.types),
    ]


def writings(document: dict[str, Any]) -> dict[str, str]:
    return {
        "a.yaml": yaml.safe_dump(document, allow_unicode=True, sort_keys=False),
        "b.yaml": yaml.safe_dump(document, allow_unicode=False, sort_keys=False, default_flow_style=True),
        "a.json": json.dumps(document, ensure_ascii=False, indent=2),
        "a.xml": as_xml(document, document_shape(), "Tools", in_attributes=True),
        "b.xml": as_xml(document, document_shape(), "Tools", in_attributes=False),
    }


@given(DOCUMENTS)
@settings(max_examples=60, deadline=None)
def test_the_same_document_declares_the_same(document: dict[str, Any]) -> None:
    read_ones = {name: values(read(name, text)) for name, text in writings(document).items()}
    assert all(found == read_ones["a.json"] for found in read_ones.values()), read_ones


@given(DOCUMENTS)
@settings(max_examples=60, deadline=None)
def test_the_text_that_is_read_stands_at_the_place_that_is_told(document: dict[str, Any]) -> None:
    for name, text in writings(document).items():
        source = Source(name, text)
        for declared in read(name, text).tools:
            for path, span in declared.spans.items():
                here = text[source.offset(span.line, span.column) :]
                if path == ("name",):
                    assert here.lstrip("'\"").startswith(declared.value.name)
                elif path in {("name", ""), ("enabled", ""), ("override", "")}:
                    assert here.lstrip("'\"").startswith(str(path[0]))
                elif path == ("prompt",) and declared.value.prompt.isalnum() and name.endswith("xml"):
                    assert here.startswith(declared.value.prompt)


MISTAKES = st.sampled_from(
    [
        ("zzqx", "oops", "PB101"),
        ("override", "zzqx", "PB104"),
        ("enabled", "zzqx", "PB103"),
        ("read_only", "zzqx", "PB103"),
        ("type", "${ZZQX}zzqx", "PB105"),
        ("prompt", "${ZZQX}zzqx", "PB105"),
    ]
)


@given(DOCUMENTS, TOOLS, MISTAKES, st.data())
@settings(max_examples=80, deadline=None)
def test_a_mistake_is_told_at_the_place_where_it_was_put(
    document: dict[str, Any], tool: dict[str, Any], mistake: tuple[str, str, str], data: st.DataObject
) -> None:
    key, value, code = mistake
    wrong = {**tool, key: value}
    tools = list(document.get("tools", []))
    tools.insert(data.draw(st.integers(0, len(tools))), wrong)
    for name, text in writings({**document, "tools": tools}).items():
        source = Source(name, text)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, name)
            path.write_text(text, encoding="utf-8")
            _, problems = load(Settings(root=Path(folder), config=path, data=path), environ={})
        places = [source.offset(problem.span.line, problem.span.column) for problem in problems]
        assert [problem.code for problem in problems] == [code]
        assert text[places[0] :].lstrip("'\"").startswith(key if key == "zzqx" else value)
