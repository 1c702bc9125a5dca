"""Decide what `platform add` writes: the declaration, the file that it goes into, and a function where one is wanted.

Nothing is written here, and no handler is imported: the files of the configuration are read for what they declare.
"""

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from pegboard.config.declaration import NAME_PATTERN, NAME_RULES, SITE_NAME_PATTERN
from pegboard.config.declarations import Declared, SiteDeclaration, ToolDeclaration
from pegboard.config.server.settings import Settings
from pegboard.config.starter import xml_text, yaml_text
from pegboard.config.starter.document import Project
from pegboard.config.starter.handler import chosen_handler, function_of
from pegboard.config.starter.insert import xml_site
from pegboard.config.starter.wanted import Draft, NewSite, NewTool
from pegboard.errors import PegboardError, UnknownSite, UsageError
from pegboard.text import did_you_mean


def draft_tool(settings: Settings, tool: NewTool, *, rooms: Sequence[str]) -> Draft:
    """Return what declares `tool`; `rooms` are the names of the handlers that are there for all.

    Raises:
        UsageError: something is missing or cannot be: a handler, a legal name, a file that is read.
        UnknownSite: it is for a site that is not declared.
        PegboardError: it is declared already.
    """
    _check_name(tool.name, NAME_PATTERN, "tool")
    project = Project(settings)
    site = _site(project, tool.site)
    _refuse_second(project, tool, site)
    inherits = _is_declared(project, tool.name)
    handler = chosen_handler(tool, settings, rooms, inherits=inherits)
    tool = replace(tool, handler=handler, type="" if tool.type == "Item" else tool.type)
    if not inherits and not tool.description and not tool.examples:
        hint = "Say what it does with --description, and what it answers with --example (once for each question)."
        raise UsageError(f"No question would lead to tool {tool.name!r}.", hint=hint)
    files = _tool_files(project, tool, site, inherits=inherits)
    return Draft(files | (function_of(tool, settings) if tool.new_handler else {}), project.notes())


def draft_site(settings: Settings, site: NewSite) -> Draft:
    """Return what declares `site`, with its content where it has some.

    Raises:
        UsageError: it has no legal name, or goes into a file that is not read.
        PegboardError: it is declared already.
    """
    _check_name(site.name, SITE_NAME_PATTERN, "site")
    project = Project(settings)
    for each in project.declarations.sites:
        if each.value.name == site.name:
            raise PegboardError(f"Site {site.name!r} is declared already, at {each.at('name')}.")
    path = project.file_for(site.name, site.place)
    knowledge = _knowledge_name(project, site)
    sources = [_relative(each, path.parent) for each in site.content]
    if path.suffix == ".xml":
        lines = [*xml_text.site_lines(site, knowledge)]
        lines += ["", *xml_text.knowledge_lines(knowledge, sources)] if knowledge else []
        return Draft({path: project.xml_with(path, site, lines)}, _site_notes(project, site))
    lists = {"sites": yaml_text.site_lines(site, knowledge)}
    lists |= {"knowledge": yaml_text.knowledge_lines(knowledge, sources)} if knowledge else {}
    return Draft({path: project.yaml_with(path, site, lists)}, _site_notes(project, site))


def _site_notes(project: Project, site: NewSite) -> tuple[str, ...]:
    if project.declarations.sites or not project.declarations.tools:
        return project.notes()
    note = f"until now all tools were served as one site called default; from now on only {site.name!r} is"
    return (*project.notes(), note)


def _check_name(name: str, pattern: str, noun: str) -> None:
    if not re.fullmatch(pattern, name):
        raise UsageError(f"A {noun} cannot be called {name!r}.", hint=NAME_RULES[pattern])


def _site(project: Project, name: str) -> Declared[SiteDeclaration] | None:
    if not name:
        return None
    sites = {each.value.name: each for each in project.declarations.sites}
    if name not in sites:
        raise UnknownSite(f"There is no site {name!r}. {did_you_mean(name, sites, noun='sites')}")
    return sites[name]


def _refuse_second(project: Project, tool: NewTool, site: Declared[SiteDeclaration] | None) -> None:
    if site is not None:
        found = [site.at("tools", i, "name") for i, each in enumerate(site.value.tools) if each.name == tool.name]
        where = f"Site {tool.site!r}"
    else:
        type_ = tool.type or "Item"
        found = [each.at("name") for each in project.declarations.tools if _is_same(each.value, tool.name, type_)]
        where = f"Type {type_!r}"
    if found:
        hint = "Edit it there, or choose another name."
        raise PegboardError(f"{where} has a tool {tool.name!r} already, at {found[0]}.", hint=hint)


def _is_same(tool: ToolDeclaration, name: str, type_: str) -> bool:
    return (tool.name, tool.type) == (name, type_)


def _is_declared(project: Project, name: str) -> bool:
    """Tell whether a tool of this name is declared anywhere: then the new one overrides it, or stands beside it."""
    sites = (tool.name for site in project.declarations.sites for tool in site.value.tools)
    return name in {*(tool.value.name for tool in project.declarations.tools), *sites}


def _tool_files(
    project: Project, tool: NewTool, site: Declared[SiteDeclaration] | None, *, inherits: bool
) -> dict[Path, str]:
    if site is None:
        path = project.file_for(tool.name, tool.place)
        if path.suffix == ".xml":
            return {path: project.xml_with(path, tool, xml_text.tool_lines(tool, inherits=inherits))}
        return {path: project.yaml_with(path, tool, {"tools": yaml_text.tool_lines(tool, inherits=inherits)})}
    path = project.path_of(site.span.file)
    if tool.place.file is not None and project.file_for(tool.name, tool.place) != path:
        message = f"Site {tool.site!r} is declared in {site.span.file}, and its own tools stand there."
        raise UsageError(message, hint="Leave --file out.")
    source = project.source_of(path)
    start = source.offset(site.span.line, site.span.column)
    if path.suffix == ".xml":
        element = xml_site(source, start)
        is_own_form = element is not None and element.name == "site"
        lines = xml_text.tool_lines(tool, inherits=inherits, is_own_form=is_own_form)
        return {path: project.xml_with(path, tool, lines, site_at=start)}
    lists: Mapping[str, Sequence[str]] = {"tools": yaml_text.tool_lines(tool, inherits=inherits)}
    return {path: project.yaml_with(path, tool, lists, site_at=start)}


def _knowledge_name(project: Project, site: NewSite) -> str:
    """Return what the content of a site is called: like the site, as far as that is free and a legal name."""
    if not site.content:
        return ""
    taken = {each.value.name for each in project.declarations.knowledge}
    name = site.name.replace(".", "_")
    return name if name not in taken else f"{name[:56]}_content"


def _relative(path: Path, folder: Path) -> str:
    return Path(os.path.relpath(path, folder)).as_posix()
