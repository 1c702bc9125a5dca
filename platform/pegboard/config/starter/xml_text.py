"""A commented declaration in XML, as lines that can stand at any depth of a document."""

import re
from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from pegboard.config.starter.wanted import NewSite, NewTool
from pegboard.config.starter.yaml_text import by_languages

_TYPE = re.compile(r"[A-Z][A-Za-z0-9_.-]*")
"""A type that can be an element; any other is an attribute of its tool."""
MODEL = '<?xml-model href="{href}" type="application/xml" schematypens="http://relaxng.org/ns/structure/1.0"?>\n'
"""What tells an XML editor where the schema lies."""


def new_file(what: NewTool | NewSite, lines: Sequence[str], schema: str) -> str:
    """Return a document with these elements; `schema` is where the schema lies, or empty."""
    model = MODEL.format(href=schema) if schema else ""
    show = f"platform show {what.name}" if isinstance(what, NewSite) else 'platform route "a question"'
    note = f"<!-- `platform check` finds what is wrong here, `{show}` shows what comes of it. -->\n"
    body = "".join(f"  {line}\n" for line in lines)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{model}{note}<Tools version="1">\n{body}</Tools>\n'


def tool_lines(tool: NewTool, *, inherits: bool, is_own_form: bool = False) -> list[str]:
    """Return a tool in NLWeb's form, in its type; or in our own, as it stands in a `<site>`."""
    type_ = tool.type or "Item"
    if is_own_form or not _TYPE.fullmatch(type_):
        return _tool(tool, "tool", {"type": tool.type} if tool.type else {}, inherits=inherits)
    attributes = {"override": "merge"} if inherits else {}
    inner = _tool(tool, "Tool", attributes, inherits=inherits)
    return [f"<{type_}>", *(f"  {line}" for line in inner), f"</{type_}>"]


def _tool(tool: NewTool, tag: str, attributes: dict[str, str], *, inherits: bool) -> list[str]:
    given = {"name": tool.name, **attributes, **({"read_only": "true"} if tool.read_only else {})}
    lines = list[str]()
    if tool.description:
        lines += ["<!-- What it does, in a sentence: models and visitors read it. -->"]
        lines += _texts("description", [tool.description])
    if tool.examples:
        lines += ["<!-- Questions as visitors ask them; without a model these decide the routing. -->"]
        for code, questions in by_languages(tool.examples).items():
            lines += [f"<example lang={quoteattr(code)}>{_text(each)}</example>" for each in questions]
    lines += _texts("handler", [tool.handler] if tool.handler else [])
    if not inherits:
        lines += _MORE
    start = " ".join([tag, *(f"{name}={quoteattr(value)}" for name, value in given.items())])
    return [f"<{start}>", *(f"  {line}" for line in lines), f"</{tag}>"]


_MORE = (
    '<!-- read_only="true" on the tool says that a call changes nothing. More that can stand here:',
    "<prompt>A visitor asks: {request.query} Score from 0 to 100 how well this tool fits.</prompt>",
    '<returnStruc>{"score": "integer between 0 and 100"}</returnStruc>',
    '<call timeout="10s"/>',
    "-->",
)


def site_lines(site: NewSite, knowledge: str) -> list[str]:
    """Return a site; `knowledge` is named where it is not called like the site."""
    default = ' default="true"' if site.default else ""
    lines = [
        *_texts("description", [site.description] if site.description else []),
        *_texts("domain", site.domains),
        *_texts("type", site.types),
        *_texts("knowledge", [knowledge] if knowledge and knowledge != site.name else []),
        "<!-- More that can stand here: extends, exclude, tool, and how a tool is chosen:",
        '<route early_stop="90" cutoff="70" fallback="search" grace="150ms" timeout="10s"/>',
        "-->",
    ]
    return [f"<site name={quoteattr(site.name)}{default}>", *(f"  {line}" for line in lines), "</site>"]


def knowledge_lines(name: str, sources: Sequence[str]) -> list[str]:
    """Return a knowledge declaration."""
    lines = ["<!-- Relative to this file: schema.org JSON-LD and Markdown. -->", *_texts("source", sources)]
    return [f"<knowledge name={quoteattr(name)}>", *(f"  {line}" for line in lines), "</knowledge>"]


def _texts(tag: str, texts: Sequence[str]) -> list[str]:
    return [f"<{tag}>{_text(text)}</{tag}>" for text in texts]


def _text(text: str) -> str:
    return " ".join(escape(text).split())
