"""NLWeb's prompts: `prompts.xml`, called `site_type.xml` before.

    <root xmlns="http://nlweb.ai/base">
      <Site id="default">                       any other id: for that site; older files have no <Site>
        <Recipe>                                any element is a type; types may stand in types
          <Prompt ref="SearchToolScoringPrompt"><promptString>…</promptString><returnStruc>{…}</returnStruc>

One kind has a counterpart here: a prompt that scores a tool, `SearchToolScoringPrompt` for the tool `search` or
`ToolScoringPrompt` for any, is given to tools of `tools.xml` that have none. The others (decontextualising,
ranking, required information, answers) are steps that this platform does by itself: they are counted and named
in one warning.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pegboard.config.declarations import ToolDeclaration
from pegboard.config.markup import Markup
from pegboard.config.nlweb.join import DEFAULT
from pegboard.config.problems import Problems
from pegboard.config.shape import record_of
from pegboard.config.syntax.node import Entry, List, Map, Scalar
from pegboard.config.syntax.source import Source
from pegboard.config.syntax.xml_reader import Element
from pegboard.text import folded

FILES = ("prompts.xml", "site_type.xml")
"""How the file is called beside `tools.xml`."""

NAMESPACE = "http://nlweb.ai/base"
_MOST_NAMED = 5
_SCORING = "toolscoringprompt"
"""How the refs of prompts that score tools end, in small letters."""
_ROOTS = ("Item", "Thing", "")


@dataclass(frozen=True, slots=True, eq=False)
class _Prompt:
    site: str
    """Folded; `default` where no site is named."""
    type: str
    ref: str
    element: Element


class Prompts:
    """The prompts of one file."""

    def __init__(self, root: Element, source: Source, problems: Problems) -> None:
        self._root = root
        self._source = source
        self._problems = problems
        self._prompts = list(_prompts(root, DEFAULT, ""))
        self._sites = {prompt.site for prompt in self._prompts}
        self._by_key: dict[tuple[str, str, str], _Prompt] = {}
        """All by site, type and ref in small letters; the first of equal ones counts."""
        for prompt in self._prompts:
            self._by_key.setdefault((prompt.site, prompt.type, prompt.ref.lower()), prompt)
        self._read: dict[_Prompt, Map] = {}
        """What a prompt gives to tools; only those that are used are here."""

    def give(self, documents: Sequence[Map]) -> None:
        """Give the prompts that score tools to the tools of NLWeb's XML that have none, then report the others."""
        for document in documents:
            for tool in _maps(document, "tools"):
                self._give(tool, DEFAULT)
            for site in _maps(document, "sites"):
                for tool in _maps(site, "tools"):
                    self._give(tool, folded(_text(site, "name")))
        self._report()

    def _give(self, tool: Map, site: str) -> None:
        if tool.dialect != "nlweb" or "prompt" in tool.entries:
            return
        prompt = self._for(tool, site if site in self._sites else DEFAULT)
        if prompt is None:
            return
        for key, entry in self._keys_of(prompt).items():
            tool.entries.setdefault(key, entry)

    def _keys_of(self, prompt: _Prompt) -> Mapping[str, Entry]:
        """Return the keys of a tool that a prompt gives; they are read once, for all tools."""
        if prompt not in self._read:
            element = prompt.element
            self._read[prompt] = Map(self._source, element.start, element.end, {}, "nlweb")
            parts = [
                replace(part, name="prompt") if part.name == "promptString" else part
                for part in element.elements
                if part.name in {"promptString", "returnStruc"}
            ]
            Markup(self._source, self._problems).fill(self._read[prompt], parts, record_of(ToolDeclaration))
        return self._read[prompt].entries

    def _for(self, tool: Map, site: str) -> _Prompt | None:
        """Return the prompt that scores a tool: one for this tool, then one for any; of its type, then of all."""
        own = _text(tool, "name").replace("_", "").replace("-", "").lower() + _SCORING
        types = dict.fromkeys((_text(tool, "type") or "Item", *_ROOTS))
        ranked = ((site, type_, ref) for ref in (own, _SCORING) for type_ in types)
        return next((self._by_key[key] for key in ranked if key in self._by_key), None)

    def _report(self) -> None:
        unused = [prompt for prompt in self._prompts if prompt not in self._read]
        if not unused:
            return
        refs = list(dict.fromkeys(prompt.ref for prompt in unused))
        names = ", ".join(refs[:_MOST_NAMED]) + (", …" if len(refs) > _MOST_NAMED else "")
        message = f"{len(unused)} of the {len(self._prompts)} prompts in this file are not used: {names}"
        hint = "The file may stay. What scores a tool stands in its <prompt>; docs/nlweb.md says what does the rest."
        self._problems.add("PB009", self._source.span(self._root.start), message, hint=hint, dialect="nlweb")


def _prompts(owner: Element, site: str, type_: str) -> Iterator[_Prompt]:
    for element in owner.elements:
        if element.name == "Prompt":
            ref = element.attribute("ref")
            yield _Prompt(site, type_, ref.value if ref else "", element)
        elif element.name == "Site":
            id_ = element.attribute("id")
            yield from _prompts(element, folded(id_.value) if id_ else DEFAULT, type_)
        elif element.name[:1].isupper():
            yield from _prompts(element, site, element.name)


def _maps(owner: Map, key: str) -> list[Map]:
    found = owner.get(key)
    return [item for item in found.items if isinstance(item, Map)] if isinstance(found, List) else []


def _text(owner: Map, key: str) -> str:
    found = owner.get(key)
    return found.value if isinstance(found, Scalar) and isinstance(found.value, str) else ""
