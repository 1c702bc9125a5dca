"""Documents, and tools that are made of them."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pegboard.catalog.contract import Result
from pegboard.catalog.kind import About, Offered
from pegboard.config.blocks.openapi import OpenapiDeclaration, OpenapiSourceDeclaration
from pegboard.config.blocks.source import SourceDeclaration
from pegboard.config.server.settings import Settings
from pegboard.handlers.openapi import operation
from pegboard.text import Json
from tests.twins import context


def document(paths: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "openapi": "3.1.0",
        "info": {"title": "Pets", "version": "1"},
        "servers": [{"url": "https://pets.example/v1"}],
        "paths": paths,
        **more,
    }


def one(method: str = "get", path: str = "/x", **told: Any) -> dict[str, Any]:
    """Return a document with one operation, which is called `x`."""
    return document({path: {method: {"operationId": "x", **told}}})


def parameter(place: str = "query", name: str = "color", **told: Any) -> dict[str, Any]:
    needed = {"required": True} if place == "path" else {}
    return {"name": name, "in": place, "schema": {}, **needed, **told}


def about(folder: Path, held: Mapping[str, Any] | bytes, *, prefix: str = "", **source: Any) -> About:
    """Return what a kind is told whose source has the document `held`."""
    data = held if isinstance(held, bytes) else json.dumps(held).encode()
    (folder / "api.json").write_bytes(data)
    told = OpenapiSourceDeclaration.model_validate({"document": "api.json", **source})
    return About(
        "pets",
        "",
        Settings(folder, folder, folder / ".pegboard"),
        folder,
        source=SourceDeclaration(name="pets", prefix=prefix, openapi=told),
        source_folder=folder,
    )


def kind(folder: Path, held: Mapping[str, Any] | bytes, id_: str = "x", **source: Any) -> operation:
    return operation(OpenapiDeclaration(source="pets", operation=id_), about(folder, held, **source))


def offers(folder: Path, held: Mapping[str, Any] | bytes, **source: Any) -> list[Offered]:
    return list(operation.offered(about(folder, held, **source)))


async def called(tool: operation, **arguments: Json) -> Result:
    result = await tool.call(context(), arguments)
    assert isinstance(result, Result)
    return result
