"""Makes a tool of the kind `http` from a block, and calls it."""

import math
from collections.abc import Mapping
from dataclasses import replace
from ipaddress import ip_network
from pathlib import Path
from typing import Any

from pegboard.catalog.contract import Result
from pegboard.catalog.kind import About, Misdeclared
from pegboard.config.blocks.http import HttpDeclaration, HttpSourceDeclaration
from pegboard.config.blocks.source import SourceDeclaration
from pegboard.config.server.settings import Settings
from pegboard.handlers.http import request
from pegboard.text import Json
from tests.twins import context

SETTINGS = Settings(root=Path("/nowhere"), config=Path("/nowhere"), data=Path("/nowhere"))


def a_request(
    block: Mapping[str, Any],
    *,
    source: Mapping[str, Any] | None = None,
    parameters: Mapping[str, Json] | None = None,
    networks: tuple[str, ...] = (),
) -> request:
    """Return a tool made of `block`, and of the service `source`."""
    declared = (
        SourceDeclaration(name="service", http=HttpSourceDeclaration.model_validate(source))
        if source is not None
        else None
    )
    allowed = tuple(ip_network(network) for network in networks)
    about = About(
        name="a_tool",
        description="",
        settings=replace(SETTINGS, allow_networks=allowed),
        folder=Path("/nowhere"),
        parameters=parameters,
        source=declared,
    )
    return request(HttpDeclaration.model_validate(block), about)


def misfits(block: Mapping[str, Any], **more: Any) -> list[tuple[tuple[str | int, ...], str]]:
    """Return what is wrong with a block: places and messages."""
    try:
        a_request(block, **more)
    except Misdeclared as error:
        return [(misfit.path, misfit.message) for misfit in error.misfits]
    return []


async def called(tool: request, deadline: float = math.inf, /, **arguments: Json) -> Result:
    """Call a tool."""
    return await tool.call(context(deadline=deadline), arguments)
