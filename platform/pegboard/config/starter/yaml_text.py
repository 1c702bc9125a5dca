"""A commented declaration in YAML, as lines that can stand at any depth of a document."""

from collections.abc import Iterable, Mapping, Sequence

from pegboard.config.starter.wanted import NewSite, NewTool
from pegboard.config.syntax.yaml_scalars import read_plain
from pegboard.text import language, to_json

_INDICATORS = frozenset("-?:,[]{}#&*!|>'\"%@` ")
_TOOL_HEAD = """\
# `platform check` finds what is wrong here, `platform route "a question"` shows whether it leads to this tool.
version: "1"
"""
_SITE_HEAD = """\
# `platform check` finds what is wrong here, `platform show {name}` prints what the site has and from where.
version: "1"
"""


def new_file(what: NewTool | NewSite, lists: Mapping[str, Sequence[str]], schema: str) -> str:
    """Return a document that holds these lists of one item each; `schema` is where the schema lies, or empty."""
    head = _TOOL_HEAD if isinstance(what, NewTool) else _SITE_HEAD.format(name=what.name)
    header = f"# yaml-language-server: $schema={schema}\n#\n" if schema else ""
    blocks = [f"\n{key}:\n" + "".join(item_lines(lines, "  ")) for key, lines in lists.items()]
    return f"{header}{head}{''.join(blocks)}"


def item_lines(lines: Sequence[str], indent: str) -> list[str]:
    """Return the lines of a list's item, its dash at `indent`."""
    first, *rest = lines
    return [f"{indent}- {first}\n", *(f"{indent}  {line}\n" for line in rest)]


def tool_lines(tool: NewTool, *, inherits: bool) -> list[str]:
    """Return the keys of a tool; one that `inherits` gives only what differs."""
    lines = [f"name: {scalar(tool.name)}"]
    if tool.type:
        lines.append(f"type: {scalar(tool.type)}")
    if tool.description:
        lines += ["# What it does, in a sentence: models and visitors read it.", _pair("description", tool.description)]
    if tool.examples:
        lines += [
            "# Questions as visitors ask them; without a model these decide the routing: five to fifteen are good."
        ]
        lines += _examples(tool.examples)
    if tool.handler:
        lines.append(_pair("handler", tool.handler))
    if tool.read_only:
        lines += ["# It changes nothing: it may be called by GET, started early and tried again.", "read_only: true"]
    elif not inherits:
        lines.append(
            "# read_only: true       # when a call changes nothing: then GET may call it, and it may be tried again"
        )
    return [*lines, *(() if inherits else _MORE)]


_MORE = (
    "# prompt: |             # how a model scores the tool; made from description and examples otherwise",
    "#   A visitor asks: {request.query}",
    "#   Score from 0 to 100 how well this tool fits.",
    "# returns:              # the score and the handler's arguments; made from the handler's signature otherwise",
    "#   score: integer between 0 and 100",
    "# call: {timeout: 10s}  # how long one call may take",
)


def site_lines(site: NewSite, knowledge: str) -> list[str]:
    """Return the keys of a site; `knowledge` is named where it is not called like the site."""
    lines = [f"name: {scalar(site.name)}"]
    if site.description:
        lines.append(_pair("description", site.description))
    else:
        lines.append("# description: What the site is for, in one line.")
    if site.domains:
        lines += ["# Hosts that it answers for; *.example.org stands for all below.", *_list("domains", site.domains)]
    else:
        lines.append(f"# domains: [{site.name}.example]  # hosts that it answers for")
    if site.types:
        lines += [
            "# It takes the tools of these types, and those of Item, which are for all.",
            *_list("types", site.types),
        ]
    if knowledge and knowledge != site.name:
        lines += _list("knowledge", [knowledge])
    lines.append("default: true" if site.default else "# default: true       # asked when a request names no site")
    return [
        *lines,
        "# extends: [other]    # sites whose tools it takes as well",
        "# exclude: [a_tool]   # inherited tools that it does not want",
        "# tools:              # its own tools, and its changes to inherited ones: platform add tool NAME --site …",
        "# route: {early_stop: 90, cutoff: 70, fallback: search, grace: 150ms, timeout: 10s}",
    ]


def knowledge_lines(name: str, sources: Sequence[str]) -> list[str]:
    """Return the keys of a knowledge declaration."""
    note = "# Relative to this file: schema.org JSON-LD (.json, .jsonld, .jsonl) and Markdown."
    return [f"name: {scalar(name)}", note, *_list("sources", sources)]


def scalar(text: str) -> str:
    """Write a text: plain where that reads as the same text everywhere, in quotes otherwise."""
    is_plain = text == text.strip() and text[:1] not in _INDICATORS and ": " not in text and " #" not in text
    if text and is_plain and text.isprintable() and not text.endswith(":"):
        try:
            value, is_ambiguous = read_plain(text)
        except ValueError:
            return to_json(text)
        if value == text and not is_ambiguous:
            return text
    return to_json(text)


def _pair(key: str, text: str) -> str:
    return f"{key}: {scalar(text)}"


def _list(key: str, texts: Iterable[str]) -> list[str]:
    return [f"{key}:", *(f"  - {scalar(text)}" for text in texts)]


def _examples(questions: Sequence[str]) -> list[str]:
    """Return the examples: a plain list, or lists by language where there are several."""
    by_language = by_languages(questions)
    if len(by_language) == 1:
        return _list("examples", questions)
    lines = ["examples:"]
    for code, texts in by_language.items():
        lines += [f"  {line}" for line in _list(scalar(code), texts)]
    return lines


def by_languages(questions: Iterable[str]) -> dict[str, list[str]]:
    """Return questions by the language that they seem to be in."""
    found = dict[str, list[str]]()
    for question in questions:
        found.setdefault(language(question), []).append(question)
    return found
